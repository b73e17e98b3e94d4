//! Clients of griot, replayed line for line against the real program: what each of them sends, waits for and would break on.

mod auale;
mod cute_chess;
mod cutegames;
mod displays;
mod fastchess;
mod gogui;
mod gomocup;
mod lines;
mod nboard;
mod recordings;
mod yixin_board;
