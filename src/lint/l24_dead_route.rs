//! L24: a route that no result can take.

use alloc::format;

use super::{
    Rule, Severity,
    findings::Findings,
    graph::{REJECTED, SCRIPT_RESULTS, condition_on},
    reading::{At, Reading},
};
use crate::{
    workflow::{CATCH_ALL, Work},
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
        let catch_all = condition_on(at.step, CATCH_ALL);
        let is_script = matches!(at.step.work, Work::Script(_));
        let all_taken = SCRIPT_RESULTS.iter().all(|result| condition_on(at.step, result).is_some());
        if catch_all.is_some() || is_script && all_taken {
            dead_next(reading, at, findings);
        }
        if is_script {
            dead_conditions(reading, at, all_taken, findings);
        }
    }
}

fn dead_next(reading: &Reading<'_>, at: At<'_>, findings: &mut Findings) {
    let Some(next) = at.node.get("next") else { return };
    let what = format!("this `next` of {} is never taken: the conditions leave nothing to it", quoted(at.name()));
    findings.add(&RULE, reading.file, next.place, what, "leave it out, or leave the condition on `default` out");
}

fn dead_conditions(reading: &Reading<'_>, at: At<'_>, all_taken: bool, findings: &mut Findings) {
    for node in at.node.get("conditions").and_then(Node::items).unwrap_or_default() {
        let Some(result) = node.get("on_result") else { continue };
        let text = result.text().unwrap_or_default();
        let rejected = at.step.human_gate.then_some(REJECTED);
        let is_own = SCRIPT_RESULTS.into_iter().chain(rejected).any(|own| own.eq_ignore_ascii_case(text));
        let is_rest = text.eq_ignore_ascii_case(CATCH_ALL) && !all_taken;
        if !is_own && !is_rest {
            let what = format!("no script reports {} here: it is `pass` or `fail`", quoted(text));
            findings.add(&RULE, reading.file, result.place, what, "leave the condition out, or name one of the two");
        }
    }
}
