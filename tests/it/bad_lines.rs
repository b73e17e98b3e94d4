//! LAW 6 and LAW 7 as a table: what must not be accepted, and what the engine says to it.
//!
//! Every line is answered by exactly one `info string`, which names what would have been right; a `go` that is refused by
//! `bestmove 0000` besides. Nothing else is said, nothing changes, and the engine lives. Only a `position` changes something:
//! one that is refused leaves no position, and one with an illegal move a lost game.

use crate::support::Talk;

/// Marks the place in a line whose column the answer must name; it is taken out before the line is sent.
const HERE: char = '¦';
/// No answer may be longer, in characters.
const LONGEST_ANSWER: usize = 700;
const MIB: usize = 1 << 20;

const FROM_ONE: &str = "expected a whole number from 1 to 18446744073709551615";
const FROM_ZERO: &str = "expected a whole number from 0 to 18446744073709551615";
const MILLISECONDS: &str = "expected a whole number of milliseconds";
const UNKNOWN: &str = "'help' lists the commands";
const START_OR_FEN: &str = "expected 'startpos' or 'fen'";
const BOARD: &str = "expected a board text after 'fen'";
const UTF8: &str = "expected UTF-8 text";
// With or without "did you mean" before it.
const GAMES: &str = "here are awale | ";
const OPTIONS: &str = "here are Game, UCI_Variant, UCI_Chess960, ";

/// What a bad line is, and with that what may come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Anything but the following: changes nothing.
    Plain,
    /// A `go` that is refused: `bestmove 0000` follows.
    Go,
    /// A `go` with a clock that has run out: a warning, and then a search like any other.
    Clock,
    /// A `position` that is refused: there is none until a good one comes.
    Position,
    /// A `position` with an illegal move: the game is over.
    Illegal,
    /// A `position` with a move after the end of the game: it ends where the game did.
    Over,
}
use Kind::{Clock, Go, Illegal, Over, Plain, Position};

struct Bad {
    kind: Kind,
    line: Vec<u8>,
    column: Option<usize>,
    says: &'static str,
}

fn bad(kind: Kind, line: &str, says: &'static str) -> Bad {
    let column = line.split_once(HERE).map(|(before, _)| before.chars().count() + 1);
    Bad { kind, line: line.replacen(HERE, "", 1).into_bytes(), column, says }
}

fn bad_bytes(kind: Kind, line: &[u8], column: usize) -> Bad {
    Bad { kind, line: line.to_vec(), column: Some(column), says: UTF8 }
}

/// The lines that are bad in every game.
fn any_game() -> Vec<Bad> {
    let mut table = Vec::new();
    for line in [
        "¦xboard",
        "¦protover 2",
        "¦accepted feature",
        "¦quitt",
        "¦qui",
        "¦isreadyy",
        "¦is ready",
        "¦stopp",
        "¦gogo",
        "¦go-depth 3",
        "¦godepth 3",
        "¦position-startpos",
        "   ¦positions",
        "\t¦undo",
        "¦ugi2",
        "¦uciok",
        "¦info string hello",
        "¦bestmove A",
        "¦new game",
        "¦#comment",
        "¦0",
        "¦-",
        "¦\"go\"",
        "¦go;depth",
        "¦%s%n%d",
        "¦$(reboot)",
        "¦'",
        "¦<empty>",
        // A NUL is no blank, wherever it stands.
        "¦\0",
        "¦isready\0",
        "¦\0isready",
        "¦go\0depth 3",
        // Control characters, escapes that colour or clear a terminal, and characters that nobody sees.
        "¦\u{1b}[31mred\u{1b}[0m",
        "¦\u{1b}[2J",
        "¦\u{1b}]0;title\u{7}",
        "¦\u{7}",
        "¦is\u{8}ready",
        "¦\u{7f}",
        "¦\u{85}isready",
        "¦\u{2028}isready",
        "¦isready\u{200b}",
        "¦\u{202e}ydaersi",
        "¦\u{feff}isready",
        "¦isready\u{a0}",
        // Letters that look like others.
        "¦ｇｏ depth 3",
        "¦gо depth 3",
        "¦ѕtop",
        "¦é",
        "¦🦀🦀",
    ] {
        table.push(bad(Plain, line, UNKNOWN));
    }
    table.push(bad(Plain, &format!("¦{}", "a".repeat(MIB)), UNKNOWN));
    table.push(bad(Plain, &format!("¦{}", "\u{1}".repeat(MIB)), UNKNOWN));
    table.push(bad(Plain, &format!("¦{}", "\u{1b}[31m".repeat(1000)), UNKNOWN));

    // Too long for a line, by one byte and by far. What command it was still matters.
    table.push(bad(Plain, &"a".repeat(MIB + 1), "expected at most 1048576"));
    table.push(bad(Plain, &"isready ".repeat(MIB / 2), "expected at most 1048576"));
    table.push(bad(Go, &format!("go {}", "depth ".repeat(MIB)), "expected at most 1048576"));
    table.push(bad(Position, &format!("position startpos moves {}", "A ".repeat(MIB)), "expected at most 1048576"));

    // No UTF-8: a lone byte, at the start, in the middle, at the end, cut short, over-long, a surrogate, beyond Unicode.
    table.push(bad_bytes(Plain, b"\xff", 1));
    table.push(bad_bytes(Plain, b"\x80isready", 1));
    table.push(bad_bytes(Plain, b"isready \xff", 9));
    table.push(bad_bytes(Plain, b"is\xfeready", 3));
    table.push(bad_bytes(Plain, b"query f\xe9n", 8));
    table.push(bad_bytes(Plain, b"quit\xc3", 5));
    table.push(bad_bytes(Plain, b"caf\xc3\xa9 \xc3", 6));
    table.push(bad_bytes(Plain, b"\xc0\xaf", 1));
    table.push(bad_bytes(Plain, b"stop \xed\xa0\x80", 6));
    table.push(bad_bytes(Plain, b"debug \xf4\x90\x80\x80", 7));
    table.push(bad_bytes(Plain, b"setoption name Log File value /tmp/\xff", 36));
    table.push(bad_bytes(Plain, b"go\xff depth 3", 3));
    table.push(bad_bytes(Go, b"go depth \xff", 10));
    table.push(bad_bytes(Go, b"  GO infinite \xe2\x82", 15));
    table.push(bad_bytes(Position, b"position fen \xff", 14));
    table.push(bad_bytes(Position, b"position startpos moves \xc3\x28", 25));

    for line in ["debug¦", "debug ¦maybe", "debug ¦1", "debug ¦onn", "debug ¦on\0", "debug ¦ｏｎ", "debug ¦\u{1b}[1m"]
    {
        table.push(bad(Plain, line, "expected 'on' or 'off'"));
    }

    for line in [
        "position¦",
        "position ¦here",
        "position ¦start pos",
        "position ¦startpos\0",
        "position ¦moves A",
        "position ¦4-4-4-4",
        "position ¦ｆｅｎ",
        "  POSITION   ¦fenn",
        "position ¦\u{1b}[31m",
    ] {
        table.push(bad(Position, line, START_OR_FEN));
    }
    for line in ["position fen¦", "position fen   ¦", "position fen ¦moves A", "position\tfen\t¦moves"] {
        table.push(bad(Position, line, BOARD));
    }

    for word in ["depth", "nodes", "mate"] {
        for number in [
            "¦",
            " ¦+3",
            " ¦1e3",
            " ¦0x10",
            " ¦3.",
            " ¦.5",
            " ¦3,5",
            " ¦ten",
            " ¦18446744073709551616",
            " ¦1\0",
            " ¦٣",
            " ¦５",
            " ¦²",
            " ¦infinite",
            " ¦--",
            " ¦1_000",
            " ¦\u{1b}[3m",
        ] {
            table.push(bad(Go, &format!("go {word}{number}"), FROM_ONE));
        }
    }
    for word in ["movestogo", "perft"] {
        for number in ["¦", " ¦+3", " ¦1e3", " ¦all", " ¦99999999999999999999999999999999", " ¦٣"] {
            table.push(bad(Go, &format!("go {word}{number}"), FROM_ZERO));
        }
    }
    for word in ["movetime", "wtime", "btime", "winc", "binc", "p1time", "p2time", "p1inc", "p2inc"] {
        for number in
            ["¦", " ¦x", " ¦+3", " ¦1e3", " ¦0x10", " ¦2.5.1", " ¦18446744073709551616", " ¦--1", " ¦-", " ¦1s"]
        {
            table.push(bad(Go, &format!("go {word}{number}"), MILLISECONDS));
        }
    }
    table.push(bad(Go, "go perft ¦-1", FROM_ZERO));
    table.push(bad(Go, "go depth 3 nodes ¦depth 3", FROM_ONE));
    table.push(bad(Go, "go depth 3 depth ¦x", FROM_ONE));
    table.push(bad(Go, "go depth ¦x depth 3", FROM_ONE));
    table.push(bad(Go, "go infinite wtime 100 btime ¦", MILLISECONDS));
    table.push(bad(Go, "go p1time ¦-99999999999999999999", MILLISECONDS));
    table.push(bad(Go, &format!("go depth ¦{}", "9".repeat(5000)), FROM_ONE));
    table.push(bad(Go, "go perft 251", "expected at most 250 plies"));
    table.push(bad(Go, "go perft 4294967295", "expected at most 250 plies"));
    table.push(bad(Go, "go perft 18446744073709551615", "expected at most 250 plies"));

    for word in ["wtime", "btime", "p1time", "p2time", "winc", "binc", "p1inc", "p2inc"] {
        table.push(bad(Clock, &format!("go depth 2 {word} ¦-1"), "is below zero; taken as 0"));
    }
    table.push(bad(Clock, "go wtime ¦-5 btime 1000 depth 3", "wtime is below zero; taken as 0"));
    table.push(bad(Clock, "go depth 1 p1time ¦-18446744073709551615", "p1time is below zero; taken as 0"));
    for (line, says) in [
        ("go depth ¦0", "depth is below 1; taken as 1"),
        ("go depth ¦-3", "depth is below 1; taken as 1"),
        ("go nodes ¦0", "nodes is below 1; taken as 1"),
        ("go mate ¦0", "mate is below 1; taken as 1"),
        ("go depth ¦2.9", "depth is not a whole number; taken as 2"),
        ("go movetime ¦-1", "movetime is below zero; taken as 0"),
        ("go wtime ¦1000.5 depth 2", "wtime is not a whole number; taken as 1000"),
        ("go movestogo ¦-1 depth 2", "movestogo is below zero; taken as 0"),
    ] {
        table.push(bad(Clock, line, says));
    }

    for line in
        ["setoption¦", "setoption ¦Hash value 3", "setoption ¦value 3", "setoption ¦names Hash", "setoption ¦\0"]
    {
        table.push(bad(Plain, line, "expected 'name' and the name of an option"));
    }
    for line in ["setoption name¦", "setoption name ¦value 3", "setoption name  ¦VALUE"] {
        table.push(bad(Plain, line, "expected the name of an option"));
    }
    for line in [
        "setoption name ¦Colour value blue",
        "setoption name ¦Hsh value 3",
        "setoption name ¦ClearHash",
        "setoption name ¦Clear  Hash",
        "setoption name ¦Hash 32",
        "setoption name ¦Hash=32",
        "setoption name ¦Ｈａｓｈ value 32",
        "setoption name ¦\u{1b}[31m value 1",
        "setoption name ¦Log Files value /tmp/x",
        &format!("setoption name ¦{} value 1", "x".repeat(100_000)),
    ] {
        table.push(bad(Plain, line, OPTIONS));
    }
    // Every kind of option: a number, one number only, true or false, a choice, a game, a variant, a path.
    for value in [
        " value ¦0",
        " value ¦-1",
        " value ¦+8",
        " value ¦1048577",
        " value ¦lots",
        " value ¦1e2",
        " value ¦0x10",
        " value ¦16.0",
        " value ¦18446744073709551616",
        " value ¦16 MiB",
        " value ¦<empty>",
        " value¦",
        " value ¦٣",
        " value ¦1\0",
    ] {
        table.push(bad(Plain, &format!("setoption name Hash{value}"), "expected a whole number from 1 to 1048576"));
    }
    table.push(bad(Plain, "setoption name ¦Hash", "expected a whole number from 1 to 1048576, found nothing"));
    table.push(bad(Plain, "setoption name hash value ¦x", "option Hash: expected"));
    for value in ["257", "0", "-1", "one"] {
        table.push(bad(
            Plain,
            &format!("setoption name Threads value ¦{value}"),
            "expected a whole number from 1 to 256",
        ));
    }
    for value in ["5001", "-1", "10ms"] {
        let line = format!("setoption name Move Overhead value ¦{value}");
        table.push(bad(Plain, &line, "expected a whole number from 0 to 5000"));
    }
    for (option, says) in [
        ("MultiPV value ¦0", "expected a whole number from 1 to 256"),
        ("MultiPV value ¦257", "expected a whole number from 1 to 256"),
        ("Skill Level value ¦21", "expected a whole number from 0 to 20"),
        ("UCI_Elo value ¦499", "expected a whole number from 500 to "),
        ("Seed value ¦-1", "expected a whole number from 0 to 2147483647"),
        ("SyzygyProbeDepth value ¦0", "expected a whole number from 1 to 100"),
        ("SyzygyProbeLimit value ¦8", "expected a whole number from 0 to 7"),
        ("UCI_ShowWDL value ¦1", "expected 'true' or 'false'"),
        ("TablebasePath value ¦/no/such/folder", "expected a folder with endgame tables, found none"),
    ] {
        table.push(bad(Plain, &format!("setoption name {option}"), says));
    }
    for name in ["Ponder", "OwnBook", "Selective", "UCI_LimitStrength"] {
        for value in ["yes", "1", "on", "truefalse", "true true", "\u{1b}[1m"] {
            let line = format!("setoption name {name} value ¦{value}");
            table.push(bad(Plain, &line, "expected 'true' or 'false'"));
        }
        table.push(bad(Plain, &format!("setoption name ¦{name}"), "expected 'true' or 'false', found nothing"));
    }
    for value in ["mtdf", "alpha-beta", "alphabeta minimax", ""] {
        let line = format!("setoption name Algorithm value ¦{value}");
        table.push(bad(Plain, line.trim_end(), "expected one of alphabeta, negabeta, negamax, minimax, mcts"));
    }
    for value in ["simple", "full plain", ""] {
        let line = format!("setoption name Evaluation value ¦{value}");
        table.push(bad(Plain, line.trim_end(), "expected one of full, plain"));
    }
    for (value, says) in [
        ("shogi", GAMES),
        ("go", GAMES),
        ("", GAMES),
        ("<empty>", GAMES),
        ("awalé", GAMES),
        ("\u{1b}[31mawale", GAMES),
        ("awale awari", GAMES),
        ("awale:oware", "expected abapa, awari, tipe or mini"),
        ("awale:awari,mini", "expected abapa, awari, tipe or mini"),
        ("mnk", "game 'mnk': "),
        ("mnk:", "game 'mnk:': "),
        ("mnk:3", "game 'mnk:3': "),
        ("mnk:3,3", "game 'mnk:3,3': "),
        ("mnk:3,3,3,3", "game 'mnk:3,3,3,3': "),
        ("mnk:0,3,3", "game 'mnk:0,3,3': "),
        ("mnk:-3,3,3", "game 'mnk:-3,3,3': "),
        ("mnk:3,3,4", "game 'mnk:3,3,4': "),
        ("mnk:23,3,3", "22"),
        ("mnk:99999999999999999999,3,3", "22"),
        ("mnk:3x3x3", "game 'mnk:3x3x3': "),
        ("morpion", "game 'morpion': "),
        ("morpion:", "game 'morpion:': "),
        ("morpion:x", "game 'morpion:x': "),
        ("morpion:99", "game 'morpion:99': "),
        ("tictactoe:4", "game 'tictactoe:4': "),
        ("gomoku:19", "game 'gomoku:19': "),
        ("nim:x", "expected a number from 0 to 4000000000, found 'x'"),
        ("nim:-1", "expected a number from 0 to 4000000000"),
        ("nim:3--4", "expected a number from 0 to 4000000000"),
        ("nim:4000000001", "expected a number from 0 to 4000000000"),
        ("nim:99999999999999999999", "expected a number from 0 to 4000000000"),
        ("nim:3,take=0", "take: expected a number from 1 to 4000000000"),
        ("nim:3,take=-1", "take: expected a number from 1 to 4000000000"),
        ("nim:3,take", "expected 'take=N', 'take=any', 'normal' or 'misere'"),
        ("nim:3,take=2,take=3", "expected one word on what a move takes"),
        ("nim:3,normal,misere", "expected one word on what a move takes and one on who wins"),
        ("nim:4000000000,take=any", "expected at most 65535 moves to choose from"),
        ("nim:3-4-5,", "expected 'take=N', 'take=any', 'normal' or 'misere'"),
    ] {
        table.push(bad(Plain, format!("setoption name Game value ¦{value}").trim_end(), says));
    }
    table.push(bad(Plain, &format!("setoption name Game value ¦{}", "x".repeat(100_000)), GAMES));
    table.push(bad(Plain, &format!("setoption name Game value ¦{}", "\u{7}".repeat(100_000)), GAMES));
    let long_heap = format!("setoption name Game value ¦nim:{}", "9".repeat(100_000));
    table.push(bad(Plain, &long_heap, "expected a number from 0 to 4000000000"));
    let many_heaps = format!("setoption name Game value ¦nim:{}1", "1-".repeat(100_000));
    table.push(bad(Plain, &many_heaps, "26"));
    for value in ["shogi", "", "3check", "nim", "mnk:3,3,3", "tic tac toe", "\0"] {
        let line = format!("setoption name UCI_Variant value ¦{value}");
        table.push(bad(
            Plain,
            line.trim_end(),
            "expected one of awale, awale:awari, awale:tipe, awale:mini, tictactoe",
        ));
    }
    for path in ["/", "/no/such/place/griot.log", "/dev/null/griot.log", "a\0b", "\u{1b}[31m/x", &"x".repeat(10_000)] {
        table.push(bad(Plain, &format!("setoption name Log File value ¦{path}"), "option Log File: cannot write to '"));
    }
    table
}

fn awale() -> Vec<Bad> {
    let total = "seed total: expected 48 seeds in houses and stores together, found";
    let seeds = "expected a number of seeds from 0 to 48";
    let mut table = Vec::new();
    for (board, says) in [
        ("¦4-4-4-4-4-4-4-4-4-4-4-5-0-0-S", total),
        ("¦4-4-4-4-4-4-4-4-4-4-4-3-0-0-S", total),
        ("¦0-0-0-0-0-0-0-0-0-0-0-0-0-0-N", total),
        ("¦48-48-48-48-48-48-48-48-48-48-48-48-48-48-S", total),
        ("4¦", "expected '-' and then"),
        ("4-4¦", "expected '-' and then"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0¦", "expected '-' and then"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-¦", "S or N, and no more text"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-¦S", seeds),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-¦0-S", "S or N, and no more text"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-¦X", "S or N, and no more text"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-¦s", "S or N, and no more text"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-¦South", "S or N, and no more text"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-¦S S", "S or N, and no more text"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-¦S B c", "S or N, and no more text"),
        ("4-4-¦-4-4-4-4-4-4-4-4-4-4-0-0-S", seeds),
        ("4-4-4-4-¦x-4-4-4-4-4-4-4-0-0-S", seeds),
        ("4-4-4-4-¦+4-4-4-4-4-4-4-4-0-0-S", seeds),
        ("4-4-4-4-¦04-4-4-4-4-4-4-4-0-0-S", seeds),
        ("4-4-4-4-¦4.0-4-4-4-4-4-4-4-0-0-S", seeds),
        ("4-4-4-4-¦49-4-4-4-4-4-4-4-0-0-S", seeds),
        ("4-4-4-4-¦256-4-4-4-4-4-4-4-0-0-S", seeds),
        ("4-4-4-4-¦18446744073709551620-4-4-4-4-4-4-4-0-0-S", seeds),
        ("4-4-4-4-¦ 4-4-4-4-4-4-4-4-0-0-S", seeds),
        ("4-4-4-4-¦４-4-4-4-4-4-4-4-0-0-S", seeds),
        ("¦٤-4-4-4-4-4-4-4-4-4-4-4-0-0-S", seeds),
        ("¦4–4–4–4–4–4–4–4–4–4–4–4–0–0–S", seeds),
        ("¦-4-4-4-4-4-4-4-4-4-4-4-0-0-S", seeds),
        ("¦startpos", seeds),
        ("¦3/3/3 x", seeds),
        ("¦\0", seeds),
        ("4-4-¦\u{1b}[1m-4-4-4-4-4-4-4-4-4-0-0-S", seeds),
    ] {
        table.push(bad(Position, &format!("position fen {board}"), says));
    }
    let long = format!("position fen ¦{}", "4".repeat(100_000));
    table.push(bad(Position, &long, seeds));

    for (moves, says) in [
        ("¦Z", "expected a house, A to F, found 'Z'"),
        ("¦G", "expected a house, A to F"),
        ("¦1", "expected a house, A to F"),
        ("¦0000", "expected a house, A to F"),
        ("¦-", "expected a house, A to F"),
        ("¦,A", "expected a house, A to F"),
        ("A¦0", "expected a house, a to f"),
        ("A b ¦Ｃ", "expected a house, A to F"),
        ("A b ¦А", "expected a house, A to F"),
        ("Ab¦\0", "expected a house, A to F"),
        ("Ab¦\u{1b}[31m", "expected a house, A to F"),
        ("A a ¦A", "expected one of B, C, D, E, F, found 'A', an empty house"),
        ("Aa¦A", "expected one of B, C, D, E, F, found 'A', an empty house"),
        ("A  \t a   ¦A", "expected one of B, C, D, E, F"),
    ] {
        table.push(bad(Illegal, &format!("position startpos moves {moves}"), says));
    }
    let long = format!("position startpos moves A ¦{}", "é".repeat(MIB / 4));
    table.push(bad(Illegal, &long, "expected a house, a to f"));
    table.push(bad(
        Illegal,
        "position fen 0-0-0-0-0-2-0-0-0-0-0-0-23-23-S moves ¦A",
        "expected F, the only legal move, found 'A', an empty house",
    ));
    table.push(bad(Over, "position fen 0-0-0-0-0-0-0-0-0-0-0-0-25-23-S moves ¦A", "the game is over before it"));

    for (moves, says) in [
        ("¦Z", "expected a house, a to f, found 'Z'"),
        ("a ¦0000", "expected a house, a to f"),
        ("a b ¦\u{7}", "expected a house, a to f"),
        ("¦а", "expected a house, a to f"),
        ("¦startpos", "expected a house, a to f"),
    ] {
        table.push(bad(Go, &format!("go depth 2 searchmoves {moves}"), says));
    }
    table.push(bad(Go, "go searchmoves a ¦z depth 2", "expected a house, a to f"));
    table
}

/// Boards of the other variants of awalé, whose totals and numbers of fields differ.
fn awale_mini() -> Vec<Bad> {
    vec![
        bad(Position, "position fen 4-4-4-4-4-4-4-4-¦4-4-4-4-0-0-S", "S or N, and no more text"),
        bad(Position, "position fen ¦", BOARD),
        bad(Position, "position fen ¦x", "expected a number of seeds"),
        bad(Illegal, "position startpos moves ¦F", "expected a house, A to"),
        bad(Go, "go depth 1 searchmoves ¦F", "expected a house, a to"),
    ]
}

fn awale_awari() -> Vec<Bad> {
    vec![
        bad(
            Position,
            "position fen ¦4-4-4-4-4-4-4-4-4-4-4-5-0-0-S",
            "48 seeds in houses and stores together, found 49",
        ),
        bad(Position, "position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-¦n", "S or N"),
        bad(Illegal, "position startpos moves ¦P@a1", "expected a house, A to F"),
        bad(Illegal, "position startpos moves A a ¦A", "expected one of"),
    ]
}

fn awale_tipe() -> Vec<Bad> {
    vec![
        bad(Position, "position fen ¦4-4-4-4-4-4-4-4-4-4-4-4-0-1-S", "seeds in houses and stores together, found 49"),
        bad(Position, "position fen 5-5-5-¦-5-5-5-5-5-5-5-5-5-0-0-S", "expected a number of seeds"),
        bad(Illegal, "position startpos moves ¦Q", "expected a house, A to F"),
    ]
}

fn tictactoe() -> Vec<Bad> {
    let counts = "stone counts: expected";
    let mut table = Vec::new();
    for (board, says) in [
        ("xx1/3/3 ¦x", counts),
        ("x2/3/3 ¦x", counts),
        ("3/3/3 ¦o", counts),
        ("o2/3/3 ¦x", counts),
        ("xxx/xxx/xxx ¦o", counts),
        ("xo1/3/3 ¦o", counts),
        ("¦xxx/ooo/3 x", "a winning line of one side at most"),
        ("¦xxx/oo1/o2 x", "no winning line of the side to move"),
        ("3/3¦ x", "expected 3 rows, found 2"),
        ("3¦ x", "expected 3 rows, found 1"),
        ("3/3/3¦/3 x", "expected 3 rows, found 4"),
        ("3/3/3¦/ x", "expected 3 rows, found 4"),
        ("¦/3/3 x", "row 1: expected 3 cells, found 0"),
        ("¦2/3/3 x", "row 1: expected 3 cells, found 2"),
        ("3/¦x/3 o", "row 2: expected 3 cells, found 1"),
        ("3/¦4/3 x", "row 2: expected a number of empty cells from 1 to 3"),
        ("3/3/¦9 x", "row 3: expected a number of empty cells from 1 to 3"),
        ("3/3/¦0 x", "row 3: expected a number of empty cells from 1 to 3"),
        ("3/3/¦03 x", "row 3: expected a number of empty cells from 1 to 3"),
        ("3/3/¦256 x", "row 3: expected a number of empty cells from 1 to 3"),
        ("3/3/¦18446744073709551616 x", "row 3: expected a number of empty cells from 1 to 3"),
        ("3/3/¦-3 x", "row 3: expected 'x', 'o' or a number"),
        ("3/3/¦+3 x", "row 3: expected 'x', 'o' or a number"),
        ("3/1¦X1/3 o", "row 2: expected 'x', 'o' or a number"),
        ("3/¦10/3 x", "row 2: expected a number of empty cells from 1 to 3"),
        ("3/1¦х1/3 o", "row 2: expected 'x', 'o' or a number"),
        ("3/¦３/3 x", "row 2: expected 'x', 'o' or a number"),
        ("3/¦\u{1b}c/3 x", "row 2: expected 'x', 'o' or a number"),
        ("3/¦\0/3 x", "row 2: expected 'x', 'o' or a number"),
        ("3/xox¦o/3 x", "row 2: expected no more than 3 cells"),
        ("3/3/3¦", "side to move: expected 'x' or 'o'"),
        ("3/3/3 ¦X", "side to move: expected 'x' or 'o'"),
        ("3/3/3 ¦1", "side to move: expected 'x' or 'o'"),
        ("3/3/3 ¦xx", "side to move: expected 'x' or 'o'"),
        ("3/3/3 x ¦o", "expected nothing after the side to move"),
        ("3/3/3 x ¦- - 0 1", "expected nothing after the side to move"),
        ("3/3/3[PPPPPpppp¦", "expected ']' at its end"),
        ("3/3/3[¦PPPPpppp] w - - 0 1", "pocket: expected 5 P and 4 p, found 4 P and 4 p"),
        ("3/3/3[¦PPPPPppppp] w - - 0 1", "pocket: expected 5 P and 4 p, found 5 P and 5 p"),
        ("3/3/3[PPPP¦Qpppp] w - - 0 1", "pocket: expected 'P' or 'p', or a number of them"),
        ("3/3/3[5¦", "expected ']' at its end"),
        ("3/3/3[¦99999999999999999999P 4p] w - - 0 1", "pocket: expected 'P' or 'p', or a number of them"),
        ("3/3/3[¦4000000000P 4000000000P] w - - 0 1", "pocket: expected 5 P and 4 p"),
        ("3/3/3[PPPPPpppp] ¦x", "side to move: expected 'w' or 'b'"),
        ("3/3/3[PPPPPpppp] ¦b - - 0 1", counts),
        ("3/3/3[PPPPPpppp] w ¦KQkq - 0 1", "castling: expected '-'"),
        ("3/3/3[PPPPPpppp] w - ¦e3 0 1", "en passant: expected '-'"),
        ("3/3/3[PPPPPpppp] w - - ¦-1 1", "halfmove counter: expected a number"),
        ("3/3/3[PPPPPpppp] w - - 0 ¦x", "move counter: expected a number"),
        ("3/3/3[PPPPPpppp] w - - 0 1 ¦1", "expected nothing after the counters"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S¦", "expected 3 rows, found 1"),
    ] {
        table.push(bad(Position, &format!("position fen {board}"), says));
    }
    for (moves, says) in [
        ("¦d1", "expected a file from a to c, found 'd'"),
        ("¦A1", "expected a file from a to c"),
        ("¦0000", "expected a file from a to c"),
        ("¦-", "expected a file from a to c"),
        ("¦é1", "expected a file from a to c"),
        ("¦а1", "expected a file from a to c"),
        ("¦\0", "expected a file from a to c"),
        ("a¦", "expected a rank from 1 to 3"),
        ("a¦0", "expected a rank from 1 to 3"),
        ("a¦4", "expected a rank from 1 to 3"),
        ("a¦-1", "expected a rank from 1 to 3"),
        ("a¦+1", "expected a rank from 1 to 3"),
        ("a¦01", "expected a rank from 1 to 3"),
        ("a¦1b2", "expected a rank from 1 to 3"),
        ("a¦256", "expected a rank from 1 to 3"),
        ("a¦99999999999999999999", "expected a rank from 1 to 3"),
        ("a¦１", "expected a rank from 1 to 3"),
        ("P@¦d1", "expected a file from a to c"),
        ("P@¦", "expected a file from a to c"),
        ("b2 ¦b2", "expected an empty cell, found a stone on b2"),
        ("b2 a1 ¦P@a1", "expected an empty cell, found a stone on a1"),
    ] {
        table.push(bad(Illegal, &format!("position startpos moves {moves}"), says));
    }
    table.push(bad(Over, "position startpos moves a1 a2 b1 b2 c1 ¦c2", "the game is over before it"));
    table.push(bad(Over, "position fen xxx/oo1/3 o moves ¦z9", "the game is over before it"));
    table.push(bad(Go, "go searchmoves ¦b2 depth 3", "expected an empty cell"));
    table.push(bad(Go, "go depth 3 searchmoves a1 ¦d4", "expected a file from a to c"));
    table
}

fn gomoku() -> Vec<Bad> {
    let rest = "15/".repeat(13);
    let table = [
        ("¦xxxxx10/ooooo10/", "x", "a winning line of one side at most"),
        ("¦xxxxx10/oooo1o9/", "x", "no winning line of the side to move"),
        ("¦16/15/", "x", "row 1: expected a number of empty cells from 1 to 15"),
        ("15/¦14/", "x", "row 2: expected 15 cells, found 14"),
    ];
    let mut bad_lines: Vec<Bad> = table
        .into_iter()
        .map(|(rows, side, says)| {
            bad(Position, &format!("position fen {rows}{} {side}", rest.trim_end_matches('/')), says)
        })
        .collect();
    bad_lines.push(bad(Position, "position fen 3/3/3¦ x", "expected 15 rows, found 3"));
    bad_lines.push(bad(Illegal, "position startpos moves ¦p1", "expected a file from a to o"));
    bad_lines.push(bad(Illegal, "position startpos moves o¦16", "expected a rank from 1 to 15"));
    bad_lines
}

fn nim() -> Vec<Bad> {
    let heap = "expected a number from 0 to 4000000000";
    let mut table = Vec::new();
    for (board, says) in [
        ("¦3-4 1", "heaps: expected 3 joined by '-', found 2"),
        ("¦3-4-5-6 1", "heaps: expected 3 joined by '-', found 4"),
        ("¦21 1", "heaps: expected 3 joined by '-', found 1"),
        ("3-¦-5 1", heap),
        ("3-4-¦x 1", heap),
        ("¦-3-4-5 1", heap),
        ("¦+3-4-5 1", heap),
        ("3-4-¦4000000001 1", heap),
        ("3-4-¦18446744073709551616 1", heap),
        ("3-¦٤-5 1", heap),
        ("3-¦4.0-5 1", heap),
        ("3-4-¦\0 1", heap),
        ("3-4-5¦", "player: expected '1' or '2'"),
        ("3-4-5 ¦0", "player: expected '1' or '2'"),
        ("3-4-5 ¦3", "player: expected '1' or '2'"),
        ("3-4-5 ¦x", "player: expected '1' or '2'"),
        ("3-4-5 ¦１", "player: expected '1' or '2'"),
        ("3-4-5 1 ¦2", "expected nothing more, found '2'"),
        ("¦4000000000-4-5 1", "expected at most 65535 moves to choose from"),
        ("¦startpos", heap),
    ] {
        table.push(bad(Position, &format!("position fen {board}"), says));
    }
    for (moves, says) in [
        ("¦d1", "expected a heap from a to c and a number, as in a1"),
        ("¦A1", "expected a heap from a to c"),
        ("¦1", "expected a heap from a to c"),
        ("¦0000", "expected a heap from a to c"),
        ("¦é", "expected a heap from a to c"),
        ("a¦", "expected a number from 1 to 3 after the heap"),
        ("a¦0", "expected a number from 1 to 3 after the heap"),
        ("a¦4", "expected a number from 1 to 3 after the heap"),
        ("a¦-1", "expected a number from 1 to 3 after the heap"),
        ("a¦+1", "expected a number from 1 to 3 after the heap"),
        ("c¦18446744073709551617", "expected a number from 1 to 5 after the heap"),
        ("c¦１", "expected a number from 1 to 5 after the heap"),
        ("a3 ¦a1", "expected a heap that has matches left"),
        ("a1 b¦b1", "expected a number from 1 to 4 after the heap"),
    ] {
        table.push(bad(Illegal, &format!("position startpos moves {moves}"), says));
    }
    table.push(bad(Over, "position startpos moves a3 b4 c5 ¦a1", "the game is over before it"));
    table.push(bad(Go, "go depth 3 searchmoves ¦z1", "expected a heap from a to c"));
    table
}

/// The tables: a game, and the moves that lead to the position its lines are sent in.
fn tables() -> Vec<(&'static str, &'static str, Vec<Bad>)> {
    vec![
        ("awale", "A", any_game()),
        ("awale", "A", awale()),
        ("awale:mini", "A", awale_mini()),
        ("awale:awari", "A b", awale_awari()),
        ("awale:tipe", "A", awale_tipe()),
        ("tictactoe", "b2 c3", tictactoe()),
        ("gomoku", "h8", gomoku()),
        ("nim:3-4-5,take=any", "a1", nim()),
    ]
}

/// What a client can see of the state.
fn state(talk: &mut Talk, greeting: &str) -> Vec<String> {
    let mut state: Vec<String> = Vec::new();
    for question in ["fen", "legalmoves", "gameover", "result", "p1turn", "picture"] {
        state.push(talk.ask(&format!("query {question}")));
    }
    talk.send(greeting);
    state.extend(talk.until(&format!("{greeting}ok")));
    state
}

/// Sends a bad line and checks all that may come of it.
fn check(talk: &mut Talk, case: &Bad, greeting: &str, good: &str, before: &[String]) {
    let shown: String = String::from_utf8_lossy(&case.line).chars().take(100).collect();
    talk.log.clear();
    talk.log.push(format!("> {}", shown.escape_debug()));
    talk.send_raw(&case.line);
    talk.send_raw(b"\n");

    let note = talk.expect("info string *");
    assert!(note.contains(case.says), "{shown:?}: '{}' is not in '{note}'", case.says);
    let prefix = if case.kind == Clock { "info string warning: " } else { "info string error: " };
    assert!(note.starts_with(prefix), "{shown:?}: '{note}'");
    if let Some(column) = case.column {
        assert!(note.starts_with(&format!("{prefix}column {column}: ")), "{shown:?}: not column {column}: '{note}'");
    }
    assert!(!note.contains(char::is_control), "{shown:?}: {note:?}");
    assert!(note.chars().count() <= LONGEST_ANSWER, "{shown:?}: {} characters", note.chars().count());

    match case.kind {
        Go => assert_eq!(talk.expect("bestmove*"), "bestmove 0000", "{shown:?}"),
        Clock => {
            let search = talk.until("bestmove *");
            let best = search[search.len() - 1].split(' ').nth(1).unwrap();
            let legal = &before[1];
            assert!(legal.split(' ').any(|mv| mv == best), "{shown:?}: {best} is not in '{legal}'");
            assert!(search[..search.len() - 1].iter().all(|line| line.starts_with("info depth ")), "{search:?}");
            assert!(search.iter().any(|line| line.contains(" score ") && line.contains(" pv ")), "{search:?}");
        }
        _ => {}
    }
    assert_eq!(talk.ask("isready"), "readyok", "{shown:?}");

    match case.kind {
        Plain | Go | Clock => {}
        Position => {
            for question in ["fen", "legalmoves", "gameover", "result", "p1turn", "picture"] {
                assert_eq!(talk.ask(&format!("query {question}")), "response unknown", "{shown:?}");
            }
            let refused = talk.ask("go depth 1");
            assert!(refused.contains("there is no position"), "{shown:?}: {refused}");
            talk.expect("bestmove 0000");
        }
        Illegal | Over => {
            assert_eq!(talk.ask("query gameover"), "response true", "{shown:?}");
            let result = talk.ask("query result");
            if case.kind == Illegal {
                // Whoever was to move has lost by it.
                let loser = talk.ask("query p1turn");
                let expected = if loser == "response true" { "response p2win" } else { "response p1win" };
                assert_eq!(result, expected, "{shown:?}");
            } else {
                assert_ne!(result, "response none", "{shown:?}");
            }
            assert_eq!(talk.ask("query legalmoves"), "response", "{shown:?}");
        }
    }
    if matches!(case.kind, Position | Illegal | Over) {
        talk.send(good);
    }
    assert_eq!(state(talk, greeting), before, "{shown:?} changed the state");
}

fn run(mut talk: Talk, greeting: &str) -> usize {
    talk.send(greeting);
    talk.until(&format!("{greeting}ok"));
    let mut cases = 0;
    for (game, moves, table) in tables() {
        let good = format!("position startpos moves {moves}");
        talk.send(&format!("setoption name Game value {game}"));
        talk.send(&good);
        let before = state(&mut talk, greeting);
        for case in &table {
            check(&mut talk, case, greeting, &good, &before);
        }
        cases += table.len();
    }
    let rest = talk.rest();
    assert!(rest.is_empty(), "after the last answer: {rest:?}");
    cases
}

#[test]
fn no_bad_line_is_accepted_by_an_engine_that_speaks_ugi() {
    assert!(run(Talk::in_memory(), "ugi") >= 120);
}

#[test]
fn no_bad_line_is_accepted_by_an_engine_that_speaks_uci() {
    assert!(run(Talk::in_memory(), "uci") >= 120);
}

#[test]
fn no_bad_line_is_accepted_by_the_program() {
    assert!(run(Talk::process(&[]), "ugi") >= 120);
}

#[test]
fn bad_lines_during_a_search_are_answered_before_its_move() {
    let mut talk = Talk::in_memory();
    talk.send("go infinite");
    for (line, says) in [
        ("xboard", "*unknown command 'xboard'*"),
        ("debug maybe", "*expected 'on' or 'off'*"),
        ("setoption", "*expected 'name'*"),
        ("isready\0", "*unknown command*"),
    ] {
        talk.send(line);
        let said = talk.until(says);
        assert!(said.iter().all(|line| !line.starts_with("bestmove")), "{said:?}");
    }
    // These have their place in the order of things: behind the search.
    for line in ["go depth x", "position nowhere", "setoption name Hash value x", "position startpos"] {
        talk.send(line);
    }
    talk.send("stop");
    let search = talk.until("bestmove *");
    assert!(search.iter().all(|line| !line.starts_with("info string")), "{search:?}");
    talk.expect("info string error: column 10: *");
    talk.expect("bestmove 0000");
    talk.expect("info string error: column 10: expected 'startpos' or 'fen', *");
    talk.expect("info string error: column 27: option Hash: *");
    assert_eq!(talk.ask("query gameover"), "response false");
    assert!(talk.rest().is_empty());
}
