//! The moment in which a model is at work on a step.

use alloc::{boxed::Box, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{Talk, Verdict},
    dispatch::Status,
    effect::{Effect, Level},
    event::{FailureKind, Outcome},
    prompt,
    report::{Reason, RunOutcome},
    stage::{
        After, Draft, Known, Material, Next, Recheck, Scene, Stage, Start,
        aftermath::{self, Came},
        in_words,
        inputs::Input,
        material::prompt_input,
        settle::Done,
        skills, tell,
    },
    text,
};

/// A step that waits for its model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AgentAtWork {
    known: Known,
    start: Start,
    inputs: Vec<Input>,
    talk: Talk,
}

impl AgentAtWork {
    /// Renders the prompt and asks the model.
    pub(crate) fn begin(scene: Scene<'_>, known: Known, start: Start, inputs: Vec<Input>) -> Next {
        let material = match Material::of(scene, &known, &start, inputs) {
            Ok(material) => material,
            Err(why) => return failed(scene, known, &start, &why, &why, Reason::AgentFailed),
        };
        let blocks = prompt::build(&prompt_input(scene, &known, &start, &material));
        let talk = Talk::new(&scene.setup.settings.model, prompt::to_messages(&blocks));
        let inputs = material.inputs;
        let line = tell(Level::Stage, text::at_work(&start.workflow, &start.step, &start.agent));
        let ask = Effect::Complete { request: Box::new(talk.request.clone()) };
        (Stage::Agent(Box::new(Self { known, start, inputs, talk })), vec![line, ask])
    }

    /// Takes an answer in: asks again, or ends the attempt.
    pub(crate) fn answered(mut self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let came = match outcome {
            Outcome::Completed { body, took_ms } => match self.take(scene, &body, took_ms) {
                Verdict::Again(why) => return self.ask_again(&why),
                Verdict::Done(said) => {
                    let Self { start, inputs, talk, .. } = self;
                    Came::Done(Box::new(Done { start, said: *said, spent: talk.spent, inputs, ..Done::default() }))
                }
                Verdict::Failed { by_service, why } => {
                    let reason = if by_service { Reason::ModelFailed } else { Reason::AgentFailed };
                    Came::Failed { start: Box::new(self.start), told: why.clone(), detail: why, reason }
                }
            },
            Outcome::Failed { failure } => match failure.kind {
                FailureKind::Local => Came::Ended { start: Box::new(self.start), detail: in_words(&failure) },
                FailureKind::Refused | FailureKind::Unavailable | FailureKind::Lost => Came::Failed {
                    start: Box::new(self.start),
                    told: text::model_failed(failure.kind).into(),
                    detail: in_words(&failure),
                    reason: Reason::ModelFailed,
                },
            },
            _ => return self.known.out_of_step("waiting for the model"),
        };
        aftermath::begin(scene, self.known, came)
    }

    fn take(&mut self, scene: Scene<'_>, body: &str, took_ms: u64) -> Verdict {
        let step = self.known.step_of(scene, &self.start);
        self.talk.take(body, took_ms, &|name| skills::read(scene.setup, step, name))
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
pub(crate) fn failed(scene: Scene<'_>, known: Known, start: &Start, told: &str, detail: &str, reason: Reason) -> Next {
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
