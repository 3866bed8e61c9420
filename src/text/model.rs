//! What is said about models and their services.

use alloc::{format, string::String};

use crate::agent::{Fault, FaultKind};

/// A service answered, and the answer is no completion.
pub(crate) fn no_answer(fault: &Fault) -> String {
    let words = match &fault.kind {
        FaultKind::Provider { code, message } if code.is_empty() => {
            format!("the model's service reports an error: {message}")
        }
        FaultKind::Provider { code, message } => format!("the model's service reports an error ({code}): {message}"),
        FaultKind::Shapeless { keys } => {
            format!("the model's service gave no choice; its answer has the keys [{}]", keys.join(", "))
        }
        FaultKind::Refusal { why } => format!("the model gave no answer: {why}"),
        FaultKind::Broken { why } => format!("the model's answer cannot be read: {why}"),
        FaultKind::NotJson { why } => format!("the model's service gave no JSON: {why}"),
    };
    if fault.id.is_empty() { words } else { format!("{words} (request {})", fault.id) }
}
