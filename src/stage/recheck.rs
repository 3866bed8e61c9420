//! The moment before a state is posted: the newest state is read again, and if it moved, another run was
//! faster and this one posts nothing (decision 9.5).

use alloc::{string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    effect::Effect,
    event::Outcome,
    report::{Reason, RunOutcome},
    stage::{Draft, Known, Next, Post, Scene, Stage, Update, in_words, opening::newest_state_id},
    state::locate,
    text,
    time::Timestamp,
};

/// A draft that waits for a last look at the thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recheck {
    known: Known,
    draft: Draft,
    /// When the thread was asked for.
    asked_at: Timestamp,
}

impl Recheck {
    /// Asks for what is new since the thread was read.
    pub(crate) fn begin(scene: Scene<'_>, known: Known, draft: Draft) -> Next {
        let since = Some(known.read_at.earlier(CLOCKS_APART_SECONDS));
        let stage = Stage::Recheck(alloc::boxed::Box::new(Self { known, draft, asked_at: scene.at }));
        (stage, vec![Effect::ReadThread { since }])
    }

    /// Posts if the newest state is still the one this run stands on.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let Self { mut known, draft, asked_at } = self;
        match outcome {
            Outcome::ThreadRead => {
                known.read_at = asked_at;
                if newest_state(scene, &known) != known.newest_state {
                    let detail = text::state_moved(known.state.run_id);
                    return known.end_with(RunOutcome::Superseded, Reason::StateMoved, detail, unposted(&draft));
                }
                match draft.update.clone() {
                    Some(older) => Update::begin(scene, known, draft, older),
                    None => Post::begin(scene, known, draft),
                }
            }
            Outcome::Failed { failure } => {
                let words = unposted(&draft);
                known.end_with(RunOutcome::Failed, Reason::ReadFailed, in_words(&failure), words)
            }
            _ => known.out_of_step("reading the newest state again"),
        }
    }
}

/// Gives the newest comment with a state block that this run may believe, or 0.
pub(crate) fn newest_state(scene: Scene<'_>, known: &Known) -> u64 {
    newest_state_id(&locate(scene.thread, &known.authority(scene.setup)))
}

/// Hands over an agent's words that are not going to be posted; a notice is not worth keeping.
pub(crate) fn unposted(draft: &Draft) -> Vec<String> {
    draft.agent.as_ref().map(|_| draft.words.clone()).into_iter().collect()
}

impl Known {
    /// Ends a run whose interpreter answered with an outcome of another kind.
    pub(crate) fn out_of_step(self, moment: &str) -> Next {
        self.end(RunOutcome::Failed, Reason::OutOfStep, text::out_of_step(moment))
    }
}

/// How far the service's clock and ours may be apart (decision 9.3).
pub(crate) const CLOCKS_APART_SECONDS: i64 = 2;
