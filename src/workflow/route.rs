//! Where a step leads: the cascade of decision 6, as far as this version goes.
//!
//! It is a pure choice among steps that exist. Bounds on how often it may be made are for the stage that asks.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{CATCH_ALL, Condition, Step, Workflow};
use crate::{
    dispatch::{Dispatch, Status},
    nearest::nearest,
};

/// A wish is a name; whatever is longer than this is cut before people are told of it.
const ASKED_MAX_CHARS: usize = 100;

/// Where a step leads, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routing {
    /// What happens next.
    pub go: Move,
    /// Which rule decided, as [`route`] lists them; it is stored as `StepResolution.matched_rule`.
    pub rule: String,
    /// Wishes that could not be followed.
    pub notices: Vec<RouteNotice>,
}

/// What happens after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// On to a step that exists.
    To {
        /// Its workflow.
        workflow: String,
        /// Its name.
        step: String,
        /// The role that runs it.
        agent: String,
    },
    /// The same step again.
    Again,
    /// Nothing, until a person says more.
    Stay,
    /// The whole run is over, because the step said so.
    Stop,
    /// The workflow came to its end.
    End,
}

/// A wish that names nothing known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteNotice {
    /// The field of the dispatch that wished it: `workflow`, `step`, `task_hint` or `task`.
    pub field: &'static str,
    /// What was wished for, in the agent's words, at most 100 characters of them.
    pub asked: String,
    /// Known names that are near to it, nearest first.
    pub near: Vec<String>,
}

/// Decides where a step leads (decision 6, rules 2 and 4 to 7).
///
/// `at` is the workflow and the step that ran. The first that applies wins; in `rule`, `FROM` is
/// `workflow:W/step:S` of the step that ran and `TO` the same of the step it leads to:
///
/// | what | move | rule |
/// |---|---|---|
/// | `status: terminate` | `Stop` | `FROM by dispatch.status:terminate` |
/// | `status: hold` | `Stay` | `FROM by dispatch.status:hold` |
/// | `status: loop` | `Again` | `FROM by dispatch.status:loop` |
/// | `workflow` and `step` | `To` | `TO by dispatch.workflow+step` |
/// | `workflow`, another one: its entry | `To` | `TO by dispatch.workflow` |
/// | `step` | `To` | `TO by dispatch.step` |
/// | `task_hint`, then the legacy `task` | `To` | `TO by task_hint`, `TO by task` |
/// | a condition on the result | `To`, `End` | `TO by on_result:KEY`, `FROM end by on_result:KEY` |
/// | a condition on `branch` | `To`, `End` | `TO by branch:KEY`, `FROM end by branch:KEY` |
/// | the condition `default` | `To`, `End` | `TO by on_result:default`, `FROM end by on_result:default` |
/// | `next` | `To`, `End` | `TO by next`, `FROM end by next` |
/// | the step that ran is gone | `Stay` | `FROM is gone` |
/// | the target of a workflow that was never parsed is not there | `Stay` | `FROM lost by next` (or as above) |
///
/// A `workflow` that is the current one, without a `step`, is no override. A hint names a role or a step; where
/// several steps have the role, it is the one that the conditions or `next` would take, else the next such step
/// below, else the nearest above. A target that does not exist gives a notice, and the conditions decide.
pub fn route(
    workflows: &BTreeMap<String, Workflow>,
    at: (&str, &str),
    dispatch: &Dispatch,
    result: Option<&str>,
) -> Routing {
    let here = Here { workflows, workflow: at.0, step: at.1 };
    let ran = workflows.get(at.0).and_then(|workflow| Some((workflow, workflow.step(at.1)?)));
    match (dispatch.status, ran) {
        (Status::Terminate, _) => here.stays(Move::Stop, " by dispatch.status:terminate"),
        (Status::Hold, _) => here.stays(Move::Stay, " by dispatch.status:hold"),
        (Status::Loop, Some(_)) => here.stays(Move::Again, " by dispatch.status:loop"),
        (Status::Loop, None) => here.stays(Move::Stay, " is gone"),
        (Status::Advance, _) => {
            let declared = ran.map(|(_, step)| Declared::find(step, dispatch.branch.as_deref(), result));
            let target = here.target(dispatch, declared.as_ref().and_then(|declared| declared.next));
            here.advance(target, declared)
        }
    }
}

/// What rules 5 and 6 say, from the workflow file alone.
struct Declared<'w> {
    next: Option<&'w str>,
    by: String,
}

impl<'w> Declared<'w> {
    fn find(step: &'w Step, branch: Option<&str>, result: Option<&str>) -> Self {
        let by_key = |key: Option<&str>, kind: &str| {
            let condition = condition_on(&step.conditions, key?)?;
            Some(Self { next: condition.next.as_deref(), by: format!("{kind}:{}", condition.on_result) })
        };
        by_key(result, "on_result")
            .or_else(|| by_key(branch, "branch"))
            .or_else(|| by_key(Some(CATCH_ALL), "on_result"))
            .unwrap_or_else(|| Self { next: step.next.as_deref(), by: "next".into() })
    }
}

/// Finds the first condition on a key; where none is written just so, case does not count.
fn condition_on<'w>(conditions: &'w [Condition], key: &str) -> Option<&'w Condition> {
    let key = key.trim();
    let exactly = conditions.iter().find(|condition| condition.on_result == key);
    exactly.or_else(|| conditions.iter().find(|condition| condition.on_result.eq_ignore_ascii_case(key)))
}

/// A step that exists, and the wish that named it.
struct Target<'w> {
    workflow: &'w Workflow,
    step: &'w Step,
    by: &'static str,
}

#[derive(Clone, Copy)]
struct Here<'w, 'a> {
    workflows: &'w BTreeMap<String, Workflow>,
    workflow: &'a str,
    step: &'a str,
}

impl<'w> Here<'w, '_> {
    fn stays(self, go: Move, why: &str) -> Routing {
        Routing { go, rule: format!("{}{why}", position(self.workflow, self.step)), notices: Vec::new() }
    }

    fn advance(self, target: Result<Option<Target>, RouteNotice>, declared: Option<Declared>) -> Routing {
        let notices = match target {
            Ok(Some(target)) => return leads(target.workflow, target.step, target.by, Vec::new()),
            Ok(None) => Vec::new(),
            Err(notice) => Vec::from([notice]),
        };
        let Some(Declared { next, by }) = declared else {
            return Routing { notices, ..self.stays(Move::Stay, " is gone") };
        };
        let found = self.workflows.get(self.workflow).and_then(|workflow| Some((workflow, workflow.step(next?)?)));
        match (next, found) {
            (_, Some((workflow, step))) => leads(workflow, step, &by, notices),
            (None, None) => Routing { notices, ..self.stays(Move::End, &format!(" end by {by}")) },
            // A workflow that was parsed has no such target; one that was not is not ended for it.
            (Some(_), None) => Routing { notices, ..self.stays(Move::Stay, &format!(" lost by {by}")) },
        }
    }

    /// Finds the explicit target (rule 4): the first wish that is there decides, for better or worse.
    fn target(self, dispatch: &Dispatch, declared: Option<&str>) -> Result<Option<Target<'w>>, RouteNotice> {
        let step = said(dispatch.step.as_deref());
        let other = said(dispatch.workflow.as_deref()).filter(|name| step.is_some() || *name != self.workflow);
        if let Some(name) = other {
            return self.in_workflow(name, step).map(Some);
        }
        if let Some(name) = step {
            let near = || self.current().map(|workflow| near_steps(workflow, name)).unwrap_or_default();
            let found = self.current().and_then(|workflow| Some((workflow, workflow.step(name)?)));
            let (workflow, step) = found.ok_or_else(|| notice("step", name, near()))?;
            return Ok(Some(Target { workflow, step, by: "dispatch.step" }));
        }
        let task = dispatch.unknown.get("task").and_then(|task| task.as_str());
        for (field, wish) in [("task_hint", dispatch.task_hint.as_deref()), ("task", task)] {
            if let Some(name) = said(wish) {
                return self.by_hint(field, name, declared).map(Some);
            }
        }
        Ok(None)
    }

    fn current(self) -> Option<&'w Workflow> {
        self.workflows.get(self.workflow)
    }

    fn in_workflow(self, name: &str, step: Option<&str>) -> Result<Target<'w>, RouteNotice> {
        let workflow = self
            .workflows
            .get(name)
            .ok_or_else(|| notice("workflow", name, nearest(name, self.workflows.keys().map(String::as_str))))?;
        match step {
            Some(step) => {
                let found = workflow.step(step).ok_or_else(|| notice("step", step, near_steps(workflow, step)))?;
                Ok(Target { workflow, step: found, by: "dispatch.workflow+step" })
            }
            None => {
                let entry = workflow.steps.first().ok_or_else(|| notice("workflow", name, Vec::new()))?;
                Ok(Target { workflow, step: entry, by: "dispatch.workflow" })
            }
        }
    }

    fn by_hint(self, field: &'static str, wish: &str, declared: Option<&str>) -> Result<Target<'w>, RouteNotice> {
        let name = wish.trim_start_matches('@');
        let Some(workflow) = self.current() else { return Err(notice(field, wish, Vec::new())) };
        let step = self.step_of(workflow, name, declared).or_else(|| workflow.step(name));
        let near = || {
            let known = workflow.steps.iter().flat_map(|step| [step.role(), step.name.as_str()]);
            nearest(name, known)
        };
        let step = step.ok_or_else(|| notice(field, wish, near()))?;
        Ok(Target { workflow, step, by: field })
    }

    /// Finds the step of a role; of several the one the workflow would take, else the nearest below, else above.
    fn step_of(self, workflow: &'w Workflow, role: &str, declared: Option<&str>) -> Option<&'w Step> {
        let runs = |step: &&Step| step.agent() == Some(role);
        if let Some(step) = declared.and_then(|name| workflow.step(name)).filter(runs) {
            return Some(step);
        }
        let here = workflow.steps.iter().position(|step| step.name == self.step).map_or(0, |index| index + 1);
        let (above, below) = workflow.steps.split_at(here);
        below.iter().find(runs).or_else(|| above.iter().rev().find(runs))
    }
}

fn leads(workflow: &Workflow, step: &Step, by: &str, notices: Vec<RouteNotice>) -> Routing {
    let rule = format!("{} by {by}", position(&workflow.name, &step.name));
    let go = Move::To { workflow: workflow.name.clone(), step: step.name.clone(), agent: step.role().into() };
    Routing { go, rule, notices }
}

fn position(workflow: &str, step: &str) -> String {
    format!("workflow:{workflow}/step:{step}")
}

/// Gives what a wish says: an empty one says nothing (reference: Dispatch Object, defaults).
fn said(wish: Option<&str>) -> Option<&str> {
    wish.map(str::trim).filter(|text| !text.is_empty())
}

fn near_steps<'w>(workflow: &'w Workflow, name: &str) -> Vec<&'w str> {
    nearest(name, workflow.steps.iter().map(|step| step.name.as_str()))
}

fn notice(field: &'static str, asked: &str, near: Vec<&str>) -> RouteNotice {
    let asked = asked.chars().take(ASKED_MAX_CHARS).collect();
    RouteNotice { field, asked, near: near.into_iter().map(ToString::to_string).collect() }
}

#[cfg(test)]
mod tests;
