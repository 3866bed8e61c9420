//! L12: a script whose failure goes the way of its success.

use alloc::format;

use super::{Rule, Severity, findings::Findings, reading::Reading};
use crate::{
    workflow::{CATCH_ALL, FAIL, Work, condition_on},
    yaml::quoted,
};

pub(super) const RULE: Rule = Rule {
    id: "L12",
    name: "no-fail-route",
    summary: "a script whose failure goes the way of its success",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L12.md"),
};

pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    for at in reading.sound_steps().filter(|at| matches!(at.step.work, Work::Script(_))) {
        if [FAIL, CATCH_ALL].iter().all(|result| condition_on(&at.step.conditions, result).is_none()) {
            let what = format!("the script {} goes on the same way when it fails", quoted(at.name()));
            let hint = "add a condition on `fail`, or on `default`, that says where a failure leads";
            findings.add(&RULE, reading.file, at.name_place(), what, hint);
        }
    }
}
