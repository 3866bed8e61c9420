//! L25: what a release of gates takes, in a file without a gate.

use super::{Rule, Severity, findings::Findings, reading::Reading};

pub(super) const RULE: Rule = Rule {
    id: "L25",
    name: "idle-gate",
    summary: "what it takes to release gates, in a file without a gate",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L25.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    let Some(place) = reading.root.key_place("gate") else { return };
    if !reading.workflow.steps.iter().any(|step| step.human_gate) {
        let what = "no step of this file has a gate that this could hold for";
        let hint = "add `human_gate: true` to the step that people are to release, or leave `gate` out";
        findings.add(&RULE, reading.file, place, what, hint);
    }
}
