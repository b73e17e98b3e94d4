//! The threat search of m,n,k games: what it calls won or lost is so against every play, and gomoku misses no block.

use std::collections::HashMap;

use griot::game::{Notation as _, Outcome, Position as _, Side, SplitMix64, Threats as _};
use griot::games::mnk::{Evaluate, Notation, Position, Style, parse_parameters};
use griot::score::{Meaning, Score};
use griot::search::{Knowledge, Task, TranspositionTable, Verdict, search};
use griot_testing::{Cases, full_run, rounds, sample};

fn moves<const W: usize>(position: &Position<W>) -> Vec<u16> {
    let mut moves = Vec::new();
    position.generate(&mut moves);
    moves
}

/// A position after some random moves, in which the game goes on.
fn random_position<const W: usize>(name: &str, plies: usize, rng: &mut SplitMix64) -> Position<W> {
    'again: loop {
        let mut position = Position::start(parse_parameters(name).unwrap());
        for _ in 0..plies {
            let moves = moves(&position);
            if moves.is_empty() {
                continue 'again;
            }
            position.play(moves[rng.below(moves.len())]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// Who wins, by looking at everything: 1, 0 or -1 for the side to move.
fn value<const W: usize>(position: &Position<W>, known: &mut HashMap<u64, i32>) -> i32 {
    match position.outcome() {
        Some(Outcome::Draw) => return 0,
        Some(Outcome::Win(side)) => return if side == position.side_to_move() { 1 } else { -1 },
        None => {}
    }
    if let Some(&value) = known.get(&position.hash()) {
        return value;
    }
    let mut best = -1;
    for mv in moves(position) {
        best = best.max(-value(&position.after(mv), known));
        if best == 1 {
            break;
        }
    }
    known.insert(position.hash(), best);
    best
}

/// A step that is allowed so many times.
fn allow(mut times: u32) -> impl FnMut() -> bool {
    move || {
        times = times.saturating_sub(1);
        times > 0
    }
}

fn winning_line<const W: usize>(position: &Position<W>, steps: u32) -> Vec<u16> {
    Evaluate::<W>::new(position.parameters()).winning_line(position, &mut allow(steps))
}

#[test]
fn what_is_proven_on_small_boards_is_so_against_every_play() {
    let Cases { seed, rounds } = sample(5, 160, 5);
    let mut rng = SplitMix64::new(seed);
    let (mut wins, mut long, mut losses) = (0, 0, 0);
    // Boards that fit one word are left to the search; in two they are looked at all the same.
    for (name, cells) in [
        ("mnk:5,5,4", 25),
        ("mnk:5,5,4,exact", 25),
        ("mnk:6,4,4", 24),
        ("mnk:7,3,4", 21),
        ("mnk:5,5,5", 25),
        ("mnk:6,6,5,renju", 36),
        ("mnk:7,7,5,renju", 49),
    ] {
        for number in 0..rounds {
            let empty = 8 + number % 7;
            let position = random_position::<2>(name, cells - empty, &mut rng);
            let mut known = HashMap::new();
            let win = winning_line(&position, 20_000);
            let lost = Evaluate::<2>::new(position.parameters()).losing_moves(&position, &mut allow(20_000));
            let text = format!("{name} {position:?} {win:?} {lost:?}");
            if let Some(&mv) = win.first() {
                assert_eq!(value(&position.after(mv), &mut known), -1, "{text}");
                // The line is a game that is played to its end and won.
                let end = win.iter().fold(position, |position, &mv| {
                    assert!(moves(&position).contains(&mv), "{text}");
                    position.after(mv)
                });
                assert_eq!(end.outcome(), Some(Outcome::Win(position.side_to_move())), "{text}");
                wins += 1;
                long += usize::from(win.len() > 3);
            }
            for mv in lost {
                assert_eq!(value(&position.after(mv), &mut known), 1, "{text}");
                losses += 1;
            }
        }
    }
    assert!(!full_run() || wins > 150 && long > 20 && losses > 500, "{wins} {long} {losses}");
}

/// The value and its distance, by looking at everything.
fn exact_value(position: &Position<2>, known: &mut HashMap<u64, Score>) -> Score {
    if let Some(outcome) = position.outcome() {
        return outcome.score_for(position.side_to_move());
    }
    if let Some(&score) = known.get(&position.hash()) {
        return score;
    }
    let values = moves(position).into_iter().map(|mv| (-exact_value(&position.after(mv), known)).backed_up());
    let best = values.max().unwrap();
    known.insert(position.hash(), best);
    best
}

#[test]
fn what_is_proven_leaves_the_search_its_right_distances() {
    let Cases { seed, rounds } = sample(8, 70, 3);
    let mut rng = SplitMix64::new(seed);
    let (mut wins, mut losses, mut draws) = (0, 0, 0);
    for (name, cells) in [
        ("mnk:5,5,4", 25),
        ("mnk:5,5,4,exact", 25),
        ("mnk:7,3,4", 21),
        ("mnk:6,4,4", 24),
        ("mnk:6,6,5,renju", 36),
        ("mnk:7,7,5,renju", 49),
    ] {
        for number in 0..rounds {
            let position = random_position::<2>(name, cells - 7 - number % 4, &mut rng);
            let expected = exact_value(&position, &mut HashMap::new());
            let found = verdict(&position, u64::MAX);
            assert_eq!(found.score, expected, "{name} {position:?}");
            let after = -exact_value(&position.after(found.pv[0]), &mut HashMap::new());
            assert_eq!(after.backed_up(), expected, "{name} {position:?}: {found:?}");
            match expected.meaning() {
                Meaning::Win(_) => wins += 1,
                Meaning::Loss(plies) => losses += usize::from(plies > 2),
                _ => draws += 1,
            }
        }
    }
    assert!(!full_run() || wins > 30 && losses > 4 && draws > 30, "{wins} {losses} {draws}");
}

#[test]
fn small_effort_is_kept_to() {
    let mut rng = SplitMix64::new(6);
    for _ in 0..20 {
        let position = random_position::<4>("gomokufreestyle", 60, &mut rng);
        let evaluate = Evaluate::<4>::new(position.parameters());
        let (mut asked, allowed) = (0, 50);
        let mut step = || {
            asked += 1;
            asked < allowed
        };
        evaluate.winning_line(&position, &mut step);
        assert!(asked <= allowed, "{asked}");
    }
}

/// What the search makes of a position within so many nodes.
fn verdict<const W: usize>(position: &Position<W>, nodes: u64) -> Verdict<u16> {
    let evaluate = Evaluate::<W>::new(position.parameters());
    let table = TranspositionTable::new(2).unwrap();
    search(&Task { nodes, ..Task::new(*position) }, Knowledge::new(&evaluate, &(), &table), &mut ())
}

/// A cell by its column and row, from 0.
type Cell = (u8, u8);

/// Whether a stone of `side` on this cell makes a line, cell by cell, if `side` had one on the cell `also` too.
fn makes_line<const W: usize>(position: &Position<W>, side: Side, (col, row): Cell, also: Option<Cell>) -> bool {
    let parameters = position.parameters();
    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dc, dr)| {
        let run = |sign: i32| {
            let own = |&i: &i32| {
                let (col, row) = (i32::from(col) + sign * i * dc, i32::from(row) + sign * i * dr);
                let cell = u8::try_from(col).ok().zip(u8::try_from(row).ok());
                cell.is_some_and(|(col, row)| also == cell || position.stone(col, row) == Some(side))
            };
            (1..).take_while(own).count()
        };
        let length = run(1) + run(-1) + 1;
        let wanted = usize::from(parameters.k());
        length == wanted || length > wanted && !parameters.exact()
    })
}

fn free_cells<const W: usize>(position: &Position<W>) -> impl Iterator<Item = Cell> {
    let parameters = position.parameters();
    let cells = (0..parameters.rows()).flat_map(move |row| (0..parameters.cols()).map(move |col| (col, row)));
    cells.filter(|&(col, row)| position.stone(col, row).is_none())
}

/// The empty cells on which a stone of `side` makes a line.
fn completing<const W: usize>(position: &Position<W>, side: Side) -> Vec<Cell> {
    free_cells(position).filter(|&cell| makes_line(position, side, cell, None)).collect()
}

/// Whether `side`, if it is its turn, can threaten to make a line on two cells at once, while the other side threatens nothing.
fn can_make_two_threats<const W: usize>(position: &Position<W>, side: Side) -> bool {
    completing(position, side.other()).is_empty()
        && free_cells(position).any(|mv| {
            let line = |&cell: &Cell| cell != mv && makes_line(position, side, cell, Some(mv));
            free_cells(position).filter(line).count() > 1
        })
}

/// A position as it may arise in a game: every stone lies near another one.
fn crowded_position(name: &str, plies: usize, rng: &mut SplitMix64) -> Position<4> {
    let parameters = parse_parameters(name).unwrap();
    let notation = Notation::<4>::new(parameters, Style::Coordinates);
    'again: loop {
        let mut position = notation.start();
        for ply in 0..plies {
            let near = |&mv: &u16| {
                let text = notation.move_text(&position, mv);
                let (col, row) = (i32::from(text.as_bytes()[0] - b'a'), text[1..].parse::<i32>().unwrap() - 1);
                let beside = |(dc, dr): (i32, i32)| {
                    let cell = u8::try_from(col + dc).ok().zip(u8::try_from(row + dr).ok());
                    cell.is_some_and(|(col, row)| position.stone(col, row).is_some())
                };
                let middle = col.abs_diff(7) + row.abs_diff(7) < 2;
                if ply == 0 { middle } else { (-1..=1).flat_map(|dc| (-1..=1).map(move |dr| (dc, dr))).any(beside) }
            };
            let moves: Vec<u16> = moves(&position).into_iter().filter(near).collect();
            if moves.is_empty() {
                continue 'again;
            }
            position.play(moves[rng.below(moves.len())]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn read(name: &str, text: &str) -> Position<4> {
    Notation::<4>::new(parse_parameters(name).unwrap(), Style::Coordinates).parse_position(text).unwrap()
}

/// Wins by fours, found in the course of random games.
const FOURS: &[(&str, &str, usize)] = &[
    ("gomoku", "15/15/8o6/7oxo2x2/8o2o3/8xox4/8x1x4/7ox2o3/6ox1x5/5xo1o1ox3/8o6/5o1xx6/6x8/5x9/15 o", 5),
    ("gomoku", "3o11/4x10/5x1oxx5/6xo1oo4/6oox2o3/6oxx6/6xxoo5/7x1x5/8o6/15/15/15/15/15/15 x", 7),
    ("gomoku", "15/15/9x5/9xo4/8xx5/7o1o5/4xo1oox5/6xxo1xoo2/5o1xxx1o3/6o1o1xo3/7x2o4/6x2o5/6x8/15/15 x", 9),
    ("gomoku", "15/15/12o2/11oo2/8oxx4/5x2xx1o3/6oo1xox3/6oox1o4/6xoxxx4/6o1ox5/10x4/9ox4/15/15/15 x", 11),
    ("gomoku", "15/15/15/15/10o2o1/7xoo1xx2/7ox1ox1o1/6xxox5/7xoxo4/8o2x3/7x7/15/15/15/15 o", 13),
    ("gomokufreestyle", "15/15/15/15/15/15/15/5o3o5/6xxox1o3/6oooxx4/9xo4/10x4/11xx2/12o2/15 x", 5),
    ("gomokufreestyle", "15/15/15/15/4oo9/5xx8/2oo1xoo7/4xox8/4x2o7/4x3xx5/7o7/7x7/15/15/15 o", 7),
    ("gomokufreestyle", "15/15/15/1o2x1x8/2oooxoo7/2x2oo1x2x3/5xox3o3/3xoxoxxoxx3/4oox2x5/8o6/9x5/15/15/15/15 o", 9),
    ("gomokufreestyle", "15/15/15/8xx5/5xxo1o1o3/4x3oxx4/3x1ooxxxo4/3xo1o1o6/7o7/15/15/15/15/15/15 o", 11),
    (
        "gomokufreestyle",
        "15/4o1x8/5o1ox6/7x7/7x3xo2/5x1x1ox1oo1/6o1xoxx3/3xo1xox2x3/3o1o2o6/5o1xo6/8x6/15/15/15/15 o",
        13,
    ),
    ("gomokufreestyle", "15/15/15/15/15/15/2oo11/3ox2xx6/5xo1oo5/o3x1oxxx5/1xooo2oxo5/6xxx6/8ox5/10x4/15 o", 15),
];

/// Wins that take threes.
const THREES: &[(&str, &str, usize)] = &[
    ("gomoku", "15/15/15/9o5/7ox6/6ox7/5x1x7/4xo1xo6/5ox2o5/15/15/15/15/15/15 x", 5),
    ("gomoku", "15/15/15/6x8/5xx8/6o1o6/5o1x7/6oo7/6xx7/15/15/15/15/15/15 o", 5),
    ("gomoku", "15/15/15/8o6/7o7/8x1x4/6x2o5/7xx1o4/5xo1o1o4/7x7/6x1o6/15/15/15/15 x", 7),
    ("gomoku", "15/15/15/15/9x5/8x6/7xo6/6oxxx5/4ox1oo6/3x1o1o7/2o2o9/5x9/15/15/15 x", 9),
    ("gomoku", "15/15/15/15/15/15/9x2o2/7oxxox3/7o7/5o1xx1o4/6o2x5/15/15/15/15 x", 11),
    ("gomokufreestyle", "15/15/15/15/15/7xx6/7o1o5/6xox6/5x2x6/6oo7/7o7/15/15/15/15 x", 5),
    ("gomokufreestyle", "15/15/4x1o8/3o1o9/1oo1x10/x1o2x1x7/1o1x1xoo7/xxxxo1x1o6/4x2o7/15/15/15/15/15/15 o", 7),
    ("gomokufreestyle", "15/15/15/15/6xx1o5/8o1x4/6ox7/4xox1x6/5x2oox4/4o2o7/3o4x6/15/15/15/15 o", 9),
    ("gomokufreestyle", "15/15/10x4/5ox1oo5/7o1o5/7x7/4oxoo7/3xo1xx7/3x1xo1ox5/7x7/15/15/15/15/15 x", 11),
    ("gomokufreestyle", "15/15/15/15/7o7/5x1x7/4xoooo6/6xx7/6oxx6/5ox1x6/4x10/3o1o9/6o8/15/15 x", 13),
];

fn is_won(score: Score) -> bool {
    matches!(score.meaning(), Meaning::Win(_) | Meaning::KnownWin(_))
}

#[test]
fn wins_by_fours_are_found_within_some_ten_thousand_nodes() {
    for &(name, text, plies) in FOURS {
        let position = read(name, text);
        let side = position.side_to_move();
        let line = winning_line(&position, 40_000);
        assert_eq!(line.len(), plies, "{text}");
        // Every move but the last two leaves one cell to be answered, and that is where the answer goes.
        let mut at = position;
        for (number, &mv) in line.iter().enumerate() {
            let cells = completing(&at, side);
            at.play(mv);
            let left = completing(&at, side).len();
            match (number % 2, number) {
                (0, last) if last == plies - 1 => assert_eq!(at.outcome(), Some(Outcome::Win(side)), "{text}"),
                (0, _) => assert!(left == 1 || left > 1 && number == plies - 3, "{text}"),
                _ => assert!(left < cells.len(), "{text}"),
            }
            let over = number == plies - 1;
            assert!(number % 2 == 1 || over || completing(&at, side.other()).is_empty(), "{text}");
        }
        let verdict = verdict(&position, 20_000);
        assert!(is_won(verdict.score), "{text}: {verdict:?}");
    }
}

#[test]
fn wins_by_threes_are_found_and_played_to_their_end() {
    let mut rng = SplitMix64::new(3);
    for &(name, text, plies) in THREES {
        let position = read(name, text);
        let side = position.side_to_move();
        // The line need not be the shortest, but is one.
        let line = winning_line(&position, 50_000);
        assert!(line.len() >= plies.min(5), "{text}: {line:?}");
        let end = line.iter().fold(position, |position, &mv| position.after(mv));
        assert_eq!(end.outcome(), Some(Outcome::Win(side)), "{text}: {line:?}");
        let first = verdict(&position, 40_000);
        assert!(is_won(first.score), "{text}: {first:?}");
        // The search against itself, and against a player who fills cells near by.
        for careless in [false, true] {
            let mut at = position.after(first.pv[0]);
            let mut played = 1;
            while at.outcome().is_none() {
                let mv = if at.side_to_move() == side {
                    let found = verdict(&at, 20_000);
                    assert!(is_won(found.score), "{text}: {at:?} {found:?}");
                    found.pv[0]
                } else if careless {
                    let moves = moves(&at);
                    moves[rng.below(moves.len())]
                } else {
                    verdict(&at, 4_000).pv[0]
                };
                at.play(mv);
                played += 1;
                assert!(played < 60, "{text}: {at:?}");
            }
            assert_eq!(at.outcome(), Some(Outcome::Win(side)), "{text}");
        }
    }
}

#[test]
fn no_win_in_one_and_no_forced_block_is_missed() {
    let mut rng = SplitMix64::new(31);
    let (mut wins, mut blocks, mut stopped) = (0, 0, 0);
    // What is found within so many nodes is no law: the seed stays.
    for number in 0..rounds(240, 60) {
        let name = ["gomoku", "gomokufreestyle"][number % 2];
        let position = crowded_position(name, 7 + rng.below(12), &mut rng);
        let notation = Notation::<4>::new(position.parameters(), Style::Coordinates);
        let text = notation.position_text(&position);
        let side = position.side_to_move();
        let (mine, theirs) = (completing(&position, side), completing(&position, side.other()));
        let found = verdict(&position, 4_000);
        let next = position.after(found.pv[0]);
        if !mine.is_empty() {
            assert_eq!(next.outcome(), Some(Outcome::Win(side)), "{text}");
            wins += 1;
        } else if theirs.len() == 1 {
            assert!(
                completing(&next, side.other()).is_empty() || next.stone(theirs[0].0, theirs[0].1).is_some(),
                "{text}"
            );
            blocks += 1;
        } else if theirs.is_empty() && !is_won(found.score) {
            // The opponent's two threats at once are kept from, where they can be.
            let missed = can_make_two_threats(&next, side.other());
            let better = |mv: u16| {
                let other = position.after(mv);
                !can_make_two_threats(&other, side.other()) && winning_line(&other, 3_000).is_empty()
            };
            assert!(!missed || !moves(&position).into_iter().any(better), "{text}: {found:?}");
            stopped += usize::from(can_make_two_threats(&position, side.other()));
        }
    }
    let least = rounds(10, 2);
    assert!(wins > least && blocks > least && stopped > least, "{wins} {blocks} {stopped}");
}
