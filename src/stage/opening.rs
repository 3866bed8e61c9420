//! From a thread that was read to a run that knows where it stands: which state counts, whole again, and a
//! ledger that fits the thread.

use alloc::{boxed::Box, vec::Vec};

use crate::{
    command::{self, Ask, Verb},
    comment,
    effect::{Effect, Level},
    event::Trigger,
    ids::Identity,
    report::{Reason, RunOutcome},
    sentinel::{self, Found},
    stage::{After, Base, Draft, Known, Next, Post, Scene, agenda::is_by_a_person, decide, tell},
    state::{Authority, Carried, Damage, Located, ThreadInfo, WorkflowState, locate, restore},
    text,
    thread::{self, View},
    time::Timestamp,
};

/// What reading the thread came to.
pub(crate) enum Opened {
    /// The run knows where it stands.
    Ready {
        /// What it knows.
        known: Box<Known>,
        /// History entries that no comment holds any more.
        lost: u64,
        /// The comment by which a person made an older state count again, if one did.
        recovered: Option<u64>,
    },
    /// The newest state cannot be read, and nobody has said to go back (decision 2.3).
    Damaged {
        /// The comment that carries it.
        comment_id: u64,
        /// Where and why it cannot be read.
        damage: Damage,
    },
}

/// Opens the thread and goes on to what is to be done, or holds at a damaged state.
pub(crate) fn begin(scene: Scene<'_>, trigger: Trigger, actor: Option<Identity>, asked_at: Timestamp) -> Next {
    match open(scene, trigger.clone(), actor.clone()) {
        Opened::Ready { known, lost, recovered } => {
            let known = Known { read_at: asked_at, ..*known };
            let mut lines = Vec::from_iter(unreadable_sentinel(scene, &known));
            if lost > 0 {
                lines.push(tell(Level::Warning, text::history_lost(lost)));
            }
            let (stage, effects) = match recovered {
                Some(comment_id) => decide::recovered(scene, known, comment_id),
                None => decide::decide(scene, known),
            };
            lines.extend(effects);
            (stage, lines)
        }
        Opened::Damaged { comment_id, damage } => hold_damaged(scene, trigger, actor, comment_id, &damage),
    }
}

/// Warns of a sentinel that cannot be read in the comment that woke the engine (fault kind 1.1): it is none, and
/// it ends nothing.
fn unreadable_sentinel(scene: Scene<'_>, known: &Known) -> Option<Effect> {
    let Trigger::Comment { id, .. } = known.trigger else { return None };
    match sentinel::find(&scene.thread.comment(id)?.body) {
        Found::Invalid { why } => Some(tell(Level::Warning, text::sentinel_unreadable(id, &why))),
        Found::Valid(_) | Found::None => None,
    }
}

/// Finds the state that counts and makes it whole.
pub(crate) fn open(scene: Scene<'_>, trigger: Trigger, actor: Option<Identity>) -> Opened {
    let authority = authority(scene, actor);
    let located = locate(scene.thread, &authority);
    let newest_state = newest_state_id(&located);
    let (carried, recovered) = match located {
        Located::Absent => (None, None),
        Located::Readable(carried) => (Some(carried), None),
        Located::Damaged { comment_id, damage, readable, .. } => {
            match recover_after(scene, comment_id, authority.actor.as_ref()) {
                Some(recover) => (readable, Some(recover)),
                None => return Opened::Damaged { comment_id, damage },
            }
        }
    };
    let (mut known, lost) = stand_on(scene, &authority, carried, trigger);
    known.newest_state = newest_state;
    Opened::Ready { known: Box::new(known), lost, recovered }
}

/// Stands on the newest state that can be read, whatever stands after it; for people who only look.
pub(crate) fn open_older(scene: Scene<'_>, trigger: Trigger, actor: Option<Identity>) -> Known {
    let authority = authority(scene, actor);
    let located = locate(scene.thread, &authority);
    let newest_state = newest_state_id(&located);
    let (mut known, _) = stand_on(scene, &authority, located.into_readable(), trigger);
    known.newest_state = newest_state;
    known
}

/// Folds the thread into the ledger for a run that somebody started.
pub(crate) fn reconcile_for(known: &mut Known, scene: Scene<'_>, trigger: Option<&Identity>) {
    known.reconcile(scene, false, trigger);
}

impl Known {
    /// Folds the thread into the ledger. `compacted`: records were left out of the posted ledger and go back
    /// to their places.
    fn reconcile(&mut self, scene: Scene<'_>, compacted: bool, trigger: Option<&Identity>) {
        let view = View { actor: self.actor.as_ref(), trigger, policy: scene.setup.settings.trust, compacted };
        self.state.thread = thread::reconcile(core::mem::take(&mut self.state.thread), scene.thread, &view);
    }
}

/// Gives the newest comment that carries a state block, readable or not, or 0.
pub(crate) fn newest_state_id(located: &Located) -> u64 {
    match located {
        Located::Absent => 0,
        Located::Readable(carried) => carried.comment_id,
        Located::Damaged { comment_id, .. } => *comment_id,
    }
}

fn authority(scene: Scene<'_>, actor: Option<Identity>) -> Authority<'_> {
    Authority { actor, trusted_actors: &scene.setup.settings.trusted_actors, above: 0 }
}

/// Puts a run on the state that was found, made whole, or on a fresh one. Gives how many history entries are
/// lost as well.
fn stand_on(scene: Scene<'_>, authority: &Authority<'_>, carried: Option<Carried>, trigger: Trigger) -> (Known, u64) {
    let mut known = Known::new(scene, trigger, authority.actor.clone());
    let mut lost = 0;
    match carried {
        None => {
            known.state = fresh(scene);
            known.reconcile(scene, false, None);
        }
        Some(mut carried) => {
            let compacted = carried.state.engine.as_ref().is_some_and(|engine| engine.compacted.records > 0);
            lost = restore(&mut carried, scene.thread, authority);
            known.base = Some(Base { comment_id: carried.comment_id, sha256: carried.sha256 });
            known.had_ledger = carried.generation >= FIRST_GENERATION_WITH_LEDGER;
            known.held_history = carried.state.history.len();
            known.state = carried.state;
            known.adopt_gate(scene);
            known.find_initiator(scene);
            let initiator = known.initiator();
            known.reconcile(scene, compacted, initiator.as_ref());
            if let Some(engine) = &mut known.state.engine {
                engine.compacted.records = 0;
            }
        }
    }
    (with_thread_info(known, scene), lost)
}

/// Makes the state of a thread in which nothing has happened: the entry step of the configured workflow.
fn fresh(scene: Scene<'_>) -> WorkflowState {
    let mut state = WorkflowState::default();
    if let Some(workflow) = scene.setup.workflows.get(&scene.setup.settings.workflow) {
        state.workflow.clone_from(&workflow.name);
        if let Some(entry) = workflow.steps.first() {
            state.step.clone_from(&entry.name);
            state.agent = entry.role().into();
        }
    }
    state
}

/// Writes what the thread is into the state; a title may have changed since.
fn with_thread_info(mut known: Known, scene: Scene<'_>) -> Known {
    let issue = &scene.thread.issue;
    let place = if issue.pull_request.is_some() { &mut known.state.pull_request } else { &mut known.state.issue };
    let info = place.get_or_insert_with(ThreadInfo::default);
    info.number = issue.number;
    info.url.clone_from(&issue.html_url);
    info.title = text::cut(&issue.title, TITLE_CHARS);
    info.author.clone_from(&issue.user.login);
    info.repo.clone_from(&scene.setup.repo);
    known
}

/// Finds the newest `/nebuko recover` after a damaged state, by somebody who may command.
fn recover_after(scene: Scene<'_>, damaged: u64, actor: Option<&Identity>) -> Option<u64> {
    let asks_recover = |body: &str| {
        command::asks(body, core::iter::empty()).iter().any(|ask| matches!(ask, Ask::Command(Verb::Recover)))
    };
    scene
        .thread
        .comments
        .iter()
        .rev()
        .filter(|comment| comment.id > damaged && thread::may_ask(&comment.user, &comment.author_association))
        .filter(|comment| is_by_a_person(&comment.user, &comment.body, actor))
        .find(|comment| asks_recover(&comment.body))
        .map(|comment| comment.id)
}

/// Holds at a state that cannot be read: one notice, once, and nothing else changes.
fn hold_damaged(scene: Scene<'_>, trigger: Trigger, actor: Option<Identity>, comment_id: u64, damage: &Damage) -> Next {
    let words = text::state_damaged(
        scene.thread.comment(comment_id).map(|comment| comment.html_url.as_str()).unwrap_or(""),
        comment_id,
        damage,
    );
    let part = comment::part_mark(&alloc::format!("{comment_id}"), "damaged", 1, &words);
    let authority = authority(scene, actor);
    let (mut known, _) = stand_on(scene, &authority, None, trigger);
    known.state.dispatch = None;
    let after = After::end(RunOutcome::Held, Reason::StateDamaged, words.clone());
    if comment::find_part(scene.thread, &part, known.actor.as_ref(), 0).is_some() || scene.setup.settings.dry_run {
        return known.end(RunOutcome::Held, Reason::StateDamaged, words);
    }
    Post::bare(scene, known, Draft::notice(words, None, after), part)
}

/// Ledgers came with generation 5 (ADR-0012, consequences).
const FIRST_GENERATION_WITH_LEDGER: u32 = 5;
/// GitHub takes titles of 256 characters; other sources may send anything.
const TITLE_CHARS: usize = 300;
