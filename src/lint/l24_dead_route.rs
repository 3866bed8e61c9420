//! L24: a route that no result can take.

use alloc::format;

use super::{
    Rule, Severity,
    findings::Findings,
    reading::{At, Reading},
};
use crate::{
    workflow::{Work, leaves_nothing, taken},
    yaml::{Node, quoted},
};

pub(super) const RULE: Rule = Rule {
    id: "L24",
    name: "dead-route",
    summary: "a route that no result can take",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L24.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.sound_steps() {
        if leaves_nothing(at.step) {
            dead_next(reading, at, findings);
        }
        if matches!(at.step.work, Work::Script(_)) {
            dead_conditions(reading, at, findings);
        }
    }
}

fn dead_next(reading: &Reading<'_>, at: At<'_>, findings: &mut Findings) {
    let Some(next) = at.node.get("next") else { return };
    let what = format!("this `next` of {} is never taken: the conditions leave nothing to it", quoted(at.name()));
    findings.add(&RULE, reading.file, next.place, what, "leave it out, or leave the condition on `default` out");
}

fn dead_conditions(reading: &Reading<'_>, at: At<'_>, findings: &mut Findings) {
    let nodes = at.node.get("conditions").and_then(Node::items).unwrap_or_default();
    let taken = taken(at.step);
    for (node, condition) in nodes.iter().zip(&at.step.conditions) {
        let is_taken = taken.iter().any(|one| core::ptr::eq(*one, condition));
        let Some(result) = node.get("on_result").filter(|_| !is_taken) else { continue };
        let what = format!("no script reports {} here: it is `pass` or `fail`", quoted(&condition.on_result));
        findings.add(&RULE, reading.file, result.place, what, "leave the condition out, or name one of the two");
    }
}
