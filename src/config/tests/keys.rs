//! Every key of the settings, and what it sets.

use alloc::{format, string::String, vec::Vec};

use super::{super::*, applied};
use crate::{
    dispatch::{Complexity, Reasoning},
    ids::Identity,
    setup::{
        Agent, Field, Limits, Model, Output, Prices, PromptOrder, Provider, ProviderKind, Runtime, Settings, Tiers,
        TrustPolicy, Usd, Wishes,
    },
    workflow::SkillUse,
};

/// A file with every key.
pub(in crate::config) const EVERY_KEY: &str = "\
workflow: triage
model: fast
models:
  fast:
    provider: openrouter
    name: acme/fast-1
    context_tokens: 200000
    fixed_sampling: true
    prices: {input: 3, cached: 0.3, output: '15.00'}
  own: {provider: lab}
providers:
  lab: {kind: vllm, base_url: 'http://10.0.0.5:8000/v1/', key: LAB_API_KEY}
defaults:
  reasoning: low
  temperature: 0.3
  top_p: 0.9
  top_k: 40
  min_p: 0.05
  presence_penalty: -0.5
  repetition_penalty: 1.1
  max_output_tokens: 8000
tiers: {low: 0.1, medium: 0.3, high: 0.5}
agents:
  dev:
    prompt: prompts/dev.md
    model: own
    reasoning: high
    sampling: {temperature: 0.2}
    complexity_overrides:
      high: {model: fast, reasoning: xhigh, sampling: {top_p: 0.5}}
      low: {reasoning: none}
    skills: [style, {discover: [naming]}]
    tools: [read_file, run_command]
    commands: [[cargo, test], [git, diff]]
    runtime: model
    phase: build
    output: {fields: [summary, {name: data, kind: json, required: false, description: All of it.}]}
  codex:
    runtime: {command: [codex, exec], timeout_minutes: 45}
limits:
  rounds: 1
  same_step: 2
  record_chars: 3
  input_chars: 4
  gate_rework: 5
  refine_rounds: 6
  step_turns: 7
  tool_bytes: 8
  tool_seconds: 9
  step_tokens: 10
  run_tokens: 11
  issue_tokens: 12
  step_minutes: 13
  run_minutes: 14
  issue_minutes: 15
  step_cost_usd: 0.5
  run_cost_usd: 1.25
  issue_cost_usd: 10
  run_turns: 16
  issue_turns: 17
history: 5
trusted_actors: [123, '@old', 'nebuko[bot]']
engine_login: nebuko[bot]
trust: maintainers
prompt: {order: role-first}
llm: {stream: true, timeout_seconds: 90}
";

#[test]
fn every_key_is_obeyed() {
    let setup = applied(EVERY_KEY);
    let usd = |cents: u64| Usd::from_micro(cents * 10_000);
    let fast = Model {
        provider: "openrouter".into(),
        name: "acme/fast-1".into(),
        fixed_sampling: true,
        context_tokens: Some(200_000),
        prices: Some(Prices { input: usd(300), cached: Some(usd(30)), output: usd(1500) }),
    };
    let own = Model { provider: "lab".into(), name: "own".into(), ..Model::default() };
    let lab = Provider {
        kind: ProviderKind::Vllm,
        base_url: "http://10.0.0.5:8000/v1".into(),
        key: Some("LAB_API_KEY".into()),
    };
    let mut providers = built_in();
    providers.insert("lab".into(), lab);
    let limits = Limits {
        rounds: 1,
        same_step: 2,
        record_chars: 3,
        input_chars: 4,
        gate_rework: 5,
        refine_rounds: 6,
        step_turns: 7,
        tool_bytes: 8,
        tool_seconds: 9,
        run_turns: Some(16),
        issue_turns: Some(17),
        step_tokens: Some(10),
        run_tokens: Some(11),
        issue_tokens: Some(12),
        step_minutes: Some(13),
        run_minutes: Some(14),
        issue_minutes: Some(15),
        step_cost_usd: Some(usd(50)),
        run_cost_usd: Some(usd(125)),
        issue_cost_usd: Some(usd(1000)),
    };
    let defaults = Wishes {
        model: None,
        reasoning: Some(Reasoning::Low),
        temperature: Some(0.3),
        top_p: Some(0.9),
        top_k: Some(40),
        min_p: Some(0.05),
        presence_penalty: Some(-0.5),
        repetition_penalty: Some(1.1),
        max_output_tokens: Some(8000),
    };
    let expected = Settings {
        workflow: "triage".into(),
        model: "fast".into(),
        models: [("fast".into(), fast), ("own".into(), own)].into(),
        providers,
        defaults,
        tiers: Tiers { low: 0.1, medium: 0.3, high: 0.5 },
        stream: true,
        model_seconds: 90,
        prompt_order: PromptOrder::RoleFirst,
        trust: TrustPolicy::Maintainers,
        history_comment_count: Some(5),
        trusted_actors: Vec::from([Identity::new(123, ""), Identity::new(0, "old"), Identity::new(0, "nebuko[bot]")]),
        engine_login: Some("nebuko[bot]".into()),
        limits,
        ..Settings::default()
    };
    assert_eq!(setup.settings, expected);
}

#[test]
fn every_key_of_an_agent_is_obeyed() {
    let setup = applied(EVERY_KEY);
    let wishes =
        |model: Option<&str>, reasoning| Wishes { model: model.map(String::from), reasoning, ..Wishes::default() };
    let summary = Field { name: "summary".into(), required: true, ..Field::default() };
    let data = Field {
        name: "data".into(),
        description: "All of it.".into(),
        kind: crate::setup::FieldKind::Json,
        required: false,
    };
    let words = |words: &[&str]| words.iter().map(|word| String::from(*word)).collect::<Vec<_>>();
    let dev = Agent {
        skills: Vec::from([SkillUse::Inject(words(&["style"])), SkillUse::Discover(words(&["naming"]))]),
        tools: words(&["read_file", "run_command"]),
        commands: Vec::from([words(&["cargo", "test"]), words(&["git", "diff"])]),
        phase: Some("build".into()),
        output: Some(Output { fields: Vec::from([summary, data]) }),
        wishes: Wishes { temperature: Some(0.2), ..wishes(Some("own"), Some(Reasoning::Xhigh)) },
        overrides: [
            (Complexity::Low, wishes(None, Some(Reasoning::None))),
            (Complexity::High, Wishes { top_p: Some(0.5), ..wishes(Some("fast"), Some(Reasoning::Xhigh)) }),
        ]
        .into(),
        ..Agent::default()
    };
    assert_eq!(setup.agents["dev"], dev);
    let argv = words(&["codex", "exec"]);
    assert_eq!(setup.agents["codex"].runtime, Runtime::Command { argv, timeout_minutes: 45 });
    let config = read(".nebuko/config.yaml", EVERY_KEY).config;
    let prompts: Vec<_> = config.prompts().map(|prompt| (prompt.role, prompt.path, prompt.place.line)).collect();
    assert_eq!(prompts, [("dev", Some("prompts/dev.md"), 25), ("codex", None, 38)]);
}

/// A key that is added to the table must be added to the file above.
#[test]
fn the_file_with_every_key_has_every_key() {
    use crate::grammar::Kind;
    fn has(kind: &Kind, seen: &mut usize) {
        match kind {
            Kind::Map(scope) => {
                for key in scope.keys {
                    // The tiers of overrides are written in part; what stands under one may stand under each.
                    let written = EVERY_KEY.contains(&format!("{}:", key.name)) || key.name == "inject";
                    assert!(written, "{} {}", scope.of, key.name);
                    *seen += 1;
                    has(&key.kind, seen);
                }
            }
            Kind::List(item, _) | Kind::Named(_, item) => has(item, seen),
            Kind::Either(kinds) => kinds.iter().for_each(|kind| has(kind, seen)),
            _ => {}
        }
    }
    let mut seen = 0;
    has(&Kind::Map(&CONFIG), &mut seen);
    assert!(seen > 90, "only {seen} keys were met");
}
