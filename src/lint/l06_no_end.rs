//! L6: steps from which no route leads to an end.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L6",
    name: "no-way-to-an-end",
    summary: "steps from which no route leads to an end",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L6.md"),
};
