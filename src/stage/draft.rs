//! A comment before it is posted: its words, the state it carries, and what comes after it.

use alloc::{boxed::Box, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    report::{Reason, RunOutcome},
    sentinel::AgentRunConfig,
    stage::{Known, Start},
    state::{EngineNote, Previous, STATE_SCHEMA_VERSION, WorkflowState},
};

/// A comment that is to be posted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Draft {
    /// The role whose output it is; `None`: the engine's own notice.
    pub(crate) agent: Option<String>,
    /// What stands in a marker of its own, behind the agent's.
    pub(crate) mark: Option<String>,
    /// The words, made safe to post.
    pub(crate) words: String,
    /// The hand-off, where a step was done.
    pub(crate) sentinel: Option<Box<AgentRunConfig>>,
    /// The state it carries, whole.
    pub(crate) state: Option<Box<WorkflowState>>,
    /// The older comment whose words these replace (reference: `bot-agent-script`).
    pub(crate) update: Option<Replaces>,
    /// What comes after it.
    pub(crate) after: After,
}

/// An older comment that takes a draft's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Replaces {
    /// Which.
    pub(crate) comment_id: u64,
    /// Where the step leads, for the notice that carries the state.
    pub(crate) where_to: String,
}

/// What comes after a comment was posted and confirmed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum After {
    /// Look what is due next; `start` is already taken from the thread.
    GoOn {
        /// The step that a person started in the comment whose other asks were just answered.
        start: Option<Start>,
    },
    /// The run is over.
    End {
        /// How.
        outcome: RunOutcome,
        /// Why.
        reason: Reason,
        /// In words.
        detail: String,
        /// What could not be posted because of it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unposted: Vec<String>,
    },
}

impl After {
    /// Makes the end of a run.
    pub(crate) fn end(outcome: RunOutcome, reason: Reason, detail: String) -> Self {
        Self::End { outcome, reason, detail, unposted: Vec::new() }
    }
}

impl Draft {
    /// Makes a notice of the engine.
    pub(crate) fn notice(words: String, state: Option<WorkflowState>, after: After) -> Self {
        Self { agent: None, mark: None, words, sentinel: None, state: state.map(Box::new), update: None, after }
    }
}

impl Known {
    /// Makes the state that follows this one: the next number, this engine's name, a link to the one before.
    pub(crate) fn next_state(&self) -> WorkflowState {
        let (cursor, opened) = (self.cursor(), self.opened());
        let mut state = self.state.clone();
        state.run_id = state.run_id.saturating_add(1);
        state.schema_version = STATE_SCHEMA_VERSION;
        let written_by = EngineNote::new();
        let engine = state.engine.get_or_insert_with(EngineNote::new);
        engine.name = written_by.name;
        engine.version = written_by.version;
        engine.cursor = cursor;
        engine.opened = opened;
        engine.previous =
            self.base.as_ref().map(|base| Previous { comment_id: base.comment_id, sha256: base.sha256.clone() });
        state
    }
}
