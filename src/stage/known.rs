//! What a run knows once the thread is read: it goes along from moment to moment.

use alloc::{boxed::Box, collections::BTreeMap, string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    event::Trigger,
    ids::Identity,
    markdown::Guests,
    report::{Posted, Reason, Report, RunOutcome},
    setup::Setup,
    stage::{Next, Permitted, Scene, Stage, Start},
    state::{Authority, Spending, StepRef, WorkflowState},
    text,
    time::Timestamp,
    workflow::{Fetched, Library, Step},
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
    /// The highest comment id that was read and asks for nothing more; the next state that is posted says so.
    pub(crate) seen_up_to: u64,
    /// When the last read of the thread began, or a little before.
    pub(crate) read_at: Timestamp,
    /// States in comments up to this id are not this run's to believe; see [`crate::state::Authority::above`].
    pub(crate) blind_up_to: u64,
    /// The workflows of other repositories that were read in this run, by reference.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) fetched: BTreeMap<String, Fetched>,
    /// What the repository said about people in this run, by login in lower case.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) permissions: BTreeMap<String, Permitted>,
    /// Whether people released a gate in this run, so that it goes on behind it.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub(crate) released: bool,
    /// Whether the newest step of this run was a script: scripts in a row run in one invocation (decision 7).
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub(crate) ran_script: bool,
    /// What models used in this run.
    #[serde(default, skip_serializing_if = "Spending::is_nothing")]
    pub(crate) spent: Spending,
    /// How many steps ran.
    pub(crate) steps: u32,
    /// What was posted, in order.
    pub(crate) posted: Vec<Posted>,
    /// Whether a person made an older state count again, and has not been answered yet.
    pub(crate) recovered: bool,
    /// Whether a person ended the workflow in this run.
    pub(crate) was_stopped: bool,
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
    /// Knows nothing yet but who woke the engine and who it is.
    pub(crate) fn new(scene: Scene<'_>, trigger: Trigger, actor: Option<Identity>) -> Self {
        Self {
            trigger,
            actor,
            state: WorkflowState::default(),
            base: None,
            newest_state: 0,
            had_ledger: true,
            held_history: 0,
            horizon: scene.thread.newest_id(),
            seen_up_to: 0,
            read_at: scene.at,
            blind_up_to: 0,
            fetched: BTreeMap::new(),
            permissions: BTreeMap::new(),
            released: false,
            ran_script: false,
            spent: Spending::default(),
            steps: 0,
            posted: Vec::new(),
            recovered: false,
            was_stopped: false,
            ending: None,
        }
    }

    /// Gives every workflow that this run can reach.
    pub(crate) fn library<'w>(&'w self, setup: &'w Setup) -> Library<'w> {
        Library { own: &setup.workflows, fetched: &self.fetched }
    }

    /// Gives the step that is to run.
    pub(crate) fn step_of<'w>(&'w self, scene: Scene<'w>, start: &Start) -> Option<&'w Step> {
        self.library(scene.setup).get(&start.workflow)?.step(&start.step)
    }

    /// Gives the stack the run stands on. Older states have none: then it is what they name, and its parent.
    pub(crate) fn stack(&self) -> Vec<StepRef> {
        let state = &self.state;
        let is_leaf = |leaf: &StepRef| leaf.workflow == state.workflow && leaf.step == state.step;
        if state.position.last().is_some_and(is_leaf) {
            return state.position.clone();
        }
        let frame =
            |workflow: &str, step: &str| StepRef { workflow: workflow.into(), step: step.into(), ..StepRef::default() };
        let parent = state.parent_workflow.as_deref().zip(state.parent_workflow_step.as_deref());
        let parent = parent.map(|(workflow, step)| frame(workflow, step));
        parent.into_iter().chain([frame(&state.workflow, &state.step)]).collect()
    }

    /// Gives the stack for a step that a person names: inside the frame of its workflow where that is on the stack,
    /// else on its own.
    pub(crate) fn stack_for(&self, workflow: &str, step: &str) -> Vec<StepRef> {
        let mut stack = self.stack();
        match stack.iter().rposition(|frame| frame.workflow == workflow) {
            Some(at) => stack.truncate(at + 1),
            None => stack = vec![StepRef { workflow: workflow.into(), ..StepRef::default() }],
        }
        if let Some(leaf) = stack.last_mut() {
            leaf.step = step.into();
        }
        stack
    }

    /// Gives the highest comment id whose commands are used up, or 0.
    pub(crate) fn cursor(&self) -> u64 {
        let cursor = match (&self.state.engine, &self.base) {
            (Some(engine), _) => engine.cursor,
            // The Python original writes no cursor: what stands before its newest state was its to take up.
            (None, Some(base)) => base.comment_id,
            (None, None) => 0,
        };
        cursor.max(self.seen_up_to)
    }

    /// Tells whether the commands in the opening text are used up.
    pub(crate) fn opened(&self) -> bool {
        match &self.state.engine {
            _ if self.seen_up_to > 0 => true,
            Some(engine) => engine.opened,
            None => self.base.is_some(),
        }
    }

    /// Gives whose states this run believes.
    pub(crate) fn authority<'a>(&self, setup: &'a Setup) -> Authority<'a> {
        Authority { actor: self.actor.clone(), trusted_actors: &setup.settings.trusted_actors, above: self.blind_up_to }
    }

    /// Gives who may be called by name in a comment: those who take part in the thread.
    pub(crate) fn guests(&self) -> Guests {
        Guests { logins: self.state.thread.iter().map(|record| record.user_login.clone()).collect() }
    }

    /// Gives the person who started the run that the state is about, as far as the state says.
    pub(crate) fn initiator(&self) -> Option<Identity> {
        let initiator = self.state.engine.as_ref()?.initiator.as_ref()?;
        Some(Identity::new(initiator.user_id, initiator.user_login.as_str()))
    }

    /// Ends a dry run at a step that would run.
    pub(crate) fn end_dry(self, start: &Start) -> Next {
        let detail = text::would_run(&start.workflow, &start.step, &start.agent);
        let report = Report {
            workflow: start.workflow.clone(),
            step: start.step.clone(),
            agent: start.agent.clone(),
            ..self.report(RunOutcome::Nothing, Reason::DryRun, detail, Vec::new())
        };
        (Stage::Finished(Box::new(report)), Vec::new())
    }

    /// Ends the run with what is known.
    pub(crate) fn end(self, outcome: RunOutcome, reason: Reason, detail: String) -> Next {
        self.end_with(outcome, reason, detail, Vec::new())
    }

    /// Ends the run and hands over what could not be posted, so that it is not lost.
    pub(crate) fn end_with(self, outcome: RunOutcome, reason: Reason, detail: String, unposted: Vec<String>) -> Next {
        let report = self.report(outcome, reason, detail, unposted);
        (Stage::Finished(Box::new(report)), Vec::new())
    }

    fn report(self, outcome: RunOutcome, reason: Reason, detail: String, unposted: Vec<String>) -> Report {
        Report {
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
        }
    }
}
