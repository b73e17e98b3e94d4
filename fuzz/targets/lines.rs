//! Command lines in every dialect: a line is read or refused, and an error is one line that names a column in the
//! input.

#![no_main]

use griot::protocol::{dialects, is_empty, opened_by, parse, refuse, tidy};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines().take(8) {
        let _ = opened_by(line);
        assert!(!tidy(line).chars().any(char::is_control));
        for (_, name) in dialects() {
            let dialect = griot::protocol::dialect(name);
            let request = parse(dialect, line);
            assert_eq!(request, parse(dialect, line), "read twice");
            // The reader skips blank lines and comments.
            if is_empty(line) {
                continue;
            }
            if let Err(problem) = request.command {
                assert!(!problem.text.chars().any(char::is_control), "{problem:?}");
                let length = line.chars().count();
                assert!(
                    problem.column.is_none_or(|column| (1..=length + 1).contains(&column)),
                    "{line:?}: {problem:?}"
                );
                let _ = refuse(dialect, line, problem);
            }
        }
    }
});
