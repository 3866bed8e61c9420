//! The way of a thread from bytes to a request, phase by phase, as a run goes it: parse, reconcile, render.

use std::collections::BTreeMap;

use nebuko::{
    agent::Message,
    ids::Identity,
    prompt::{Block, PromptInput, build, to_messages},
    setup::PromptOrder,
    snapshot::ThreadSnapshot,
    state::ThreadRecord,
    thread::{View, reconcile},
};
use serde_json::{Error, Value};

use crate::{ACTOR, INITIATOR};

/// Whose eyes a generated thread is seen through.
#[derive(Clone, Debug)]
pub struct Eyes {
    actor: Identity,
    trigger: Identity,
}

impl Default for Eyes {
    fn default() -> Self {
        Self { actor: Identity::new(ACTOR.0, ACTOR.1), trigger: Identity::new(INITIATOR.0, INITIATOR.1) }
    }
}

impl Eyes {
    fn view(&self) -> View<'_> {
        View { actor: Some(&self.actor), trigger: Some(&self.trigger), ..View::default() }
    }
}

/// Parses a thread.
///
/// # Errors
/// Gives what `serde_json` says where the bytes are no thread.
pub fn parse(json: &[u8]) -> Result<ThreadSnapshot, Error> {
    serde_json::from_slice(json)
}

/// Folds a thread into a ledger from nothing, as the first run on it does.
pub fn reconciled(thread: &ThreadSnapshot, eyes: &Eyes) -> Vec<ThreadRecord> {
    reconcile(Vec::new(), thread, &eyes.view())
}

/// Folds a thread into a ledger that knows it, as every later run does.
pub fn reconciled_again(ledger: Vec<ThreadRecord>, thread: &ThreadSnapshot, eyes: &Eyes) -> Vec<ThreadRecord> {
    reconcile(ledger, thread, &eyes.view())
}

/// Renders the prompt of a step, with a window of all records.
pub fn rendered<'a>(thread: &'a ThreadSnapshot, ledger: &'a [ThreadRecord]) -> Vec<Block<'a>> {
    build(&PromptInput {
        skills: &[],
        discoverable: &[],
        inputs: &[],
        thread,
        ledger,
        pinned: &[],
        history_comment_count: None,
        had_ledger: true,
        order: PromptOrder::ThreadFirst,
        record_chars: 16_000,
        role: "dev",
        role_prompt: "You write code.",
        workflow: "default",
        step: "dev",
        step_prompt: None,
        fields: &[],
        to_cover: "",
        current_context: &NO_CONTEXT,
        request: None,
    })
}

/// Renders the prompt into the messages of a request.
pub fn messages(blocks: &[Block<'_>]) -> Vec<Message> {
    to_messages(blocks, false)
}

static NO_CONTEXT: BTreeMap<String, Value> = BTreeMap::new();
