//! Every sentence the engine writes, each a function named for its moment.
//!
//! `notice` has what is posted in the thread, `watch` what is told to whoever runs the engine; `gate`, `model` and
//! `work` both, for human gates, for models' services, and for programs, inputs and mounts. Names and words of people
//! go in as code, cut short, so that nothing in them can ping, link or format.

use alloc::{format, string::String, vec::Vec};

mod budget;
mod gate;
mod model;
mod mount;
mod notice;
mod tools;
mod watch;
mod why;
mod work;

pub(crate) use budget::{budget_reached, no_prices, step_held, step_held_here};
pub(crate) use gate::{
    gate_approved_by_one, gate_decided, gate_decided_too_early, gate_holds, gate_is_in_the_way, gate_leads_nowhere,
    gate_not_by_initiator, gate_not_permitted, gate_reason, gate_rework_used_up, gate_sent_back, gate_stands_before,
    gate_waits, may_do, permission_unknown, unanswered, waiting_at_gate,
};
pub(crate) use model::no_answer;
pub(crate) use mount::{
    has_no_step, is_on_the_stack, misfit, no_step, no_such_workflow, stands_nowhere, too_many_mounts,
};
pub(crate) use notice::{
    help, leads_to, left_out_for_good, model_failed, more_not_answered, no_gate_waits, nothing_to_recover,
    one_start_a_comment, pin_unknown, pinned, pinned_notice, pinned_persons, posted_twice_note, recovered,
    recovered_reason, report_cut, role_without_step, same_step_again, state_damaged, state_follows, state_too_large,
    state_unwritable, status, step_failed, step_is_gone, step_line, stopped, stopped_by, superseded_note,
    thread_is_full, too_many_rounds, unknown_role, unknown_step, unknown_workflow, unpinned, workflow_ended,
    wrong_verb,
};
pub(crate) use watch::{
    agent_holds, agent_terminates, answer_lost, answer_lost_again, asking_again, at_work, changed_on_the_way,
    commands_answered, comment_event_ignored, engine_is, engine_unknown, event_ignored, history_lost,
    issue_event_ignored, ledger_unreadable, not_allowed, not_confirmed, nothing_asked, out_of_step,
    own_comment_ignored, own_state_not_believed, post_uncertain, posted, reading_thread, report_is_odd,
    sentinel_unreadable, state_moved, step_done, step_failed_here, thread_nearly_full, waiting,
    workflow_not_configured, would_post, would_run,
};

pub(crate) use tools::{
    BYTES_REPLACED, command_came, last_line_holds, last_line_unreadable, outside_failed, outside_not_run,
    outside_refused, outside_said_nothing, skill_unknown, tool_used,
};
pub(crate) use why::{
    asks_nothing, decided_at, decision_is_pending, is_due, is_engine_notice, is_pending, is_step_output, may_not_ask,
    not_read_for_a_look, rule_in_words, stands_where_nothing_counts, was_answered, was_taken_up,
};
pub(crate) use work::{
    cannot_mount, captured, cut_with_note, fenced, first_chars, input_has_no_output, input_is_run, input_not_given,
    inputs_missing, leads_nowhere, no_such_step, not_updated, post_hook_failed, pre_hook_failed, program_failed,
    program_runs, readable, reading_workflow, refined_enough, route_notice, script_ran_again, script_report,
    slot_is_bad, slot_is_empty, slot_is_unknown, words_cut,
};

/// Writes somebody's words as inline code: one line, no back tick, capped.
fn code(words: &str) -> String {
    let plain: String = words
        .chars()
        .map(|c| if c.is_control() || matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .map(|c| if c == '`' { '\'' } else { c })
        .collect();
    let plain = plain.trim();
    if plain.is_empty() { "` `".into() } else { format!("`{}`", cut(plain, CODE_CHARS)) }
}

/// Cuts words after so many characters, visibly.
pub(crate) fn cut(words: &str, chars: usize) -> String {
    match words.char_indices().nth(chars) {
        None => words.into(),
        Some((end, _)) => format!("{}…", &words[..end]),
    }
}

/// Lists names as code: `a`, `b` or `c`.
fn either(names: &[impl AsRef<str>]) -> String {
    let names: Vec<String> = names.iter().map(|name| code(name.as_ref())).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Adds a "did you mean" where there is somebody to mean.
fn did_you_mean(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() { String::new() } else { format!(" Did you mean {}?", either(names)) }
}

/// Names and quoted words are cut here.
const CODE_CHARS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_people_stay_in_their_code() {
        let check = |words: &str, wanted: &str| assert_eq!(code(words), wanted, "{words:?}");
        check("frob", "`frob`");
        check("a`b", "`a'b`");
        check("a\r\n# b\u{2028}c\u{85}", "`a  # b c`");
        check("", "` `");
        check("`", "`'`");
        check(&"x".repeat(200), &format!("`{}…`", "x".repeat(100)));
    }

    #[test]
    fn names_are_listed_as_one_says_them() {
        let none: [&str; 0] = [];
        assert_eq!(did_you_mean(&none), "");
        assert_eq!(did_you_mean(&["dev"]), " Did you mean `dev`?");
        assert_eq!(either(&["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
