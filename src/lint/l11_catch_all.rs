//! L11: conditions that leave a result without a route.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L11",
    name: "no-catch-all",
    summary: "conditions that leave a result without a route",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L11.md"),
};
