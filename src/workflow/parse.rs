//! From a workflow file to a workflow, or to everything that is wrong with it.
//!
//! A key that this version cannot run is refused, never passed over: a gate that nobody obeys is a hole. Whether
//! the graph is a good one (every step reached, every loop left) is for lint.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use super::{Condition, Step, Work, Workflow};
use crate::{
    dispatch::Complexity,
    nearest::{did_you_mean, nearest},
    problem::Problem,
    yaml::{self, Key, Node, Place, Problems, Value, quoted},
};

mod fields;

use fields::{Fields, Keys};

/// The keys of a file. `trigger` is from older files: it is accepted and means nothing.
const FILE: Keys = Keys {
    of: "a workflow",
    known: &["name", "description", "trigger", "steps"],
    later: &["inputs", "outputs", "gate"],
};
/// The keys of a step.
const STEP: Keys = Keys {
    of: "a step",
    known: &["name", "agent", "next", "conditions", "prompt", "complexity"],
    later: &["workflow", "repo", "script", "pre_hook", "post_hook", "skill", "human_gate", "inputs", "output"],
};
/// The keys of a condition.
const CONDITION: Keys = Keys { of: "a condition", known: &["on_result", "next"], later: &[] };
/// What may stand in place of `agent`, in a later version.
const INSTEAD_OF_AGENT: [&str; 3] = ["workflow", "repo", "script"];

/// What reading a file came to: as much of it as could be understood, and everything that is wrong with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The workflow, where the file is a map with a list of steps; where there are problems, only part of it holds.
    /// Its steps stand at the same index as in the file, also those that are no steps.
    pub workflow: Option<Workflow>,
    /// The file with every place, where it is YAML.
    pub root: Option<Node>,
    /// Every mistake that was found, each with line and column, in the order of the file.
    pub problems: Vec<Problem>,
}

/// Reads a workflow (reference: Workflow YAML Grammar, as far as this version runs it), whatever is wrong with it.
///
/// `file` names it in problems and becomes its location; its stem must be the workflow's name. Where there are no
/// problems there is a workflow, with at least one step, and every `next` in it names a step that is there.
pub fn read(file: &str, source: &str) -> Parsed {
    let mut problems = Problems::new(file);
    let root = yaml::read(source, &mut problems);
    let workflow = root
        .as_ref()
        .and_then(|root| Reader { file, source, targets: Vec::new(), problems: &mut problems }.workflow(root));
    Parsed { workflow, root, problems: problems.into_list() }
}

/// Reads a workflow that has no mistakes, as [`read`] does.
///
/// # Errors
/// Gives every mistake that was found, each with line and column, in the order of the file.
pub fn parse(file: &str, source: &str) -> Result<Workflow, Vec<Problem>> {
    match read(file, source) {
        Parsed { workflow: Some(workflow), problems, .. } if problems.is_empty() => Ok(workflow),
        Parsed { problems, .. } => Err(problems),
    }
}

struct Reader<'s, 'p> {
    file: &'s str,
    source: &'s str,
    /// The named targets of `next`, to be looked up once all steps are known.
    targets: Vec<(String, Place)>,
    problems: &'p mut Problems,
}

impl Reader<'_, '_> {
    fn workflow(mut self, root: &Node) -> Option<Workflow> {
        let fields = Fields::of(root, &FILE, self.problems)?;
        let name = self.file_name(&fields);
        let description = fields.text("description", self.problems).map(String::from);
        let steps = self.steps(&fields)?;
        let description = description.unwrap_or_default();
        Some(Workflow { name, description, steps, location: self.file.into(), ..Workflow::default() })
    }

    fn file_name(&mut self, fields: &Fields) -> String {
        let stem = stem(self.file);
        let Some(name) = fields.required_text("name", self.problems) else { return String::new() };
        if name != stem {
            let place = fields.place_of("name");
            let what = format!("the name {} is not the file's, {}", quoted(name), quoted(stem));
            self.problems.add(place, what, format!("write `name: {stem}`, or rename the file"));
        }
        name.into()
    }

    /// Reads the steps. What is no step leaves an empty one, so that an index means the same here and in the file.
    fn steps(&mut self, fields: &Fields) -> Option<Vec<Step>> {
        let items = fields.required_list("steps", self.problems)?;
        if items.is_empty() {
            let place = fields.place_of("steps");
            self.problems.add(place, "`steps` is empty", "a workflow needs a step; the first is its entry");
        }
        let steps = items.iter().map(|item| self.step(item).unwrap_or_default()).collect();
        let names = self.names(items);
        self.check_targets(&names);
        Some(steps)
    }

    /// Collects the steps' names and reports those given twice, with both places.
    fn names<'n>(&mut self, items: &'n [Node]) -> BTreeMap<&'n str, Place> {
        let mut names: BTreeMap<&str, Place> = BTreeMap::new();
        for name in items.iter().filter_map(|item| item.get("name")) {
            let Some(text) = name.text() else { continue };
            if let Some(first) = names.get(text) {
                let what = format!("a step named {} stands at {}:{} already", quoted(text), first.line, first.column);
                self.problems.add(name.place, what, "give each step a name of its own");
            } else {
                names.insert(text, name.place);
            }
        }
        names
    }

    fn check_targets(&mut self, names: &BTreeMap<&str, Place>) {
        for (target, place) in core::mem::take(&mut self.targets) {
            if names.contains_key(target.as_str()) {
                continue;
            }
            let near = if self.problems.is_full() { Vec::new() } else { nearest(&target, names.keys().copied()) };
            let hint = match near.as_slice() {
                [] => "name a step of this file, or `null` to end".into(),
                near => did_you_mean(near),
            };
            self.problems.add(place, format!("no step is named {}", quoted(&target)), hint);
        }
    }

    fn step(&mut self, item: &Node) -> Option<Step> {
        let fields = Fields::of(item, &STEP, self.problems)?;
        let name = fields.required_text("name", self.problems).unwrap_or_default();
        self.check_name(name, fields.place_of("name"));
        Some(Step {
            name: name.into(),
            work: Work::Agent(self.agent(&fields)),
            next: fields.get("next").and_then(|node| self.target(node)),
            conditions: self.conditions(&fields),
            prompt: self.prompt(&fields),
            complexity: self.complexity(&fields),
            ..Step::default()
        })
    }

    /// A name stands in comments and on command lines: nothing in it may end a marker or a line.
    fn check_name(&mut self, name: &str, place: Place) {
        if name.trim() != name
            || name.contains(|c: char| c.is_control() || matches!(c, '<' | '>' | '\u{2028}' | '\u{2029}'))
        {
            let hint = "no control characters, no `<` or `>`, no space at its ends";
            self.problems.add(place, format!("{} cannot be a step's name", quoted(name)), hint);
        }
    }

    /// A role is written behind `@@` and into markers: letters, digits, `-` and `_` only.
    fn agent(&mut self, fields: &Fields) -> String {
        let elsewhere = INSTEAD_OF_AGENT.iter().any(|key| fields.get(key).is_some());
        if elsewhere && fields.get("agent").is_none() {
            return String::new();
        }
        let agent = fields.required_text("agent", self.problems).unwrap_or_default();
        if !agent.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')) {
            let what = format!("{} cannot be a role", quoted(agent));
            self.problems.add(fields.place_of("agent"), what, "ASCII letters, digits, `-` and `_` can be in one");
        }
        agent.into()
    }

    /// Reads where a route leads; a null is the end.
    fn target(&mut self, node: &Node) -> Option<String> {
        match &node.value {
            Value::Scalar { .. } if node.is_null() => None,
            Value::Scalar { text, .. } => {
                self.targets.push((text.clone(), node.place));
                Some(text.clone())
            }
            Value::List(_) | Value::Map(_) => {
                let what = format!("`next` must be a step's name or null, not {}", node.kind());
                self.problems.add(node.place, what, "for several routes use `conditions`");
                None
            }
        }
    }

    fn conditions(&mut self, fields: &Fields) -> Vec<Condition> {
        let items = fields.list("conditions", self.problems).unwrap_or_default();
        let mut conditions: Vec<Condition> = Vec::new();
        for item in items {
            let Some(condition) = self.condition(item) else { continue };
            if conditions.iter().any(|earlier| earlier.on_result.eq_ignore_ascii_case(&condition.on_result)) {
                let what =
                    format!("the result {} is taken by a condition before this one", quoted(&condition.on_result));
                self.problems.add(item.place, what, "leave one of the two out");
            }
            conditions.push(condition);
        }
        conditions
    }

    fn condition(&mut self, item: &Node) -> Option<Condition> {
        let fields = Fields::of(item, &CONDITION, self.problems)?;
        let on_result = fields.required_text("on_result", self.problems).map(String::from);
        let next = fields.get("next").map(|node| self.target(node));
        if next.is_none() {
            self.problems.add(item.place, "this condition does not say `next`", "write `next: null` to end");
        }
        Some(Condition { on_result: on_result?, next: next? })
    }

    fn prompt(&mut self, fields: &Fields) -> Option<String> {
        let prompt = fields.text("prompt", self.problems)?;
        if prompt.contains("{{") {
            let place = self.within(fields.place_of("prompt"), "{{");
            let what = "this version does not fill in `{{ … }}` yet, and the agent must not get it as it stands";
            self.problems.add(place, what, "leave it out; the agent gets the recent thread anyway");
        }
        Some(prompt.into()).filter(|prompt: &String| !prompt.trim().is_empty())
    }

    /// Gives the place of some text inside a scalar, or the scalar's where the text is not written literally.
    fn within(&self, scalar: Place, text: &str) -> Place {
        let written = self.source.get(scalar.start..scalar.end).unwrap_or_default();
        let Some(offset) = memchr::memmem::find(written.as_bytes(), text.as_bytes()) else { return scalar };
        let before = &written[..offset];
        let start = scalar.start + offset;
        let line_start = before.rfind(['\n', '\r']).map(|end| end + 1);
        let lines = before.replace("\r\n", "\n").matches(['\n', '\r']).count();
        let column = match line_start {
            Some(line_start) => 1 + before[line_start..].chars().count(),
            None => scalar.column + before.chars().count(),
        };
        Place { line: scalar.line + lines, column, start, end: start + text.len() }
    }

    fn complexity(&mut self, fields: &Fields) -> Option<Complexity> {
        let word = fields.text("complexity", self.problems)?;
        let found = TIERS.iter().find(|(name, _)| *name == word).map(|(_, tier)| *tier);
        if found.is_none() {
            let hint = did_you_mean(&nearest(word, TIERS.map(|(name, _)| name)));
            let hint = if hint.is_empty() { "`low`, `medium` or `high`".into() } else { hint };
            self.problems.add(fields.place_of("complexity"), format!("{} is no complexity", quoted(word)), hint);
        }
        found
    }
}

const TIERS: [(&str, Complexity); 3] =
    [("low", Complexity::Low), ("medium", Complexity::Medium), ("high", Complexity::High)];

/// Gives a file's name without folders, the `built-in:` of the compiled-in set and the extension.
fn stem(file: &str) -> &str {
    let name = file.strip_prefix("built-in:").unwrap_or(file);
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).unwrap_or(name)
}

#[cfg(test)]
mod tests;
