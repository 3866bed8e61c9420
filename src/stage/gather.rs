//! The first moment: the whole thread is read, and the account that the engine writes as.

use alloc::vec;

use serde::{Deserialize, Serialize};

use crate::{
    effect::{Effect, Level},
    event::{Action, Outcome, Trigger},
    ids::Identity,
    report::{Reason, RunOutcome},
    stage::{Next, Scene, Stage, end_unopened, in_words, opening, tell},
    text,
    time::Timestamp,
};

/// What is still to be heard before anything can be decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Gather {
    /// The thread, then the account.
    Thread {
        /// What woke the engine.
        trigger: Trigger,
        /// When the thread was asked for.
        asked_at: Timestamp,
    },
    /// Only the account.
    Viewer {
        /// What woke the engine.
        trigger: Trigger,
        /// When the thread was asked for.
        asked_at: Timestamp,
    },
}

impl Gather {
    /// Asks for the thread and the account, unless the event is of a kind that starts nothing (decision 3).
    pub(crate) fn begin(trigger: Trigger, at: Timestamp) -> Next {
        if let Some(why) = ignored(&trigger) {
            let (stage, _) = end_unopened(RunOutcome::Nothing, Reason::EventIgnored, why.clone());
            return (stage, vec![tell(Level::Info, why)]);
        }
        let effects =
            vec![tell(Level::Stage, text::reading_thread()), Effect::ReadThread { since: None }, Effect::ReadViewer];
        (Stage::Gather(Self::Thread { trigger, asked_at: at }), effects)
    }

    /// Takes the thread, then the account, then looks at what is to be done.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        match (self, outcome) {
            (Self::Thread { trigger, asked_at }, Outcome::ThreadRead) => {
                (Stage::Gather(Self::Viewer { trigger, asked_at }), vec![])
            }
            (Self::Viewer { trigger, asked_at }, Outcome::ViewerRead { viewer, how }) => {
                let (actor, line) = engine_actor(scene, viewer, &how);
                let (stage, mut effects) = opening::begin(scene, trigger, actor, asked_at);
                effects.insert(0, line);
                (stage, effects)
            }
            (_, Outcome::Failed { failure }) => {
                end_unopened(RunOutcome::Failed, Reason::ReadFailed, in_words(&failure))
            }
            (gather, _) => end_unopened(
                RunOutcome::Failed,
                Reason::OutOfStep,
                text::out_of_step(crate::step::stage_name(&Stage::Gather(gather))),
            ),
        }
    }
}

/// Says why an event starts nothing, for those that do not.
fn ignored(trigger: &Trigger) -> Option<alloc::string::String> {
    match trigger {
        Trigger::Manual
        | Trigger::Comment { action: Action::Created, .. }
        | Trigger::Issue { action: Action::Opened | Action::Labeled } => None,
        Trigger::Comment { id, action } => Some(text::comment_event_ignored(*id, *action)),
        Trigger::Issue { action } => Some(text::issue_event_ignored(*action)),
        Trigger::Other { name } => Some(text::event_ignored(name)),
    }
}

/// Settles who the engine is: the token's account, else the configured login, else unknown (decision 1).
fn engine_actor(scene: Scene<'_>, viewer: Option<Identity>, how: &str) -> (Option<Identity>, Effect) {
    if let Some(viewer) = viewer.filter(Identity::is_known) {
        let line = tell(Level::Info, text::engine_is(&viewer.login, how));
        return (Some(viewer), line);
    }
    match &scene.setup.settings.engine_login {
        Some(login) if !login.is_empty() => {
            let line = tell(Level::Info, text::engine_is(login, "configured"));
            (Some(Identity::new(0, login.as_str())), line)
        }
        _ => (None, tell(Level::Warning, text::engine_unknown(how))),
    }
}
