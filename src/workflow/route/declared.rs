//! What the workflow files say: conditions, `next`, the way back from a call, and the ends of mounted workflows.

use alloc::{format, string::String, vec::Vec};

use super::{Ask, Here, Move, Needed, Passed, Routing, pass, place};
use crate::{
    state::StepRef,
    workflow::{CATCH_ALL, Condition, Step},
};

/// Decides by the files alone (decision 6, rules 5 to 7), popping one frame for every workflow that ends.
pub(super) fn declared(here: &Here<'_, '_>, ask: &Ask<'_>, passed: &mut Vec<Passed>) -> Result<Routing, Needed> {
    let mut position = ask.position.to_vec();
    let mut of = String::new();
    let mut branch = ask.dispatch.branch.as_deref();
    let from = here.place();
    while let Some(leaf) = position.last() {
        if leaf.called {
            position.pop();
            return Routing::to(here.library, position, &format!("return{of}"));
        }
        let workflow = here.library.get(&leaf.workflow);
        let Some((workflow, step)) = workflow.and_then(|workflow| Some((workflow, workflow.step(&leaf.step)?))) else {
            return Ok(Routing::new(Move::Stay, format!("{} is gone", place(&leaf.workflow, &leaf.step))));
        };
        let result = ask.result.unwrap_or(ask.dispatch.status.word());
        let Declared { next, by } = Declared::find(step, branch, result, passed);
        if let Some(next) = next {
            if workflow.step(next).is_none() {
                // A workflow that was parsed has no such target; one that was not is not ended for it.
                return Ok(Routing::new(Move::Stay, format!("{from} lost by {by}{of}")));
            }
            move_to(&mut position, next);
            return Routing::to(here.library, position, &format!("{by}{of}"));
        }
        position.pop();
        let Some(mounting) = position.last() else {
            return Ok(Routing::new(Move::End, format!("{from} end by {by}{of}")));
        };
        pass(passed, "next", format!("`{}` ends there; the step that mounts it decides", workflow.name));
        let at = place(&mounting.workflow, &mounting.step);
        let gated = here.library.get(&mounting.workflow).and_then(|workflow| workflow.step(&mounting.step));
        if gated.is_some_and(|step| step.human_gate) {
            let go = Move::Gate { position, keeps_target: false };
            return Ok(Routing::new(go, format!("{at} by human_gate")));
        }
        of = format!(" of {at}");
        branch = None;
    }
    Ok(here.gone())
}

/// Replaces the last frame's step; the parameters of its workflow stay bound.
pub(super) fn move_to(position: &mut [StepRef], step: &str) {
    if let Some(leaf) = position.last_mut() {
        leaf.step = step.into();
    }
}

/// What rules 5 and 6 say of one step.
pub(super) struct Declared<'w> {
    pub(super) next: Option<&'w str>,
    by: String,
}

impl<'w> Declared<'w> {
    pub(super) fn find(step: &'w Step, branch: Option<&str>, result: &str, passed: &mut Vec<Passed>) -> Self {
        let keys = [("on_result", Some(result)), ("branch", branch), ("default", Some(CATCH_ALL))];
        for (rule, key) in keys {
            let Some(key) = key.map(str::trim).filter(|key| !key.is_empty()) else {
                pass(passed, rule, "the dispatch names none".into());
                continue;
            };
            if let Some(condition) = condition_on(&step.conditions, key) {
                let kind = if rule == "branch" { "branch" } else { "on_result" };
                return Self { next: condition.next.as_deref(), by: format!("{kind}:{}", condition.on_result) };
            }
            pass(passed, rule, format!("no condition of `{}` waits for `{}`", step.name, super::cut(key)));
        }
        Self { next: step.next.as_deref(), by: "next".into() }
    }
}

/// Finds the first condition on a key; where none is written just so, case does not count.
pub(crate) fn condition_on<'w>(conditions: &'w [Condition], key: &str) -> Option<&'w Condition> {
    let exactly = conditions.iter().find(|condition| condition.on_result == key);
    exactly.or_else(|| conditions.iter().find(|condition| condition.on_result.eq_ignore_ascii_case(key)))
}
