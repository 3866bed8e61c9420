//! A file as a whole: its name, the names in it, and what refers to them.
//!
//! References of `inputs` are for lint: some of them lead into other files.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use crate::{
    grammar::{read::items, unique},
    nearest::{did_you_mean, nearest},
    workflow::template::{self, Piece},
    yaml::{Node, Place, Problems, as_scalar, quoted},
};

/// Reports the names that stand twice, and what refers to none of them.
pub(super) fn look(file: &str, source: &str, root: &Node, problems: &mut Problems) {
    let mut whole = Whole { source, names: BTreeMap::new(), problems };
    whole.file_name(file, root);
    whole.each_once(values(items(root, "inputs"), "name"), "an input named", "L20", |name| name);
    if root.get("steps").and_then(Node::items).is_some() {
        whole.steps(items(root, "steps"));
        whole.outputs(root);
    }
}

struct Whole<'s, 'p> {
    source: &'s str,
    /// The steps, and where each is named.
    names: BTreeMap<&'s str, Place>,
    problems: &'p mut Problems,
}

impl<'s> Whole<'s, '_> {
    fn file_name(&mut self, file: &str, root: &Node) {
        let Some(node) = root.get("name") else { return };
        let (Some(name), stem) = (node.text(), stem(file)) else { return };
        if name != stem && !name.trim().is_empty() {
            let what = format!("the name {} is not the file's, {}", quoted(name), quoted(stem));
            self.problems
                .add(node.place, what, format!("write `name: {}`, or rename the file", as_scalar(stem)))
                .rule("L4");
        }
    }

    fn steps(&mut self, steps: &'s [Node]) {
        self.names = self.each_once(values(steps, "name"), "a step named", "L1", |name| name);
        for step in steps {
            step.get("next").into_iter().for_each(|target| self.target(target));
            let conditions = items(step, "conditions");
            values(conditions, "next").for_each(|target| self.target(target));
            let results = values(conditions, "on_result");
            self.each_once(results, "a condition for", "L20", str::to_ascii_lowercase);
            self.shorthand(items(step, "inputs"));
            step.get("prompt").into_iter().for_each(|prompt| self.slots(prompt));
            step.get("output").into_iter().for_each(|output| unique::fields(output, self.problems));
        }
    }

    fn each_once<K: Ord>(
        &mut self,
        nodes: impl Iterator<Item = &'s Node>,
        what_it_is: &str,
        rule: &'static str,
        key: impl Fn(&'s str) -> K,
    ) -> BTreeMap<K, Place> {
        unique::each_once(nodes, what_it_is, rule, key, self.problems)
    }

    /// Checks the list form of a step's inputs, which is for steps only: a parameter would have a strange name.
    fn shorthand(&mut self, listed: &'s [Node]) {
        self.each_once(listed.iter(), "an input", "L20", |name| name);
        for node in listed {
            if let Some(parameter) = node.text().and_then(|text| text.strip_prefix("input.")) {
                let what = format!("only steps are listed, and {} is a parameter", quoted(parameter));
                let hint = format!("write a map: `inputs: {{{parameter}: input.{parameter}}}`");
                self.problems.add(node.place, what, hint).rule("L20");
            }
        }
    }

    fn target(&mut self, node: &Node) {
        if let Some(name) = node.text().filter(|name| !self.names.contains_key(name)) {
            self.unknown(node.place, name, "L2", "name a step of this file, or `null` to end");
        }
    }

    fn outputs(&mut self, root: &'s Node) {
        let Some(node) = root.get("outputs") else { return };
        let named: Vec<&Node> = node.items().map_or_else(|| Vec::from([node]), |items| items.iter().collect());
        self.each_once(named.iter().copied(), "an output", "L20", |name| name);
        for node in named {
            if let Some(name) = node.text().filter(|name| !self.names.contains_key(name)) {
                self.unknown(node.place, name, "L10", "an output is a step of this file, whose comment is the result");
            }
        }
    }

    /// Checks what a prompt refers to.
    fn slots(&mut self, prompt: &Node) {
        let Some(text) = prompt.text() else { return };
        for piece in template::pieces(text) {
            match piece {
                Ok(Piece::Text(_)) => {}
                Ok(Piece::Slot { name, start, end }) => {
                    if !self.names.contains_key(name) {
                        let place = self.within(prompt.place, text, start, end);
                        self.unknown(
                            place,
                            name,
                            "L10",
                            "name a step of this file; `inputs` reach the agent by themselves",
                        );
                    }
                }
                Err(bad) => {
                    let place = self.within(prompt.place, text, bad.start, bad.end);
                    let hint = "`{{ STEP }}` stands for a step's comment; other words cannot have two braces";
                    self.problems.add(place, bad.why, hint).rule("L10");
                }
            }
        }
    }

    fn unknown(&mut self, place: Place, name: &str, rule: &'static str, hint: &str) {
        let near = if self.problems.is_full() { Vec::new() } else { nearest(name, self.names.keys().copied()) };
        let hint: String = if near.is_empty() { hint.into() } else { did_you_mean(&near) };
        self.problems.add(place, format!("no step is named {}", quoted(name)), hint).rule(rule);
    }

    /// Gives the place of a stretch of a scalar's text, or the scalar's where the stretch is not written literally.
    ///
    /// Of several equal stretches the one of the same number is meant.
    fn within(&self, scalar: Place, text: &str, start: usize, end: usize) -> Place {
        if self.problems.is_full() {
            return scalar;
        }
        let (stretch, written) = (&text[start..end], self.source.get(scalar.start..scalar.end).unwrap_or_default());
        let earlier = text[..start].matches(stretch).count();
        let Some((offset, _)) = written.match_indices(stretch).nth(earlier) else { return scalar };
        let before = &written[..offset];
        let line_start = before.rfind(['\n', '\r']).map(|end| end + 1);
        let lines = before.replace("\r\n", "\n").matches(['\n', '\r']).count();
        let column = match line_start {
            Some(line_start) => 1 + before[line_start..].chars().count(),
            None => scalar.column + before.chars().count(),
        };
        let start = scalar.start + offset;
        Place { line: scalar.line + lines, column, start, end: start + stretch.len() }
    }
}

/// Gives what stands behind a key in each of some maps.
fn values<'n>(maps: &'n [Node], key: &'static str) -> impl Iterator<Item = &'n Node> {
    maps.iter().filter_map(move |map| map.get(key))
}

/// Gives a file's name without folders, the `built-in:` of the compiled-in set and the extension.
pub(crate) fn stem(file: &str) -> &str {
    let name = file.strip_prefix("built-in:").unwrap_or(file);
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).unwrap_or(name)
}
