//! The issue and the records, as an agent reads them.
//!
//! A record's block depends on nothing but that record, so a thread that grows leaves every earlier byte as
//! it was.

use alloc::{format, string::String};
use core::fmt::Write;

use crate::{
    markdown::{markers, without_engine_text},
    prompt::{
        Block, BlockTrust, Origin, PromptInput,
        line::{cut, push_escaped, push_flat, push_lines, push_quoted},
        window::Shown,
    },
    state::{RecordKind, ThreadRecord},
};

/// Renders the title and the opening text. Where its author is not trusted, all of it is a quote.
pub(super) fn issue<'a>(input: &PromptInput<'a>) -> Block<'a> {
    let issue = &input.thread.issue;
    let what = if issue.pull_request.is_some() { "Pull request" } else { "Issue" };
    let is_trusted = |record: &ThreadRecord| !record.is_comment() && record.id == issue.id && record.trusted;
    let mut text = format!("## {what} #{}", issue.number);
    if input.ledger.iter().any(is_trusted) {
        text.push_str(": ");
        push_flat(&mut text, &issue.title, usize::MAX);
        text.push_str("\n\n");
        push_lines(&mut text, &issue.body);
        end_block(&mut text);
        return Block::user(Origin::IssueBody, BlockTrust::Trusted, text);
    }
    text.push_str(" (unverified, opened by ");
    push_escaped(&mut text, name(&issue.user.login), usize::MAX);
    text.push_str(", ");
    push_escaped(&mut text, association(&issue.author_association), usize::MAX);
    text.push_str(")\n\n");
    // The quote of the title is one line, so a separator in it starts no second one.
    let mut title = String::new();
    push_flat(&mut title, &issue.title, usize::MAX);
    push_quoted(&mut text, &title);
    text.push_str(">\n");
    push_quoted(&mut text, &issue.body);
    end_block(&mut text);
    Block::user(Origin::IssueBody, BlockTrust::Unverified, text)
}

/// Renders one record. A pinned one is in full, any other up to `chars_max` characters of its text.
pub(super) fn record<'a>(shown: &Shown<'a>, chars_max: usize) -> Block<'a> {
    let Shown { record, comment, pinned } = *shown;
    let is_bot = matches!(record.kind, RecordKind::AgentOutput | RecordKind::EngineOutput);
    let cleaned = is_bot.then(|| without_engine_text(&comment.body));
    let full = cleaned.as_deref().map_or(comment.body.as_str(), |text| text.trim_matches(['\r', '\n']));
    let (kept, left_out) = if pinned { (full, 0) } else { cut(full, chars_max) };
    let mut text = String::with_capacity(kept.len() + HEADING_BYTES);
    text.push_str("### ");
    let role = is_bot.then(|| markers(&comment.body).agent).flatten();
    push_flat(&mut text, role.unwrap_or(name(&record.user_login)), usize::MAX);
    text.push_str(", ");
    push_flat(&mut text, &record.created_at, usize::MAX);
    let _ = write!(text, " (comment {})\n\n", record.id);
    push_lines(&mut text, kept);
    if left_out > 0 {
        let _ = write!(text, "\n\n[{left_out} more characters of comment {} are left out here]", record.id);
    }
    end_block(&mut text);
    Block::user(Origin::Record(record.id), if is_bot { BlockTrust::Agent } else { BlockTrust::Trusted }, text)
}

/// Ends a block with a blank line, so that the next one starts a paragraph of its own.
pub(super) fn end_block(text: &mut String) {
    while !text.ends_with("\n\n") {
        text.push('\n');
    }
}

/// Gives a login, or GitHub's word for an account that is gone.
pub(super) fn name(login: &str) -> &str {
    if login.is_empty() { "ghost" } else { login }
}

/// Gives an association, or GitHub's word for none.
pub(super) fn association(association: &str) -> &str {
    if association.is_empty() { "NONE" } else { association }
}

/// Room for a record's heading and note; one that is longer costs a second allocation.
const HEADING_BYTES: usize = 160;
