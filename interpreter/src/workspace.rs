//! Workspace tools: what an agent may do in the checkout, within the bounds the core gives.

use nebuko::{
    event::{Failure, FailureKind, Outcome},
    workspace::ToolUse,
};

use crate::surroundings::Surroundings;

/// Uses a tool in the checkout.
pub(crate) fn run(_used: &ToolUse, _around: &Surroundings) -> Outcome {
    Outcome::Failed {
        failure: Failure {
            kind: FailureKind::Local,
            attempted: "use a workspace tool".into(),
            why: "it is not there yet".into(),
            next: String::new(),
        },
    }
}
