//! L7: a mount of a workflow that is not there, of itself, or too deep.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L7",
    name: "bad-mount",
    summary: "a mount of a workflow that is not there, of itself, or too deep",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L7.md"),
};
