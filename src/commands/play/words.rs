//! What `griot play` says, in English and in French: the one place with words for people who play. Layer 6.
//!
//! `{0}`, `{1}`, ... stand for what is filled in.

use griot::message::{BoardPicture, Color, Player, PlayerNames, Shape};

use crate::cli::Language;

/// Something to be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Say {
    /// Game, level.
    Welcome,
    FullStrength,
    /// Level.
    AtLevel,
    /// Elo.
    AtElo,
    /// Name of the side.
    YouAre,
    YouAreBoth,
    YouAreNone,
    HelpHint,
    Help,
    /// Side, move.
    Played,
    /// Side, move, thoughts.
    GriotPlayed,
    /// Thoughts.
    Thinks,
    /// Side.
    YourTurn,
    /// Side.
    GriotsTurn,
    /// How many.
    ManyMoves,
    Pass,
    /// Depth, score.
    Thought,
    /// Moves that are expected.
    Expects,
    /// Side, moves of the winner.
    WinsIn,
    /// Side, margin.
    WinsBy,
    /// Side.
    IsWinning,
    /// Side, moves of the winner.
    LosesIn,
    /// Move, thoughts.
    Hint,
    /// Text, reason.
    Refused,
    /// Text.
    OneAtATime,
    /// Number, count.
    NoSuchNumber,
    /// Side.
    Wins,
    Draw,
    YouWon,
    GriotWon,
    AfterTheEnd,
    Over,
    /// Moves that are left.
    TakenBack,
    NothingToTakeBack,
    /// Side.
    Resigns,
    NothingToResign,
    NoMoves,
    /// What is to be named behind the command.
    NameFile,
    /// File, moves.
    Saved,
    /// File, moves.
    Loaded,
    /// Move, its number.
    NoSuchMove,
    /// Ply, of how many.
    Reviewing,
    /// Moves, nodes.
    Reviewed,
    /// Ply, side, move, sign, size, value before, value after, better line.
    MistakeWas,
    Blunder,
    Mistake,
    Slip,
    NoMistakes,
    /// Side, accuracy, counts of mistakes.
    Accuracy,
    /// Value, side.
    Ahead,
    /// Side.
    Won,
    Drawn,
    CannotSwap,
    /// What is wrong.
    Wrong,
    South,
    North,
    /// Number of the player.
    Numbered,
    /// Side, pieces.
    Count,
    TakeAny,
    TakeOne,
    White,
    Red,
    Yellow,
    Black,
    /// Matches.
    TakeUpTo,
    LastWins,
    LastLoses,
    Bye,
}

impl Say {
    /// In English and in French.
    #[rustfmt::skip]
    const fn texts(self) -> [&'static str; 2] {
        match self {
            Say::Welcome => ["griot plays {0}, {1}.", "griot joue à {0}, {1}."],
            Say::FullStrength => ["at full strength", "à pleine force"],
            Say::AtLevel => ["at level {0}", "au niveau {0}"],
            Say::AtElo => ["at {0} Elo", "à {0} Elo"],
            Say::YouAre => ["You are {0}.", "Vous êtes {0}."],
            Say::YouAreBoth => ["Both sides are yours.", "Les deux camps sont à vous."],
            Say::YouAreNone => ["griot plays both sides.", "griot joue les deux camps."],
            Say::HelpHint => ["Type a move by its name or number, or ? for help.",
                "Tapez un coup par son nom ou son numéro, ou ? pour l'aide."],
            Say::Help => [
                "A move is typed as it is listed, or by its number in the list. Besides:
  hint        what griot would play in your place, at full strength
  undo        takes back your last move, and the answer to it
  resign      gives the game up
  review [N]  what each move lost, and what would have been better: N nodes for each position, 200000 if not said
  record      the moves of the game
  save FILE   writes the game to a file, which griot analyse and the page of griot-board read as well
  load FILE   goes on with a game from a file
  swap        changes sides
  new [GAME]  a new game: new, new othello, new nim:3-4-5
  level N     how strong griot plays, from 0 to 20
  moves       lists the moves, however many; moves e2 shows those from e2 on the board
  board       draws the board again
  quit        ends, as do Ctrl-C and the end of the input",
                "Un coup se tape comme dans la liste, ou par son numéro. Et aussi :
  conseil        ce que griot jouerait à votre place, à pleine force
  annuler        reprend votre dernier coup, et la réponse
  abandonner     abandonne la partie
  revue [N]      ce que chaque coup a perdu, et ce qui valait mieux : N nœuds par position, 200000 si rien n'est dit
  partie         les coups de la partie
  enregistrer FICHIER   écrit la partie dans un fichier, que lisent aussi griot analyse et la page de griot-board
  charger FICHIER       reprend une partie d'un fichier
  changer        change de camp
  nouveau [JEU]  une nouvelle partie : nouveau, nouveau othello, nouveau nim:3-4-5
  niveau N       la force de griot, de 0 à 20
  coups          liste tous les coups possibles ; coups e2 montre ceux de e2 sur le plateau
  plateau        redessine le plateau
  quitter        termine, comme Ctrl-C ou la fin de l'entrée"],
            Say::Played => ["{0} plays {1}.", "{0} joue {1}."],
            Say::GriotPlayed => ["{0} (griot) plays {1}: {2}.", "{0} (griot) joue {1} : {2}."],
            Say::Thinks => ["griot thinks: {0}", "griot réfléchit : {0}"],
            Say::YourTurn => ["{0} to move: your move.", "Trait : {0}. À vous de jouer."],
            Say::GriotsTurn => ["{0} to move: griot thinks.", "Trait : {0}. griot réfléchit."],
            Say::ManyMoves => ["{0} moves are possible; 'moves' lists them.",
                "{0} coups sont possibles ; « coups » les liste."],
            Say::Pass => ["pass", "passe"],
            Say::Thought => ["depth {0}, {1}", "profondeur {0}, {1}"],
            Say::Expects => ["expects {0}", "attend {0}"],
            Say::WinsIn => ["{0} wins in {1}", "{0} gagne en {1}"],
            Say::WinsBy => ["{0} wins by {1}", "{0} gagne de {1}"],
            Say::IsWinning => ["{0} wins", "{0} gagne"],
            Say::LosesIn => ["{0} loses in {1}", "{0} perd en {1}"],
            Say::Ahead => ["{0} for {1}", "{0} pour {1}"],
            Say::Won => ["{0} has won", "{0} a gagné"],
            Say::Drawn => ["a draw", "match nul"],
            Say::Resigns => ["{0} resigns.", "{0} abandonne."],
            Say::NothingToResign => ["No side is yours.", "Aucun camp n'est à vous."],
            Say::NoMoves => ["No move has been played.", "Aucun coup n'a été joué."],
            Say::NameFile => ["Name a file: save FILE, load FILE.", "Nommez un fichier : enregistrer FICHIER, charger FICHIER."],
            Say::Saved => ["Saved to {0}; moves: {1}.", "Enregistré dans {0} ; coups : {1}."],
            Say::Loaded => ["Loaded from {0}; moves: {1}.", "Chargé de {0} ; coups : {1}."],
            Say::NoSuchMove => ["move {1}: '{0}' cannot be played", "coup {1} : « {0} » ne peut être joué"],
            Say::Reviewing => ["reviewing position {0} of {1}", "revue de la position {0} sur {1}"],
            Say::Reviewed => ["Review: moves: {0}, {1} nodes for each position.", "Revue : coups : {0}, {1} nœuds par position."],
            Say::MistakeWas => ["{0}. {1} {2} {3}  {4}: {5}, then {6}; better: {7}",
                "{0}. {1} {2} {3}  {4} : {5}, puis {6} ; mieux : {7}"],
            Say::Blunder => ["a blunder", "une gaffe"],
            Say::Mistake => ["a mistake", "une faute"],
            Say::Slip => ["a slip", "une imprécision"],
            Say::NoMistakes => ["No mistakes.", "Aucune faute."],
            Say::Accuracy => ["{0}: accuracy {1} %, {2}", "{0} : précision {1} %, {2}"],
            Say::Hint => ["Hint: {0} ({1}).", "Conseil : {0} ({1})."],
            Say::Refused => ["'{0}' cannot be played: {1}.", "« {0} » ne peut être joué (le moteur dit : {1})."],
            Say::OneAtATime => ["'{0}' is more than one move; type one at a time.",
                "« {0} » est plus d'un coup ; tapez-en un à la fois."],
            Say::NoSuchNumber => ["There is no move {0}; there are 1 to {1}.",
                "Il n'y a pas de coup {0} ; il y en a de 1 à {1}."],
            Say::Wins => ["The game is over: {0} wins.", "La partie est finie : {0} gagne."],
            Say::Draw => ["The game is over: a draw.", "La partie est finie : match nul."],
            Say::YouWon => ["You have won.", "Vous avez gagné."],
            Say::GriotWon => ["griot has won.", "griot a gagné."],
            Say::AfterTheEnd => ["Type review, new, undo or quit.", "Tapez revue, nouveau, annuler ou quitter."],
            Say::Over => ["The game is over; type review, new, undo or quit.",
                "La partie est finie ; tapez revue, nouveau, annuler ou quitter."],
            Say::TakenBack => ["Taken back; moves played: {0}.", "Repris ; coups joués : {0}."],
            Say::NothingToTakeBack => ["There is no move of yours to take back.", "Vous n'avez aucun coup à reprendre."],
            Say::CannotSwap => ["There are no sides to change: one player has both.",
                "Pas de camp à changer : un joueur a les deux."],
            Say::Wrong => ["{0}.", "Le moteur dit : {0}."],
            Say::South => ["South", "Sud"],
            Say::North => ["North", "Nord"],
            Say::White => ["White", "Blanc"],
            Say::Red => ["Red", "Rouge"],
            Say::Yellow => ["Yellow", "Jaune"],
            Say::Black => ["Black", "Noir"],
            Say::Numbered => ["player {0}", "joueur {0}"],
            Say::Count => ["{0} {1}", "{0} {1}"],
            Say::TakeAny => ["take any number from one heap", "prendre autant que l'on veut d'un seul tas"],
            Say::TakeOne => ["take 1", "prendre 1"],
            Say::TakeUpTo => ["take 1 to {0} from one heap", "prendre de 1 à {0} d'un seul tas"],
            Say::LastWins => ["the last match wins", "la dernière allumette gagne"],
            Say::LastLoses => ["the last match loses", "la dernière allumette perd"],
            Say::Bye => ["Goodbye.", "Au revoir."],
        }
    }
}

/// What a player can ask for, in the words of both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Hint,
    Undo,
    Swap,
    New,
    Level,
    Moves,
    Board,
    Resign,
    Record,
    Save,
    Load,
    Review,
    Help,
    Quit,
}

/// Commands are words of two letters and more: letters are moves of some games.
const WORDS: &[(&str, Word)] = &[
    ("hint", Word::Hint),
    ("conseil", Word::Hint),
    ("undo", Word::Undo),
    ("annuler", Word::Undo),
    ("swap", Word::Swap),
    ("changer", Word::Swap),
    ("new", Word::New),
    ("nouveau", Word::New),
    ("level", Word::Level),
    ("niveau", Word::Level),
    ("moves", Word::Moves),
    ("coups", Word::Moves),
    ("board", Word::Board),
    ("plateau", Word::Board),
    ("resign", Word::Resign),
    ("abandonner", Word::Resign),
    ("record", Word::Record),
    ("partie", Word::Record),
    ("save", Word::Save),
    ("enregistrer", Word::Save),
    ("load", Word::Load),
    ("charger", Word::Load),
    ("review", Word::Review),
    ("revue", Word::Review),
    ("help", Word::Help),
    ("aide", Word::Help),
    ("?", Word::Help),
    ("quit", Word::Quit),
    ("exit", Word::Quit),
    ("quitter", Word::Quit),
];

/// The move that passes, as games write it.
pub(super) const PASS: &str = "0000";

/// What is asked for, if it is a command and not a move.
pub(super) fn word(text: &str) -> Option<Word> {
    let text = text.to_lowercase();
    WORDS.iter().find(|(known, _)| *known == text).map(|(_, word)| *word)
}

/// Whether somebody means to pass.
pub(super) fn is_pass(text: &str) -> bool {
    Say::Pass.texts().iter().any(|word| word.eq_ignore_ascii_case(text))
}

impl Language {
    /// That of the variables by which programs are told: the first of them that says anything counts.
    pub(super) fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Language {
        let said = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable).find(|said| !said.is_empty());
        match said.as_deref().and_then(|said| said.split(['_', '.', '@', '-']).next()) {
            Some(language) if language.eq_ignore_ascii_case("fr") => Language::Fr,
            _ => Language::En,
        }
    }

    /// A sentence, filled in.
    pub(super) fn say(self, say: Say, parts: &[&str]) -> String {
        let mut rest = say.texts()[self as usize];
        let mut text = String::new();
        // Parts may hold braces of their own, so that they are never looked at again.
        while let Some((before, after)) = rest.split_once('{') {
            let (place, behind) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(before);
            text.push_str(place.parse().ok().and_then(|place: usize| parts.get(place)).copied().unwrap_or_default());
            rest = behind;
        }
        text + rest
    }

    /// What a player is called.
    pub(super) fn name(self, board: &BoardPicture, player: Player) -> String {
        match (board.players, player) {
            (PlayerNames::Colors, _) => match board.color_name(player) {
                Some(Color::White) => self.say(Say::White, &[]),
                Some(Color::Black) => self.say(Say::Black, &[]),
                Some(Color::Red) => self.say(Say::Red, &[]),
                Some(Color::Yellow) => self.say(Say::Yellow, &[]),
                None => String::new(),
            },
            (PlayerNames::Marks(marks), _) => marks[player.index()].into(),
            (PlayerNames::Compass, Player::First) => self.say(Say::South, &[]),
            (PlayerNames::Compass, Player::Second) => self.say(Say::North, &[]),
            (PlayerNames::Numbers, _) => self.say(Say::Numbered, &[&(player.index() + 1).to_string()]),
        }
    }

    /// What there is to know of a board besides what is seen on it: counts, or the rule.
    pub(super) fn facts(self, board: &BoardPicture) -> Option<String> {
        let facts = match (&board.shape, board.counts) {
            (Shape::Heaps { most, last_wins, .. }, _) => {
                let take = match most {
                    None => self.say(Say::TakeAny, &[]),
                    Some(1) => self.say(Say::TakeOne, &[]),
                    Some(most) => self.say(Say::TakeUpTo, &[&most.to_string()]),
                };
                [take, self.say(if *last_wins { Say::LastWins } else { Say::LastLoses }, &[])]
            }
            (_, Some(counts)) => [Player::First, Player::Second].map(|player| {
                let name = self.name(board, player);
                self.say(Say::Count, &[&name, &counts[player.index()].to_string()])
            }),
            _ => return None,
        };
        Some(facts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_says_anything_tells_the_language() {
        for (variables, language) in [
            (&[][..], Language::En),
            (&[("LANG", "fr_FR.UTF-8")], Language::Fr),
            (&[("LANG", "fr")], Language::Fr),
            (&[("LANG", "fro_FR")], Language::En),
            (&[("LANG", "de_DE"), ("LC_MESSAGES", "FR@euro")], Language::Fr),
            (&[("LANG", "fr_FR"), ("LC_ALL", "C.UTF-8")], Language::En),
            (&[("LANG", "fr_FR"), ("LC_ALL", "")], Language::Fr),
            (&[("LC_CTYPE", "fr_FR")], Language::En),
        ] {
            let value = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, v)| (*v).to_owned());
            assert_eq!(Language::of_locale(value), language, "{variables:?}");
        }
    }

    #[test]
    fn parts_are_filled_in_once_and_where_they_belong() {
        assert_eq!(Language::En.say(Say::Refused, &["{1}", "no such cell"]), "'{1}' cannot be played: no such cell.");
        assert_eq!(Language::Fr.say(Say::Played, &["x", "b2"]), "x joue b2.");
    }

    #[test]
    fn players_and_facts_are_told_in_both_languages() {
        let named = |language: Language, board: &BoardPicture| {
            [Player::First, Player::Second].map(|player| language.name(board, player)).join(" ")
        };
        let names = |language, players| named(language, &BoardPicture { players, ..BoardPicture::text("") });
        let colors = |language, first, second| {
            let board = BoardPicture { players: PlayerNames::Colors, ..BoardPicture::text("") };
            named(language, &board.colored(first, second))
        };
        assert_eq!(names(Language::En, PlayerNames::Compass), "South North");
        assert_eq!(names(Language::Fr, PlayerNames::Compass), "Sud Nord");
        assert_eq!(names(Language::Fr, PlayerNames::Numbers), "joueur 1 joueur 2");
        assert_eq!(names(Language::Fr, PlayerNames::Marks(['P', 'p'])), "P p");
        assert_eq!(colors(Language::En, Color::White, Color::Black), "White Black");
        assert_eq!(colors(Language::Fr, Color::White, Color::Black), "Blanc Noir");
        assert_eq!(colors(Language::En, Color::Black, Color::White), "Black White");
        assert_eq!(colors(Language::Fr, Color::Red, Color::Yellow), "Rouge Jaune");
        let heaps = |most, last_wins| {
            let shape = Shape::Heaps { heaps: Vec::new(), most, last_wins };
            BoardPicture { players: PlayerNames::Numbers, colors: None, shape, counts: None }
        };
        let discs =
            BoardPicture { players: PlayerNames::Marks(['x', 'o']), counts: Some([4, 1]), ..BoardPicture::text("") };
        for (board, english, french) in [
            (
                heaps(Some(3), false),
                "take 1 to 3 from one heap, the last match loses",
                "prendre de 1 à 3 d'un seul tas, la dernière allumette perd",
            ),
            (heaps(Some(1), true), "take 1, the last match wins", "prendre 1, la dernière allumette gagne"),
            (
                heaps(None, true),
                "take any number from one heap, the last match wins",
                "prendre autant que l'on veut d'un seul tas, la dernière allumette gagne",
            ),
            (discs, "x 4, o 1", "x 4, o 1"),
        ] {
            assert_eq!(Language::En.facts(&board).as_deref(), Some(english));
            assert_eq!(Language::Fr.facts(&board).as_deref(), Some(french));
        }
        assert_eq!(Language::En.facts(&BoardPicture::text("7 a")), None);
    }

    #[test]
    fn every_command_is_told_by_the_help_of_both_kinds() {
        use clap::CommandFactory;
        let mut cli = crate::cli::Cli::command();
        let told = cli.find_subcommand_mut("play").map(|play| play.render_long_help().to_string()).unwrap();
        let words = |text: &str| text.split(|c: char| !c.is_alphabetic()).map(str::to_owned).collect::<Vec<_>>();
        let known = words(&told);
        // Of several words for one thing the first of each language is told.
        for (word, _) in WORDS.iter().filter(|(word, _)| !["?", "help", "aide", "exit"].contains(word)) {
            assert!(known.contains(&(*word).to_owned()), "{word}: {told}");
            let typed = [Language::En, Language::Fr].map(|language| words(&language.say(Say::Help, &[]))).concat();
            assert!(typed.contains(&(*word).to_owned()), "{word}");
        }
    }

    #[test]
    fn no_command_is_a_letter_which_may_be_a_move() {
        assert!(WORDS.iter().all(|(word, _)| word.len() > 1 || *word == "?"));
        assert_eq!((word("UNDO"), word("Annuler"), word("u")), (Some(Word::Undo), Some(Word::Undo), None));
        assert!(is_pass("Pass") && is_pass("passe") && !is_pass("p"));
    }
}
