//! L24: a route that no result can take.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L24",
    name: "dead-route",
    summary: "a route that no result can take",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L24.md"),
};
