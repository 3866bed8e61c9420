//! From a report to the state that follows it: the route is taken, the history grows by one entry, and the
//! comment that carries both is drafted.

use alloc::{
    borrow::ToOwned,
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    agent::{Said, Spent},
    canonical,
    dispatch::{Dispatch, Status},
    report::{Reason, RunOutcome},
    sentinel::AgentRunConfig,
    stage::{After, Draft, Known, Next, Recheck, Scene, Start, known::Ending},
    state::{HistoryEntry, StateMetrics, StepRef, StepResolution, WorkflowState},
    text,
    workflow::{Move, Routing, route},
};

/// Settles a step that has its report.
pub(crate) fn done(scene: Scene<'_>, mut known: Known, start: Start, said: Said, spent: &Spent) -> Next {
    let at = (start.workflow.as_str(), start.step.as_str());
    let routing = route(&scene.setup.workflows, at, &said.dispatch, said.result.as_deref());
    let state = state_after(scene, &known, &start, &said, &routing, spent);
    let words = words_to_post(&start, &said.report, &routing);
    let sentinel = AgentRunConfig { dispatch: state.dispatch.clone(), ..AgentRunConfig::default() };
    known.steps += 1;
    known.ending = ending(&routing.go, &start);
    let draft = Draft {
        agent: Some(start.agent),
        words,
        sentinel: Some(Box::new(sentinel)),
        state: Some(Box::new(state)),
        after: After::GoOn { start: None },
    };
    Recheck::begin(scene, known, draft)
}

/// Gives the words that are posted: the report, within bounds, and what the engine has to say about the route.
/// They are made safe where they are laid out in parts.
fn words_to_post(start: &Start, report: &str, routing: &Routing) -> String {
    let report = report.trim();
    let mut words = match report.char_indices().nth(REPORT_CHARS) {
        None => report.to_owned(),
        Some((end, _)) => {
            let left_out = report[end..].chars().count();
            format!("{}{}", &report[..end], text::report_cut(left_out))
        }
    };
    for notice in &routing.notices {
        words.push_str("\n\n");
        words.push_str(&text::route_target_missing(&notice.asked, &notice.near));
    }
    words.push_str(&text::step_line(&start.workflow, &start.step, &start.agent, &where_to(&routing.go)));
    words
}

/// Says in words where a step leads.
fn where_to(go: &Move) -> String {
    match go {
        Move::To { step, agent, .. } => text::leads_to(step, agent),
        Move::Again => "The same step again.".into(),
        Move::Stay => "A person has to say how it goes on.".into(),
        Move::Stop => "The workflow was ended.".into(),
        Move::End => "The workflow came to its end.".into(),
    }
}

fn state_after(
    scene: Scene<'_>,
    known: &Known,
    start: &Start,
    said: &Said,
    routing: &Routing,
    spent: &Spent,
) -> WorkflowState {
    let mut state = known.next_state();
    go_to(&mut state, start, &routing.go);
    state.dispatch = Some(dispatch_after(&said.dispatch, &routing.go));
    state.resolution = Some(resolution(scene, &state, &routing.rule));
    state.current_context.insert("last_run_status".into(), "success".into());
    let metrics = metrics(scene, state.run_id, start, spent);
    state.history.push(entry(start, said, state.position.clone(), metrics));
    state
}

/// Moves the state's step: to the next one, or nowhere.
fn go_to(state: &mut WorkflowState, start: &Start, to: &Move) {
    let (workflow, step, agent) = match to {
        Move::To { workflow, step, agent } => (workflow, step, agent),
        Move::Again | Move::Stay | Move::Stop | Move::End => (&start.workflow, &start.step, &start.agent),
    };
    state.workflow.clone_from(workflow);
    state.step.clone_from(step);
    state.agent.clone_from(agent);
    if let Some(phase) = phase_of(step) {
        state.phase = phase.to_owned();
    }
    let frame = StepRef { workflow: workflow.clone(), step: step.clone(), ..StepRef::default() };
    state.position.pop();
    state.position.push(frame);
}

/// Gives the dispatch the state carries. A workflow that came to its end is written as terminated, so that no
/// reader goes on from it; the history entry keeps what the agent said.
fn dispatch_after(said: &Dispatch, to: &Move) -> Dispatch {
    let mut dispatch = said.clone();
    if *to == Move::End {
        dispatch.status = Status::Terminate;
        dispatch.reason = Some(text::workflow_ended());
    }
    dispatch
}

fn resolution(scene: Scene<'_>, state: &WorkflowState, rule: &str) -> StepResolution {
    let agent = scene.setup.agents.get(&state.agent);
    StepResolution {
        role_name: state.agent.clone(),
        prompt_location: agent.map(|agent| agent.location.clone()).unwrap_or_default(),
        matched_rule: rule.to_owned(),
        timestamp: scene.at.to_string(),
        ..StepResolution::default()
    }
}

fn entry(start: &Start, said: &Said, position: Vec<StepRef>, metrics: StateMetrics) -> HistoryEntry {
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
        ..HistoryEntry::default()
    }
}

/// Gives the first line with words that is no heading, else the first heading, without ornaments, capped.
fn summary(report: &str) -> String {
    let ornaments = |c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | '>' | '-' | '`');
    let lines = || report.lines().map(str::trim).filter(|line| !line.trim_matches(ornaments).is_empty());
    let line = lines().find(|line| !line.starts_with('#')).or_else(|| lines().next()).unwrap_or("");
    let line = line.trim_matches(ornaments);
    match line.char_indices().nth(SUMMARY_CHARS) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
    }
}

fn metrics(scene: Scene<'_>, run_id: u64, start: &Start, spent: &Spent) -> StateMetrics {
    let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    StateMetrics {
        run_id: uuid(scene, run_id, &start.step),
        model_name: if spent.model.is_empty() { scene.setup.settings.model.clone() } else { spent.model.clone() },
        agent_role: start.agent.clone(),
        input_tokens: spent.input,
        output_tokens: spent.output,
        cache_hit_rate: share(spent.cached, spent.input),
        cache_hit_tokens: spent.cached,
        reasoning_tokens: spent.reasoning,
        agent_runtime_ms: spent.took_ms as f64,
        nb_tool_calls: spent.calls,
        tool_call_error_rate: share(spent.failed_calls, spent.calls),
        ..StateMetrics::default()
    }
}

/// Derives the UUIDv8 of a step's run (decision 11).
fn uuid(scene: Scene<'_>, run_id: u64, step: &str) -> String {
    let seed = format!("{}\0{}\0{run_id}\0{step}", scene.setup.repo, scene.thread.issue.number);
    let hex = canonical::sha256_hex(seed.as_bytes());
    // Version 8 and the RFC 9562 variant take the place of one hex digit each.
    format!("{}-{}-8{}-8{}-{}", &hex[0..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

/// Gives how the run ends if nothing more is due after this step.
fn ending(to: &Move, start: &Start) -> Option<Ending> {
    let (outcome, reason, detail) = match to {
        Move::To { .. } | Move::Again => return None,
        Move::Stay => (RunOutcome::Held, Reason::AgentHold, text::agent_holds(&start.step)),
        Move::Stop => (RunOutcome::Terminated, Reason::AgentTerminate, text::agent_terminates(&start.step)),
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
        check("- **first** point\n- second", "first** point");
        check("---\n\n> quoted", "quoted");
        check("", "");
        check(&"x".repeat(200), &format!("{}…", "x".repeat(SUMMARY_CHARS)));
    }
}
