//! Which rule chose the step after each step, and why the rules before it did not.

use alloc::{string::String, vec::Vec};

use serde::Serialize;

use crate::{
    dispatch::Dispatch,
    stage::{Known, Scene, path, ran_at},
    state::{GateDecision, HistoryEntry, StepRef},
    text,
    workflow::{APPROVED, Ask, Move, Needed, Routing, Step, condition_on, route},
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
    /// The stack it led to, as `workflow/step|workflow/step`; nothing where the workflow was over.
    pub led_to: Option<String>,
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
    let library = known.library(scene.setup);
    let entry =
        |at: usize| Entry { entry: &history[at], from: ran_at(library, history, at), after: history.get(at + 1) };
    (0..history.len()).map(|at| entry(at).explained(scene, known)).collect()
}

/// One entry of the history, and what is around it.
struct Entry<'a> {
    entry: &'a HistoryEntry,
    /// The stack that it ran at.
    from: Vec<StepRef>,
    after: Option<&'a HistoryEntry>,
}

/// The choice, made again.
struct Chosen {
    routing: Routing,
    /// Where it leads; nothing where the workflow is over.
    target: Option<Vec<StepRef>>,
    /// What people decided at the step's gate.
    decided: Option<String>,
}

impl Entry<'_> {
    fn explained(&self, scene: Scene<'_>, known: &Known) -> StepWhy {
        let from = self.from.as_slice();
        let recorded = path(&self.entry.position);
        let (rule, considered, why, is_over) = match self.chosen(scene, known, from) {
            Err(Needed(reference)) => (String::new(), Vec::new(), text::not_read_for_a_look(&reference), false),
            Ok(Chosen { routing, target, decided }) => {
                let is_over = target.is_none() && recorded == path(from);
                let is_as_recorded = is_over || target.is_some_and(|target| path(&target) == recorded);
                let why = text::rule_in_words(&routing.rule, decided.as_deref(), is_as_recorded);
                let passed = routing.passed.into_iter();
                let considered = passed.map(|passed| Considered { rule: passed.rule, why: passed.why }).collect();
                (routing.rule, considered, why, is_over)
            }
        };
        StepWhy {
            step: self.entry.step.clone(),
            agent: self.entry.agent.clone(),
            comments: self.entry.comment_ids.clone(),
            result: self.entry.result.clone(),
            led_to: (!is_over).then_some(recorded),
            rule,
            why,
            considered,
        }
    }

    /// Makes the choice again, through every gate at which people decided before the next step ran.
    fn chosen(&self, scene: Scene<'_>, known: &Known, from: &[StepRef]) -> Result<Chosen, Needed> {
        let none = Dispatch::default();
        let dispatch = self.entry.dispatch.as_ref().unwrap_or(&none);
        let result = self.entry.result.as_deref();
        let ask = Ask { position: from, dispatch, result, released: false, call: self.called(from) };
        let library = known.library(scene.setup);
        let mut routing = route(library, &ask)?;
        let mut decided = None;
        while let Move::Gate { position, keeps_target } = &routing.go {
            let position = position.clone();
            let Some(made) = self.decision_at(known, &position) else { break };
            decided = Some(made.status.clone());
            let approved = made.status == APPROVED;
            let has_way = |step: &Step| condition_on(&step.conditions, &made.status).is_some();
            let step = position.last().and_then(|leaf| library.get(&leaf.workflow)?.step(&leaf.step));
            if !approved && !step.is_some_and(has_way) {
                return Ok(Chosen { routing, target: Some(position), decided });
            }
            let dispatch = if approved && *keeps_target { dispatch } else { &none };
            let result = if approved { result } else { Some(made.status.as_str()) };
            routing = route(library, &Ask { position: &position, dispatch, result, released: true, call: None })?;
        }
        let target = match &routing.go {
            Move::To { position, .. } | Move::Gate { position, .. } => Some(position.clone()),
            Move::Again | Move::Stay => Some(from.to_vec()),
            Move::Stop | Move::End => None,
        };
        Ok(Chosen { routing, target, decided })
    }

    /// Gives the step that this one called, where its entry led one frame further down to a called step.
    fn called(&self, from: &[StepRef]) -> Option<&str> {
        let (leaf, rest) = self.entry.position.split_last()?;
        (leaf.called && path(rest) == path(from)).then_some(leaf.step.as_str())
    }

    /// Finds the last decision at a gate between this step's output and the next one's.
    fn decision_at<'k>(&self, known: &'k Known, position: &[StepRef]) -> Option<&'k GateDecision> {
        let newest = |entry: &HistoryEntry| entry.comment_ids.iter().copied().max().unwrap_or(0);
        let (from, to) = (newest(self.entry), self.after.map_or(u64::MAX, newest));
        let between = |made: &&GateDecision| made.comment_id.is_some_and(|id| id > from && id < to);
        let here = |made: &&GateDecision| path(&made.position) == path(position);
        known.state.gate_history.iter().rev().filter(between).find(here)
    }
}
