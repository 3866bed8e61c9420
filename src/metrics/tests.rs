//! What is read out of threads and recordings, and how it adds up.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use quickcheck::quickcheck;
use serde_json::json;

use super::*;
use crate::{
    agent::{ChatRequest, ContentPart, Message, Tool, ToolFunction},
    effect::Effect,
    event::{Event, Failure, FailureKind, Outcome},
    ids::Identity,
    process::{Process, Purpose, Ran},
    setup::{Model, Prices, Provider, ProviderKind, Setup},
    snapshot::ThreadSnapshot,
    stage::tests::forge::comment,
    state::{EngineNote, HistoryEntry, Initiator, Previous, StepFigures, WorkflowState, render_block},
    time::Timestamp,
    workspace::{ToolDone, ToolUse},
};

fn usd(text: &str) -> Usd {
    Usd::parse(text).expect("an amount")
}

fn entry(id: &str, step: &str, tokens: u64) -> HistoryEntry {
    let metrics = StateMetrics {
        run_id: id.into(),
        model_name: "maker/one".into(),
        input_tokens: tokens,
        cache_hit_tokens: tokens / 2,
        agent_runtime_ms: 100.0,
        nb_tool_calls: 3,
        tool_call_error_rate: 1.0 / 3.0,
        ..StateMetrics::default()
    };
    HistoryEntry { step: step.into(), agent: step.into(), metrics: Some(metrics), ..HistoryEntry::default() }
}

/// Makes a state behind another comment, by its number, whose thread has used so many tokens.
fn state(run_id: u64, behind: u64, history: Vec<HistoryEntry>, tokens: u64, cost: &str) -> WorkflowState {
    let spent = Spending { tokens, runtime_ms: tokens, cost_usd: usd(cost), turns: 0 };
    let engine = EngineNote {
        spent,
        figures: StepFigures { cost_usd: Some(usd("0.5")), turns: 2, ..StepFigures::default() },
        initiator: Some(Initiator { comment_id: 9, ..Initiator::default() }),
        previous: (behind > 0).then(|| Previous { comment_id: behind, ..Previous::default() }),
        ..EngineNote::new()
    };
    WorkflowState {
        run_id,
        step: "review".into(),
        agent: "review".into(),
        history,
        current_context: [("last_run_status".into(), json!("success"))].into(),
        engine: Some(engine),
        ..WorkflowState::default()
    }
}

fn body(state: &WorkflowState) -> String {
    format!("<!-- bot-workflow-terminal -->\n\n{}", render_block(state))
}

fn thread(states: &[(u64, &str, WorkflowState)]) -> ThreadSnapshot {
    let comments = states.iter().map(|(id, by, state)| comment(*id, by, &body(state))).collect();
    ThreadSnapshot { comments, complete: true, ..ThreadSnapshot::default() }
}

fn read(states: &[(u64, &str, WorkflowState)]) -> Metrics {
    let setup = Setup { repo: "acme/site".into(), ..Setup::default() };
    let actor = Some(Identity::new(9001, "engine-owner"));
    Metrics::of(&of_thread(&setup, &thread(states), actor))
}

#[test]
fn a_threads_entries_count_once_and_failed_attempts_by_what_the_account_grew() {
    let (dev, review) = (|| entry("a", "dev", 100), || entry("b", "review", 40));
    let ours = "engine-owner";
    let check = |says: &str, states: &[(u64, &str, WorkflowState)], steps: u64, failed: u64, tokens: u64| {
        let total = read(states).total;
        assert_eq!((total.steps, total.failed, total.tokens), (steps, failed, tokens), "{says}");
    };
    let first = || (10, ours, state(1, 0, [dev()].into(), 100, "1"));
    let second = || (12, ours, state(2, 10, [dev(), review()].into(), 140, "2"));
    check("no state at all", &[], 0, 0, 0);
    check("one step", &[first()], 1, 0, 100);
    check("two steps", &[first(), second()], 2, 0, 140);
    check("a notice repeats the history", &[first(), (11, ours, state(2, 10, [dev()].into(), 100, "1"))], 1, 0, 100);
    check("an attempt that failed", &[first(), (11, ours, state(2, 10, [dev()].into(), 170, "1"))], 1, 1, 170);
    check("the first comment is gone", &[second()], 2, 0, 140);
    check("history was left out", &[first(), (12, ours, state(2, 10, [review()].into(), 140, "2"))], 2, 0, 140);
    check("a rival counts for nothing", &[first(), (11, ours, state(1, 0, [dev()].into(), 900, "9"))], 1, 0, 100);
    check("an older state counts again", &[second(), (13, ours, state(3, 12, [dev()].into(), 100, "1"))], 2, 0, 140);
    check(
        "a stranger's state is a text",
        &[first(), (11, "stranger", state(2, 10, [review()].into(), 999, "9"))],
        1,
        0,
        100,
    );
}

#[test]
fn a_threads_figures_stand_beside_what_they_are_about() {
    let states = [
        (10, "engine-owner", state(1, 0, [entry("a", "dev", 100)].into(), 100, "0.5")),
        (11, "engine-owner", state(2, 10, [entry("a", "dev", 100)].into(), 130, "0.7")),
    ];
    let metrics = read(&states);
    let issue = &metrics.issues[0];
    assert_eq!((issue.issue.as_str(), issue.spent.map(|spent| spent.tokens)), ("acme/site#0", Some(130)));
    assert_eq!(issue.sums.cost_usd, Some(usd("0.7")));
    assert_eq!((issue.sums.turns, issue.sums.tool_calls, issue.sums.failed_tool_calls), (2, 3, 1));
    assert_eq!((issue.sums.cache_hit_rate, issue.sums.unpriced), (0.5, 0));
    assert_eq!(metrics.runs[0].run.as_deref(), Some("comment 9"));
    let steps: Vec<_> = metrics.steps.iter().map(|row| (row.step.as_deref(), row.sums.failed)).collect();
    assert_eq!(steps, [(Some("dev"), 0), (Some("review"), 1)], "the attempt failed where the state stands");
}

#[test]
fn a_state_of_the_original_has_metrics_and_no_figures() {
    let mut old = state(1, 0, [entry("a", "dev", 100), entry("", "review", 7)].into(), 0, "0");
    old.engine = None;
    let metrics = read(&[(10, "engine-owner", old)]);
    assert_eq!((metrics.total.steps, metrics.total.tokens, metrics.total.unpriced), (2, 107, 2));
    assert_eq!((metrics.total.cost_usd, metrics.issues[0].spent), (None, None));
    assert_eq!(metrics.runs[0].run.as_deref(), Some("unknown"));
}

fn request(model: &str, texts: &[&str]) -> Effect {
    let content = texts.iter().map(|text| ContentPart::text(*text)).collect();
    let messages = Vec::from([Message::User { content }]);
    let request = ChatRequest { model: model.into(), messages, ..ChatRequest::default() };
    Effect::Complete { request: request.into(), how: Default::default() }
}

fn answered(outcome: Outcome) -> Event {
    Event::Answered { outcome, at: Timestamp::default() }
}

fn completed(prompt_tokens: u64) -> Event {
    let usage = json!({"prompt_tokens": prompt_tokens, "completion_tokens": 1});
    answered(Outcome::Completed { body: json!({"choices": [], "usage": usage}).to_string(), took_ms: 5 })
}

fn failure(took_ms: u64) -> Failure {
    let nothing = String::new;
    Failure { kind: FailureKind::Lost, attempted: nothing(), why: nothing(), next: nothing(), took_ms }
}

fn posts(state: &WorkflowState) -> Effect {
    Effect::PostComment { part: String::new(), body: body(state) }
}

#[test]
fn a_tape_counts_requests_and_tells_failed_attempts_apart() {
    let mut setup = Setup { repo: "acme/site".into(), number: 12, ..Setup::default() };
    let prices = Prices { input: usd("1"), cached: None, output: usd("1") };
    let model = Model { name: "one".into(), prices: Some(prices), ..Model::default() };
    setup.settings.models.insert("priced".into(), model);
    let mut tape = Tape::default();
    tape.begin(&setup, "a.jsonl");
    // A notice before anything was asked is no step.
    tape.effects(&[posts(&state(1, 0, [entry("x", "dev", 50)].into(), 0, "0")), request("one", &["aaaa", "b"])]);
    tape.event(&answered(Outcome::Failed { failure: failure(0) }));
    tape.event(&completed(10));
    tape.effects(&[posts(&state(2, 1, [entry("y", "dev", 10)].into(), 11, "0"))]);
    // The next run goes on where a provider's cache may: with the same model of the same issue.
    tape.begin(&setup, "b.jsonl");
    tape.effects(&[request("one", &["aaaa", "c"]), request("two", &["aaaa"])]);
    tape.event(&completed(20));
    let readings = tape.end();
    let seen: Vec<_> =
        readings.attempts.iter().map(|one| (one.run.as_str(), one.done, one.tokens, one.cost_usd)).collect();
    let wanted = [("a.jsonl", true, 10, Some(usd("0.5"))), ("b.jsonl", false, 21, Some(Usd::from_micro(21)))];
    assert_eq!(seen, wanted);
    let metrics = Metrics::of(&readings);
    let prompt = metrics.total.prompt.expect("the requests are there");
    assert_eq!((prompt.requests, prompt.bytes, prompt.repeated_bytes), (3, 14, 4));
    assert_eq!(metrics.runs.len(), 2);
    assert_eq!(metrics.issues[0].spent.map(|spent| spent.tokens), Some(11));
}

#[test]
fn a_model_has_the_prices_of_who_sells_it() {
    let mut setup = Setup::default();
    let sellers = [("cheap", ProviderKind::Vllm, "1"), ("dear", ProviderKind::Openrouter, "1000")];
    for (name, kind, price) in sellers {
        let prices = Prices { input: usd(price), cached: None, output: usd(price) };
        let model = Model { provider: name.into(), name: "acme/x".into(), prices: Some(prices), ..Model::default() };
        setup.settings.models.insert(name.into(), model);
        setup.settings.providers.insert(name.into(), Provider { kind, ..Provider::default() });
    }
    let check = |seller: Option<&str>, cost: Option<Usd>| {
        let mut tape = Tape::default();
        tape.begin(&setup, "a");
        let Effect::Complete { request, mut how } = request("acme/x", &["a"]) else { unreachable!("it is a request") };
        how.provider = seller.and_then(|name| setup.settings.providers.get(name).cloned());
        tape.effects(&[Effect::Complete { request, how }]);
        tape.event(&completed(9));
        assert_eq!(tape.end().attempts[0].cost_usd, cost, "{seller:?}");
    };
    check(Some("cheap"), Some(Usd::from_micro(10)));
    check(Some("dear"), Some(usd("0.01")));
    check(None, None);
}

#[test]
fn an_attempt_that_comes_to_no_report_has_its_time_and_its_calls() {
    let setup = Setup::default();
    let process = |purpose: Purpose| {
        let process = Process { argv: Vec::from(["scripts/coder".into()]), purpose, ..Process::default() };
        Effect::RunProcess { process: process.into() }
    };
    let ran = |took_ms: u64| answered(Outcome::ProcessRan { ran: Ran { took_ms, ..Ran::default() }.into() });
    let used = |took_ms: u64| answered(Outcome::ToolUsed { done: ToolDone { took_ms, ..ToolDone::default() }.into() });
    let check = |moments: Vec<(Effect, Event)>, wanted: (&str, f64, f64, u64)| {
        let mut tape = Tape::default();
        tape.begin(&setup, "a");
        for (effect, event) in moments {
            tape.effects(&[effect]);
            tape.event(&event);
        }
        let metrics = tape.end().attempts.remove(0).metrics;
        let found = (metrics.agent_runtime_ms, metrics.tool_call_latency_ms, metrics.nb_tool_calls);
        assert_eq!((metrics.model_name.as_str(), found), (wanted.0, (wanted.1, wanted.2, wanted.3)));
    };
    let coder = || process(Purpose::Agent { role: "dev".into() });
    check([(coder(), ran(1_000))].into(), ("scripts/coder", 1_000.0, 0.0, 0));
    let calls =
        json!([{"id": "a", "function": {"name": "list_files"}}, {"id": "b", "function": {"name": "run_command"}}]);
    let body = json!({"model": "one-2026", "choices": [{"message": {"content": null, "tool_calls": calls}}]});
    let said = answered(Outcome::Completed { body: body.to_string(), took_ms: 5 });
    let list = Effect::UseTool { used: ToolUse::default().into() };
    let worked = [(request("one", &["a"]), said), (list, used(7)), (process(Purpose::Tool), ran(30))];
    check(worked.into(), ("one-2026", 42.0, 37.0, 2));
    // A hook is no part of what an agent takes, and a request that comes to nothing is.
    let lost = answered(Outcome::Failed { failure: failure(90) });
    check([(request("one", &["a"]), lost), (process(Purpose::PostHook), ran(8))].into(), ("", 90.0, 0.0, 0));
}

#[test]
fn another_tool_list_is_another_head() {
    let setup = Setup::default();
    let mut tape = Tape::default();
    tape.begin(&setup, "a");
    let Effect::Complete { mut request, how } = request("one", &["a"]) else { unreachable!("it is a request") };
    tape.effects(&[Effect::Complete { request: request.clone(), how: how.clone() }]);
    let function = ToolFunction { name: "fly".into(), description: String::new(), parameters: json!({}) };
    request.tools = Vec::from([Tool { kind: "function".into(), function }]);
    tape.effects(&[Effect::Complete { request, how }]);
    let prompt = Metrics::of(&tape.end()).total.prompt.expect("there are requests");
    assert_eq!((prompt.heads, prompt.repeated_bytes), (2, 0));
}

quickcheck! {
    fn every_way_of_summing_comes_to_the_same(tokens: Vec<(u8, u32)>) -> bool {
        let attempts = tokens.iter().map(|(at, tokens)| Attempt {
            issue: format!("acme/site#{}", at % 3),
            run: format!("{}", at % 4),
            step: format!("{}", at % 5),
            agent: format!("{}", at % 2),
            done: at % 7 != 0,
            tokens: u64::from(*tokens),
            ..Attempt::default()
        });
        let metrics = Metrics::of(&Readings { attempts: attempts.collect(), ..Readings::default() });
        let sum = |rows: &[Row]| rows.iter().fold((0, 0), |(tokens, count), row| {
            (tokens + row.sums.tokens, count + row.sums.steps + row.sums.failed)
        });
        let total = (metrics.total.tokens, metrics.total.steps + metrics.total.failed);
        [&metrics.steps, &metrics.agents, &metrics.runs, &metrics.issues].iter().all(|rows| sum(rows) == total)
    }
}
