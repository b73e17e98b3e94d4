//! The rules of awalé: what the variants share is code, what differs is a constant of [`Variant`]. Layer 2.
//!
//! CITE: J. W. Romein, H. E. Bal, "Awari is solved", ICGA Journal 25(3), 2002 (`Awari`).
//! CITE: Épreuve commune de TIPE, partie D, "Jeu de l'awalé", 2012 (`Tipe` and the 2×3 board of `Mini`).

use std::fmt::Debug;

/// What happens to a move whose captures would take all seeds of the opponent's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrandSlam {
    /// It may be played, and captures nothing.
    CapturesNothing,
    /// It may be played, and captures, only when every move leaves the opponent without seeds.
    OnlyIfForced,
}

/// Who gets the seeds left on the board when the game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Each side gets those in its own row.
    OwnSide,
    /// Half each, or none at all: the stores decide.
    Even,
    /// The side to move gets all but one, the opponent gets that one.
    MoverLessOne,
}

/// Why a game is over, repetition aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A store holds more than half of all seeds.
    Majority,
    /// No more than [`Variant::FEW_SEEDS`] seeds are left on the board.
    FewSeeds,
    /// The side to move has no seeds: the opponent gets the rest.
    NoSeeds,
    /// The opponent has no seeds, and no move gives them any.
    NoFeedingMove,
}

/// The parameters of one variant of the rules.
///
/// In all variants a move sows one house of the mover's row anticlockwise, one seed to each house and none to the
/// origin, on any lap. If the last seed falls into a house of the opponent's row and brings it to 2 to
/// [`CAPTURE_MAX`](Variant::CAPTURE_MAX) seeds, that house is captured, and so is the unbroken run of such houses
/// before it in that row. A player whose opponent has no seeds must play a move that gives some, if there is one.
pub trait Variant: Copy + Eq + Debug + Send + Sync + 'static {
    /// The name users select the variant by.
    const NAME: &'static str;
    /// Houses in each row, at most 6.
    const HOUSES: usize = 6;
    /// Seeds in each house at the start.
    const SEEDS: u8 = 4;
    /// The largest content of a house that is captured, 2 or 3; the smallest is 2.
    const CAPTURE_MAX: u8 = 3;
    /// The most houses one move captures.
    const CAPTURE_HOUSES: usize = 6;
    /// The rule for a move that would capture everything.
    const GRAND_SLAM: GrandSlam;
    /// The end of a game in which the mover cannot feed an opponent without seeds; `None`: any move may be played.
    const UNFED: Option<Rest>;
    /// The end of a game in which houses, stores and side to move repeat.
    const REPETITION: Rest;
    /// The stores decide the game when the board holds no more seeds than this.
    const FEW_SEEDS: u8 = 0;
    /// All seeds of the game, at most 63.
    const TOTAL: u8 = 2 * Self::HOUSES as u8 * Self::SEEDS;
    /// The game is over when a store holds this many.
    const MAJORITY: u8 = Self::TOTAL / 2 + 1;
}

/// The rules of tournaments, under which the game is best known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abapa;

impl Variant for Abapa {
    const NAME: &'static str = "awale";
    const GRAND_SLAM: GrandSlam = GrandSlam::CapturesNothing;
    const UNFED: Option<Rest> = Some(Rest::OwnSide);
    const REPETITION: Rest = Rest::OwnSide;
}

/// The rules under which the game was solved.
///
/// "Another move" of the grand slam rule is read as a move that leaves the opponent a seed, so that one sentence covers slams
/// and feeding: such a move must be played if there is one, otherwise every house that holds seeds may be sown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awari;

impl Variant for Awari {
    const NAME: &'static str = "awale:awari";
    const GRAND_SLAM: GrandSlam = GrandSlam::OnlyIfForced;
    const UNFED: Option<Rest> = None;
    const REPETITION: Rest = Rest::Even;
}

/// The rules of the French exam text of 2012.
///
/// The text leaves these points open, and griot reads them as follows. The four captured houses are the last four of
/// the run, counted back from the last seed. If every move takes the last seeds of an opponent who has some, such a
/// move is played and captures ("unless there is no other move"); the end "mover takes the rest less one" applies only
/// to an opponent who already had no seeds. The rule of six seeds comes before the rules about sides without seeds,
/// because the capture ends the game. Where the text contradicts itself (six seeds and recurring positions: a draw, or
/// a win for the fuller store), its last sentence counts: the fuller store wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tipe;

impl Variant for Tipe {
    const NAME: &'static str = "awale:tipe";
    const CAPTURE_HOUSES: usize = 4;
    const GRAND_SLAM: GrandSlam = GrandSlam::OnlyIfForced;
    const UNFED: Option<Rest> = Some(Rest::MoverLessOne);
    const REPETITION: Rest = Rest::Even;
    const FEW_SEEDS: u8 = 6;
}

/// The small Wari of the exam text: two rows of three houses, two seeds each, captures of exactly two seeds from the
/// last house alone. Where the text says nothing, the rules of [`Abapa`] apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mini;

impl Variant for Mini {
    const NAME: &'static str = "awale:mini";
    const HOUSES: usize = 3;
    const SEEDS: u8 = 2;
    const CAPTURE_MAX: u8 = 2;
    const CAPTURE_HOUSES: usize = 1;
    const GRAND_SLAM: GrandSlam = GrandSlam::CapturesNothing;
    const UNFED: Option<Rest> = Some(Rest::OwnSide);
    const REPETITION: Rest = Rest::OwnSide;
}
