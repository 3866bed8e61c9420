//! What may stand once in a list: names, results, fields.

use alloc::{collections::BTreeMap, format};

use crate::{
    setup::key_of_field,
    yaml::{Node, Place, Problems, quoted},
};

/// Collects texts and reports those that stand twice, with both places.
pub(crate) fn each_once<'n, K: Ord>(
    nodes: impl Iterator<Item = &'n Node>,
    what_it_is: &str,
    rule: &'static str,
    key: impl Fn(&'n str) -> K,
    problems: &mut Problems,
) -> BTreeMap<K, Place> {
    let mut seen: BTreeMap<K, Place> = BTreeMap::new();
    for node in nodes {
        let Some(text) = node.text() else { continue };
        let Some(first) = seen.get(&key(text)) else {
            seen.insert(key(text), node.place);
            continue;
        };
        let what = format!("{what_it_is} {} stands at {}:{} already", quoted(text), first.line, first.column);
        let added = problems.add(node.place, what, "rename one of the two, or leave it out");
        added.rule(rule).related(*first, "it stands here first");
    }
    seen
}

/// Reports the fields of a report that have the same heading.
pub(crate) fn fields(output: &Node, problems: &mut Problems) {
    let fields = output.get("fields").and_then(Node::items).unwrap_or_default();
    let names = fields.iter().filter_map(|field| if field.text().is_some() { Some(field) } else { field.get("name") });
    each_once(names, "a field with the heading of", "L20", key_of_field, problems);
}
