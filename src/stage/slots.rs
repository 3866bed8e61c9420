//! `{{ STEP }}` in a step's prompt: the newest comment of another step, put in once and never looked at again.

use alloc::{borrow::Cow, string::String};

use crate::{
    stage::{Known, Scene, Start, outputs::output},
    text,
    workflow::template::{Piece, pieces},
};

/// Puts the outputs of other steps into a prompt. A step that has not run yet leaves a note: in a loop that is how it
/// begins.
///
/// # Errors
/// A name that no step of the workflow has, or a slot that is none, in words. Lint finds both before a run does.
pub(crate) fn filled<'p>(
    scene: Scene<'_>,
    known: &Known,
    start: &Start,
    prompt: &'p str,
) -> Result<Cow<'p, str>, String> {
    if !prompt.contains("{{") {
        return Ok(Cow::Borrowed(prompt));
    }
    let workflow = known.library(scene.setup).get(&start.workflow);
    let limit = scene.setup.settings.limits.input_chars;
    let mut filled = String::with_capacity(prompt.len());
    for piece in pieces(prompt) {
        match piece.map_err(|bad| text::slot_is_bad(bad.why))? {
            Piece::Text(words) => filled.push_str(words),
            Piece::Slot { name, .. } if workflow.is_none_or(|workflow| workflow.step(name).is_none()) => {
                return Err(text::slot_is_unknown(name));
            }
            Piece::Slot { name, .. } => match output(scene, known, &start.workflow, name) {
                Some(output) => filled.push_str(&text::cut_with_note(&output, limit)),
                None => filled.push_str(&text::slot_is_empty(name)),
            },
        }
    }
    Ok(Cow::Owned(filled))
}
