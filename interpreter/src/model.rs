//! Models: whatever answers a chat completion.
//!
//! One goes over the wire, one chooses among such by the settings, one reads its lines from a file. None looks into what
//! it hands over.

mod providers;
mod script;

use nebuko::{agent::ChatRequest, effect::Asking, event::Outcome};

pub use providers::Providers;
pub(crate) use providers::nobody_to_ask;
pub use script::{ScriptError, ScriptModel};

pub use crate::wire::model::HttpModel;

/// Something that answers chat completions.
pub trait Model {
    /// Answers one request: `Completed`, or `Failed`.
    fn complete(&mut self, request: &ChatRequest, how: &Asking) -> Outcome;

    /// How many requests were made so far: over the wire, or each completion asked of a script.
    fn requests(&self) -> u64 {
        0
    }
}
