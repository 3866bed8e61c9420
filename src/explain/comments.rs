//! Why a comment started something, or nothing: exactly one reason each.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use memchr::memmem;
use serde::Serialize;

use crate::{
    command::{self, Ask},
    snapshot::Account,
    stage::{Known, Scene},
    state::{Authority, Block, Carried, HistoryEntry, RecordKind, read_block, state_comments},
    text, thread,
};

/// Why one artifact of the thread did what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommentWhy {
    /// The comment, or 0 for the opening text.
    pub id: u64,
    /// Its author's login.
    pub author: String,
    /// The reason, as a code that stays the same between versions.
    pub reason: CommentReason,
    /// The same in words.
    pub why: String,
    /// Whether it was edited after it was written; nothing depends on that (decision 2.6).
    pub edited: bool,
}

/// Why a comment did what it did. The first that fits is the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CommentReason {
    /// The output of a step.
    StepOutput,
    /// A notice of the engine.
    EngineNotice,
    /// It asks for nothing.
    AsksNothing,
    /// A command or a mention stands in it where none counts: in a quote, in code, or inside a line.
    NotTopLevel,
    /// Its author may not ask for anything.
    NotAllowed,
    /// It decided at a gate.
    DecidedGate,
    /// It was taken up, and a step ran after it.
    TakenUp,
    /// It was taken up and answered.
    Answered,
    /// It is still to be taken up.
    Pending,
}

/// Gives the reason for the opening text and for each comment.
pub(super) fn all(scene: Scene<'_>, known: &Known) -> Vec<CommentWhy> {
    let issue = &scene.thread.issue;
    let opening =
        Said { id: 0, body: &issue.body, user: &issue.user, association: &issue.author_association, edited: false };
    let comments = scene.thread.comments.iter().map(|comment| Said {
        id: comment.id,
        body: &comment.body,
        user: &comment.user,
        association: &comment.author_association,
        edited: comment.updated_at > comment.created_at,
    });
    let started = Started::of(scene, known);
    core::iter::once(opening).chain(comments).map(|said| said.explained(scene, known, &started)).collect()
}

/// Which step each comment started first, by what the states of the thread say.
struct Started {
    /// By the comment that asked: the step, and the comment with its output.
    steps: BTreeMap<u64, (String, u64)>,
    /// Whether any state says who started it; those of other engines do not.
    is_known: bool,
}

impl Started {
    fn of(scene: Scene<'_>, known: &Known) -> Self {
        let trusted_actors = &scene.setup.settings.trusted_actors;
        let authority = Authority { actor: known.actor.clone(), trusted_actors, above: 0 };
        let mut started = Self { steps: BTreeMap::new(), is_known: false };
        // The newest comes first, so what stays is the first step of each.
        for (comment, scan) in state_comments(scene.thread, &authority) {
            let Block::Readable(reading) = read_block(&comment.body, &scan) else { continue };
            let state = Carried::new(comment, *reading).state;
            let Some(initiator) = state.engine.as_ref().and_then(|engine| engine.initiator.as_ref()) else { continue };
            started.is_known = true;
            let own = state.history.last().filter(|entry| entry.comment_ids.contains(&comment.id));
            if let Some(entry) = own {
                started.steps.insert(initiator.comment_id, (entry.step.clone(), comment.id));
            }
        }
        started
    }

    fn by(&self, comment_id: u64, known: &Known) -> Option<(String, u64)> {
        if self.is_known {
            return self.steps.get(&comment_id).cloned();
        }
        let is_after = |entry: &&HistoryEntry| entry.comment_ids.iter().any(|id| *id > comment_id);
        let entry = known.state.history.iter().find(is_after)?;
        Some((entry.step.clone(), entry.comment_ids.last().copied().unwrap_or_default()))
    }
}

struct Said<'a> {
    id: u64,
    body: &'a str,
    user: &'a Account,
    association: &'a str,
    edited: bool,
}

impl Said<'_> {
    fn explained(&self, scene: Scene<'_>, known: &Known, started: &Started) -> CommentWhy {
        let (reason, why) = self.reason(scene, known, started);
        CommentWhy { id: self.id, author: self.user.login.clone(), reason, why, edited: self.edited }
    }

    fn reason(&self, scene: Scene<'_>, known: &Known, started: &Started) -> (CommentReason, String) {
        if self.id != 0 || self.user.is_bot() {
            match thread::classify(self.user, self.body, known.actor.as_ref()) {
                RecordKind::AgentOutput => return (CommentReason::StepOutput, text::is_step_output()),
                RecordKind::EngineOutput => return (CommentReason::EngineNotice, text::is_engine_notice()),
                RecordKind::IssueBody | RecordKind::Command | RecordKind::HumanFeedback => {}
            }
        }
        let asks = command::asks(self.body, scene.setup.agents.keys().map(String::as_str));
        if asks.is_empty() {
            let has = |needle: &str| memmem::find(self.body.as_bytes(), needle.as_bytes()).is_some();
            return match has("/nebuko") || has("@@") {
                true => (CommentReason::NotTopLevel, text::stands_where_nothing_counts()),
                false => (CommentReason::AsksNothing, text::asks_nothing()),
            };
        }
        if !thread::may_ask(self.user, self.association) {
            return (CommentReason::NotAllowed, text::may_not_ask(&self.user.login, self.association));
        }
        self.asked(known, &asks, started)
    }

    /// Says what became of what somebody asked for who may.
    fn asked(&self, known: &Known, asks: &[Ask], started: &Started) -> (CommentReason, String) {
        let decision = known.state.gate_history.iter().find(|made| made.comment_id == Some(self.id));
        if let Some(made) = decision {
            let at = made.position.last().map(|frame| frame.step.as_str()).unwrap_or_default();
            return (CommentReason::DecidedGate, text::decided_at(&made.status, at));
        }
        let is_used = if self.id == 0 { known.opened() } else { self.id <= known.cursor() };
        if !is_used {
            return (CommentReason::Pending, text::is_pending());
        }
        match started.by(self.id, known).filter(|_| asks.iter().any(Ask::starts)) {
            Some((step, posted)) => (CommentReason::TakenUp, text::was_taken_up(&step, &posted.to_string())),
            None => (CommentReason::Answered, text::was_answered()),
        }
    }
}
