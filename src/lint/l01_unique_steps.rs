//! L1: two steps of one name.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L1",
    name: "duplicate-step",
    summary: "two steps of one name",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L1.md"),
};
