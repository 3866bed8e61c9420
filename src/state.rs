//! `WORKFLOW_STATE` v1, generation 5: what a run leaves in the thread for the next one.
//!
//! The shapes here are the wire contract (reference: WORKFLOW_STATE v1) and load what the Python original
//! wrote. How a state gets into a comment and out again is for `codec`, which of several counts for
//! `locate`, older generations for `migrate`, what leaves when it would not fit for `compact`, and how that comes
//! back for `restore`.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{dispatch::Dispatch, snapshot::null_is_default, workflow::Binding};

mod codec;
mod compact;
mod engine;
mod history;
mod locate;
mod migrate;
mod record;
mod restore;
#[cfg(test)]
mod sample;

pub use codec::{Block, Damage, Reading, read_block, render_block};
pub use compact::{TooLarge, compact};
pub use engine::{Compacted, EngineNote, GateHold, Initiator, Previous, Spending, StepFigures};
pub use history::{HistoryEntry, StateMetrics, StepInputRecord};
pub(crate) use locate::state_comments;
pub use locate::{Authority, Carried, Located, locate, rival_of};
pub use record::{RecordKind, ThreadRecord};
pub use restore::restore;

/// The shape generation that is written; older ones are migrated, newer ones are refused as damaged.
pub const STATE_SCHEMA_VERSION: u32 = 5;

/// Keys of a contract object that this version does not know: carried along, never decided on.
pub type Unknown = BTreeMap<String, Value>;

/// The whole state of a thread's workflow, written anew with every step (reference: WORKFLOW_STATE v1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkflowState {
    /// The how-manyth state this is: one more with every state that is posted.
    pub run_id: u64,
    /// The shape generation it was written at.
    pub schema_version: u32,
    /// The active workflow.
    #[serde(deserialize_with = "null_is_default")]
    pub workflow: String,
    /// The step to run next, or the one that holds.
    #[serde(deserialize_with = "null_is_default")]
    pub step: String,
    /// The role that runs it.
    #[serde(deserialize_with = "null_is_default")]
    pub agent: String,
    /// The high-level phase (analysis, planning, execution, …).
    #[serde(deserialize_with = "null_is_default")]
    pub phase: String,
    /// What each prior step did, oldest first.
    #[serde(deserialize_with = "null_is_default")]
    pub history: Vec<HistoryEntry>,
    /// The thread ledger, issue body first.
    #[serde(deserialize_with = "null_is_default")]
    pub thread: Vec<ThreadRecord>,
    /// Comments that every next agent sees in full, wherever the window ends.
    #[serde(deserialize_with = "null_is_default")]
    pub pinned_comment_ids: Vec<u64>,
    /// Free-form data that agents share.
    #[serde(deserialize_with = "null_is_default")]
    pub current_context: BTreeMap<String, Value>,
    /// The second-to-last frame's workflow; derived from `position`.
    pub parent_workflow: Option<String>,
    /// The second-to-last frame's step; derived from `position`.
    pub parent_workflow_step: Option<String>,
    /// The call stack, outermost first; the last frame is `workflow` and `step`.
    #[serde(deserialize_with = "null_is_default")]
    pub position: Vec<StepRef>,
    /// What the issue is, where the thread is an issue.
    pub issue: Option<ThreadInfo>,
    /// What the pull request is, where the thread is one.
    pub pull_request: Option<ThreadInfo>,
    /// How the last step ended and what it wished for the next.
    pub dispatch: Option<Dispatch>,
    /// Why the next step is the next step.
    pub resolution: Option<StepResolution>,
    /// The latest decision at a human gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate_decision: Option<GateDecision>,
    /// Every decision at a human gate, oldest first.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "Vec::is_empty")]
    pub gate_history: Vec<GateDecision>,
    /// This engine's own additions (decision 13). The Python reader passes over them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineNote>,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// One frame of the call stack.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepRef {
    /// The workflow of the frame.
    #[serde(deserialize_with = "null_is_default")]
    pub workflow: String,
    /// The step that runs in it or that mounted the next frame.
    #[serde(deserialize_with = "null_is_default")]
    pub step: String,
    /// What the workflow's parameters were bound to when it was mounted, frozen.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Binding>,
    /// Whether the step was called by the frame before it and goes back there (call and return).
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "core::ops::Not::not")]
    pub called: bool,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// What an issue or pull request is, as far as prompts need it (reference: IssueInfo, PullRequestInfo).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ThreadInfo {
    /// The number in the repository.
    #[serde(deserialize_with = "null_is_default")]
    pub number: u64,
    /// The page that shows it.
    #[serde(deserialize_with = "null_is_default")]
    pub url: String,
    /// The title.
    #[serde(deserialize_with = "null_is_default")]
    pub title: String,
    /// The opener's login.
    #[serde(deserialize_with = "null_is_default")]
    pub author: String,
    /// `owner/name`.
    #[serde(deserialize_with = "null_is_default")]
    pub repo: String,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// How the next step was found (reference: StepResolution); for people who ask why.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepResolution {
    /// The role that runs the step.
    #[serde(deserialize_with = "null_is_default")]
    pub role_name: String,
    /// Where the role's prompt stands.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "String::is_empty")]
    pub prompt_location: String,
    /// The rule of decision 6 that matched, behind the step it led to.
    #[serde(deserialize_with = "null_is_default")]
    pub matched_rule: String,
    /// The settings that were applied.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "BTreeMap::is_empty")]
    pub applied: BTreeMap<String, Value>,
    /// When it was decided.
    #[serde(deserialize_with = "null_is_default")]
    pub timestamp: String,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// One decision at a human gate (reference: GateDecision). Kept and carried; taken by a later version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateDecision {
    /// `approved` or `rejected`.
    #[serde(deserialize_with = "null_is_default")]
    pub status: String,
    /// The login of the person who decided.
    #[serde(deserialize_with = "null_is_default")]
    pub decided_by: String,
    /// When.
    #[serde(deserialize_with = "null_is_default")]
    pub decided_at: String,
    /// What they added.
    #[serde(deserialize_with = "null_is_default")]
    pub feedback: String,
    /// The comment that decided.
    pub comment_id: Option<u64>,
    /// The hold it consumes.
    #[serde(deserialize_with = "null_is_default")]
    pub position: Vec<StepRef>,
    /// Keys this version does not know.
    #[serde(flatten)]
    pub unknown: Unknown,
}

impl WorkflowState {
    /// Moves to where a stack ends; `agent` is the role there, or that of before where it stays the same.
    pub(crate) fn stand_at(&mut self, position: &[StepRef], agent: Option<String>) {
        self.position = position.to_vec();
        if let Some(leaf) = position.last() {
            self.workflow.clone_from(&leaf.workflow);
            self.step.clone_from(&leaf.step);
        }
        if let Some(agent) = agent {
            self.agent = agent;
        }
        // Derived from the stack (reference: WORKFLOW_STATE, parent_workflow).
        let parent = position.iter().rev().nth(1);
        self.parent_workflow = parent.map(|frame| frame.workflow.clone());
        self.parent_workflow_step = parent.map(|frame| frame.step.clone());
    }

    /// Names the comments that hold the newest step's output, and pins them where the step asked for it.
    pub(crate) fn name_output(&mut self, ids: &[u64]) {
        let Some(entry) = self.history.last_mut() else { return };
        entry.comment_ids = ids.to_vec();
        if entry.pin {
            let missing = ids.iter().filter(|id| !self.pinned_comment_ids.contains(id));
            let missing: Vec<u64> = missing.copied().collect();
            self.pinned_comment_ids.extend(missing);
        }
    }
}

impl Default for WorkflowState {
    /// Gives the state of a thread in which nothing has happened yet.
    fn default() -> Self {
        Self {
            run_id: 0,
            schema_version: STATE_SCHEMA_VERSION,
            workflow: String::new(),
            step: String::new(),
            agent: String::new(),
            phase: String::new(),
            history: Vec::new(),
            thread: Vec::new(),
            pinned_comment_ids: Vec::new(),
            current_context: BTreeMap::new(),
            parent_workflow: None,
            parent_workflow_step: None,
            position: Vec::new(),
            issue: None,
            pull_request: None,
            dispatch: None,
            resolution: None,
            gate_decision: None,
            gate_history: Vec::new(),
            engine: None,
            unknown: Unknown::new(),
        }
    }
}
