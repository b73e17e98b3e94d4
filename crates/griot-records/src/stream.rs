//! Splits a stream of PGN into games, so that memory does not grow with the file.
//!
//! A game ends where tags begin after moves, outside of comments. What is split off is read by [`crate::read`] like a file of its own.

/// Takes a file in pieces and gives its games back one by one, as bytes.
///
/// ```
/// let mut splitter = griot_records::Splitter::default();
/// splitter.push(b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n");
/// assert_eq!(splitter.next(false), Some((1, b"[Event \"a\"]\n\n1. e4 *\n\n".to_vec())));
/// assert_eq!(splitter.next(false), None);
/// assert_eq!(splitter.next(true), Some((5, b"[Event \"b\"]\n\n1. d4 *\n".to_vec())));
/// ```
#[derive(Debug, Default)]
pub struct Splitter {
    bytes: Vec<u8>,
    /// Where the game that is not yet given back begins.
    begin: usize,
    /// How far it was looked at.
    seen: usize,
    /// The lines before it.
    lines: usize,
    in_comment: bool,
    in_moves: bool,
}

impl Splitter {
    /// Adds what was read.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.begin > 0 {
            self.bytes.drain(..self.begin);
            self.seen -= self.begin;
            self.begin = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// How many bytes wait for the end of their game.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.bytes.len() - self.begin
    }

    /// The next whole game, and the line on which it begins. `is_end` says that nothing more will be pushed: then the rest is a game.
    pub fn next(&mut self, is_end: bool) -> Option<(usize, Vec<u8>)> {
        while self.seen < self.bytes.len() {
            let rest = &self.bytes[self.seen..];
            let length = rest.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
            let Some(length) = length.or(is_end.then_some(rest.len())) else { break };
            let line = &rest[..length];
            if !self.in_comment && line.first() == Some(&b'[') {
                if self.in_moves {
                    self.in_moves = false;
                    return Some(self.split());
                }
            } else {
                self.follow(self.seen, length);
            }
            self.seen += length;
        }
        if is_end && self.begin < self.bytes.len() {
            self.seen = self.bytes.len();
            return Some(self.split());
        }
        None
    }

    /// Follows the comments of a line, and sees whether it has anything else.
    fn follow(&mut self, from: usize, length: usize) {
        if self.bytes[from] == b'%' {
            return;
        }
        for at in from..from + length {
            match self.bytes[at] {
                b'}' => self.in_comment = false,
                _ if self.in_comment => {}
                b'{' => self.in_comment = true,
                b';' => break,
                byte => self.in_moves |= !byte.is_ascii_whitespace(),
            }
        }
    }

    fn split(&mut self) -> (usize, Vec<u8>) {
        let game = self.bytes[self.begin..self.seen].to_vec();
        let line = self.lines + 1;
        self.lines += game.iter().filter(|&&byte| byte == b'\n').count();
        self.begin = self.seen;
        (line, game)
    }
}
