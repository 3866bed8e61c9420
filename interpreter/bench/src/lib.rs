//! What nebuko's core is measured with: long threads, the phases a thread goes through, and whole runs in memory.
//!
//! Criterion measures throughput in `benches/`, and `src/bin/gate.rs` does one phase alone, so that its
//! instructions and its memory can be counted. `docs/performance.md` says how to measure and what came of it.

mod forge;
mod phase;
mod thread;

pub use forge::{Forge, shipped_setup};
pub use phase::{Eyes, messages, parse, reconciled, reconciled_again, rendered};
pub use thread::{ACTOR, INITIATOR, Mix, comment, report, thread_json};
