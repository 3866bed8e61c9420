//! L8: a declared input that is not bound exactly once, or a bound one that is not declared.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L8",
    name: "unbound-input",
    summary: "a declared input that is not bound exactly once, or a bound one that is not declared",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L8.md"),
};
