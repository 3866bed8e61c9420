//! From a workflow, and those it mounts, to a picture.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Closed, Edge, Facts, Given, Group, GroupId, Node, NodeId, Picture, VERSION, What, WorkKind,
    walk::{Route, Walk},
};
use crate::workflow::{self, Hook, Opened, Script, Step, Work, Workflow};

/// The deepest picture: a workflow, and as many mounts below each other as a run follows (decision 6).
pub const DEPTH_MAX: u32 = workflow::DEPTH_MAX as u32 + 1;
/// A mount that would make the picture larger stays closed: mounts of mounts of mounts multiply.
pub const NODES_MAX: usize = 2_000;

/// Draws a workflow. At depth 1 every mount is one node; each further level opens the mounts of the level above.
///
/// `mounted` tells which workflow a step of a workflow mounts, where it is at hand. The depth is taken within 1 to
/// [`DEPTH_MAX`].
pub fn draw<'w>(
    workflow: &'w Workflow,
    depth: u32,
    mounted: &dyn Fn(&Workflow, &Work) -> Option<&'w Workflow>,
) -> Picture {
    let picture = Picture {
        version: VERSION,
        workflow: workflow.name.clone(),
        description: workflow.description.clone(),
        location: workflow.location.clone(),
        nodes: Vec::new(),
        groups: Vec::new(),
        edges: Vec::new(),
    };
    let mut drawing = Drawing { picture, depth: depth.clamp(1, DEPTH_MAX), around: Vec::new(), mounted };
    drawing.workflow(workflow, None);
    drawing.picture
}

struct Drawing<'w, 'f> {
    picture: Picture,
    depth: u32,
    /// The workflows that are drawn around the place at hand, outermost first.
    around: Vec<&'w Workflow>,
    mounted: &'f dyn Fn(&Workflow, &Work) -> Option<&'w Workflow>,
}

/// Where edges come to a step, and where they leave it.
#[derive(Clone, Copy)]
struct Ends {
    enter: NodeId,
    leave: NodeId,
}

impl<'w> Drawing<'w, '_> {
    /// Draws a workflow inside a group and gives its start and its end. It goes as deep as the depth allows.
    fn workflow(&mut self, workflow: &'w Workflow, group: Option<GroupId>) -> Ends {
        self.around.push(workflow);
        let walk = Walk::of(workflow);
        let start = self.node(group, What::Start { parameters: workflow.inputs.clone() });
        let steps = workflow.steps.iter().zip(&walk.reached);
        let steps: Vec<_> = steps.map(|(step, reached)| self.step(workflow, step, *reached, group)).collect();
        let end = self.node(group, What::End { outputs: workflow.outputs.clone(), reached: walk.ends() });
        if let Some(entry) = steps.first() {
            let (from, to, label) = (start, entry.enter, String::new());
            self.picture.edges.push(Edge { from, to, label, back: false, release: false, rejection: false });
        }
        for (ends, routes) in steps.iter().zip(&walk.routes) {
            for route in routes {
                let to = route.to.map_or(end, |to| steps[to].enter);
                let Route { label, back, opened, .. } = *route;
                let (release, rejection) = (opened != Opened::Free, opened == Opened::ByRejection);
                self.picture.edges.push(Edge { from: ends.leave, to, label: label.into(), back, release, rejection });
            }
        }
        self.around.pop();
        Ends { enter: start, leave: end }
    }

    fn node(&mut self, group: Option<GroupId>, what: What) -> NodeId {
        let id = NodeId(self.picture.nodes.len());
        self.picture.nodes.push(Node { id, group, what });
        id
    }

    /// Draws a step: a mount that is to be open as a group, everything else as a node.
    fn step(&mut self, workflow: &Workflow, step: &Step, reached: bool, group: Option<GroupId>) -> Ends {
        let mut facts = facts(workflow, step, reached);
        match self.opened(workflow, step) {
            Some(Ok(callee)) => self.group(callee, facts, group),
            Some(Err(closed)) => {
                facts.closed = Some(closed);
                self.whole(facts, group)
            }
            None => self.whole(facts, group),
        }
    }

    fn whole(&mut self, facts: Facts, group: Option<GroupId>) -> Ends {
        let id = self.node(group, What::Step(facts));
        Ends { enter: id, leave: id }
    }

    /// Finds the workflow to draw in place of a step; `None` where none is wanted.
    fn opened(&self, workflow: &Workflow, step: &Step) -> Option<Result<&'w Workflow, Closed>> {
        let is_mount = matches!(step.work, Work::Workflow(_) | Work::Repo(_));
        if !is_mount || self.around.len() >= self.depth as usize {
            return None;
        }
        let Some(callee) = (self.mounted)(workflow, &step.work).filter(|callee| !callee.steps.is_empty()) else {
            return Some(Err(Closed::NotAtHand));
        };
        let is_same = |one: &&Workflow| (&one.name, &one.location) == (&callee.name, &callee.location);
        if self.around.iter().any(is_same) {
            return Some(Err(Closed::Cycle));
        }
        let nodes = self.picture.nodes.len() + callee.steps.len();
        Some(if nodes > NODES_MAX { Err(Closed::Full) } else { Ok(callee) })
    }

    fn group(&mut self, callee: &'w Workflow, step: Facts, parent: Option<GroupId>) -> Ends {
        let id = GroupId(self.picture.groups.len());
        // The group goes before those in it; its ends are known once it is drawn.
        let unknown = NodeId(self.picture.nodes.len());
        let location = callee.location.clone();
        self.picture.groups.push(Group { id, parent, start: unknown, end: unknown, location, step });
        let ends = self.workflow(callee, Some(id));
        let group = &mut self.picture.groups[id.0];
        (group.start, group.end) = (ends.enter, ends.leave);
        ends
    }
}

fn facts(workflow: &Workflow, step: &Step, reached: bool) -> Facts {
    let (work, does) = match &step.work {
        Work::Agent(role) => (WorkKind::Agent, role.clone()),
        Work::Script(Script { command, args, .. }) => (WorkKind::Script, command_line(command, args)),
        Work::Workflow(name) => (WorkKind::Workflow, name.clone()),
        Work::Repo(reference) => (WorkKind::Repo, reference.clone()),
    };
    let hook = |hook: &Option<Hook>| hook.as_ref().map(|hook| command_line(&hook.path, &hook.args));
    let given = step.inputs.iter().map(|(name, binding)| Given { name: name.clone(), binding: binding.clone() });
    Facts {
        name: step.name.clone(),
        work,
        does,
        tier: step.complexity,
        gate: step.human_gate.then(|| workflow.gate.clone()),
        pre_hook: hook(&step.pre_hook),
        post_hook: hook(&step.post_hook),
        inputs: given.collect(),
        closed: None,
        reached,
    }
}

fn command_line(command: &str, args: &[String]) -> String {
    args.iter().fold(command.to_string(), |line, arg| line + " " + arg)
}
