//! L13: a gate that an agent before it can lead around.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L13",
    name: "jumped-gate",
    summary: "a gate that an agent before it can lead around",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L13.md"),
};
