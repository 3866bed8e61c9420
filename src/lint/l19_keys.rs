//! L19: a key that is unknown or stands twice.

use super::{Rule, Severity};

pub(super) const RULE: Rule = Rule {
    id: "L19",
    name: "bad-key",
    summary: "a key that is unknown or stands twice",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L19.md"),
};
