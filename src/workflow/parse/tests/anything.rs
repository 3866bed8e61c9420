//! Whatever the text, there is a sound workflow or a problem, and an index means the same in both.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{stem, *};
use crate::{
    shipped,
    workflow::{
        Step,
        template::{Piece, pieces},
    },
};

/// Tells whether every step that is named anywhere is there.
fn is_sound(workflow: &Workflow, file: &str) -> bool {
    let is_step = |name: &str| workflow.step(name).is_some();
    let sound = |step: &Step| {
        let mut targets =
            step.next.iter().chain(step.conditions.iter().filter_map(|condition| condition.next.as_ref()));
        let mut slots = pieces(step.prompt.as_deref().unwrap_or_default());
        targets.all(|name| is_step(name))
            && slots.all(|piece| match piece {
                Ok(Piece::Text(_)) => true,
                Ok(Piece::Slot { name, .. }) => is_step(name),
                Err(_) => false,
            })
    };
    !workflow.steps.is_empty()
        && workflow.name == stem(file)
        && workflow.steps.iter().all(sound)
        && workflow.outputs.iter().all(|name| is_step(name))
}

/// Tells whether what was read keeps its promises.
fn holds(file: &str, source: &str) -> bool {
    let Parsed { workflow, root, problems } = read(file, source);
    let items = root.as_ref().and_then(|root| root.get("steps")?.items());
    let aligned = match (&workflow, items) {
        (Some(workflow), Some(items)) => {
            workflow.steps.len() == items.len()
                && workflow.steps.iter().zip(items).all(|(step, item)| {
                    let conditions = item.get("conditions").and_then(Node::items).map_or(0, <[Node]>::len);
                    step.name == item.get("name").and_then(Node::text).unwrap_or_default()
                        && step.conditions.len() == conditions
                })
        }
        (None, None) => true,
        _ => false,
    };
    let placed = problems.iter().all(|problem| {
        let related = problem.related.iter().all(|other| source.get(other.start..other.end).is_some());
        let inside = source.get(problem.start..problem.end).is_some();
        related && inside && problem.line > 0 && problem.column > 0 && problem.to_string().starts_with(file)
    });
    let sound = !problems.is_empty() || workflow.is_some_and(|workflow| is_sound(&workflow, file));
    aligned && placed && sound
}

#[test]
fn any_text_is_a_sound_workflow_or_has_problems() {
    fn on_noise(bytes: Vec<u8>) -> bool {
        holds("default.yaml", &String::from_utf8_lossy(&bytes))
    }
    quickcheck::QuickCheck::new().tests(300).quickcheck(on_noise as fn(Vec<u8>) -> bool);
}

/// Cuts out, doubles or replaces stretches of a workflow.
#[test]
fn a_damaged_workflow_is_a_sound_one_or_has_problems() {
    fn on_mutations(cuts: Vec<(usize, u8, u8)>, of_ours: bool) -> bool {
        let whole = if of_ours { super::keys::EVERY_KEY } else { shipped::WORKFLOWS[0].1 };
        let file = if of_ours { "build.yaml" } else { "default.yaml" };
        let mut text: Vec<u8> = whole.bytes().collect();
        for (at, length, kind) in cuts.into_iter().take(4) {
            let start = at % text.len().max(1);
            let end = (start + usize::from(length % 40)).min(text.len());
            let piece: Vec<u8> = match kind % 6 {
                0 => Vec::new(),
                1 => text[start..end].repeat(2),
                2 => b"\n    - [*a, {\"'".to_vec(),
                3 => b"{{ ".to_vec(),
                4 => b"\n  - ".to_vec(),
                _ => Vec::from([kind]),
            };
            text.splice(start..end, piece);
        }
        holds(file, &String::from_utf8_lossy(&text))
    }
    quickcheck::QuickCheck::new().tests(1_500).quickcheck(on_mutations as fn(Vec<(usize, u8, u8)>, bool) -> bool);
}

/// Puts keys and values of the grammar together as they come.
#[test]
fn any_yaml_of_the_grammars_words_is_read_or_has_problems() {
    fn on_words(picks: Vec<(u8, u8)>) -> bool {
        let keys = [
            "name",
            "agent",
            "script",
            "workflow",
            "repo",
            "inputs",
            "outputs",
            "conditions",
            "next",
            "skill",
            "prompt",
            "human_gate",
            "pre_hook",
            "gate",
            "steps",
            "output",
            "x",
        ];
        let values = [
            "a",
            "null",
            "[a]",
            "[null]",
            "{a: b}",
            "[{name: a}]",
            "{command: x, args: [1]}",
            "true",
            "{{ a }}",
            "'{{ a }}'",
            "'{{ b'",
            "[{on_result: x}, y]",
            "{exec: [], str: x}",
            "[]",
            "{}",
            "3",
        ];
        let lines = picks.iter().map(|(key, value)| {
            let key = keys[usize::from(*key) % keys.len()];
            let value = values[usize::from(*value) % values.len()];
            let start = if value.len().is_multiple_of(3) { "  - " } else { "    " };
            format!("{start}{key}: {value}\n")
        });
        holds("build.yaml", &format!("name: build\nsteps:\n  - name: a\n{}", lines.collect::<String>()))
    }
    quickcheck::QuickCheck::new().tests(1_000).quickcheck(on_words as fn(Vec<(u8, u8)>) -> bool);
}
