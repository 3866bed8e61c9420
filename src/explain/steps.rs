//! Which rule chose the step after each step, and why the rules before it did not.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use crate::{
    dispatch::Dispatch,
    stage::{Known, Scene, path},
    state::{HistoryEntry, StepRef},
    text,
    workflow::{Ask, Move, Needed, Routing, route},
};

/// Why one step led where it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepWhy {
    /// The step.
    pub step: String,
    /// The role that ran it.
    pub agent: String,
    /// Its output's comments.
    pub comments: Vec<u64>,
    /// What it reported.
    pub result: Option<String>,
    /// The stack it led to, as `workflow/step|workflow/step`.
    pub led_to: String,
    /// The rule that decided, as `StepResolution.matched_rule` has it; by the files as they are now.
    pub rule: String,
    /// The same in words.
    pub why: String,
    /// The rules before it, and why each did not decide.
    pub considered: Vec<Considered>,
}

/// A rule that did not decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Considered {
    /// The rule.
    pub rule: &'static str,
    /// Why it did not.
    pub why: String,
}

/// Explains every step of the history.
pub(super) fn all(scene: Scene<'_>, known: &Known) -> Vec<StepWhy> {
    let history = &known.state.history;
    (0..history.len())
        .map(|at| explained(scene, known, &history[at], at.checked_sub(1).map(|at| &history[at])))
        .collect()
}

fn explained(scene: Scene<'_>, known: &Known, entry: &HistoryEntry, before: Option<&HistoryEntry>) -> StepWhy {
    let from = came_from(scene, known, entry, before);
    let (rule, considered, why) = match chosen(scene, known, entry, &from) {
        Err(Needed(reference)) => (String::new(), Vec::new(), text::not_read_for_a_look(&reference)),
        Ok((routing, released)) => {
            let led = target(&routing, &from);
            let is_as_recorded = led.is_none_or(|led| path(led) == path(&entry.position));
            let why = text::rule_in_words(&routing.rule, released, is_as_recorded);
            let passed = routing.passed.into_iter();
            let considered = passed.map(|passed| Considered { rule: passed.rule, why: passed.why }).collect();
            (routing.rule, considered, why)
        }
    };
    StepWhy {
        step: entry.step.clone(),
        agent: entry.agent.clone(),
        comments: entry.comment_ids.clone(),
        result: entry.result.clone(),
        led_to: path(&entry.position),
        rule,
        why,
        considered,
    }
}

/// Gives the stack that a step ran at: where the step before it led, if it led here; else what its own entry tells.
fn came_from(scene: Scene<'_>, known: &Known, entry: &HistoryEntry, before: Option<&HistoryEntry>) -> Vec<StepRef> {
    let led_here = |stack: &&Vec<StepRef>| stack.last().is_some_and(|leaf| leaf.step == entry.step);
    match before.map(|before| &before.position).filter(led_here) {
        Some(stack) => stack.clone(),
        None => own_stack(scene, known, entry),
    }
}

/// Gives the innermost frame of an entry whose workflow has the step, with what is around it.
fn own_stack(scene: Scene<'_>, known: &Known, entry: &HistoryEntry) -> Vec<StepRef> {
    let library = known.library(scene.setup);
    let has_step = |frame: &StepRef| library.get(&frame.workflow).is_some_and(|flow| flow.step(&entry.step).is_some());
    let frames = &entry.position;
    let mut stack = match frames.iter().rposition(has_step) {
        Some(at) => frames[..=at].to_vec(),
        None => frames.clone(),
    };
    if let Some(leaf) = stack.last_mut() {
        leaf.step.clone_from(&entry.step);
    }
    stack
}

/// Makes the choice again, and once more behind the gate where the step has left it.
fn chosen(scene: Scene<'_>, known: &Known, entry: &HistoryEntry, from: &[StepRef]) -> Result<(Routing, bool), Needed> {
    let none = Dispatch::default();
    let dispatch = entry.dispatch.as_ref().unwrap_or(&none);
    let ask = Ask { position: from, dispatch, result: entry.result.as_deref(), released: false, call: None };
    let library = known.library(scene.setup);
    let routing = route(library, &ask)?;
    match &routing.go {
        Move::Gate { position, .. } if path(position) != path(&entry.position) => {
            let position = position.clone();
            let released = Ask { position: &position, released: true, ..ask };
            Ok((route(library, &released)?, true))
        }
        _ => Ok((routing, false)),
    }
}

fn target<'r>(routing: &'r Routing, from: &'r [StepRef]) -> Option<&'r [StepRef]> {
    match &routing.go {
        Move::To { position, .. } | Move::Gate { position, .. } => Some(position),
        Move::Again => Some(from),
        Move::Stay | Move::Stop | Move::End => None,
    }
}
