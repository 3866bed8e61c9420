//! What is said about tools that agents use in the checkout.

use alloc::{
    format,
    string::{String, ToString},
};

use crate::{
    agent::Wanted,
    process::{ProcessEnd, Ran},
    text::work::{captured, command_line, end_in_words},
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
        let text = captured(written);
        if !text.trim().is_empty() {
            said.push_str(&format!("\n\n{name}:\n{}", middle_left_out(text.trim_end(), each)));
        }
    }
    Ok(said)
}

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
