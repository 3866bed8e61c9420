//! L16: a loop that no agent and no gate slows down.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L16",
    name: "unbounded-loop",
    summary: "a loop that no agent and no gate slows down",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L16.md"),
};
