//! What people have asked for and no earlier state has used up (decisions 3 and 12).
//!
//! Comments are taken in id order, each judged by its own author's authority, up to the first that starts a
//! step. Answers to what stands before it are posted first.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    command::{self, Ask, Verb},
    comment,
    dispatch::{Dispatch, Status},
    effect::{Effect, Level},
    event::{Permission, Trigger},
    ids::Identity,
    nearest,
    setup::Setup,
    snapshot::{Account, ThreadSnapshot},
    stage::{
        Known, Scene,
        gate::{self, Decision},
        tell,
    },
    state::{RecordKind, StepRef},
    text, thread,
    workflow::{Library, Step, gate_before},
};

/// A step that is to run, and on whose word.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Start {
    /// The workflow.
    pub(crate) workflow: String,
    /// The step of it.
    pub(crate) step: String,
    /// The role that runs it.
    pub(crate) agent: String,
    /// The stack down to it.
    pub(crate) position: Vec<StepRef>,
    /// Who started it: the trigger author of the run.
    pub(crate) author: Option<Identity>,
    /// What started it.
    pub(crate) by: StartBy,
}

/// What started a step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StartBy {
    /// The step before it.
    #[default]
    Routing,
    /// A person's mention or command. Id 0 is the issue's opening text.
    Person {
        /// The comment.
        comment_id: u64,
        /// What they asked for, or empty.
        request: String,
        /// The comment up to which nobody else asks for anything, so that it is used up as well.
        up_to: u64,
    },
}

/// What is to be answered and started.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Agenda {
    /// Answers to commands, in order.
    pub(crate) replies: Vec<String>,
    /// The step that somebody started.
    pub(crate) start: Option<Start>,
    /// Lines for whoever watches.
    pub(crate) lines: Vec<Effect>,
}

impl Start {
    /// Moves it to where a stack ends.
    pub(crate) fn stand_at(&mut self, position: Vec<StepRef>, agent: String) {
        if let Some(leaf) = position.last() {
            self.workflow.clone_from(&leaf.workflow);
            self.step.clone_from(&leaf.step);
        }
        self.agent = agent;
        self.position = position;
    }

    /// Leaves a comment, and what comes after it, to be taken up later.
    fn leave_from(&mut self, id: u64) {
        if let StartBy::Person { comment_id, up_to, .. } = &mut self.by {
            *up_to = (*up_to).min(id.saturating_sub(1)).max(*comment_id);
        }
    }
}

/// One artifact with its author, as the agenda goes through them.
pub(crate) struct Said<'a> {
    /// The comment, or 0 for the issue's opening text.
    pub(crate) id: u64,
    pub(crate) body: &'a str,
    pub(crate) user: &'a Account,
    pub(crate) association: &'a str,
}

impl Agenda {
    /// Takes up what is unused, changes the state as commands say, and moves its cursor.
    ///
    /// Where a comment both asks for an answer and starts a step, the cursor stays before it until the step
    /// is posted: a start that is told twice is better than one that is lost.
    pub(crate) fn take_up(scene: Scene<'_>, known: &mut Known) -> Self {
        let mut agenda = Self::default();
        let roles = || scene.setup.agents.keys().map(String::as_str);
        for said in unused(scene.thread, known) {
            let asks = command::asks(said.body, roles());
            if asks.is_empty() {
                continue;
            }
            if !thread::may_ask(said.user, said.association) {
                agenda.lines.push(tell(Level::Info, text::not_allowed(said.id, &said.user.login, said.association)));
                continue;
            }
            if let Some(start) = &mut agenda.start {
                start.leave_from(said.id);
                return agenda.bounded();
            }
            for ask in asks {
                agenda.take(scene, known, &said, ask);
            }
            if agenda.start.is_none() {
                known.use_up(said.id);
            }
        }
        // Whatever else was read asks for nothing, so it is used up as well: an edit cannot make it ask later.
        if agenda.start.is_none() && known.actor.is_some() {
            known.seen_up_to = known.horizon;
        }
        agenda.bounded()
    }

    /// Holds the answers within bounds: a person who writes a thousand commands gets one notice.
    fn bounded(mut self) -> Self {
        let more = self.replies.len().saturating_sub(REPLIES_MAX);
        if more > 0 {
            self.replies.truncate(REPLIES_MAX);
            self.replies.push(text::more_not_answered(more));
        }
        self
    }

    fn take(&mut self, scene: Scene<'_>, known: &mut Known, said: &Said<'_>, ask: Ask) {
        match ask {
            Ask::Command(verb) => self.obey(scene, known, said, verb),
            Ask::Mention { role, request } => match find_role(scene.setup, known, &role) {
                Some((workflow, step)) => self.start(scene, known, &workflow, &step, said, request),
                None => self.replies.push(text::role_without_step(&role)),
            },
            Ask::UnknownRole { word, near } => self.replies.push(text::unknown_role(&word, &near)),
            Ask::WrongVerb { line, column, text: written, why, near } => {
                self.replies.push(text::wrong_verb(said.id, line, column, &written, &why, near.as_deref()));
            }
        }
    }

    fn obey(&mut self, scene: Scene<'_>, known: &mut Known, said: &Said<'_>, verb: Verb) {
        let setup = scene.setup;
        match verb {
            Verb::Run { workflow, step } => match find_step(known.library(setup), &workflow, step.as_deref()) {
                Ok(step) => self.start(scene, known, &workflow, &step, said, String::new()),
                Err(refusal) => self.replies.push(refusal),
            },
            Verb::Retry => match find_step(known.library(setup), &known.state.workflow, Some(&known.state.step)) {
                Ok(step) => {
                    let workflow = known.state.workflow.clone();
                    self.start(scene, known, &workflow, &step, said, String::new());
                }
                Err(refusal) => self.replies.push(refusal),
            },
            Verb::Stop => {
                known.was_stopped = true;
                known.close_gate();
                known.ending = None;
                let reason = text::stopped_by(&said.user.login);
                known.state.dispatch =
                    Some(Dispatch { status: Status::Terminate, reason: Some(reason), ..Dispatch::default() });
                self.replies.push(text::stopped());
            }
            Verb::Pin { id } => self.pin(known, id),
            Verb::Unpin { id } => {
                let before = known.state.pinned_comment_ids.len();
                known.state.pinned_comment_ids.retain(|pinned| *pinned != id);
                let was_pinned = known.state.pinned_comment_ids.len() < before;
                self.replies.push(text::unpinned(id, was_pinned));
            }
            Verb::Status => self.replies.push(text::status(&known.state)),
            Verb::Help => self.replies.push(text::help(setup.agents.keys().map(String::as_str))),
            Verb::Recover if known.recovered => {
                known.recovered = false;
                self.replies.push(text::recovered(known.base.as_ref().map(|base| base.comment_id)));
            }
            Verb::Recover => self.replies.push(text::nothing_to_recover()),
            Verb::ApproveGate { feedback } => {
                self.replies.push(gate::take(scene, known, said, Decision::Approved, &feedback));
            }
            Verb::RejectGate { feedback } => {
                self.replies.push(gate::take(scene, known, said, Decision::Rejected, &feedback));
            }
        }
    }

    fn pin(&mut self, known: &mut Known, id: u64) {
        let record = known.state.thread.iter().find(|record| record.is_comment() && record.id == id);
        match record {
            None => self.replies.push(text::pin_unknown(id)),
            Some(record) if record.deleted => self.replies.push(text::pin_unknown(id)),
            Some(record) => {
                let words = match record.kind {
                    RecordKind::AgentOutput => text::pinned(id),
                    RecordKind::Command | RecordKind::HumanFeedback => text::pinned_persons(id, &record.user_login),
                    RecordKind::EngineOutput | RecordKind::IssueBody => text::pinned_notice(id),
                };
                if !known.state.pinned_comment_ids.contains(&id) {
                    known.state.pinned_comment_ids.push(id);
                }
                self.replies.push(words);
            }
        }
    }

    /// Notes a start; a comment starts one step, its first.
    fn start(
        &mut self,
        scene: Scene<'_>,
        known: &Known,
        workflow: &str,
        step: &Step,
        said: &Said<'_>,
        request: String,
    ) {
        let is_current = workflow == known.state.workflow && step.name == known.state.step;
        if !is_current && known.waits_at_gate(scene) {
            self.replies.push(text::gate_is_in_the_way(&known.state.step));
            return;
        }
        if self.start.is_some() {
            self.replies.push(text::one_start_a_comment(said.id, step.role()));
            return;
        }
        if let Some(gate) = gate_in_between(scene, known, workflow, step)
            && let Some(refusal) = may_not_pass(known, &said.user.login, &step.name, &gate.name)
        {
            self.replies.push(refusal);
            return;
        }
        self.start = Some(Start {
            workflow: workflow.to_string(),
            step: step.name.clone(),
            agent: step.role().into(),
            position: known.stack_for(workflow, &step.name),
            author: Some(said.user.identity()),
            by: StartBy::Person { comment_id: said.id, request, up_to: known.horizon.max(said.id) },
        });
    }
}

/// Gives the gate that somebody would go around who started a step by hand.
fn gate_in_between<'w>(scene: Scene<'w>, known: &'w Known, workflow: &str, step: &Step) -> Option<&'w Step> {
    let is_current = workflow == known.state.workflow && step.name == known.state.step;
    let workflow = known.library(scene.setup).get(workflow).filter(|_| !is_current)?;
    gate_before(workflow, &step.name)
}

/// Says why a person may not start a step behind a gate: it takes what releasing the gate takes (decision 4).
fn may_not_pass(known: &Known, login: &str, step: &str, gate: &str) -> Option<String> {
    match known.permission(login) {
        Some(asked) if asked.permission >= Permission::Write => None,
        Some(asked) => Some(text::gate_stands_before(login, step, gate, asked.trouble.as_deref())),
        None => Some(text::gate_stands_before(login, step, gate, Some("nobody asked the repository"))),
    }
}

/// Gives the login of somebody who wants to start a step behind a gate, where the repository was not asked yet.
pub(crate) fn to_ask(scene: Scene<'_>, known: &Known) -> Option<String> {
    let roles = || scene.setup.agents.keys().map(String::as_str);
    let goes_around = |ask: &Ask| {
        let wanted = match ask {
            Ask::Mention { role, .. } => find_role(scene.setup, known, role),
            Ask::Command(Verb::Run { workflow, step }) => {
                let found = find_step(known.library(scene.setup), workflow, step.as_deref());
                found.ok().map(|step| (workflow.clone(), step))
            }
            Ask::Command(_) | Ask::UnknownRole { .. } | Ask::WrongVerb { .. } => None,
        };
        wanted.is_some_and(|(workflow, step)| gate_in_between(scene, known, &workflow, &step).is_some())
    };
    let said = unused(scene.thread, known).into_iter();
    let mut said = said.filter(|said| thread::may_ask(said.user, said.association));
    let asks = said.find(|said| {
        known.permission(&said.user.login).is_none() && command::asks(said.body, roles()).iter().any(goes_around)
    });
    asks.map(|said| said.user.login.clone())
}

/// Gives what nobody has used up, in id order, without what the engine and other bots wrote.
pub(crate) fn unused<'a>(thread: &'a ThreadSnapshot, known: &Known) -> Vec<Said<'a>> {
    let issue = &thread.issue;
    let opening = (!known.opened() && !issue.user.is_bot()).then_some(Said {
        id: 0,
        body: &issue.body,
        user: &issue.user,
        association: &issue.author_association,
    });
    let (cursor, horizon) = (known.cursor(), known.horizon);
    let mut comments: Vec<Said<'a>> = thread
        .comments
        .iter()
        .filter(|comment| comment.id > cursor && comment.id <= horizon)
        .filter(|comment| is_by_a_person(&comment.user, &comment.body, known.actor.as_ref()))
        .map(|comment| Said {
            id: comment.id,
            body: &comment.body,
            user: &comment.user,
            association: &comment.author_association,
        })
        .collect();
    comments.sort_by_key(|said| said.id);
    comments.dedup_by_key(|said| said.id);
    let mut all: Vec<Said<'a>> = opening.into_iter().chain(comments).collect();
    if known.actor.is_none() {
        // Without its own account the engine cannot read its own state, so it cannot know what it has
        // already done: only what woke it is taken up, or what nobody can have answered yet.
        let answered = newest_part(thread);
        all.retain(|said| match known.trigger {
            Trigger::Comment { id, .. } => said.id == id,
            Trigger::Issue { .. } => said.id == 0,
            Trigger::Manual => answered.is_none_or(|answered| said.id > answered),
            Trigger::Other { .. } => false,
        });
    }
    all
}

/// Gives the newest comment that looks like a part of ours, whoever wrote it: a forged one can only hold a run
/// back that does not know itself.
fn newest_part(thread: &ThreadSnapshot) -> Option<u64> {
    thread.comments.iter().filter(|comment| comment::looks_like_part(&comment.body)).map(|comment| comment.id).max()
}

/// Tells whether a comment is a person's, as ADR-0012 decides it.
pub(crate) fn is_by_a_person(user: &Account, body: &str, actor: Option<&Identity>) -> bool {
    let kind = thread::classify(user, body, actor);
    matches!(kind, RecordKind::Command | RecordKind::HumanFeedback)
}

/// Finds the step that a role runs: the current one if it is the role's, else the first of the current
/// workflow, of the configured one, of any other by name.
fn find_role(setup: &Setup, known: &Known, role: &str) -> Option<(String, Step)> {
    let library = known.library(setup);
    let current = library.get(&known.state.workflow);
    let here = current.and_then(|workflow| workflow.step(&known.state.step)).filter(|step| step.agent() == Some(role));
    let name = known.state.workflow.as_str();
    if let Some(step) = here {
        return Some((name.into(), step.clone()));
    }
    let configured = setup.settings.workflow.as_str();
    let first = current.map(|workflow| (name, workflow)).into_iter();
    let second = setup.workflows.get(configured).map(|workflow| (configured, workflow));
    let others = setup.workflows.iter().map(|(name, workflow)| (name.as_str(), workflow));
    let mut all = first.chain(second).chain(others);
    all.find_map(|(name, workflow)| workflow.step_of(role).map(|step| (name.into(), step.clone())))
}

/// Finds a step by name, or a workflow's entry; else says what there is.
fn find_step(library: Library<'_>, workflow: &str, step: Option<&str>) -> Result<Step, String> {
    let Some(found) = library.get(workflow) else {
        let near = nearest::nearest(workflow, library.own.keys().map(String::as_str));
        return Err(text::unknown_workflow(workflow, &near));
    };
    match step {
        None => found.steps.first().cloned().ok_or_else(|| text::unknown_workflow::<&str>(workflow, &[])),
        Some(name) => found.step(name).cloned().ok_or_else(|| {
            let near = nearest::nearest(name, found.steps.iter().map(|step| step.name.as_str()));
            text::unknown_step(workflow, name, &near)
        }),
    }
}

/// So many answers are read in one notice.
const REPLIES_MAX: usize = 20;
