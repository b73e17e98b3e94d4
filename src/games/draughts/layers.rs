//! English draughts as a layered game: a layer is the material of both sides. Layer 2.
//!
//! A value is 1 for a win of the side to move, 0 for a draw, -1 for a loss; counts of moves are ignored. Captures and crowned men
//! lead to lower layers: layers are in the order of the number of pieces, then of men. A side has at most three pieces, so that no
//! board has more than fifteen moves within its layer.
//!
//! ```text
//!   boards are seen by the side to move, as if it were White; squares are counted from 0 in the upper left corner
//!   rank = (((own men * C(28, their men) + their men) * C(f, own kings) + own kings) * C(f - own kings, their kings) + their kings)
//!          each set by its colex rank; men among the 28 squares where they may stand, kings among the f squares without men, in
//!          their order; the boards on which the other side has the layer's first material follow
//! ```
//!
//! Men of both sides may be ranked on one square: such a board is none, and counts as finished and drawn.

use super::board::{KingRun, Move, Position, bit_of};
use super::rule_sets::{Color, RULES};
use crate::game::mix64;
use crate::tablebase::{Convention, Counted, Identity, Layered, Step};

/// English draughts in [`RULES`].
pub(super) const ENGLISH: u8 = 1;
const _: () = assert!(matches!(RULES[ENGLISH as usize].name.as_bytes(), b"english"));

/// The most pieces of a side, and of both.
const SIDE: usize = 3;
const MOST: usize = 5;

/// Squares of the board, and those on which men of a side may stand.
const SQUARES: u32 = 32;
const FOR_MEN: u64 = 28;

/// Men and kings of a side.
type Material = (u8, u8);

/// The layers of English draughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EnglishLayers;

/// The most layers.
const LAYERS: usize = count_layers();

/// The materials of each layer, the greater one first.
const MATERIALS: [[Material; 2]; LAYERS] = {
    let mut all = [[(0, 0); 2]; LAYERS];
    let mut found = 0;
    let mut pieces = 1;
    while pieces <= MOST {
        let mut men = 0;
        while men <= pieces {
            // All ways to share them out.
            let mut code = 0;
            while code < 256 {
                let pair = decoded(code);
                if is_layer(pair, pieces, men) {
                    all[found] = pair;
                    found += 1;
                }
                code += 1;
            }
            men += 1;
        }
        pieces += 1;
    }
    all
};

const fn decoded(code: usize) -> [Material; 2] {
    [((code >> 6) as u8, (code >> 4 & 3) as u8), ((code >> 2 & 3) as u8, (code & 3) as u8)]
}

const fn is_layer([first, second]: [Material; 2], pieces: usize, men: usize) -> bool {
    let (own, other) = ((first.0 + first.1) as usize, (second.0 + second.1) as usize);
    let is_greater = first.0 > second.0 || first.0 == second.0 && first.1 >= second.1;
    is_greater && own <= SIDE && other <= SIDE && own + other == pieces && (first.0 + second.0) as usize == men
}

const fn count_layers() -> usize {
    let (mut found, mut code) = (0, 0);
    while code < 256 {
        let pair = decoded(code);
        let pieces = (pair[0].0 + pair[0].1 + pair[1].0 + pair[1].1) as usize;
        let men = (pair[0].0 + pair[1].0) as usize;
        if pieces >= 1 && pieces <= MOST && is_layer(pair, pieces, men) {
            found += 1;
        }
        code += 1;
    }
    found
}

const fn choose(from: u64, count: u64) -> u64 {
    let (mut product, mut taken) = (1, 0);
    while taken < count {
        product = product * (from - taken) / (taken + 1);
        taken += 1;
    }
    if count > from { 0 } else { product }
}

/// The colex rank of a set of numbers.
fn rank_of(mut set: u32) -> u64 {
    let (mut rank, mut count) = (0, 0);
    while set != 0 {
        count += 1;
        rank += choose(set.trailing_zeros().into(), count);
        set &= set - 1;
    }
    rank
}

/// The set of `count` numbers with this rank.
fn set_of(mut rank: u64, count: u8) -> u32 {
    let mut set = 0;
    for left in (1..=u64::from(count)).rev() {
        let mut number = left - 1;
        while choose(number + 1, left) <= rank {
            number += 1;
        }
        rank -= choose(number, left);
        set |= 1 << number;
    }
    set
}

/// The places of `set` among the squares of `free`, in their order.
fn pressed(set: u32, free: u32) -> u32 {
    let mut places = 0;
    let mut rest = set & free;
    while rest != 0 {
        let bit = rest & rest.wrapping_neg();
        places |= 1 << (free & (bit - 1)).count_ones();
        rest ^= bit;
    }
    places
}

/// The squares of `free` at these places; [`pressed`] inverted.
fn spread(places: u32, free: u32) -> u32 {
    let (mut set, mut rest, mut place) = (0, free, 0);
    while rest != 0 {
        let bit = rest & rest.wrapping_neg();
        if places >> place & 1 == 1 {
            set |= bit;
        }
        rest ^= bit;
        place += 1;
    }
    set
}

/// Squares as 32 bits, as the side to move sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    men: [u32; 2],
    kings: [u32; 2],
}

/// Squares from bits of the board, and back.
fn squares(bits: u64) -> u32 {
    (0..4).fold(0, |squares, pair| {
        let (even, odd) = ((bits >> (11 * pair)) as u32 & 15, (bits >> (11 * pair + 5)) as u32 & 15);
        squares | (even | odd << 4) << (8 * pair)
    })
}

fn bits(mut squares: u32) -> u64 {
    let mut found = 0;
    while squares != 0 {
        found |= 1 << bit_of(&RULES[ENGLISH as usize], squares.trailing_zeros());
        squares &= squares - 1;
    }
    found
}

impl Seen {
    fn of(position: &Position) -> Seen {
        let of = |color| [position.men(color), position.kings_of(color)].map(squares);
        let [white, black] = [of(Color::White), of(Color::Black)];
        let turned = |[men, kings]: [u32; 2]| [men.reverse_bits(), kings.reverse_bits()];
        let [own, other] = if position.turn == Color::White { [white, black] } else { [turned(black), turned(white)] };
        Seen { men: [own[0], other[0]], kings: [own[1], other[1]] }
    }

    /// The position in which White is to move.
    fn position(self) -> Position {
        let [own, other] = [0, 1].map(|side| bits(self.men[side]) | bits(self.kings[side]));
        Position {
            pieces: [own, other],
            kings: bits(self.kings[0]) | bits(self.kings[1]),
            runs: [KingRun::default(); 2],
            kind: ENGLISH,
            turn: Color::White,
            quiet: 0,
            ending: 0,
        }
    }

    fn materials(self) -> [Material; 2] {
        [0, 1].map(|side| (self.men[side].count_ones() as u8, self.kings[side].count_ones() as u8))
    }

    /// Whether no two pieces share a square.
    fn is_board(self) -> bool {
        self.men[0] & self.men[1] == 0
    }
}

/// The number of sets of the mover's men, of the other men, of the mover's kings and of the other kings.
fn sizes([own, other]: [Material; 2]) -> [u64; 4] {
    let free = u64::from(SQUARES) - u64::from(own.0) - u64::from(other.0);
    [
        choose(FOR_MEN, own.0.into()),
        choose(FOR_MEN, other.0.into()),
        choose(free, own.1.into()),
        choose(free - u64::from(own.1), other.1.into()),
    ]
}

/// The squares without men, as many as there are on a board: the lowest where men share a square.
fn free(men: [u32; 2]) -> u32 {
    let mut free = !(men[0] | men[1]);
    let most = SQUARES - men[0].count_ones() - men[1].count_ones();
    while free.count_ones() > most {
        free &= !(1 << (31 - free.leading_zeros()));
    }
    free
}

/// The other side's men stand on the squares 0 to 27, the mover's on 4 to 31.
const OWN_FIRST: u32 = 4;

/// The number of pieces of both sides.
fn pieces_of([own, other]: &[Material; 2]) -> usize {
    usize::from(own.0 + own.1 + other.0 + other.1)
}

impl EnglishLayers {
    /// The layer of this material, if it has one.
    fn layer_of([own, other]: [Material; 2]) -> Option<usize> {
        let pair = if own >= other { [own, other] } else { [other, own] };
        MATERIALS.iter().position(|known| *known == pair)
    }

    /// The last layer with this many pieces.
    #[must_use]
    pub fn last_of(pieces: usize) -> usize {
        MATERIALS.iter().rposition(|pair| pieces_of(pair) <= pieces).unwrap_or_default()
    }
}

impl Layered for EnglishLayers {
    type Board = Position;

    const CONVENTION: Convention = Convention::Exact;
    const COUNTED: Counted = Counted::Pieces;
    /// Those of five pieces take fifteen times as long and as much.
    const SHARED: usize = 4;

    fn last_layer(&self, count: usize) -> usize {
        EnglishLayers::last_of(count)
    }

    fn count(&self, layer: usize) -> usize {
        pieces_of(&MATERIALS[layer.min(LAYERS - 1)])
    }

    fn count_on(&self, board: &Position) -> usize {
        (board.pieces[0] | board.pieces[1]).count_ones() as usize
    }

    fn has(&self, board: &Position) -> bool {
        board.kind == ENGLISH
            && board.pieces.iter().all(|pieces| pieces.count_ones() as usize <= SIDE)
            && self.count_on(board) <= MOST
    }

    fn identity(&self) -> Identity {
        /// Changes with the rules or the numbering of boards.
        const NUMBERING: u64 = 1;
        Identity { name: "draughts:english".into(), rules: mix64(NUMBERING), convention: Self::CONVENTION }
    }

    fn top(&self) -> usize {
        LAYERS - 1
    }

    fn size(&self, layer: usize) -> u64 {
        let [first, second] = MATERIALS[layer];
        let ways = if first == second { 1 } else { 2 };
        ways * sizes([first, second]).iter().product::<u64>()
    }

    fn stake(&self, _layer: usize) -> i8 {
        1
    }

    fn layer(&self, board: &Position) -> usize {
        // The tables are asked for boards that they have.
        EnglishLayers::layer_of(Seen::of(board).materials()).unwrap_or(LAYERS - 1)
    }

    fn rank(&self, board: &Position) -> u64 {
        let seen = Seen::of(board);
        let pair = seen.materials();
        let [_, theirs, kings, their_kings] = sizes(pair);
        let free = free(seen.men);
        let men = rank_of(seen.men[0] >> OWN_FIRST) * theirs + rank_of(seen.men[1]);
        let own = pressed(seen.kings[0], free);
        let left = free & !spread(own, free);
        let rank = (men * kings + rank_of(own)) * their_kings + rank_of(pressed(seen.kings[1], left));
        // Seen by the side with the greater material, or by the other one.
        if pair[0] >= pair[1] { rank } else { rank + sizes(pair).iter().product::<u64>() }
    }

    fn unrank(&self, layer: usize, rank: u64) -> Position {
        let [first, second] = MATERIALS[layer];
        let half: u64 = sizes([first, second]).iter().product();
        let (pair, rank) = if rank < half { ([first, second], rank) } else { ([second, first], rank - half) };
        let [_, theirs, kings, their_kings] = sizes(pair);
        let (rank, other) = (rank / their_kings, rank % their_kings);
        let (rank, own) = (rank / kings, rank % kings);
        let men = [set_of(rank / theirs, pair[0].0) << OWN_FIRST, set_of(rank % theirs, pair[1].0)];
        let free = free(men);
        let own = spread(set_of(own, pair[0].1), free);
        let other = spread(set_of(other, pair[1].1), free & !own);
        Seen { men, kings: [own, other] }.position()
    }

    fn next(&self, board: &Position) -> Position {
        let layer = self.layer(board);
        let rank = self.rank(board) + 1;
        if rank < self.size(layer) { self.unrank(layer, rank) } else { *board }
    }

    fn end(&self, board: &Position) -> Option<i8> {
        let own = board.pieces[board.turn as usize];
        let other = board.pieces[board.turn.other() as usize];
        match () {
            () if !Seen::of(board).is_board() => Some(0),
            () if other == 0 => Some(1),
            () if own == 0 || !board.can_move() => Some(-1),
            () => None,
        }
    }

    fn repetition(&self, _board: &Position) -> i8 {
        0
    }

    fn step(&self, board: &Position, next: Position) -> Step<Position> {
        if self.layer(board) != self.layer(&next) {
            return Step::Down { gain: 0, board: next };
        }
        self.end(&next).map_or(Step::Within(next), |value| Step::End(-value))
    }

    fn steps(&self, board: &Position, mut visit: impl FnMut(Step<Position>)) {
        let mut moves = Vec::new();
        board.moves(&mut moves);
        for mv in moves {
            let mut next = *board;
            next.apply(mv);
            visit(self.step(board, next));
        }
    }

    /// Takes back quiet moves of the side that has moved: men one row, kings a step in any direction. It could not capture.
    fn parents(&self, board: &Position, mut visit: impl FnMut(Position)) {
        if self.end(board).is_some() {
            return;
        }
        let mover = board.turn.other();
        // The moves that lead away from here, as if the pieces moved backwards, and kings anywhere.
        let mut back = Vec::new();
        board.retreats(mover, &mut back);
        for Move { from, to, .. } in back {
            let (here, before) = (1_u64 << from, 1_u64 << to);
            let mut parent = Position { turn: mover, ..*board };
            let pieces = &mut parent.pieces[mover as usize];
            *pieces = *pieces & !here | before;
            if parent.kings & here != 0 {
                parent.kings = parent.kings & !here | before;
            }
            if !parent.can_capture() {
                visit(parent);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::game::Position as _;
    use crate::tablebase::{Monitor, Table};

    fn boards(layer: usize) -> impl Iterator<Item = Position> {
        (0..EnglishLayers.size(layer)).map(move |rank| EnglishLayers.unrank(layer, rank))
    }

    #[test]
    fn boards_are_numbered_without_gaps() {
        let rules = EnglishLayers;
        for layer in 0..=EnglishLayers::last_of(3) {
            for (rank, board) in (0..).zip(boards(layer)) {
                assert_eq!((rules.layer(&board), rules.rank(&board)), (layer, rank), "{board:?}");
            }
        }
        for layer in EnglishLayers::last_of(3) + 1..=rules.top() {
            let size = rules.size(layer);
            for rank in (0..size).step_by(size as usize / 200 + 1) {
                let board = rules.unrank(layer, rank);
                assert_eq!((rules.layer(&board), rules.rank(&board)), (layer, rank), "{board:?}");
                let turned = board.turned();
                assert_eq!((rules.layer(&turned), rules.rank(&turned)), (layer, rank), "{board:?}");
            }
        }
        // 4,960 triples of squares; three kings against two on the 29 that are left; either side to move.
        let kings = EnglishLayers::layer_of([(0, 3), (0, 2)]).unwrap();
        assert_eq!(rules.size(kings), 2 * 4960 * 406);
    }

    #[test]
    fn steps_and_parents_are_inverse() {
        let rules = EnglishLayers;
        for layer in 0..=rules.top() {
            let size = rules.size(layer);
            for rank in (0..size).step_by(size as usize / 300 + 1) {
                let board = rules.unrank(layer, rank);
                if rules.end(&board).is_some() {
                    continue;
                }
                let mut within = 0;
                rules.steps(&board, |step| match step {
                    Step::Within(next) => {
                        within += 1;
                        let mut found = 0;
                        rules.parents(&next, |parent| found += usize::from(rules.rank(&parent) == rank));
                        assert!(found > 0, "{board:?} {next:?}");
                    }
                    Step::Down { board: next, .. } => assert!(rules.layer(&next) < layer, "{board:?} {next:?}"),
                    Step::End(_) => {}
                });
                assert!(within <= 15, "{board:?}");
                rules.parents(&board, |parent| {
                    let mut found = 0;
                    rules.steps(&parent, |step| {
                        found += usize::from(matches!(step, Step::Within(next) if rules.rank(&next) == rank));
                    });
                    assert!(found > 0 && rules.layer(&parent) == layer, "{board:?} {parent:?}");
                });
            }
        }
    }

    /// Another way to the same values: all positions with so few pieces at once, by rounds in which a position is won if a move
    /// leads to a lost one, and lost if all lead to won ones, until nothing changes.
    #[test]
    fn positions_of_two_and_three_pieces_have_the_values_that_rounds_find() {
        let rules = EnglishLayers;
        let top = EnglishLayers::last_of(3);
        let table = Table::in_memory(EnglishLayers, top, 1, &Monitor::default()).unwrap();
        let key = |position: &Position| (rules.layer(position), rules.rank(position));
        let all: Vec<Position> = (0..=top).flat_map(boards).filter(|board| Seen::of(board).is_board()).collect();
        let place: HashMap<(usize, u64), usize> = all.iter().map(key).zip(0..).collect();
        let next: Vec<Vec<usize>> = all
            .iter()
            .map(|board| {
                let mut moves = Vec::new();
                board.generate(&mut moves);
                moves.into_iter().map(|mv| place[&key(&board.after(mv))]).collect()
            })
            .collect();
        let mut values = vec![0_i8; all.len()];
        loop {
            let mut changed = false;
            for number in 0..all.len() {
                if values[number] == 0 {
                    let found = if next[number].iter().any(|&next| values[next] < 0) {
                        1
                    } else if next[number].iter().all(|&next| values[next] > 0) {
                        -1
                    } else {
                        0
                    };
                    changed |= found != 0;
                    values[number] = found;
                }
            }
            if !changed {
                break;
            }
        }
        let mut tally = [0; 3];
        for (board, &value) in all.iter().zip(&values) {
            // A side without an opponent has won already; no game comes there.
            if board.pieces[1] != 0 {
                assert_eq!(
                    table.bounds(board).map(|bounds| (bounds.low, bounds.high)),
                    Some((value, value)),
                    "{board:?}"
                );
                tally[(value + 1) as usize] += 1;
            }
        }
        assert!(tally.iter().all(|&count| count > 1000), "{tally:?}");
        // Two kings beat one, unless it reaches the double corner.
        let value = |board: &str| {
            use crate::game::Notation as _;
            let position = super::super::game(ENGLISH).notation.parse_position(board).unwrap();
            table.bounds(&position).unwrap().low
        };
        assert_eq!((value("W:WK18:BK4"), value("W:WK11,K6:BK3")), (0, 1));
    }
}
