//! L16: a loop that no agent and no gate slows down.

use alloc::{format, vec::Vec};

use super::{
    Rule, Severity,
    findings::Findings,
    graph::components,
    reading::{Reading, Routes},
};
use crate::yaml::quoted;

pub(super) const RULE: Rule = Rule {
    id: "L16",
    name: "unbounded-loop",
    summary: "a loop that no agent and no gate slows down",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L16.md"),
};

/// Reports each such loop once: the steps of it that wait for nobody, and that a run can come to.
pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    let Some(Routes { graph, reachable }) = &reading.routes else { return };
    let is_fast: Vec<bool> =
        reading.steps().map(|at| reachable[at.index] && !reading.mounting.is_slow(at.step)).collect();
    let fast_routes = |step: usize| -> Vec<usize> {
        let routes = graph.routes(step).iter().copied();
        routes.filter(|to| is_fast[step] && is_fast[*to]).collect()
    };
    let routes: Vec<Vec<usize>> = (0..graph.len()).map(fast_routes).collect();
    let mut loops = components(&routes);
    loops.retain(|steps| steps.len() > 1 || routes[steps[0]].contains(&steps[0]));
    for steps in loops {
        report(reading, &steps, findings);
    }
}

fn report(reading: &Reading<'_>, steps: &[usize], findings: &mut Findings) {
    let names: Vec<_> = steps.iter().map(|step| quoted(&reading.at(*step).step.name)).collect();
    let what = format!("nothing but the engine's limits ends this loop of scripts: {}", names.join(", "));
    let hint = "put an agent or a step with `human_gate: true` into the loop, or let the script try again by itself";
    let finding = findings.add(&RULE, reading.file, reading.at(steps[0]).name_place(), what, hint);
    finding.labels.extend(steps[1..].iter().map(|step| reading.label(reading.at(*step).name_place(), "in the loop")));
}
