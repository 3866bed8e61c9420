//! L21: an ignore comment that ignores nothing, or says no reason.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L21",
    name: "bad-ignore",
    summary: "an ignore comment that ignores nothing, or says no reason",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L21.md"),
};
