//! The verbs, declared once: the parser, the `help` reply and the docs read the same table.

use alloc::{
    format,
    string::{String, ToString},
};
use core::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Ask, PREFIX, argument, word_ends};
use crate::nearest::nearest;

/// A command that can be carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Release the gate that holds.
    ApproveGate {
        /// What the next step should know.
        feedback: String,
    },
    /// Send the work back.
    RejectGate {
        /// What to do better.
        feedback: String,
    },
    /// Start a workflow, at its entry or at a step.
    Run {
        /// The workflow.
        workflow: String,
        /// The step, if not the entry.
        step: Option<String>,
    },
    /// Run the current step again.
    Retry,
    /// End the run.
    Stop,
    /// Say where the run stands.
    Status,
    /// Show a comment to every later step in full.
    Pin {
        /// The comment.
        id: u64,
    },
    /// Take that back.
    Unpin {
        /// The comment.
        id: u64,
    },
    /// Go on from the newest state that can be read.
    Recover,
    /// List the commands.
    Help,
}

/// One line of the table of verbs.
#[derive(Clone, Copy, Debug)]
pub struct VerbLine {
    /// The words behind `/nebuko`.
    pub name: &'static str,
    /// Its arguments, as help shows them.
    pub arguments: &'static str,
    /// What it does.
    pub help: &'static str,
    takes: Takes,
}

/// What follows a verb, and the command it makes.
#[derive(Clone, Copy, Debug)]
enum Takes {
    Nothing(fn() -> Verb),
    Id(fn(u64) -> Verb),
    Names(fn(String, Option<String>) -> Verb),
    Text(fn(String) -> Verb),
}

/// Every verb, in the order in which help lists them.
pub const VERBS: &[VerbLine] = &[
    VerbLine {
        name: "approve gate",
        arguments: "[feedback]",
        help: "Release the step that waits for a person.",
        takes: Takes::Text(|feedback| Verb::ApproveGate { feedback }),
    },
    VerbLine {
        name: "reject gate",
        arguments: "[feedback]",
        help: "Send the work back, with what to do better.",
        takes: Takes::Text(|feedback| Verb::RejectGate { feedback }),
    },
    VerbLine {
        name: "run",
        arguments: "WORKFLOW [STEP]",
        help: "Start a workflow, at its first step or at another.",
        takes: Takes::Names(|workflow, step| Verb::Run { workflow, step }),
    },
    VerbLine {
        name: "retry",
        arguments: "",
        help: "Run the current step again.",
        takes: Takes::Nothing(|| Verb::Retry),
    },
    VerbLine { name: "stop", arguments: "", help: "End the run.", takes: Takes::Nothing(|| Verb::Stop) },
    VerbLine {
        name: "status",
        arguments: "",
        help: "Say where the run stands.",
        takes: Takes::Nothing(|| Verb::Status),
    },
    VerbLine {
        name: "pin",
        arguments: "ID",
        help: "Show a comment to every later step in full.",
        takes: Takes::Id(|id| Verb::Pin { id }),
    },
    VerbLine {
        name: "unpin",
        arguments: "ID",
        help: "Show a pinned comment like any other again.",
        takes: Takes::Id(|id| Verb::Unpin { id }),
    },
    VerbLine {
        name: "recover",
        arguments: "",
        help: "Go on from the newest state that can be read.",
        takes: Takes::Nothing(|| Verb::Recover),
    },
    VerbLine { name: "help", arguments: "", help: "List these commands.", takes: Takes::Nothing(|| Verb::Help) },
];

impl VerbLine {
    /// Gives the command with its arguments, as help shows it.
    pub fn usage(&self) -> String {
        format!("{PREFIX} {} {}", self.name, self.arguments).trim_end().to_string()
    }

    /// Tells whether the text after the verb, to the next command, belongs to it.
    pub fn takes_text(&self) -> bool {
        matches!(self.takes, Takes::Text(_))
    }
}

/// Reads the command on a line of a body; `end` is where the text that may belong to it ends. Also tells
/// whether that text does belong to it.
pub(super) fn read(body: &str, line: Range<usize>, end: usize) -> (Ask, bool) {
    let words = line.start + PREFIX.len();
    let start = words + blanks(&body[words..line.end]);
    let typed = &body[start..line.end];
    let found = VERBS.iter().find_map(|verb| Some((verb, strip_words(typed, verb.name)?)));
    let Some((verb, rest)) = found else {
        let why = if typed.trim().is_empty() { "there is no verb" } else { "there is no such verb" };
        return (wrong(body, line, start, why, near(typed)), false);
    };
    let from = line.end - rest.len();
    match verb.takes.read(rest, &body[from..end]) {
        Ok(command) => (Ask::Command(command), verb.takes_text()),
        Err(why) => {
            let why = format!("{why}, as in {}", verb.usage());
            (wrong(body, line, from + blanks(rest), &why, None), false)
        }
    }
}

impl Takes {
    /// Makes the command from the rest of the line, or from all the text that follows.
    fn read(self, rest: &str, text: &str) -> Result<Verb, &'static str> {
        let rest = argument(rest);
        let mut words = rest.split_whitespace();
        match self {
            Self::Text(make) => Ok(make(argument(text))),
            Self::Nothing(make) if rest.is_empty() => Ok(make()),
            Self::Nothing(_) => Err("it takes no argument"),
            Self::Id(make) => {
                let id = words
                    .next()
                    .map(|word| word.trim_start_matches('#'))
                    .filter(|word| word.bytes().all(|b| b.is_ascii_digit()));
                match (id.and_then(|id| id.parse().ok()), words.next()) {
                    (Some(id), None) => Ok(make(id)),
                    _ => Err("it takes the id of one comment"),
                }
            }
            Self::Names(make) => match (words.next(), words.next(), words.next()) {
                (Some(workflow), step, None) if is_name(workflow) && step.is_none_or(is_name) => {
                    Ok(make(workflow.to_string(), step.map(String::from)))
                }
                _ => Err("it takes the name of a workflow, and of a step if need be"),
            },
        }
    }
}

/// Takes the words of a verb off a text, blanks between them counting as one.
fn strip_words<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = text;
    for (place, word) in name.split(' ').enumerate() {
        if place > 0 && blanks(rest) == 0 {
            return None;
        }
        rest = rest[blanks(rest)..].strip_prefix(word).filter(|rest| word_ends(rest))?;
    }
    Some(rest)
}

/// Finds the verb that comes nearest to what was typed, by as many words as it has: one that starts with that
/// before one that is a slip away.
fn near(typed: &str) -> Option<String> {
    let words = |count: usize| {
        let words = typed.split_whitespace().take(count).fold(String::new(), |words, word| words + " " + word);
        words.trim_start().to_ascii_lowercase()
    };
    let distance = |name: &str| {
        let words = words(name.split(' ').count());
        nearest(&words, [name]).first()?;
        Some((!name.starts_with(words.as_str()), strsim::osa_distance(&words, name)))
    };
    let named = VERBS.iter().filter_map(|verb| Some((distance(verb.name)?, verb.name)));
    named.min_by_key(|(distance, _)| *distance).map(|(_, name)| name.to_string())
}

fn wrong(body: &str, line: Range<usize>, at: usize, why: &str, near: Option<String>) -> Ask {
    let before = &body[..line.start];
    let start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let crlf = before.matches("\r\n").count();
    Ask::WrongVerb {
        line: 1 + before.matches(['\n', '\r']).count() - crlf,
        column: 1 + body[start..at].chars().count(),
        text: body[line].trim_end().to_string(),
        why: why.to_string(),
        near,
    }
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

fn is_name(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/'))
}
