//! The keys of a map: what can be one, and which stand there twice.

use alloc::{collections::BTreeMap, format, vec::Vec};

use super::{Key, Node, Place, Problems, Style, Value, quoted};

/// What a map waits for.
pub(super) enum Slot {
    Key,
    ValueOf(Key),
    /// The value of a key that was refused: it is dropped.
    Dropped,
}

/// Takes what stands in a key's place.
pub(super) fn slot_of(node: Node, problems: &mut Problems) -> Slot {
    match node.value {
        Value::Scalar { text, style: Style::Plain } if text == "<<" => {
            problems.add(node.place, "the merge key `<<` is not read here", "write the keys out");
            // It stays, so that nobody misses the keys that were meant to come with it.
            Slot::ValueOf(Key { place: node.place, text })
        }
        Value::Scalar { text, .. } => Slot::ValueOf(Key { place: node.place, text }),
        Value::List(_) | Value::Map(_) => {
            problems.add(node.place, "a key must be a text", "quote it, or put a space after the `:`");
            Slot::Dropped
        }
    }
}

/// Reports keys that stand twice, with both places, and keeps the first of each.
pub(super) fn first_of_each(mut entries: Vec<(Key, Node)>, problems: &mut Problems) -> Vec<(Key, Node)> {
    let mut seen: BTreeMap<&str, Place> = BTreeMap::new();
    let mut repeated = Vec::new();
    for (index, (key, _)) in entries.iter().enumerate() {
        if let Some(first) = seen.get(key.text.as_str()) {
            let what = format!("the key {} stands here and at {}:{}", quoted(&key.text), first.line, first.column);
            problems.add(key.place, what, "keep one of them").rule("L19").related(*first, "it stands here first");
            repeated.push(index);
        } else {
            seen.insert(&key.text, key.place);
        }
    }
    if !repeated.is_empty() {
        let mut index = 0;
        entries.retain(|_| {
            index += 1;
            repeated.binary_search(&(index - 1)).is_err()
        });
    }
    entries
}
