//! A comment as its readers see it: without what the engine wrote into it for itself.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::ops::Range;

use memchr::memmem;

use super::{
    Scan,
    marker::{MARKS, STATE_END, STATE_START, TERMINAL},
};

/// Gives the readable text of a comment: markers, sentinels and the state with the `<details>` around it
/// are left out, line ends are `\n`, and blank lines around the text are gone.
pub fn without_engine_text(body: &str) -> Cow<'_, str> {
    if memmem::find(body.as_bytes(), b"<!--").is_none() {
        return trimmed(unix_lines(body));
    }
    let cuts = engine_text(body);
    let Some((last, text)) = cuts.iter().try_fold((0, String::new()), |(from, mut text), cut| {
        text.push_str(body.get(from..cut.start)?);
        Some((cut.end, text))
    }) else {
        return trimmed(unix_lines(body));
    };
    if text.trim().is_empty() {
        return trimmed(unix_lines(&body[last..]));
    }
    let text = text + &body[last..];
    trimmed(Cow::Owned(unix_lines(&text).into_owned()))
}

/// Finds what the engine wrote for itself, whole lines each, in order and apart.
fn engine_text(body: &str) -> Vec<Range<usize>> {
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let mut state = None;
    for comment in Scan::new(body).comments() {
        let inside = body[comment.start + 4..comment.end.max(comment.start + 7) - 3].trim();
        match inside {
            STATE_START => state = Some(comment.start),
            STATE_END => {
                let Some(start) = state.take() else { continue };
                cuts.push(with_details(body, start..comment.end, cuts.last().map_or(0, |cut| cut.end)));
            }
            _ if state.is_none() && is_engine_comment(inside) => cuts.push(with_line_end(body, comment.clone())),
            _ => {}
        }
    }
    cuts
}

fn is_engine_comment(inside: &str) -> bool {
    MARKS.iter().any(|mark| if *mark == TERMINAL { inside == TERMINAL } else { inside.starts_with(mark) })
}

/// Widens a state block by the `<details>` that folds it, if one opens right before it and closes right after.
fn with_details(body: &str, block: Range<usize>, floor: usize) -> Range<usize> {
    let before = &body[floor..block.start];
    let opening = before.rfind("<details").filter(|at| is_folding(&before[*at..]));
    let after = &body[block.end..];
    let fence = after.trim_start().strip_prefix("```").unwrap_or(after).trim_start();
    match (opening, fence.strip_prefix("</details>")) {
        (Some(at), Some(rest)) => with_line_end(body, floor + at..body.len() - rest.len()),
        _ => with_line_end(body, block),
    }
}

/// Tells whether a text is nothing but the head of a `<details>`: its tag, its summary, and a fence perhaps.
fn is_folding(text: &str) -> bool {
    let Some((_, after)) = text.split_once('>') else { return false };
    let after = after.trim_start();
    let after = match after.strip_prefix("<summary>") {
        Some(summary) => summary.split_once("</summary>").map_or("-", |(_, after)| after),
        None => after,
    };
    matches!(after.trim(), "" | "```" | "```json")
}

/// Takes in the blanks and the line end that follow.
fn with_line_end(body: &str, range: Range<usize>) -> Range<usize> {
    let rest = &body[range.end..];
    let rest = rest.trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r'])).unwrap_or(rest);
    range.start..body.len() - rest.len()
}

/// Makes every line end a `\n`.
pub fn unix_lines(text: &str) -> Cow<'_, str> {
    match memchr::memchr(b'\r', text.as_bytes()) {
        Some(_) => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        None => Cow::Borrowed(text),
    }
}

/// Takes away blank lines around a text, and blanks at its end.
fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    let inner = |text: &str| {
        let end = text.trim_end_matches(BLANK).len();
        let start = text[..end].len() - text[..end].trim_start_matches(BLANK).len();
        (text[..start].rfind('\n').map_or(0, |line| line + 1), end)
    };
    let (start, end) = inner(&text);
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[start..end]),
        Cow::Owned(mut text) => {
            text.truncate(end);
            text.drain(..start);
            Cow::Owned(text)
        }
    }
}

const BLANK: [char; 3] = [' ', '\t', '\n'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_engine_wrote_for_itself_is_left_out() {
        let check = |body: &str, expected: &str| {
            for end in ["\n", "\r\n", "\r"] {
                let body = body.replace('\n', end);
                assert_eq!(without_engine_text(&body), expected, "{body:?}");
            }
        };
        check("hello\n\nworld\n", "hello\n\nworld");
        check("\n  \n    code\n\n", "    code");
        check("<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->\n\nhello\n", "hello");
        check("<!-- bot-agent-dev -->\n<!-- nebuko-part: 1/a/1/ff -->\nhello", "hello");
        check("a\n\n<!-- AGENT_RUN_CONFIG {\"task\": \"dev\"} -->\n\nb", "a\n\n\nb");
        let block = "<!-- WORKFLOW_STATE_START -->\n{\"a\": 1}\n<!-- WORKFLOW_STATE_END -->";
        check(&std::format!("a\n\n{block}\n"), "a");
        check(&std::format!("a\n\n<details>\n<summary>State</summary>\n\n{block}\n\n</details>\n"), "a");
        check(&std::format!("a\n\n<details>\n<summary>State</summary>\n{block}\n</details>\n\nb"), "a\n\n\nb");
        check(&std::format!("<details>\nmore\n\n</details>\n\n{block}\nb"), "<details>\nmore\n\n</details>\n\nb");
        check("<!-- WORKFLOW_STATE_START -->\nnever closed", "<!-- WORKFLOW_STATE_START -->\nnever closed");
        check("```\n<!-- bot-agent-dev -->\n```", "```\n<!-- bot-agent-dev -->\n```");
        check("<!-- a remark -->\nhello", "<!-- a remark -->\nhello");
        check("", "");
    }

    #[test]
    fn text_that_needs_no_change_is_borrowed() {
        let check = |body: &str| assert!(matches!(without_engine_text(body), Cow::Borrowed(_)), "{body:?}");
        check("hello\nworld\n\n");
        check("<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->\n\nhello\n");
    }
}
