//! L20: a value of the wrong type, or one that is not allowed.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L20",
    name: "bad-value",
    summary: "a value of the wrong type, or one that is not allowed",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L20.md"),
};
