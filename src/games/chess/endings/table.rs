//! The distance to mate in every board of a material, found backwards from the mates. Layer 2.
//!
//! A value is a byte: 0 for a draw, else the plies to the mate plus 1. An even number of plies is a loss for the side to move, an
//! odd one a win. The rule of fifty moves is not part of it; who looks a value up compares the plies with the count.
//!
//! Boards are settled in the order of their distance (retrograde analysis): a board from which a lost one can be reached is won a
//! ply later; one from which only won ones can be reached is lost a ply after the last of them. Captures and promotions lead to
//! smaller materials, whose tables are finished.
//! CITE: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986.

use std::sync::Arc;

use cozy_chess::{BitBoard, Color, Piece, Rank, Square};

use super::material::{MOST, Material, Placed, attacks};

/// A board that cannot be, or for which another one stands.
const NONE: u8 = u8::MAX;
/// A board from which a draw by a capture or a promotion can be reached: never lost.
const NEVER_LOST: u8 = u8::MAX;

/// The values of a material.
#[derive(Debug)]
pub(super) struct Table {
    material: Material,
    values: Vec<u8>,
}

/// The result of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    Draw,
    /// The side to move mates in this many plies.
    Win(u32),
    /// The side to move is mated in this many plies.
    Loss(u32),
}

impl Value {
    fn of(byte: u8) -> Value {
        match byte.checked_sub(1).map(u32::from) {
            None => Value::Draw,
            Some(plies) if plies % 2 == 0 => Value::Loss(plies),
            Some(plies) => Value::Win(plies),
        }
    }
}

/// The tables that a table is built on.
pub(super) trait Below {
    /// The value of a board of a smaller material; `None` if its table is missing.
    fn value(&self, material: Material, placed: &Placed) -> Option<Value>;
}

/// The materials that captures and promotions lead to.
pub(super) fn below(material: Material) -> Vec<Material> {
    let pieces: Vec<(Color, Piece)> = material.pieces().collect();
    let mut found = Vec::new();
    let mut add = |pieces: &[(Color, Piece)]| {
        if let Some((material, _)) = Material::new(pieces.iter().copied())
            && !material.is_dead()
            && !found.contains(&material)
        {
            found.push(material);
        }
    };
    for at in 0..pieces.len() {
        let mut fewer = pieces.clone();
        fewer.remove(at);
        add(&fewer);
        if pieces[at].1 == Piece::Pawn {
            for becomes in PROMOTIONS {
                let mut promoted = pieces.clone();
                promoted[at].1 = becomes;
                add(&promoted);
                for other in (0..promoted.len()).filter(|&other| other != at) {
                    let mut fewer = promoted.clone();
                    fewer.remove(other);
                    add(&fewer);
                }
            }
        }
    }
    found
}

const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// A move on a board: to another one of the same material, or to the value of one of another material for its side to move.
enum Step {
    Within(Placed),
    Beyond(Value),
}

/// The legal moves of a board.
fn steps(material: Material, placed: &Placed, tables: &impl Below, mut visit: impl FnMut(Step)) -> Option<()> {
    let turn = placed.turn;
    let occupied = placed.occupied(material, None);
    let square_of = |at: usize| placed.pieces[at];
    let victim_on =
        |square: Square| material.pieces().enumerate().position(|(at, (of, _))| of != turn && square_of(at) == square);
    let own = material
        .pieces()
        .enumerate()
        .filter(|(_, (of, _))| *of == turn)
        .fold(placed.kings[turn as usize].bitboard(), |all, (at, _)| all | square_of(at).bitboard());
    // The value after a move that changes the material.
    let beyond = |next: &Placed, without: Option<usize>, promoted: Option<(usize, Piece)>| -> Option<Option<Value>> {
        if next.is_attacked(material, turn, without) {
            return Some(None);
        }
        let mut pieces = Vec::with_capacity(MOST);
        for (at, (of, piece)) in material.pieces().enumerate().filter(|(at, _)| without != Some(*at)) {
            let piece = promoted.filter(|(promoted, _)| *promoted == at).map_or(piece, |(_, becomes)| becomes);
            pieces.push((of, piece, next.pieces[at]));
        }
        value_of(&pieces, next.kings, next.turn, tables).map(Some)
    };
    let passed = Placed { turn: !turn, passant: false, ..*placed };
    // The king.
    let king = placed.kings[turn as usize];
    for to in attacks(turn, Piece::King, king, occupied) & !own {
        let mut next = passed;
        next.kings[turn as usize] = to;
        match victim_on(to) {
            Some(gone) => {
                if let Some(value) = beyond(&next, Some(gone), None)? {
                    visit(Step::Beyond(value));
                }
            }
            None if !next.is_attacked(material, turn, None) => visit(Step::Within(next)),
            None => {}
        }
    }
    for (at, (_, piece)) in material.pieces().enumerate().filter(|(_, (of, _))| *of == turn) {
        let from = square_of(at);
        let moved = |to| {
            let mut next = passed;
            next.pieces[at] = to;
            next
        };
        let enemies = occupied & !own & !placed.kings[!turn as usize].bitboard();
        let targets = match piece {
            Piece::Pawn => attacks(turn, piece, from, occupied) & enemies,
            _ => attacks(turn, piece, from, occupied) & !own & !placed.kings[!turn as usize].bitboard(),
        };
        let pushes = if piece == Piece::Pawn { pushes(turn, from, occupied) } else { BitBoard::EMPTY };
        for to in targets | pushes {
            let next = moved(to);
            let gone = victim_on(to);
            if piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(turn) {
                for becomes in PROMOTIONS {
                    if let Some(value) = beyond(&next, gone, Some((at, becomes)))? {
                        visit(Step::Beyond(value));
                    }
                }
            } else if gone.is_some() {
                if let Some(value) = beyond(&next, gone, None)? {
                    visit(Step::Beyond(value));
                }
            } else if !next.is_attacked(material, turn, None) {
                let is_double = piece == Piece::Pawn && (to as usize).abs_diff(from as usize) == 16;
                let passant = is_double && material.has_passants() && next.has_passed(material);
                visit(Step::Within(Placed { passant, ..next }));
            }
        }
    }
    // En passant.
    if placed.passant {
        let (own, other) = (turn as usize, !turn as usize);
        let mut next = passed;
        next.pieces[own] = Square::new(placed.pieces[other].file(), Rank::Sixth.relative_to(turn));
        if let Some(value) = beyond(&next, Some(other), None)? {
            visit(Step::Beyond(value));
        }
    }
    Some(())
}

/// The squares that a pawn may go to without taking.
fn pushes(color: Color, from: Square, occupied: BitBoard) -> BitBoard {
    let ahead = |square: Square| square.try_offset(0, if color == Color::White { 1 } else { -1 });
    let Some(one) = ahead(from).filter(|&one| !occupied.has(one)) else { return BitBoard::EMPTY };
    let two = ahead(one).filter(|&two| from.rank() == Rank::Second.relative_to(color) && !occupied.has(two));
    two.map_or(one.bitboard(), |two| one.bitboard() | two.bitboard())
}

/// The value of a board of any material, by its pieces and squares.
fn value_of(pieces: &[(Color, Piece, Square)], kings: [Square; 2], turn: Color, tables: &impl Below) -> Option<Value> {
    let Some((material, is_swapped)) = Material::new(pieces.iter().map(|&(color, piece, _)| (color, piece))) else {
        return Some(Value::Draw);
    };
    if material.is_dead() {
        return Some(Value::Draw);
    }
    let seen = |square: Square| if is_swapped { Square::index(square as usize ^ 56) } else { square };
    let mut left: Vec<(Color, Piece, Square)> = pieces.to_vec();
    let mut squares = [Square::A1; MOST];
    for (slot, (color, piece)) in squares.iter_mut().zip(material.pieces()) {
        let color = if is_swapped { !color } else { color };
        let at = left.iter().position(|&(of, kind, _)| (of, kind) == (color, piece))?;
        *slot = seen(left.swap_remove(at).2);
    }
    let kings = if is_swapped { [kings[1], kings[0]] } else { kings }.map(seen);
    let turn = if is_swapped { !turn } else { turn };
    tables.value(material, &Placed { turn, kings, pieces: squares, passant: false })
}

/// A table being built.
struct Build<'t, T> {
    material: Material,
    tables: &'t T,
    values: Vec<u8>,
    /// The boards within the material that can be reached and are not known to be won, for each board.
    open: Vec<u8>,
    /// The boards to be settled, by their plies.
    due: Vec<Vec<u32>>,
    /// A buffer for the boards around one.
    near: Vec<usize>,
}

impl Table {
    /// Builds the table of a material on those below. `None` if one of them is missing, there is no memory, or `is_stopped`.
    pub(super) fn build(material: Material, tables: &impl Below, is_stopped: &dyn Fn() -> bool) -> Option<Table> {
        let size = material.size();
        let bytes = || {
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(size).ok()?;
            bytes.resize(size, 0);
            Some(bytes)
        };
        let mut build = Build { material, tables, values: bytes()?, open: bytes()?, due: Vec::new(), near: Vec::new() };
        for index in 0..size {
            if index % (1 << 12) == 0 && is_stopped() {
                return None;
            }
            build.begin(index)?;
        }
        let mut plies = 0;
        while plies < build.due.len() {
            for index in std::mem::take(&mut build.due[plies]) {
                build.settle(index as usize, plies)?;
            }
            if is_stopped() {
                return None;
            }
            plies += 1;
        }
        Some(Table { material, values: build.values })
    }

    /// The value of a board of this material.
    pub(super) fn value(&self, placed: &Placed) -> Value {
        // A board that cannot be has no value to be wrong about.
        Value::of(self.values.get(self.material.index(placed)).copied().filter(|&value| value != NONE).unwrap_or(0))
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.len()
    }

    /// The boards, with their values.
    #[cfg(test)]
    pub(super) fn boards(&self) -> impl Iterator<Item = (Placed, Value)> {
        let known = self.values.iter().enumerate().filter(|(_, value)| **value != NONE);
        known.map(|(index, &value)| (self.material.board(index), Value::of(value)))
    }
}

impl<T: Below> Build<'_, T> {
    fn is_due(&mut self, index: usize, plies: u32) {
        let plies = plies as usize;
        if self.due.len() <= plies {
            self.due.resize_with(plies + 1, Vec::new);
        }
        self.due[plies].push(index as u32);
    }

    /// Looks at a board for the first time: whether it can be, its moves, and what moves that change the material say.
    fn begin(&mut self, index: usize) -> Option<()> {
        let material = self.material;
        let placed = material.board(index);
        if !placed.is_legal(material) || material.index(&placed) != index {
            self.values[index] = NONE;
            return Some(());
        }
        // A side whose opponent has a bare king never loses, and without pawns its moves say nothing yet.
        let is_safe = placed.turn == Color::White && material.pieces().all(|(of, _)| of == Color::White);
        if is_safe && !material.has_pawns() {
            self.open[index] = NEVER_LOST;
            return Some(());
        }
        let mut within = std::mem::take(&mut self.near);
        within.clear();
        let (mut shortest, mut longest, mut is_drawn, mut moves) = (None::<u32>, 0, false, 0);
        steps(material, &placed, self.tables, |step| {
            moves += 1;
            match step {
                Step::Within(next) => within.push(material.index(&next)),
                Step::Beyond(Value::Draw) => is_drawn = true,
                Step::Beyond(Value::Loss(plies)) => shortest = Some(shortest.map_or(plies, |least| least.min(plies))),
                Step::Beyond(Value::Win(plies)) => longest = longest.max(plies),
            }
        })?;
        within.sort_unstable();
        within.dedup();
        self.open[index] = if is_drawn || shortest.is_some() { NEVER_LOST } else { within.len() as u8 };
        if let Some(plies) = shortest {
            self.is_due(index, plies + 1);
        } else if moves == 0 {
            if placed.is_attacked(material, placed.turn, None) {
                self.is_due(index, 0);
            }
        } else if within.is_empty() && !is_drawn {
            self.is_due(index, longest + 1);
        }
        self.near = within;
        Some(())
    }

    /// The plies after which the last capture or promotion of a lost board loses.
    fn longest_beyond(&self, placed: &Placed) -> Option<u32> {
        let mut longest = 0;
        steps(self.material, placed, self.tables, |step| {
            if let Step::Beyond(Value::Win(plies)) = step {
                longest = longest.max(plies + 1);
            }
        })?;
        Some(longest)
    }

    /// Settles a board, unless a shorter way was found before, and what follows for the boards before it.
    fn settle(&mut self, index: usize, plies: usize) -> Option<()> {
        if self.values[index] != 0 {
            return Some(());
        }
        self.values[index] = u8::try_from(plies + 1).ok().filter(|&value| value != NONE)?;
        let is_lost = plies.is_multiple_of(2);
        let mut before = std::mem::take(&mut self.near);
        before.clear();
        let (material, placed) = (self.material, self.material.board(index));
        steps_back(material, &placed, |earlier| before.push(material.index(&earlier)));
        before.sort_unstable();
        before.dedup();
        for &earlier in &before {
            if self.values[earlier] != 0 {
                continue;
            }
            if is_lost {
                self.is_due(earlier, plies as u32 + 1);
            } else if self.open[earlier] != NEVER_LOST {
                self.open[earlier] -= 1;
                if self.open[earlier] == 0 {
                    let beyond = self.longest_beyond(&material.board(earlier))?;
                    self.is_due(earlier, beyond.max(plies as u32 + 1));
                }
            }
        }
        self.near = before;
        Some(())
    }
}

/// The boards of the same material from which a move leads to this one, illegal ones among them.
fn steps_back(material: Material, placed: &Placed, mut visit: impl FnMut(Placed)) {
    let mover = !placed.turn;
    let occupied = placed.occupied(material, None);
    let before = Placed { turn: mover, passant: false, ..*placed };
    let mut both = |earlier: Placed| {
        visit(earlier);
        if material.has_passants() {
            // The same board may have come about by a double step of the other pawn.
            visit(Placed { passant: true, ..earlier });
        }
    };
    if placed.passant {
        // Only the double step leads here.
        let at = mover as usize;
        let mut earlier = before;
        earlier.pieces[at] = Square::new(placed.pieces[at].file(), Rank::Second.relative_to(mover));
        both(earlier);
        return;
    }
    for from in attacks(mover, Piece::King, placed.kings[mover as usize], occupied) & !occupied {
        let mut earlier = before;
        earlier.kings[mover as usize] = from;
        both(earlier);
    }
    for (at, (_, piece)) in material.pieces().enumerate().filter(|(_, (of, _))| *of == mover) {
        let to = placed.pieces[at];
        let mut back = |from| {
            let mut earlier = before;
            earlier.pieces[at] = from;
            both(earlier);
        };
        if piece != Piece::Pawn {
            (attacks(mover, piece, to, occupied) & !occupied).into_iter().for_each(back);
            continue;
        }
        let behind = |square: Square| square.try_offset(0, if mover == Color::White { -1 } else { 1 });
        let Some(one) = behind(to).filter(|&one| !occupied.has(one) && one.rank() != Rank::First.relative_to(mover))
        else {
            continue;
        };
        back(one);
        let is_double = to.rank() == Rank::Fourth.relative_to(mover);
        // A double step past an enemy pawn leads to the board with the right to take it.
        let passes = material.has_passants() && placed.has_passed(material);
        if let Some(two) = behind(one).filter(|&two| is_double && !passes && !occupied.has(two)) {
            back(two);
        }
    }
}

/// A set of tables, the smaller ones first.
#[derive(Debug, Default, Clone)]
pub(super) struct Tables(Vec<Arc<Table>>);

impl Tables {
    pub(super) fn push(&mut self, table: Arc<Table>) {
        self.0.push(table);
    }

    #[cfg(test)]
    pub(super) fn of(&self, material: Material) -> Option<Arc<Table>> {
        self.0.iter().find(|table| table.material == material).cloned()
    }

    #[cfg(test)]
    pub(super) fn has(&self, material: Material) -> bool {
        self.of(material).is_some()
    }
}

impl Below for Tables {
    fn value(&self, material: Material, placed: &Placed) -> Option<Value> {
        Some(self.0.iter().find(|table| table.material == material)?.value(placed))
    }
}
