//! Where a step of the history ran: its stack of mounts, which entries do not say themselves.
//!
//! An entry holds the stack that its step led to. Where the entry before it led to this step, that is where it ran; a
//! step that a person started is looked for around the place it led to.

use alloc::vec::Vec;

use crate::{
    state::{HistoryEntry, StepRef},
    workflow::{Callee, DEPTH_MAX, Library},
};

/// Gives the stack that an entry's step ran at, by the workflows as they are now.
pub(crate) fn ran_at(library: Library<'_>, history: &[HistoryEntry], at: usize) -> Vec<StepRef> {
    let Some(entry) = history.get(at) else { return Vec::new() };
    let before = at.checked_sub(1).and_then(|before| history.get(before)).map(|before| &before.position);
    match before.filter(|stack| stack.last().is_some_and(|leaf| leaf.step == entry.step)) {
        Some(stack) => stack.clone(),
        None => around(library, &entry.position, &entry.step).unwrap_or_else(|| entry.position.clone()),
    }
}

/// Looks for a step: as a frame of the stack, as a step of a frame's workflow, then in what such a workflow mounts.
fn around(library: Library<'_>, stack: &[StepRef], step: &str) -> Option<Vec<StepRef>> {
    if let Some(at) = stack.iter().rposition(|frame| frame.step == step && !frame.called) {
        return Some(stack[..=at].to_vec());
    }
    let has_step = |frame: &StepRef| library.get(&frame.workflow).is_some_and(|flow| flow.step(step).is_some());
    if let Some(at) = stack.iter().rposition(has_step) {
        let mut found = stack[..=at].to_vec();
        found[at].step = step.into();
        return Some(found);
    }
    (0..stack.len()).rev().find_map(|at| below(library, stack[..=at].to_vec(), step))
}

/// Looks for a step in what the workflow of the last frame mounts, and in what that mounts.
fn below(library: Library<'_>, stack: Vec<StepRef>, step: &str) -> Option<Vec<StepRef>> {
    let leaf = stack.last()?;
    let workflow = library.get(&leaf.workflow).filter(|_| stack.len() < DEPTH_MAX)?;
    workflow.steps.iter().find_map(|mounting| {
        let Some(Callee::Found(key, callee)) = library.callee(&leaf.workflow, &mounting.work) else { return None };
        if stack.iter().any(|frame| frame.workflow == key) {
            return None;
        }
        let mut inner = stack.clone();
        inner.last_mut()?.step.clone_from(&mounting.name);
        inner.push(StepRef { workflow: key, step: step.into(), ..StepRef::default() });
        if callee.step(step).is_some() { Some(inner) } else { below(library, inner, step) }
    })
}

#[cfg(test)]
mod tests {
    use alloc::{collections::BTreeMap, format, string::String};

    use super::*;
    use crate::{stage::path, workflow};

    fn stack(text: &str) -> Vec<StepRef> {
        let frame = |at: &str| {
            let (workflow, step) = at.split_once('/').expect("a/b");
            let called = step.ends_with('*');
            let step = step.trim_end_matches('*').into();
            StepRef { workflow: workflow.into(), step, called, ..StepRef::default() }
        };
        text.split('|').map(frame).collect()
    }

    #[test]
    fn a_step_is_found_where_it_ran() {
        let own: BTreeMap<String, _> = [
            ("o", "{name: m, workflow: i, next: e}, {name: e, agent: dev}"),
            ("i", "{name: a, agent: dev}, {name: n, workflow: l}"),
            ("l", "{name: z, agent: dev}"),
        ]
        .map(|(name, steps)| {
            let read = workflow::parse(&format!("{name}.yaml"), &format!("name: {name}\nsteps: [{steps}]\n"));
            (name.into(), read.expect("a sound workflow"))
        })
        .into();
        let check = |before: Option<&str>, step: &str, led_to: &str, wanted: &str| {
            let entry = |step: &str, at: &str| HistoryEntry {
                step: step.into(),
                position: stack(at),
                ..HistoryEntry::default()
            };
            let mut history: Vec<_> = before.map(|at| entry("before", at)).into_iter().collect();
            history.push(entry(step, led_to));
            assert_eq!(path(&ran_at(Library::of(&own), &history, history.len() - 1)), wanted, "{step} led to {led_to}");
        };
        check(Some("o/m|i/a"), "a", "o/e", "o/m|i/a");
        // Both left a mount, at a gate and behind it.
        check(None, "a", "o/m", "o/m|i/a");
        check(None, "a", "o/e", "o/m|i/a");
        check(None, "z", "o/e", "o/m|i/n|l/z");
        check(Some("o/e"), "a", "o/m|i/n|l/z", "o/m|i/a");
        check(None, "e", "o/e", "o/e");
        check(None, "m", "o/m|i/a", "o/m");
        check(None, "a", "o/m|i/a|i/n*", "o/m|i/a");
        check(None, "gone", "o/e", "o/e");
    }
}
