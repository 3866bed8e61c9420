//! The moment in which an outside program does the work of an agent (decision 8).
//!
//! It is given the prompt that a model would be given, as one text. Its output is the report; a last line of JSON may be
//! the dispatch. Everything after that is as with a model: the hook, the fields, the route, the post.

use alloc::{
    boxed::Box,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{Accepted, Demand, LastLine, Said, Spent, is_visible, written},
    dispatch::{Dispatch, Status},
    effect::{Effect, Level},
    event::{FailureKind, Outcome},
    process::{Process, Purpose, Ran},
    prompt,
    report::Reason,
    stage::{
        Known, Material, Next, Scene, Stage, Start,
        aftermath::{self, Came},
        demanded, failed, in_words,
        inputs::Input,
        material::prompt_input,
        settle::Done,
        spending, surround, tell,
    },
    text,
};

/// A step that waits for an outside program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OutsideAtWork {
    known: Known,
    start: Start,
    inputs: Vec<Input>,
    /// The program, by the name it was started with.
    name: String,
}

impl OutsideAtWork {
    /// Renders the prompt and starts the program.
    pub(crate) fn begin(
        scene: Scene<'_>,
        known: Known,
        start: Start,
        inputs: Vec<Input>,
        (argv, timeout_minutes): (&[String], u32),
    ) -> Next {
        if let Some(why) = spending::stands_against_program(scene, &known) {
            let came = Came::Held { start: Box::new(start), spent: Box::default(), why, said: None };
            return aftermath::begin(scene, known, came);
        }
        let material = match Material::of(scene, &known, &start, inputs) {
            Ok(material) => material,
            Err(why) => return failed(scene, known, &start, &why, &why, Reason::AgentFailed),
        };
        let mut blocks = prompt::build(&prompt_input(scene, &known, &start, &material));
        prompt::for_a_program(&mut blocks);
        let process = Process {
            purpose: Purpose::Agent { role: start.agent.clone() },
            argv: argv.to_vec(),
            env: surround::environment(scene, &known, &start),
            stdin: Some(prompt::to_markdown(&blocks)),
            timeout_seconds: u64::from(timeout_minutes) * 60,
            ..Process::default()
        };
        let inputs = material.inputs;
        let line = tell(Level::Stage, text::program_runs(&process));
        let warning = demanded::unreadable(scene, &known, &start);
        let warning = warning.map(|comment_id| tell(Level::Warning, text::ledger_unreadable(comment_id)));
        let name = argv.first().cloned().unwrap_or_default();
        let ask = Effect::RunProcess { process: Box::new(process) };
        let effects = [line].into_iter().chain(warning).chain([ask]).collect();
        (Stage::Outside(Box::new(Self { known, start, inputs, name })), effects)
    }

    /// Takes what the program came to, and ends the attempt.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let start = Box::new(self.start.clone());
        let came = match outcome {
            Outcome::ProcessRan { ran } => self.judge(scene, &ran),
            Outcome::Failed { failure } if failure.kind == FailureKind::Local => {
                Err(Came::Ended { start, detail: in_words(&failure), said: None })
            }
            Outcome::Failed { failure } => {
                let (told, detail) = (text::outside_not_run(), in_words(&failure));
                let (reason, spent) = (Reason::AgentFailed, Box::default());
                Err(Came::Failed { start, told, detail, reason, spent, said: None })
            }
            _ => return self.known.out_of_step("running an outside agent"),
        };
        let (came, notes) = came.map_or_else(|came| (came, Vec::new()), |(done, notes)| (Came::Done(done), notes));
        let (stage, mut effects) = aftermath::begin(scene, self.known, came);
        effects.splice(0..0, notes.iter().map(|note| tell(Level::Warning, text::report_is_odd(note))));
        (stage, effects)
    }

    /// Makes a report and a dispatch of what the program wrote, or says why there is none.
    fn judge(&self, scene: Scene<'_>, ran: &Ran) -> Result<(Box<Done>, Vec<String>), Came> {
        let failed = |why: String| Came::Failed {
            start: Box::new(self.start.clone()),
            told: why.clone(),
            detail: why,
            reason: Reason::AgentFailed,
            spent: Box::new(self.spent(ran)),
            said: Some(text::readable(&ran.stdout)).filter(|output| is_visible(output)),
        };
        if !ran.is_ok() {
            return Err(failed(text::outside_failed(ran)));
        }
        let output = text::readable(&ran.stdout);
        let written = written(&output);
        if !is_visible(written.report) {
            return Err(failed(text::outside_said_nothing(ran)));
        }
        let accepted = self.accepted(scene, written.report).map_err(|why| failed(text::outside_refused(&why)))?;
        let Accepted { mut report, notes } = accepted;
        let (dispatch, result) = match written.last {
            LastLine::Report => (Dispatch::default(), None),
            LastLine::Dispatch(next) => (next.dispatch, next.result),
            LastLine::Unreadable { line, why } => {
                report.push_str(&text::last_line_unreadable(line, &why));
                let reason = Some(text::last_line_holds(&why));
                (Dispatch { status: Status::Hold, reason, ..Dispatch::default() }, None)
            }
        };
        if ran.stdout.replaced {
            report.push_str(text::BYTES_REPLACED);
        }
        let said = Said { report, dispatch, result, ..Said::default() };
        let (start, inputs, spent) = (self.start.clone(), self.inputs.clone(), self.spent(ran));
        Ok((Box::new(Done { start, said, spent, inputs, ..Done::default() }), notes))
    }

    /// Gives what is known of what the program used: its time.
    fn spent(&self, ran: &Ran) -> Spent {
        Spent { model: self.name.to_string(), took_ms: ran.took_ms, ..Spent::default() }
    }

    /// Checks the report against what the step demands. A program cannot be asked again in the same turn.
    fn accepted(&self, scene: Scene<'_>, report: &str) -> Result<Accepted, String> {
        let Self { known, start, .. } = self;
        let fields = demanded::fields(scene, known, start);
        let ledger = || demanded::ledger_to_cover(scene, known, fields);
        let (guests, quoted) = (|| known.guests(), || demanded::quoted_before(scene, known, start));
        let demand = Demand { fields, ledger: &ledger, guests: &guests, quoted: &quoted };
        demand.take_written(report).map_err(|refusal| refusal.words().into())
    }
}
