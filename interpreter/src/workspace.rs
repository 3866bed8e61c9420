//! Workspace tools: what an agent may do in the checkout, within the bounds the core gives (decision 8).
//!
//! `place` says which paths may be touched at all, `bounds` when it is enough, `file` how a file is read as text; each
//! tool has a file of its own. What a use means, and whether an agent may make it, is for the core.

use nebuko::{
    event::Outcome,
    workspace::{ToolDone, ToolUse, WorkspaceTool},
};

use crate::{secret::Masker, surroundings::Surroundings};

mod bounds;
mod edit;
mod file;
mod folder;
mod list;
mod place;
mod read;
mod search;
#[cfg(test)]
mod tests;
mod write;

use bounds::Bounds;
use place::Ground;

pub(crate) use place::inside;

/// Uses a tool in the checkout. Whatever goes wrong is an answer too: it says what to do instead.
pub(crate) fn run(used: &ToolUse, around: &Surroundings) -> Outcome {
    let began = around.clock.elapsed_ms();
    let bounds = Bounds::of(used, &*around.clock);
    let came = match &around.workplace.checkout {
        Some(checkout) => {
            Ground::of(&checkout.folder).and_then(|ground| done(&used.tool, &ground, &bounds, &around.masker))
        }
        None => Err(NO_CHECKOUT.into()),
    };
    let (ok, text) = came.map_or_else(|why| (false, why), |text| (true, text));
    // Names and messages can hold a secret too, and what is cut after it was masked holds no half of one.
    let text = bounds.cut(around.masker.mask(&text).into_owned());
    let took_ms = around.clock.elapsed_ms().saturating_sub(began);
    Outcome::ToolUsed { done: Box::new(ToolDone { ok, text, took_ms }) }
}

fn done(tool: &WorkspaceTool, ground: &Ground, bounds: &Bounds<'_>, masker: &Masker) -> Result<String, String> {
    match tool {
        WorkspaceTool::ListFiles { path } => list::list(ground, path, bounds),
        WorkspaceTool::ReadFile { path, from_line, lines } => {
            read::read(ground, path, (*from_line, *lines), bounds, masker)
        }
        WorkspaceTool::SearchText { text, path } => search::search(ground, text, path, bounds, masker),
        WorkspaceTool::WriteFile { path, text } => write::write(ground, path, text),
        WorkspaceTool::ApplyEdit { path, old, new } => edit::edit(ground, path, (old, new), masker),
    }
}

/// A thread that is only read from a file has no checkout beside it.
const NO_CHECKOUT: &str = "there is no checkout here, so nothing can be listed, read, searched or written; go on \
                           without, and say in the report what could not be looked at";
