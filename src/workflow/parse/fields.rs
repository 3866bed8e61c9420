//! The keys of one map in a workflow file: which are known, and what may stand in them.

use alloc::{format, vec::Vec};

use super::{Key, Node, Place, Problems, quoted};
use crate::nearest::{did_you_mean, nearest};

/// The keys that a kind of map may have.
pub(super) struct Keys {
    /// What the map is, for messages.
    pub(super) of: &'static str,
    /// What this version obeys.
    pub(super) known: &'static [&'static str],
    /// What the grammar has and this version cannot obey yet.
    pub(super) later: &'static [&'static str],
}

/// A map whose keys were checked.
pub(super) struct Fields<'n> {
    place: Place,
    entries: &'n [(Key, Node)],
    keys: &'static Keys,
}

impl<'n> Fields<'n> {
    /// Takes a map and reports the keys that are not for this version. `None`: it is no map.
    pub(super) fn of(node: &'n Node, keys: &'static Keys, problems: &mut Problems) -> Option<Self> {
        let Some(entries) = node.entries() else {
            let what = format!("{} is a map of keys, not {}", keys.of, node.kind());
            problems.add(node.place, what, format!("it starts with `{}: …`", keys.known[0]));
            return None;
        };
        for (key, _) in entries {
            keys.check(key, problems);
        }
        Some(Self { place: node.place, entries, keys })
    }

    pub(super) fn get(&self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(own, _)| own.text == key).map(|(_, value)| value)
    }

    /// Gives the place of a key's value, or of the whole map where the key is not there.
    pub(super) fn place_of(&self, key: &str) -> Place {
        self.get(key).map_or(self.place, |node| node.place)
    }

    /// Gives the text of a key that may be absent, but not null.
    pub(super) fn text(&self, key: &str, problems: &mut Problems) -> Option<&'n str> {
        let node = self.get(key)?;
        let text = node.text();
        if text.is_none() {
            let hint = if node.is_null() { "write a text, quoted if it is meant to say null" } else { "" };
            problems.add(node.place, format!("`{key}` must be a text, not {}", node.kind()), hint);
        }
        text
    }

    /// Gives the text of a key that must be there and say something.
    pub(super) fn required_text(&self, key: &str, problems: &mut Problems) -> Option<&'n str> {
        self.require(key, problems)?;
        let text = self.text(key, problems)?;
        if text.trim().is_empty() {
            problems.add(self.place_of(key), format!("`{key}` is empty"), "");
            return None;
        }
        Some(text)
    }

    /// Gives the items of a key that may be absent.
    pub(super) fn list(&self, key: &str, problems: &mut Problems) -> Option<&'n [Node]> {
        let node = self.get(key)?;
        let items = node.items();
        if items.is_none() {
            problems.add(
                node.place,
                format!("`{key}` must be a list, not {}", node.kind()),
                "start each item with `- `",
            );
        }
        items
    }

    /// Gives the items of a key that must be there.
    pub(super) fn required_list(&self, key: &str, problems: &mut Problems) -> Option<&'n [Node]> {
        self.require(key, problems)?;
        self.list(key, problems)
    }

    fn require(&self, key: &str, problems: &mut Problems) -> Option<()> {
        if self.get(key).is_none() {
            problems.add(self.place, format!("{} needs `{key}`", self.keys.of), "");
            return None;
        }
        Some(())
    }
}

impl Keys {
    fn check(&self, key: &Key, problems: &mut Problems) {
        let name = key.text.as_str();
        if self.known.contains(&name) {
            return;
        }
        if self.later.contains(&name) {
            let what = format!("this version cannot run `{name}` yet, and does not pass over it");
            problems.add(key.place, what, format!("leave it out, or use a version that runs `{name}`"));
            return;
        }
        let all = self.known.iter().chain(self.later).copied();
        let near = if problems.is_full() { Vec::new() } else { nearest(name, all) };
        problems.add(key.place, format!("{} has no key {}", self.of, quoted(name)), did_you_mean(&near));
    }
}
