//! From a tree to the workflow it says. What is wrong was told before: here it is left out.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::{
    grammar::{
        read::{complexity, items, minutes, output, skill, text, wishes, words},
        scalar,
    },
    workflow::{APPROVALS_MAX, Binding, Condition, GatePolicy, Hook, Input, InputKind, Script, Step, Work, Workflow},
    yaml::Node,
};

/// Reads a workflow. `None`: the file has no list of steps.
pub(super) fn workflow(file: &str, root: &Node) -> Option<Workflow> {
    Some(Workflow {
        name: text(root, "name"),
        description: text(root, "description"),
        inputs: items(root, "inputs").iter().map(input).collect(),
        outputs: root.get("outputs").map(one_or_many).unwrap_or_default(),
        gate: root.get("gate").map(gate).unwrap_or_default(),
        steps: root.get("steps")?.items()?.iter().map(step).collect(),
        location: file.into(),
    })
}

fn input(node: &Node) -> Input {
    let kind = if text(node, "kind") == "exec" { InputKind::Exec } else { InputKind::Str };
    Input { name: text(node, "name"), kind, required: node.get("required").and_then(scalar::flag).unwrap_or(true) }
}

fn gate(node: &Node) -> GatePolicy {
    let approvals = node.get("approvals").and_then(scalar::number);
    // More than the table allows was told, and is not fewer here.
    let approvals =
        approvals.map_or(GatePolicy::default().approvals, |count| u32::try_from(count).unwrap_or(APPROVALS_MAX));
    GatePolicy { not_by_initiator: node.get("not_by").is_some(), approvals }
}

/// Reads a step. What is none is an empty one, so that an index means the same here and in the file; the same goes
/// for conditions and skills.
fn step(node: &Node) -> Step {
    let prompt = text(node, "prompt");
    Step {
        name: text(node, "name"),
        work: work(node),
        next: node.get("next").and_then(target),
        conditions: items(node, "conditions").iter().map(condition).collect(),
        skills: items(node, "skill").iter().map(skill).collect(),
        prompt: if prompt.trim().is_empty() { None } else { Some(prompt) },
        complexity: complexity(&text(node, "complexity")),
        wishes: wishes(node),
        output: node.get("output").map(output),
        // A gate that cannot be read is closed.
        human_gate: node.get("human_gate").is_some_and(|flag| scalar::flag(flag) != Some(false)),
        inputs: node.get("inputs").map(bindings).unwrap_or_default(),
        pre_hook: node.get("pre_hook").map(hook),
        post_hook: node.get("post_hook").map(hook),
    }
}

fn work(node: &Node) -> Work {
    if let Some(script_node) = node.get("script") {
        return Work::Script(script(script_node));
    }
    if node.get("workflow").is_some() {
        return Work::Workflow(text(node, "workflow"));
    }
    if node.get("repo").is_some() {
        return Work::Repo(text(node, "repo"));
    }
    Work::Agent(text(node, "agent"))
}

fn script(node: &Node) -> Script {
    Script {
        command: text(node, "command"),
        args: words(node.get("args")),
        working_dir: text(node, "working_dir"),
        env: variables(node.get("env")),
        timeout_minutes: minutes(node),
    }
}

fn hook(node: &Node) -> Hook {
    Hook { path: text(node, "path"), args: words(node.get("args")), timeout_minutes: minutes(node) }
}

fn variables(node: Option<&Node>) -> BTreeMap<String, String> {
    let entries = node.and_then(Node::entries).unwrap_or_default();
    entries.iter().filter_map(|(name, value)| Some((name.text.clone(), value.text()?.into()))).collect()
}

/// Reads where a route leads; a null is the end.
fn target(node: &Node) -> Option<String> {
    node.text().map(String::from)
}

fn condition(node: &Node) -> Condition {
    Condition { on_result: text(node, "on_result"), next: node.get("next").and_then(target) }
}

/// Reads what names are bound to. A list of steps binds each one's name to its comment.
fn bindings(node: &Node) -> BTreeMap<String, Binding> {
    if node.items().is_some() {
        return words(Some(node)).into_iter().map(|step| (step.clone(), Binding::Ref(step))).collect();
    }
    let entries = node.entries().unwrap_or_default();
    entries.iter().filter_map(|(name, value)| Some((name.text.clone(), binding(value)?))).collect()
}

fn binding(node: &Node) -> Option<Binding> {
    if let Some(reference) = node.text() {
        return Some(Binding::Ref(reference.into()));
    }
    match (node.get("exec"), node.get("str")) {
        (Some(command), _) => Some(Binding::Exec(words(Some(command)))),
        (None, Some(constant)) => Some(Binding::Str(constant.text()?.into())),
        (None, None) => None,
    }
}

fn one_or_many(node: &Node) -> Vec<String> {
    node.text().map_or_else(|| words(Some(node)), |one| Vec::from([one.into()]))
}
