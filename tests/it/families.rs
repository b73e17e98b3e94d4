//! The families of games: what is made from their list is made from all of it, and what a descriptor says is so.

use std::collections::HashSet;
use std::fs;
use std::process::Command;

use griot::game::family::{Descriptor, Entry, FULL_STRENGTH, Field, Input, LevelScale, Name, Sample};
use griot::game::{Evaluate, Game, Notation, Position as _, Probe};
use griot::message::{Color, PieceStyle, Player, Shape, Surface};
use griot::registry::{
    DEFAULT_GAME, FAMILIES, Registry, Visitor, bench_positions, book_of, family_of, has_tables, names,
    names_with_tables, samples, with_game, with_variant,
};
use griot::session::{Catalogue as _, Resources, Settings};

use crate::support::{Talk, stdout_of};

/// Asks a game for its name, and whether it reads a board text and a move on it.
struct Reads<'a> {
    board: &'a str,
}

impl Visitor for Reads<'_> {
    type Output = (String, bool);
    fn visit<N, E, T>(self, game: Game<N, E, T>) -> Self::Output
    where
        N: Notation,
        E: Evaluate<N::Position>,
        T: Probe<N::Position>,
    {
        let position = match self.board {
            "" => game.notation.start(),
            board => match game.notation.parse_position(board) {
                Ok(position) => position,
                Err(_) => return (game.name, false),
            },
        };
        (game.name, position.outcome().is_none())
    }
}

/// The name that the game called `name` goes by.
fn known_as(name: &str) -> String {
    with_game(name, Reads { board: "" }).unwrap_or_else(|problem| panic!("{name}: {problem}")).0
}

fn is_of(family: &Descriptor, name: &str) -> bool {
    family_of(name).is_some_and(|known| known.folder == family.folder)
}

#[test]
fn every_folder_of_games_is_a_family_and_every_family_has_its_folder() {
    let entries = fs::read_dir("src/games").unwrap().map(|entry| entry.unwrap().path());
    let folders = entries.filter(|path| path.is_dir());
    let mut folders: Vec<String> = folders.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    let mut listed: Vec<&str> = FAMILIES.iter().map(|family| family.folder).collect();
    folders.sort();
    listed.sort_unstable();
    assert_eq!(folders, listed);
}

#[test]
fn every_name_of_a_descriptor_is_a_name_of_that_family_and_of_no_other() {
    let mut heads = HashSet::new();
    for family in FAMILIES {
        assert!(!family.title.is_empty() && !family.names.is_empty(), "{}", family.folder);
        let own: HashSet<&str> = family.names.iter().filter_map(|name| name.form.split(':').next()).collect();
        for head in own {
            assert!(heads.insert(head), "two families are called {head}");
        }
        for Name { form, .. } in family.names.iter().filter(|name| name.is_complete()) {
            assert!(is_of(family, &known_as(form)), "{form}");
        }
        for variant in family.variants {
            let (name, _) = with_variant(variant.name, Reads { board: "" }).unwrap();
            assert!(is_of(family, variant.name) && is_of(family, &name), "{}", variant.name);
        }
        let reads = |sample: &Sample| with_game(sample.game, Reads { board: family.board }).unwrap().1;
        assert!(family.samples.iter().any(reads), "{}", family.board);
    }
    assert_eq!(DEFAULT_GAME, known_as(DEFAULT_GAME));
}

/// The page has no list of games: what it shows of one comes from its descriptor, with its picture.
#[test]
fn every_game_tells_the_page_what_to_show_of_it() {
    let keys: HashSet<&str> = FAMILIES.iter().flat_map(|family| family.menu).map(|entry| entry.key).collect();
    for &Sample { game, .. } in samples() {
        let session = Registry.open(game, Resources::new(Settings { hash_mib: 1, ..Settings::default() }).unwrap());
        let facts = session.unwrap().picture().unwrap().game.unwrap_or_else(|| panic!("{game} has no facts"));
        assert!(keys.contains(facts.key), "{game}: no entry {} in the menu", facts.key);
        assert!(!facts.title.is_empty() && facts.clear_lead > 0, "{game}");
        assert!(facts.details.iter().all(|detail| !detail.title.is_empty()), "{game}");
        assert_eq!(facts, family_of(game).unwrap().facts(&known_as(game)), "{game}");
    }
    let told = |name: &str| {
        let facts = family_of(name).unwrap().facts(name);
        let details = facts.details.into_iter().map(|detail| detail.title);
        (facts.key, std::iter::once(facts.title).chain(details).collect::<Vec<_>>().join(" | "), facts.row)
    };
    for (name, key, title, row) in [
        ("awale", "awale", "Awalé", None),
        ("awale:mini", "awale", "Awalé | small board (mini)", None),
        ("tictactoe", "tictactoe", "Tic-tac-toe", Some(3)),
        ("mnk:7,9,5,exact", "mnk", "5 in a row | 7 × 9 | Exactly so many", Some(5)),
        ("renju", "gomoku", "Gomoku | renju", Some(5)),
        ("connect4", "connect4", "Connect Four", Some(4)),
        ("connect4:5,4,3", "connect4", "Connect Four | 5 × 4", Some(3)),
        ("chess960", "chess960", "Chess960", None),
        ("chess960:17", "chess960", "Chess960 | 17", None),
        ("draughts:international", "draughts", "Draughts", None),
        ("draughts:english", "draughts", "Draughts | English (checkers)", None),
    ] {
        assert_eq!(told(name), (key, title.to_owned(), row), "{name}");
    }
    for script in ["games.js", "grid.js", "figures.js", "editor.js", "picture.js", "players.js", "ends.js"] {
        let text = fs::read_to_string(format!("crates/griot-board/assets/{script}")).unwrap();
        let heads = FAMILIES.iter().flat_map(|family| family.names).filter_map(|name| name.form.split(':').next());
        for name in heads.chain(keys.iter().copied()) {
            assert!(!text.contains(&format!("'{name}'")), "{script} has a line for {name}");
        }
    }
}

/// Surface, style of pieces, colours of the players, and the marks of all pieces, the first player's first.
#[test]
fn the_picture_of_a_board_of_cells_says_how_it_looks() {
    for (name, surface, pieces, colors, marks) in [
        ("tictactoe", Surface::Tiles, PieceStyle::Marks, None, "xo"),
        ("gomoku", Surface::Points, PieceStyle::Stones, Some([Color::Black, Color::White]), "xo"),
        ("connect4", Surface::Holes, PieceStyle::Stones, Some([Color::Red, Color::Yellow]), "xo"),
        ("othello", Surface::Cloth, PieceStyle::Stones, Some([Color::Black, Color::White]), "xo"),
        ("chess", Surface::Squares, PieceStyle::Chessmen, Some([Color::White, Color::Black]), "PNBRQKpnbrqk"),
        ("draughts:international", Surface::Squares, PieceStyle::Men, Some([Color::White, Color::Black]), "wWbB"),
        ("draughts:english", Surface::Squares, PieceStyle::Men, Some([Color::Black, Color::White]), "bBwW"),
    ] {
        let resources = Resources::new(Settings { hash_mib: 1, ..Settings::default() }).unwrap();
        let board = Registry.open(name, resources).unwrap().picture().unwrap().board;
        let Shape::Grid(grid) = &board.shape else { panic!("{name}") };
        assert_eq!((grid.surface, grid.pieces, board.colors), (surface, pieces, colors), "{name}");
        assert_eq!(grid.set.iter().map(|piece| piece.mark).collect::<String>(), marks, "{name}");
        let half = grid.set.len() / 2;
        assert!(grid.set.iter().enumerate().all(|(at, piece)| (piece.owner == Player::First) == (at < half)), "{name}");
        assert_eq!(grid.dark.iter().filter(|dark| **dark).count(), grid.labels.iter().flatten().count(), "{name}");
    }
}

#[test]
fn what_else_games_are_called_names_games_and_is_no_name_itself() {
    for (word, game) in FAMILIES.iter().flat_map(|family| family.also_called) {
        assert!(with_game(game, Reads { board: "" }).is_ok(), "{word}: {game}");
        assert!(with_game(word, Reads { board: "" }).is_err(), "{word}");
        assert_eq!(griot::registry::meant(word), Some(*game), "{word}");
    }
}

#[test]
fn every_family_is_measured_by_positions_that_go_on() {
    for family in FAMILIES {
        assert!(!family.bench.is_empty(), "{}", family.folder);
    }
    for bench in bench_positions() {
        let (_, goes_on) = with_game(bench.game, Reads { board: bench.board }).unwrap();
        assert!(goes_on && bench.depth > 0, "{bench:?}");
    }
}

#[test]
fn the_levels_of_every_family_rise_and_elo_leads_to_the_nearest() {
    for family in FAMILIES {
        let scale = family.levels;
        assert!(scale.elo.windows(2).all(|pair| pair[0] < pair[1]), "{}", family.title);
        for (level, elo) in scale.elo.into_iter().enumerate() {
            assert_eq!(scale.level_of(elo), level, "{}", family.title);
            assert_eq!(scale.level_of(elo + 1), level, "{}", family.title);
            assert!((500..=2400).contains(&elo), "{}: UCI_Elo cannot name level {level}", family.title);
        }
        assert!(scale.selective_from < FULL_STRENGTH, "{}", family.title);
        assert_eq!([scale.level_of(0), scale.level_of(9999)], [0, FULL_STRENGTH], "{}", family.title);
        let between = (scale.elo[2] + scale.elo[4]) / 2;
        let tie =
            LevelScale { elo: scale.elo.map(|elo| if elo == scale.elo[3] { scale.elo[2] } else { elo }), ..scale };
        assert_eq!(tie.level_of(between), 2, "{}: of two as near, the weaker one", family.title);
    }
}

#[test]
fn every_family_has_samples_and_some_of_them_are_searched() {
    for family in FAMILIES {
        assert!(family.samples.iter().any(|sample| sample.depth > 0), "{}", family.folder);
        for sample in family.samples {
            assert!(is_of(family, &known_as(sample.game)) && sample.games > 0, "{sample:?}");
        }
        // Every way to name a game, and every variant, is tried.
        let tried: HashSet<String> = family.samples.iter().map(|sample| known_as(sample.game)).collect();
        let complete = family.names.iter().filter(|name| name.is_complete()).map(|name| name.form);
        for name in complete.chain(family.variants.iter().map(|variant| variant.name)) {
            assert!(tried.contains(&known_as(name)), "{name}");
        }
    }
}

#[test]
fn the_games_that_are_said_to_have_tables_have_them_and_no_others() {
    for family in FAMILIES {
        for name in family.samples.iter().map(|sample| sample.game) {
            assert_eq!(has_tables(name), family.with_tables.contains(&name), "{name}");
        }
        assert!(family.with_tables.iter().all(|name| has_tables(name) && is_of(family, name)), "{}", family.folder);
    }
}

#[test]
fn an_opening_book_is_that_of_the_game_it_is_named_for() {
    for family in FAMILIES {
        for book in family.books {
            assert!(is_of(family, book.game) && known_as(book.game) == book.game, "{}", book.game);
            assert_eq!(book_of(book.game), Some(book.text), "{}", book.game);
        }
        let has_one = |name: &str| family.books.iter().any(|book| book.game == name);
        assert!(family.samples.iter().all(|sample| book_of(sample.game).is_some() == has_one(sample.game)));
    }
    assert_eq!(book_of("no such game"), None);
}

/// Every value that a field can have, or the outermost ones.
fn values(field: &Field) -> Vec<String> {
    match field.input {
        Input::Number { default, min, max } => [min, default, max].map(|number| number.to_string()).into(),
        Input::Choice { default, choices } => {
            assert!(choices.iter().any(|choice| choice.value == default), "{}", field.key);
            choices.iter().map(|choice| choice.value.to_owned()).collect()
        }
        Input::Tick { value } => vec![String::new(), value.to_owned()],
        Input::Text { default, .. } => vec![default.to_owned()],
    }
}

fn default(field: &Field) -> String {
    match field.input {
        Input::Number { default, .. } => default.to_string(),
        Input::Choice { default, .. } | Input::Text { default, .. } => default.to_owned(),
        Input::Tick { .. } => String::new(),
    }
}

/// The name of an entry that is filled in: a value for each key.
fn filled<'f>(entry: &Entry, value: impl Fn(&'f Field) -> String) -> String
where
    Field: 'f,
{
    let name = entry.fields.iter().fold(entry.name.to_owned(), |name, field| {
        let place = format!("{{{}}}", field.key);
        assert!(name.contains(&place), "{}: {place}", entry.key);
        name.replace(&place, &value(field))
    });
    assert!(!name.contains(['{', '}']), "{name}");
    name
}

#[test]
fn the_menu_offers_every_family_and_what_is_chosen_is_a_game() {
    let mut keys = HashSet::new();
    for family in FAMILIES {
        assert!(!family.menu.is_empty(), "{}", family.folder);
        for entry in family.menu {
            assert!(keys.insert(entry.key), "two entries are called {}", entry.key);
            assert!(is_of(family, &known_as(&filled(entry, default))), "{}", entry.key);
            for changed in entry.fields {
                for value in values(changed) {
                    let name =
                        filled(entry, |field| if field.key == changed.key { value.clone() } else { default(field) });
                    // A number may not go with the others; everything else does.
                    if !matches!(changed.input, Input::Number { .. }) {
                        known_as(&name);
                    }
                }
            }
        }
    }
    // What a front end is told is all of it.
    let mut talk = Talk::in_memory();
    let told = talk.ask("query games");
    let told: serde_json::Value = serde_json::from_str(told.strip_prefix("response ").unwrap()).unwrap();
    let told = told.as_array().unwrap();
    for entry in told {
        // What a menu draws is a position that is not empty.
        let board = &entry["board"];
        let cells = board["cells"].as_array().map_or(0, |cells| cells.iter().filter(|cell| !cell.is_null()).count());
        assert!(cells >= 2 || ["houses", "heaps"].contains(&board["kind"].as_str().unwrap_or_default()), "{entry}");
    }
    let told: Vec<&str> = told.iter().map(|entry| entry["key"].as_str().unwrap()).collect();
    let offered: Vec<&str> = FAMILIES.iter().flat_map(|family| family.menu).map(|entry| entry.key).collect();
    assert_eq!(told, offered);
}

#[test]
fn help_errors_and_variants_name_the_games_of_all_families() {
    let help = stdout_of(Command::new(env!("CARGO_BIN_EXE_griot")).arg("--help").output().unwrap());
    let problem = with_game("shogi", Reads { board: "" }).unwrap_err().to_string();
    for family in FAMILIES {
        assert!(help.contains(family.title), "{}: {help}", family.title);
        for Name { form, .. } in family.names {
            assert!(help.contains(form), "{form}: {help}");
            assert!(problem.contains(form) && Registry.names().contains(form), "{form}: {problem}");
        }
    }
    let variants: Vec<&str> = Registry.variants().iter().map(|variant| variant.name).collect();
    let expected: Vec<&str> = FAMILIES.iter().flat_map(|family| family.variants).map(|variant| variant.name).collect();
    assert_eq!(variants, expected);
    assert_eq!(names().count(), FAMILIES.iter().map(|family| family.names.len()).sum::<usize>());
    assert_eq!(samples().count(), FAMILIES.iter().map(|family| family.samples.len()).sum::<usize>());
}

#[test]
fn completions_offer_the_names_that_leave_nothing_to_be_filled_in() {
    let script = stdout_of(Command::new(env!("CARGO_BIN_EXE_griot")).args(["completions", "fish"]).output().unwrap());
    // What is offered stands behind `-a`, a line for each name but the first.
    let offered = script.split("complete -c griot").filter(|command| command.contains("-l game "));
    let offered: Vec<&str> =
        offered.filter_map(|command| command.split_once(" -a \"")).map(|(_, names)| names).collect();
    assert!(offered.len() > 5, "{script}");
    for offered in offered {
        let offered: Vec<&str> =
            offered.lines().filter_map(|line| line.split_once("\\t")).map(|(name, _)| name).collect();
        let complete: Vec<&str> = names().filter(|name| name.is_complete()).map(|name| name.form).collect();
        // Commands on endgame tables offer the games that have some.
        assert!(offered == complete || offered.iter().copied().eq(names_with_tables()), "{offered:?}");
    }
}

/// A table of a page whose rows are made from the descriptors: all lines below the heading.
fn check_table(page: &str, heading: &str, row: impl Fn(&Descriptor) -> String) {
    let text = fs::read_to_string(page).unwrap();
    let start = text.find(heading).unwrap_or_else(|| panic!("{page}: no {heading}"));
    let body = start + text[start..].match_indices('\n').nth(1).unwrap().0 + 1;
    let length: usize = text[body..].lines().take_while(|line| line.starts_with('|')).map(|line| line.len() + 1).sum();
    let expected: String = FAMILIES.iter().map(|family| row(family) + "\n").collect();
    if std::env::var_os("GRIOT_BLESS").is_some() {
        fs::write(page, format!("{}{expected}{}", &text[..body], &text[body + length..])).unwrap();
    } else {
        assert_eq!(&text[body..body + length], expected, "{page}; GRIOT_BLESS=1 writes it");
    }
}

#[test]
fn the_tables_of_the_docs_are_those_of_the_descriptors() {
    const HEADING: &str = "| game | names | board text | moves |\n";
    // A bar would end the cell.
    let code = |form: &str| format!("`{}`", form.replace('|', "\\|"));
    let row = |family: &Descriptor, names: Vec<String>| {
        let Descriptor { title, board, moves, .. } = family;
        format!("| {title} | {} | `{board}` | {moves} |", names.join(", "))
    };
    check_table("protocol.md", HEADING, |family| {
        row(family, family.names.iter().map(|name| code(name.form)).collect())
    });
    check_table("docs/games.md", HEADING, |family| {
        let told = |name: &Name| match name.note {
            "" => code(name.form),
            note => format!("{} ({note})", code(name.form)),
        };
        row(family, family.names.iter().map(told).collect())
    });
}
