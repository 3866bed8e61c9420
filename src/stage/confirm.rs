//! The moment after a post: the thread is read once more, and if another run posted a state of the same
//! number, the lower comment id wins and the other says so (decision 9.5).

use alloc::{boxed::Box, string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    comment,
    dispatch::Status,
    effect::{Effect, Level},
    event::Outcome,
    report::{Reason, RunOutcome},
    stage::{
        After, Base, Draft, Known, Next, Scene, Stage, decide, in_words,
        opening::reconcile_for,
        recheck::{CLOCKS_APART_SECONDS, NewestState, newest_state},
        tell,
    },
    text,
};

/// A state that is in the thread and waits for a look at its rivals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Confirm {
    known: Known,
    after: After,
    /// The comment that carries the state.
    carrier: u64,
}

/// A run that lost to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Yield {
    known: Known,
}

impl Confirm {
    /// Makes the posted state the one the run stands on and looks for rivals; a notice without a state ends
    /// the run at once.
    pub(crate) fn begin(mut known: Known, draft: Draft, ids: Vec<u64>, sha256: Option<String>) -> Next {
        let (Some(mut state), Some(sha256)) = (draft.state, sha256) else {
            return finish(known, draft.after);
        };
        let carrier = ids.last().copied().unwrap_or_default();
        if draft.agent.is_some() {
            state.name_output(&ids);
        }
        known.held_history = state.history.len();
        known.state = *state;
        known.base = Some(Base { comment_id: carrier, sha256 });
        known.newest_state = carrier;
        known.had_ledger = true;
        let since = Some(known.read_at.earlier(CLOCKS_APART_SECONDS));
        let confirm = Self { known, after: draft.after, carrier };
        (Stage::Confirm(Box::new(confirm)), vec![Effect::ReadThread { since }])
    }

    /// Goes on, or gives way.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let Self { mut known, after, carrier } = self;
        match outcome {
            Outcome::ThreadRead => {
                known.read_at = scene.at;
                let newest = newest_state(scene, &known);
                if newest.id != carrier {
                    return not_alone(known, carrier, &newest);
                }
                let initiator = known.initiator();
                reconcile_for(&mut known, scene.thread, initiator.as_ref());
                go_on(scene, known, after)
            }
            Outcome::Failed { failure } => {
                let words = in_words(&failure);
                let (stage, mut effects) = match after {
                    After::GoOn { .. } => known.end(RunOutcome::Failed, Reason::ReadFailed, words.clone()),
                    After::End { outcome, reason, detail, unposted } => {
                        known.end_with(outcome, reason, detail, unposted)
                    }
                };
                effects.push(tell(Level::Warning, text::not_confirmed(&words)));
                (stage, effects)
            }
            _ => known.out_of_step("confirming the post"),
        }
    }
}

/// Ends a run whose state is not the one that counts.
fn not_alone(known: Known, carrier: u64, newest: &NewestState) -> Next {
    if newest.id > carrier {
        let detail = text::state_moved(known.state.run_id);
        return known.end(RunOutcome::Superseded, Reason::StateMoved, detail);
    }
    if newest.run_id == Some(known.state.run_id) {
        return Yield::begin(known, carrier, newest.id);
    }
    // An older state counts and ours does not: the account that posted is not the one that was believed.
    known.end(RunOutcome::Failed, Reason::LocalFailed, text::own_state_not_believed(carrier))
}

fn go_on(scene: Scene<'_>, known: Known, after: After) -> Next {
    match after {
        After::GoOn { start: Some(start) } => decide::begin_step(scene, known, start),
        After::GoOn { start: None } => decide::decide(scene, known),
        After::End { .. } => finish(known, after),
    }
}

fn finish(known: Known, after: After) -> Next {
    match after {
        After::End { outcome, reason, detail, unposted } => known.end_with(outcome, reason, detail, unposted),
        After::GoOn { .. } => known.end(RunOutcome::Held, Reason::CommandsAnswered, text::commands_answered()),
    }
}

impl Yield {
    /// Edits the losing comment: it keeps its words and loses its state and sentinel.
    fn begin(mut known: Known, carrier: u64, winner: u64) -> Next {
        let body = known
            .posted
            .iter()
            .find(|posted| posted.id == carrier)
            .map(|posted| comment::superseded(&posted.body, &text::superseded_note(winner)))
            .unwrap_or_default();
        if let Some(dispatch) = known.state.dispatch.as_mut() {
            dispatch.status = Status::Hold;
        }
        let effects = vec![Effect::EditComment { id: carrier, body }];
        (Stage::Yield(Box::new(Self { known })), effects)
    }

    /// Ends the run, whether or not the edit went well: the lower id wins either way.
    pub(crate) fn answered(self, outcome: Outcome) -> Next {
        let detail = text::state_moved(self.known.state.run_id);
        match outcome {
            Outcome::CommentEdited { .. } => self.known.end(RunOutcome::Superseded, Reason::StateMoved, detail),
            Outcome::Failed { failure } => {
                let (stage, mut effects) = self.known.end(RunOutcome::Superseded, Reason::StateMoved, detail);
                effects.push(tell(Level::Warning, in_words(&failure)));
                (stage, effects)
            }
            _ => self.known.out_of_step("giving way to another run"),
        }
    }
}
