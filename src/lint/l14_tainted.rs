//! L14: a stranger's text in the code of a shell or an interpreter.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L14",
    name: "tainted-command",
    summary: "a stranger's text in the code of a shell or an interpreter",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L14.md"),
};
