//! Human gates: which one waits, who may decide at it, and what a decision does to the state (decision 4).
//!
//! That an advance out of a gated step is held in the first place is for `route`; asking the repository what a
//! person may do is for `permit`.

use alloc::{string::String, vec::Vec};

use crate::{
    command::{self, Ask as Asked, Verb},
    comment,
    dispatch::{Dispatch, Status},
    event::Permission,
    stage::{
        Known, Scene,
        agenda::{Said, unused},
        settle::{Landed, land},
    },
    state::{GateDecision, GateHold, Initiator, StepRef},
    text, thread,
    workflow::{APPROVED, Ask, GatePolicy, Needed, REJECTED, Routing, Step, condition_on, route},
};

/// What a person decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// On behind the gate.
    Approved,
    /// Back to work.
    Rejected,
}

impl Decision {
    /// Gives the word of the wire contract.
    fn word(self) -> &'static str {
        match self {
            Self::Approved => APPROVED,
            Self::Rejected => REJECTED,
        }
    }
}

/// A gate that waits.
struct Waiting<'w> {
    step: &'w Step,
    policy: &'w GatePolicy,
    hold: GateHold,
    /// The newest comment of the output that waits. What decides is newer.
    opened_at: u64,
}

impl Known {
    /// Tells whether a gate waits.
    pub(crate) fn waits_at_gate(&self, scene: Scene<'_>) -> bool {
        self.waiting(scene).is_some()
    }

    fn waiting<'w>(&'w self, scene: Scene<'w>) -> Option<Waiting<'w>> {
        let hold = self.state.engine.as_ref()?.gate.clone()?;
        // An output that an older comment holds is older than the hold, so the comment that opened it counts as well.
        let opener = comment::newest_of_run(scene.thread, hold.run_id, self.actor.as_ref());
        let opened_at = self.newest_output().max(opener);
        let workflow = self.library(scene.setup).get(&self.state.workflow)?;
        let step = workflow.step(&self.state.step).filter(|step| step.human_gate)?;
        let is_held = self.state.dispatch.as_ref().is_some_and(|dispatch| dispatch.status == Status::Hold);
        is_held.then_some(Waiting { step, policy: &workflow.gate, hold, opened_at })
    }

    /// Gives the newest comment of the newest step's output, or 0.
    pub(crate) fn newest_output(&self) -> u64 {
        let ids = self.state.history.last().map(|entry| entry.comment_ids.as_slice()).unwrap_or_default();
        ids.iter().copied().max().unwrap_or(0)
    }

    /// Takes a state of the Python original, which has no note of ours, for held at a gate where that is what it
    /// means: the step holds, has a gate, and its last run wanted to go on.
    pub(crate) fn adopt_gate(&mut self, scene: Scene<'_>) {
        let state = &self.state;
        let step = self.library(scene.setup).get(&state.workflow).and_then(|workflow| workflow.step(&state.step));
        let is_gated = step.is_some_and(|step| step.human_gate);
        let is_held = state.dispatch.as_ref().is_some_and(|dispatch| dispatch.status == Status::Hold);
        let wanted_on = state.history.last().is_some_and(|entry| {
            let advances = entry.dispatch.as_ref().is_some_and(|dispatch| dispatch.status == Status::Advance);
            entry.step == state.step && advances
        });
        if self.state.engine.is_none() && is_gated && is_held && wanted_on {
            let run_id = self.state.run_id;
            self.engine_note().gate = Some(GateHold { run_id, ..GateHold::default() });
        }
    }
}

/// Gives the login of somebody whose decision waits for an answer of the repository.
pub(crate) fn to_ask(scene: Scene<'_>, known: &Known) -> Option<String> {
    let waiting = known.waiting(scene)?;
    let deciders = deciding(scene, known, waiting.opened_at);
    deciders.into_iter().map(|said| &said.user.login).find(|login| known.permission(login).is_none()).cloned()
}

/// Gives the workflow of another repository that a decision would lead into and nobody has asked for yet.
pub(crate) fn to_fetch(scene: Scene<'_>, known: &Known) -> Option<String> {
    let waiting = known.waiting(scene)?;
    if deciding(scene, known, waiting.opened_at).is_empty() {
        return None;
    }
    let routes =
        [released(scene, known), sent_back(scene, known, waiting.step).unwrap_or_else(|| released(scene, known))];
    routes.into_iter().find_map(|route| route.err()).map(|Needed(reference)| reference)
}

/// Gives what people wrote since the gate was opened and nobody has used up, where it decides.
fn deciding<'a>(scene: Scene<'a>, known: &Known, opened_at: u64) -> Vec<Said<'a>> {
    let roles = || scene.setup.agents.keys().map(String::as_str);
    let decides = |said: &Said<'_>| {
        let is_decision =
            |ask: &Asked| matches!(ask, Asked::Command(Verb::ApproveGate { .. } | Verb::RejectGate { .. }));
        said.id > opened_at
            && !said.user.login.is_empty()
            && thread::may_ask(said.user, said.association)
            && command::asks(said.body, roles()).iter().any(is_decision)
    };
    unused(scene.thread, known).into_iter().filter(decides).collect()
}

/// Takes a decision: changes the state where it counts, and gives the answer to whoever decided.
pub(crate) fn take(scene: Scene<'_>, known: &mut Known, said: &Said<'_>, decision: Decision, feedback: &str) -> String {
    let (refusal, (mine, wanted)) = match known.waiting(scene) {
        None => return text::no_gate_waits(),
        Some(waiting) => (refusal(known, &waiting, said), counted(&waiting, said)),
    };
    if let Some(refusal) = refusal {
        return refusal;
    }
    if decision == Decision::Approved && mine < wanted {
        known.note_approval(said);
        return text::gate_approved_by_one(&said.user.login, mine, wanted);
    }
    carry_out(scene, known, said, decision, feedback)
}

/// Says why a person's decision does not count.
fn refusal(known: &Known, waiting: &Waiting<'_>, said: &Said<'_>) -> Option<String> {
    let login = said.user.login.as_str();
    let is_used = known.state.gate_history.iter().any(|decision| decision.comment_id == Some(said.id));
    if said.id <= waiting.opened_at || is_used {
        return Some(text::gate_decided_too_early(said.id));
    }
    match known.permission(login) {
        Some(asked) if asked.permission >= Permission::Write => {}
        Some(asked) => return Some(text::gate_not_permitted(login, asked.trouble.as_deref())),
        None => return Some(text::gate_not_permitted(login, Some("nobody asked the repository"))),
    }
    let is_starter = known.is_starter(&said.user.identity());
    (waiting.policy.not_by_initiator && is_starter).then(|| text::gate_not_by_initiator(login))
}

/// Counts the people who approved, with this one, and how many have to.
fn counted(waiting: &Waiting<'_>, said: &Said<'_>) -> (usize, usize) {
    let person = said.user.identity();
    let others = waiting.hold.approvals.iter().filter(|approval| !approval.is_same_as(&person)).count();
    (others + 1, waiting.policy.approvals as usize)
}

fn carry_out(scene: Scene<'_>, known: &mut Known, said: &Said<'_>, decision: Decision, feedback: &str) -> String {
    let Some(waiting) = known.waiting(scene) else { return text::no_gate_waits() };
    let (step, login) = (waiting.step.name.clone(), said.user.login.as_str());
    let made = GateDecision {
        status: decision.word().into(),
        decided_by: login.into(),
        decided_at: created_at(scene, said.id),
        feedback: text::cut(feedback, FEEDBACK_CHARS),
        comment_id: Some(said.id),
        position: known.state.position.clone(),
        ..GateDecision::default()
    };
    let routing = match decision {
        Decision::Approved => Some(released(scene, known)),
        Decision::Rejected => sent_back(scene, known, waiting.step),
    };
    let sent_back_before = known.rework(&made.position);
    known.state.gate_history.push(made.clone());
    known.state.gate_decision = Some(made);
    match routing {
        // What it leads into was fetched before the decision was taken up.
        Some(Err(Needed(reference))) => text::gate_leads_nowhere(&reference),
        Some(Ok(routing)) => {
            let landed = known.land_behind(scene, &routing);
            text::gate_decided(decision == Decision::Approved, &step, login, &landed.words)
        }
        None if sent_back_before >= scene.setup.settings.limits.gate_rework as usize => {
            text::gate_rework_used_up(&step, sent_back_before)
        }
        None => {
            known.do_again();
            text::gate_sent_back(&step, login)
        }
    }
}

/// Routes as if the gate were not there.
fn released(scene: Scene<'_>, known: &Known) -> Result<Routing, Needed> {
    let mut dispatch = known.state.dispatch.clone().unwrap_or_default();
    dispatch.status = Status::Advance;
    let result = known.state.history.last().and_then(|entry| entry.result.as_deref());
    let position = known.stack();
    let ask = Ask { position: &position, dispatch: &dispatch, result, released: true, call: None };
    route(known.library(scene.setup), &ask)
}

/// Routes by the condition `rejected`, where the step has one.
fn sent_back(scene: Scene<'_>, known: &Known, step: &Step) -> Option<Result<Routing, Needed>> {
    condition_on(&step.conditions, Decision::Rejected.word())?;
    let position = known.stack();
    let dispatch = Dispatch::default();
    let result = Some(Decision::Rejected.word());
    let ask = Ask { position: &position, dispatch: &dispatch, result, released: true, call: None };
    Some(route(known.library(scene.setup), &ask))
}

impl Known {
    fn note_approval(&mut self, said: &Said<'_>) {
        let (user_id, user_login) = (said.user.id, said.user.login.clone());
        let approval = Initiator { user_id, user_login, comment_id: said.id };
        if let Some(hold) = &mut self.engine_note().gate
            && !hold.approvals.iter().any(|old| old.is_same_as(&said.user.identity()))
        {
            hold.approvals.push(approval);
        }
    }

    /// Moves to where a released gate leads.
    fn land_behind(&mut self, scene: Scene<'_>, routing: &Routing) -> Landed {
        let mut state = self.state.clone();
        let mut dispatch = state.dispatch.take().unwrap_or_default();
        dispatch.status = Status::Advance;
        dispatch.reason = None;
        let position = self.stack();
        let run_id = state.run_id.saturating_add(1);
        let landed = land(scene, self.library(scene.setup), &mut state, &position, &dispatch, routing, run_id);
        // The step's own entry goes along, so that its position stays that of the state.
        if let Some(entry) = state.history.last_mut() {
            entry.position.clone_from(&state.position);
        }
        self.held_history = self.held_history.min(state.history.len().saturating_sub(1));
        self.state = state;
        self.released = true;
        self.ending = landed.ending.clone();
        landed
    }

    /// Leaves the gated step to be run once more.
    fn do_again(&mut self) {
        self.close_gate();
        let dispatch = Dispatch { status: Status::Loop, ..Dispatch::default() };
        self.state.dispatch = Some(dispatch);
        self.released = true;
    }

    /// Counts how often a gate sent its step back since it was last released.
    fn rework(&self, position: &[StepRef]) -> usize {
        let here = self.state.gate_history.iter().rev().filter(|decision| decision.position == position);
        here.take_while(|decision| decision.status == Decision::Rejected.word()).count()
    }

    /// Takes the gate for closed: the step behind it runs once more, or the workflow is over.
    pub(crate) fn close_gate(&mut self) {
        if let Some(engine) = &mut self.state.engine {
            engine.gate = None;
        }
    }
}

fn created_at(scene: Scene<'_>, id: u64) -> String {
    scene.thread.comment(id).map(|comment| comment.created_at.clone()).unwrap_or_default()
}

/// Feedback goes into the state with every later comment.
const FEEDBACK_CHARS: usize = 2_000;
