//! The steps of a workflow as a graph: which leads where, which can end it, and what stands before what.
//!
//! Only declared routes count: a step that runs again because it said so, or a person who sends a run elsewhere, is
//! no way in and no way out. Every walk is one pass over steps and routes.

use alloc::{collections::BTreeMap, vec, vec::Vec};

use crate::workflow::{CATCH_ALL, Condition, Step, Work, Workflow};

mod components;
mod dominators;

pub(super) use components::components;
pub(super) use dominators::Dominators;

/// The result of a script that went well, and of one that did not (reference: Workflow YAML Grammar).
pub(super) const SCRIPT_RESULTS: [&str; 2] = ["pass", "fail"];
/// The result on which a rejected gate leads somewhere (decision 4).
pub(super) const REJECTED: &str = "rejected";
/// The step where a workflow begins.
pub(super) const ENTRY: usize = 0;

/// The declared routes of a workflow, over the indices of its steps.
pub(super) struct Graph {
    /// Where each step leads, each target once, in the order of the file.
    routes: Vec<Vec<usize>>,
    /// What leads to each step.
    backwards: Vec<Vec<usize>>,
    /// Whether a step can end the workflow.
    ends: Vec<bool>,
}

impl Graph {
    /// Takes the routes of a workflow. A target that is not there is no route.
    pub(super) fn of(workflow: &Workflow, index: &BTreeMap<&str, usize>) -> Self {
        let mut graph =
            Self { routes: Vec::new(), backwards: vec![Vec::new(); workflow.steps.len()], ends: Vec::new() };
        for step in &workflow.steps {
            let (mut routes, mut ends) = (Vec::new(), false);
            for target in targets(step) {
                match target {
                    None => ends = true,
                    Some(name) => routes.extend(index.get(name)),
                }
            }
            routes.sort_unstable();
            routes.dedup();
            graph.routes.push(routes);
            graph.ends.push(ends);
        }
        for (from, routes) in graph.routes.iter().enumerate() {
            routes.iter().for_each(|to| graph.backwards[*to].push(from));
        }
        graph
    }

    /// How many steps there are.
    pub(super) fn len(&self) -> usize {
        self.routes.len()
    }

    /// Where a step leads, by index.
    pub(super) fn routes(&self, step: usize) -> &[usize] {
        &self.routes[step]
    }

    /// Tells for each step whether a run can come to it.
    pub(super) fn reachable(&self) -> Vec<bool> {
        self.walk(&self.routes, [ENTRY], |_| true)
    }

    /// Tells for each step whether a run can come to it and leave none of some steps on its way.
    pub(super) fn reachable_without_leaving(&self, closed: impl Fn(usize) -> bool) -> Vec<bool> {
        self.walk(&self.routes, [ENTRY], |step| !closed(step))
    }

    /// Tells for each step whether some way from it ends the workflow.
    pub(super) fn ending(&self) -> Vec<bool> {
        let ends = (0..self.len()).filter(|step| self.ends[*step]);
        self.walk(&self.backwards, ends, |_| true)
    }

    /// Tells for each step whether a way of one route or more leads from it to a step.
    pub(super) fn before(&self, step: usize) -> Vec<bool> {
        self.walk(&self.backwards, self.backwards[step].iter().copied(), |_| true)
    }

    /// Finds which step stands on every way to which other.
    pub(super) fn dominators(&self) -> Dominators {
        Dominators::of(&self.routes, ENTRY)
    }

    fn walk(
        &self,
        routes: &[Vec<usize>],
        from: impl IntoIterator<Item = usize>,
        goes_on: impl Fn(usize) -> bool,
    ) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut open: Vec<usize> = from.into_iter().collect();
        while let Some(step) = open.pop() {
            let is_new = seen.get_mut(step).is_some_and(|seen| !core::mem::replace(seen, true));
            if is_new && goes_on(step) {
                open.extend(&routes[step]);
            }
        }
        seen
    }
}

/// Gives every place where a step can lead; `None` is the end.
pub(super) fn targets(step: &Step) -> Vec<Option<&str>> {
    let rejected = condition_on(step, REJECTED).filter(|_| step.human_gate);
    let rejected = rejected.map(|condition| condition.next.as_deref());
    released(step).into_iter().chain(rejected).collect()
}

/// Gives where a step can lead but for a person who rejects its gate.
///
/// A script has two results; an agent and a workflow can report what they like.
pub(super) fn released(step: &Step) -> Vec<Option<&str>> {
    if let Work::Script(_) = step.work {
        return SCRIPT_RESULTS.iter().map(|result| target_on(step, result)).collect();
    }
    let is_rejection = |on: &str| step.human_gate && on.eq_ignore_ascii_case(REJECTED);
    let conditions = step.conditions.iter().filter(|condition| !is_rejection(&condition.on_result));
    let rest = condition_on(step, CATCH_ALL).is_none().then_some(step.next.as_deref());
    conditions.map(|condition| condition.next.as_deref()).chain(rest).collect()
}

/// Finds the condition on a result; case does not count.
pub(super) fn condition_on<'w>(step: &'w Step, result: &str) -> Option<&'w Condition> {
    step.conditions.iter().find(|condition| condition.on_result.eq_ignore_ascii_case(result))
}

fn target_on<'w>(step: &'w Step, result: &str) -> Option<&'w str> {
    let condition = condition_on(step, result).or_else(|| condition_on(step, CATCH_ALL));
    condition.map_or(step.next.as_deref(), |condition| condition.next.as_deref())
}

#[cfg(test)]
mod brute;
#[cfg(test)]
mod tests;
