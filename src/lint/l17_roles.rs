//! L17: an agent without a prompt.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L17",
    name: "unknown-agent",
    summary: "an agent without a prompt",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L17.md"),
};
