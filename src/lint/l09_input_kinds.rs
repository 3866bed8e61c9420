//! L9: an input that is bound to the other kind.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L9",
    name: "wrong-kind",
    summary: "an input that is bound to the other kind",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L9.md"),
};
