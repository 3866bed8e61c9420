//! What is said about tools that agents use in the checkout.

use alloc::{
    format,
    string::{String, ToString},
};

use crate::{
    agent::Wanted,
    process::{ProcessEnd, Ran},
    text::{
        code, cut,
        work::{SAID_CHARS, command_line, end_in_words, last_chars, program_failed, readable},
    },
    workspace::WorkspaceTool,
};

/// An agent uses a tool.
pub(crate) fn tool_used(wanted: &Wanted) -> String {
    match wanted {
        Wanted::Tool(used) => match &used.tool {
            WorkspaceTool::ListFiles { path } => format!("the agent lists {}", place(path)),
            WorkspaceTool::ReadFile { path, .. } => format!("the agent reads {path}"),
            WorkspaceTool::SearchText { path, .. } => format!("the agent searches {}", place(path)),
            WorkspaceTool::WriteFile { path, .. } => format!("the agent writes {path}"),
            WorkspaceTool::ApplyEdit { path, .. } => format!("the agent edits {path}"),
        },
        Wanted::Command(process) => format!("the agent runs {}", command_line(&process.argv)),
    }
}

fn place(path: &str) -> &str {
    if path.is_empty() { "the repository" } else { path }
}

/// What a command came to, for the model that asked for it. That it failed is an answer; that it did not start is a
/// call to repair.
pub(crate) fn command_came(ran: &Ran, bytes_max: u64) -> Result<String, String> {
    if let ProcessEnd::NotStarted { why } = &ran.end {
        return Err(format!("it was not started: {why}"));
    }
    let mut said = format!("It {}.", end_in_words(ran));
    let each = usize::try_from(bytes_max).unwrap_or(usize::MAX) / 2;
    for (name, written) in [("standard output", &ran.stdout), ("standard error", &ran.stderr)] {
        let text = readable(written);
        if !text.trim().is_empty() {
            said.push_str(&format!("\n\n{name}:\n{}", middle_left_out(text.trim_end(), each)));
        }
    }
    Ok(said)
}

/// A dispatch names a skill that is not there.
pub(crate) fn skill_unknown(name: &str) -> String {
    format!("the dispatch names a skill that is not here, so it is passed over: {}", cut(name, NAME_CHARS))
}

/// The program of an agent failed.
pub(crate) fn outside_failed(ran: &Ran) -> String {
    format!("the agent's program failed: {}", program_failed(ran))
}

/// The program of an agent could not even be tried.
pub(crate) fn outside_not_run() -> String {
    "the agent's program could not be run".into()
}

/// The program of an agent ended well and wrote no report.
pub(crate) fn outside_said_nothing(ran: &Ran) -> String {
    let said = readable(&ran.stderr);
    let said =
        if said.trim().is_empty() { String::new() } else { format!(": {}", last_chars(said.trim(), SAID_CHARS)) };
    format!("the agent's program wrote no report to standard output{said}")
}

/// The report of an agent's program is not what the step demands.
pub(crate) fn outside_refused(why: &str) -> String {
    format!("the report of the agent's program is refused: {why}")
}

/// The last line of an agent's program was meant as a dispatch.
pub(crate) fn last_line_unreadable(line: &str, why: &str) -> String {
    format!(
        "\n\n> The program's output ends with what was meant as a dispatch and cannot be read: {}. It was {}",
        code(&cut(why, LINE_CHARS)),
        code(&cut(line, LINE_CHARS))
    )
}

/// Why a step holds whose dispatch cannot be read, for the state.
pub(crate) fn last_line_holds(why: &str) -> String {
    format!("the program's dispatch cannot be read: {}", cut(why, LINE_CHARS))
}

/// Some bytes of a program's report were no UTF-8.
pub(crate) const BYTES_REPLACED: &str = "\n\n> Some bytes of the program's output were no UTF-8 and show as \u{FFFD}.";
/// A name of a skill, at most.
const NAME_CHARS: usize = 100;
/// Enough of a line to know it by.
const LINE_CHARS: usize = 300;

/// Leaves out the middle of a text that is longer than so many bytes, and says so.
pub(crate) fn middle_left_out(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_string();
    }
    let (mut head, mut tail) = (bytes_max / 2, text.len() - bytes_max / 2);
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    format!("{}\n[{} bytes are left out here]\n{}", &text[..head], tail - head, &text[tail..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Captured;

    #[test]
    fn the_middle_of_a_long_text_is_left_out_between_characters() {
        let check = |text: &str, most: usize, shown: &str| assert_eq!(middle_left_out(text, most), shown);
        check("abc", 3, "abc");
        check("abcdef", 4, "ab\n[2 bytes are left out here]\nef");
        check("ééé", 4, "é\n[2 bytes are left out here]\né");
        check("ééé", 3, "\n[6 bytes are left out here]\n");
    }

    #[test]
    fn a_command_that_fails_is_an_answer_and_one_that_does_not_start_is_not() {
        let said = |text: &str| Captured { head: text.into(), ..Captured::default() };
        let ran = |end| Ran { end, stdout: said("out\n"), stderr: said("err\n"), took_ms: 5 };
        let came = command_came(&ran(ProcessEnd::Exited { code: 3 }), 1_000);
        let wanted = "It ended with exit code 3 after 5 ms.\n\nstandard output:\nout\n\nstandard error:\nerr";
        assert_eq!(came.as_deref(), Ok(wanted));
        let came = command_came(&ran(ProcessEnd::NotStarted { why: "no program".into() }), 1_000);
        assert_eq!(came, Err("it was not started: no program".into()));
    }
}
