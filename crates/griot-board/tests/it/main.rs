//! The integration tests of `griot-board`: its HTTP server, and the protocol over a WebSocket. `tests/web` tests the page.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub,
    reason = "the helpers of tests stand outside the test functions"
)]

mod server;
mod sockets;
mod surfaces;
