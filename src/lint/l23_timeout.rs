//! L23: a time limit above the longest that is granted.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L23",
    name: "capped-timeout",
    summary: "a time limit above the longest that is granted",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L23.md"),
};
