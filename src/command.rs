//! What people ask for in a comment: `/nebuko` commands and `@@role` mentions.
//!
//! ```text
//! comment  = { text | command | mention }         only in visible top-level text (decision 2.1)
//! command  = "/nebuko" blank verb [ arguments ]   at the start of a line at the root of the document
//! mention  = "@@" role                            anywhere in the text, also in lists and headings
//! role     = the longest known name that no letter or digit of any script, `_` or `-` follows
//! feedback = the rest of the comment, to the next command
//! request  = what follows the mention, to the next command
//! ```
//!
//! Left of a mention stands the start of the line, white space or one of `( [ " ' : ,`. One mention a
//! comment is taken, the first of a known role; none is looked for on command lines and in feedback. Who
//! may ask is for `thread`, what happens then for `run`, and the words of the answer for `text`.

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::ops::Range;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::markdown::{Prose, Scan, unix_lines};

mod mention;
mod verb;

pub use verb::{VERBS, Verb, VerbLine};

/// One thing that a comment asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// A command.
    Command(Verb),
    /// Work for a role.
    Mention {
        /// The role.
        role: String,
        /// What to do: the text after the mention as it was written, without `\r`.
        request: String,
    },
    /// A mention of a role that is not there, in a comment that mentions none that is.
    UnknownRole {
        /// The word behind `@@`.
        word: String,
        /// The roles whose names come nearest, nearest first, at most three.
        near: Vec<String>,
    },
    /// A command that cannot be read. Nothing starts from it.
    WrongVerb {
        /// The line in the comment, from 1.
        line: usize,
        /// The column of the word in question, in characters from 1.
        column: usize,
        /// The line as it was written.
        text: String,
        /// What is wrong; where the verb is right, how it is used.
        why: String,
        /// The verb that comes nearest, where there is no such verb.
        near: Option<String>,
    },
}

impl Ask {
    /// Tells whether it starts a step.
    pub(crate) fn starts(&self) -> bool {
        matches!(self, Self::Mention { .. } | Self::Command(Verb::Run { .. } | Verb::Retry))
    }
}

/// Reads what a comment asks for, in order of appearance.
pub fn asks<'r>(body: &str, roles: impl IntoIterator<Item = &'r str>) -> Vec<Ask> {
    let has = |needle: &str| memmem::find(body.as_bytes(), needle.as_bytes()).is_some();
    if !has(PREFIX) && !has("@@") {
        return Vec::new();
    }
    let scan = Scan::new(body);
    let commands = command_lines(body, &scan);
    let mut asks: Vec<(usize, Ask)> = Vec::new();
    let mut taken: Vec<Range<usize>> = Vec::new();
    for (line, next) in commands.iter().zip(commands.iter().skip(1).map(Some).chain([None])) {
        let end = next.map_or(body.len(), |next| next.start);
        let (ask, takes_text) = verb::read(body, line.clone(), end);
        taken.push(line.start..if takes_text { end } else { line.end });
        asks.push((line.start, ask));
    }
    let request_end = |from: usize| commands.iter().map(|line| line.start).find(|at| *at > from).unwrap_or(body.len());
    if let Some((at, ask)) = mention::first(body, &scan, &taken, roles, request_end) {
        asks.push((at, ask));
    }
    asks.sort_by_key(|(at, _)| *at);
    asks.into_iter().map(|(_, ask)| ask).collect()
}

/// Tells whether a body has a `/nebuko` line at top level, right or wrong.
pub fn is_command(body: &str) -> bool {
    opens_with_command(body)
        || memmem::find(body.as_bytes(), PREFIX.as_bytes()).is_some()
            && !command_lines(body, &Scan::new(body)).is_empty()
}

/// Tells whether a body starts with a command, alone in a plain paragraph: then nothing else can put it in doubt.
fn opens_with_command(body: &str) -> bool {
    let (line, rest) = body.split_at(memchr::memchr2(b'\n', b'\r', body.as_bytes()).unwrap_or(body.len()));
    let below = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r'])).unwrap_or(rest);
    let next = below.trim_start_matches([' ', '\t']);
    is_command_text(line) && !line.contains(['`', '<', ']']) && (next.is_empty() || next.starts_with(['\n', '\r']))
}

fn is_command_text(text: &str) -> bool {
    text.strip_prefix(PREFIX).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

const PREFIX: &str = "/nebuko";

/// Finds the lines that are commands, each from its `/nebuko` to its end.
fn command_lines(body: &str, scan: &Scan) -> Vec<Range<usize>> {
    let is_command = |prose: &&Prose| prose.starts_line && is_command_text(&body[prose.range.clone()]);
    let lines = scan.prose().iter().filter(is_command);
    let whole = |start: usize| start..body[start..].find(['\n', '\r']).map_or(body.len(), |end| start + end);
    lines.map(|prose| whole(prose.range.start)).collect()
}

/// Gives text as an argument: without `\r`, without blanks around it, and without the sign that ended the
/// word before it.
fn argument(text: &str) -> String {
    let text = text.trim_start_matches([')', ']', '"', '\'', ':', ',', '.', ';', '!', '?']);
    unix_lines(text).trim().to_owned()
}

/// Tells whether a word ends where `rest` begins.
fn word_ends(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_alphanumeric() || matches!(next, '_' | '-'))
}

#[cfg(test)]
mod tests;
