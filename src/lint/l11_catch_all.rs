//! L11: conditions that leave a result without a route.

use alloc::format;

use super::{Rule, Severity, findings::Findings, reading::Reading};
use crate::{workflow::leaves_nothing, yaml::quoted};

pub(super) const RULE: Rule = Rule {
    id: "L11",
    name: "no-catch-all",
    summary: "conditions that leave a result without a route",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L11.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.sound_steps() {
        let is_open = !at.step.conditions.is_empty() && at.node.get("next").is_none() && !leaves_nothing(at.step);
        if is_open {
            let what =
                format!("a result that no condition of {} names ends the workflow without a word", quoted(at.name()));
            let hint = "add a condition on `default`, or say `next`";
            findings.add(&RULE, reading.file, at.node.key_place("conditions").unwrap_or(at.node.place), what, hint);
        }
    }
}
