//! What is due: answers first, then the step that a person started, then the one that routing left.

use alloc::{boxed::Box, string::String, vec::Vec};

use crate::{
    comment,
    dispatch::{Dispatch, Status},
    effect::Level,
    event::Trigger,
    ids::Identity,
    report::{Reason, RunOutcome},
    sentinel::{self, Found},
    stage::{
        After, Agenda, Draft, Fetch, Known, Next, Permit, Post, Prepare, Recheck, Scene, Start, StartBy, agenda,
        bounds::{COMMENTS_WARN, bound_reached},
        fetch::Then,
        gate,
        known::Ending,
        opening::reconcile_for,
        tell,
    },
    state::RecordKind,
    text,
    workflow::{Entered, Needed, SCRIPT_ROLE, enter},
};

/// Looks at what is due and begins it, or ends the run.
pub(crate) fn decide(scene: Scene<'_>, mut known: Known) -> Next {
    let frames = known.state.position.iter();
    let missing = frames.map(|frame| &frame.workflow).find_map(|name| known.library(scene.setup).needed(name));
    if let Some(reference) = missing.or_else(|| gate::to_fetch(scene, &known)) {
        return Fetch::begin(known, reference, Then::Decide);
    }
    if let Some(login) = gate::to_ask(scene, &known).or_else(|| agenda::to_ask(scene, &known)) {
        return Permit::begin(known, login);
    }
    let agenda = Agenda::take_up(scene, &mut known);
    let mut lines = agenda.lines;
    let (stage, effects) = if !agenda.replies.is_empty() {
        answer(scene, known, &agenda.replies, agenda.start)
    } else if let Some(start) = agenda.start {
        begin_step(scene, known, start)
    } else {
        go_on(scene, known)
    };
    lines.extend(effects);
    (stage, lines)
}

/// Begins a step, or says under `--dry-run` that it would. A step that mounts a workflow begins with that one's entry.
pub(crate) fn begin_step(scene: Scene<'_>, mut known: Known, mut start: Start) -> Next {
    if !has_steps_left(scene, &known, &start) {
        return left_for_another_run(known);
    }
    match enter(known.library(scene.setup), start.position.clone()) {
        Err(Needed(reference)) => {
            let then = Then::Begin { start: Box::new(start) };
            return Fetch::begin(known, reference, then);
        }
        Ok(Entered::Refused { asked, why }) => {
            known.set_initiator(&start);
            return hold(scene, known, text::cannot_mount(&asked, &why), Reason::NoRoute);
        }
        Ok(Entered::At { position, agent }) => start.stand_at(position, agent),
    }
    if scene.setup.settings.dry_run {
        return known.end_dry(&start);
    }
    known.ending = None;
    known.set_initiator(&start);
    known.state.stand_at(&start.position, Some(start.agent.clone()));
    known.close_gate();
    reconcile_for(&mut known, scene, start.author.as_ref());
    if let Err(why) = comment::would_fit(&known.next_state(), known.held_history) {
        return Post::instead(scene, known, &why, Vec::new());
    }
    Prepare::begin(scene, known, start)
}

/// Goes on from the older state that a person made count again, with the comment that asked for it.
pub(crate) fn recovered(scene: Scene<'_>, mut known: Known, comment_id: u64) -> Next {
    // What stands before the comment is used up; what else it asks for is taken up with it.
    known.use_up(comment_id.saturating_sub(1));
    known.recovered = true;
    let reason = Some(text::recovered_reason());
    known.state.dispatch = Some(Dispatch { status: Status::Hold, reason, ..Dispatch::default() });
    decide(scene, known)
}

/// Posts the answers to commands in one notice that carries the state, then goes on.
fn answer(scene: Scene<'_>, known: Known, replies: &[String], start: Option<Start>) -> Next {
    let words = replies.join("\n\n");
    if scene.setup.settings.dry_run {
        return known.end(RunOutcome::Nothing, Reason::DryRun, text::would_post(&words));
    }
    let state = known.next_state();
    Recheck::begin(scene, known, Draft::notice(words, Some(state), After::GoOn { start }))
}

/// Goes on with what routing left, if this run may and no bound stands against it.
fn go_on(scene: Scene<'_>, known: Known) -> Next {
    let Some(start) = next_start(scene, &known) else {
        return rest(known);
    };
    if !may_go_on(scene, &known, &start) {
        return if known.steps == 0 { rest(known) } else { left_for_another_run(known) };
    }
    if known.library(scene.setup).get(&start.workflow).is_none() {
        // The configuration is at fault and not the thread, so nothing is posted.
        let detail = text::workflow_not_configured(&start.workflow, scene.setup.workflows.keys());
        return known.end(RunOutcome::Failed, Reason::UnknownStep, detail);
    }
    if start.step.is_empty() {
        let words = text::step_is_gone(&known.state.workflow, &known.state.step);
        return hold(scene, known, words, Reason::UnknownStep);
    }
    match bound_reached(scene, &known) {
        Some(words) => hold(scene, known, words, Reason::LimitReached),
        None => {
            let (stage, mut effects) = begin_step(scene, known, start);
            if scene.thread.comments.len() >= COMMENTS_WARN {
                effects.insert(0, tell(Level::Warning, text::thread_nearly_full(scene.thread.comments.len())));
            }
            (stage, effects)
        }
    }
}

/// Gives the step that routing left to be run: a pending advance or loop. Its names are empty where the state
/// names a step that is no more.
pub(crate) fn next_start(scene: Scene<'_>, known: &Known) -> Option<Start> {
    let status = known.state.dispatch.as_ref()?.status;
    if !matches!(status, Status::Advance | Status::Loop) {
        return None;
    }
    let library = known.library(scene.setup);
    let step = library.get(&known.state.workflow).and_then(|workflow| workflow.step(&known.state.step));
    Some(Start {
        workflow: known.state.workflow.clone(),
        step: step.map(|step| step.name.clone()).unwrap_or_default(),
        agent: step.map(|step| step.role().into()).unwrap_or_default(),
        position: known.stack(),
        author: known.initiator(),
        by: StartBy::Routing,
    })
}

/// Ends a run in which nothing more is due.
fn rest(mut known: Known) -> Next {
    if let Some(Ending { outcome, reason, detail }) = known.ending.take() {
        return known.end(outcome, reason, detail);
    }
    if known.posted.is_empty()
        && let Some(why) = woken_by_own_words(&known)
    {
        return known.end(RunOutcome::Nothing, Reason::EventIgnored, why);
    }
    let status = known.state.dispatch.as_ref().map(|dispatch| dispatch.status);
    if known.posted.is_empty() {
        let detail = nothing_due(&known, status);
        return known.end(RunOutcome::Nothing, Reason::NothingAsked, detail);
    }
    let (outcome, reason) = match status {
        Some(Status::Terminate) if known.was_stopped => (RunOutcome::Terminated, Reason::Stopped),
        Some(Status::Hold) => (RunOutcome::Held, Reason::CommandsAnswered),
        _ => (RunOutcome::Nothing, Reason::CommandsAnswered),
    };
    known.end(outcome, reason, text::commands_answered())
}

/// Says why nothing is due; a workflow that waits is named, so that nobody takes it for finished.
pub(crate) fn nothing_due(known: &Known, status: Option<Status>) -> String {
    let state = &known.state;
    match status {
        Some(Status::Hold) if known.state.engine.as_ref().is_some_and(|engine| engine.gate.is_some()) => {
            text::waiting_at_gate(&state.workflow, &state.step)
        }
        Some(Status::Hold) => {
            let why = state.dispatch.as_ref().and_then(|dispatch| dispatch.reason.as_deref());
            text::waiting(&state.workflow, &state.step, why)
        }
        Some(Status::Advance | Status::Loop | Status::Terminate) | None => text::nothing_asked(),
    }
}

/// Tells whether this run goes on with a pending step: a person at a terminal, the engine's own sentinel, or
/// a run that posted the step before it and chains.
fn may_go_on(scene: Scene<'_>, known: &Known, start: &Start) -> bool {
    if known.steps > 0 || known.released {
        return has_steps_left(scene, known, start);
    }
    match &known.trigger {
        Trigger::Manual => true,
        Trigger::Comment { id, .. } => known.is_newest_output(*id) && hands_on(scene, *id),
        Trigger::Issue { .. } | Trigger::Other { .. } => false,
    }
}

/// Tells whether this run may run a step more. Where it runs one step only, a script behind a script belongs to the same
/// invocation; no run takes more than `max_steps`.
fn has_steps_left(scene: Scene<'_>, known: &Known, start: &Start) -> bool {
    let settings = &scene.setup.settings;
    let is_script_behind_script = known.ran_script && start.agent == SCRIPT_ROLE;
    let is_one_of_many = settings.chain || known.steps == 0 || is_script_behind_script;
    known.steps < settings.max_steps && is_one_of_many
}

/// Tells whether a comment's sentinel advances or loops.
fn hands_on(scene: Scene<'_>, id: u64) -> bool {
    let found = scene.thread.comment(id).map(|comment| sentinel::find(&comment.body));
    match found {
        Some(Found::Valid(config)) => matches!(config.dispatch().status, Status::Advance | Status::Loop),
        Some(Found::Invalid { .. } | Found::None) | None => false,
    }
}

/// Ends a run whose steps are used up, with what its last step came to.
fn left_for_another_run(mut known: Known) -> Next {
    if let Some(Ending { outcome, reason, detail }) = known.ending.take() {
        return known.end(outcome, reason, detail);
    }
    let is_loop = known.state.dispatch.as_ref().is_some_and(|dispatch| dispatch.status == Status::Loop);
    let outcome = if is_loop { RunOutcome::Looped } else { RunOutcome::Advanced };
    let detail = text::step_done(&known.state.workflow, &known.state.step, &known.state.agent);
    known.end(outcome, Reason::StepDone, detail)
}

/// Holds the workflow with a notice that says why.
fn hold(scene: Scene<'_>, known: Known, words: String, reason: Reason) -> Next {
    if scene.setup.settings.dry_run {
        return known.end(RunOutcome::Nothing, Reason::DryRun, text::would_post(&words));
    }
    let mut state = known.next_state();
    let dispatch = state.dispatch.get_or_insert_default();
    dispatch.status = Status::Hold;
    dispatch.reason = Some(words.clone());
    let after = After::end(RunOutcome::Held, reason, words.clone());
    Recheck::begin(scene, known, Draft::notice(words, Some(state), after))
}

/// Says why the engine's own comment starts nothing, where it is what woke the engine.
fn woken_by_own_words(known: &Known) -> Option<String> {
    match known.trigger {
        Trigger::Comment { id, .. } if known.is_own_comment(id) => Some(text::own_comment_ignored(id)),
        Trigger::Comment { .. } | Trigger::Manual | Trigger::Issue { .. } | Trigger::Other { .. } => None,
    }
}

impl Known {
    /// Tells whether a comment is the newest step's output. Only its sentinel hands on: an older one has been
    /// followed already, however often its event is delivered.
    fn is_newest_output(&self, id: u64) -> bool {
        let newest = self.state.history.last();
        self.is_own_comment(id) && newest.is_some_and(|entry| entry.comment_ids.contains(&id))
    }

    /// Tells whether a comment is the engine's: written by its account and marked, so that the ledger has it
    /// as output.
    pub(crate) fn is_own_comment(&self, id: u64) -> bool {
        let is_actor =
            |author: Identity| self.actor.as_ref().is_some_and(|actor| actor.is_same_as(author.id, &author.login));
        self.state.thread.iter().rev().find(|record| record.is_comment() && record.id == id).is_some_and(|record| {
            matches!(record.kind, RecordKind::AgentOutput | RecordKind::EngineOutput) && is_actor(record.author())
        })
    }
}
