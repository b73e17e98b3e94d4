//! One question: can the attacker force a line? Layer 2.
//!
//! Attacker and defender nodes each look for a move that reaches that side's aim: the attacker's to win within a number of
//! plies, the defender's to prevent it. A line of the defender's ends the game, so its threats count as much as the attacker's.
//!
//! ```text
//!   1  a side completes a line, or must cover one        5  no line can be done in so few plies: the defender holds
//!   2  the table                                         6  two threats at once decide, and leave few replies
//!   3  the open lines, each looked at once                7  moves by the open lines through their cells
//!   4  a pairing: the defender holds
//! ```

use super::super::Parameters;
use super::super::bits::Bits;
use super::super::rules::board;
use super::super::symmetry;
use super::super::threats::completing;
use super::pairing::Groups;
use super::table::Table;
use crate::game::mix64;

/// The most images of a position under reflections.
const IMAGES: usize = 8;
/// Nodes between two calls of `stop`.
const POLL: u64 = 1024;
/// What an open line without stones adds to the rank of its cells, for a line of the attacker and of the defender;
/// every stone doubles it.
const ATTACKED: i32 = 4;
const DEFENDED: i32 = 3;

/// The search was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped;

/// A move with which the side to move reaches its aim, or `None`.
pub(super) type Reached = Result<Option<u8>, Stopped>;

/// The role of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Attacker,
    Defender,
}

impl Role {
    pub(super) fn other(self) -> Role {
        match self {
            Role::Attacker => Role::Defender,
            Role::Defender => Role::Attacker,
        }
    }
}

/// A position with attacker and defender.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// The stones of the attacker and of the defender.
    pub(super) stones: [u64; 2],
    /// The hash of each image.
    hashes: [u64; IMAGES],
}

/// A board of at most 64 bits.
#[derive(Debug)]
pub(super) struct Geometry {
    parameters: Parameters,
    cells: u64,
    /// The first cells of the lines of each direction, in the order of `Parameters::steps`.
    starts: [u64; 4],
    /// The cells of the line that begins on a bit, by direction; none where no line begins.
    lines: [[u64; 64]; 4],
    /// What a stone of either role adds to the hash of each image.
    keys: Box<[[[u64; IMAGES]; 2]; 64]>,
    /// The image of each cell under each symmetry, and the inverse.
    carried: Box<[[u8; 64]; IMAGES]>,
    back: Box<[[u8; 64]; IMAGES]>,
    images: usize,
}

/// The key of a node, equal for all its images, and the image that gave it.
#[derive(Debug, Clone, Copy)]
struct Key {
    key: u64,
    image: usize,
}

/// The bits of a set, lowest first.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(bit)
    })
}

impl Geometry {
    /// # Panics
    /// When the board does not fit 64 bits.
    pub(super) fn new(parameters: Parameters) -> Geometry {
        let cells = board::<1>(parameters).first_word();
        let (mut starts, mut lines) = ([0; 4], [[0; 64]; 4]);
        for (direction, step) in parameters.steps().into_iter().enumerate() {
            for bit in bits(cells) {
                let line = (0..u32::from(parameters.k)).try_fold(0, |line, n| {
                    let at = u32::from(bit) + n * step;
                    (at < 64 && cells >> at & 1 != 0).then(|| line | 1_u64 << at)
                });
                if let Some(line) = line {
                    starts[direction] |= 1 << bit;
                    lines[direction][usize::from(bit)] = line;
                }
            }
        }
        let images = usize::from(symmetry::count(parameters));
        let mut keys = Box::new([[[0; IMAGES]; 2]; 64]);
        let (mut carried, mut back) = (Box::new([[0; 64]; IMAGES]), Box::new([[0; 64]; IMAGES]));
        for bit in bits(cells) {
            for image in 0..images {
                let at = symmetry::image(1 << bit, image as u8, parameters).trailing_zeros();
                carried[image][usize::from(bit)] = at as u8;
                back[image][at as usize] = bit;
                for (stone, keys) in keys[usize::from(bit)].iter_mut().enumerate() {
                    // mix64 mixes small numbers least, so spread them first.
                    keys[image] = mix64((2 * u64::from(at) + stone as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
                }
            }
        }
        Geometry { parameters, cells, starts, lines, keys, carried, back, images }
    }

    pub(super) fn node(&self, [attacker, defender]: [u64; 2]) -> Node {
        let mut node = Node { stones: [0; 2], hashes: [0; IMAGES] };
        for (role, stones) in [(Role::Attacker, attacker), (Role::Defender, defender)] {
            node = bits(stones).fold(node, |node, cell| self.after(&node, role, cell));
        }
        node
    }

    /// The position with one more stone.
    #[inline]
    pub(super) fn after(&self, node: &Node, role: Role, cell: u8) -> Node {
        let mut next = *node;
        next.stones[role as usize] |= 1 << cell;
        for (hash, key) in next.hashes.iter_mut().zip(&self.keys[usize::from(cell)][role as usize]) {
            *hash ^= key;
        }
        next
    }

    #[inline]
    pub(super) fn empty(&self, node: &Node) -> u64 {
        self.cells & !node.stones[0] & !node.stones[1]
    }

    /// The empty cells on which a stone completes a line of that side.
    #[inline]
    pub(super) fn completing(&self, node: &Node, role: Role) -> u64 {
        let stones = Bits::<1>::of(node.stones[role as usize]);
        completing(stones, Bits::of(self.empty(node)), self.parameters).first_word()
    }

    /// The first cells of the lines of a direction that are open to that side.
    #[inline]
    fn open(&self, node: &Node, role: Role, direction: usize) -> u64 {
        let step = self.parameters.steps()[direction];
        let (own, mut others) = (node.stones[role as usize], node.stones[1 - role as usize]);
        let mut open = self.starts[direction];
        let mut ahead = own;
        for _ in 0..self.parameters.k {
            open &= !others;
            others >>= step;
            ahead >>= step;
        }
        // A stone of its own at either end would make the line too long.
        if self.parameters.exact { open & !ahead & !(own << step) } else { open }
    }

    /// Whether the defender holds by a pairing strategy; see `pairing`.
    fn has_pairing(&self, node: &Node) -> bool {
        let empty = self.empty(node);
        let mut groups = Groups::default();
        for (direction, step) in self.parameters.steps().into_iter().enumerate() {
            let open = self.open(node, Role::Attacker, direction);
            for first in bits(open & !(open << step)) {
                // Consecutive lines, as long as they share two cells.
                let mut shared = u64::MAX;
                let mut at = u32::from(first);
                while at < 64 && open >> at & 1 != 0 {
                    let line = self.lines[direction][at as usize] & empty;
                    if line.count_ones() < 2 {
                        return false;
                    }
                    if (shared & line).count_ones() >= 2 {
                        shared &= line;
                    } else if groups.push(shared) {
                        shared = line;
                    } else {
                        return false;
                    }
                    at += step;
                }
                if !groups.push(shared) {
                    return false;
                }
            }
        }
        groups.have_pairs()
    }

    /// What the open lines show, with the side to move first.
    fn survey(&self, node: &Node) -> Survey {
        let empty = self.empty(node);
        let mut survey = Survey { ranks: [0; 64], live: 0, fewest: u32::MAX, partners: [0; 64], fours: 0 };
        for direction in 0..4 {
            for (role, weight) in [(Role::Attacker, ATTACKED), (Role::Defender, DEFENDED)] {
                for first in bits(self.open(node, role, direction)) {
                    let free = self.lines[direction][usize::from(first)] & empty;
                    let missing = free.count_ones();
                    survey.live |= free;
                    for cell in bits(free) {
                        survey.ranks[usize::from(cell)] += weight << (u32::from(self.parameters.k) - missing);
                    }
                    if role == Role::Attacker {
                        survey.fewest = survey.fewest.min(missing);
                    }
                    if missing == 2 {
                        match role {
                            Role::Attacker => survey.pair(free),
                            Role::Defender => survey.fours |= free,
                        }
                    }
                }
            }
        }
        if self.parameters.exact {
            // A stone may block a line of its own side, so moves without effect are candidates, too.
            survey.live = empty;
        }
        survey
    }

    fn key(&self, node: &Node, role: Role, left: u32) -> Key {
        let (mut least, mut image) = (node.hashes[0], 0);
        for (other, &hash) in node.hashes[..self.images].iter().enumerate().skip(1) {
            if hash < least {
                (least, image) = (hash, other);
            }
        }
        // Numbers different from those of the stones.
        let asked = mix64(u64::from(2 * left + role as u32 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        Key { key: least ^ asked, image }
    }
}

/// What the open lines show if neither side can complete one.
struct Survey {
    /// The value of the lines through each cell.
    ranks: [i32; 64],
    /// The cells on open lines.
    live: u64,
    /// The fewest empty cells of a line of the attacker; very large without a line.
    fewest: u32,
    /// For each cell, the cells that complete a line of the attacker after a stone there.
    partners: [u64; 64],
    /// The cells where a stone of the defender leaves one of its lines one stone short.
    fours: u64,
}

impl Survey {
    /// Records a line of the attacker that lacks exactly these two cells.
    fn pair(&mut self, free: u64) {
        for cell in bits(free) {
            self.partners[usize::from(cell)] |= free & !(1 << cell);
        }
    }

    /// The cells where a stone of the attacker leaves two lines one stone short, on different cells.
    fn doubles(&self) -> impl Iterator<Item = u8> {
        bits(self.live).filter(|&cell| self.partners[usize::from(cell)].count_ones() > 1)
    }

    /// The defender's replies that can still hold: the cell of a double threat, either of its ends, or fours of its
    /// own.
    fn replies(&self) -> u64 {
        self.doubles().fold(self.live, |replies, cell| {
            let ends = self.partners[usize::from(cell)];
            let ends = if ends.count_ones() == 2 { ends } else { 0 };
            replies & (1 << cell | ends | self.fours)
        })
    }
}

/// The search.
pub(super) struct Search<'a> {
    pub(super) geometry: &'a Geometry,
    pub(super) table: &'a mut Table,
    pub(super) stop: &'a dyn Fn(u64) -> bool,
    /// Positions visited.
    pub(super) nodes: u64,
    /// The nodes already reported to `stop`.
    pub(super) told: u64,
    /// The search stops after about this many nodes.
    pub(super) limit: u64,
    /// Whether `stop` returned `true`.
    pub(super) is_stopped: bool,
}

impl Search<'_> {
    /// The table's entry of a node, with the move mapped to this image.
    fn known(&self, Key { key, image }: Key) -> Option<Option<u8>> {
        let known = self.table.get(key)?;
        Some(known.map(|cell| self.geometry.back[image][usize::from(cell)]))
    }

    fn keep(&mut self, Key { key, image }: Key, reached: Option<u8>, nodes: u64) {
        let reached = reached.map(|cell| self.geometry.carried[image][usize::from(cell)]);
        self.table.put(key, reached, nodes);
    }

    /// A move with which the side to move reaches its aim: the attacker completes a line within `left` plies, or the
    /// defender prevents that. If `left` is at least the number of empty cells, it is no limit.
    pub(super) fn reach(&mut self, node: &Node, role: Role, left: u32) -> Reached {
        self.nodes += 1;
        if self.nodes - self.told >= POLL {
            self.is_stopped |= (self.stop)(self.nodes - self.told);
            self.told = self.nodes;
            if self.is_stopped || self.nodes >= self.limit {
                return Err(Stopped);
            }
        }
        let empty = self.geometry.empty(node);
        let left = left.min(empty.count_ones());
        let any = if empty == 0 { 0 } else { empty.trailing_zeros() as u8 };
        let holds = |cell: u8| Ok((role == Role::Defender).then_some(cell));
        if left == 0 {
            return holds(any);
        }
        // 1. Lines about to be completed.
        let other = role.other();
        let wins = self.geometry.completing(node, role);
        if wins != 0 {
            return Ok(Some(wins.trailing_zeros() as u8));
        }
        let must = self.geometry.completing(node, other);
        if must.count_ones() > 1 && (role == Role::Attacker || left > 1) {
            return Ok(None);
        }
        if must != 0 {
            let cell = must.trailing_zeros() as u8;
            if role == Role::Attacker && self.geometry.has_pairing(node) {
                return Ok(None);
            }
            let next = self.geometry.after(node, role, cell);
            return Ok(self.reach(&next, other, left - 1)?.is_none().then_some(cell));
        }
        // 2. The table. A side that cannot win at all cannot win within fewer plies.
        let key = self.geometry.key(node, role, left);
        if let Some(known) = self.known(key) {
            return Ok(known);
        }
        let unlimited = empty.count_ones();
        if left < unlimited
            && let Some(known) = self.known(self.geometry.key(node, role, unlimited))
            && known.is_some() == (role == Role::Defender)
        {
            return Ok(known);
        }
        let before = self.nodes;
        // 3. and 4.
        if self.geometry.has_pairing(node) {
            return holds(any);
        }
        let survey = self.geometry.survey(node);
        // 5. Each empty cell of a line takes one ply of the attacker, with one of the defender between.
        let least = survey.fewest.saturating_mul(2).saturating_sub(u32::from(role == Role::Attacker));
        if least > left {
            return holds(any);
        }
        // 6. Two threats at once.
        let mut moves = survey.live;
        if role == Role::Defender {
            moves = survey.replies();
        } else if let Some(cell) = survey.doubles().next() {
            return Ok(Some(cell));
        }
        // 7. The moves.
        let mut order = [(0, 0); 64];
        let mut count = 0;
        for cell in bits(moves) {
            order[count] = (-survey.ranks[usize::from(cell)], cell);
            count += 1;
        }
        order[..count].sort_unstable();
        let mut reached = None;
        for &(_, cell) in &order[..count] {
            let next = self.geometry.after(node, role, cell);
            if self.reach(&next, other, left - 1)?.is_none() {
                reached = Some(cell);
                break;
            }
        }
        self.keep(key, reached, self.nodes - before);
        Ok(reached)
    }
}
