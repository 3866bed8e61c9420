//! L5: a step that no route leads to.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L5",
    name: "unreachable-step",
    summary: "a step that no route leads to",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L5.md"),
};
