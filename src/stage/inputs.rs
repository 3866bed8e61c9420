//! The inputs of a step: what each is bound to, seen through the frames, and the value it gets.
//!
//! Everything but a command's output can be told here at once. Commands are run one by one, in the moment before
//! the agent.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    process::{Process, Ran},
    stage::{Known, Scene, Start, outputs::output_at, surround},
    state::{StepInputRecord, StepRef},
    text,
    workflow::{Binding, PARAMETER, Step, TIMEOUT_MINUTES},
};

/// An input with its value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Input {
    /// What is kept of it in the state.
    pub(crate) record: StepInputRecord,
    /// The value for the prompt, within `limits.input_chars`; empty where there is none.
    pub(crate) value: String,
    /// Whether the step fails without it.
    pub(crate) required: bool,
}

/// An input before it has its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wanted {
    name: String,
    /// What it is bound to; nothing where no caller gave it.
    binding: Option<Binding>,
    required: bool,
}

/// Gives the inputs that a step asks for, each with what it is bound to.
pub(crate) fn wanted(scene: Scene<'_>, known: &Known, start: &Start, step: &Step) -> Vec<Wanted> {
    let Some(frame) = start.position.last() else { return Vec::new() };
    let workflow = known.library(scene.setup).get(&frame.workflow);
    let declared = |parameter: &str| workflow?.inputs.iter().find(|input| input.name == parameter);
    let want = |(name, binding): (&String, &Binding)| match binding {
        Binding::Ref(to) => match to.strip_prefix(PARAMETER) {
            Some(parameter) => Wanted {
                name: name.clone(),
                binding: frame.inputs.get(parameter).cloned(),
                required: declared(parameter).is_none_or(|input| input.required),
            },
            None => {
                let reference = crate::workflow::place(&frame.workflow, to);
                Wanted { name: name.clone(), binding: Some(Binding::Ref(reference)), required: true }
            }
        },
        Binding::Exec(_) | Binding::Str(_) => {
            Wanted { name: name.clone(), binding: Some(binding.clone()), required: true }
        }
    };
    step.inputs.iter().map(want).collect()
}

impl Wanted {
    /// Gives the program that makes the value, where one does.
    pub(crate) fn program(&self, scene: Scene<'_>, known: &Known, start: &Start) -> Option<Process> {
        let Some(Binding::Exec(argv)) = &self.binding else { return None };
        let purpose = crate::process::Purpose::Input { name: self.name.clone() };
        let timeout_seconds = u64::from(TIMEOUT_MINUTES) * 60;
        let env = surround::environment(scene, known, start);
        Some(Process { purpose, argv: argv.clone(), env, timeout_seconds, ..Process::default() })
    }

    /// Gives the value of an input that needs no program.
    pub(crate) fn value(&self, scene: Scene<'_>, known: &Known) -> Input {
        match &self.binding {
            None => self.failed("", text::input_not_given()),
            Some(Binding::Str(value)) => self.got(scene, "str", value),
            Some(Binding::Ref(place)) => match output_at(scene, known, place) {
                Some(value) => self.got(scene, "ref", &value),
                None => self.failed("ref", text::input_has_no_output(place)),
            },
            Some(Binding::Exec(argv)) => self.shown(argv),
        }
    }

    /// Takes what its program came to: standard output is the value, without one line end.
    pub(crate) fn ran(&self, scene: Scene<'_>, ran: &Ran) -> Input {
        if !ran.is_ok() {
            return self.failed("exec", text::program_failed(ran));
        }
        let value = text::captured(&ran.stdout);
        let value = value.strip_suffix('\n').map(|value| value.strip_suffix('\r').unwrap_or(value)).unwrap_or(&value);
        self.got(scene, "exec", value)
    }

    /// Stands for a value that only a run has, where people look at a prompt.
    fn shown(&self, argv: &[String]) -> Input {
        Input { value: text::input_is_run(argv), ..self.failed("exec", String::new()) }
    }

    fn got(&self, scene: Scene<'_>, binding: &str, value: &str) -> Input {
        let kept = text::first_chars(value, MAX_VALUE_CHARS);
        let record = StepInputRecord {
            name: self.name.clone(),
            binding: binding.to_string(),
            ok: true,
            value: kept.to_string(),
            truncated: kept.len() < value.len(),
            ..StepInputRecord::default()
        };
        let value = text::cut_with_note(value, scene.setup.settings.limits.input_chars);
        Input { record, value, required: self.required }
    }

    fn failed(&self, binding: &str, detail: String) -> Input {
        let detail = text::cut(&detail, DETAIL_CHARS);
        let (name, binding) = (self.name.clone(), binding.to_string());
        let record = StepInputRecord { name, binding, detail, ..StepInputRecord::default() };
        Input { record, value: String::new(), required: self.required }
    }
}

/// Gives the inputs that a step cannot go without and has not got, with the reasons.
pub(crate) fn missing(inputs: &[Input]) -> Vec<(&str, &str)> {
    let is_missing = |input: &&Input| input.required && !input.record.ok;
    inputs.iter().filter(is_missing).map(|input| (input.record.name.as_str(), input.record.detail.as_str())).collect()
}

/// Gives the inputs of a step as people may see them before it runs: no program is run for that.
pub(crate) fn preview(scene: Scene<'_>, known: &Known, start: &Start) -> Vec<Input> {
    let Some(step) = known.step_of(scene, start) else { return Vec::new() };
    wanted(scene, known, start, step).iter().map(|wanted| wanted.value(scene, known)).collect()
}

/// Says how a step is wired, for the programs that run for it (reference: STEP_INPUTS); nothing where nothing is.
pub(crate) fn wiring(position: &[StepRef], step: Option<&Step>) -> Option<String> {
    #[derive(Serialize)]
    struct Wiring<'a> {
        bindings: &'a alloc::collections::BTreeMap<String, Binding>,
        frames: Vec<Frame<'a>>,
    }
    #[derive(Serialize)]
    struct Frame<'a> {
        callee: &'a str,
        workflow: &'a str,
        step: &'a str,
        inputs: &'a alloc::collections::BTreeMap<String, Binding>,
    }
    let frames: Vec<Frame<'_>> = position
        .windows(2)
        .filter(|pair| !pair[1].called)
        .map(|pair| Frame {
            callee: &pair[1].workflow,
            workflow: &pair[0].workflow,
            step: &pair[0].step,
            inputs: &pair[1].inputs,
        })
        .collect();
    let bindings = &step?.inputs;
    let is_wired = !bindings.is_empty() || frames.iter().any(|frame| !frame.inputs.is_empty());
    is_wired.then(|| serde_json::to_string(&Wiring { bindings, frames }).unwrap_or_default())
}

/// What is kept of a value in the state (reference: StepInputRecord).
const MAX_VALUE_CHARS: usize = 4_000;
/// Why there is no value, in the state.
const DETAIL_CHARS: usize = 1_000;
