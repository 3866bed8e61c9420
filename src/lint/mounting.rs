//! Which workflow mounts which, over all that there are: who comes back to itself, and how deep it goes.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec,
    vec::Vec,
};

use super::{Around, LintFile, graph::components};
use crate::workflow::{Step, Work, Workflow, own_key};

/// All workflows and their mounts.
pub(super) struct Mounting<'a> {
    known: Vec<(&'a str, &'a Workflow)>,
    index: BTreeMap<&'a str, usize>,
    by_location: BTreeMap<&'a str, usize>,
    mounts: Vec<Vec<usize>>,
    /// The number of each workflow's component: workflows that mount each other in a circle share one.
    component: Vec<usize>,
    /// How many workflows stand in one another below each, itself counted in; a circle counts as one.
    depth: Vec<usize>,
    /// Whether a person or a model has a say in each, or in what it mounts.
    is_slow: Vec<bool>,
    /// The files that are looked at, by what the parser calls them.
    files: BTreeMap<&'a str, &'a LintFile<'a>>,
}

impl<'a> Mounting<'a> {
    pub(super) fn of(files: &'a [LintFile<'a>], around: &'a Around<'a>) -> Self {
        let known: Vec<_> = around.workflows.iter().map(|(key, workflow)| (key.as_str(), workflow)).collect();
        let index: BTreeMap<_, _> = known.iter().enumerate().map(|(index, (key, _))| (*key, index)).collect();
        let by_location = known.iter().enumerate().map(|(index, (_, flow))| (flow.location.as_str(), index)).collect();
        let callees = |workflow: &'a Workflow| {
            let names = workflow.steps.iter().filter_map(mounted);
            names.filter_map(|name| find(&index, name)).collect::<BTreeSet<_>>().into_iter().collect()
        };
        let mounts: Vec<Vec<usize>> = known.iter().map(|(_, workflow)| callees(workflow)).collect();
        let located = files.iter().filter_map(|file| Some((file.parsed.workflow.as_ref()?.location.as_str(), file)));
        let files = located.collect();
        let (component, depth, is_slow) = (vec![0; known.len()], vec![1; known.len()], vec![false; known.len()]);
        let mut mounting = Self { known, index, by_location, mounts, component, depth, is_slow, files };
        mounting.measure();
        mounting
    }

    /// Goes over the components, callees first.
    fn measure(&mut self) {
        for (number, members) in components(&self.mounts).into_iter().enumerate() {
            members.iter().for_each(|member| self.component[*member] = number);
            let below: Vec<usize> = members.iter().flat_map(|member| &self.mounts[*member]).copied().collect();
            let outside = below.iter().filter(|callee| self.component[**callee] != number);
            let depth = 1 + outside.map(|callee| self.depth[*callee]).max().unwrap_or_default();
            let is_slow = members.iter().any(|member| self.known[*member].1.steps.iter().any(slows))
                || below.iter().any(|callee| self.is_slow[*callee]);
            for member in members {
                (self.depth[member], self.is_slow[member]) = (depth, is_slow);
            }
        }
    }

    /// Finds a workflow by the name or path that a step mounts.
    pub(super) fn find(&self, name: &str) -> Option<Mounted<'a>> {
        find(&self.index, name).map(|index| self.mounted(index))
    }

    fn mounted(&self, index: usize) -> Mounted<'a> {
        let (key, workflow) = self.known[index];
        Mounted { index, key, workflow, file: self.files.get(workflow.location.as_str()).copied() }
    }

    /// Gives the names of all workflows.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.known.iter().map(|(key, _)| *key)
    }

    /// Tells how many workflows stand in one another below one, itself counted in.
    pub(super) fn depth(&self, mounted: &Mounted<'_>) -> usize {
        self.depth[mounted.index]
    }

    /// Tells whether a step waits for a model or a person, itself or in what it mounts. Of what cannot be looked into
    /// that is taken for granted.
    pub(super) fn is_slow(&self, step: &Step) -> bool {
        let inside = |name: &str| find(&self.index, name).is_none_or(|index| self.is_slow[index]);
        slows(step) || mounted(step).is_some_and(inside)
    }

    /// Finds the shortest way back from a mounted workflow to the one that mounts it, both ends included.
    pub(super) fn way_back(&self, from: &Workflow, mounted: &Mounted<'a>) -> Option<Vec<Mounted<'a>>> {
        let goal = *self.by_location.get(from.location.as_str())?;
        if self.component[goal] != self.component[mounted.index] {
            return None;
        }
        let (mut came_from, mut open, mut at) = (BTreeMap::from([(mounted.index, None)]), vec![mounted.index], 0);
        while let Some(index) = open.get(at).copied().filter(|index| *index != goal) {
            at += 1;
            for next in &self.mounts[index] {
                came_from.entry(*next).or_insert_with(|| {
                    open.push(*next);
                    Some(index)
                });
            }
        }
        let steps = core::iter::successors(Some(goal), |index| came_from.get(index).copied().flatten());
        let mut way: Vec<_> = steps.map(|index| self.mounted(index)).collect();
        way.reverse();
        Some(way)
    }

    /// Gives what stands deepest below a workflow, from itself down.
    pub(super) fn deepest(&self, mounted: &Mounted<'_>) -> Vec<&'a str> {
        let deeper = |index: &usize| {
            let below = self.mounts[*index].iter().copied();
            below.filter(|callee| self.depth[*callee] < self.depth[*index]).max_by_key(|callee| self.depth[*callee])
        };
        core::iter::successors(Some(mounted.index), deeper).map(|index| self.known[index].0).collect()
    }
}

/// A workflow that is mounted.
#[derive(Clone, Copy)]
pub(super) struct Mounted<'a> {
    index: usize,
    /// The name or path that mounts it.
    pub(super) key: &'a str,
    /// What it says.
    pub(super) workflow: &'a Workflow,
    /// Its file, where it is looked at too.
    pub(super) file: Option<&'a LintFile<'a>>,
}

/// Gives what a step mounts from the same repository.
pub(super) fn mounted(step: &Step) -> Option<&str> {
    match &step.work {
        Work::Workflow(name) => Some(name),
        Work::Agent(_) | Work::Repo(_) | Work::Script(_) => None,
    }
}

fn slows(step: &Step) -> bool {
    step.human_gate || matches!(step.work, Work::Agent(_) | Work::Repo(_))
}

/// Finds a workflow as a run does: by its name, or by a path with or without its ending.
fn find(index: &BTreeMap<&str, usize>, name: &str) -> Option<usize> {
    index.get(name).or_else(|| index.get(own_key(name).as_str())).copied()
}
