//! The lines of a recording, format 1.
//!
//! Each line is one JSON object whose last key is `sha256`: the digest of the line before it and of everything
//! else in this line. So one changed byte is seen at its line, also where nothing depends on it.

use std::{collections::BTreeMap, fmt::Write as _};

use nebuko::{
    canonical::sha256_hex,
    effect::Effect,
    event::Event,
    report::{Reason, Report, RunOutcome},
    setup::Setup,
};
use serde::{Deserialize, Serialize};

use super::ThreadChange;

/// The format that is written. Every older one stays readable.
pub const FORMAT: u32 = 1;

/// The first line: all that is needed to run the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The format's version.
    pub recording: u32,
    /// The version of nebuko that recorded.
    pub engine: String,
    /// SHA-256 of the settings, of each workflow's text and each agent's prompt, by where they stand.
    pub digests: BTreeMap<String, String>,
    /// What the run was set up with, in full.
    pub setup: Setup,
    /// The texts of the workflow files, by where they stand.
    pub sources: BTreeMap<String, String>,
}

/// One event, written as soon as it came.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventLine {
    /// The event.
    pub event: Event,
    /// What became of the thread since the last event; absent where nothing did.
    #[serde(default)]
    pub thread: Option<ThreadChange>,
}

/// What one step asked for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLine {
    /// The effects, in order.
    pub effects: Vec<Effect>,
    /// SHA-256 of the run's canonical state after the step.
    pub state: String,
}

/// The last line, about how the run ended. A recording without it was cut short.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndLine {
    /// How.
    pub end: RunOutcome,
    /// Why.
    pub reason: Reason,
    /// SHA-256 of the whole report's JSON.
    pub report: String,
}

impl Header {
    /// Writes the line.
    pub(crate) fn text(&self) -> String {
        json(self)
    }
}

/// Writes an event's line.
pub(crate) fn event_text(event: &Event, thread: Option<&ThreadChange>) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        event: &'a Event,
        #[serde(skip_serializing_if = "Option::is_none")]
        thread: Option<&'a ThreadChange>,
    }
    json(&Line { event, thread })
}

/// Writes a step's line.
pub(crate) fn step_text(effects: &[Effect], state: &str) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        effects: &'a [Effect],
        state: &'a str,
    }
    json(&Line { effects, state })
}

/// Writes the end's line.
pub(crate) fn end_text(report: &Report) -> String {
    #[derive(Serialize)]
    struct Line {
        end: RunOutcome,
        reason: Reason,
        report: String,
    }
    json(&Line { end: report.outcome, reason: report.reason, report: sha256_hex(json(report).as_bytes()) })
}

fn json(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("lines are plain data with text keys")
}

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The first line.
    Header,
    /// An event.
    Event,
    /// A step.
    Step,
    /// The last line.
    End,
}

impl Kind {
    /// Tells what a line is about by its first key, also where a byte or two of that were changed.
    pub(crate) fn near(line: &[u8]) -> Option<Self> {
        let starts = [
            ("{\"recording\":", Self::Header),
            ("{\"event\":", Self::Event),
            ("{\"effects\":", Self::Step),
            ("{\"end\":", Self::End),
        ];
        let unlike = |start: &str| {
            let same = line.iter().zip(start.bytes()).filter(|(one, other)| **one == *other).count();
            start.len() - same
        };
        let nearest = starts.into_iter().map(|(start, kind)| (unlike(start), kind)).min_by_key(|(unlike, _)| *unlike);
        nearest.filter(|(unlike, _)| *unlike <= CHANGED_MAX).map(|(_, kind)| kind)
    }
}

/// The digest that ties each line to the ones before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    last: String,
}

impl Chain {
    /// Adds its digest and a line end to a line.
    pub(crate) fn seal(&mut self, mut text: String) -> String {
        self.last = link(&self.last, text.as_bytes());
        text.pop();
        writeln!(text, "{SEAL_START}{}{SEAL_END}", self.last).expect("a text takes any text");
        text
    }
}

/// Gives the digest that a line must carry behind another.
pub(crate) fn link(before: &str, object: &[u8]) -> String {
    sha256_hex(&[before.as_bytes(), object].concat())
}

/// What stands before and behind the digest at the end of a line.
pub(crate) const SEAL_START: &str = ",\"sha256\":\"";
pub(crate) const SEAL_END: &str = "\"}";
/// How long the digest is with that.
pub(crate) const SEAL_BYTES: usize = SEAL_START.len() + 64 + SEAL_END.len();
/// No two kinds start as alike as this many bytes.
const CHANGED_MAX: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_line_hangs_on_the_line_before() {
        let mut chain = Chain::default();
        let step = step_text(&[], "s");
        let (first, second) = (chain.seal(step.clone()), chain.seal(step.clone()));
        assert_eq!(step, r#"{"effects":[],"state":"s"}"#);
        let digest = link("", step.as_bytes());
        assert_eq!(first, format!("{{\"effects\":[],\"state\":\"s\"{SEAL_START}{digest}{SEAL_END}\n"));
        assert!(second.contains(&link(&digest, step.as_bytes())), "{second}");
    }

    #[test]
    fn a_kind_is_known_by_its_first_key() {
        let check = |line: &str, kind: Option<Kind>| assert_eq!(Kind::near(line.as_bytes()), kind, "{line}");
        check("{\"recording\":1", Some(Kind::Header));
        check("{\"event\":{", Some(Kind::Event));
        check("{\"effects\":[", Some(Kind::Step));
        check("{\"end\":\"held\"", Some(Kind::End));
        check("\n\"event\":{", Some(Kind::Event));
        check("{\"effecus\":[", Some(Kind::Step));
        check("{\"ene\":\"held\"", Some(Kind::End));
        check("{\"event", Some(Kind::Event));
        check("{\"issue\":{", None);
        check("{\"e", None);
        check("", None);
    }
}
