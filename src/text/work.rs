//! What is said about programs, inputs, mounts and rounds.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    markdown::{with_controls_shown, without_sequences},
    process::{Captured, Process, ProcessEnd, Purpose, Ran},
    text::{code, did_you_mean},
    workflow::RouteNotice,
};

/// A program starts.
pub(crate) fn program_runs(process: &Process) -> String {
    let what = match &process.purpose {
        Purpose::Script => "running".to_string(),
        Purpose::Agent { role } => format!("as the agent {role}, running"),
        Purpose::Tool => "for the agent, running".to_string(),
        Purpose::PreHook => "before the agent, running".to_string(),
        Purpose::PostHook => "after the agent, running".to_string(),
        Purpose::Input { name } => format!("for the input {name}, running"),
    };
    format!("{what} {}", command_line(&process.argv))
}

/// What a script came to, for the thread.
pub(crate) fn script_report(process: &Process, ran: &Ran, result: &str) -> String {
    let command = code(&command_line(&process.argv));
    let mut words = format!("The script {command} {}, so its result is **{result}**.", end_in_words(ran));
    for (name, captured) in [("Standard output", &ran.stdout), ("Standard error", &ran.stderr)] {
        let text = posted(captured);
        if !text.trim().is_empty() {
            words.push_str(&format!("\n\n{name}:\n\n{}", fenced(&text)));
        }
        if captured.replaced {
            words.push_str("\n\nSome bytes there were no UTF-8 and show as \u{FFFD}.");
        }
    }
    if ran.stdout == Captured::default() && ran.stderr == Captured::default() {
        words.push_str("\n\nIt wrote nothing.");
    }
    words
}

/// How a program ended, in words that a sentence goes on with.
pub(crate) fn end_in_words(ran: &Ran) -> String {
    match &ran.end {
        ProcessEnd::Exited { code } => format!("ended with exit code {code} after {}", duration(ran.took_ms)),
        ProcessEnd::Signalled { signal } => format!("was ended by signal {signal} after {}", duration(ran.took_ms)),
        ProcessEnd::TimedOut { seconds } => {
            format!("timed out: it was ended with all its processes at its limit of {}", duration(seconds * 1_000))
        }
        ProcessEnd::NotStarted { why } => format!("was not started: {}", code(why)),
    }
}

/// Why a program failed, with the end of what it said about it.
pub(crate) fn program_failed(ran: &Ran) -> String {
    let said = [&ran.stderr, &ran.stdout].into_iter().map(readable).find(|text| !text.trim().is_empty());
    match said {
        None => format!("it {}", end_in_words(ran)),
        Some(text) => format!("it {}: {}", end_in_words(ran), last_chars(text.trim(), SAID_CHARS)),
    }
}

/// The hook before the agent failed.
pub(crate) fn pre_hook_failed(ran: &Ran) -> String {
    format!("the hook before the agent did not pass, so the agent was not asked: {}", program_failed(ran))
}

/// The hook after the agent failed.
pub(crate) fn post_hook_failed(why: &str) -> String {
    format!("The hook after the agent did not pass; the step's own end stands. {}", code(why))
}

/// Required inputs have no value.
pub(crate) fn inputs_missing(inputs: &[(&str, &str)]) -> String {
    let each: Vec<String> = inputs.iter().map(|(name, why)| format!("{name} ({why})")).collect();
    format!("a required input has no value, so the agent was not asked: {}", each.join("; "))
}

/// No caller gave an input.
pub(crate) fn input_not_given() -> String {
    "nobody gave it: the workflow was not mounted with a value for it".into()
}

/// A step that an input refers to has posted nothing.
pub(crate) fn input_has_no_output(place: &str) -> String {
    format!("{place} has posted nothing yet")
}

/// Stands for a value that only a run has.
pub(crate) fn input_is_run(argv: &[String]) -> String {
    format!("(the output of {}, run when the step begins)", code(&command_line(argv)))
}

/// A slot of a prompt is no slot.
pub(crate) fn slot_is_bad(why: &str) -> String {
    format!("the step's prompt cannot be filled in: {why}")
}

/// A slot of a prompt names no step.
pub(crate) fn slot_is_unknown(name: &str) -> String {
    format!("the step's prompt cannot be filled in: there is no step {name} in this workflow")
}

/// A slot's step has posted nothing yet.
pub(crate) fn slot_is_empty(name: &str) -> String {
    format!("({name} has posted nothing yet)")
}

/// A step is not where it was when it was chosen.
pub(crate) fn no_such_step() -> String {
    "there is no such step".into()
}

/// A workflow of another repository is read.
pub(crate) fn reading_workflow(reference: &str) -> String {
    format!("reading the workflow {reference}")
}

/// A step mounts what cannot be mounted.
pub(crate) fn cannot_mount(asked: &str, why: &str) -> String {
    format!("{} cannot be mounted: {}. The workflow waits here.", code(asked), code(why))
}

/// Why a workflow that wanted on holds, for the state.
pub(crate) fn leads_nowhere(rule: &str) -> String {
    format!("there is no way on: {rule}")
}

/// A wish of a step could not be followed.
pub(crate) fn route_notice(notice: &RouteNotice) -> String {
    let RouteNotice { field, asked, near, why } = notice;
    match (*field, why.is_empty()) {
        ("mount", _) => format!("> {} cannot be mounted: {}.", code(asked), code(why)),
        (_, false) => format!("> {} was not followed: {}.", code(asked), code(why)),
        (_, true) => format!(
            "> There is no step for {}, so the workflow's own routes were taken.{}",
            code(asked),
            did_you_mean(near)
        ),
    }
}

/// A script ran again, and its older comment has the words.
pub(crate) fn script_ran_again(comment_id: u64, url: &str, summary: &str, where_to: &str) -> String {
    let place = if url.is_empty() { format!("comment {comment_id}") } else { format!("[comment {comment_id}]({url})") };
    format!("The script ran again, and {place} has its newest output. {summary}\n\n*{where_to}*")
}

/// An older comment could not be brought up to date.
pub(crate) fn not_updated(comment_id: u64, why: &str) -> String {
    format!("comment {comment_id} could not be brought up to date, so a new one is posted: {why}")
}

/// Words were cut to fit an older comment.
pub(crate) fn words_cut() -> String {
    "\n\n> The output was cut here.".into()
}

/// The rounds of a refinement are used up.
pub(crate) fn refined_enough(rounds: u32) -> String {
    format!(
        "The issue was refined in {rounds} rounds, so the workflow waits here. Answer what is open; `/nebuko retry` \
         begins another round."
    )
}

/// Gives what a program wrote, with a note where something was not kept.
pub(crate) fn captured(captured: &Captured) -> String {
    if captured.left_out == 0 {
        return format!("{}{}", captured.head, captured.tail);
    }
    format!("{}\n[{} bytes are left out here]\n{}", captured.head, captured.left_out, captured.tail)
}

/// Gives it for people and models: without what it wrote for a terminal, and with what shows nothing shown.
pub(crate) fn readable(captured: &Captured) -> String {
    with_controls_shown(&without_sequences(&self::captured(captured))).into_owned()
}

/// Gives what is posted of it: the beginning and the end.
fn posted(captured: &Captured) -> String {
    let text = readable(captured);
    let count = text.chars().count();
    if count <= POSTED_CHARS {
        return text;
    }
    let head = first_chars(&text, POSTED_CHARS / 2);
    let tail = last_chars(&text, POSTED_CHARS / 2);
    format!("{head}\n[{} characters are left out here]\n{tail}", count - POSTED_CHARS / 2 * 2)
}

/// Puts a text into a fence that nothing in it can close.
pub(crate) fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}text\n{text}{end}{fence}")
}

/// Cuts a text after so many characters, with a note that says how many more there were.
pub(crate) fn cut_with_note(text: &str, chars: usize) -> String {
    let kept = first_chars(text, chars);
    match text[kept.len()..].chars().count() {
        0 => kept.into(),
        more => format!("{kept}\n[{more} more characters are left out here]"),
    }
}

/// Gives the first characters of a text.
pub(crate) fn first_chars(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

pub(crate) fn last_chars(text: &str, chars: usize) -> &str {
    let count = text.chars().count();
    let start = text.char_indices().nth(count.saturating_sub(chars)).map_or(0, |(start, _)| start);
    &text[start..]
}

/// Writes a command as people would type it: an argument with blanks stands in quotes.
pub(crate) fn command_line(argv: &[String]) -> String {
    let plain = |word: &String| match word.contains(char::is_whitespace) || word.is_empty() {
        true => format!("'{word}'"),
        false => word.clone(),
    };
    argv.iter().map(plain).collect::<Vec<_>>().join(" ")
}

fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..120_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min", ms / 60_000),
    }
}

/// A script's output fits one comment, so that it can be brought up to date.
const POSTED_CHARS: usize = 20_000;
/// How much of what a failed program said is repeated.
pub(crate) const SAID_CHARS: usize = 400;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_closes_a_fence_from_inside() {
        assert_eq!(fenced("a"), "```text\na\n```");
        assert_eq!(fenced("a\n````\nb\n"), "`````text\na\n````\nb\n`````");
    }

    #[test]
    fn long_output_keeps_its_beginning_and_its_end() {
        let captured = |head: String| Captured { head, ..Captured::default() };
        assert_eq!(posted(&captured("é".repeat(20_000))), "é".repeat(20_000));
        assert_eq!(posted(&captured("\u{1b}[31mred\u{1b}[0m\0".into())), "red\u{fffd}");
        let cut = posted(&captured(format!("{}last line", "é".repeat(30_000))));
        assert!(cut.contains("\n[10009 characters are left out here]\n") && cut.ends_with("last line"));
        let left_out = Captured { head: "a".into(), tail: "z".into(), left_out: 7, replaced: true };
        assert_eq!(posted(&left_out), "a\n[7 bytes are left out here]\nz");
    }

    #[test]
    fn every_end_of_a_program_is_told() {
        let check = |end: ProcessEnd, words: &str| {
            let ran = Ran { end, took_ms: 2_345, ..Ran::default() };
            assert_eq!(end_in_words(&ran), words);
        };
        check(ProcessEnd::Exited { code: 3 }, "ended with exit code 3 after 2.3 s");
        check(ProcessEnd::Signalled { signal: 9 }, "was ended by signal 9 after 2.3 s");
        let timed_out = "timed out: it was ended with all its processes at its limit of 30 min";
        check(ProcessEnd::TimedOut { seconds: 1_800 }, timed_out);
        check(ProcessEnd::NotStarted { why: "no `x`".into() }, "was not started: `no 'x'`");
    }
}
