//! Static evaluation of Othello: a weighted sum of what both sides have; the weights change as the board fills. Floor 2.
//!
//! Unit: a hundredth of a disc of the final balance, for the side to move. Each feature is the side to move's less the
//! opponent's. The weights are fitted at [`PHASES`] numbers of discs and run straight from one to the next.
//! CITE: P. Rosenbloom, "A World-Championship-Level Othello Program", 1982 (mobility, potential mobility, stability).

use super::ending;
use super::flips::moves;
use super::rules::{Position, neighbours};
use super::weights::FITTED;
use crate::game::{self, Position as _, StaticKnowledge};
use crate::score::Score;

/// The number of features.
pub const FEATURES: usize = 16;
/// The numbers of discs that have weights of their own: 4, 14, ... 64.
pub const PHASES: usize = 7;
/// Discs from one phase to the next.
const PHASE_DISCS: usize = 10;

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// Beside a corner on the edge.
const C_CELLS: u64 = 0x4281_0000_0000_8142;
const A_CELLS: u64 = 0x2400_8100_0081_0024;
const B_CELLS: u64 = 0x1800_0081_8100_0018;
/// The sixteen cells in the middle.
const CENTRE: u64 = 0x0000_3C3C_3C3C_0000;

/// With so many empty cells or fewer, and from this depth on, moves are ordered by the replies they leave.
const ENDING: u32 = 22;
const COUNTED: u32 = 3;

/// See [`Expertise::futility_margin`](crate::game::Expertise::futility_margin).
const MARGIN: i32 = 130;

/// What a reply less, a corner, and a quadrant with an odd number of empty cells count there.
const REPLY: i32 = 4;
const CORNER_FIRST: i32 = 12;
const ODD_FIRST: i32 = 3;

/// Positions with so many empty cells or fewer are valued by their end.
const KNOWN: u32 = 4;

/// What each feature counts for at each phase, in hundredths of a disc.
pub type Weights = [[i32; FEATURES]; PHASES];

/// The weighted sum of [`features`], in hundredths of a disc of the final balance.
///
/// [`game::Evaluate::material`] is the balance of discs, which in a running game says little of the final one.
#[derive(Debug, Clone)]
pub struct Evaluate {
    /// The weights for each number of discs.
    by_discs: Box<[[i32; FEATURES]; 65]>,
}

impl Default for Evaluate {
    fn default() -> Evaluate {
        Evaluate::new(&FITTED)
    }
}

impl Evaluate {
    /// An evaluation with weights of one's own.
    #[must_use]
    pub fn new(weights: &Weights) -> Evaluate {
        let mut by_discs = Box::new([[0; FEATURES]; 65]);
        for (discs, row) in by_discs.iter_mut().enumerate() {
            let (phase, share) = share(discs);
            for (feature, weight) in row.iter_mut().enumerate() {
                let next = weights[(phase + 1).min(PHASES - 1)][feature];
                let mix = f64::from(weights[phase][feature]) * (1.0 - share) + f64::from(next) * share;
                *weight = mix.round() as i32;
            }
        }
        Evaluate { by_discs }
    }
}

/// The phase that so many discs have reached, and the share of the next one in their weights, from 0 to 1.
#[must_use]
pub fn share(discs: usize) -> (usize, f64) {
    let beyond = discs.saturating_sub(4);
    let phase = (beyond / PHASE_DISCS).min(PHASES - 1);
    (phase, (beyond - phase * PHASE_DISCS) as f64 / PHASE_DISCS as f64)
}

/// What the evaluation sees, in the order of the weights: mobility; mobility as a share, in sixteenths; having no move; empty
/// cells beside the opponent's discs; discs beside empty cells; corners; corners that can be played; X and C cells beside
/// empty corners; A cells; B cells; stable discs; discs in the centre; discs; then, not as differences, who has the last move
/// (1 if the side to move, when nobody passes, else -1), and 1.
#[must_use]
#[inline]
pub fn features(position: &Position) -> [i32; FEATURES] {
    let side = position.side_to_move();
    let (mine, theirs) = (position.discs(side), position.discs(side.other()));
    let (my_moves, their_moves) = (position.moves(), moves(theirs, mine));
    let empty = position.empty();
    let count = |cells: u64| cells.count_ones() as i32;
    let difference = |cells: u64| count(mine & cells) - count(theirs & cells);

    let (mobility, replies) = (count(my_moves), count(their_moves));
    let beside_empty = neighbours(empty);
    let open_corners = CORNERS & empty;
    // X cells lie one step from their corner on the diagonal, C cells one step on the edge.
    let open_x = open_corners << 9 & 0x0000_0000_0000_0200
        | open_corners << 7 & 0x0000_0000_0000_4000
        | open_corners >> 7 & 0x0002_0000_0000_0000
        | open_corners >> 9 & 0x0040_0000_0000_0000;
    let open_c = neighbours(open_corners) & C_CELLS;
    let stable =
        if (mine | theirs) & CORNERS == 0 { 0 } else { count(stable(mine, theirs)) - count(stable(theirs, mine)) };
    [
        mobility - replies,
        16 * (mobility - replies) / (mobility + replies + 2),
        i32::from(replies == 0) - i32::from(mobility == 0),
        count(neighbours(theirs) & empty) - count(neighbours(mine) & empty),
        difference(beside_empty),
        difference(CORNERS),
        count(my_moves & CORNERS) - count(their_moves & CORNERS),
        difference(open_x),
        difference(open_c),
        difference(A_CELLS),
        difference(B_CELLS),
        stable,
        difference(CENTRE),
        difference(u64::MAX),
        2 * (count(empty) % 2) - 1,
        1,
    ]
}

/// The discs of `mine` that can surely never be turned: in each of the four directions their line is full, or the cell on one
/// side is the edge or such a disc. There may be more.
#[inline]
pub(super) fn stable(mine: u64, theirs: u64) -> u64 {
    const EDGES: [u64; 4] =
        [0x8181_8181_8181_8181, 0xFF00_0000_0000_00FF, 0xFF81_8181_8181_81FF, 0xFF81_8181_8181_81FF];
    const STEPS: [u32; 4] = [1, 8, 7, 9];
    let filled = mine | theirs;
    let full = [full_rows(filled), full_columns(filled), full_diagonals(filled, 7), full_diagonals(filled, 9)];
    let mut stable = 0;
    loop {
        let mut next = mine;
        for direction in 0..4 {
            let step = STEPS[direction];
            // A step round an edge comes to the edge opposite, which is safe in that direction anyway.
            next &= full[direction] | EDGES[direction] | stable << step | stable >> step;
        }
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

fn full_rows(filled: u64) -> u64 {
    let pairs = filled & filled >> 1;
    let fours = pairs & pairs >> 2;
    (fours & fours >> 4 & 0x0101_0101_0101_0101) * 0xFF
}

fn full_columns(filled: u64) -> u64 {
    let halves = filled & filled.rotate_left(32);
    let quarters = halves & halves.rotate_left(16);
    quarters & quarters.rotate_left(8)
}

/// The cells on whose diagonal, in steps of 7 or 9, no cell is empty.
fn full_diagonals(filled: u64, step: u32) -> u64 {
    // Columns that a walk of one, two and four steps may come to; the other way round for the other direction.
    let masks: [u64; 3] = if step == 9 {
        [0xFEFE_FEFE_FEFE_FEFE, 0xFCFC_FCFC_FCFC_FCFC, 0xF0F0_F0F0_F0F0_F0F0]
    } else {
        [0x7F7F_7F7F_7F7F_7F7F, 0x3F3F_3F3F_3F3F_3F3F, 0x0F0F_0F0F_0F0F_0F0F]
    };
    let (mut up, mut down) = (!filled, !filled);
    for (i, mask) in masks.into_iter().enumerate() {
        let far = step << i;
        up |= up << far & mask;
        down |= (down & mask) >> far;
    }
    !(up | down)
}

impl game::Evaluate<Position> for Evaluate {
    fn evaluate(&self, position: &Position) -> Score {
        if position.empty().count_ones() <= KNOWN {
            return ending::value(position);
        }
        let weights = &self.by_discs[64 - position.empty().count_ones() as usize];
        let sum = features(position).iter().zip(weights).map(|(feature, weight)| feature * weight).sum();
        Score::units(sum)
    }

    /// Moves into a corner.
    fn is_noisy(&self, _position: &Position, mv: u8) -> bool {
        matches!(mv, 0 | 7 | 56 | 63)
    }

    fn material(&self, position: &Position) -> i32 {
        100 * position.balance()
    }
}

impl game::Expertise<Position> for Evaluate {
    type State = ();

    /// Towards the end those that leave the opponent the fewest replies first, and among equals those into a quadrant that is to
    /// be filled last by who begins there. Earlier, and in trees so small that counting costs more than it saves, the noisy ones.
    #[inline]
    fn score_moves(&self, position: &Position, depth: u32, moves: &[u8], scores: &mut [i32]) {
        let counted = depth >= COUNTED && position.empty().count_ones() <= ENDING;
        let odd = if counted { position.odd_quadrants() } else { 0 };
        for (score, &mv) in scores.iter_mut().zip(moves) {
            *score = if counted {
                // A pass stands alone, and lies beside the board.
                let is_odd = i32::from(odd.checked_shr(mv.into()).is_some_and(|odd| odd & 1 != 0));
                let is_noisy = i32::from(game::Evaluate::is_noisy(self, position, mv));
                1 + CORNER_FIRST * is_noisy + ODD_FIRST * is_odd + REPLY * (64 - position.replies_after(mv) as i32)
            } else {
                game::Evaluate::is_noisy(self, position, mv).into()
            };
        }
    }

    /// Chosen by matches.
    fn futility_margin(&self) -> Option<i32> {
        Some(MARGIN)
    }

    /// Endings are solved at once.
    #[inline]
    fn static_knowledge(&self, position: &Position, depth: u32, alpha: Score, beta: Score) -> Option<StaticKnowledge> {
        // The fewer the cells, the likelier it is that the depth suffices.
        let empty = position.empty().count_ones();
        let within_reach = empty <= ending::LAST && empty <= depth + KNOWN;
        if within_reach { ending::static_knowledge(position, depth, KNOWN, alpha, beta) } else { None }
    }

    #[inline]
    fn static_knowledge_by_material(
        &self,
        position: &Position,
        depth: u32,
        alpha: Score,
        beta: Score,
    ) -> Option<StaticKnowledge> {
        let empty = position.empty().count_ones();
        let within_reach = empty <= ending::LAST && empty <= depth;
        if within_reach { ending::static_knowledge(position, depth, 0, alpha, beta) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Notation;
    use super::super::rules::random_positions;
    use super::*;
    use crate::game::{Evaluate as _, Expertise as _, Mixer, Notation as _, Side};

    fn read(text: &str) -> Position {
        Notation.parse_position(text).unwrap()
    }

    /// The discs that are safe by the same rule, found cell by cell.
    fn plainly_stable(mine: u64, theirs: u64) -> u64 {
        let on_board = |col: i32, row: i32| (0..8).contains(&col) && (0..8).contains(&row);
        let has = |set: u64, col: i32, row: i32| on_board(col, row) && set >> (8 * row + col) & 1 != 0;
        let mut stable = 0;
        loop {
            let mut next = 0;
            for (col, row) in (0..8).flat_map(|row| (0..8).map(move |col| (col, row))) {
                let safe = [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().all(|(dc, dr)| {
                    let held = |sign: i32| {
                        let (c, r) = (col + sign * dc, row + sign * dr);
                        !on_board(c, r) || has(stable, c, r)
                    };
                    let full = (-7..=7)
                        .map(|i| (col + i * dc, row + i * dr))
                        .all(|(c, r)| !on_board(c, r) || has(mine | theirs, c, r));
                    full || held(1) || held(-1)
                });
                next |= u64::from(safe && has(mine, col, row)) << (8 * row + col);
            }
            if next == stable {
                return stable;
            }
            stable = next;
        }
    }

    #[test]
    fn stable_discs_are_those_found_cell_by_cell() {
        let mut found = 0;
        random_positions(60, |position| {
            for side in [Side::First, Side::Second] {
                let (mine, theirs) = (position.discs(side), position.discs(side.other()));
                let expected = plainly_stable(mine, theirs);
                assert_eq!(stable(mine, theirs), expected, "{mine:x} {theirs:x}");
                found += expected.count_ones();
            }
        });
        assert!(found > 3000, "{found}");
    }

    #[test]
    fn a_stable_disc_is_never_turned() {
        let mut rng = Mixer::new(3);
        random_positions(20, |position| {
            let side = position.side_to_move();
            let sure = stable(position.discs(side), position.discs(side.other()));
            let mut later = *position;
            while later.outcome().is_none() {
                let mut moves = Vec::new();
                later.generate(&mut moves);
                later.play(moves[rng.below(moves.len())]);
                assert_eq!(later.discs(side) & sure, sure);
            }
        });
    }

    #[test]
    fn features_are_counted_as_by_hand() {
        // x: a1 b1 b2, o: c1, and the middle.
        let position = read("xxo5/1x6/8/3ox3/3xo3/8/8/8 x");
        let [.., corners, corner_moves, x_cells, c_cells, a_cells, b_cells, stable, _, discs, last, one] =
            features(&position);
        // b1 and b2 lie beside a corner that is not empty.
        assert_eq!([corners, corner_moves, x_cells, c_cells, a_cells, b_cells], [1, 0, 0, 0, -1, 0]);
        // a1 and b1; b2 stands on an open line.
        assert_eq!([stable, discs, last, one], [2, 2, -1, 1]);
        let open = read("1xo5/1x6/8/3ox3/3xo3/8/8/8 o");
        let [.., x_cells, c_cells, _, _, stable, _, _, last, _] = features(&open);
        assert_eq!([x_cells, c_cells, stable, last], [-1, -1, 0, 1]);
        assert_eq!(features(&Position::start())[..5], [0; 5]);
    }

    #[test]
    fn all_but_the_last_features_change_sign_with_the_side() {
        random_positions(10, |position| {
            let discs = [Side::First, Side::Second].map(|side| position.discs(side));
            let other = Position::new(discs, position.side_to_move().other());
            let (mine, theirs) = (features(position), features(&other));
            for i in 0..FEATURES - 2 {
                assert_eq!(mine[i], -theirs[i], "feature {i} of {position:?}");
            }
            assert_eq!(mine[FEATURES - 2..], theirs[FEATURES - 2..]);
        });
    }

    #[test]
    fn the_eight_ways_to_look_at_a_board_have_one_value() {
        let evaluate = Evaluate::default();
        random_positions(10, |position| {
            let side = position.side_to_move();
            let value = evaluate.evaluate(position);
            let flip = |cells: u64| cells.swap_bytes();
            let turn = |cells: u64| {
                (0..64).filter(|at| cells >> at & 1 != 0).fold(0, |turned, at| turned | 1_u64 << (at % 8 * 8 + at / 8))
            };
            let discs = [Side::First, Side::Second].map(|side| position.discs(side));
            for seen in [discs.map(flip), discs.map(turn), discs.map(|cells| flip(turn(cells)))] {
                assert_eq!(evaluate.evaluate(&Position::new(seen, side)), value);
            }
        });
    }

    #[test]
    fn weights_run_straight_from_phase_to_phase() {
        assert_eq!([share(4), share(9), share(14), share(64)], [(0, 0.0), (0, 0.5), (1, 0.0), (6, 0.0)]);
        let mut weights = [[0; FEATURES]; PHASES];
        weights[1][13] = 10;
        weights[2][13] = 30;
        let evaluate = Evaluate::new(&weights);
        assert_eq!([14, 19, 24, 34].map(|discs: usize| evaluate.by_discs[discs][13]), [10, 20, 30, 0]);
    }

    #[test]
    fn moves_that_leave_few_replies_come_first_towards_the_end() {
        let evaluate = Evaluate::default();
        let (mut counted, mut noisy) = (0, 0);
        random_positions(20, |position| {
            let mut moves = Vec::new();
            position.generate(&mut moves);
            for depth in [1, COUNTED] {
                let mut scores = vec![0; moves.len()];
                evaluate.score_moves(position, depth, &moves, &mut scores);
                let late = position.empty().count_ones() <= ENDING && depth >= COUNTED;
                for (&mv, &score) in moves.iter().zip(&scores) {
                    let corner = [0, 7, 56, 63].contains(&mv);
                    let mut replies = Vec::new();
                    position.after(mv).generate(&mut replies);
                    let replies = replies.iter().filter(|&&reply| reply != super::super::PASS).count() as i32;
                    // Cells of the same quadrant, counted one by one.
                    let quadrant = |at: u8| (at % 8 / 4, at / 32);
                    let beside = (0..64).filter(|&at| position.empty() >> at & 1 != 0 && quadrant(at) == quadrant(mv));
                    let odd = mv != super::super::PASS && beside.count() % 2 == 1;
                    if late {
                        let expected = 4 * (64 - replies) + 12 * i32::from(corner) + 3 * i32::from(odd) + 1;
                        assert_eq!(score, expected, "{position:?} {mv}");
                        counted += 1;
                    } else {
                        assert_eq!(score, i32::from(corner), "{position:?} {mv}");
                        noisy += score;
                    }
                }
            }
        });
        assert!(counted > 500 && noisy > 50, "{counted} {noisy}");
    }

    #[test]
    fn the_material_is_the_balance_of_discs() {
        let evaluate = Evaluate::default();
        assert_eq!(evaluate.material(&read("8/8/3x4/3xx3/3xo3/8/8/8 o")), -300);
        // A finished game, with the empty cells given to the winner.
        assert_eq!(evaluate.material(&read("8/8/8/3xx3/3xx3/8/8/8 x")), 6400);
        assert_eq!(game::Evaluate::<Position>::centi_units(&evaluate, 250), 250);
    }
}
