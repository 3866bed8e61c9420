//! A file against the grammar: known keys, each once, the right kind of value behind each.
//!
//! Everything here is told by one map alone. What takes a look at several is for the owner of the table.

use alloc::{format, string::String, vec::Vec};

use super::{
    Kind, Scope, With,
    spot::{Spot, Trail},
};
use crate::{
    nearest::{did_you_mean, nearest},
    yaml::{Key, Node, Problems, quoted},
};

mod value;

/// Reports everything in a map that its scope does not allow.
pub(crate) fn check(root: &Node, scope: &'static Scope, problems: &mut Problems) {
    Checker { problems, trail: Trail::default() }.map(root, scope);
}

struct Checker<'n, 'p> {
    problems: &'p mut Problems,
    trail: Trail<'n>,
}

impl<'n> Checker<'n, '_> {
    fn map(&mut self, node: &'n Node, scope: &'static Scope) {
        let Some(entries) = node.entries() else {
            let what = format!("{} is a map of keys, not {}", scope.of, node.kind());
            let first = scope.keys.first().map_or("", |key| key.name);
            self.problems.add(node.place, what, format!("it starts with `{first}: …`")).rule("L20");
            return;
        };
        if scope.has_name {
            self.trail = Trail { step: node.get("name").and_then(Node::text), ..Trail::default() };
        }
        for (key, value) in entries {
            match scope.key(&key.text) {
                Some(known) => self.value(value, &known.kind, Spot::of(known.name)),
                None if key.is_merge() => {}
                None => self.unknown(key, scope),
            }
        }
        let is_lacking = |name: &str| node.get(name).is_none() && !node.has_merge();
        for key in scope.keys.iter().filter(|key| key.required && is_lacking(key.name)) {
            self.problems.add(node.place, format!("{} needs `{}`", scope.of, key.name), "").rule("L20");
        }
        self.exactly_one(node, scope);
        self.with(node, scope);
    }

    fn unknown(&mut self, key: &Key, scope: &Scope) {
        let name = key.text.as_str();
        let hint = match below(scope, name) {
            Some(map) => format!("it is a key of `{map}`: `{map}: {{{name}: …}}`"),
            None => self.did_you_mean(name, scope.names()),
        };
        self.problems.add(key.place, format!("{} has no key {}", scope.of, quoted(name)), hint).rule("L19");
    }

    /// Of some keys exactly one is there.
    fn exactly_one(&mut self, node: &Node, scope: &Scope) {
        if scope.exactly_one.is_empty() {
            return;
        }
        let rule = scope.choice_rule;
        let (choice, entries) = (one_of(scope.exactly_one), node.entries().unwrap_or_default());
        let mut there = entries.iter().map(|(key, _)| key).filter(|key| scope.exactly_one.contains(&key.text.as_str()));
        let Some(first) = there.next() else {
            if node.has_merge() {
                return;
            }
            self.problems.add(node.place, format!("{} needs {choice}", scope.of), "").rule(rule);
            return;
        };
        for other in there {
            let what = format!("{} has either `{}` or `{}`", scope.of, first.text, other.text);
            let hint = format!("keep one of {choice}");
            self.problems.add(other.place, what, hint).rule(rule).related(first.place, "the other stands here");
        }
    }

    /// Some keys of a step make sense with some works only.
    fn with(&mut self, node: &Node, scope: &'static Scope) {
        let work = scope.exactly_one.iter().find(|work| node.get(work).is_some());
        let (Some(work), Some(entries)) = (work, node.entries()) else { return };
        for (key, _) in entries {
            let Some(known) = scope.key(&key.text) else { continue };
            let (fits, hint) = match known.with {
                With::Any => (true, ""),
                With::Agent => (*work == "agent", "only a step with `agent` has one"),
                With::AgentOrMount => (*work != "script", "a script is given its `args` and `env`"),
            };
            if !fits {
                let what = format!("{} with `{work}` has no `{}`", scope.of, known.name);
                self.problems.add(key.place, what, hint).rule("L20");
            }
        }
    }

    /// Looks for near names, unless nobody would see them.
    fn did_you_mean<'k>(&self, name: &str, known: impl Iterator<Item = &'k str>) -> String {
        if self.problems.is_full() { String::new() } else { did_you_mean(&nearest(name, known)) }
    }
}

/// Finds the map of a scope that has a key which stands beside it.
fn below(scope: &Scope, name: &str) -> Option<&'static str> {
    let mut maps = scope.keys.iter().filter(|key| matches!(key.kind, Kind::Map(inner) if inner.key(name).is_some()));
    maps.next().map(|key| key.name)
}

/// Lists words: `` `a`, `b` or `c` ``.
fn one_of(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => format!("`{one}`"),
        [most @ .., last] => {
            let most: Vec<_> = most.iter().map(|word| format!("`{word}`")).collect();
            format!("{} or `{last}`", most.join(", "))
        }
    }
}
