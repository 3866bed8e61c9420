//! What the step itself wishes: a call, or a target in its dispatch (decision 6, rule 4).

use alloc::{format, string::String, vec::Vec};

use super::{
    Ask, DEPTH_MAX, Here, Move, Needed, Passed, RouteNotice, Routing, declared::Declared, near_steps, notice, pass,
    place,
};
use crate::{
    nearest::nearest,
    state::StepRef,
    workflow::{Step, Workflow},
};

/// A wish, followed or not. The first wish that is there decides, for better or worse.
type Wish<T> = Result<Option<T>, RouteNotice>;

/// Follows a call or a target. `Ok(Ok(None))`: the step wishes nothing.
pub(super) fn explicit(here: &Here<'_, '_>, ask: &Ask<'_>, passed: &mut Vec<Passed>) -> Result<Wish<Routing>, Needed> {
    if let Some(agent) = said(ask.call) {
        return Ok(match called(here, agent) {
            Ok(position) => Ok(Some(Routing::to(here.library, position, "call")?)),
            Err(notice) => Err(notice),
        });
    }
    pass(passed, "call", "the step calls nobody".into());
    match target(here, ask) {
        Ok(Some(target)) => Ok(Ok(Some(lead(here, &target)?))),
        Ok(None) => {
            pass(passed, "target", "the dispatch names no workflow, step or agent".into());
            Ok(Ok(None))
        }
        Err(notice) => {
            pass(passed, "target", format!("its `{}`, `{}`, is not there", notice.field, notice.asked));
            Ok(Err(notice))
        }
    }
}

/// A step that exists, and the wish that named it.
pub(super) struct Target<'w> {
    /// The frame it belongs to: its place in the stack, or none where the last frame is replaced.
    frame: Option<usize>,
    workflow: String,
    step: &'w Step,
    by: &'static str,
}

/// Goes to a target, unless a gate stands on a mount that would be left behind.
fn lead(here: &Here<'_, '_>, target: &Target<'_>) -> Result<Routing, Needed> {
    let last = here.position.len() - 1;
    let keep = target.frame.unwrap_or(last);
    let is_gated = |frame: &StepRef| {
        let workflow = here.library.get(&frame.workflow);
        workflow.and_then(|workflow| workflow.step(&frame.step)).is_some_and(|step| step.human_gate)
    };
    if let Some(gate) = (keep..last).rev().find(|at| is_gated(&here.position[*at])) {
        let frame = &here.position[gate];
        let go = Move::Gate { position: here.position[..=gate].to_vec(), keeps_target: true };
        return Ok(Routing::new(go, format!("{} by human_gate", place(&frame.workflow, &frame.step))));
    }
    let mut position = here.position[..=keep].to_vec();
    if let Some(leaf) = position.last_mut() {
        if leaf.workflow == target.workflow {
            leaf.step.clone_from(&target.step.name);
        } else {
            let called = leaf.called;
            let (workflow, step) = (target.workflow.clone(), target.step.name.clone());
            *leaf = StepRef { workflow, step, called, ..StepRef::default() };
        }
    }
    Routing::to(here.library, position, target.by)
}

/// Appends the frame of an agent that is called and comes back.
fn called(here: &Here<'_, '_>, agent: &str) -> Result<Vec<StepRef>, RouteNotice> {
    let refused = |why: &str| RouteNotice { why: why.into(), ..notice("call", agent, Vec::new()) };
    let name = agent.trim_start_matches('@');
    let Some(workflow) = here.workflow else { return Err(refused("the workflow is gone")) };
    let found = here.step_of(workflow, name, None).or_else(|| workflow.step(name));
    let step = found.ok_or_else(|| notice("call", agent, near_roles(workflow, name)))?;
    if step.name == here.leaf.step {
        return Err(refused("a step cannot call itself"));
    }
    if here.position.len() >= DEPTH_MAX {
        return Err(refused("too many steps wait for one another already"));
    }
    let mut position = here.position.to_vec();
    position.push(StepRef { step: step.name.clone(), called: true, ..here.leaf.clone() });
    Ok(position)
}

/// Finds the explicit target.
pub(super) fn target<'w>(here: &Here<'w, '_>, ask: &Ask<'_>) -> Wish<Target<'w>> {
    let dispatch = ask.dispatch;
    let step = said(dispatch.step.as_deref());
    let other = said(dispatch.workflow.as_deref()).filter(|name| step.is_some() || *name != here.leaf.workflow);
    if let Some(name) = other {
        return here.in_workflow(name, step).map(Some);
    }
    if let Some(name) = step {
        let near = || here.workflow.map(|workflow| near_steps(workflow, name)).unwrap_or_default();
        let found = here.workflow.and_then(|workflow| workflow.step(name));
        let step = found.ok_or_else(|| notice("step", name, near()))?;
        return Ok(Some(here.at(step, "dispatch.step")));
    }
    let task = dispatch.unknown.get("task").and_then(|task| task.as_str());
    for (field, wish) in [("task_hint", dispatch.task_hint.as_deref()), ("task", task)] {
        if let Some(name) = said(wish) {
            return here.by_hint(field, name, ask).map(Some);
        }
    }
    Ok(None)
}

impl<'w> Here<'w, '_> {
    fn at(&self, step: &'w Step, by: &'static str) -> Target<'w> {
        Target { frame: None, workflow: self.leaf.workflow.clone(), step, by }
    }

    fn in_workflow(&self, name: &str, step: Option<&str>) -> Result<Target<'w>, RouteNotice> {
        let known = || self.library.own.keys().map(String::as_str);
        let workflow = self.library.get(name).ok_or_else(|| notice("workflow", name, nearest(name, known())))?;
        let frame = self.position.iter().rposition(|frame| frame.workflow == name);
        let (found, by) = match step {
            Some(step) => (workflow.step(step).ok_or_else(|| notice("step", step, near_steps(workflow, step)))?, true),
            None => (workflow.steps.first().ok_or_else(|| notice("workflow", name, Vec::new()))?, false),
        };
        let by = if by { "dispatch.workflow+step" } else { "dispatch.workflow" };
        Ok(Target { frame, workflow: name.into(), step: found, by })
    }

    fn by_hint(&self, field: &'static str, wish: &str, ask: &Ask<'_>) -> Result<Target<'w>, RouteNotice> {
        let name = wish.trim_start_matches('@');
        let Some(workflow) = self.workflow else { return Err(notice(field, wish, Vec::new())) };
        let result = ask.result.unwrap_or(ask.dispatch.status.word());
        let branch = ask.dispatch.branch.as_deref();
        let declared = self.step.and_then(|step| Declared::find(step, branch, result, &mut Vec::new()).next);
        let found = self.step_of(workflow, name, declared).or_else(|| workflow.step(name));
        let step = found.ok_or_else(|| notice(field, wish, near_roles(workflow, name)))?;
        Ok(self.at(step, field))
    }

    /// Finds the step of a role; of several the one the workflow would take, else the nearest below, else above.
    fn step_of(&self, workflow: &'w Workflow, role: &str, declared: Option<&str>) -> Option<&'w Step> {
        let runs = |step: &&Step| step.agent() == Some(role);
        if let Some(step) = declared.and_then(|name| workflow.step(name)).filter(runs) {
            return Some(step);
        }
        let here = workflow.steps.iter().position(|step| step.name == self.leaf.step).map_or(0, |index| index + 1);
        let (above, below) = workflow.steps.split_at(here);
        below.iter().find(runs).or_else(|| above.iter().rev().find(runs))
    }
}

fn near_roles<'w>(workflow: &'w Workflow, name: &str) -> Vec<&'w str> {
    let known = workflow.steps.iter().flat_map(|step| [step.role(), step.name.as_str()]);
    nearest(name, known)
}

/// Gives what a wish says: an empty one says nothing (reference: Dispatch Object, defaults).
fn said(wish: Option<&str>) -> Option<&str> {
    wish.map(str::trim).filter(|text| !text.is_empty())
}
