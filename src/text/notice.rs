//! What the engine posts in the thread. Calm and short, and each says what happens next.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    command::VERBS,
    event::FailureKind,
    state::{Damage, WorkflowState},
    text::{code, cut, did_you_mean, either},
};

/// The newest state cannot be read.
pub(crate) fn state_damaged(url: &str, comment_id: u64, damage: &Damage) -> String {
    let place = if url.is_empty() { format!("comment {comment_id}") } else { format!("[comment {comment_id}]({url})") };
    format!(
        "The newest workflow state, in {place}, cannot be read: {} (line {}, column {}).\n\n\
         Nothing was changed and nothing will run until somebody decides. Repair that comment, or write \
         `/nebuko recover` to go on from the newest state that can be read.",
        code(&damage.why),
        damage.line,
        damage.column
    )
}

/// An older state counts again.
pub(crate) fn recovered(comment_id: Option<u64>) -> String {
    match comment_id {
        Some(id) => format!("The state of comment {id} counts again. Write `/nebuko retry` to run its step."),
        None => "No older state can be read, so this thread starts anew. Mention a role to begin.".into(),
    }
}

/// Why a recovered workflow waits, for the state.
pub(crate) fn recovered_reason() -> String {
    "an older state was made to count again".into()
}

/// There is nothing to recover from.
pub(crate) fn nothing_to_recover() -> String {
    "The newest state can be read, so there is nothing to recover.".into()
}

/// A state does not fit into a comment, whatever is left out.
pub(crate) fn state_too_large(units: usize, limit: usize) -> String {
    format!(
        "The workflow state needs {units} characters and a comment takes {limit}, although everything that can be \
         rebuilt was left out. Nothing was posted in its place. Unpin or shorten what the state carries, or go on in \
         a new issue."
    )
}

/// Something was left out of the state that nothing can bring back; empty where nothing was.
pub(crate) fn left_out_for_good(values: u64, deleted: u64) -> String {
    let mut words = String::new();
    if values > 0 {
        words += &format!(
            "\n\n> The workflow state would not fit, so {values} values of step inputs are not in it any more."
        );
    }
    if deleted > 0 {
        words += &format!(
            "\n\n> The workflow state would not fit, so {deleted} records of deleted comments are not in it any more."
        );
    }
    words
}

/// A state holds something that could not be read back.
pub(crate) fn state_unwritable(why: &str) -> String {
    format!(
        "The workflow state cannot be written so that a later run can read it: {}. Nothing was posted in its place.",
        code(why)
    )
}

/// A report was cut.
pub(crate) fn report_cut(left_out: usize) -> String {
    format!("\n\n> The report was cut here: {left_out} more characters are not posted.")
}

/// Further answers were left out.
pub(crate) fn more_not_answered(count: usize) -> String {
    format!("{count} more commands are not answered one by one.")
}

/// A step failed; the workflow waits.
pub(crate) fn step_failed(workflow: &str, step: &str, why: &str) -> String {
    format!(
        "The step {} of {} failed: {}\n\nThe workflow waits here. Write `/nebuko retry` to run the step again.",
        code(step),
        code(workflow),
        quoted(why)
    )
}

/// What the thread is told of a failed call: no address and no local advice.
pub(crate) fn model_failed(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Refused => "the model's service refused the request; the job's log has the details",
        FailureKind::Unavailable => "the model's service could not be used in time; the job's log has the details",
        FailureKind::Lost => "the answer of the model's service was lost; the job's log has the details",
        FailureKind::Local => "the engine's own machine failed; the job's log has the details",
    }
}

/// What a step was and where it leads, for people who read the thread.
pub(crate) fn step_line(workflow: &str, step: &str, agent: &str, next: &str) -> String {
    format!("\n\n*Step {} of {}, by {}. {next}*", code(step), code(workflow), code(agent))
}

/// Where a step leads, in words.
pub(crate) fn leads_to(step: &str, agent: &str) -> String {
    format!("Next: {} ({}).", code(step), code(agent))
}

/// The state names a step that is no more.
pub(crate) fn step_is_gone(workflow: &str, step: &str) -> String {
    format!(
        "The next step would be {} of {}, and there is no such step any more. The workflow waits here. Write \
         `/nebuko run WORKFLOW STEP` to say where to go on.",
        code(step),
        code(workflow)
    )
}

/// The agents talked long enough among themselves.
pub(crate) fn too_many_rounds(rounds: usize) -> String {
    format!(
        "Agents and scripts have written {rounds} comments since a person last did, so the workflow waits here. Any comment \
         of a maintainer resets the count; `/nebuko retry` goes on."
    )
}

/// One step ran over and over.
pub(crate) fn same_step_again(step: &str, times: usize) -> String {
    format!(
        "The step {} has run {times} times in a row, so the workflow waits here. Write `/nebuko retry` to run it \
         once more, or `/nebuko run WORKFLOW STEP` to go elsewhere.",
        code(step)
    )
}

/// GitHub will soon take no more comments.
pub(crate) fn thread_is_full(comments: usize) -> String {
    format!(
        "This thread has {comments} comments and GitHub closes it for good at 2,500, so the workflow stops here. \
         Go on in a new issue."
    )
}

/// Another run posted the same state first.
pub(crate) fn superseded_note(winner: u64) -> String {
    format!("> Two runs worked on this step at the same time. Comment {winner} counts; this one is kept for reading.")
}

/// A post that was believed lost is in the thread after all.
pub(crate) fn posted_twice_note(first: u64) -> String {
    format!("> This was posted twice, because an answer was lost. Comment {first} counts.")
}

/// The words are in the comments before this one.
pub(crate) fn state_follows() -> String {
    "_The report is in the comments above; this one carries the workflow state._".into()
}

/// The workflow came to its end.
pub(crate) fn workflow_ended() -> String {
    "the workflow came to its end".into()
}

/// A mention names no role.
pub(crate) fn unknown_role(word: &str, near: &[impl AsRef<str>]) -> String {
    format!("There is no role {}.{} `/nebuko help` lists the roles.", code(word), did_you_mean(near))
}

/// A role is there, but no workflow uses it.
pub(crate) fn role_without_step(role: &str) -> String {
    format!("The role {} is not used by any step of any workflow, so it cannot be started.", code(role))
}

/// A command cannot be read.
pub(crate) fn wrong_verb(
    comment_id: u64,
    line: usize,
    column: usize,
    written: &str,
    why: &str,
    near: Option<&str>,
) -> String {
    let place = if comment_id == 0 { "the issue's text".to_string() } else { format!("comment {comment_id}") };
    let near: Vec<&str> = near.into_iter().collect();
    format!(
        "{} in {place}, line {line}, column {column}, is no command: {}.{} Nothing was done for it.",
        code(written),
        code(why),
        did_you_mean(&near)
    )
}

/// A workflow is not there.
pub(crate) fn unknown_workflow<T: AsRef<str>>(name: &str, near: &[T]) -> String {
    format!("There is no workflow {}.{}", code(name), did_you_mean(near))
}

/// A step is not there.
pub(crate) fn unknown_step(workflow: &str, step: &str, near: &[impl AsRef<str>]) -> String {
    format!("The workflow {} has no step {}.{}", code(workflow), code(step), did_you_mean(near))
}

/// A comment started more than one step.
pub(crate) fn one_start_a_comment(comment_id: u64, agent: &str) -> String {
    let place = if comment_id == 0 { "The issue's text".to_string() } else { format!("Comment {comment_id}") };
    format!("{place} starts more than one step; the first was taken and {} was not. Ask again for it.", code(agent))
}

/// An agent's comment is pinned.
pub(crate) fn pinned(id: u64) -> String {
    format!("Comment {id} is pinned: every later agent sees it in full.")
}

/// A person's comment is pinned.
pub(crate) fn pinned_persons(id: u64, login: &str) -> String {
    format!("Comment {id} is pinned: agents see it in full in the runs that {} started.", code(login))
}

/// A notice is pinned.
pub(crate) fn pinned_notice(id: u64) -> String {
    format!("Comment {id} is pinned, but it is a notice, and agents see none.")
}

/// A comment is not pinned any more.
pub(crate) fn unpinned(id: u64, was_pinned: bool) -> String {
    if was_pinned { format!("Comment {id} is not pinned any more.") } else { format!("Comment {id} was not pinned.") }
}

/// A comment cannot be pinned.
pub(crate) fn pin_unknown(id: u64) -> String {
    format!("There is no comment {id} in this thread, so it cannot be pinned.")
}

/// A person ended the workflow.
pub(crate) fn stopped() -> String {
    "The workflow is stopped. Mention a role, or write `/nebuko retry`, to go on.".into()
}

/// Who ended it, for the state.
pub(crate) fn stopped_by(login: &str) -> String {
    format!("stopped by {login}")
}

/// No gate is there to be released.
pub(crate) fn no_gate_waits() -> String {
    "No gate waits in this thread, so there is nothing to approve or reject.".into()
}

/// Where the workflow stands.
pub(crate) fn status(state: &WorkflowState) -> String {
    let word = state.dispatch.as_ref().map_or("not started", |dispatch| dispatch.status.word());
    let mut lines = Vec::from([format!(
        "Workflow {}, step {} (agent {}): {word}. {} steps ran.",
        code(&state.workflow),
        code(&state.step),
        code(&state.agent),
        state.history.len()
    )]);
    let recent = state.history.iter().rev().take(STATUS_ENTRIES);
    lines.extend(recent.map(|entry| {
        let result = entry.result.as_deref().unwrap_or("-");
        format!("- {}: {}, {}", code(&entry.step), code(result), code(&entry.summary))
    }));
    lines.join("\n")
}

/// What people can write.
pub(crate) fn help<'a>(roles: impl Iterator<Item = &'a str>) -> String {
    let roles: Vec<&str> = roles.collect();
    let mut lines = Vec::from([format!("Mention a role to start it: {}.", either(&mentions(&roles))), String::new()]);
    lines.extend(VERBS.iter().map(|verb| {
        let usage = [verb.name, verb.arguments].join(" ");
        format!("- `/nebuko {}`: {}", usage.trim(), verb.help)
    }));
    lines.join("\n")
}

fn mentions(roles: &[&str]) -> Vec<String> {
    roles.iter().map(|role| format!("@@{role}")).collect()
}

/// Quotes a cause inside a notice; long ones are cut, because they may hold a whole page of a server.
fn quoted(why: &str) -> String {
    let line: String = why.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("`{}`", cut(line.replace('`', "'").trim(), CAUSE_CHARS))
}

/// A status shows the last steps, not all.
const STATUS_ENTRIES: usize = 5;
/// A cause is cut here.
const CAUSE_CHARS: usize = 600;
