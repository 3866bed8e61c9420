//! Where a step of the history ran: its stack of mounts, which entries do not say themselves.
//!
//! An entry holds the stack that its step led to. Where the entry before it led to this step, that is where it ran; a
//! step that a person started is looked for around the place it led to.

use alloc::{
    collections::{BTreeSet, VecDeque},
    string::String,
    vec::Vec,
};

use crate::{
    state::{HistoryEntry, StepRef},
    workflow::{Callee, DEPTH_MAX, Library, Work, Workflow},
};

/// Gives the stack that an entry's step ran at, by the workflows as they are now.
pub(crate) fn ran_at(library: Library<'_>, history: &[HistoryEntry], at: usize) -> Vec<StepRef> {
    let Some(entry) = history.get(at) else { return Vec::new() };
    let before = at.checked_sub(1).and_then(|before| history.get(before)).map(|before| &before.position);
    match before.filter(|stack| stack.last().is_some_and(|leaf| leaf.step == entry.step)) {
        Some(stack) => stack.clone(),
        None => around(library, &entry.position, entry).unwrap_or_else(|| entry.position.clone()),
    }
}

/// Looks for a step: as a frame of the stack, as a step of a frame's workflow, then in what such a workflow mounts.
fn around(library: Library<'_>, stack: &[StepRef], entry: &HistoryEntry) -> Option<Vec<StepRef>> {
    let fits = |frame: &StepRef| library.get(&frame.workflow).is_some_and(|flow| could_be(flow, entry));
    if let Some(at) = stack.iter().rposition(|frame| frame.step == entry.step && !frame.called && fits(frame)) {
        return Some(stack[..=at].to_vec());
    }
    if let Some(at) = stack.iter().rposition(fits) {
        let mut found = stack[..=at].to_vec();
        found[at].step.clone_from(&entry.step);
        return Some(found);
    }
    let mut seen = BTreeSet::new();
    (0..stack.len()).rev().find_map(|at| below(library, stack[..=at].to_vec(), entry, &mut seen))
}

/// Tells whether a step of a workflow can have left an entry: a mount leaves none, and a step has one role. Older states
/// do not say which.
fn could_be(workflow: &Workflow, entry: &HistoryEntry) -> bool {
    workflow.step(&entry.step).is_some_and(|step| match &step.work {
        Work::Agent(_) | Work::Script(_) => entry.agent.is_empty() || step.role() == entry.agent,
        Work::Workflow(_) | Work::Repo(_) => false,
    })
}

/// Looks for a step in what the workflow of the last frame mounts, and in what that mounts, level by level. A workflow
/// that was looked into is not looked into again: there are more ways down than workflows.
fn below(
    library: Library<'_>,
    stack: Vec<StepRef>,
    entry: &HistoryEntry,
    seen: &mut BTreeSet<String>,
) -> Option<Vec<StepRef>> {
    let mut open = VecDeque::from([stack]);
    while let Some(stack) = open.pop_front() {
        let leaf = stack.last()?;
        let Some(workflow) = library.get(&leaf.workflow).filter(|_| stack.len() <= DEPTH_MAX) else { continue };
        for mounting in &workflow.steps {
            let Some(Callee::Found(key, callee)) = library.callee(&leaf.workflow, &mounting.work) else { continue };
            if stack.iter().any(|frame| frame.workflow == key) || !seen.insert(key.clone()) {
                continue;
            }
            let mut inner = stack.clone();
            inner.last_mut()?.step.clone_from(&mounting.name);
            inner.push(StepRef { workflow: key, step: entry.step.clone(), ..StepRef::default() });
            if could_be(callee, entry) {
                return Some(inner);
            }
            open.push_back(inner);
        }
    }
    None
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
            ("same", "{name: build, workflow: twin, next: after}, {name: after, agent: dev}"),
            ("twin", "{name: build, agent: dev}"),
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
        // A mount leaves no entry, so it is the step inside that has its name.
        check(None, "build", "same/after", "same/build|twin/build");
        check(None, "build", "same/build|twin/build", "same/build|twin/build");
        check(None, "a", "o/m|i/a|i/n*", "o/m|i/a");
        check(None, "gone", "o/e", "o/e");
    }

    #[test]
    fn many_ways_down_are_few_workflows() {
        let own: BTreeMap<String, _> = (0..15)
            .map(|at| {
                let name = format!("w{at}");
                let mount = |step: &str| format!("{{name: {step}, workflow: w{}, next: null}}", at + 1);
                let steps = [mount("a"), mount("b"), mount("c")].join(", ");
                let steps = if at == 14 { "{name: z, agent: dev}".into() } else { steps };
                let read = workflow::parse(&format!("{name}.yaml"), &format!("name: {name}\nsteps: [{steps}]\n"));
                (name, read.expect("a sound workflow"))
            })
            .collect();
        let entry = |step: &str| HistoryEntry { step: step.into(), position: stack("w0/a"), ..HistoryEntry::default() };
        // Three to the fourteenth ways lead to the bottom.
        assert_eq!(ran_at(Library::of(&own), &[entry("z")], 0).len(), 15);
        assert_eq!(ran_at(Library::of(&own), &[entry("gone")], 0), stack("w0/a"));
    }
}
