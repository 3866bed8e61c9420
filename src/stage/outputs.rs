//! What steps have posted: the text that a reference to a step stands for.

use alloc::{
    collections::BTreeSet,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    markdown::without_engine_text,
    stage::{Known, Scene, ran_at},
    state::HistoryEntry,
    workflow::{Callee, Library},
};

/// Gives the newest output of a step that is named as `workflow:W/step:S`.
pub(crate) fn output_at(scene: Scene<'_>, known: &Known, place: &str) -> Option<String> {
    let (workflow, step) = place.strip_prefix("workflow:")?.rsplit_once("/step:")?;
    output(scene, known, workflow, step)
}

/// Gives the newest output of a step: its comments as they stand in the thread, without what is the engine's. A step
/// that mounts a workflow has the outputs of that.
pub(crate) fn output(scene: Scene<'_>, known: &Known, workflow: &str, step: &str) -> Option<String> {
    let places = places(known.library(scene.setup), workflow, step);
    let texts: Vec<String> =
        places.iter().filter_map(|(workflow, step)| posted(scene, known, (workflow, step))).collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// Gives the steps whose comments are the output of a step, each once, in the order in which they are named.
fn places(library: Library<'_>, workflow: &str, step: &str) -> Vec<(String, String)> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let mut open = Vec::from([(workflow.to_string(), step.to_string())]);
    while let Some(at) = open.pop() {
        if !seen.insert(at.clone()) {
            continue;
        }
        let step = library.get(&at.0).and_then(|workflow| workflow.step(&at.1));
        match step.and_then(|step| library.callee(&at.0, &step.work)) {
            Some(Callee::Found(key, callee)) => {
                open.extend(callee.outputs.iter().rev().map(|name| (key.clone(), name.clone())));
            }
            Some(_) => {}
            None => found.push(at),
        }
    }
    found
}

fn posted(scene: Scene<'_>, known: &Known, at: (&str, &str)) -> Option<String> {
    let entry = newest_entry(scene, known, at)?;
    let comments = entry.comment_ids.iter().filter_map(|id| scene.thread.comment(*id));
    let texts: Vec<String> = comments
        .map(|comment| without_engine_text(&comment.body).trim().into())
        .filter(|text: &String| !text.is_empty())
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// Finds the newest entry of a step of one workflow.
pub(crate) fn newest_entry<'a>(
    scene: Scene<'_>,
    known: &'a Known,
    (workflow, step): (&str, &str),
) -> Option<&'a HistoryEntry> {
    let history = &known.state.history;
    let library = known.library(scene.setup);
    let ran_here = |at: usize| ran_at(library, history, at).last().is_none_or(|leaf| leaf.workflow == workflow);
    (0..history.len()).rev().find(|at| history[*at].step == step && ran_here(*at)).map(|at| &history[at])
}

#[cfg(test)]
mod tests {
    use alloc::{collections::BTreeMap, format};

    use super::*;
    use crate::workflow;

    #[test]
    fn a_step_is_an_output_once_however_often_it_is_named() {
        let own: BTreeMap<String, _> = (0..15)
            .map(|at| {
                let name = format!("w{at}");
                let mount = |step: &str| format!("{{name: {step}, workflow: w{}, next: null}}", at + 1);
                let steps = if at == 14 {
                    "{name: a, agent: dev}, {name: b, agent: dev}".into()
                } else {
                    [mount("a"), mount("b")].join(", ")
                };
                let text = format!("name: {name}\noutputs: [a, b]\nsteps: [{steps}]\n");
                (name.clone(), workflow::parse(&format!("{name}.yaml"), &text).expect("a sound workflow"))
            })
            .collect();
        // Two to the fourteenth ways lead to the same two steps.
        let found = places(Library::of(&own), "w0", "a");
        assert_eq!(found, [("w14".to_string(), "a".to_string()), ("w14".to_string(), "b".to_string())]);
        assert_eq!(places(Library::of(&own), "w14", "b").len(), 1);
        assert_eq!(places(Library::of(&own), "w0", "gone"), [("w0".to_string(), "gone".to_string())]);
    }
}
