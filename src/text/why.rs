//! What `explain` says: one sentence for each reason.

use alloc::{format, string::String};

use crate::text::code;

/// A comment is a step's output.
pub(crate) fn is_step_output() -> String {
    "the output of a step".into()
}

/// A comment is a notice of the engine, or of another bot.
pub(crate) fn is_engine_notice() -> String {
    "a bot's notice; only a step's own hand-off starts anything".into()
}

/// A comment asks for nothing.
pub(crate) fn asks_nothing() -> String {
    "there is no command and no mention in it".into()
}

/// A comment has a command where none counts.
pub(crate) fn stands_where_nothing_counts() -> String {
    "its command or mention stands in a quote, in code, in a hidden comment or inside a word or line, where none counts"
        .into()
}

/// A comment's author may not ask.
pub(crate) fn may_not_ask(login: &str, association: &str) -> String {
    let association = if association.is_empty() { "no known tie" } else { association };
    format!("{login} ({association}) may not ask: only OWNER, MEMBER and COLLABORATOR are heard")
}

/// A comment decided at a gate.
pub(crate) fn decided_at(status: &str, step: &str) -> String {
    format!("it {status} the gate of step {step}")
}

/// A comment is still to be taken up.
pub(crate) fn is_pending() -> String {
    "no run has taken it up yet; the next one will".into()
}

/// A comment was taken up and a step ran.
pub(crate) fn was_taken_up(step: &str, comment: &str) -> String {
    format!("it was taken up; the next step that ran is {step}, in comment {comment}")
}

/// A comment was taken up and answered.
pub(crate) fn was_answered() -> String {
    "it was taken up and answered; it started no step that is in the history".into()
}

/// A step is due.
pub(crate) fn is_due(workflow: &str, step: &str, agent: &str) -> String {
    format!("a run would begin step {step} of {workflow} ({agent})")
}

/// Somebody's decision at a gate is still to be taken up.
pub(crate) fn decision_is_pending(step: &str, login: &str) -> String {
    format!("{login} decides at the gate of step {step}; the next run asks what they may do and takes it up")
}

/// A workflow of another repository would have to be read.
pub(crate) fn not_read_for_a_look(reference: &str) -> String {
    format!("the rule leads into {reference}, which is not read for a look")
}

/// Which rule decided.
pub(crate) fn rule_in_words(rule: &str, decided: Option<&str>, as_recorded: bool) -> String {
    let gate = decided.map(|status| format!("people {status} at the gate; then ")).unwrap_or_default();
    let (place, by) = rule.rsplit_once(" by ").unwrap_or((rule, ""));
    let words = match by.split_once(':') {
        _ if by.is_empty() => format!("the choice was: {}", code(place)),
        Some(("on_result", key)) => format!("the condition on the result {} decided", code(key)),
        Some(("branch", key)) => format!("the condition on the branch {} decided", code(key)),
        Some(("dispatch.status", status)) => format!("the step itself said {}", code(status)),
        _ if by == "human_gate" && decided.is_some() => "the same step runs again with their feedback".into(),
        _ if by == "human_gate" => "a gate holds it until people decide".into(),
        _ if by.starts_with("next") => "the workflow's `next` decided".into(),
        _ if by.starts_with("return") => "the step was called, so it went back to its caller".into(),
        _ if by == "call" => "the step called another agent".into(),
        _ => format!("the step's own wish ({by}) decided"),
    };
    let note = match as_recorded {
        true => "",
        false => "; the history says otherwise: the workflow files have changed since, or a person chose",
    };
    format!("{gate}{words}{note}")
}
