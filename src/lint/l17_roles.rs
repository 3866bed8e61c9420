//! L17: an agent without a prompt.

use alloc::format;

use super::{Rule, Severity, findings::Findings, reading::Reading};
use crate::yaml::quoted;

pub(super) const RULE: Rule = Rule {
    id: "L17",
    name: "unknown-agent",
    summary: "an agent without a prompt",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L17.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    let roles = &reading.around.roles;
    for at in reading.steps() {
        let Some(role) = at.step.agent().filter(|role| !role.is_empty() && !roles.contains(role)) else { continue };
        let hint = findings.near(role, roles.iter().copied(), format!("write a prompt for it, as `agents/{role}.md`"));
        let what = format!("the agent {} has no prompt", quoted(role));
        findings.add(&RULE, reading.file, at.place_of("agent"), what, hint);
    }
}
