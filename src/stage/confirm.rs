//! The moment after a post: the thread is read once more, and if another run posted a state of the same
//! number, the lower comment id wins and the other says so (decision 9.5).

use alloc::{boxed::Box, string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    comment,
    effect::{Effect, Level},
    event::Outcome,
    report::{Reason, RunOutcome},
    stage::{
        After, Base, Draft, Known, Next, Scene, Stage, decide, in_words,
        opening::reconcile_for,
        recheck::{CLOCKS_APART_SECONDS, newest_state},
        tell,
    },
    state::rival_of,
    text,
    time::Timestamp,
};

/// A state that is in the thread and waits for a look at its rivals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Confirm {
    known: Known,
    after: After,
    /// The comments of the post; the last carries the state.
    ids: Vec<u64>,
    /// When the thread was asked for.
    asked_at: Timestamp,
}

/// A comment that gives way to an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Yield {
    known: Known,
    /// What comes after it, where the earlier comment is this run's own: a post whose answer was lost and that
    /// came to light late. Nothing, where another run was faster.
    after: Option<After>,
    /// How many edits are still to be answered.
    waiting: usize,
}

impl Confirm {
    /// Makes the posted state the one the run stands on and looks for rivals; a notice without a state ends
    /// the run at once.
    pub(crate) fn begin(
        scene: Scene<'_>,
        mut known: Known,
        draft: Draft,
        ids: Vec<u64>,
        sha256: Option<String>,
    ) -> Next {
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
        let confirm = Self { known, after: draft.after, ids, asked_at: scene.at };
        (Stage::Confirm(Box::new(confirm)), vec![Effect::ReadThread { since }])
    }

    /// Goes on, or gives way.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let Self { mut known, after, ids, asked_at } = self;
        let carrier = ids.last().copied().unwrap_or_default();
        match outcome {
            Outcome::ThreadRead => {
                known.read_at = asked_at;
                if let Some(rival) = rival_of(scene.thread, &known.authority(scene.setup), carrier) {
                    return Yield::begin(scene, known, after, &ids, rival);
                }
                let newest = newest_state(scene, &known);
                if newest != carrier {
                    return not_alone(known, carrier, newest);
                }
                // What the next step sees was there before it is asked, so it may be taken up as well.
                known.horizon = scene.thread.newest_id();
                let initiator = known.initiator();
                reconcile_for(&mut known, scene, initiator.as_ref());
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

/// Ends a run whose state is not the newest.
fn not_alone(known: Known, carrier: u64, newest: u64) -> Next {
    if newest > carrier {
        let detail = text::state_moved(known.state.run_id);
        return known.end(RunOutcome::Superseded, Reason::StateMoved, detail);
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
    /// Edits the comments that give way: they keep their words and lose state, sentinel and agent marker.
    fn begin(scene: Scene<'_>, mut known: Known, after: After, ids: &[u64], winner: u64) -> Next {
        let body_of = |id: u64| scene.thread.comment(id).map(|comment| comment.body.as_str()).unwrap_or_default();
        let carrier = ids.last().copied().unwrap_or_default();
        let is_own = comment::is_same_text(body_of(carrier), body_of(winner));
        let (note, losing) = if is_own {
            known.stand_on_own(carrier, winner);
            // The parts before it were posted once, and belong to the earlier copy as well.
            (text::posted_twice_note(winner), &ids[ids.len().saturating_sub(1)..])
        } else {
            (text::superseded_note(winner), ids)
        };
        let edit = |id: &u64| Effect::EditComment { id: *id, body: comment::superseded(body_of(*id), &note) };
        let effects: Vec<Effect> = losing.iter().map(edit).collect();
        let losing = Self { known, after: is_own.then_some(after), waiting: effects.len() };
        (Stage::Yield(Box::new(losing)), effects)
    }

    /// Goes on from the run's own earlier post, or ends the run, whether or not the edits went well: the lower
    /// comment wins either way.
    pub(crate) fn answered(mut self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let warning = match outcome {
            Outcome::CommentEdited { .. } => None,
            Outcome::Failed { failure } => Some(tell(Level::Warning, in_words(&failure))),
            _ => return self.known.out_of_step("giving way to another run"),
        };
        self.waiting = self.waiting.saturating_sub(1);
        let (stage, mut effects) =
            if self.waiting > 0 { (Stage::Yield(Box::new(self)), Vec::new()) } else { self.given_way(scene) };
        effects.splice(0..0, warning);
        (stage, effects)
    }

    fn given_way(self, scene: Scene<'_>) -> Next {
        let Self { mut known, after, .. } = self;
        match after {
            Some(after) => {
                known.horizon = scene.thread.newest_id();
                go_on(scene, known, after)
            }
            None => {
                let detail = text::state_moved(known.state.run_id);
                known.end(RunOutcome::Superseded, Reason::StateMoved, detail)
            }
        }
    }
}

impl Known {
    /// Takes the run's own earlier post for the one that counts.
    fn stand_on_own(&mut self, carrier: u64, winner: u64) {
        let replace = |id: &mut u64| {
            if *id == carrier {
                *id = winner;
            }
        };
        self.newest_state = winner;
        self.base.iter_mut().for_each(|base| replace(&mut base.comment_id));
        self.state.pinned_comment_ids.iter_mut().for_each(replace);
        if let Some(entry) = self.state.history.last_mut() {
            entry.comment_ids.iter_mut().for_each(replace);
        }
    }
}
