//! L15: a workflow of another repository that is not pinned to a commit.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L15",
    name: "unpinned-repo",
    summary: "a workflow of another repository that is not pinned to a commit",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L15.md"),
};
