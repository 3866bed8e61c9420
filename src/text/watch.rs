//! What is told to whoever runs the engine: lines as things happen, and the words of the run's end.

use alloc::{format, string::String, vec::Vec};

use crate::event::Action;

/// The run begins.
pub(crate) fn reading_thread() -> String {
    "reading the thread".into()
}

/// The engine knows its own account.
pub(crate) fn engine_is(login: &str, how: &str) -> String {
    format!("the engine's account is {login} ({how})")
}

/// The engine does not know its own account.
pub(crate) fn engine_unknown(how: &str) -> String {
    format!(
        "the engine's account is unknown ({how}): no earlier state counts and only bot accounts' markers do; \
         give `--engine-login` to change that"
    )
}

/// A model is asked.
pub(crate) fn at_work(workflow: &str, step: &str, agent: &str) -> String {
    format!("{agent} is at work on step {step} of {workflow}")
}

/// A step failed, for whoever runs the engine.
pub(crate) fn step_failed_here(workflow: &str, step: &str, why: &str) -> String {
    let why = why.trim_end().trim_end_matches('.');
    format!("step {step} of {workflow} failed: {why}. The workflow waits; `/nebuko retry` in the thread runs it again")
}

/// Nothing is due because the workflow waits.
pub(crate) fn waiting(workflow: &str, step: &str, why: Option<&str>) -> String {
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    format!("nothing was asked, and the workflow waits at step {step} of {workflow}{why}")
}

/// A model is asked once more.
pub(crate) fn asking_again(why: &str) -> String {
    format!("asking the model again: {why}")
}

/// A comment is in the thread.
pub(crate) fn posted(id: u64, url: &str) -> String {
    if url.is_empty() { format!("posted comment {id}") } else { format!("posted comment {id}: {url}") }
}

/// The service stored something else than was sent.
pub(crate) fn changed_on_the_way(id: u64) -> String {
    format!("comment {id} does not read back as it was sent; the service changed its text")
}

/// A post's answer did not come.
pub(crate) fn answer_lost() -> String {
    "the answer to the post was lost; looking for it in the thread".into()
}

/// A post's answer did not come, several times, and the post is not in the thread.
pub(crate) fn answer_lost_again(times: u32) -> String {
    format!("the comment was sent {times} times, each answer was lost, and it is not in the thread")
}

/// Whether a post was made cannot be told.
pub(crate) fn post_uncertain(why: &str) -> String {
    format!(
        "{why}; it cannot be told whether the comment was posted, so nothing more is sent. Look at the thread, then run again"
    )
}

/// The thread could not be read after the post.
pub(crate) fn not_confirmed(why: &str) -> String {
    format!("the comment is posted, but the thread could not be read after it ({why})")
}

/// An older state counts although a newer one was just posted.
pub(crate) fn own_state_not_believed(comment_id: u64) -> String {
    format!(
        "comment {comment_id} is posted, but its state does not count: it was written by another account than the one \
         the engine believes to be its own. Set the engine's login to the account of the token"
    )
}

/// Another run was faster.
pub(crate) fn state_moved(run_id: u64) -> String {
    format!("another run posted a state while this one worked from state {run_id}; this run gives way")
}

/// The thread is close to GitHub's cap.
pub(crate) fn thread_nearly_full(comments: usize) -> String {
    format!("the thread has {comments} comments; GitHub closes it for good at 2,500")
}

/// Parts of the history cannot be found any more.
pub(crate) fn history_lost(entries: u64) -> String {
    format!("{entries} history entries were left out of the state and no comment holds them any more")
}

/// Somebody asked who may not.
pub(crate) fn not_allowed(comment_id: u64, login: &str, association: &str) -> String {
    let association = if association.is_empty() { "unknown" } else { association };
    format!(
        "comment {comment_id} by {login} ({association}) asks for something; only OWNER, MEMBER and COLLABORATOR are heard, so nothing is started or answered"
    )
}

/// An event about a comment that starts nothing.
pub(crate) fn comment_event_ignored(id: u64, action: Action) -> String {
    format!("comment {id} was {}: only new comments start something", done(action))
}

/// An event about an issue that starts nothing.
pub(crate) fn issue_event_ignored(action: Action) -> String {
    format!("the issue was {}: only opened and labelled issues start something", done(action))
}

/// An event of another kind.
pub(crate) fn event_ignored(name: &str) -> String {
    format!("events of the kind {name} start nothing")
}

/// The engine's own comment woke it and leads nowhere.
pub(crate) fn own_comment_ignored(id: u64) -> String {
    format!("comment {id} is the engine's own and hands nothing on, or no more")
}

/// A sentinel cannot be read.
pub(crate) fn sentinel_unreadable(id: u64, why: &str) -> String {
    format!("comment {id} has an AGENT_RUN_CONFIG that cannot be read and hands nothing on: {why}")
}

/// The state's workflow is not there.
pub(crate) fn workflow_not_configured<'a>(name: &str, known: impl Iterator<Item = &'a String>) -> String {
    let known: Vec<&str> = known.map(String::as_str).collect();
    format!(
        "there is no workflow {name} here (known: {}); run with the folder of workflows that this thread began with",
        known.join(", ")
    )
}

/// Nothing is due.
pub(crate) fn nothing_asked() -> String {
    "no unused command or mention by anybody who may give one, and no step is due".into()
}

/// Only commands were answered.
pub(crate) fn commands_answered() -> String {
    "commands were answered; no step is due".into()
}

/// A step is done and the next is for another run.
pub(crate) fn step_done(workflow: &str, step: &str, agent: &str) -> String {
    format!("next is step {step} of {workflow} (agent {agent}), in another run")
}

/// The ledger that a step should cover cannot be read.
pub(crate) fn ledger_unreadable(comment_id: u64) -> String {
    format!("the requirements in comment {comment_id} are no table with a column ID, so coverage is not checked")
}

/// A report is odd, and no more than that.
pub(crate) fn report_is_odd(note: &str) -> String {
    format!("the report was taken as it is: {note}")
}

/// The agent waits for a person.
pub(crate) fn agent_holds(step: &str) -> String {
    format!("step {step} asked to wait for a person")
}

/// The agent ended the workflow.
pub(crate) fn agent_terminates(step: &str) -> String {
    format!("step {step} ended the workflow")
}

/// What a dry run would have run.
pub(crate) fn would_run(workflow: &str, step: &str, agent: &str) -> String {
    format!("dry run: {agent} would run step {step} of {workflow}")
}

/// What a dry run would have posted.
pub(crate) fn would_post(words: &str) -> String {
    format!("dry run: this would be posted:\n{words}")
}

/// The interpreter did not keep the contract.
pub(crate) fn out_of_step(moment: &str) -> String {
    format!(
        "the run was {moment} and got an answer to something else; this is a fault of the interpreter or of the recording"
    )
}

fn done(action: Action) -> &'static str {
    match action {
        Action::Created => "created",
        Action::Opened => "opened",
        Action::Labeled => "labelled",
        Action::Edited => "edited",
        Action::Deleted => "deleted",
        Action::Other => "changed in another way",
    }
}
