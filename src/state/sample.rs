//! Small threads and states for the tests of this room.

use alloc::{format, string::String, vec::Vec};

use crate::{
    ids::Identity,
    snapshot::{Account, Comment, ThreadSnapshot},
    state::{Authority, HistoryEntry, WorkflowState, render_block},
};

/// The engine's account.
pub(super) const ENGINE: (u64, &str) = (9001, "engine-owner");
/// Anybody.
pub(super) const STRANGER: (u64, &str) = (777, "stranger");

/// The authority of a run whose token is the engine's.
pub(super) fn engine() -> Authority<'static> {
    Authority { actor: Some(Identity::new(ENGINE.0, ENGINE.1)), trusted_actors: &[], above: 0 }
}

/// A comment.
pub(super) fn comment(id: u64, (user_id, login): (u64, &str), body: impl Into<String>) -> Comment {
    let user = Account { id: user_id, login: login.into(), kind: "User".into(), ..Account::default() };
    Comment {
        id,
        body: body.into(),
        user,
        created_at: format!("2026-10-02T00:00:{:02}Z", id % 60),
        ..Comment::default()
    }
}

/// A step's output by the engine, with a state.
pub(super) fn output(id: u64, state: &WorkflowState) -> Comment {
    comment(id, ENGINE, output_body(&render_block(state)))
}

/// The body of a step's output around a block.
pub(super) fn output_body(block: &str) -> String {
    format!("<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->\n\nDone.\n\n{block}\n")
}

/// A notice by the engine, with a state.
pub(super) fn notice(id: u64, state: &WorkflowState) -> Comment {
    comment(id, ENGINE, format!("<!-- bot-workflow-terminal -->\n\nWaiting.\n\n{}\n", render_block(state)))
}

/// A block around raw JSON.
pub(super) fn block(json: &str) -> String {
    format!("<!-- WORKFLOW_STATE_START -->\n{json}\n<!-- WORKFLOW_STATE_END -->")
}

/// A thread of some comments.
pub(super) fn thread(comments: Vec<Comment>) -> ThreadSnapshot {
    ThreadSnapshot { comments, complete: true, ..ThreadSnapshot::default() }
}

/// A state of a run, with so many steps behind it.
pub(super) fn state(run_id: u64, steps: usize) -> WorkflowState {
    let history = (0..steps).map(entry).collect();
    WorkflowState { run_id, workflow: "default".into(), step: "dev".into(), history, ..WorkflowState::default() }
}

/// The entry of a step, told apart by its number.
pub(super) fn entry(number: usize) -> HistoryEntry {
    HistoryEntry {
        step: format!("step-{number}"),
        agent: "dev".into(),
        summary: "Did what was asked.".into(),
        inject_context: true,
        ..HistoryEntry::default()
    }
}
