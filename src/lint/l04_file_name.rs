//! L4: a workflow whose name is not its file's.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L4",
    name: "name-is-not-the-file",
    summary: "a workflow whose name is not its file's",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L4.md"),
};
