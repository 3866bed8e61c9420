//! The moment in which a model is at work on a step.

use alloc::{boxed::Box, vec};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{Talk, Verdict},
    dispatch::Status,
    effect::{Effect, Level},
    event::{FailureKind, Outcome},
    prompt,
    report::{Reason, RunOutcome},
    stage::{After, Draft, Known, Next, Recheck, Scene, Stage, Start, decide::prompt_input, in_words, settle, tell},
    text,
};

/// A step that waits for its model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AgentAtWork {
    known: Known,
    start: Start,
    talk: Talk,
}

impl AgentAtWork {
    /// Renders the prompt and asks the model.
    pub(crate) fn begin(scene: Scene<'_>, known: Known, start: Start) -> Next {
        let blocks = prompt::build(&prompt_input(scene, &known, &start));
        let talk = Talk::new(&scene.setup.settings.model, prompt::to_messages(&blocks));
        let line = tell(Level::Stage, text::at_work(&start.workflow, &start.step, &start.agent));
        let ask = Effect::Complete { request: Box::new(talk.request.clone()) };
        (Stage::Agent(Box::new(Self { known, start, talk })), vec![line, ask])
    }

    /// Takes an answer in: asks again, or settles the step.
    pub(crate) fn answered(mut self, scene: Scene<'_>, outcome: Outcome) -> Next {
        match outcome {
            Outcome::Completed { body, took_ms } => match self.talk.take(&body, took_ms) {
                Verdict::Again(why) => self.ask_again(&why),
                Verdict::Done(said) => settle::done(scene, self.known, self.start, *said, &self.talk.spent),
                Verdict::Failed { by_service, why } => {
                    let reason = if by_service { Reason::ModelFailed } else { Reason::AgentFailed };
                    failed(scene, self.known, &self.start, &why, &why, reason)
                }
            },
            Outcome::Failed { failure } => match failure.kind {
                // A fault of this machine says nothing about the thread, so the thread is left as it is.
                FailureKind::Local => self.known.end(RunOutcome::Failed, Reason::LocalFailed, in_words(&failure)),
                FailureKind::Refused | FailureKind::Unavailable | FailureKind::Lost => {
                    let told = text::model_failed(failure.kind);
                    failed(scene, self.known, &self.start, told, &in_words(&failure), Reason::ModelFailed)
                }
            },
            _ => self.known.out_of_step("waiting for the model"),
        }
    }

    fn ask_again(self, why: &str) -> Next {
        let line = tell(Level::Info, text::asking_again(why));
        let ask = Effect::Complete { request: Box::new(self.talk.request.clone()) };
        (Stage::Agent(Box::new(self)), vec![line, ask])
    }
}

/// Holds at a step that failed: no routing, one notice (decision 6.1).
///
/// The thread is told `told`; `detail` is for whoever runs the engine, with addresses and advice that do not
/// belong into a thread.
fn failed(scene: Scene<'_>, known: Known, start: &Start, told: &str, detail: &str, reason: Reason) -> Next {
    let words = text::step_failed(&start.workflow, &start.step, told);
    let mut state = known.next_state();
    let dispatch = state.dispatch.get_or_insert_default();
    dispatch.status = Status::Hold;
    dispatch.reason = Some(text::cut(told, REASON_CHARS));
    state.current_context.insert("last_run_status".into(), "failure".into());
    let detail = text::step_failed_here(&start.workflow, &start.step, detail);
    let after = After::end(RunOutcome::Failed, reason, detail);
    Recheck::begin(scene, known, Draft::notice(words, Some(state), after))
}

/// A reason in the state is a sentence or a few.
const REASON_CHARS: usize = 1_000;
