//! Lines as words, and the columns they stand at; and `info` lines as numbers.

/// The words of a line, each with the byte at which it begins.
pub type Words<'a> = Box<dyn Iterator<Item = (usize, &'a str)> + 'a>;

/// Blanks, tabs and other white space of ASCII.
pub fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

/// The words of a line.
pub fn words(line: &str) -> Words<'_> {
    let start = line.as_ptr() as usize;
    let words = line.split(is_blank).filter(|word| !word.is_empty());
    Box::new(words.map(move |word| (word.as_ptr() as usize - start, word)))
}

/// The column of a byte, in characters from 1; nothing stands for the end of the line.
pub fn column(line: &str, at: Option<usize>) -> usize {
    line[..at.unwrap_or(line.len())].chars().count() + 1
}

/// An `info` line with numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Info {
    /// Whether chances to win, draw and lose stand in it.
    pub has_chances: bool,
    pub depth: u64,
    pub seldepth: Option<u64>,
    pub rank: Option<usize>,
    pub score: Option<Told>,
    pub nodes: u64,
    pub hashfull: u64,
    pub time: u64,
    pub current: Option<(String, u64)>,
    pub pv: Option<String>,
}

/// A score as it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    pub mate: bool,
    pub value: i64,
    /// -1: an upper bound, 1: a lower one.
    pub bound: i8,
}

fn whole(text: &str) -> Result<i64, String> {
    text.parse().map_err(|_| format!("no number is '{text}'"))
}

impl Info {
    /// Reads a line; every word stands where protocol.md has it.
    pub fn read(line: &str) -> Result<Info, String> {
        let mut rest = line.strip_prefix("info ").ok_or("expected an info line")?;
        let mut info = Info { depth: number(&mut rest, "depth")?, ..Info::default() };
        info.seldepth = optional(&mut rest, "seldepth")?;
        info.rank = optional(&mut rest, "multipv")?.map(|rank| rank as usize);
        if let Some(after) = rest.strip_prefix("score ") {
            rest = after;
            let kind = word(&mut rest)?;
            let mut mate = match kind {
                "mate" => true,
                "cp" => false,
                _ => return Err(format!("no score is '{kind}'")),
            };
            let mut value: i64 = whole(word(&mut rest)?)?;
            // A result may have its balance before it.
            if let Some(after) = rest.strip_prefix("mate ").filter(|_| !mate) {
                rest = after;
                let balance = std::mem::replace(&mut value, whole(word(&mut rest)?)?);
                if balance == 0 || (balance > 0) != (value > 0) {
                    return Err(format!("no balance of mate {value} is {balance}"));
                }
                mate = true;
            }
            let bound = match rest.split(' ').next() {
                Some("lowerbound") => 1,
                Some("upperbound") => -1,
                _ => 0,
            };
            if bound != 0 {
                word(&mut rest)?;
            }
            info.score = Some(Told { mate, value, bound });
            if let Some(after) = rest.strip_prefix("wdl ") {
                rest = after;
                let chances: Vec<i64> = (0..3).map(|_| whole(word(&mut rest)?)).collect::<Result<_, String>>()?;
                if chances.iter().sum::<i64>() != 1000 || chances.iter().any(|&chance| chance < 0) {
                    return Err(format!("no chances are {chances:?}"));
                }
                info.has_chances = true;
            }
        }
        info.nodes = number(&mut rest, "nodes")?;
        number(&mut rest, "nps")?;
        info.hashfull = number(&mut rest, "hashfull")?;
        number(&mut rest, "tbhits")?;
        info.time = number(&mut rest, "time")?;
        if let Some(after) = rest.strip_prefix("currmove ") {
            rest = after;
            let mv = word(&mut rest)?.to_owned();
            info.current = Some((mv, number(&mut rest, "currmovenumber")?));
        }
        if let Some(pv) = rest.strip_prefix("pv ") {
            info.pv = Some(pv.to_owned());
            rest = "";
        }
        if rest.is_empty() { Ok(info) } else { Err(format!("no word of an info line stands here: '{rest}'")) }
    }
}

fn word<'a>(rest: &mut &'a str) -> Result<&'a str, String> {
    let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
    *rest = after;
    if word.is_empty() { Err("a word is missing, or there is a blank too many".into()) } else { Ok(word) }
}

fn number(rest: &mut &str, name: &str) -> Result<u64, String> {
    let found = word(rest)?;
    if found != name {
        return Err(format!("expected '{name}', found '{found}'"));
    }
    let value = word(rest)?;
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|_| digits).ok_or_else(|| format!("{name}: no number is '{value}'"))
}

fn optional(rest: &mut &str, name: &str) -> Result<Option<u64>, String> {
    if rest.split(' ').next() == Some(name) { number(rest, name).map(Some) } else { Ok(None) }
}
