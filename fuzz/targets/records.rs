//! Game records: any bytes are games or faults of one line; what is read can be written as JSON, and what is written in any format is
//! read again as one game with the same moves.

#![no_main]

use griot::registry::Registry;
use griot_records::{Format, Hints, Reader, Record, write};
use libfuzzer_sys::fuzz_target;

const FORMATS: [Format; 7] =
    [Format::Json, Format::Pgn, Format::Sgf, Format::Ggf, Format::Ogn, Format::Psq, Format::Moves];

fn games(bytes: &[u8]) -> Vec<Record> {
    let mut found = Vec::new();
    Reader::new(&Registry).read_file(bytes, &Hints::default(), &|_| None, &mut |game| {
        match game {
            Ok(record) => found.push(record),
            Err(fault) => assert!(!fault.to_string().chars().any(char::is_control), "{fault}"),
        }
        found.len() < 8
    });
    found
}

fuzz_target!(|bytes: &[u8]| {
    for record in games(bytes) {
        for format in FORMATS {
            let text = match write(&record, format, &Registry) {
                Ok(text) => text,
                Err(problem) => {
                    assert!(format != Format::Json, "{problem}");
                    continue;
                }
            };
            let back = games(text.as_bytes());
            assert_eq!(back.len(), 1, "{format:?}: {text}");
            assert_eq!(back[0].moves(), record.moves(), "{format:?}: {text}");
        }
    }
});
