//! What is in force is shown in full, and what is shown can be read.

use alloc::{string::ToString, vec::Vec};

use serde_json::{Value, json};

use super::{super::rows::as_config, super::*, EVERY_KEY, applied};
use crate::{
    grammar::{Kind, Preset, Scope},
    setup::{Runtime, Setup},
};

/// JSON is YAML: the settings in force, written as a file, set the same.
#[test]
fn what_is_in_force_reads_as_it_is() {
    for text in ["", EVERY_KEY, "history: 0\nlimits: {run_cost_usd: 0.000001}\nagents: {ab: {}}\n"] {
        let setup = applied(text);
        let again = applied(&as_config(&setup).to_string());
        assert_eq!(again, setup, "{text}");
    }
}

#[test]
fn every_key_that_is_set_has_a_row_that_knows_where() {
    let Parsed { config, .. } = read("config.yaml", EVERY_KEY);
    let mut setup = Setup::default();
    config.apply(&mut setup);
    let mut lines = 0;
    for row in rows(&setup) {
        let from: Vec<&str> = row.from.iter().map(String::as_str).collect();
        let is_built_in = row.way[0] == "providers" && row.way[1] != "lab";
        // What the file leaves out of a model is shown all the same.
        let is_preset = row.way[0] == "models" && ["name", "fixed_sampling"].contains(&row.way[2].as_str());
        assert!(config.place(&from).is_some() || is_built_in || is_preset || row.value.is_null(), "{row:?}");
        lines += usize::from(config.place(&from).is_some());
    }
    assert!(lines > 60, "only {lines} rows were met");
}

#[test]
fn a_row_reads_as_the_file_does() {
    let setup = applied("models: {gpt-4.1: {provider: openrouter}}\nlimits: {run_cost_usd: 2}\n");
    let found = rows(&setup);
    let check = |path: &str, value: Value| {
        let row = found.iter().find(|row| row.path() == path).map(|row| row.value.clone());
        assert_eq!(row, Some(value), "{path}");
    };
    check("models.\"gpt-4.1\".name", json!("gpt-4.1"));
    check("models.\"gpt-4.1\".provider", json!("openrouter"));
    check("limits.run_cost_usd", json!("2.00"));
    check("limits.issue_cost_usd", Value::Null);
    check("history", Value::Null);
    check("tiers.medium", json!(0.2));
    check("providers.openrouter.key", json!("OPENROUTER_API_KEY"));
    check("prompt.order", json!("thread-first"));
}

/// What the table says of what is not set is what holds then.
#[test]
fn presets_are_what_holds() {
    fn look(scope: &Scope, map: &Value, met: &mut usize) {
        for key in scope.keys {
            let value = &map[key.name];
            match (&key.kind, key.preset) {
                (Kind::Map(inner), _) => look(inner, value, met),
                (_, Preset::Nothing) => assert!(value.is_null() || value == &json!([]), "{} {value}", key.name),
                (Kind::Named(..), _) => {}
                (_, Preset::Flag(flag)) => assert_eq!(value, &json!(flag), "{}", key.name),
                (_, Preset::Number(number)) => assert_eq!(value, &json!(number), "{}", key.name),
                (_, Preset::Decimal(number)) => assert_eq!(value, &json!(number), "{}", key.name),
                (_, Preset::Word(word)) => assert_eq!(value, &json!(word), "{}", key.name),
            }
            *met += usize::from(!matches!(key.preset, Preset::Nothing));
        }
    }
    let mut whole = as_config(&Setup::default());
    whole["models"] = Value::Null;
    whole["providers"] = Value::Null;
    whole["agents"] = Value::Null;
    let mut met = 0;
    look(&CONFIG, &whole, &mut met);
    assert!(met > 15, "only {met} presets were met");
}

#[test]
fn what_an_agent_works_with_names_what_decides_it() {
    let setup = applied(EVERY_KEY);
    let found = rows_of(&setup, "dev");
    let check = |path: &str, value: Value, from: &str| {
        let row = found.iter().find(|row| row.path() == path).unwrap_or_else(|| unreachable!("{path}: {found:?}"));
        assert_eq!((&row.value, row.from.join(".").as_str()), (&value, from), "{path}");
    };
    check("phase", json!("build"), "agents.dev.phase");
    check("tools", json!(["read_file", "run_command"]), "agents.dev.tools");
    check("low.model", json!("own"), "agents.dev.model");
    check("low.reasoning", json!("none"), "agents.dev.complexity_overrides.low.reasoning");
    check("medium.reasoning", json!("xhigh"), "agents.dev.reasoning");
    check("high.model", json!("fast"), "agents.dev.complexity_overrides.high.model");
    check("high.top_p", json!(0.5), "agents.dev.complexity_overrides.high.sampling.top_p");
    check("medium.top_p", json!(0.9), "defaults.top_p");
    check("high.temperature", json!(0.2), "agents.dev.sampling.temperature");
    // A program has neither model nor sampling.
    let of_models = |setup: &Setup| rows_of(setup, "codex").iter().any(|row| row.path().ends_with(".model"));
    assert!(!of_models(&setup));
    let mut asked = setup.clone();
    asked.agents.get_mut("codex").expect("it is there").runtime = Runtime::Model;
    assert!(of_models(&asked));
    let codex = rows_of(&asked, "codex");
    let decided: Vec<_> = codex
        .iter()
        .filter(|row| row.way[1..] == ["temperature"])
        .map(|row| (row.value.to_string(), row.from.join(".")))
        .collect();
    let expected = [("0.3", "defaults.temperature"), ("0.3", "defaults.temperature"), ("0.5", "tiers.high")];
    assert_eq!(decided, expected.map(|(value, from)| (value.to_string(), from.to_string())));
    assert_eq!(rows_of(&setup, "nobody"), []);
}
