//! What the step at hand demands of its report: the fields that are declared for it, and the requirements ledger that
//! is in force in its thread (reference: Requirements Ledger and Coverage).

use alloc::{string::String, vec::Vec};

use crate::{
    agent::{COVERAGE, Ledger, REQUIREMENTS, ledger_of, listed, names_ledger, quoted},
    markdown::without_engine_text,
    setup::{Field, Output},
    stage::{Known, Scene, Start},
    state::{HistoryEntry, RecordKind},
};

/// The requirements ledger of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
enum InForce {
    /// Nobody wrote one.
    None,
    /// The comment that has its heading holds none that can be read.
    Unreadable {
        /// The comment.
        comment_id: u64,
    },
    /// The newest one, as it stands now: people may have edited it since.
    Ledger(Ledger),
}

/// Gives the fields of a step's report. What the step declares counts more than what its agent does.
pub(crate) fn fields<'s>(scene: Scene<'s>, known: &'s Known, start: &Start) -> &'s [Field] {
    let of_step = known.step_of(scene, start).and_then(|step| step.output.as_ref());
    let of_agent = || scene.setup.agents.get(&start.agent).and_then(|agent| agent.output.as_ref());
    of_step.or_else(of_agent).map(|output| output.fields.as_slice()).unwrap_or_default()
}

/// Finds the ledger that a step has to cover; nothing where it declares no coverage.
fn to_cover(scene: Scene<'_>, known: &Known, fields: &[Field]) -> InForce {
    match fields.iter().any(|field| field.is_named(COVERAGE)) {
        true => in_force(scene, known),
        false => InForce::None,
    }
}

/// Gives the comment whose ledger a step should cover and nobody can read, where that is so.
pub(crate) fn unreadable(scene: Scene<'_>, known: &Known, start: &Start) -> Option<u64> {
    match to_cover(scene, known, fields(scene, known, start)) {
        InForce::Unreadable { comment_id } => Some(comment_id),
        InForce::None | InForce::Ledger(_) => None,
    }
}

/// Gives the ledger that a report of a step has to cover.
pub(crate) fn ledger_to_cover(scene: Scene<'_>, known: &Known, fields: &[Field]) -> Option<Ledger> {
    match to_cover(scene, known, fields) {
        InForce::Ledger(ledger) => Some(ledger),
        InForce::None | InForce::Unreadable { .. } => None,
    }
}

/// Lists the IDs that a step's coverage needs a row for; empty where there is nothing to cover.
pub(crate) fn listed_to_cover(scene: Scene<'_>, known: &Known, fields: &[Field]) -> String {
    let ledger = ledger_to_cover(scene, known, fields);
    ledger.map_or_else(String::new, |ledger| listed(&ledger.enforced().collect::<Vec<_>>()))
}

/// Finds the ledger in the newest report that has one. Only what the engine posted for an agent counts, and what a step
/// posted that declares a ledger counts more than what others did.
///
/// A report that has the heading and no table below it is passed over where an older one has both.
fn in_force(scene: Scene<'_>, known: &Known) -> InForce {
    let mut unreadable = InForce::None;
    let newest = || known.state.history.iter().rev();
    let (of_ledger, others) =
        (newest().filter(|entry| writes(scene, entry)), newest().filter(|entry| !writes(scene, entry)));
    for entry in of_ledger.chain(others) {
        let report = posted(scene, known, entry);
        if let Some(ledger) = ledger_of(&report) {
            return InForce::Ledger(ledger);
        }
        if unreadable == InForce::None && names_ledger(&report) {
            let comment_id = entry.comment_ids.first().copied().unwrap_or_default();
            unreadable = InForce::Unreadable { comment_id };
        }
    }
    unreadable
}

/// Tells whether an entry is of a step, or of an agent, that declares a ledger in its report.
fn writes(scene: Scene<'_>, entry: &HistoryEntry) -> bool {
    let has = |output: Option<&Output>| {
        output.is_some_and(|output| output.fields.iter().any(|field| field.is_named(REQUIREMENTS)))
    };
    let mut steps = scene.setup.workflows.values().flat_map(|workflow| &workflow.steps);
    has(scene.setup.agents.get(&entry.agent).and_then(|agent| agent.output.as_ref()))
        || steps.any(|step| step.name == entry.step && step.agent() == Some(&entry.agent) && has(step.output.as_ref()))
}

/// Counts the characters of references in the newest report of every other step: what a step says again replaces what
/// it said before.
pub(crate) fn quoted_before(scene: Scene<'_>, known: &Known, start: &Start) -> usize {
    let mut seen = Vec::from([(start.step.as_str(), start.agent.as_str())]);
    let mut sum = 0;
    for entry in known.state.history.iter().rev() {
        let step = (entry.step.as_str(), entry.agent.as_str());
        if !seen.contains(&step) {
            seen.push(step);
            sum += quoted(&posted(scene, known, entry));
        }
    }
    sum
}

/// Gives a report as it stands in the thread. Its parts are joined by a line end, as a table may be cut between rows.
fn posted(scene: Scene<'_>, known: &Known, entry: &HistoryEntry) -> String {
    let is_agents = |id: u64| {
        let mut records = known.state.thread.iter().filter(|record| record.id == id);
        records.any(|record| record.kind == RecordKind::AgentOutput && !record.deleted)
    };
    let comments = entry.comment_ids.iter().filter(|id| is_agents(**id)).filter_map(|id| scene.thread.comment(*id));
    let texts: Vec<_> = comments.map(|comment| without_engine_text(&comment.body)).collect();
    texts.join("\n")
}
