//! The moment in which a script does the work of a step: pass or fail, and its output for everybody to read.

use alloc::{boxed::Box, string::ToString, vec};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{Said, Spent},
    effect::{Effect, Level},
    event::Outcome,
    process::{Process, Purpose},
    stage::{
        Known, Next, Scene, Stage, Start,
        outputs::newest_entry,
        prepare::ran,
        settle::{self, Done},
        surround, tell,
    },
    text,
    workflow::{FAIL, PASS, SCRIPT_ROLE, Script},
};

/// A step whose script runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ScriptAtWork {
    known: Known,
    start: Start,
    process: Process,
}

impl ScriptAtWork {
    /// Runs the script.
    pub(crate) fn begin(scene: Scene<'_>, known: Known, start: Start, script: &Script) -> Next {
        let mut env = surround::environment(scene, &known, &start);
        env.extend(script.env.clone());
        let process = Process {
            stdin: None,
            purpose: Purpose::Script,
            argv: core::iter::once(&script.command).chain(&script.args).map(ToString::to_string).collect(),
            working_dir: script.working_dir.clone(),
            env,
            timeout_seconds: u64::from(script.timeout_minutes) * 60,
        };
        let line = tell(Level::Stage, text::program_runs(&process));
        let ask = Effect::RunProcess { process: Box::new(process.clone()) };
        (Stage::Script(Box::new(Self { known, start, process })), vec![line, ask])
    }

    /// Settles the step: a script that fails advances as well, with the result `fail` (reference: script steps).
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let Self { known, start, process } = self;
        let (known, ran) = match ran(known, outcome, "running a script") {
            Ok(done) => done,
            Err(next) => return *next,
        };
        let result = if ran.is_ok() { PASS } else { FAIL };
        let report = text::script_report(&process, &ran, result);
        let said = Said { report, result: Some(result.into()), ..Said::default() };
        let update = earlier_output(scene, &known, &start);
        let spent = Spent { took_ms: ran.took_ms, ..Spent::default() };
        settle::done(scene, known, Done { start, said, spent, update, ..Done::default() })
    }
}

/// Finds the comment of an earlier run of the same script, which is updated in place of a new one (reference: Bot
/// Marker Conventions): our own, in one part, and still there.
fn earlier_output(scene: Scene<'_>, known: &Known, start: &Start) -> Option<u64> {
    let entry =
        newest_entry(scene, known, (&start.workflow, &start.step)).filter(|entry| entry.agent == SCRIPT_ROLE)?;
    let [id] = entry.comment_ids.as_slice() else { return None };
    scene.thread.comment(*id).filter(|_| known.is_own_comment(*id)).map(|comment| comment.id)
}
