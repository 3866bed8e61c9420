//! L3: a step that does not say exactly one of agent, workflow, repo and script.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L3",
    name: "one-kind-of-work",
    summary: "a step that does not say exactly one of agent, workflow, repo and script",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L3.md"),
};
