//! The games: rules, notation and evaluation of each. Layer 2: no game knows another. `grid` (layer 1) has what games on a grid
//! share.

pub mod awale;
pub mod chess;
pub mod connect4;
pub mod draughts;
mod grid;
pub mod mnk;
pub mod nim;
pub mod othello;
