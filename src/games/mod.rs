//! The games griot knows: rules, notation and evaluation of each. Layer 2: no game knows another.
//! What games on a grid of cells have in common stands below them, on floor 1.

pub mod awale;
pub mod chess;
pub mod connect4;
mod grid;
pub mod mnk;
pub mod nim;
pub mod othello;
