//! How a run ended: what scripts read and people ask for.

use alloc::{boxed::Box, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::state::WorkflowState;

/// The end of a run, as `nebuko run --json` prints it (the edge adds the number of requests).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// How it ended.
    pub outcome: RunOutcome,
    /// Why, as a code that stays the same between versions.
    pub reason: Reason,
    /// The same in words, with what to do next where something is to be done.
    pub detail: String,
    /// The active workflow, or empty where none was reached.
    pub workflow: String,
    /// The step that is next, holds or ran last.
    pub step: String,
    /// The role of that step.
    pub agent: String,
    /// The number of the newest state.
    pub run_id: u64,
    /// What was posted, in order.
    pub posted: Vec<Posted>,
    /// What was ready and could not be posted, so that it is not lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unposted: Vec<String>,
    /// The newest state, with every comment id filled in; `None` where no state was read or made.
    pub state: Option<Box<WorkflowState>>,
}

impl Report {
    /// Ends a run that never had a state before it.
    pub(crate) fn unopened(outcome: RunOutcome, reason: Reason, detail: String) -> Self {
        Self {
            outcome,
            reason,
            detail,
            workflow: String::new(),
            step: String::new(),
            agent: String::new(),
            run_id: 0,
            posted: Vec::new(),
            unposted: Vec::new(),
            state: None,
        }
    }
}

/// One posted comment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posted {
    /// Its id.
    pub id: u64,
    /// Its permalink, or the path of its file in a local thread.
    pub url: String,
    /// Its body.
    pub body: String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunOutcome {
    /// A step ran and the next one is due, in another run.
    Advanced,
    /// The workflow waits for a person.
    Held,
    /// A step ran and is due again, in another run.
    Looped,
    /// A step or a person ended the workflow.
    Terminated,
    /// The workflow came to its end.
    Finished,
    /// Another run was faster: this one posted no state.
    Superseded,
    /// There was nothing to do.
    Nothing,
    /// The run could not do what was asked.
    Failed,
}

/// Why a run ended as it did. The codes are a promise: scripts read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Reason {
    /// The step went well, and the next one is for another run (`--single-step` or `--max-steps`).
    StepDone,
    /// The agent asked to wait for a person.
    AgentHold,
    /// The agent ended the workflow.
    AgentTerminate,
    /// A person ended the workflow with `/nebuko stop`.
    Stopped,
    /// A gate waits for people.
    GateWaits,
    /// There is no way on: a mount that cannot be made, or a step that is gone.
    NoRoute,
    /// The hook before the agent failed.
    HookFailed,
    /// A required input has no value.
    InputMissing,
    /// The last step led nowhere further.
    WorkflowEnd,
    /// A bound of `settings.limits`, or GitHub's own, was reached.
    LimitReached,
    /// A budget of `settings.limits` stood against the next call of a model, or cannot be held.
    BudgetReached,
    /// The step failed: the model gave nothing usable.
    AgentFailed,
    /// The newest state in the thread cannot be read (decision 2.3).
    StateDamaged,
    /// The state would not fit into a comment, even compacted.
    StateTooLarge,
    /// The state names a workflow or a step that does not exist.
    UnknownStep,
    /// Commands were answered; no step was due.
    CommandsAnswered,
    /// The event is of a kind that starts nothing.
    EventIgnored,
    /// No unused command or mention by anybody who may give one.
    NothingAsked,
    /// `--dry-run`: what would have been done was told.
    DryRun,
    /// Another run posted a newer state first.
    StateMoved,
    /// Reading the thread failed for good.
    ReadFailed,
    /// The model's service failed for good.
    ModelFailed,
    /// Posting failed for good.
    PostFailed,
    /// Whether a post was made cannot be told: nothing more was posted.
    PostUncertain,
    /// Something on this machine failed: a file, a setting, a scripted model that ran out.
    LocalFailed,
    /// The interpreter answered an effect with an outcome of another kind.
    OutOfStep,
}
