//! The settings: their schema and their parser agree.

use nebuko::config::{self, schema::schema};

use super::Checker;

fn verdicts(checker: &Checker, source: &str) -> (bool, bool) {
    (config::read("config.yaml", source).problems.is_empty(), checker.accepts(source))
}

#[test]
fn the_schema_and_the_parser_of_the_settings_agree() {
    let checker = Checker::of(schema());
    for (source, good) in [
        ("{}", true),
        ("# nothing yet\n", true),
        ("[]", false),
        ("text", false),
        ("workflow: triage", true),
        ("workflow: ''", false),
        ("workflow: [a]", false),
        ("model: acme/fast-1", true),
        ("model: null", false),
        ("models: {fast: {provider: vllm, name: x, context_tokens: 8000, fixed_sampling: true}}", true),
        ("models: {fast: {}}", true),
        ("models: {fast: x}", false),
        ("models: [fast]", false),
        ("models: {fast: {context_tokens: 0}}", false),
        ("models: {fast: {prices: {input: 3, cached: 0.3, output: '15.00'}}}", true),
        ("models: {fast: {prices: {input: 3}}}", false),
        ("models: {fast: {prices: {input: -3, output: 1}}}", false),
        ("models: {fast: {prices: {input: '$3', output: 1}}}", false),
        ("models: {fast: {prices: {input: true, output: 1}}}", false),
        ("providers: {lab: {kind: openai, base_url: 'https://lab.example/v1', key: LAB_API_KEY}}", true),
        ("providers: {lab: {kind: other, base_url: 'https://lab.example/v1'}}", false),
        ("providers: {lab: {base_url: 'ftp://lab.example'}}", false),
        ("providers: {lab: {base_url: 'https://me:x@lab.example'}}", false),
        ("providers: {lab: {base_url: 'https://lab.example?key=x'}}", false),
        ("providers: {lab: {base_url: 'https://'}}", false),
        ("providers: {vllm: {key: sk-0123}}", false),
        ("providers: {vllm: {key: KEY}}", false),
        ("providers: {vllm: {key: A_KEY}}", true),
        ("providers: {vllm: {key: MY_SECRET_1}}", true),
        ("providers: {vllm: {key: GITHUB_TOKEN}}", false),
        ("providers: {vllm: {api_key: A_KEY}}", false),
        ("providers: {'a b': {base_url: 'https://lab.example'}}", false),
        ("defaults: {temperature: 0.3, top_k: 40, reasoning: low, max_output_tokens: 1}", true),
        ("defaults: {model: x}", false),
        ("defaults: {temperature: 3}", false),
        ("tiers: {low: 0, medium: 0.2, high: 2}", true),
        ("tiers: {huge: 1}", false),
        ("tiers: {low: warm}", false),
        ("agents: {dev: {}}", true),
        ("agents: {'a b': {}}", false),
        ("agents: {dev: {prompt: prompts/dev.md, phase: build, model: x, reasoning: none}}", true),
        ("agents: {dev: {prompt: ../dev.md}}", false),
        ("agents: {dev: {tools: [read_file]}}", true),
        ("agents: {dev: {tools: [read]}}", false),
        ("agents: {dev: {tools: read_file}}", false),
        ("agents: {dev: {tools: [run_command], commands: [[cargo, test]]}}", true),
        ("agents: {dev: {tools: [run_command], commands: [[]]}}", false),
        ("agents: {dev: {tools: [run_command], commands: [cargo]}}", false),
        ("agents: {dev: {runtime: model}}", true),
        ("agents: {dev: {runtime: {command: [codex, exec], timeout_minutes: 5}}}", true),
        ("agents: {dev: {runtime: {command: [/bin/sh]}}}", false),
        ("agents: {dev: {runtime: command}}", false),
        ("agents: {dev: {runtime: {}}}", false),
        ("agents: {dev: {skills: [a, {discover: [b]}]}}", true),
        ("agents: {dev: {skills: a}}", false),
        ("agents: {dev: {output: {fields: [a, {name: b, kind: json}]}}}", true),
        ("agents: {dev: {output: {fields: []}}}", false),
        ("agents: {dev: {complexity_overrides: {high: {model: x, reasoning: xhigh, sampling: {top_p: 1}}}}}", true),
        ("agents: {dev: {complexity_overrides: {huge: {}}}}", false),
        ("agents: {dev: {complexity_overrides: {low: {tools: []}}}}", false),
        ("limits: {rounds: 3, step_tokens: 100000, run_cost_usd: 1.5}", true),
        ("limits: {rounds: 0}", false),
        ("limits: {rounds: 3.5}", false),
        ("limits: {rounds: '3'}", false),
        ("limits: {rouns: 3}", false),
        ("limits: {tool_bytes: 99999999}", false),
        ("history: 0", true),
        ("history: -1", false),
        ("trusted_actors: [1, '@dana', 'nebuko[bot]', a-b]", true),
        ("trusted_actors: ['@']", false),
        ("trusted_actors: ['0']", false),
        ("trusted_actors: ['a b']", false),
        ("trusted_actors: dana", false),
        ("engine_login: nebuko[bot]", true),
        ("engine_login: '@nebuko'", false),
        ("trust: maintainers", true),
        ("trust: everybody", false),
        ("prompt: {order: role-first}", true),
        ("prompt: {order: other}", false),
        ("llm: {stream: true, timeout_seconds: 60}", true),
        ("llm: {stream: yes}", false),
        ("llm: {timeout_seconds: 0}", false),
        ("zebra: 1", false),
    ] {
        assert_eq!(verdicts(&checker, source), (good, good), "the parser, the schema: {source}");
    }
}

/// What a schema cannot say. The parser alone sees these, and they are all.
#[test]
fn what_fits_together_is_for_the_parser_alone() {
    let checker = Checker::of(schema());
    for (kind, source) in [
        ("a provider is not there", "models: {fast: {provider: lab}}"),
        ("a provider of the file has no address", "providers: {lab: {kind: openai}}"),
        ("a key goes to another service", "providers: {vllm: {key: OPENROUTER_API_KEY}}"),
        ("run_command has no commands", "agents: {dev: {tools: [run_command]}}"),
        ("commands have no run_command", "agents: {dev: {commands: [[make]]}}"),
        ("a tool stands twice", "agents: {dev: {tools: [read_file, read_file]}}"),
        ("a program has tools", "agents: {dev: {tools: [read_file], runtime: {command: [x]}}}"),
        ("a field's name is not unique", "agents: {dev: {output: {fields: [a, a]}}}"),
        ("how a number is written", "defaults: {temperature: 1e0}"),
        ("how a number is written", "limits: {run_cost_usd: 0.0000001}"),
        ("how a number is written", "trusted_actors: [1.5]"),
    ] {
        assert_eq!(verdicts(&checker, source), (false, true), "{kind}: {source}");
    }
}

/// Whatever text stands where a text is wanted, in quotes so that both read the same.
#[test]
fn both_judge_every_text_of_the_settings_alike() {
    const PARTS: [&str; 30] = [
        "a",
        "Z",
        "7",
        "0",
        "_",
        "-",
        ".",
        "..",
        "/",
        "\\",
        "@",
        " ",
        "\n",
        "<",
        "é",
        "=",
        "https://",
        "http://",
        "?",
        "#",
        ":",
        "[bot]",
        "KEY",
        "_TOKEN",
        "SECRET",
        "PASSWORD",
        "GH_",
        "GITHUB_",
        "1234567890",
        "\u{2029}",
    ];
    fn agree(picks: Vec<u8>, place: u8) -> bool {
        let text: String = picks.iter().take(5).map(|pick| PARTS[usize::from(*pick) % PARTS.len()]).collect();
        let quoted: String = text.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
        let quoted = format!("\"{quoted}\"");
        let places = [
            format!("workflow: {quoted}"),
            format!("model: {quoted}"),
            format!("models: {{{quoted}: {{}}}}"),
            format!("providers: {{{quoted}: {{base_url: 'https://lab.example'}}}}"),
            format!("providers: {{lab: {{base_url: {quoted}}}}}"),
            format!("providers: {{vllm: {{key: {quoted}}}}}"),
            format!("agents: {{{quoted}: {{}}}}"),
            format!("agents: {{dev: {{prompt: {quoted}}}}}"),
            format!("agents: {{dev: {{phase: {quoted}}}}}"),
            format!("agents: {{dev: {{output: {{fields: [{quoted}]}}}}}}"),
            format!("trusted_actors: [{quoted}]"),
            format!("engine_login: {quoted}"),
        ];
        let source = &places[usize::from(place) % places.len()];
        let (parser, schema) = CHECKER.with(|checker| verdicts(checker, source));
        assert_eq!(parser, schema, "{text:?} in {source}");
        true
    }
    thread_local! {
        static CHECKER: Checker = Checker::of(schema());
    }
    quickcheck::QuickCheck::new().tests(6_000).quickcheck(agree as fn(Vec<u8>, u8) -> bool);
}
