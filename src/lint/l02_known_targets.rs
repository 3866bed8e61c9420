//! L2: a route to a step that is not there.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L2",
    name: "unknown-target",
    summary: "a route to a step that is not there",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L2.md"),
};
