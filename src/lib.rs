//! griot: a board-game engine for other people's front ends.

pub mod engine;
pub mod game;
pub mod games;
pub mod message;
pub mod protocol;
pub mod registry;
pub mod score;
pub mod search;
pub mod session;
pub mod time;
