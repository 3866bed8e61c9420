//! What a run knows once the thread is read: it goes along from moment to moment.

use alloc::{boxed::Box, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    event::Trigger,
    ids::Identity,
    report::{Posted, Reason, Report, RunOutcome},
    stage::{Next, Stage},
    state::WorkflowState,
    time::Timestamp,
};

/// What a run knows, beside the thread itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Known {
    /// What woke the engine.
    pub(crate) trigger: Trigger,
    /// The account the engine writes as, if it is known.
    pub(crate) actor: Option<Identity>,
    /// The state the run stands on, whole: history restored, ledger reconciled, own comment ids filled in.
    pub(crate) state: WorkflowState,
    /// Where that state was read, or nothing for a thread that has none yet.
    pub(crate) base: Option<Base>,
    /// The newest comment with a state block that was seen, readable or not: what another run would move.
    pub(crate) newest_state: u64,
    /// Whether the state had a ledger of its own; without one the prompt shows the legacy tail.
    pub(crate) had_ledger: bool,
    /// How many history entries, from the front, older comments hold readably.
    pub(crate) held_history: usize,
    /// The highest comment id of the first read. What is newer was not there when the run began, and is left
    /// for the next wake-up (decision 12).
    pub(crate) horizon: u64,
    /// When the thread was last read.
    pub(crate) read_at: Timestamp,
    /// How many steps ran.
    pub(crate) steps: u32,
    /// What was posted, in order.
    pub(crate) posted: Vec<Posted>,
    /// How the run ends if nothing more is due after its last step.
    pub(crate) ending: Option<Ending>,
}

/// How a run ends if nothing more is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ending {
    /// How.
    pub(crate) outcome: RunOutcome,
    /// Why.
    pub(crate) reason: Reason,
    /// In words.
    pub(crate) detail: String,
}

/// The state comment a run stands on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Base {
    /// The comment.
    pub(crate) comment_id: u64,
    /// Digest of the state in it, as it stands there.
    pub(crate) sha256: String,
}

impl Known {
    /// Gives the highest comment id whose commands are used up, or 0.
    pub(crate) fn cursor(&self) -> u64 {
        match (&self.state.engine, &self.base) {
            (Some(engine), _) => engine.cursor,
            // The Python original writes no cursor: what stands before its newest state was its to take up.
            (None, Some(base)) => base.comment_id,
            (None, None) => 0,
        }
    }

    /// Tells whether the commands in the opening text are used up.
    pub(crate) fn opened(&self) -> bool {
        match &self.state.engine {
            Some(engine) => engine.opened,
            None => self.base.is_some(),
        }
    }

    /// Gives the person who started the run that the state is about, as far as the state says.
    pub(crate) fn initiator(&self) -> Option<Identity> {
        let initiator = self.state.engine.as_ref()?.initiator.as_ref()?;
        Some(Identity::new(initiator.user_id, initiator.user_login.as_str()))
    }

    /// Ends the run with what is known.
    pub(crate) fn end(self, outcome: RunOutcome, reason: Reason, detail: String) -> Next {
        self.end_with(outcome, reason, detail, Vec::new())
    }

    /// Ends the run and hands over what could not be posted, so that it is not lost.
    pub(crate) fn end_with(self, outcome: RunOutcome, reason: Reason, detail: String, unposted: Vec<String>) -> Next {
        let report = Report {
            outcome,
            reason,
            detail,
            workflow: self.state.workflow.clone(),
            step: self.state.step.clone(),
            agent: self.state.agent.clone(),
            run_id: self.state.run_id,
            posted: self.posted,
            unposted,
            state: self.base.is_some().then(|| Box::new(self.state)),
        };
        (Stage::Finished(Box::new(report)), Vec::new())
    }
}
