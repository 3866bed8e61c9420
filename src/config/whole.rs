//! The settings as a whole: what one place says of another. What other files have to do with it is for the edge.

use alloc::{format, vec::Vec};

use super::{convert::entries, providers};
use crate::{
    grammar::{read::items, unique},
    nearest::{did_you_mean, nearest},
    yaml::{Node, Problems, quoted},
};

/// Reports what does not fit together.
pub(super) fn look(root: &Node, problems: &mut Problems) {
    for (_, model) in entries(root, "models") {
        known_provider(root, model, problems);
    }
    for (name, provider) in entries(root, "providers") {
        let is_built_in = providers::built_in().contains_key(&name.text);
        if !is_built_in && provider.entries().is_some() && provider.get("base_url").is_none() {
            let what = format!("the provider {} needs `base_url`", quoted(&name.text));
            problems.add(name.place, what, "write its address, up to `/chat/completions`").rule("L20");
        }
        own_key(&name.text, provider, problems);
    }
    for (_, agent) in entries(root, "agents") {
        tools(agent, problems);
        agent.get("output").into_iter().for_each(|output| unique::fields(output, problems));
    }
}

fn known_provider(root: &Node, model: &Node, problems: &mut Problems) {
    let built_in = providers::built_in();
    let known = || entries(root, "providers").iter().map(|(name, _)| &name.text).chain(built_in.keys());
    let Some(node) = model.get("provider") else { return };
    let Some(name) = node.text().filter(|name| !known().any(|own| own == name)) else { return };
    let near = if problems.is_full() { Vec::new() } else { nearest(name, known().map(|name| name.as_str())) };
    let hint = if near.is_empty() { "describe it under `providers`".into() } else { did_you_mean(&near) };
    problems.add(node.place, format!("no provider is named {}", quoted(name)), hint).rule("L20");
}

/// A key that belongs to one service is sent to no other. What is built in gives the address or the variable where the
/// file names one of the two only.
fn own_key(name: &str, provider: &Node, problems: &mut Problems) {
    let known = providers::built_in().remove(name).unwrap_or_default();
    let (address, key) = (provider.get("base_url"), provider.get("key"));
    let variable = key.and_then(Node::text).or(known.key.as_deref()).unwrap_or_default();
    let Some(domain) = providers::domain_of(variable) else { return };
    let shown = address.and_then(Node::text).unwrap_or(&known.base_url);
    let Some(place) = address.or(key).map(|node| node.place).filter(|_| !shown.is_empty()) else { return };
    if !is_of(shown, domain) {
        let what = format!("the key in `{variable}` is for {domain} alone, and this is another service");
        problems.add(place, what, "name another variable in `key`, or leave the address out").rule("L20");
    }
}

/// Tells whether an address is that of a domain or of one below it, on a way that nobody reads.
fn is_of(address: &str, domain: &str) -> bool {
    let host = address.strip_prefix("https://").and_then(|rest| rest.split(['/', ':']).next()).unwrap_or_default();
    let host = host.to_ascii_lowercase();
    host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

/// Checks that the tools of an agent can be used.
fn tools(agent: &Node, problems: &mut Problems) {
    let tools = items(agent, "tools");
    unique::each_once(tools.iter(), "the tool", "L20", |name| name, problems);
    let runs = tools.iter().find(|tool| tool.text() == Some("run_command"));
    match (runs, agent.get("commands")) {
        (Some(tool), None) => {
            let hint = "list in `commands` what may be run: `commands: [[cargo, test], [git, diff]]`";
            problems.add(tool.place, "no command is listed that `run_command` may run", hint).rule("L20");
        }
        (None, Some(commands)) => {
            let hint = "add `run_command` to `tools`, or leave `commands` out";
            problems.add(commands.place, "nothing runs these commands", hint).rule("L20");
        }
        _ => {}
    }
    let is_program = agent.get("runtime").is_some_and(|runtime| runtime.entries().is_some());
    if let Some(tools) =
        agent.get("tools").filter(|tools| is_program && tools.items().is_some_and(|all| !all.is_empty()))
    {
        let hint = "the program is given the prompt and has means of its own: leave `tools` out";
        problems.add(tools.place, "a program that is an agent uses no workspace tools", hint).rule("L20");
    }
}
