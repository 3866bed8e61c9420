//! L22: a file that cannot be read.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L22",
    name: "unreadable",
    summary: "a file that cannot be read",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L22.md"),
};
