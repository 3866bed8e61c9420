//! What a step is written down to have used: the contract's metrics, and the figures they have no place for.

use alloc::{format, string::String};

use crate::{
    agent::{Said, Spent, figures},
    canonical,
    stage::{Known, Scene, Start, spending},
    state::{HistoryEntry, StateMetrics, StepFigures},
};

/// Gives the metrics of a step that ran (reference: the annotated example's `metrics`), as far as they do not depend on
/// where it led: a model that nobody asked has no name and no window, and a share of nothing is 0.
pub(crate) fn metrics(scene: Scene<'_>, known: &Known, run_id: u64, start: &Start, spent: &Spent) -> StateMetrics {
    let share = |part: u64, whole: u64| if whole == 0 { 0.0 } else { part.min(whole) as f64 / whole as f64 };
    let settings = spending::effective(scene, known, start);
    let asked = if spent.turns > 0 { settings.model_name() } else { "" };
    let window = settings.model.filter(|_| spent.turns > 0).and_then(|model| model.context_tokens);
    StateMetrics {
        run_id: uuid(scene, run_id, &start.step),
        model_name: if spent.model.is_empty() { asked.into() } else { spent.model.clone() },
        agent_role: start.agent.clone(),
        input_tokens: spent.input,
        output_tokens: spent.output,
        max_context_window: window.unwrap_or(0),
        cache_hit_rate: share(spent.cached, spent.input),
        cache_hit_tokens: spent.cached,
        reasoning_tokens: spent.reasoning,
        tool_call_latency_ms: spent.tools_ms as f64,
        agent_runtime_ms: spent.took_ms as f64,
        nb_tool_calls: spent.calls,
        tool_call_error_rate: share(spent.failed_calls, spent.calls),
        ..StateMetrics::default()
    }
}

/// Gives the figures of a step that ran; its cost is known where a model was asked whose prices are.
pub(crate) fn step_figures(scene: Scene<'_>, known: &Known, start: &Start, said: &Said, spent: &Spent) -> StepFigures {
    let prices = spending::prices(scene, known, start).filter(|_| spent.turns > 0);
    StepFigures { cost_usd: spent.cost(prices), ..figures(&said.report, spent) }
}

/// Counts how often a review in a history sent the work back: its result was not `approved`, and the step it led to is
/// another one that had run before.
pub(crate) fn fix_requests(history: &[HistoryEntry]) -> u64 {
    let sends_back = |at: usize| {
        let entry = &history[at];
        let is_review = entry.agent.split(['-', '_']).any(|word| word == REVIEW);
        let back_to = entry.position.last().filter(|leaf| leaf.step != entry.step);
        let ran_before = |step: &str| history[..at].iter().any(|before| before.step == step);
        is_review && entry.result.as_deref() != Some(APPROVED) && back_to.is_some_and(|leaf| ran_before(&leaf.step))
    };
    (0..history.len()).filter(|at| sends_back(*at)).count() as u64
}

/// Derives the UUIDv8 of a step's run (decision 11).
fn uuid(scene: Scene<'_>, run_id: u64, step: &str) -> String {
    let seed = format!("{}\0{}\0{run_id}\0{step}", scene.setup.repo, scene.thread.issue.number);
    let hex = canonical::sha256_hex(seed.as_bytes());
    // Version 8 and the RFC 9562 variant take the place of one hex digit each.
    format!("{}-{}-8{}-8{}-{}", &hex[0..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

/// The role that reviews, alone or as a word of a longer one (`code-review`).
const REVIEW: &str = "review";
/// The one result of a review that asks for nothing.
const APPROVED: &str = "approved";

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::state::StepRef;

    #[test]
    fn a_review_that_sends_the_work_back_asks_for_a_fix() {
        let check = |entries: &[(&str, &str, &str, &str)], wanted: u64| {
            let history: Vec<HistoryEntry> = entries
                .iter()
                .map(|(step, agent, result, led_to)| HistoryEntry {
                    step: (*step).into(),
                    agent: (*agent).into(),
                    result: Some((*result).into()),
                    position: [StepRef { step: (*led_to).into(), ..StepRef::default() }].into(),
                    ..HistoryEntry::default()
                })
                .collect();
            assert_eq!(fix_requests(&history), wanted, "{entries:?}");
        };
        let dev = ("dev", "dev", "advance", "review");
        check(&[], 0);
        check(&[dev], 0);
        check(&[dev, ("review", "review", "rejected", "dev")], 1);
        check(&[dev, ("review", "review", "unclear", "dev"), dev, ("review", "code-review", "rejected", "dev")], 2);
        check(&[dev, ("review", "review", "approved", "dev")], 0); // approved: the workflow began anew
        check(&[dev, ("review", "review", "advance", "release")], 0); // on, and not back
        check(&[dev, ("review", "review", "hold", "review")], 0); // it waits where it stands
        check(&[dev, ("check", "reviewer", "rejected", "dev")], 0); // another role
        check(&[("review", "review", "rejected", "dev")], 0); // nothing had run before
    }
}
