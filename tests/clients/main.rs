//! Clients of griot, replayed line for line against the real program: what each of them sends, waits for and would break on.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod auale;
mod cute_chess;
mod cutegames;
mod gogui;
mod gomocup;
mod lines;
#[path = "../support/mod.rs"]
mod support;
