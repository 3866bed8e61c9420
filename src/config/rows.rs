//! The settings that are in force, as rows that people read and as a file that says the same.
//!
//! The rows follow the table, so no key is forgotten. Who set each is for whoever knows the flags and the environment.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Map, Value, json};

use super::table::CONFIG;
use crate::{
    grammar::{Kind, Scope},
    ids::Identity,
    setup::{Agent, Limits, Model, PromptOrder, Runtime, Settings, Setup, TrustPolicy, Wishes},
    workflow::SkillUse,
};

/// One setting that is in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The keys that lead to it: `limits`, `rounds`.
    pub way: Vec<String>,
    /// What it is; null where nothing is set.
    pub value: Value,
    /// The keys that lead to where it is set, where that is another place.
    pub from: Vec<String>,
}

/// Gives every setting that is in force, in the order of the table.
pub fn rows(setup: &Setup) -> Vec<Row> {
    let mut found = Vec::new();
    walk(&CONFIG, &as_config(setup), &mut Vec::new(), false, &mut found);
    found
}

impl Row {
    /// Makes one that is set where it is named.
    pub(super) fn of(way: Vec<String>, value: Value) -> Self {
        Self { from: way.clone(), way, value }
    }

    /// Gives its keys in one text: `limits.rounds`. A key with a point in it is quoted.
    pub fn path(&self) -> String {
        let keys = self.way.iter().map(|key| if key.contains('.') { format!("\"{key}\"") } else { key.clone() });
        keys.collect::<Vec<_>>().join(".")
    }
}

/// Adds what stands in a map. Below a name only what is set is a row: most agents set little.
fn walk(scope: &Scope, map: &Value, way: &mut Vec<String>, is_named: bool, found: &mut Vec<Row>) {
    for key in scope.keys {
        let value = map.get(key.name).unwrap_or(&Value::Null);
        if is_named && value.is_null() {
            continue;
        }
        way.push(key.name.into());
        match &key.kind {
            Kind::Map(inner) => walk(inner, value, way, is_named, found),
            Kind::Named(_, Kind::Map(inner)) => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    way.push(name.clone());
                    walk(inner, value, way, true, found);
                    way.pop();
                }
            }
            _ => found.push(Row::of(way.clone(), value.clone())),
        }
        way.pop();
    }
}

/// Writes a setup as the file that says it; read as one, it comes to the same.
pub(super) fn as_config(setup: &Setup) -> Value {
    let Settings {
        workflow,
        model,
        models,
        providers,
        defaults,
        tiers,
        stream,
        model_seconds,
        prompt_order,
        trust,
        history_comment_count,
        trusted_actors,
        engine_login,
        chain: _,
        max_steps: _,
        dry_run: _,
        limits,
    } = &setup.settings;
    let named_models: Map<_, _> = models.iter().map(|(name, model)| (name.clone(), model_map(model))).collect();
    let agents: Map<_, _> = setup.agents.iter().map(|(role, agent)| (role.clone(), agent_map(agent))).collect();
    said(json!({
        "workflow": workflow,
        "model": model,
        "models": named_models,
        "providers": providers,
        "defaults": defaults,
        "tiers": tiers,
        "agents": agents,
        "limits": limits_map(limits),
        "history": history_comment_count.map(|count| count.max(0)),
        "trusted_actors": trusted_actors.iter().map(account).collect::<Vec<_>>(),
        "engine_login": engine_login,
        "trust": match trust {
            TrustPolicy::Initiator => "initiator",
            TrustPolicy::Maintainers => "maintainers",
        },
        "prompt": { "order": match prompt_order {
            PromptOrder::ThreadFirst => "thread-first",
            PromptOrder::RoleFirst => "role-first",
        } },
        "llm": { "stream": stream, "timeout_seconds": model_seconds },
    }))
}

fn model_map(model: &Model) -> Value {
    let Model { provider, name, fixed_sampling, context_tokens, prices } = model;
    let provider = Some(provider).filter(|provider| !provider.is_empty());
    said(json!({
        "provider": provider,
        "name": name,
        "context_tokens": context_tokens,
        "fixed_sampling": fixed_sampling,
        "prices": prices,
    }))
}

fn limits_map(limits: &Limits) -> Value {
    serde_json::to_value(limits).unwrap_or_default()
}

fn account(account: &Identity) -> Value {
    if account.id == 0 { json!(format!("@{}", account.login)) } else { json!(account.id) }
}

fn agent_map(agent: &Agent) -> Value {
    let Agent { prompt: _, location, skills, tools, commands, runtime, phase, output, wishes, overrides } = agent;
    let location = Some(location).filter(|location| !location.is_empty());
    let overrides: Map<_, _> = overrides
        .iter()
        .map(|(tier, wishes)| (json!(tier).as_str().unwrap_or_default().into(), wishes_map(wishes)))
        .collect();
    let mut map = json!({
        "prompt": location,
        "complexity_overrides": Some(overrides).filter(|overrides| !overrides.is_empty()),
        "skills": some(skills).map(|skills| skills.iter().map(skill).collect::<Vec<_>>()),
        "tools": some(tools),
        "commands": some(commands),
        "runtime": match runtime {
            Runtime::Model => None,
            Runtime::Command { argv, timeout_minutes } => {
                Some(json!({ "command": argv, "timeout_minutes": timeout_minutes }))
            }
        },
        "phase": phase,
        "output": output,
    });
    if let (Some(map), Value::Object(wishes)) = (map.as_object_mut(), wishes_map(wishes)) {
        map.extend(wishes);
    }
    said(map)
}

fn wishes_map(wishes: &Wishes) -> Value {
    let mut sampling = serde_json::to_value(wishes).unwrap_or_default();
    let mut map = Map::new();
    if let Some(sampling) = sampling.as_object_mut() {
        for key in ["model", "reasoning"] {
            map.extend(sampling.remove(key).map(|value| (key.to_string(), value)));
        }
        if !sampling.is_empty() {
            map.insert("sampling".into(), json!(sampling));
        }
    }
    Value::Object(map)
}

fn skill(skill: &SkillUse) -> Value {
    match skill {
        SkillUse::Inject(names) => json!({ "inject": names }),
        SkillUse::Discover(names) => json!({ "discover": names }),
    }
}

fn some<T>(list: &[T]) -> Option<&[T]> {
    Some(list).filter(|list| !list.is_empty())
}

/// Leaves out what says nothing.
fn said(mut map: Value) -> Value {
    if let Some(map) = map.as_object_mut() {
        map.retain(|_, value| !value.is_null());
    }
    map
}
