//! What a run would see, without running it: the ledger and the prompt, for people who look before they act.
//!
//! It stands on the same opening and the same agenda as a run, so it cannot tell anything else.

use alloc::{
    borrow::Cow,
    boxed::Box,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use serde::Serialize;

use crate::{
    agent::Role,
    dispatch::Dispatch,
    event::Trigger,
    ids::Identity,
    prompt::{self, Block, BlockTrust},
    setup::Setup,
    snapshot::ThreadSnapshot,
    stage::{
        Agenda, Known, Material, Opened, Scene, Start, StartBy, next_start, open, prompt_input, reconcile_for,
        starts_behind_gate,
    },
    state::{Authority, Damage, ThreadRecord, WorkflowState, locate},
    thread::{self, View},
    time::Timestamp,
    workflow::{Entered, enter},
};

/// Who is asked about: the trigger of the run that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedFor {
    /// Whoever starts the next step, as a run would find it.
    Next,
    /// The author of a comment; 0 is the issue's opening text.
    Comment(u64),
    /// A named account.
    Account(Identity),
}

/// The ledger as a run would hold it, with the reason for every trust.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LedgerView {
    /// The records, issue body first.
    pub records: Vec<ThreadRecord>,
    /// The engine's account.
    pub actor: Option<Identity>,
    /// The trigger author that trust was computed for.
    pub trigger: Option<Identity>,
    /// The state that counts.
    pub state: Option<StateRef>,
    /// Comments whose state block cannot be read, newer than the one that counts.
    pub damaged: Vec<u64>,
    /// Why each record is trusted or not, by id.
    pub reasons: BTreeMap<u64, Cow<'static, str>>,
}

/// Where a state stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateRef {
    /// The comment that carries it.
    pub comment_id: u64,
    /// Its number.
    pub run_id: u64,
}

/// Gives the ledger of a thread.
pub fn ledger(setup: &Setup, thread: &ThreadSnapshot, actor: Option<Identity>, asked_for: &AskedFor) -> LedgerView {
    let scene = Scene { setup, thread, at: Timestamp::default() };
    let authority = Authority { actor: actor.clone(), trusted_actors: &setup.settings.trusted_actors, above: 0 };
    let located = locate(thread, &authority);
    let (known, start, _) = look(scene, actor.clone(), asked_for);
    let state =
        located.readable().map(|carried| StateRef { comment_id: carried.comment_id, run_id: carried.state.run_id });
    let trigger = start.author.filter(Identity::is_known);
    let view = View {
        actor: known.actor.as_ref(),
        trigger: trigger.as_ref(),
        policy: setup.settings.trust,
        ..View::default()
    };
    let reasons = thread::reasons(&known.state.thread, thread, &view);
    LedgerView { records: known.state.thread, actor, trigger, state, damaged: located.damaged().to_vec(), reasons }
}

/// Gives the prompt that the next step's agent would get.
pub fn prompt(
    setup: &Setup,
    thread: &ThreadSnapshot,
    actor: Option<Identity>,
    asked_for: &AskedFor,
) -> Vec<PromptBlock> {
    let scene = Scene { setup, thread, at: Timestamp::default() };
    let (known, start, _) = look(scene, actor, asked_for);
    let material = Material::preview(scene, &known, &start);
    prompt::build(&prompt_input(scene, &known, &start, &material)).into_iter().map(PromptBlock::of).collect()
}

/// A block of a prompt, with where it comes from and how far it may be believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptBlock {
    /// The message it goes into.
    pub role: Role,
    /// Where it comes from, as [`prompt::Origin`] writes it.
    pub origin: String,
    /// How far it may be believed.
    pub trust: BlockTrust,
    /// The text itself.
    pub text: String,
}

impl PromptBlock {
    fn of(block: Block<'_>) -> Self {
        let Block { role, origin, trust, text } = block;
        Self { role, origin: origin.to_string(), trust, text: text.into_owned() }
    }
}

/// The state of a thread, as a run would find it.
#[derive(Clone, Debug, PartialEq)]
pub enum StateView {
    /// Nothing has run in this thread yet.
    Absent,
    /// The state that counts, whole.
    Readable(Box<WorkflowState>),
    /// The newest one cannot be read, and nobody has said to go back (decision 2.3).
    Damaged {
        /// The comment that carries it.
        comment_id: u64,
        /// Where and why it cannot be read.
        damage: Damage,
    },
}

/// Gives the state of a thread.
pub fn state(setup: &Setup, thread: &ThreadSnapshot, actor: Option<Identity>) -> StateView {
    let scene = Scene { setup, thread, at: Timestamp::default() };
    match open(scene, Trigger::Manual, actor.clone()) {
        Opened::Damaged { comment_id, damage } => StateView::Damaged { comment_id, damage },
        Opened::Ready { .. } => {
            let (known, ..) = look(scene, actor, &AskedFor::Next);
            if known.base.is_some() { StateView::Readable(Box::new(known.state)) } else { StateView::Absent }
        }
    }
}

/// Which step a prompt is for, and whether it is due.
#[derive(Clone, Debug, PartialEq)]
pub struct StepView {
    /// The workflow.
    pub workflow: String,
    /// The step of it.
    pub step: String,
    /// The role that runs it; `None` where there is no such workflow, or no such step in it.
    pub agent: Option<String>,
    /// Whether a run would do it now: somebody asked for it, or routing left it.
    pub due: bool,
    /// How the step before it ended; `None` where none has ended yet.
    pub dispatch: Option<Dispatch>,
}

/// Gives the step whose prompt [`prompt()`] shows.
pub fn step(setup: &Setup, thread: &ThreadSnapshot, actor: Option<Identity>, asked_for: &AskedFor) -> StepView {
    let scene = Scene { setup, thread, at: Timestamp::default() };
    let (known, start, due) = look(scene, actor, asked_for);
    // Routing names no step where the one it left is no more.
    let step = if start.step.is_empty() { known.state.step.clone() } else { start.step };
    let found = setup.workflows.get(&start.workflow).and_then(|workflow| workflow.step(&step));
    let agent = found.map(|step| step.role().to_string());
    StepView { workflow: start.workflow, step, agent, due, dispatch: known.state.dispatch }
}

/// Opens the thread as a run would and finds the step that would run next; where none is due, the one that
/// the workflow stands at. Tells whether it is due.
pub(crate) fn look(scene: Scene<'_>, actor: Option<Identity>, asked_for: &AskedFor) -> (Known, Start, bool) {
    let trigger = match asked_for {
        AskedFor::Comment(0) => Trigger::Issue { action: crate::event::Action::Opened },
        AskedFor::Comment(id) => Trigger::Comment { id: *id, action: crate::event::Action::Created },
        AskedFor::Next | AskedFor::Account(_) => Trigger::Manual,
    };
    let mut known = match open(scene, trigger.clone(), actor.clone()) {
        Opened::Ready { known, .. } => *known,
        Opened::Damaged { .. } => crate::stage::open_older(scene, trigger, actor),
    };
    // What somebody may do is not asked for a look: it shows what comes if they may.
    while let Some(login) = starts_behind_gate(scene, &known) {
        known.allow_for_a_look(&login);
    }
    let agenda = Agenda::take_up(scene, &mut known);
    let due = agenda.start.or_else(|| next_start(scene, &known));
    let is_due = due.is_some();
    let mut start = due.unwrap_or_else(|| standing(&known));
    // What is mounted from elsewhere is not read for a look.
    if let Ok(Entered::At { position, agent }) = enter(known.library(scene.setup), start.position.clone()) {
        start.stand_at(position, agent);
    }
    match asked_for {
        AskedFor::Next => {}
        AskedFor::Comment(id) => start.author = author_of(scene.thread, *id),
        AskedFor::Account(account) => start.author = Some(account.clone()),
    }
    reconcile_for(&mut known, scene, start.author.as_ref());
    (known, start, is_due)
}

fn standing(known: &Known) -> Start {
    Start {
        workflow: known.state.workflow.to_string(),
        step: known.state.step.to_string(),
        agent: known.state.agent.to_string(),
        position: known.stack(),
        author: known.initiator(),
        by: StartBy::Routing,
    }
}

fn author_of(thread: &ThreadSnapshot, id: u64) -> Option<Identity> {
    let user = if id == 0 { &thread.issue.user } else { &thread.comment(id)?.user };
    Some(user.identity()).filter(Identity::is_known)
}
