//! The steps of a workflow as a graph: which leads where, which can end it, and what stands before what.
//!
//! Only declared routes count: a step that runs again because it said so, or a person who sends a run elsewhere, is
//! no way in and no way out. Every walk is one pass over steps and routes.

use alloc::{collections::BTreeMap, vec, vec::Vec};

use crate::workflow::{Workflow, ways};

mod components;
mod dominators;

pub(super) use components::components;
pub(super) use dominators::Dominators;

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
            for way in ways(step) {
                match way.next {
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

#[cfg(test)]
mod brute;
#[cfg(test)]
mod tests;
