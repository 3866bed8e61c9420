//! What the settings say, put over what is there. What is wrong was told before: here it is left out.

use super::{Config, providers};
use crate::{
    grammar::{
        read::{complexity, items, minutes, output, reasoning, said, sampling, skill, text, wishes, words},
        scalar,
    },
    ids::Identity,
    setup::{
        Agent, Limits, Model, Prices, PromptOrder, Provider, Runtime, Settings, Setup, Tiers, TrustPolicy, Usd, Wishes,
    },
    yaml::{Key, Node, Place},
};

/// The prompt that the settings name for an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt<'c> {
    /// The agent.
    pub role: &'c str,
    /// The prompt's file, as a path in the repository; `None` leaves it where prompts usually stand.
    pub path: Option<&'c str>,
    /// Where the settings name the file, or else the agent.
    pub place: Place,
}

impl Config {
    /// Puts the settings over those of a setup, and over its agents. What the file does not name stays as it is; the
    /// services that are built in come first.
    ///
    /// An agent that is in the settings alone has no prompt yet: see [`Config::prompts`].
    pub fn apply(&self, setup: &mut Setup) {
        settings(&self.root, &mut setup.settings);
        for (role, node) in entries(&self.root, "agents") {
            agent(node, setup.agents.entry(role.text.clone()).or_default());
        }
    }

    /// Gives the workflow of new threads, where the settings name one, and its place.
    pub fn workflow(&self) -> Option<(&str, Place)> {
        let node = self.root.get("workflow")?;
        Some((node.text()?, node.place))
    }

    /// Gives the skills that the settings give to agents, each with its place.
    pub fn skills(&self) -> impl Iterator<Item = (&str, Place)> {
        let entries = entries(&self.root, "agents").iter().flat_map(|(_, agent)| items(agent, "skills"));
        // A bare name is an entry of its own, and a map has lists of them.
        let names =
            entries.flat_map(|entry| [entry].into_iter().chain(items(entry, "inject")).chain(items(entry, "discover")));
        names.filter_map(|name| Some((name.text()?, name.place)))
    }

    /// Gives the agents that the settings name, and where the prompt of each stands.
    pub fn prompts(&self) -> impl Iterator<Item = Prompt<'_>> {
        entries(&self.root, "agents").iter().map(|(role, node)| {
            let path = node.get("prompt").and_then(|path| Some((path.text()?, path.place)));
            Prompt {
                role: &role.text,
                path: path.map(|(path, _)| path),
                place: path.map_or(role.place, |(_, place)| place),
            }
        })
    }
}

fn settings(root: &Node, settings: &mut Settings) {
    set(&mut settings.workflow, said(root, "workflow"));
    set(&mut settings.model, said(root, "model"));
    settings.models.extend(entries(root, "models").iter().map(|(name, node)| (name.text.clone(), model(name, node))));
    for (name, known) in providers::built_in() {
        settings.providers.entry(name).or_insert(known);
    }
    for (name, node) in entries(root, "providers") {
        provider(node, settings.providers.entry(name.text.clone()).or_default());
    }
    if let Some(node) = root.get("defaults") {
        let said = Wishes { reasoning: reasoning(node), ..sampling(node) };
        settings.defaults = said.over(&settings.defaults);
    }
    root.get("tiers").into_iter().for_each(|node| tiers(node, &mut settings.tiers));
    root.get("limits").into_iter().for_each(|node| limits(node, &mut settings.limits));
    if let Some(count) = number(root, "history").and_then(|count| i64::try_from(count).ok()) {
        settings.history_comment_count = Some(count);
    }
    if root.get("trusted_actors").is_some() {
        settings.trusted_actors = items(root, "trusted_actors").iter().filter_map(account).collect();
    }
    settings.engine_login = said(root, "engine_login").or_else(|| settings.engine_login.take());
    match root.get("trust").and_then(Node::text) {
        Some("maintainers") => settings.trust = TrustPolicy::Maintainers,
        Some("initiator") => settings.trust = TrustPolicy::Initiator,
        _ => {}
    }
    match root.get("prompt").and_then(|node| node.get("order")?.text()) {
        Some("thread-first") => settings.prompt_order = PromptOrder::ThreadFirst,
        Some("role-first") => settings.prompt_order = PromptOrder::RoleFirst,
        _ => {}
    }
    if let Some(node) = root.get("llm") {
        set(&mut settings.stream, flag(node, "stream"));
        set(&mut settings.model_seconds, number(node, "timeout_seconds"));
    }
}

fn model(name: &Key, node: &Node) -> Model {
    Model {
        provider: text(node, "provider"),
        name: said(node, "name").unwrap_or_else(|| name.text.clone()),
        fixed_sampling: flag(node, "fixed_sampling").unwrap_or_default(),
        context_tokens: number(node, "context_tokens"),
        prices: node.get("prices").and_then(|prices| {
            let price = |key| prices.get(key).and_then(scalar::dollars);
            Some(Prices { input: price("input")?, cached: price("cached"), output: price("output")? })
        }),
    }
}

fn provider(node: &Node, provider: &mut Provider) {
    set(&mut provider.kind, node.get("kind").and_then(Node::text).and_then(providers::kind));
    if let Some(address) = said(node, "base_url") {
        provider.base_url = address.trim_end_matches('/').into();
    }
    provider.key = said(node, "key").or_else(|| provider.key.take());
}

fn tiers(node: &Node, tiers: &mut Tiers) {
    let floor = |key: &str| node.get(key).and_then(scalar::decimal);
    set(&mut tiers.low, floor("low"));
    set(&mut tiers.medium, floor("medium"));
    set(&mut tiers.high, floor("high"));
}

/// Every field is named, so that a new one is not forgotten.
fn limits(node: &Node, limits: &mut Limits) {
    let Limits {
        rounds,
        same_step,
        record_chars,
        input_chars,
        gate_rework,
        refine_rounds,
        step_turns,
        tool_bytes,
        tool_seconds,
        run_turns,
        issue_turns,
        step_tokens,
        run_tokens,
        issue_tokens,
        step_minutes,
        run_minutes,
        issue_minutes,
        step_cost_usd,
        run_cost_usd,
        issue_cost_usd,
    } = limits;
    for (key, slot) in [
        ("rounds", rounds),
        ("same_step", same_step),
        ("gate_rework", gate_rework),
        ("refine_rounds", refine_rounds),
        ("step_turns", step_turns),
    ] {
        set(slot, number(node, key).and_then(|count| u32::try_from(count).ok()));
    }
    for (key, slot) in [("record_chars", record_chars), ("input_chars", input_chars)] {
        set(slot, number(node, key).and_then(|count| usize::try_from(count).ok()));
    }
    for (key, slot) in [("tool_bytes", tool_bytes), ("tool_seconds", tool_seconds)] {
        set(slot, number(node, key));
    }
    for (key, slot) in [
        ("run_turns", run_turns),
        ("issue_turns", issue_turns),
        ("step_tokens", step_tokens),
        ("run_tokens", run_tokens),
        ("issue_tokens", issue_tokens),
        ("step_minutes", step_minutes),
        ("run_minutes", run_minutes),
        ("issue_minutes", issue_minutes),
    ] {
        *slot = number(node, key).or(*slot);
    }
    for (key, slot) in
        [("step_cost_usd", step_cost_usd), ("run_cost_usd", run_cost_usd), ("issue_cost_usd", issue_cost_usd)]
    {
        let said: Option<Usd> = node.get(key).and_then(scalar::dollars);
        *slot = said.or(*slot);
    }
}

fn account(node: &Node) -> Option<Identity> {
    let text = node.text()?;
    Some(match text.parse::<u64>() {
        Ok(id) => Identity::new(id, ""),
        Err(_) => Identity::new(0, text.strip_prefix('@').unwrap_or(text)),
    })
}

fn agent(node: &Node, agent: &mut Agent) {
    agent.wishes = wishes(node).over(&agent.wishes);
    for (tier, over) in entries(node, "complexity_overrides") {
        if let Some(tier) = complexity(&tier.text) {
            let known = agent.overrides.entry(tier).or_default();
            *known = wishes(over).over(known);
        }
    }
    if node.get("skills").is_some() {
        agent.skills = items(node, "skills").iter().map(skill).collect();
    }
    if let Some(tools) = node.get("tools") {
        agent.tools = words(Some(tools));
    }
    if node.get("commands").is_some() {
        agent.commands = items(node, "commands").iter().map(|argv| words(Some(argv))).collect();
    }
    if let Some(runtime) = node.get("runtime") {
        agent.runtime = match words(runtime.get("command")) {
            argv if argv.is_empty() => Runtime::Model,
            argv => Runtime::Command { argv, timeout_minutes: minutes(runtime) },
        };
    }
    agent.phase = said(node, "phase").or_else(|| agent.phase.take());
    agent.output = node.get("output").map(output).or_else(|| agent.output.take());
}

fn set<T>(slot: &mut T, said: Option<T>) {
    if let Some(said) = said {
        *slot = said;
    }
}

fn number(node: &Node, key: &str) -> Option<u64> {
    node.get(key).and_then(scalar::number)
}

fn flag(node: &Node, key: &str) -> Option<bool> {
    node.get(key).and_then(scalar::flag)
}

pub(super) fn entries<'n>(node: &'n Node, key: &str) -> &'n [(Key, Node)] {
    node.get(key).and_then(Node::entries).unwrap_or_default()
}
