//! The moment after an agent's attempt in which its hook runs. Whatever comes of the hook, the step's own end stands.

use alloc::{boxed::Box, string::String, vec};

use serde::{Deserialize, Serialize};

use crate::{
    agent::Spent,
    effect::{Effect, Level},
    event::Outcome,
    process::Purpose,
    report::{Reason, RunOutcome},
    stage::{
        Known, Next, Scene, Stage, Start, failed_with, in_words,
        prepare::program,
        settle::{self, Done},
        spending::held,
        tell,
    },
    text,
};

/// A step that waits for the hook after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Aftermath {
    known: Known,
    came: Came,
}

/// What came of an agent's attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Came {
    /// A report.
    Done(Box<Done>),
    /// Nothing usable: what the thread is told, what whoever runs the engine is told, and why.
    Failed {
        /// The step.
        start: Box<Start>,
        /// What the attempt used: it is paid for all the same.
        #[serde(default)]
        spent: Box<Spent>,
        /// For the thread.
        told: String,
        /// For whoever runs the engine.
        detail: String,
        /// As a code.
        reason: Reason,
        /// What was said before and is no report.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<String>,
    },
    /// A budget stood against the next call.
    Held {
        /// The step.
        start: Box<Start>,
        /// What the attempt used up to there.
        spent: Box<Spent>,
        /// Which one, and what to do.
        why: String,
        /// What the model had said.
        said: Option<String>,
    },
    /// A fault of this machine, which says nothing about the thread.
    Ended {
        /// The step.
        start: Box<Start>,
        /// In words.
        detail: String,
        /// What the model had said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<String>,
    },
}

impl Came {
    fn start(&self) -> &Start {
        match self {
            Self::Done(done) => &done.start,
            Self::Failed { start, .. } | Self::Held { start, .. } | Self::Ended { start, .. } => start,
        }
    }
}

/// Runs the hook after an agent's attempt, where the step has one, then goes on with what came of the attempt.
pub(crate) fn begin(scene: Scene<'_>, known: Known, came: Came) -> Next {
    let step = known.step_of(scene, came.start());
    let Some(hook) = step.and_then(|step| step.post_hook.as_ref()) else {
        return go_on(scene, known, came, None);
    };
    let process = program(scene, &known, came.start(), hook, Purpose::PostHook);
    let line = tell(Level::Stage, text::program_runs(&process));
    (
        Stage::Aftermath(Box::new(Aftermath { known, came })),
        vec![line, Effect::RunProcess { process: Box::new(process) }],
    )
}

impl Aftermath {
    /// Notes what came of the hook and goes on as if there were none.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let Self { known, came } = self;
        // Nothing that goes wrong with the hook itself changes what the agent's attempt came to.
        let trouble = match outcome {
            Outcome::ProcessRan { ran } if ran.is_ok() => None,
            Outcome::ProcessRan { ran } => Some(text::program_failed(&ran)),
            Outcome::Failed { failure } => Some(in_words(&failure)),
            _ => return known.out_of_step("running the hook after an agent"),
        };
        go_on(scene, known, came, trouble.map(|why| text::post_hook_failed(&why)))
    }
}

fn go_on(scene: Scene<'_>, mut known: Known, came: Came, trouble: Option<String>) -> Next {
    let line = trouble.clone().map(|trouble| tell(Level::Warning, trouble));
    let (stage, mut effects) = match came {
        Came::Done(mut done) => {
            done.trouble = trouble;
            known.charge(scene, &done.start, &done.spent);
            settle::done(scene, known, *done)
        }
        Came::Failed { start, spent, told, detail, reason, said } => {
            known.charge(scene, &start, &spent);
            failed_with(scene, known, &start, (&told, &detail, reason), said)
        }
        Came::Held { start, spent, why, said } => {
            known.charge(scene, &start, &spent);
            held(scene, known, &start, &why, said)
        }
        Came::Ended { detail, said, .. } => {
            known.end_with(RunOutcome::Failed, Reason::LocalFailed, detail, said.into_iter().collect())
        }
    };
    effects.splice(0..0, line);
    (stage, effects)
}
