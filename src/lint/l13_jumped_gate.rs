//! L13: a gate that an agent before it can lead around.

use alloc::{collections::BTreeMap, format, vec, vec::Vec};

use super::{
    Rule, Severity,
    findings::Findings,
    graph::Dominators,
    reading::{At, Reading, Routes},
};
use crate::{
    workflow::{Opened, ways},
    yaml::{Node, Place, quoted},
};

pub(super) const RULE: Rule = Rule {
    id: "L13",
    name: "jumped-gate",
    summary: "a gate that an agent before it can lead around",
    severity: Severity::Warning,
    page: include_str!("../../docs/lint/L13.md"),
};

/// Reports a gate once: for the first agent whose hint lands behind it by mistake, else for the first route around it.
pub(super) fn check(reading: &Reading<'_>, findings: &mut Findings) {
    let Some(routes) = reading.routes.as_ref().filter(|_| reading.workflow.steps.iter().any(|step| step.human_gate))
    else {
        return;
    };
    let dominators = routes.graph.dominators();
    let gates = Gates { reading, routes, nearest: nearest_gates(reading, &dominators), dominators };
    let jumps = gates.jumps();
    let open = routes.graph.reachable_without_leaving(|step| reading.at(step).step.human_gate);
    for gate in reading.steps().filter(|at| at.step.human_gate && routes.reachable[at.index]) {
        match (jumps.get(&gate.index), gates.way_around(gate, &open)) {
            (Some(jump), _) => report_jump(reading, gate, jump, findings),
            (None, Some(way)) => report_way(reading, gate, way, findings),
            (None, None) => {}
        }
    }
}

/// Finds for each step the nearest gate that every way to it was released at.
fn nearest_gates(reading: &Reading<'_>, dominators: &Dominators) -> Vec<Option<usize>> {
    let mut nearest = vec![None; reading.workflow.steps.len()];
    for step in dominators.order() {
        let Some(above) = dominators.above(*step) else { continue };
        nearest[*step] = if reading.at(above).step.human_gate { Some(above) } else { nearest[above] };
    }
    nearest
}

struct Gates<'r, 'a> {
    reading: &'r Reading<'a>,
    routes: &'r Routes,
    /// For each step the nearest gate that every way to it was released at.
    nearest: Vec<Option<usize>>,
    dominators: Dominators,
}

/// An agent before a gate, and the step behind it that a hint of its own role's name leads to.
struct Jump {
    from: usize,
    to: usize,
}

impl Gates<'_, '_> {
    /// Finds for each gate the first jump over it.
    fn jumps(&self) -> BTreeMap<usize, Jump> {
        let mut steps: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in self.reading.steps() {
            at.step.agent().into_iter().for_each(|role| steps.entry(role).or_default().push(at.index));
        }
        let mut jumps = BTreeMap::new();
        for (role, steps) in steps.iter().filter(|(_, steps)| steps.len() > 1) {
            for place in 0..steps.len() {
                let Some(gate) = self.nearest[steps[place]] else { continue };
                if let Some(from) = self.hinting(role, steps, place, gate) {
                    jumps.entry(gate).or_insert(Jump { from, to: steps[place] });
                }
            }
        }
        jumps
    }

    /// Finds an agent before the gate whose hint at a role leads to the role's step at a place of its list, though a
    /// step before the gate has the role too.
    ///
    /// A hint leads to a declared target of that role, else to the next such step below, else to the nearest above.
    fn hinting(&self, role: &str, steps: &[usize], place: usize, gate: usize) -> Option<usize> {
        let others = [steps[0], steps[place.saturating_sub(1)]];
        let is_shared = others.iter().any(|other| *other != steps[place] && self.is_before(*other, gate));
        let above = place.checked_sub(1).map_or(0, |above| steps[above]);
        let below = if place + 1 == steps.len() { self.reading.workflow.steps.len() } else { steps[place] };
        let mut from = (above..below).filter(|from| *from != steps[place]);
        from.find(|from| is_shared && self.is_free(*from, gate) && !self.leads_to(*from, role))
    }

    /// Tells whether a run comes to a step with no release of a gate, the gate's own step counted in.
    fn is_before(&self, step: usize, gate: usize) -> bool {
        self.routes.reachable[step] && (step == gate || !self.dominators.dominates(gate, step))
    }

    /// Tells whether an agent runs before a gate and has none of its own.
    fn is_free(&self, step: usize, gate: usize) -> bool {
        let own = self.reading.at(step).step;
        own.agent().is_some() && !own.human_gate && self.is_before(step, gate)
    }

    fn leads_to(&self, step: usize, role: &str) -> bool {
        self.routes.graph.routes(step).iter().any(|to| self.reading.at(*to).step.agent() == Some(role))
    }

    /// Finds a step that leads to where a release leads, where a run comes to it with no release at all. A step that
    /// every run passes before the gate is no such place: there a release sends the work back.
    fn way_around(&self, gate: At<'_>, open: &[bool]) -> Option<(usize, usize)> {
        let released = ways(gate.step).into_iter().filter(|way| way.opened != Opened::ByRejection);
        released.filter_map(|way| self.reading.index_of(way.next?)).find_map(|to| {
            let is_behind = to != gate.index && open[to] && !self.dominators.dominates(to, gate.index);
            let leads = |from: &usize| self.routes.graph.routes(*from).contains(&to);
            let is_open = |from: &usize| open[*from] && !self.reading.at(*from).step.human_gate;
            let mut from = (0..open.len()).filter(|_| is_behind).filter(is_open).filter(leads);
            Some((from.next()?, to))
        })
    }
}

fn report_jump(reading: &Reading<'_>, gate: At<'_>, jump: &Jump, findings: &mut Findings) {
    let (from, to) = (reading.at(jump.from), reading.at(jump.to));
    let role = quoted(to.step.role());
    let what = format!(
        "the step {} can hand on to {role} and land behind this gate, at {}",
        quoted(from.name()),
        quoted(to.name())
    );
    let hint = format!("give {} a role that no step before the gate has", quoted(to.name()));
    let finding = findings.add(&RULE, reading.file, gate.place_of("human_gate"), what, hint);
    finding.labels.push(reading.label(from.name_place(), format!("here a hint names {role}")));
    finding.labels.push(reading.label(to.place_of("agent"), "and this is the step that it finds"));
}

fn report_way(reading: &Reading<'_>, gate: At<'_>, (from, to): (usize, usize), findings: &mut Findings) {
    let (from, to) = (reading.at(from), reading.at(to));
    let what = format!("a route leads around this gate to {}, where a release leads too", quoted(to.name()));
    let hint = format!("put the gate on every way to {}", quoted(to.name()));
    let finding = findings.add(&RULE, reading.file, gate.place_of("human_gate"), what, hint);
    finding.labels.push(reading.label(route_place(from, to.name()), "this route passes no gate"));
}

/// Finds where a step says that it leads to another.
fn route_place(from: At<'_>, to: &str) -> Place {
    let conditions = from.node.get("conditions").and_then(Node::items).unwrap_or_default();
    let mut targets = conditions.iter().chain([from.node]).filter_map(|node| node.get("next"));
    targets.find(|node| node.text() == Some(to)).map_or(from.name_place(), |node| node.place)
}
