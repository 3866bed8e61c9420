//! What steps have posted: the text that a reference to a step stands for.

use alloc::{string::String, vec::Vec};

use crate::{
    markdown::without_engine_text,
    stage::{Known, Scene, ran_at},
    state::HistoryEntry,
    workflow::{Callee, DEPTH_MAX},
};

/// Gives the newest output of a step that is named as `workflow:W/step:S`.
pub(crate) fn output_at(scene: Scene<'_>, known: &Known, place: &str) -> Option<String> {
    let (workflow, step) = place.strip_prefix("workflow:")?.rsplit_once("/step:")?;
    output(scene, known, workflow, step)
}

/// Gives the newest output of a step: its comments as they stand in the thread, without what is the engine's. A step
/// that mounts a workflow has the outputs of that.
pub(crate) fn output(scene: Scene<'_>, known: &Known, workflow: &str, step: &str) -> Option<String> {
    let mut texts = Vec::new();
    collect(scene, known, (workflow, step), DEPTH_MAX, &mut texts);
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

fn collect(scene: Scene<'_>, known: &Known, at: (&str, &str), depth: usize, texts: &mut Vec<String>) {
    let library = known.library(scene.setup);
    let found = library.get(at.0).and_then(|workflow| workflow.step(at.1));
    match found.and_then(|step| library.callee(at.0, &step.work)) {
        Some(Callee::Found(key, callee)) if depth > 0 => {
            callee.outputs.iter().for_each(|name| collect(scene, known, (&key, name), depth - 1, texts));
        }
        Some(_) => {}
        None => texts.extend(posted(scene, known, at)),
    }
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
