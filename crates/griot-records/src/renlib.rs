//! RenLib's library of gomoku and renju positions, `.lib`: a tree of moves with remarks and marks.
//!
//! ```text
//! header   20 bytes: FF 'RenLib' FF, major version, minor version, FF …      (older files have none and begin with h8, 0x78)
//! node     position: 16 · (row − 1) + column, from 1, rows from the top; 0 is the empty board, or a pass
//!          flags: 80 a sibling follows behind the subtree   40 no move follows   20 old comment   10 mark   08 comment
//!                 04 start   02 no move   01 two more bytes of flags follow, of which 0x0001 is a text on the board
//! comment  bytes up to a 0, in pairs with the 0 or the byte behind it; byte 8 parts the first line from the others.
//!          An old comment ends with the byte whose highest bit is set.
//! ```
//!
//! CITE: F. Arkbo, RenLib 3.6, `LibraryFile`, `MoveNode` and `CRenLibDoc::AddLibrary`.

use crate::boards::cell;
use crate::decode::windows_1252;
use crate::fault::{Fault, Piece};
use crate::model::{Format, Record, Tag};
use crate::raw::Raw;

const MAGIC: &[u8] = b"\xFFRenLib\xFF";
const HEADER: usize = 20;
const SIDE: usize = 15;

const SIBLING: u8 = 0x80;
const LEAF: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARK: u8 = 0x10;
const COMMENT: u8 = 0x08;
const NO_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;

/// Whether these bytes are such a library.
pub(crate) fn looks_right(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) && bytes.len() >= HEADER
}

/// Reads the tree as one game with variations.
pub(crate) fn read(bytes: &[u8]) -> Result<Raw, Fault> {
    let wrong =
        |at: usize, problem: String| Piece { text: "", line: 1 }.fault(0, None, format!("byte {at}: {problem}"));
    let mut raw = Raw::new(Record::new("", Format::RenLib));
    raw.games = ["renju", "gomokufreestyle", "gomoku"].map(str::to_owned).to_vec();
    let mut bytes = Bytes { bytes, at: HEADER };
    // The nodes from the root to the current one, and the places of those that have a sibling.
    let mut path = vec![0];
    let mut siblings: Vec<usize> = Vec::new();
    let mut is_first = true;
    while let Some([position, flags]) = bytes.pair() {
        let at = bytes.at - 2;
        let mut extension = 0;
        if flags & EXTENSION != 0 {
            let [high, low] = bytes.pair().ok_or_else(|| wrong(at, "expected two more bytes of flags".into()))?;
            extension = u16::from_be_bytes([high, low]);
        }
        let current = path[path.len() - 1];
        let (col, row) = (usize::from(position % 16), usize::from(position / 16));
        let node = match position {
            0 if is_first => 0,
            _ if flags & NO_MOVE != 0 => current,
            0 => raw.add(current, "0000", 0, None),
            _ => {
                let word = col
                    .checked_sub(1)
                    .and_then(|col| cell(col, row, SIDE, false))
                    .filter(|_| row < SIDE && col <= SIDE);
                let word = word.ok_or_else(|| wrong(at, format!("{position:#04x} is not a point of the board")))?;
                raw.add(current, &word, 0, None)
            }
        };
        if !(is_first && node == 0) {
            path.push(node);
        }
        is_first = false;
        let sign = || {
            [col, row + 1]
                .map(|number| char::from(b'a' + u8::try_from(number.max(1) - 1).unwrap_or(0)))
                .iter()
                .collect::<String>()
        };
        if flags & OLD_COMMENT != 0 {
            comment(&mut raw, node, &bytes.until(|byte| byte & 0x80 != 0));
        } else if flags & COMMENT != 0 {
            comment(&mut raw, node, &bytes.until(|byte| byte == 0));
        }
        if extension & 1 != 0 {
            let text = windows_1252(&bytes.until(|byte| byte == 0));
            raw.record.notes_mut(node).marks.push(Tag { name: "LB".into(), value: format!("{}:{text}", sign()) });
        }
        if flags & MARK != 0 && node != 0 {
            raw.record.notes_mut(node).marks.push(Tag { name: "MA".into(), value: sign() });
        }
        if flags & SIBLING != 0 {
            siblings.push(path.len() - 1);
        }
        if flags & LEAF != 0 {
            let Some(place) = siblings.pop() else { break };
            path.truncate(place.max(1));
        }
    }
    Ok(raw)
}

/// Adds a comment: the first line, and the others.
fn comment(raw: &mut Raw, node: usize, bytes: &[u8]) {
    let text = windows_1252(bytes);
    let parts = text.split('\u{8}').map(|part| part.replace("\r\n", "\n").trim().to_owned());
    raw.record.notes_mut(node).comments.extend(parts.filter(|part| !part.is_empty()));
}

/// Bytes that are read in pairs.
struct Bytes<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Bytes<'_> {
    fn pair(&mut self) -> Option<[u8; 2]> {
        let pair = self.bytes.get(self.at..self.at + 2)?;
        self.at += 2;
        Some([pair[0], pair[1]])
    }

    /// The bytes up to the one that ends them. The highest bit belongs to no letter of a text that ends so; a 0 is left out.
    fn until(&mut self, ends: impl Fn(u8) -> bool) -> Vec<u8> {
        let mut text = Vec::new();
        while let Some(pair) = self.pair() {
            for byte in pair {
                if ends(byte) {
                    text.extend(Some(byte & 0x7F).filter(|&byte| byte != 0));
                    return text;
                }
                text.push(byte);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_its_branches_and_remarks() {
        let mut bytes = b"\xFFRenLib\xFF\x03\x04".to_vec();
        bytes.resize(HEADER, 0xFF);
        bytes.extend([0x00, 0x00]);
        bytes.extend([0x78, COMMENT]);
        bytes.extend(b"middle\x08more\0");
        bytes.extend([0x68, SIBLING]);
        bytes.extend([0x69, LEAF | MARK]);
        bytes.extend([0x79, LEAF | EXTENSION, 0, 1]);
        bytes.extend(b"A\0");
        let raw = read(&bytes).unwrap();
        let record = &raw.record;
        let lines: Vec<String> = record
            .lines()
            .iter()
            .map(|line| line.nodes.iter().map(|&node| record.mv(node)).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(lines, ["h8 h9 i9", "i8"]);
        assert_eq!(record.notes(1).unwrap().comments, ["middle", "more"]);
        assert_eq!(record.notes(3).unwrap().marks, [Tag { name: "MA".into(), value: "ig".into() }]);
        assert_eq!(record.notes(4).unwrap().marks, [Tag { name: "LB".into(), value: "ih:A".into() }]);
        bytes.extend([0x0F, 0xF0]);
        assert!(read(&bytes[..HEADER + 1]).unwrap().record.is_empty());
        let wrong = [&bytes[..HEADER], &[0x00, 0x00, 0xF1, 0x40]].concat();
        assert_eq!(read(&wrong).unwrap_err().text, "byte 22: 0xf1 is not a point of the board");
    }
}
