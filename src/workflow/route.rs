//! Where a step leads: the cascade of decision 6, over the whole stack of mounts.
//!
//! It is a pure choice among steps that exist. Bounds on how often it may be made are for the stage that asks, and
//! so is fetching a workflow of another repository: the choice says that it needs one and is made again.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{Library, Step, Workflow};
use crate::{
    dispatch::{Dispatch, Status},
    nearest::nearest,
    state::StepRef,
};

mod declared;
mod explicit;
mod stack;

pub(crate) use declared::condition_on;
use declared::declared;
use explicit::explicit;
pub(crate) use stack::PARAMETER;
pub use stack::{DEPTH_MAX, Entered, enter};

/// A wish is a name; whatever is longer than this is cut before people are told of it.
const ASKED_MAX_CHARS: usize = 100;

/// What a route is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The stack, whose last frame is the step that ran. Never empty.
    pub position: &'a [StepRef],
    /// How the step ended and what it wishes.
    pub dispatch: &'a Dispatch,
    /// What it reported; where it reported nothing, the word of its status counts.
    pub result: Option<&'a str>,
    /// Whether people have released the gate of the last frame's step.
    pub released: bool,
    /// The agent that is to be called and comes back here.
    pub call: Option<&'a str>,
}

/// Where a step leads, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Routing {
    /// What happens next.
    pub go: Move,
    /// Which rule decided, as [`route`] lists them; it is stored as `StepResolution.matched_rule`.
    pub rule: String,
    /// Wishes that could not be followed.
    pub notices: Vec<RouteNotice>,
    /// Rules that were looked at before the one that decided, and why each did not, for people who ask.
    pub passed: Vec<Passed>,
}

/// What happens after a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// On to a step that exists and that an agent or a script does.
    To {
        /// The stack with that step as its last frame.
        position: Vec<StepRef>,
        /// The role that runs it.
        agent: String,
    },
    /// The same step again.
    Again,
    /// Nothing, until people release the gate of the step that is the last frame.
    Gate {
        /// The stack up to the gated step.
        position: Vec<StepRef>,
        /// Whether the dispatch's own target is what waits behind the gate.
        keeps_target: bool,
    },
    /// Nothing, until a person says more.
    Stay,
    /// The whole run is over, because the step said so.
    Stop,
    /// The outermost workflow came to its end.
    End,
}

/// A rule that was looked at and did not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The rule: `status`, `human_gate`, `call`, `target`, `on_result`, `branch`, `default`, `next` or `return`.
    pub rule: &'static str,
    /// Why it did not.
    pub why: String,
}

/// A wish that could not be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteNotice {
    /// The field of the dispatch that wished it: `workflow`, `step`, `task_hint`, `task` or `call`; `mount` where
    /// a workflow cannot be mounted.
    pub field: &'static str,
    /// What was wished for, in the agent's words, at most 100 characters of them.
    pub asked: String,
    /// Known names that are near to it, nearest first.
    pub near: Vec<String>,
    /// Why not, where it is not that there is no such thing.
    pub why: String,
}

/// A workflow of another repository that has to be read before the choice can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needed(pub String);

/// Decides where a step leads (decision 6, rules 2 to 7).
///
/// The first that applies wins; in `rule`, `FROM` is `workflow:W/step:S` of the step that ran and `TO` the same
/// of the step it leads to:
///
/// | what | move | rule |
/// |---|---|---|
/// | `status: terminate` | `Stop` | `FROM by dispatch.status:terminate` |
/// | `status: hold` | `Stay` | `FROM by dispatch.status:hold` |
/// | `status: loop` | `Again` | `FROM by dispatch.status:loop` |
/// | a gate on the step that ran, not released | `Gate` | `FROM by human_gate` |
/// | a call of another agent | `To` | `TO by call` |
/// | `workflow` and `step` | `To` | `TO by dispatch.workflow+step` |
/// | `workflow`, another one: its entry | `To` | `TO by dispatch.workflow` |
/// | `step` | `To` | `TO by dispatch.step` |
/// | `task_hint`, then the legacy `task` | `To` | `TO by task_hint`, `TO by task` |
/// | the step was called: back to its caller | `To` | `TO by return` |
/// | a condition on the result | `To`, `End` | `TO by on_result:KEY`, `FROM end by on_result:KEY` |
/// | a condition on `branch` | `To`, `End` | `TO by branch:KEY`, `FROM end by branch:KEY` |
/// | the condition `default` | `To`, `End` | `TO by on_result:default`, `FROM end by on_result:default` |
/// | `next` | `To`, `End` | `TO by next`, `FROM end by next` |
/// | a gate on a mounting step that would be left | `Gate` | `THAT by human_gate` |
/// | the step that ran is gone | `Stay` | `FROM is gone` |
/// | the target of a workflow that was never parsed is not there | `Stay` | `FROM lost by next` (or as above) |
/// | a target mounts what cannot be mounted | `Stay` | `TARGET cannot be mounted` |
///
/// Where a workflow ends, its frame goes and the mounting step's conditions and `next` decide with the same
/// result; the rule then ends in ` of workflow:W/step:S`, the mounting step. A target that is a mount is entered
/// down to a step that somebody does. A `workflow` that is the current one, without a `step`, is no override.
/// Where the named workflow is on the stack, its frame is gone back to; else the last frame is replaced. A hint
/// names a role or a step; where several steps have the role, it is the one that the conditions or `next` would
/// take, else the next such step below, else the nearest above. A target that does not exist gives a notice, and
/// the conditions decide.
///
/// # Errors
/// A workflow of another repository that nobody has asked for yet.
pub fn route(library: Library<'_>, ask: &Ask<'_>) -> Result<Routing, Needed> {
    let mut passed = Vec::new();
    let Some(here) = Here::of(library, ask) else {
        return Ok(Routing::new(Move::Stay, "nowhere is gone".into()));
    };
    let status = ask.dispatch.status;
    let by_status = || format!("{} by dispatch.status:{}", here.place(), status.word());
    match (status, here.step) {
        (Status::Terminate, _) => return Ok(Routing::new(Move::Stop, by_status())),
        (Status::Hold, _) => return Ok(Routing::new(Move::Stay, by_status())),
        (Status::Loop, Some(_)) => return Ok(Routing::new(Move::Again, by_status())),
        (Status::Loop, None) => return Ok(here.gone()),
        (Status::Advance, _) => pass(&mut passed, "status", "the dispatch says `advance`".into()),
    }
    if here.step.is_some_and(|step| step.human_gate) {
        if !ask.released {
            let go = Move::Gate { position: ask.position.to_vec(), keeps_target: true };
            let why = "a step with a gate cannot call another agent";
            let call = ask.call.map(|agent| RouteNotice { why: why.into(), ..notice("call", agent, Vec::new()) });
            let notices = call.into_iter().collect();
            return Ok(Routing { passed, notices, ..Routing::new(go, format!("{} by human_gate", here.place())) });
        }
        pass(&mut passed, "human_gate", "people released it".into());
    } else {
        pass(&mut passed, "human_gate", "the step has none".into());
    }
    let mut notices = Vec::new();
    match explicit(&here, ask, &mut passed)? {
        Ok(Some(routing)) => return Ok(Routing { passed, ..routing }),
        Ok(None) => {}
        Err(notice) => notices.push(notice),
    }
    let routing = declared(&here, ask, &mut passed)?;
    notices.extend(routing.notices);
    Ok(Routing { passed, notices, ..routing })
}

/// The step that ran, and what is around it.
#[derive(Clone, Copy)]
struct Here<'w, 'a> {
    library: Library<'w>,
    position: &'a [StepRef],
    leaf: &'a StepRef,
    workflow: Option<&'w Workflow>,
    step: Option<&'w Step>,
}

impl<'w, 'a> Here<'w, 'a> {
    fn of(library: Library<'w>, ask: &Ask<'a>) -> Option<Self> {
        let leaf = ask.position.last()?;
        let workflow = library.get(&leaf.workflow);
        let step = workflow.and_then(|workflow| workflow.step(&leaf.step));
        Some(Self { library, position: ask.position, leaf, workflow, step })
    }

    fn place(&self) -> String {
        place(&self.leaf.workflow, &self.leaf.step)
    }

    fn gone(&self) -> Routing {
        Routing::new(Move::Stay, format!("{} is gone", self.place()))
    }
}

impl Routing {
    fn new(go: Move, rule: String) -> Self {
        Self { go, rule, notices: Vec::new(), passed: Vec::new() }
    }

    /// Leads to where a stack ends, down through what is mounted there.
    fn to(library: Library<'_>, position: Vec<StepRef>, by: &str) -> Result<Self, Needed> {
        let target = position.last().map(|leaf| place(&leaf.workflow, &leaf.step)).unwrap_or_default();
        Ok(match enter(library, position)? {
            Entered::At { position, agent } => {
                let place = position.last().map(|leaf| place(&leaf.workflow, &leaf.step)).unwrap_or_default();
                Self::new(Move::To { position, agent }, format!("{place} by {by}"))
            }
            Entered::Refused { asked, why } => {
                let notice = RouteNotice { field: "mount", asked: cut(&asked), near: Vec::new(), why };
                let rule = format!("{target} cannot be mounted");
                Self { notices: Vec::from([notice]), ..Self::new(Move::Stay, rule) }
            }
        })
    }
}

/// Names a step as rules and frozen references do.
pub(crate) fn place(workflow: &str, step: &str) -> String {
    format!("workflow:{workflow}/step:{step}")
}

fn pass(passed: &mut Vec<Passed>, rule: &'static str, why: String) {
    passed.push(Passed { rule, why });
}

fn notice(field: &'static str, asked: &str, near: Vec<&str>) -> RouteNotice {
    let near = near.into_iter().map(ToString::to_string).collect();
    RouteNotice { field, asked: cut(asked), near, why: String::new() }
}

fn cut(asked: &str) -> String {
    asked.chars().take(ASKED_MAX_CHARS).collect()
}

fn near_steps<'w>(workflow: &'w Workflow, name: &str) -> Vec<&'w str> {
    nearest(name, workflow.steps.iter().map(|step| step.name.as_str()))
}

#[cfg(test)]
mod tests;
