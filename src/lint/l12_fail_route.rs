//! L12: a script whose failure goes the way of its success.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L12",
    name: "no-fail-route",
    summary: "a script whose failure goes the way of its success",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L12.md"),
};
