//! L18: a skill that is not there.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L18",
    name: "unknown-skill",
    summary: "a skill that is not there",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L18.md"),
};
