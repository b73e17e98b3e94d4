//! How fast PGN is read: 100 MB through the splitter and the tokenizer on one thread, in blocks of 1 MiB.
//!
//! `cargo bench -p griot-records --bench pgn`. Prints MB per second of processor time (where the system does not tell it, of time) without
//! the rules, and with them for a tenth of the text, and how many bytes wait at most.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark")]

use std::fs;
use std::time::Instant;

use griot::registry::Registry;
use griot_records::{Catalogue, Format, Hints, Reader, Record, Splitter, decode, write, written_games};

/// The text that is read.
const BYTES: usize = 100_000_000;
const BLOCK: usize = 1 << 20;

/// Games of random moves with comments, as griot writes them.
fn games(count: usize) -> String {
    let mut random = 1_u64;
    let mut below = move |most: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % most
    };
    let mut text = String::new();
    for number in 0..count {
        let mut rules = Registry.open("chess").unwrap();
        let mut record = Record::new("chess", Format::Pgn);
        record.players = [Some(format!("player {number}")), Some("another".into())];
        let mut node = 0;
        for _ in 0..80 {
            let legal = rules.legal();
            if legal.is_empty() {
                break;
            }
            let mv = rules.play(&legal[below(legal.len())]).unwrap();
            node = record.add(node, mv);
            if below(4) == 0 {
                record.notes_mut(node).clock = Some(below(3000) as f64);
            }
        }
        text += &write(&record, Format::Pgn, &Registry).unwrap();
    }
    text
}

/// How long this thread has run, in seconds: other work on the machine does not count.
fn seconds(begin: Instant) -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn split(text: &str, mut each: impl FnMut(&[u8], usize)) -> usize {
    let mut splitter = Splitter::default();
    let mut most = 0;
    let mut blocks = text.as_bytes().chunks(BLOCK).peekable();
    while let Some(block) = blocks.next() {
        splitter.push(block);
        most = most.max(splitter.waiting());
        while let Some((line, game)) = splitter.next(blocks.peek().is_none()) {
            each(&game, line);
        }
    }
    most
}

fn main() {
    let some = games(500);
    let text = some.repeat(BYTES.div_ceil(some.len()));
    let megabytes = |bytes: usize| bytes as f64 / 1e6;
    let start = Instant::now();
    let begin = seconds(start);
    let (mut count, mut plies) = (0, 0);
    let most = split(&text, |game, _| {
        for record in written_games(&decode(game)) {
            count += 1;
            plies += record.len() - 1;
        }
    });
    let rate = megabytes(text.len()) / (seconds(start) - begin);
    println!("without the rules: {count} games, {plies} plies, {rate:.0} MB/s; at most {most} bytes waited");
    let part = &text[..some.len() * (BYTES / 10).div_ceil(some.len())];
    let mut reader = Reader::new(&Registry);
    let begin = seconds(start);
    let mut good = 0;
    split(part, |game, line| {
        reader.read(game, line, &Hints::default(), &mut |found| {
            good += usize::from(found.is_ok());
            true
        });
    });
    let rate = megabytes(part.len()) / (seconds(start) - begin);
    println!("with the rules: {good} games, {rate:.1} MB/s");
}
