//! What one agent works with, at each tier, and which place of the settings decides it.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Value, json};

use super::rows::{Row, rows};
use crate::{
    agent::Effective,
    dispatch::{Complexity, Dispatch},
    setup::{Runtime, Setup, Wishes},
};

/// Gives what an agent works with: what it is first, then its model and sampling at each tier, as they are where
/// neither a step nor a dispatch says anything. Nothing where there is no such agent, and no model of a program.
pub fn rows_of(setup: &Setup, role: &str) -> Vec<Row> {
    let is_of = |row: &Row| row.way.len() > 2 && row.way[0] == "agents" && row.way[1] == role;
    let of_model = ["model", "reasoning", "sampling", "complexity_overrides"];
    let all = rows(setup).into_iter().filter(|row| is_of(row) && !of_model.contains(&row.way[2].as_str()));
    let mut found: Vec<_> = all.map(|row| Row { way: row.way[2..].to_vec(), ..row }).collect();
    // A program asks whom it likes.
    if setup.agents.get(role).is_some_and(|agent| agent.runtime == Runtime::Model) {
        for tier in [Complexity::Low, Complexity::Medium, Complexity::High] {
            at_tier(setup, role, tier, &mut found);
        }
    }
    found
}

fn at_tier(setup: &Setup, role: &str, tier: Complexity, found: &mut Vec<Row>) {
    let dispatch = Dispatch { complexity: Some(tier), ..Dispatch::default() };
    let effective = Effective::of(setup, None, role, Some(&dispatch));
    let word = json!(tier).as_str().unwrap_or_default().to_string();
    let wishes = as_map(&effective.wishes);
    for key in WISHES {
        let Some(value) = wishes.get(key) else { continue };
        found.push(Row { way: way(&[&word, key]), value: value.clone(), from: from(setup, role, tier, &word, key) });
    }
}

/// Finds where a wish is set: it counts most in the override, then with the agent, then in the defaults.
fn from(setup: &Setup, role: &str, tier: Complexity, word: &str, key: &str) -> Vec<String> {
    let has = |wishes: Option<&Wishes>| wishes.is_some_and(|wishes| as_map(wishes).get(key).is_some());
    let is_sampling = !matches!(key, "model" | "reasoning");
    let agent = setup.agents.get(role);
    let inner = |before: &[&str]| {
        let mut way = way(before);
        if is_sampling {
            way.push("sampling".into());
        }
        way.push(key.into());
        way
    };
    if has(agent.and_then(|agent| agent.overrides.get(&tier))) {
        return inner(&["agents", role, "complexity_overrides", word]);
    }
    if has(agent.map(|agent| &agent.wishes)) {
        return inner(&["agents", role]);
    }
    let defaults = &setup.settings.defaults;
    match key {
        // No default names a model: the settings have a key of their own for that.
        "model" => way(&["model"]),
        "temperature" if defaults.temperature.is_none_or(|wanted| wanted < setup.settings.tiers.floor(tier)) => {
            way(&["tiers", word])
        }
        _ => way(&["defaults", key]),
    }
}

fn as_map(wishes: &Wishes) -> Value {
    serde_json::to_value(wishes).unwrap_or_default()
}

fn way(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| String::from(*key)).collect()
}

/// What can be wished for, in the order in which it is shown.
const WISHES: [&str; 9] = [
    "model",
    "reasoning",
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "presence_penalty",
    "repetition_penalty",
    "max_output_tokens",
];

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;
    use crate::dispatch::Reasoning;

    #[test]
    fn everything_that_can_be_wished_for_is_shown() {
        // A wish more does not compile here.
        let all = Wishes {
            model: Some("m".into()),
            reasoning: Some(Reasoning::Low),
            temperature: Some(0.1),
            top_p: Some(0.1),
            top_k: Some(1),
            min_p: Some(0.1),
            presence_penalty: Some(0.1),
            repetition_penalty: Some(0.1),
            max_output_tokens: Some(1),
        };
        let Value::Object(named) = as_map(&all) else { unreachable!("wishes are an object") };
        let named: BTreeSet<&str> = named.keys().map(String::as_str).collect();
        assert_eq!(named, BTreeSet::from(WISHES));
    }
}
