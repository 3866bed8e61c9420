//! The moment before the work of a step: the hook before it, then its inputs, one program after the other.

use alloc::{
    boxed::Box,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    effect::{Effect, Level},
    event::{FailureKind, Outcome},
    process::{Process, Purpose, Ran},
    report::{Reason, RunOutcome},
    setup::Runtime,
    stage::{
        AgentAtWork, Known, Next, OutsideAtWork, Scene, ScriptAtWork, Stage, Start, failed, in_words,
        inputs::{Input, Wanted, missing, wanted},
        skills::Skills,
        surround, tell,
    },
    text,
    workflow::{Hook, Work},
};

/// A step that is being made ready.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Prepare {
    known: Known,
    start: Start,
    wanted: Vec<Wanted>,
    inputs: Vec<Input>,
    /// Whether the hook before the agent is what runs.
    in_hook: bool,
}

impl Prepare {
    /// Begins the work of a step that is there.
    pub(crate) fn begin(scene: Scene<'_>, known: Known, start: Start) -> Next {
        let Some(step) = known.step_of(scene, &start) else {
            let why = text::no_such_step();
            return failed(scene, known, &start, &why, &why, Reason::UnknownStep);
        };
        let wanted = wanted(scene, &known, &start, step);
        let hook = step.pre_hook.as_ref().map(|hook| program(scene, &known, &start, hook, Purpose::PreHook));
        let prepare = Self { wanted, inputs: Vec::new(), in_hook: hook.is_some(), known, start };
        match hook {
            Some(process) => prepare.run(process),
            None => prepare.go_on(scene),
        }
    }

    fn run(self, process: Process) -> Next {
        let line = tell(Level::Stage, text::program_runs(&process));
        (Stage::Prepare(Box::new(self)), vec![line, Effect::RunProcess { process: Box::new(process) }])
    }

    /// Takes what the hook or a command came to.
    pub(crate) fn answered(mut self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let ran = match ran(self.known, outcome, "making a step ready") {
            Ok((known, ran)) => {
                self.known = known;
                ran
            }
            Err(next) => return *next,
        };
        if self.in_hook {
            self.in_hook = false;
            if !ran.is_ok() {
                let why = text::pre_hook_failed(&ran);
                return failed(scene, self.known, &self.start, &why, &why, Reason::HookFailed);
            }
        } else if let Some(wanted) = self.wanted.get(self.inputs.len()) {
            self.inputs.push(wanted.ran(scene, &ran));
        }
        self.go_on(scene)
    }

    /// Goes on with the next input, or with the work once all are there.
    fn go_on(mut self, scene: Scene<'_>) -> Next {
        while let Some(wanted) = self.wanted.get(self.inputs.len()) {
            match wanted.program(scene, &self.known, &self.start) {
                Some(process) => return self.run(process),
                None => self.inputs.push(wanted.value(scene, &self.known)),
            }
        }
        let lacking = missing(&self.inputs);
        if !lacking.is_empty() {
            let why = text::inputs_missing(&lacking);
            return failed(scene, self.known, &self.start, &why, &why, Reason::InputMissing);
        }
        let Self { known, start, inputs, .. } = self;
        match known.step_of(scene, &start).map(|step| step.work.clone()) {
            Some(Work::Script(script)) => ScriptAtWork::begin(scene, known, start, &script),
            _ => agent(scene, known, start, inputs),
        }
    }
}

/// Begins the work of an agent, whatever does it.
fn agent(scene: Scene<'_>, known: Known, start: Start, inputs: Vec<Input>) -> Next {
    let skills = Skills::of(scene, &known, &start);
    let unknown: Vec<Effect> =
        skills.unknown().iter().map(|name| tell(Level::Warning, text::skill_unknown(name))).collect();
    let (stage, mut effects) = match scene.setup.agents.get(&start.agent).map(|agent| &agent.runtime) {
        Some(Runtime::Command { argv, timeout_minutes }) => {
            OutsideAtWork::begin(scene, known, start, inputs, (argv, *timeout_minutes))
        }
        Some(Runtime::Model) | None => AgentAtWork::begin(scene, known, start, inputs),
    };
    effects.splice(0..0, unknown);
    (stage, effects)
}

/// Takes the outcome of a program, or ends the run where this machine could not even try.
pub(crate) fn ran(known: Known, outcome: Outcome, moment: &str) -> Result<(Known, Ran), Box<Next>> {
    match outcome {
        Outcome::ProcessRan { ran } => Ok((known, *ran)),
        Outcome::Failed { failure } if failure.kind == FailureKind::Local => {
            Err(Box::new(known.end(RunOutcome::Failed, Reason::LocalFailed, in_words(&failure))))
        }
        Outcome::Failed { failure } => {
            let end = crate::process::ProcessEnd::NotStarted { why: in_words(&failure) };
            Ok((known, Ran { end, ..Ran::default() }))
        }
        _ => Err(Box::new(known.out_of_step(moment))),
    }
}

/// Makes the program of a hook.
pub(crate) fn program(scene: Scene<'_>, known: &Known, start: &Start, hook: &Hook, purpose: Purpose) -> Process {
    let argv: Vec<String> = core::iter::once(&hook.path).chain(&hook.args).map(ToString::to_string).collect();
    let env = surround::environment(scene, known, start);
    let timeout_seconds = u64::from(hook.timeout_minutes) * 60;
    Process { purpose, argv, env, timeout_seconds, ..Process::default() }
}
