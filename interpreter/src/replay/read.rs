//! Taking a recording apart: what its run starts from, the answers it was given, and what was changed afterwards.

use std::fmt;

use nebuko::{
    event::{Event, Trigger},
    time::Timestamp,
};
use serde::de::DeserializeOwned;

use super::{
    Difference,
    compare::around_offset,
    lines::{Line, Lines, lines},
    pointer::{pointer_at, token},
};
use crate::record::{EventLine, FORMAT, Header, Kind};

/// A recording, taken apart.
pub(super) struct Recording {
    /// The version of nebuko that recorded, as far as it can be read.
    pub(super) engine: String,
    /// What the run starts from; `None` where that was changed so that it cannot be read.
    pub(super) start: Option<Start>,
    /// The lines of a recording, the header included.
    pub(super) lines: Vec<Line>,
    /// How many lines there are, with those that are none of a recording.
    pub(super) count: usize,
    /// Whether the end is there.
    pub(super) whole: bool,
    /// The line of the first answer that cannot be read: from there on nothing can be compared.
    pub(super) unreadable: Option<usize>,
    /// What was changed, by line.
    pub(super) damages: Vec<Difference>,
}

/// What a run starts from.
pub(super) struct Start {
    pub(super) header: Header,
    pub(super) trigger: Trigger,
    pub(super) at: Timestamp,
    /// The events after the wake-up.
    pub(super) answers: Vec<EventLine>,
}

/// Why a recording cannot be run at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// What is wrong with it.
    pub why: String,
    /// What to do about it.
    pub next: &'static str,
}

impl Unreadable {
    pub(super) fn of(why: impl Into<String>, next: &'static str) -> Self {
        Self { why: why.into(), next }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.why, self.next)
    }
}

impl Recording {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        if bytes.is_empty() {
            return Err(Unreadable::of("it is empty: the run was stopped before its first line", RECORD_AGAIN));
        }
        let Lines { lines, count, mut damages, half } = lines(bytes);
        if count == 0 && bytes.starts_with(b"{\"recording\":") {
            let why = "it was cut inside its first line, so nothing of the run is in it";
            return Err(Unreadable::of(why, RECORD_AGAIN));
        }
        let whole = lines.iter().any(|line| line.kind == Kind::End);
        if whole && half < bytes.len() {
            let what = "there is more behind the end";
            damages.push(Difference::of_lines(count + 1, what, &super::compare::shown(&bytes[half..]), ""));
        }
        let header = header(lines.first(), &mut damages)?;
        let (answers, unreadable) = answers(&lines, &mut damages);
        let engine = header.as_ref().map_or_else(String::new, |header| header.engine.clone());
        let start = match header {
            Some(header) => start(header, &lines, answers)?,
            None => None,
        };
        damages.sort_by_key(|damage| damage.line);
        Ok(Self { engine, start, lines, count, whole, unreadable, damages })
    }
}

/// Reads the first line; `None` where it was changed so that it cannot be read.
fn header(line: Option<&Line>, damages: &mut Vec<Difference>) -> Result<Option<Header>, Unreadable> {
    let line = line
        .filter(|line| line.kind == Kind::Header && line.number == 1)
        .ok_or_else(|| Unreadable::of("it does not start with the header of a recording", GIVE_A_RECORDING))?;
    let version = serde_json::from_str::<serde_json::Value>(&line.text).ok();
    if let Some(version) = version.and_then(|header| header["recording"].as_u64())
        && version > u64::from(FORMAT)
    {
        if line.sound {
            let why = format!("it has format {version}, and this nebuko reads up to {FORMAT}");
            return Err(Unreadable::of(why, "use a newer nebuko"));
        }
        let what = "there is no such format";
        damages.push(Difference::of_field(1, "/recording", version.to_string(), FORMAT.to_string(), what));
    }
    match parsed::<Header>(line) {
        Ok(header) => {
            damages.extend(changed_digests(&header));
            Ok(Some(header))
        }
        Err(error) if line.sound => {
            Err(Unreadable::of(format!("its header cannot be read: {error}"), GIVE_A_RECORDING))
        }
        Err(error) => {
            damages.push(unreadable_line(line, &format!("the header cannot be read: {error}"), &error));
            Ok(None)
        }
    }
}

/// Compares the digests that the header says with what it holds.
fn changed_digests(header: &Header) -> Vec<Difference> {
    let own = header.own_digests();
    let changed = own.iter().filter(|(name, computed)| header.digests.get(*name) != Some(computed));
    let differences = changed.map(|(name, computed)| {
        let field = format!("/digests/{}", token(name));
        let recorded = header.digests.get(name).cloned().unwrap_or_default();
        let what = "the header's digest does not fit what the header holds";
        Difference::of_field(1, &field, recorded, computed.clone(), what)
    });
    differences.collect()
}

/// Reads the events up to the first that cannot be read, and gives the line of that one.
fn answers(lines: &[Line], damages: &mut Vec<Difference>) -> (Vec<EventLine>, Option<usize>) {
    let mut answers = Vec::new();
    for line in lines.iter().filter(|line| line.kind == Kind::Event) {
        match parsed(line) {
            Ok(answer) => answers.push(answer),
            Err(error) => {
                damages.push(unreadable_line(line, &format!("this event cannot be read: {error}"), &error));
                return (answers, Some(line.number));
            }
        }
    }
    (answers, None)
}

/// Takes the wake-up off the answers.
fn start(header: Header, lines: &[Line], mut answers: Vec<EventLine>) -> Result<Option<Start>, Unreadable> {
    let Some(second) = lines.get(1) else {
        let why = "it was cut after its first line, so nothing of the run is in it";
        return Err(Unreadable::of(why, RECORD_AGAIN));
    };
    let first = second.kind == Kind::Event && !answers.is_empty();
    match first.then(|| answers.remove(0)) {
        Some(EventLine { event: Event::Woken { trigger, at }, thread: None }) => {
            Ok(Some(Start { header, trigger, at, answers }))
        }
        _ if second.sound => Err(Unreadable::of("its second line is not the wake-up of a run", GIVE_A_RECORDING)),
        _ => Ok(None),
    }
}

/// Reads a line, also where a byte in one of its texts is none that JSON may have: the run goes on with another, and
/// the comparison tells the line.
fn parsed<T: DeserializeOwned>(line: &Line) -> Result<T, serde_json::Error> {
    let strictly = serde_json::from_str(&line.text);
    match (&line.readable, strictly) {
        (Some(readable), Err(error)) => serde_json::from_str(readable).map_err(|_| error),
        (_, strictly) => strictly,
    }
}

/// Says where a line cannot be read.
fn unreadable_line(line: &Line, what: &str, error: &serde_json::Error) -> Difference {
    let before: usize = line.text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let offset = (before + error.column()).saturating_sub(1);
    let recorded = around_offset(&line.text, offset);
    Difference::of_field(line.number, &pointer_at(&line.text, offset), recorded, String::new(), what)
}

const RECORD_AGAIN: &str = "record the run again, in a file of another name";
const GIVE_A_RECORDING: &str = "give a file that `nebuko run --record` wrote, as it was written";
