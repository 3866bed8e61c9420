//! The moment before a state is posted: the newest state is read again, and if it moved, another run was
//! faster and this one posts nothing (decision 9.5).

use alloc::{string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    effect::Effect,
    event::Outcome,
    report::{Reason, RunOutcome},
    stage::{Draft, Known, Next, Post, Scene, Stage, in_words, opening::newest_state_id},
    state::{Authority, Located, locate},
    text,
};

/// A draft that waits for a last look at the thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recheck {
    known: Known,
    draft: Draft,
}

impl Recheck {
    /// Asks for what is new since the thread was read.
    pub(crate) fn begin(known: Known, draft: Draft) -> Next {
        let since = Some(known.read_at.earlier(CLOCKS_APART_SECONDS));
        let stage = Stage::Recheck(alloc::boxed::Box::new(Self { known, draft }));
        (stage, vec![Effect::ReadThread { since }])
    }

    /// Posts if the newest state is still the one this run stands on.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let Self { mut known, draft } = self;
        match outcome {
            Outcome::ThreadRead => {
                known.read_at = scene.at;
                if newest_state(scene, &known).id != known.newest_state {
                    let detail = text::state_moved(known.state.run_id);
                    return known.end_with(RunOutcome::Superseded, Reason::StateMoved, detail, unposted(&draft));
                }
                Post::begin(scene, known, draft)
            }
            Outcome::Failed { failure } => {
                let words = unposted(&draft);
                known.end_with(RunOutcome::Failed, Reason::ReadFailed, in_words(&failure), words)
            }
            _ => known.out_of_step("reading the newest state again"),
        }
    }
}

/// The newest comment with a state block that this run may believe.
pub(crate) struct NewestState {
    /// The comment, or 0 where there is none.
    pub(crate) id: u64,
    /// The number of the state, where it can be read.
    pub(crate) run_id: Option<u64>,
}

/// Looks for the newest state once more.
pub(crate) fn newest_state(scene: Scene<'_>, known: &Known) -> NewestState {
    let trusted_actors = &scene.setup.settings.trusted_actors;
    let located = locate(scene.thread, &Authority { actor: known.actor.clone(), trusted_actors });
    let run_id = match &located {
        Located::Readable(carried) => Some(carried.state.run_id),
        Located::Absent | Located::Damaged { .. } => None,
    };
    NewestState { id: newest_state_id(&located), run_id }
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
