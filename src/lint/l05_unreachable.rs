//! L5: a step that no route leads to.

use alloc::format;

use super::{Rule, Severity, findings::Findings, graph::ENTRY, reading::Reading};
use crate::yaml::quoted;

pub(super) const RULE: Rule = Rule {
    id: "L5",
    name: "unreachable-step",
    summary: "a step that no route leads to",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L5.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    let Some(routes) = &reading.routes else { return };
    for at in reading.steps().filter(|at| !routes.reachable[at.index]) {
        let what = format!("no route leads to the step {}", quoted(at.name()));
        let hint = "lead a `next` or a condition of a step that runs to it, or leave it out";
        let finding = findings.add(&RULE, reading.file, at.name_place(), what, hint);
        let entry = reading.at(ENTRY);
        finding.labels.push(reading.label(entry.name_place(), "a run begins here"));
    }
}
