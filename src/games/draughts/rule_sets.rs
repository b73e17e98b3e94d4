//! The rule sets as data. Adding one is a row of [`RULES`]; nothing else names a rule set. Layer 2, plain data.
//!
//! CITE: World Draughts Federation (FMJD), "Official rules", annexes for international, Russian and Brazilian draughts; World
//! Checkers Draughts Federation, "Rules of draughts (checkers)"; Federazione Italiana Dama, "Regolamento tecnico"; American Pool
//! Checkers Association, "Official rules"; W. Stoop, "Frisian draughts"; F. Letouzey, Scan (breakthrough, losing).

/// The colour of a player's pieces. White stands at the bottom and moves up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// The pieces on the squares of high numbers.
    White,
    /// The pieces on the squares of low numbers.
    Black,
}

impl Color {
    /// The opponent's colour.
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// What becomes of a man that reaches the last row by a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// It is crowned, and the move ends.
    Ends,
    /// It goes on as a man while it can capture, and is crowned only if the move ends there.
    GoesOn,
    /// It is crowned at once and goes on as a king.
    Crowned,
}

/// Which of several captures may be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Any.
    Free,
    /// One that takes the most pieces.
    Most,
    /// One of the greatest value, where a king is worth a little less than two men; of equal ones, one by a king.
    Value,
    /// One that takes the most pieces; of those, one by a king; of those, one that takes the most kings; of those, one that takes
    /// a king earliest.
    Ranked,
}

/// Who wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The opponent of a player who cannot move.
    Block,
    /// The same, or the first to have a king.
    Crown,
    /// The player who cannot move.
    Lose,
}

/// How squares are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// By numbers from 1 in the upper left corner: `32`.
    Numbers,
    /// By column and row, as in chess: `c3`.
    Letters,
}

/// An ending that is drawn after a number of plies, whatever moves. A side with more pieces, or with as many, is the stronger one.
#[derive(Debug, Clone, Copy)]
pub struct Ending {
    /// The least and the greatest number of pieces of the stronger side.
    pub strong: [u32; 2],
    /// The least number of kings among them.
    pub strong_kings: u32,
    /// The greatest number of pieces of the weaker side, which has a king.
    pub weak: u32,
    /// The greatest number of men on the board.
    pub men: u32,
    /// Whether the weaker side's king stands on the long diagonal.
    pub on_main_road: bool,
    /// The number of plies.
    pub plies: u8,
}

/// A rule set.
#[derive(Debug)]
pub struct Rules {
    /// Its name after `draughts:`.
    pub name: &'static str,
    /// Its title in English.
    pub title: &'static str,
    /// Columns and rows of the board: 8 or 10.
    pub size: u32,
    /// Whether the square in the lower right corner is one of the board's, instead of the lower left one.
    pub mirrored: bool,
    /// Rows of men at the start.
    pub rows: u32,
    /// Who begins.
    pub first: Color,
    /// Whether kings move and capture over any distance.
    pub flying: bool,
    /// Whether men capture backwards, too.
    pub backward: bool,
    /// Whether pieces capture along rows and columns, too.
    pub orthogonal: bool,
    /// Whether men capture kings.
    pub men_take_kings: bool,
    /// What becomes of a man that reaches the last row by a capture.
    pub passing: Passing,
    /// Which captures may be played.
    pub choice: Choice,
    /// How often in a row a player who has men may move the same king without a capture; 0 for no limit.
    pub king_run: u8,
    /// Who wins.
    pub goal: Goal,
    /// The number of plies without a capture or a man's move that make a draw.
    pub quiet: u8,
    /// Endings with a count of their own.
    pub endings: &'static [Ending],
    /// How squares are named.
    pub names: Names,
}

const INTERNATIONAL: Rules = Rules {
    name: "international",
    title: "International draughts",
    size: 10,
    mirrored: false,
    rows: 4,
    first: Color::White,
    flying: true,
    backward: true,
    orthogonal: false,
    men_take_kings: true,
    passing: Passing::GoesOn,
    choice: Choice::Most,
    king_run: 0,
    goal: Goal::Block,
    quiet: 50,
    endings: &[
        Ending { strong: [3, 3], strong_kings: 1, weak: 1, men: 2, on_main_road: false, plies: 32 },
        Ending { strong: [1, 2], strong_kings: 1, weak: 1, men: 1, on_main_road: false, plies: 10 },
    ],
    names: Names::Numbers,
};

const ENGLISH: Rules = Rules {
    name: "english",
    title: "English draughts (checkers)",
    size: 8,
    rows: 3,
    first: Color::Black,
    flying: false,
    backward: false,
    passing: Passing::Ends,
    choice: Choice::Free,
    quiet: 80,
    endings: &[],
    ..INTERNATIONAL
};

const RUSSIAN: Rules = Rules {
    name: "russian",
    title: "Russian draughts (shashki)",
    size: 8,
    rows: 3,
    passing: Passing::Crowned,
    choice: Choice::Free,
    quiet: 30,
    endings: &[
        Ending { strong: [1, 3], strong_kings: 1, weak: 1, men: 2, on_main_road: true, plies: 10 },
        Ending { strong: [1, 2], strong_kings: 1, weak: 1, men: 1, on_main_road: false, plies: 10 },
        Ending { strong: [3, 12], strong_kings: 3, weak: 1, men: 0, on_main_road: false, plies: 30 },
    ],
    names: Names::Letters,
    ..INTERNATIONAL
};

const BRAZILIAN: Rules = Rules {
    name: "brazilian",
    title: "Brazilian draughts",
    size: 8,
    rows: 3,
    quiet: 40,
    endings: &[
        Ending { strong: [1, 3], strong_kings: 1, weak: 1, men: 2, on_main_road: true, plies: 10 },
        Ending { strong: [1, 2], strong_kings: 1, weak: 2, men: 1, on_main_road: false, plies: 10 },
    ],
    names: Names::Letters,
    ..INTERNATIONAL
};

/// The rule sets. The first is the one that is meant by `draughts` alone.
pub const RULES: [Rules; 9] = [
    INTERNATIONAL,
    ENGLISH,
    RUSSIAN,
    BRAZILIAN,
    Rules {
        name: "pool",
        title: "Pool checkers",
        first: Color::Black,
        passing: Passing::GoesOn,
        quiet: 80,
        endings: &[Ending { strong: [3, 3], strong_kings: 3, weak: 1, men: 0, on_main_road: false, plies: 26 }],
        names: Names::Numbers,
        ..RUSSIAN
    },
    Rules {
        name: "italian",
        title: "Italian draughts",
        mirrored: true,
        first: Color::White,
        men_take_kings: false,
        choice: Choice::Ranked,
        ..ENGLISH
    },
    Rules {
        name: "frisian",
        title: "Frisian draughts",
        orthogonal: true,
        choice: Choice::Value,
        king_run: 3,
        quiet: 100,
        endings: &[
            Ending { strong: [2, 2], strong_kings: 2, weak: 1, men: 0, on_main_road: false, plies: 14 },
            Ending { strong: [1, 1], strong_kings: 1, weak: 1, men: 0, on_main_road: false, plies: 4 },
        ],
        ..INTERNATIONAL
    },
    Rules { name: "breakthrough", title: "Breakthrough draughts", goal: Goal::Crown, ..INTERNATIONAL },
    Rules { name: "losing", title: "Losing draughts", goal: Goal::Lose, ..INTERNATIONAL },
];

/// The rule set of that name, as an index of [`RULES`].
#[must_use]
pub fn named(name: &str) -> Option<u8> {
    RULES.iter().position(|rules| rules.name == name).map(|number| number as u8)
}
