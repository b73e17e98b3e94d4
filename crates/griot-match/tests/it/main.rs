//! The integration tests of `griot-match`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "the helpers of tests stand outside the test functions"
)]

mod matches;
