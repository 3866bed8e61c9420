//! L6: steps from which no route leads to an end.

use alloc::format;

use super::{Rule, Severity, findings::Findings, reading::Reading};
use crate::yaml::quoted;

pub(super) const RULE: Rule = Rule {
    id: "L6",
    name: "no-way-to-an-end",
    summary: "steps from which no route leads to an end",
    severity: Severity::Error,
    page: include_str!("../../docs/lint/L6.md"),
};

/// Reports all such steps of a file at once: they lead to each other, and one new route may mend them all.
pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    let Some(routes) = &reading.routes else { return };
    let ending = routes.graph.ending();
    let mut lost = reading.steps().filter(|at| routes.reachable[at.index] && !ending[at.index]);
    let Some(first) = lost.next() else { return };
    let what = format!("no route from the step {} leads to an end of the workflow", quoted(first.name()));
    let hint = "lead a route to `null`, or leave `next` out where the work is done";
    let finding = findings.add(&RULE, reading.file, first.name_place(), what, hint);
    finding.labels.extend(lost.map(|at| reading.label(at.name_place(), "nor from here")));
}
