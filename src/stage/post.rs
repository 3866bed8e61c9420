//! The moment of posting: part after part, each looked for in the thread before it is sent a second time.

use alloc::{boxed::Box, format, string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    comment::{self, Plan, Unpostable},
    effect::{Effect, Level},
    event::{Failure, FailureKind, Outcome},
    ids::Identity,
    report::{Posted, Reason, RunOutcome},
    snapshot::Comment,
    stage::{
        After, Confirm, Draft, Known, Next, Scene, Stage, in_words,
        recheck::{CLOCKS_APART_SECONDS, unposted},
        tell,
    },
    state::TooLarge,
    text,
    time::Timestamp,
};

/// A comment on its way into the thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Post {
    known: Known,
    draft: Draft,
    plan: Plan,
    /// The ids of the parts that are in the thread.
    ids: Vec<u64>,
    moment: Moment,
}

/// What the current part waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Moment {
    /// The answer to a post; `again` counts the times it was sent before.
    Sent {
        /// How often this part was sent before.
        again: u32,
    },
    /// A read of the thread, after an answer that was lost.
    Looking {
        /// How often this part was sent before.
        again: u32,
        /// When the thread was asked for.
        asked_at: Timestamp,
    },
}

impl Post {
    /// Lays the comment out in parts that fit and sends the first.
    pub(crate) fn begin(scene: Scene<'_>, known: Known, draft: Draft) -> Next {
        match comment::plan(&draft, known.held_history, &known.guests()) {
            Ok(plan) => Self::start(scene, known, draft, plan),
            Err(why) => {
                let words = unposted(&draft);
                Self::instead(scene, known, &why, words)
            }
        }
    }

    /// Sends a notice that carries no state.
    pub(crate) fn bare(scene: Scene<'_>, known: Known, draft: Draft, part: String) -> Next {
        let plan = Plan::bare(&draft, part);
        Self::start(scene, known, draft, plan)
    }

    fn start(scene: Scene<'_>, known: Known, draft: Draft, plan: Plan) -> Next {
        Self { known, draft, plan, ids: Vec::new(), moment: Moment::Sent { again: 0 } }.send(scene)
    }

    /// Sends the next part, unless a run that was ended halfway has left it in the thread.
    fn send(mut self, scene: Scene<'_>) -> Next {
        let (part, body) = self.plan.part(&self.draft, &self.ids);
        let base = self.known.base.as_ref().map_or(0, |base| base.comment_id);
        if let Some(left) = comment::find_part(scene.thread, &part, self.known.actor.as_ref(), base) {
            return self.landed(scene, left.clone());
        }
        self.moment = Moment::Sent { again: 0 };
        (Stage::Post(Box::new(self)), vec![Effect::PostComment { part, body }])
    }

    /// Says why a state cannot be posted, in place of the comment that would carry it (fault kind 10.1).
    pub(crate) fn instead(scene: Scene<'_>, known: Known, why: &Unpostable, unposted: Vec<String>) -> Next {
        let words = match why {
            Unpostable::TooLarge(TooLarge { units, limit }) => text::state_too_large(*units, *limit),
            Unpostable::Unwritable(why) => text::state_unwritable(why),
        };
        let part = comment::part_mark(&format!("{}", known.state.run_id), "cannot-post", 1, &words);
        let (outcome, reason) = (RunOutcome::Held, Reason::StateTooLarge);
        if comment::find_part(scene.thread, &part, known.actor.as_ref(), 0).is_some() {
            return known.end_with(outcome, reason, words, unposted);
        }
        let after = After::End { outcome, reason, detail: words.clone(), unposted };
        Self::bare(scene, known, Draft::notice(words, None, after), part)
    }

    /// Takes the answer to the current part.
    pub(crate) fn answered(mut self, scene: Scene<'_>, outcome: Outcome) -> Next {
        match (self.moment.clone(), outcome) {
            (Moment::Sent { .. }, Outcome::CommentPosted { comment }) => self.landed(scene, comment),
            (Moment::Sent { again }, Outcome::Failed { failure }) => match failure.kind {
                FailureKind::Lost => self.look(scene, again),
                FailureKind::Refused | FailureKind::Unavailable | FailureKind::Local => self.give_up(&failure),
            },
            (Moment::Looking { again, asked_at }, Outcome::ThreadRead) => {
                self.known.read_at = asked_at;
                self.looked(scene, again)
            }
            (Moment::Looking { .. }, Outcome::Failed { failure }) => self.uncertain(&in_words(&failure)),
            _ => self.known.out_of_step("posting"),
        }
    }

    /// Takes a part that is in the thread and goes on to the next, or to the confirmation.
    fn landed(mut self, scene: Scene<'_>, comment: Comment) -> Next {
        let mut lines = Vec::new();
        let (_, sent) = self.plan.part(&self.draft, &self.ids);
        if !comment::is_same_text(&sent, &comment.body) {
            lines.push(tell(Level::Warning, text::changed_on_the_way(comment.id)));
        }
        lines.push(tell(Level::Stage, text::posted(comment.id, &comment.html_url)));
        if self.known.actor.is_none() {
            // The answer names the account that wrote it, and that is the engine's own.
            self.known.actor = Some(comment.user.identity()).filter(Identity::is_known);
            self.known.blind_up_to = self.known.horizon;
        }
        self.ids.push(comment.id);
        self.known.posted.push(Posted { id: comment.id, url: comment.html_url, body: comment.body });
        let (stage, effects) = if self.ids.len() < self.plan.parts() {
            self.send(scene)
        } else {
            let sent = self.plan.carried(&self.draft, &self.ids);
            Confirm::begin(scene, self.known, self.draft, self.ids, sent)
        };
        lines.extend(effects);
        (stage, lines)
    }

    /// Reads the thread after an answer that was lost, before anything is sent again (decision 9.4).
    fn look(mut self, scene: Scene<'_>, again: u32) -> Next {
        let since = Some(self.known.read_at.earlier(CLOCKS_APART_SECONDS));
        self.moment = Moment::Looking { again, asked_at: scene.at };
        let line = tell(Level::Warning, text::answer_lost());
        (Stage::Post(Box::new(self)), vec![line, Effect::ReadThread { since }])
    }

    fn looked(mut self, scene: Scene<'_>, again: u32) -> Next {
        let (part, body) = self.plan.part(&self.draft, &self.ids);
        let found = comment::find_part(scene.thread, &part, self.known.actor.as_ref(), self.known.horizon);
        match found {
            // Another run with the same words has the same mark, but never the same state.
            Some(rival) if !comment::is_same_text(&body, &rival.body) => {
                let detail = text::state_moved(self.known.state.run_id);
                let words = unposted(&self.draft);
                self.known.end_with(RunOutcome::Superseded, Reason::StateMoved, detail, words)
            }
            Some(comment) => self.landed(scene, comment.clone()),
            None if again < SENT_AGAIN_MAX => {
                self.moment = Moment::Sent { again: again + 1 };
                (Stage::Post(Box::new(self)), vec![Effect::PostComment { part, body }])
            }
            None => self.uncertain(&text::answer_lost_again(again + 1)),
        }
    }

    fn give_up(self, failure: &Failure) -> Next {
        let reason = match failure.kind {
            FailureKind::Local => Reason::LocalFailed,
            FailureKind::Refused | FailureKind::Unavailable | FailureKind::Lost => Reason::PostFailed,
        };
        let words = unposted(&self.draft);
        self.known.end_with(RunOutcome::Failed, reason, in_words(failure), words)
    }

    fn uncertain(self, why: &str) -> Next {
        let words = unposted(&self.draft);
        self.known.end_with(RunOutcome::Failed, Reason::PostUncertain, text::post_uncertain(why), words)
    }
}

/// How often a part is sent again after its answer was lost and it was not found in the thread.
const SENT_AGAIN_MAX: u32 = 2;
