//! What the integration tests share: conversations with an engine in memory, evaluations that know little, and plain boards.

mod ignorant;
pub mod plain;
mod random;
#[cfg(target_os = "linux")]
mod terminal;

#[cfg(unix)]
pub use griot_testing::signal;
pub use griot_testing::{Folder, PATIENCE, Talk, matches, stdout_of, word, workspace_example, workspace_program};
pub use ignorant::{Ignorant, Known};
pub use random::{random_line, random_walk};
#[cfg(target_os = "linux")]
pub use terminal::Terminal;
