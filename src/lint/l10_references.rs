//! L10: a reference to an input or a step that cannot be there.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L10",
    name: "unresolved-reference",
    summary: "a reference to an input or a step that cannot be there",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L10.md"),
};
