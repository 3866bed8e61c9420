//! The moment in which a model is at work on a step.

use alloc::{boxed::Box, string::String, vec, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{Demand, Talk, Terms, Verdict, Wanted},
    dispatch::Status,
    effect::{Effect, Level},
    event::{Failure, FailureKind, Outcome},
    prompt,
    report::{Reason, RunOutcome},
    stage::{
        After, Draft, Known, Material, Next, Recheck, Scene, Stage, Start,
        aftermath::{self, Came},
        demanded, in_words,
        inputs::Input,
        material::prompt_input,
        settle::Done,
        skills::Skills,
        spending, surround, tell,
    },
    text,
    workspace::ToolDone,
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
        let settings = spending::effective(scene, &known, &start);
        let talk = Talk::new(&settings, prompt::to_messages(&blocks, settings.takes_marks()));
        let inputs = material.inputs;
        let warning = demanded::unreadable(scene, &known, &start);
        let warning = warning.map(|comment_id| tell(Level::Warning, text::ledger_unreadable(comment_id)));
        let line = tell(Level::Stage, text::at_work(&start.workflow, &start.step, &start.agent));
        let (stage, mut effects) = Self { known, start, inputs, talk }.ask(scene, line);
        effects.splice(1..1, warning);
        (stage, effects)
    }

    /// Takes an answer in: asks again, or ends the attempt.
    pub(crate) fn answered(mut self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let verdict = match (self.talk.is_using(), outcome) {
            (false, Outcome::Completed { body, took_ms }) => {
                self.hear(scene, |talk, terms| talk.take(&body, took_ms, terms))
            }
            (true, Outcome::ToolUsed { done }) => {
                let ToolDone { ok, text, took_ms } = *done;
                self.hear(scene, |talk, terms| talk.used(if ok { Ok(text) } else { Err(text) }, took_ms, terms))
            }
            (true, Outcome::ProcessRan { ran }) => {
                let most = scene.setup.settings.limits.tool_bytes;
                let came = text::command_came(&ran, most);
                self.hear(scene, |talk, terms| talk.used(came, ran.took_ms, terms))
            }
            (true, Outcome::Failed { failure }) if failure.kind != FailureKind::Local => {
                self.hear(scene, |talk, terms| talk.used(Err(in_words(&failure)), 0, terms))
            }
            (_, Outcome::Failed { failure }) => return self.unanswered(scene, &failure),
            _ => return self.known.out_of_step("waiting for the model"),
        };
        let mut notes = Vec::new();
        let came = match verdict {
            Verdict::Again(why) => return self.ask_again(scene, &why),
            Verdict::Use(wanted) => return self.make_use(wanted),
            Verdict::Done(mut said) => {
                notes.append(&mut said.notes);
                let Self { start, inputs, talk, .. } = self;
                Came::Done(Box::new(Done { start, said: *said, spent: talk.spent, inputs, ..Done::default() }))
            }
            Verdict::Failed { by_service, why } => {
                let reason = if by_service { Reason::ModelFailed } else { Reason::AgentFailed };
                let said = self.talk.said_so_far();
                let (start, spent) = (Box::new(self.start), Box::new(self.talk.spent));
                Came::Failed { start, spent, told: why.clone(), detail: why, reason, said }
            }
        };
        let (stage, mut effects) = aftermath::begin(scene, self.known, came);
        effects.splice(0..0, notes.iter().map(|note| tell(Level::Warning, text::report_is_odd(note))));
        (stage, effects)
    }

    /// Ends the attempt where there was no answer.
    fn unanswered(mut self, scene: Scene<'_>, failure: &Failure) -> Next {
        self.talk.waited(failure.took_ms);
        let said = self.talk.said_so_far();
        let (start, spent) = (Box::new(self.start), Box::new(self.talk.spent));
        let came = match failure.kind {
            FailureKind::Local => Came::Ended { start, detail: in_words(failure), said },
            FailureKind::Refused | FailureKind::Unavailable | FailureKind::Lost => Came::Failed {
                start,
                spent,
                told: text::model_failed(failure.kind).into(),
                detail: in_words(failure),
                reason: Reason::ModelFailed,
                said,
            },
        };
        aftermath::begin(scene, self.known, came)
    }

    /// Lets the conversation go on under the terms of its step.
    fn hear(&mut self, scene: Scene<'_>, hears: impl FnOnce(&mut Talk, Terms<'_>) -> Verdict) -> Verdict {
        let Self { known, start, talk, .. } = self;
        let (known, start) = (&*known, &*start);
        let agent = scene.setup.agents.get(&start.agent);
        let fields = demanded::fields(scene, known, start);
        let ledger = || demanded::ledger_to_cover(scene, known, fields);
        let (guests, quoted) = (|| known.guests(), || demanded::quoted_before(scene, known, start));
        let terms = Terms {
            demand: Demand { fields, ledger: &ledger, guests: &guests, quoted: &quoted },
            skill: &|name| Skills::of(scene, known, start).read(name),
            tools: agent.map(|agent| agent.tools.as_slice()).unwrap_or_default(),
            commands: agent.map(|agent| agent.commands.as_slice()).unwrap_or_default(),
            env: &|| surround::environment(scene, known, start),
            limits: &scene.setup.settings.limits,
        };
        hears(talk, terms)
    }

    /// Has done what the model wants done in the checkout.
    fn make_use(self, wanted: Wanted) -> Next {
        let line = tell(Level::Info, text::tool_used(&wanted));
        let effect = match wanted {
            Wanted::Tool(used) => Effect::UseTool { used },
            Wanted::Command(process) => Effect::RunProcess { process },
        };
        (Stage::Agent(Box::new(self)), vec![line, effect])
    }

    fn ask_again(self, scene: Scene<'_>, why: &str) -> Next {
        self.ask(scene, tell(Level::Info, text::asking_again(why)))
    }

    /// Asks the model, behind a line that says so, unless a budget stands against it.
    fn ask(self, scene: Scene<'_>, line: Effect) -> Next {
        // The end of the run says why; that the model is asked would not be true.
        if let Some(why) = spending::stands_against(scene, &self.known, &self.start, &self.talk) {
            let said = self.talk.said_so_far();
            let Self { known, start, talk, .. } = self;
            let came = Came::Held { start: Box::new(start), spent: Box::new(talk.spent), why, said };
            return aftermath::begin(scene, known, came);
        }
        let (request, how) = (Box::new(self.talk.request.clone()), Box::new(self.talk.how.clone()));
        (Stage::Agent(Box::new(self)), vec![line, Effect::Complete { request, how }])
    }
}

/// Holds at a step that failed: no routing, one notice (decision 6.1).
///
/// The thread is told `told`; `detail` is for whoever runs the engine, with addresses and advice that do not
/// belong into a thread.
pub(crate) fn failed(scene: Scene<'_>, known: Known, start: &Start, told: &str, detail: &str, reason: Reason) -> Next {
    failed_with(scene, known, start, (told, detail, reason), None)
}

/// As [`failed`]; what was said before and is no report goes into the report of the run, so that it is not lost.
pub(crate) fn failed_with(
    scene: Scene<'_>,
    known: Known,
    start: &Start,
    (told, detail, reason): (&str, &str, Reason),
    said: Option<String>,
) -> Next {
    let words = text::step_failed(&start.workflow, &start.step, told);
    let mut state = known.next_state();
    let dispatch = state.dispatch.get_or_insert_default();
    dispatch.status = Status::Hold;
    dispatch.reason = Some(text::cut(told, REASON_CHARS));
    state.current_context.insert("last_run_status".into(), "failure".into());
    let detail = text::step_failed_here(&start.workflow, &start.step, detail);
    let after = After::End { outcome: RunOutcome::Failed, reason, detail, unposted: said.into_iter().collect() };
    Recheck::begin(scene, known, Draft::notice(words, Some(state), after))
}

/// A reason in the state is a sentence or a few.
const REASON_CHARS: usize = 1_000;
