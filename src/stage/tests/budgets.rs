//! Budgets that stand against a call, and what is written down of what models used.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Value, json};

use super::{
    forge::{Forge, Played, comment, setup},
    woken_by,
};
use crate::{
    event::Trigger,
    report::{Reason, RunOutcome},
    setup::{Limits, Model, Prices, Setup, Usd},
    state::{Spending, StepFigures},
};

fn usd(text: &str) -> Usd {
    Usd::parse(text).expect("an amount")
}

/// Sets up the two roles with a model of a known price, a dollar for a million tokens of any kind.
fn priced(limits: Limits) -> Setup {
    let mut setup = setup();
    let prices = Prices { input: usd("1"), cached: None, output: usd("1") };
    let model =
        Model { name: "maker/one".into(), context_tokens: Some(128_000), prices: Some(prices), ..Model::default() };
    setup.settings.models.insert("default".into(), model);
    setup.settings.limits = limits;
    setup
}

fn said(words: &str, tokens: u64, more: Value) -> Value {
    let mut answer = json!({"say": words, "usage": {"prompt_tokens": tokens, "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 400}, "completion_tokens_details": {"reasoning_tokens": 30}}});
    if let (Some(answer), Value::Object(more)) = (answer.as_object_mut(), more) {
        answer.extend(more);
    }
    answer
}

fn two_steps() -> Forge {
    let advance = json!({"dispatch": {"status": "advance"}});
    let hold = json!({"dispatch": {"status": "hold"}});
    Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")]))
        .answering(&[said("Fixed.", 50_000, advance), said("Looked.", 50_000, hold)])
}

fn spent(played: &Played) -> Spending {
    let state = played.report.state.as_ref().expect("there is a state");
    state.engine.as_ref().map(|engine| engine.spent).unwrap_or_default()
}

#[test]
fn a_call_that_would_pass_a_budget_is_not_made() {
    let check = |limits: Limits, calls: usize, setting: &str, figures: &str| {
        let mut forge = two_steps();
        forge.took_ms = 60_000;
        let played = forge.play(priced(limits), woken_by(10));
        assert_eq!(forge.prompts.len(), calls, "{setting}");
        let notice = &forge.thread.comments.last().expect("there is a comment").body;
        if setting.is_empty() {
            assert_eq!(played.report.reason, Reason::AgentHold);
            return;
        }
        assert_eq!((played.report.outcome, played.report.reason), (RunOutcome::Held, Reason::BudgetReached));
        for part in [format!("`{setting}`").as_str(), figures, ".nebuko/config.yaml", "/nebuko retry"] {
            assert!(notice.contains(part), "{setting}: {notice} has no {part}");
        }
        let state = played.report.state.as_ref().expect("the notice carries a state");
        assert_eq!(state.history.len(), calls, "{setting}: no step more");
        assert_eq!(spent(&played).tokens, 50_100 * calls as u64, "{setting}");
    };
    let none = Limits::default();
    check(none.clone(), 2, "", "");
    check(
        Limits { step_tokens: Some(1_000_000), run_minutes: Some(9), issue_cost_usd: Some(usd("9")), ..none.clone() },
        2,
        "",
        "",
    );
    check(Limits { step_tokens: Some(10), ..none.clone() }, 0, "limits.step_tokens", "this step used 0 tokens");
    check(Limits { run_tokens: Some(50_100), ..none.clone() }, 1, "limits.run_tokens", "this run used 50,100 tokens");
    check(
        Limits { issue_tokens: Some(50_200), ..none.clone() },
        1,
        "limits.issue_tokens",
        "the limit is 50,200 tokens",
    );
    check(Limits { step_minutes: Some(1), ..none.clone() }, 2, "", ""); // each step has a minute of its own
    check(
        Limits { run_minutes: Some(1), ..none.clone() },
        1,
        "limits.run_minutes",
        "used 1 min, and the limit is 1 min",
    );
    check(Limits { issue_minutes: Some(0), ..none.clone() }, 0, "limits.issue_minutes", "this thread used 0 s");
    check(Limits { run_cost_usd: Some(usd("0.0501")), ..none.clone() }, 1, "limits.run_cost_usd", "used $0.0501");
    check(Limits { step_cost_usd: Some(usd("0")), ..none }, 0, "limits.step_cost_usd", "the limit is $0.00");
}

#[test]
fn money_cannot_be_bounded_where_nobody_knows_the_price() {
    let mut forge = two_steps();
    let mut unpriced = priced(Limits { issue_cost_usd: Some(usd("100")), ..Limits::default() });
    unpriced.settings.models.clear();
    let played = forge.play(unpriced, woken_by(10));
    assert_eq!((played.report.outcome, played.report.reason), (RunOutcome::Held, Reason::BudgetReached));
    assert_eq!(forge.prompts.len(), 0);
    let notice = &forge.thread.comments.last().expect("there is a notice").body;
    for part in ["`limits.issue_cost_usd`", "the model `default` costs", "`models`"] {
        assert!(notice.contains(part), "{notice} has no {part}");
    }
}

#[test]
fn what_a_failed_attempt_used_is_paid_for_by_the_thread() {
    let error =
        json!({"error": {"message": "no", "code": 400}, "usage": {"prompt_tokens": 500, "completion_tokens": 1}});
    let mut forge = two_steps();
    forge.answers.push_front(error.to_string());
    let failed = forge.play(priced(Limits::default()), woken_by(10));
    assert_eq!(failed.report.reason, Reason::ModelFailed);
    assert_eq!(spent(&failed), Spending { tokens: 501, runtime_ms: 10, cost_usd: Usd::from_micro(501), turns: 1 });
    // The thread keeps count over runs; a run begins with nothing used.
    forge.thread.merge(Vec::from([comment(2_000, "dana", "/nebuko retry")]));
    let limits = Limits { run_tokens: Some(51_000), issue_tokens: Some(80_000), ..Limits::default() };
    let played = forge.play(priced(limits), woken_by(2_000));
    assert_eq!(played.report.reason, Reason::BudgetReached, "{}", played.report.detail);
    assert_eq!(spent(&played).tokens, 501 + 50_100);
    assert!(played.report.detail.contains("limits.run_tokens"), "{}", played.report.detail);
    // The answer of this one is lost, and what it used with it; what was counted stays.
    forge.thread.merge(Vec::from([comment(3_000, "dana", "/nebuko retry")]));
    forge.answers.clear();
    let ended = forge.play(priced(Limits::default()), woken_by(3_000));
    assert_eq!(ended.report.reason, Reason::LocalFailed);
    assert_eq!(spent(&ended).tokens, 501 + 50_100);
}

#[test]
fn what_the_model_said_before_a_budget_is_kept() {
    let wrong = json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": "I look first.",
        "tool_calls": [{"id": "a", "function": {"name": "fly", "arguments": "{}"}}]}}],
        "usage": {"prompt_tokens": 40_000, "completion_tokens": 10}});
    let check = |limit: u64, kept: bool| {
        let mut forge = two_steps();
        forge.answers.push_front(wrong.to_string());
        let played = forge.play(priced(Limits { step_tokens: Some(limit), ..Limits::default() }), woken_by(10));
        let report = played.report;
        assert_eq!(report.reason, Reason::BudgetReached, "{limit}");
        let said: Vec<String> = kept.then(|| "I look first.".to_string()).into_iter().collect();
        assert_eq!(report.unposted, said, "{limit}");
        assert_eq!(report.posted.last().is_some_and(|one| one.body.contains("own report keeps it")), kept);
    };
    check(60_000, true);
    check(10, false); // not even the first call fits
}

#[test]
fn every_figure_of_a_step_is_written_down() {
    let mut forge = two_steps();
    let played = forge.play(priced(Limits::default()), woken_by(10));
    let state = played.report.state.expect("there is a state");
    let metrics = state.history[0].metrics.clone().expect("an agent's step has metrics");
    assert_eq!((metrics.model_name.as_str(), metrics.agent_role.as_str()), ("maker/one", "dev"));
    assert_eq!((metrics.input_tokens, metrics.output_tokens, metrics.reasoning_tokens), (50_000, 100, 30));
    assert_eq!((metrics.cache_hit_tokens, metrics.cache_hit_rate), (400, 0.008));
    assert_eq!((metrics.max_context_window, metrics.agent_runtime_ms), (128_000, 10.0));
    assert_eq!((metrics.nb_tool_calls, metrics.tool_call_error_rate, metrics.tool_call_latency_ms), (1, 0.0, 0.0));
    let engine = state.engine.expect("the state is this engine's");
    let figures = StepFigures { cost_usd: Some(usd("0.0501")), turns: 1, ..StepFigures::default() };
    assert_eq!(engine.figures, figures);
    assert_eq!(engine.spent, Spending { tokens: 100_200, runtime_ms: 20, cost_usd: usd("0.1002"), turns: 2 });
}

#[test]
fn nothing_is_counted_where_nothing_was_used() {
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "/nebuko status")]));
    let played = forge.play(priced(Limits::default()), woken_by(10));
    assert!(spent(&played).is_nothing());
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")]))
        .answering(&[json!({"say": "Fixed.", "dispatch": {"status": "hold"}, "usage": null})]);
    let played = forge.play(setup(), Trigger::Manual);
    let state = played.report.state.as_ref().expect("there is a state");
    let metrics = state.history[0].metrics.clone().expect("there are metrics");
    assert_eq!((metrics.input_tokens, metrics.cache_hit_rate), (0, 0.0), "the service said nothing");
    assert!(spent(&played).tokens > 1_000, "a budget counts by bytes then");
    assert_eq!(state.engine.as_ref().and_then(|engine| engine.figures.cost_usd), None, "there is no price");
}
