//! A workflow as a picture: its steps as nodes, its routes as edges, and what it mounts as groups.
//!
//! [`draw`] makes the picture, which is plain data; [`mermaid`], [`dot`] and [`svg`] write it down. All three say
//! the same: what kind of step it is, where gates hold, which routes go back, what a mount is given. Which workflow
//! a mount means is for the caller to say; whether the graph is a good one is for lint.

use alloc::{string::String, vec::Vec};
use core::fmt;

use serde::{Serialize, Serializer};

use crate::{
    dispatch::Complexity,
    workflow::{Binding, GatePolicy, Input},
};

mod dot;
mod draw;
mod layout;
mod mermaid;
mod svg;
mod walk;
mod words;

#[cfg(test)]
mod tests;

pub use dot::dot;
pub use draw::{DEPTH_MAX, NODES_MAX, draw};
pub use mermaid::{GITHUB_CHARS_MAX, GITHUB_EDGES_MAX, mermaid};
pub use svg::{PLACES_MAX, TooLarge, svg};

/// The version of a picture as JSON. It grows when a field changes its meaning or goes.
pub const VERSION: u32 = 1;

/// A workflow, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// [`VERSION`].
    pub version: u32,
    /// The workflow's name.
    pub workflow: String,
    /// What it is for.
    pub description: String,
    /// Where it stands.
    pub location: String,
    /// The steps, and a start and an end for the workflow and each group. The place of a node is its id's number.
    pub nodes: Vec<Node>,
    /// The mounts that are drawn open. The place of a group is its id's number.
    pub groups: Vec<Group>,
    /// The routes, in the order of the steps they leave.
    pub edges: Vec<Edge>,
}

/// Something that an edge can lead to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Node {
    /// Its id in this picture.
    pub id: NodeId,
    /// The group that it stands in; `None` is the workflow itself.
    pub group: Option<GroupId>,
    /// What it stands for.
    #[serde(flatten)]
    pub what: What,
}

/// What a node stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    /// Where a workflow is entered.
    Start {
        /// The parameters that it declares.
        parameters: Vec<Input>,
    },
    /// Where a workflow is left.
    End {
        /// The steps whose comments are its results.
        outputs: Vec<String>,
        /// Whether a route leads here.
        reached: bool,
    },
    /// A step.
    Step(Facts),
}

/// What is shown of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// Its name.
    pub name: String,
    /// What kind of thing does its work.
    pub work: WorkKind,
    /// The role, the command line, the workflow's name or the reference.
    pub does: String,
    /// The declared tier.
    pub tier: Option<Complexity>,
    /// What a release takes, where a person has to release every advance out of it.
    pub gate: Option<GatePolicy>,
    /// The command line before its agent.
    pub pre_hook: Option<String>,
    /// The command line after its agent.
    pub post_hook: Option<String>,
    /// What it is given.
    pub inputs: Vec<Given>,
    /// Why a mount is not drawn open, where it was to be.
    pub closed: Option<Closed>,
    /// Whether a route leads here from the entry. A person or a dispatch can name any step.
    pub reached: bool,
}

/// What kind of thing does a step's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkKind {
    /// An agent.
    Agent,
    /// A program.
    Script,
    /// A workflow.
    Workflow,
    /// A workflow of another repository.
    Repo,
}

/// A name that a step is given, and what it is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Given {
    /// The name.
    pub name: String,
    /// What it is bound to.
    pub binding: Binding,
}

/// Why a mount is not drawn open, although the picture is deep enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Closed {
    /// There is no such workflow at hand, or it has no steps.
    NotAtHand,
    /// It is drawn around this step already.
    Cycle,
    /// The picture would have more than [`NODES_MAX`] nodes.
    Full,
}

/// A mount that is drawn open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Its id in this picture.
    pub id: GroupId,
    /// The group around it.
    pub parent: Option<GroupId>,
    /// Where it is entered.
    pub start: NodeId,
    /// Where it is left: the routes of the mounting step go out from here.
    pub end: NodeId,
    /// Where the mounted workflow stands.
    pub location: String,
    /// The mounting step.
    #[serde(flatten)]
    pub step: Facts,
}

/// A route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edge {
    /// The node that it leaves: for a mount that is drawn open, the end of its group.
    pub from: NodeId,
    /// The node that it leads to: for a mount that is drawn open, the start of its group.
    pub to: NodeId,
    /// The result it waits for, `next` for what no condition takes, or nothing where it is the only way.
    pub label: String,
    /// Whether it closes a loop: it leads back to a step that is on the way to it.
    #[serde(rename = "loop")]
    pub back: bool,
    /// Whether a person at the gate of the step has to open it.
    pub release: bool,
    /// Whether that person rejects rather than releases.
    pub rejection: bool,
}

/// The id of a node: `s0`, `s1`, ….
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub usize);

/// The id of a group: `g0`, `g1`, ….
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupId(pub usize);

impl Node {
    /// Gives the step's facts, where it is one.
    pub fn step(&self) -> Option<&Facts> {
        match &self.what {
            What::Step(facts) => Some(facts),
            What::Start { .. } | What::End { .. } => None,
        }
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "g{}", self.0)
    }
}

impl Serialize for NodeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for GroupId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
