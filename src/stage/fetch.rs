//! The moment in which a workflow of another repository is read, because a step of it is to run.
//!
//! It is read once a run and kept in the run, so that a recording holds it.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    string::{String, ToString},
    vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    effect::{Effect, Level},
    event::{FailureKind, Outcome},
    lint::{self, Around, LintFile},
    report::{Reason, RunOutcome},
    setup::Setup,
    stage::{Known, Next, Scene, Stage, Start, decide, in_words, settle, settle::Done, tell},
    text,
    workflow::{self, Fetched, Workflow, reference::RepoReference},
};

/// A run that waits for a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Fetch {
    known: Known,
    reference: String,
    then: Then,
}

/// What the file is needed for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Then {
    /// To look at what is due.
    Decide,
    /// To begin a step.
    Begin {
        /// Which.
        start: Box<Start>,
    },
    /// To say where a step leads that is done.
    Settle {
        /// What came of it.
        done: Box<Done>,
    },
}

impl Fetch {
    /// Asks for the file.
    pub(crate) fn begin(known: Known, reference: String, then: Then) -> Next {
        let line = tell(Level::Stage, text::reading_workflow(&reference));
        let ask = Effect::ReadWorkflow { reference: reference.clone() };
        (Stage::Fetch(Box::new(Self { known, reference, then })), vec![line, ask])
    }

    /// Takes the file in, usable or not, and goes on with what it was needed for.
    pub(crate) fn answered(self, scene: Scene<'_>, outcome: Outcome) -> Next {
        let Self { mut known, reference, then } = self;
        let fetched = match outcome {
            Outcome::WorkflowRead { source } => read(scene.setup, &reference, &source),
            // A fault of this machine says nothing about the file.
            Outcome::Failed { failure } if failure.kind == FailureKind::Local => {
                return known.end(RunOutcome::Failed, Reason::LocalFailed, in_words(&failure));
            }
            Outcome::Failed { failure } => Fetched::Unusable(in_words(&failure)),
            _ => return known.out_of_step("reading a workflow of another repository"),
        };
        known.fetched.insert(reference, fetched);
        match then {
            Then::Decide => decide::decide(scene, known),
            Then::Begin { start } => decide::begin_step(scene, known, *start),
            Then::Settle { done } => settle::done(scene, known, *done),
        }
    }
}

/// Reads a workflow of another repository; its mistakes make it unusable, as they would in a file of this one. What it
/// mounts and how it is mounted is looked at when a run goes in.
fn read(setup: &Setup, reference: &str, source: &str) -> Fetched {
    let path = RepoReference::parse(reference).map(|parsed| parsed.path).unwrap_or_default();
    let parsed = workflow::read(&path, source);
    if let Some(problem) = parsed.problems.first() {
        return Fetched::Unusable(problem.to_string());
    }
    let around = Around {
        roles: setup.agents.keys().map(String::as_str).collect(),
        skills: setup.skills.keys().map(String::as_str).collect(),
        workflows: &BTreeMap::new(),
    };
    let findings = lint::check(&[LintFile { file: &path, text: source, parsed: &parsed }], &around);
    if let Some(finding) = findings.into_iter().find(|finding| REFUSED.contains(&finding.rule)) {
        return Fetched::Unusable(finding.place.problem(&path, finding.what, finding.hint).to_string());
    }
    match parsed.workflow {
        Some(workflow) => Fetched::Read(Box::new(Workflow { location: reference.into(), ..workflow })),
        None => Fetched::Unusable("there is no workflow in it".into()),
    }
}

/// Those of [`lint::HELD_BY_RUNS`] that one file can break by itself; the others are asked when it is mounted.
const REFUSED: [&str; 3] = ["L10", "L17", "L18"];
