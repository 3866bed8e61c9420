//! Replaying a recording, strictly both ways.
//!
//! The recorded events are fed to the core again, and every line is made anew and compared byte for byte. An
//! effect that was not recorded is a difference, a recorded answer that nobody asks for is one, and so is a byte
//! that was changed afterwards, wherever it stands.

use nebuko::{effect::Effect, event::Event, report::Report, run::Run, snapshot::ThreadSnapshot};
use serde::Serialize;

use crate::{
    record::{Kind, Watched, end_text, event_text, step_text},
    run::{Observer, drive},
};

mod answers;
mod compare;
mod lines;
mod moments;
mod pointer;
mod read;

use answers::Answers;
use compare::{fields, nearest};
use lines::Line;
pub(crate) use moments::{Moment, Moments, moments};
pub use read::Unreadable;
use read::{Recording, Start};

/// What a replay came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The version of nebuko that recorded.
    pub engine: String,
    /// How many lines the recording has.
    pub lines: usize,
    /// How many steps were run again.
    pub steps: usize,
    /// Whether the recording goes to the end of its run. One that does not was cut short.
    pub whole: bool,
    /// What differs, by line; at most [`DIFFERENCES_MAX`], as everything behind a first one tends to follow.
    pub differences: Vec<Difference>,
    /// How many lines differ besides.
    pub more: usize,
}

/// One field that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The line, from 1.
    pub line: usize,
    /// The field as a JSON pointer; empty for the line as a whole.
    pub field: String,
    /// What the recording says there, shortened around the difference.
    pub recorded: String,
    /// What the replay computed.
    pub computed: String,
    /// What it means.
    pub what: String,
    /// The changed line that this follows from, if one before it was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub follows: Option<usize>,
    /// For an effect of another kind: the recorded one that is most like it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<String>,
}

impl Verdict {
    /// Tells whether the recording is whole and replays byte for byte.
    pub fn is_good(&self) -> bool {
        self.whole && self.differences.is_empty()
    }
}

/// How many differences are told.
pub const DIFFERENCES_MAX: usize = 20;

/// Replays a recording, as far as it goes. A byte that was changed afterwards is a difference of its line, also where
/// the line can no longer be read.
///
/// # Errors
/// Gives why this is no recording that can be run, or none at all.
pub fn replay(bytes: &[u8]) -> Result<Verdict, Unreadable> {
    let Recording { engine, start, lines, count, whole, unreadable, mut damages } = Recording::read(bytes)?;
    let mut check = Check {
        lines: &lines,
        at: 1,
        unreadable,
        thread: Watched::default(),
        told: Vec::new(),
        more: 0,
        steps: 0,
        astray: false,
    };
    if let Some(Start { header, trigger, at, answers }) = start {
        drive(Run::new(header.setup), &mut Answers::new(answers), ThreadSnapshot::default(), trigger, at, &mut check);
        if whole && !check.astray {
            check.left_over();
        }
    }
    let Check { mut told, more, steps, .. } = check;
    let changed = damages.first().map(|damage| damage.line);
    told.iter_mut().for_each(|one| one.follows = changed.filter(|&line| line < one.line));
    // A line that differs by its fields needs no word about its digest.
    damages.retain(|damage| !told.iter().any(|other| other.line == damage.line && other.is_plain()));
    damages.extend(told);
    damages.sort_by_key(|difference| difference.line);
    let more = more + damages.len().saturating_sub(DIFFERENCES_MAX);
    damages.truncate(DIFFERENCES_MAX);
    Ok(Verdict { engine, lines: count, steps, whole, differences: damages, more })
}

/// Makes every line anew and compares it with the recorded one.
struct Check<'r> {
    lines: &'r [Line],
    /// The recorded line that is next, counted from 0; the header is not made by the run.
    at: usize,
    /// The line of an answer that cannot be read.
    unreadable: Option<usize>,
    thread: Watched,
    told: Vec<Difference>,
    more: usize,
    steps: usize,
    /// Whether recording and run no longer talk about the same thing, so that comparing on means nothing.
    astray: bool,
}

impl Observer for Check<'_> {
    fn came(&mut self, event: &Event, thread: &ThreadSnapshot) {
        let change = self.thread.change(event, thread);
        self.compare(Kind::Event, || event_text(event, change.as_ref()));
    }

    fn stepped(&mut self, effects: &[Effect], digest: &dyn Fn() -> String) {
        self.steps += 1;
        self.compare(Kind::Step, || step_text(effects, &digest()));
    }

    fn ended(&mut self, report: &Report) {
        self.compare(Kind::End, || end_text(report));
    }
}

impl Check<'_> {
    fn compare(&mut self, kind: Kind, computed: impl FnOnce() -> String) {
        // Behind the last line of a recording that was cut short there is nothing to compare with.
        let Some(line) = self.lines.get(self.at).filter(|_| !self.astray) else {
            return;
        };
        self.at += 1;
        if self.unreadable.is_some_and(|number| number <= line.number) {
            self.astray = true;
            return;
        }
        if line.kind != kind {
            self.astray = true;
            let what = match (line.kind, kind) {
                (Kind::Event, _) => "the recording has an answer that the run did not ask for",
                (_, Kind::Event) => "the run asked for something that the recording has no answer to",
                (Kind::End, _) => "the recording ends here, the run goes on",
                (_, Kind::End) => "the run ends here, the recording goes on",
                _ => "the recording and the run are not at the same point",
            };
            self.told.push(Difference::of_lines(line.number, what, &line.text, &computed()));
            return;
        }
        let computed = computed();
        if line.text == computed {
            return;
        }
        let mut found = fields(line.number, &line.text, &computed);
        // A state that is another one stays another one: that is told once.
        let only_the_state =
            found.iter().all(|one| one.field == STATE) && self.told.iter().any(|one| one.field == STATE);
        if only_the_state || self.told.len() >= DIFFERENCES_MAX {
            self.more += 1;
            return;
        }
        if kind == Kind::Step {
            let steps = self.lines.iter().filter(|line| line.kind == Kind::Step);
            found.iter_mut().for_each(|difference| difference.nearest = nearest(difference, &computed, steps.clone()));
        }
        self.told.extend(found);
    }

    fn left_over(&mut self) {
        if let Some(line) = self.lines.get(self.at) {
            let what = "the run ends before this line";
            self.told.push(Difference::of_lines(line.number, what, &line.text, ""));
        }
    }
}

/// The field of a step's line that holds the digest of the state.
const STATE: &str = "/state";

#[cfg(test)]
mod tests;
