//! From a report to the state that follows it: the route is taken, the history grows by one entry, and the
//! comment that carries both is drafted.

use alloc::{
    borrow::ToOwned,
    boxed::Box,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{Effective, Said, Spent},
    dispatch::{Dispatch, Status},
    report::{Reason, RunOutcome},
    sentinel::AgentRunConfig,
    stage::{
        After, Draft, Fetch, Known, Next, Recheck, Replaces, Scene, Start,
        fetch::Then,
        inputs::Input,
        known::Ending,
        measured,
        refine::{self, Round},
    },
    state::{EngineNote, GateHold, HistoryEntry, StateMetrics, StepRef, StepResolution, WorkflowState},
    text,
    workflow::{Ask, Library, Move, Needed, Routing, SCRIPT_ROLE, Step, route},
};

/// A step that has its report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Done {
    /// The step.
    pub(crate) start: Start,
    /// What it said.
    pub(crate) said: Said,
    /// What that cost.
    pub(crate) spent: Spent,
    /// What it was given.
    pub(crate) inputs: Vec<Input>,
    /// What went wrong with the hook after it.
    pub(crate) trouble: Option<String>,
    /// The comment of an earlier run that is brought up to date.
    pub(crate) update: Option<u64>,
}

/// Settles a step that has its report.
pub(crate) fn done(scene: Scene<'_>, mut known: Known, done: Done) -> Next {
    let Done { start, said, .. } = &done;
    let (result, call) = (said.result.as_deref(), said.call.as_deref());
    let ask = Ask { position: &start.position, dispatch: &said.dispatch, result, released: false, call };
    let routing = match route(known.library(scene.setup), &ask) {
        Ok(routing) => routing,
        Err(Needed(reference)) => {
            let then = Then::Settle { done: Box::new(done) };
            return Fetch::begin(known, reference, then);
        }
    };
    let mut state = known.next_state();
    let run_id = state.run_id;
    let library = known.library(scene.setup);
    let landed = land(scene, library, &mut state, &start.position, &said.dispatch, &routing, run_id);
    state.current_context.insert("last_run_status".into(), "success".into());
    let metrics = measured::metrics(scene, &known, run_id, start, &done.spent);
    state.history.push(entry(&done, state.position.clone(), metrics));
    let fix_requests = measured::fix_requests(&state.history);
    if let Some(metrics) = state.history.last_mut().and_then(|entry| entry.metrics.as_mut()) {
        metrics.review_fix_requests = fix_requests;
    }
    let figures = measured::step_figures(scene, &known, start, said, &done.spent);
    state.engine.get_or_insert_with(EngineNote::new).figures = figures;
    let words = words_to_post(&done, &routing, &landed.words);
    let sentinel = AgentRunConfig { dispatch: state.dispatch.clone(), ..AgentRunConfig::default() };
    let round = Round::after(scene, &known, start, said, &routing.go);
    known.steps += 1;
    known.ran_script = start.agent == SCRIPT_ROLE;
    known.ending = landed.ending;
    let draft = Draft {
        agent: Some(start.agent.clone()),
        mark: round.map(|round| refine::mark(&round)),
        words,
        sentinel: Some(Box::new(sentinel)),
        state: Some(Box::new(state)),
        update: done.update.map(|comment_id| Replaces { comment_id, where_to: landed.words }),
        after: After::GoOn { start: None },
    };
    Recheck::begin(scene, known, draft)
}

/// Where a route led the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Landed {
    /// That place, in words for people who read the thread.
    pub(crate) words: String,
    /// How the run ends if nothing more is due after this.
    pub(crate) ending: Option<Ending>,
}

/// Moves a state to where a route leads from `from`, with the dispatch that then counts.
pub(crate) fn land(
    scene: Scene<'_>,
    library: Library<'_>,
    state: &mut WorkflowState,
    from: &[StepRef],
    said: &Dispatch,
    routing: &Routing,
    run_id: u64,
) -> Landed {
    let (position, agent) = match &routing.go {
        Move::To { position, agent } => (position.as_slice(), Some(agent.clone())),
        Move::Gate { position, .. } => (position.as_slice(), None),
        Move::Again | Move::Stay | Move::Stop | Move::End => (from, None),
    };
    state.stand_at(position, agent);
    let declared = scene.setup.agents.get(&state.agent).and_then(|agent| agent.phase.as_deref());
    if let Some(phase) = declared.or_else(|| phase_of(&state.step)) {
        state.phase = phase.to_owned();
    }
    state.dispatch = Some(dispatch_after(said, routing));
    state.resolution = Some(resolution(scene, library, state, &routing.rule));
    let holds = matches!(routing.go, Move::Gate { .. });
    if let Some(engine) = &mut state.engine {
        engine.gate = holds.then(|| GateHold { run_id, ..GateHold::default() });
    }
    Landed { words: where_to(state, &routing.go), ending: ending(routing, said, state, from) }
}

/// Says in words where a step leads.
fn where_to(state: &WorkflowState, go: &Move) -> String {
    match go {
        Move::To { .. } => text::leads_to(&state.step, &state.agent),
        Move::Again => "The same step again.".into(),
        Move::Gate { .. } => text::gate_waits(&state.step),
        Move::Stay => "A person has to say how it goes on.".into(),
        Move::Stop => "The workflow was ended.".into(),
        Move::End => "The workflow came to its end.".into(),
    }
}

/// Gives the words that are posted: the report, within bounds, and what the engine has to say about the route.
/// They are made safe where they are laid out in parts.
fn words_to_post(done: &Done, routing: &Routing, where_to: &str) -> String {
    let Done { start, said, trouble, .. } = done;
    let report = said.report.trim();
    let mut words = match report.char_indices().nth(REPORT_CHARS) {
        None => report.to_owned(),
        Some((end, _)) => {
            let left_out = report[end..].chars().count();
            format!("{}{}", &report[..end], text::report_cut(left_out))
        }
    };
    let notices = routing.notices.iter().map(text::route_notice);
    for notice in notices.chain(trouble.iter().map(|trouble| format!("> {trouble}"))) {
        words.push_str("\n\n");
        words.push_str(&notice);
    }
    words.push_str(&text::step_line(&start.workflow, &start.step, &start.agent, where_to));
    words
}

/// Gives the dispatch the state carries. A workflow that came to its end is written as terminated, so that no
/// reader goes on from it, and one that waits at a gate as held; the history entry keeps what the agent said.
fn dispatch_after(said: &Dispatch, routing: &Routing) -> Dispatch {
    let mut dispatch = said.clone();
    match &routing.go {
        Move::End => {
            dispatch.status = Status::Terminate;
            dispatch.reason = Some(text::workflow_ended());
        }
        Move::Gate { keeps_target, .. } => {
            dispatch.status = Status::Hold;
            dispatch.reason = Some(text::gate_reason());
            if !keeps_target {
                // What was wished inside a workflow that is over means nothing outside of it.
                dispatch = Dispatch { status: Status::Hold, reason: dispatch.reason, ..Dispatch::default() };
            }
        }
        // The step wanted on and there is no way: nobody goes on from that either.
        Move::Stay if dispatch.status == Status::Advance => {
            dispatch.status = Status::Hold;
            dispatch.reason = Some(text::leads_nowhere(&routing.rule));
        }
        Move::To { .. } | Move::Again | Move::Stay | Move::Stop => {}
    }
    dispatch
}

fn resolution(scene: Scene<'_>, library: Library<'_>, state: &WorkflowState, rule: &str) -> StepResolution {
    let agent = scene.setup.agents.get(&state.agent);
    let step = library.get(&state.workflow).and_then(|workflow| workflow.step(&state.step));
    let applied = match step.and_then(Step::agent) {
        Some(role) => Effective::of(scene.setup, step, role, state.dispatch.as_ref()).record(),
        None => BTreeMap::new(),
    };
    StepResolution {
        role_name: state.agent.clone(),
        prompt_location: agent.map(|agent| agent.location.clone()).unwrap_or_default(),
        matched_rule: rule.to_owned(),
        applied,
        timestamp: scene.at.to_string(),
        ..StepResolution::default()
    }
}

fn entry(done: &Done, position: Vec<StepRef>, metrics: StateMetrics) -> HistoryEntry {
    let Done { start, said, inputs, .. } = done;
    HistoryEntry {
        step: start.step.clone(),
        agent: start.agent.clone(),
        summary: summary(&said.report),
        inject_context: true,
        pin: said.dispatch.pin,
        result: Some(said.result.clone().unwrap_or_else(|| said.dispatch.status.word().to_owned())),
        dispatch: Some(said.dispatch.clone()),
        position,
        metrics: Some(metrics),
        inputs: inputs.iter().map(|input| input.record.clone()).collect(),
        ..HistoryEntry::default()
    }
}

/// Gives the first line with words that is no heading and no row of a table, else the first line, without ornaments,
/// capped.
fn summary(report: &str) -> String {
    let ornaments = |c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | '>' | '-' | '`');
    let lines = || report.lines().map(str::trim).filter(|line| !line.trim_matches(ornaments).is_empty());
    let line = lines().find(|line| !line.starts_with(['#', '|'])).or_else(|| lines().next()).unwrap_or("");
    let line = line.trim_matches(ornaments);
    match line.char_indices().nth(SUMMARY_CHARS) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
    }
}

/// Gives how the run ends if nothing more is due after this step.
fn ending(routing: &Routing, said: &Dispatch, state: &WorkflowState, from: &[StepRef]) -> Option<Ending> {
    let step = from.last().map(|frame| frame.step.as_str()).unwrap_or_default();
    let (outcome, reason, detail) = match &routing.go {
        Move::To { .. } | Move::Again => return None,
        Move::Gate { .. } => (RunOutcome::Held, Reason::GateWaits, text::gate_holds(&state.step)),
        Move::Stay if said.status == Status::Hold => (RunOutcome::Held, Reason::AgentHold, text::agent_holds(step)),
        Move::Stay => (RunOutcome::Held, Reason::NoRoute, text::leads_nowhere(&routing.rule)),
        Move::Stop => (RunOutcome::Terminated, Reason::AgentTerminate, text::agent_terminates(step)),
        Move::End => (RunOutcome::Finished, Reason::WorkflowEnd, text::workflow_ended()),
    };
    Some(Ending { outcome, reason, detail })
}

/// Gives the phase of the steps that the shipped workflows have; other steps leave it as it is.
fn phase_of(step: &str) -> Option<&'static str> {
    match step {
        "analyze" | "context" => Some("analysis"),
        "plan" => Some("planning"),
        "dev" => Some("execution"),
        "review" => Some("review"),
        _ => None,
    }
}

/// Some eight comments of plain text; a report that is longer is not read by anybody.
const REPORT_CHARS: usize = 500_000;
/// A summary is one line in a table of the history.
const SUMMARY_CHARS: usize = 120;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_the_first_line_that_says_something() {
        let check = |report: &str, wanted: &str| assert_eq!(summary(report), wanted, "{report:?}");
        check("Done.", "Done.");
        check("## Analysis\n\nThe tabs are lost.\n\nMore.", "The tabs are lost.");
        check("# Only a heading", "Only a heading");
        check("## Coverage\n\n| ID | covered by |\n|--|--|\n\nAnd so on.", "And so on.");
        check("- **first** point\n- second", "first** point");
        check("---\n\n> quoted", "quoted");
        check("", "");
        check(&"x".repeat(200), &format!("{}…", "x".repeat(SUMMARY_CHARS)));
    }
}
