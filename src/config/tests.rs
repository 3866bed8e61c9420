//! Settings, good and bad.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::*;
use crate::setup::{Settings, Setup, Tiers};

mod keys;
mod rows;

use keys::EVERY_KEY;

fn applied(text: &str) -> Setup {
    let Parsed { config, problems } = read("config.yaml", text);
    assert_eq!(problems, [], "{text}");
    let mut setup = Setup::default();
    config.apply(&mut setup);
    setup
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found: Vec<_> = read("config.yaml", text)
        .problems
        .iter()
        .map(|problem| format!("{}:{}: {}", problem.line, problem.column, problem.what))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn what_is_not_said_stays_as_it_is() {
    for text in ["", "# only a comment\n", "{}", "limits: {}\nagents: {}\nprompt: {}\n"] {
        let expected = Settings { providers: built_in(), ..Settings::default() };
        let setup = applied(text);
        assert_eq!((&setup.settings, setup.agents.len()), (&expected, 0), "{text:?}");
    }
    let mut setup = applied(EVERY_KEY);
    let before = setup.clone();
    Config::default().apply(&mut setup);
    assert_eq!(setup, before);
    read("config.yaml", "agents: {dev: {model: x}}\ntiers: {low: 0.2}\n").config.apply(&mut setup);
    let (dev, old) = (&setup.agents["dev"], &before.agents["dev"]);
    assert_eq!((dev.wishes.model.as_deref(), dev.wishes.reasoning), (Some("x"), old.wishes.reasoning));
    assert_eq!((&dev.tools, &dev.output, dev.overrides.len()), (&old.tools, &old.output, 2));
    assert_eq!(setup.settings.tiers, Tiers { low: 0.2, medium: 0.3, high: 0.5 });
}

#[test]
fn everything_is_found_in_one_pass() {
    let text = "workfow: x\nmodel: null\nlimits: {rounds: 0, rouns: 3}\nagents:\n  a b: {}\n  dev:\n    tools: [read]\n    \
                commands: [cargo]\n  dev: {}\nhistory: -1\ntrust: everybody\n";
    check(
        text,
        &[
            "1:1: the configuration has no key `workfow`",
            "2:8: `model` must be a text, not null",
            "3:18: `rounds` cannot be `0`",
            "3:21: `limits` has no key `rouns`",
            "5:3: `a b` cannot be a role, in `agents`",
            "7:13: `agents.dev.tools[0]` cannot be `read`",
            "8:15: nothing runs these commands",
            "8:16: `agents.dev.commands[0]` must be a list, not a text",
            "9:3: the key `dev` stands here and at 6:3",
            "10:10: `history` must be a whole number, not `-1`",
            "11:8: `trust` cannot be `everybody`",
        ],
    );
}

#[test]
fn a_hint_names_what_is_near() {
    let check = |text: &str, hint: &str| {
        let found = read("config.yaml", text).problems;
        assert_eq!(found.iter().map(|problem| problem.hint.as_str()).collect::<Vec<_>>(), [hint], "{text}");
    };
    check("agnets: {}\n", "did you mean `agents`?");
    check("agents: {dev: {tool: []}}\n", "did you mean `tools`?");
    check("models: {m: {provider: openruoter}}\n", "did you mean `openrouter`?");
    check("agents: {dev: {tools: [readfile]}}\n", "did you mean `read_file`?");
    check("agents: {dev: {temperature: 1}}\n", "it is a key of `sampling`: `sampling: {temperature: …}`");
    check("models: {m: {provider: zebra}}\n", "describe it under `providers`");
}

#[test]
fn places_of_other_kinds_than_a_map_are_mistakes() {
    check("- a\n", &["1:1: the configuration is a map of keys, not a list"]);
    check("text\n", &["1:1: the configuration is a map of keys, not a text"]);
    check("agents: [dev]\n", &["1:9: `agents` must be a map, not a list"]);
    check("agents: {dev: null}\n", &["1:15: an agent is a map of keys, not null"]);
    check("models: {m: gpt}\n", &["1:13: a model is a map of keys, not a text"]);
    check("agents: {dev: {runtime: command}}\n", &["1:25: `runtime` cannot be `command`"]);
    check("agents: {dev: {runtime: {}}}\n", &["1:25: a program that is an agent needs `command`"]);
    check("agents: {dev: {runtime: [x]}}\n", &["1:25: `runtime` must be a text or a map, not a list"]);
    check(
        "agents: {dev: {runtime: {command: [/bin/sh]}}}\n",
        &["1:36: `/bin/sh` cannot be a program, in `agents.dev.runtime.command[0]`"],
    );
}

#[test]
fn a_key_itself_is_refused_and_never_repeated() {
    let secret = "sk-or-v1-0123456789abcdef0123456789abcdef";
    let check = |lines: &str| {
        let found = read("config.yaml", lines).problems;
        assert_eq!(found.len(), 1, "{lines}: {found:?}");
        let told = format!("{} {:?}", found[0], found[0]);
        assert!(!told.contains(secret), "{told}");
        assert!(found[0].hint.contains("variable") || found[0].hint.contains("https://"), "{told}");
    };
    check(&format!("providers: {{openrouter: {{key: {secret}}}}}\n"));
    check("providers: {openrouter: {key: 'ghp_0123456789abcdef'}}\n");
    check("providers: {openrouter: {key: AKIAIOSFODNN7EXAMPLE}}\n");
    check("providers: {openrouter: {key: KEY}}\n");
    check(&format!("providers: {{lab: {{base_url: 'https://me:{secret}@lab.example/v1'}}}}\n"));
    check(&format!("providers: {{lab: {{base_url: 'https://lab.example/v1?key={secret}'}}}}\n"));
    for token in ["GH_TOKEN", "GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "GH_PAT"] {
        check(&format!("providers: {{lab: {{base_url: 'https://lab.example', key: {token}}}}}\n"));
    }
}

#[test]
fn a_key_that_belongs_to_a_service_goes_to_no_other() {
    let on = |provider: &str, expected: &[&str]| check(&format!("providers: {{{provider}}}\n"), expected);
    on("openrouter: {base_url: 'https://eu.openrouter.ai/api/v1'}", &[]);
    on("mine: {base_url: 'https://openrouter.ai:443/api/v1', key: OPENROUTER_API_KEY}", &[]);
    on("mine: {base_url: 'https://lab.example/v1', key: LAB_KEY}", &[]);
    on("vllm: {base_url: 'http://10.1.2.3:8000/v1'}", &[]);
    let other = "the key in `OPENROUTER_API_KEY` is for openrouter.ai alone, and this is another service";
    on("mine: {base_url: 'https://evil.example/v1', key: OPENROUTER_API_KEY}", &[&format!("1:30: {other}")]);
    on("openrouter: {base_url: 'https://evil.example/v1'}", &[&format!("1:36: {other}")]);
    on("openrouter: {base_url: 'https://notopenrouter.ai/v1'}", &[&format!("1:36: {other}")]);
    on("openrouter: {base_url: 'https://openrouter.ai.evil.example/v1'}", &[&format!("1:36: {other}")]);
    on("openrouter: {base_url: 'http://openrouter.ai/v1'}", &[&format!("1:36: {other}")]);
    on("vllm: {key: OPENROUTER_API_KEY}", &[&format!("1:25: {other}")]);
    on("lab: {key: LAB_KEY}", &["1:13: the provider `lab` needs `base_url`"]);
}

#[test]
fn tools_and_commands_belong_together() {
    let on = |agent: &str, expected: &[&str]| check(&format!("agents: {{a: {{{agent}}}}}\n"), expected);
    on("tools: [run_command], commands: [[cargo, test]]", &[]);
    on("tools: []", &[]);
    on("tools: [run_command]", &["1:22: no command is listed that `run_command` may run"]);
    on("tools: [read_file], commands: [[make]]", &["1:44: nothing runs these commands"]);
    on("tools: [read_file, read_file]", &["1:33: the tool `read_file` stands at 1:22 already"]);
    on("tools: [run_command], commands: []", &["1:46: `commands` is empty"]);
    on("tools: [run_command], commands: [[]]", &["1:47: `agents.a.commands[0]` is empty"]);
    on("tools: [read_file], runtime: {command: [x]}", &["1:21: a program that is an agent uses no workspace tools"]);
    on("output: {fields: [a_b, A-b]}", &["1:37: a field with the heading of `A-b` stands at 1:32 already"]);
    on("output: {fields: [a, a]}", &["1:35: a field with the heading of `a` stands at 1:32 already"]);
}

#[test]
fn money_is_written_in_digits() {
    let on = |amount: &str| {
        let text = format!("limits: {{run_cost_usd: {amount}}}\n");
        let Parsed { config, problems } = read("config.yaml", &text);
        let mut setup = Setup::default();
        config.apply(&mut setup);
        (problems.is_empty(), setup.settings.limits.run_cost_usd.map(|amount| amount.to_string()))
    };
    for (amount, shown) in [("0", "0.00"), ("1.5", "1.50"), ("'2.25'", "2.25"), ("9000000000", "9000000000.00")] {
        assert_eq!(on(amount), (true, Some(shown.into())), "{amount}");
    }
    for amount in ["-1", "1e3", "$5", "1.0000001", "9000000000.000001", "null", "[1]", "''", "five"] {
        assert_eq!(on(amount), (false, None), "{amount}");
    }
}

#[test]
fn accounts_are_ids_or_logins() {
    let good = ["1", "123", "'@123'", "'@dana'", "dana", "'nebuko[bot]'", "1a", "a-b_c"];
    for account in good {
        check(&format!("trusted_actors: [{account}]\n"), &[]);
    }
    for account in ["0", "007", "'@'", "a b", "99999999999999999999", "dana@acme.example", "1.5"] {
        let what = format!("1:18: `{}` cannot be an account", account.trim_matches('\''));
        check(&format!("trusted_actors: [{account}]\n"), &[&what]);
    }
}

#[test]
fn where_something_stands_is_known() {
    let config = read("config.yaml", EVERY_KEY).config;
    let line = |way: &[&str]| config.place(way).map(|place| place.line);
    assert_eq!(line(&["agents", "dev", "sampling", "temperature"]), Some(28));
    assert_eq!(line(&["history"]), Some(61));
    assert_eq!(line(&["agents", "review"]), None);
    assert_eq!(Config::default().place(&["history"]), None);
}

/// Whatever the text, nothing panics, every place is inside it, and what has no mistakes sets what it says.
#[test]
fn any_text_is_read_or_told() {
    fn holds(picks: Vec<u8>) -> bool {
        let lines = [
            "agents:\n",
            "  dev:\n",
            "    tools: [run_command]\n",
            "    commands: [[a]]\n",
            "models: {a: {provider: b}}\n",
            "providers: {b: {base_url: 'http://x'}}\n",
            "limits:\n",
            "  rounds: 3\n",
            "  step_cost_usd: 1.5\n",
            "history: 2\n",
            "trusted_actors: [0]\n",
            "trust: maintainers\n",
            "&a x: *a\n",
            "}\n",
            "\u{feff}",
            "llm: {stream: true}\n",
        ];
        let text: String = picks.iter().take(12).map(|pick| lines[usize::from(*pick) % lines.len()]).collect();
        let Parsed { config, problems } = read("c.yaml", &text);
        let mut setup = Setup::default();
        config.apply(&mut setup);
        let said = config.place(&["history"]).is_none_or(|_| setup.settings.history_comment_count == Some(2));
        said && problems.iter().all(|problem| {
            text.get(problem.start..problem.end).is_some()
                && problem.line > 0
                && problem.to_string().starts_with("c.yaml:")
        })
    }
    quickcheck::quickcheck(holds as fn(Vec<u8>) -> bool);
}
