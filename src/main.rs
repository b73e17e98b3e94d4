//! The griot program.
fn main() {}
