//! One file as the rules see it: its steps beside their places, and its routes where they can be relied on.

use alloc::{collections::BTreeMap, vec::Vec};

use super::{Around, Label, LintFile, graph::Graph, mounting::Mounting};
use crate::{
    problem::Problem,
    workflow::{Step, Workflow},
    yaml::{Node, Place},
};

/// Rules of the parser that a workflow can break and still have the routes that it was meant to have.
const HARMLESS: [&str; 2] = ["L4", "L10"];
/// Rules of the parser that a step can break and still say everything that it was meant to say.
const ELSEWHERE: [&str; 2] = ["L2", "L10"];

/// One file as the rules see it.
pub(super) struct Reading<'a> {
    /// The file, as the user names it.
    pub(super) file: &'a str,
    /// What it says.
    pub(super) workflow: &'a Workflow,
    /// The routes. `None`: what was meant cannot be told before other mistakes are mended.
    pub(super) routes: Option<Routes>,
    /// What is written there.
    pub(super) root: &'a Node,
    /// What there is around it.
    pub(super) around: &'a Around<'a>,
    /// Which workflow mounts which.
    pub(super) mounting: &'a Mounting<'a>,
    nodes: &'a [Node],
    index: BTreeMap<&'a str, usize>,
    problems: &'a [Problem],
}

/// The routes of a workflow, and which steps a run can come to.
pub(super) struct Routes {
    pub(super) graph: Graph,
    pub(super) reachable: Vec<bool>,
}

impl<'a> Reading<'a> {
    /// Takes a file. `None`: there is no workflow in it to speak of.
    pub(super) fn of(file: &LintFile<'a>, around: &'a Around<'a>, mounting: &'a Mounting<'a>) -> Option<Self> {
        let (workflow, root) = (file.parsed.workflow.as_ref()?, file.parsed.root.as_ref()?);
        let nodes = root.get("steps").and_then(Node::items).unwrap_or_default();
        let problems = file.parsed.problems.as_slice();
        let index = workflow.steps.iter().enumerate().map(|(index, step)| (step.name.as_str(), index)).collect();
        let routes = problems.iter().all(|problem| HARMLESS.contains(&problem.rule.as_ref())).then(|| {
            let graph = Graph::of(workflow, &index);
            Routes { reachable: graph.reachable(), graph }
        });
        Some(Self { file: file.file, workflow, root, routes, around, mounting, nodes, index, problems })
    }

    /// Gives the steps, each with its index and its place in the file.
    pub(super) fn steps(&self) -> impl Iterator<Item = At<'a>> {
        let both = self.workflow.steps.iter().zip(self.nodes).enumerate();
        both.map(|(index, (step, node))| At { index, step, node })
    }

    /// Like [`steps`](Self::steps), without those that the parser found something wrong with.
    pub(super) fn sound_steps(&self) -> impl Iterator<Item = At<'a>> {
        let problems = self.problems;
        self.steps().filter(move |at| {
            let Place { start, end, .. } = at.node.place;
            let inside = |problem: &&Problem| (start..end).contains(&problem.start);
            !problems.iter().filter(inside).any(|problem| !ELSEWHERE.contains(&problem.rule.as_ref()))
        })
    }

    /// Gives a step by index.
    pub(super) fn at(&self, index: usize) -> At<'a> {
        At { index, step: &self.workflow.steps[index], node: &self.nodes[index] }
    }

    /// Finds a step by name.
    pub(super) fn index_of(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Gives the names of the steps.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.index.keys().copied()
    }

    /// Makes a label in this file.
    pub(super) fn label(&self, place: Place, what: impl Into<alloc::string::String>) -> Label {
        Label { file: self.file.into(), place, what: what.into() }
    }
}

/// A step and its place in the file.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) index: usize,
    pub(super) step: &'a Step,
    pub(super) node: &'a Node,
}

impl<'a> At<'a> {
    /// Gives the place of a key's value, else that of the step's name, else that of the step.
    pub(super) fn place_of(&self, key: &str) -> Place {
        let node = self.node.get(key).or_else(|| self.node.get("name"));
        node.map_or(self.node.place, |node| node.place)
    }

    /// Gives the place of the step's name.
    pub(super) fn name_place(&self) -> Place {
        self.place_of("name")
    }

    /// Gives the step's name.
    pub(super) fn name(&self) -> &'a str {
        &self.step.name
    }

    /// Gives what is bound on the step: the name's place, the name, and the bound value's node.
    pub(super) fn bindings(&self) -> Vec<(Place, &'a str, &'a Node)> {
        let Some(node) = self.node.get("inputs") else { return Vec::new() };
        match (node.entries(), node.items()) {
            (Some(entries), _) => entries.iter().map(|(key, value)| (key.place, key.text.as_str(), value)).collect(),
            (None, Some(items)) => items.iter().filter_map(|item| Some((item.place, item.text()?, item))).collect(),
            (None, None) => Vec::new(),
        }
    }
}
