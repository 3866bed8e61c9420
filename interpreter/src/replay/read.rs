//! Taking a recording apart, and checking that no byte of it was changed afterwards.

use std::{fmt, str};

use nebuko::{event::Event, event::Trigger, time::Timestamp};

use super::{Difference, Woken};
use crate::record::{EventLine, FORMAT, Header, Kind, link, unseal};

/// A recording, taken apart.
pub(super) struct Recording {
    pub(super) header: Header,
    /// Every line up to the first that cannot be read, the header included.
    pub(super) lines: Vec<Line>,
    /// Whether the end is there.
    pub(super) whole: bool,
    pub(super) trigger: Trigger,
    pub(super) at: Timestamp,
    /// The events after the wake-up.
    pub(super) answers: Vec<EventLine>,
    /// Lines whose digest does not fit, or that cannot be read.
    pub(super) damages: Vec<Difference>,
}

/// One line.
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: usize,
    /// What it is about.
    pub(super) kind: Kind,
    /// The object without its digest.
    pub(super) text: String,
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
    fn of(why: impl Into<String>, next: &'static str) -> Self {
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
        if !bytes.contains(&b'\n') && bytes.starts_with(b"{\"recording\":") {
            return Err(Unreadable::of(
                "it was cut inside its first line, so nothing of the run is in it",
                RECORD_AGAIN,
            ));
        }
        let mut damages = Vec::new();
        let lines = lines(bytes, &mut damages);
        let header = header(lines.first(), &mut damages)?;
        let whole = lines.iter().any(|line| line.kind == Kind::End);
        let half = half_line(bytes);
        if whole && !half.is_empty() {
            let what = "there is more behind the end";
            damages.push(Difference::of_lines(lines.len() + 1, what, &String::from_utf8_lossy(half), ""));
        }
        let mut answers = Vec::new();
        for line in lines.iter().filter(|line| line.kind == Kind::Event) {
            match serde_json::from_str::<EventLine>(&line.text) {
                Ok(answer) => answers.push(answer),
                Err(error) => {
                    let what = format!("this event cannot be read: {error}");
                    damages.push(Difference::of_lines(line.number, &what, &line.text, ""));
                    break;
                }
            }
        }
        let (trigger, at) = woken(&lines, &mut answers)?;
        Ok(Self { header, lines, whole, trigger, at, answers, damages })
    }
}

/// Splits and unseals the lines.
fn lines(bytes: &[u8], damages: &mut Vec<Difference>) -> Vec<Line> {
    let mut lines = Vec::new();
    // A changed line breaks the digest of its own line only: the next may hang on what the line says its digest
    // is, or on what it is.
    let (mut said, mut found) = (String::new(), String::new());
    let ended = bytes.strip_suffix(half_line(bytes)).and_then(|lines| lines.strip_suffix(b"\n")).unwrap_or_default();
    for (index, raw) in ended.split(|&byte| byte == b'\n').enumerate() {
        let number = index + 1;
        let sealed = str::from_utf8(raw).ok().and_then(unseal);
        let Some((sealed, kind)) = sealed.and_then(|sealed| Kind::of(&sealed.text).map(|kind| (sealed, kind))) else {
            let what = "this line is not one of a recording: it, or its digest, was changed or cut";
            damages.push(Difference::of_lines(number, what, &String::from_utf8_lossy(raw), ""));
            break;
        };
        let expected = [link(&said, &sealed.text), link(&found, &sealed.text)];
        if !expected.contains(&sealed.sha256) {
            damages.push(Difference {
                line: number,
                field: "/sha256".into(),
                recorded: sealed.sha256.clone(),
                computed: expected[0].clone(),
                what: "this line was changed after it was recorded".into(),
                follows: None,
                nearest: None,
            });
        }
        [found, _] = expected;
        said = sealed.sha256;
        lines.push(Line { number, kind, text: sealed.text });
    }
    lines
}

/// What stands behind the last line end: the half line of a killed run, as a rule nothing.
fn half_line(bytes: &[u8]) -> &[u8] {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(bytes, |end| &bytes[end + 1..])
}

fn header(line: Option<&Line>, damages: &mut Vec<Difference>) -> Result<Header, Unreadable> {
    let line = line
        .filter(|line| line.kind == Kind::Header)
        .ok_or_else(|| Unreadable::of("it does not start with the header of a recording", GIVE_A_RECORDING))?;
    let header: Header = serde_json::from_str(&line.text).map_err(|error| {
        let version = serde_json::from_str::<serde_json::Value>(&line.text).ok();
        match version.as_ref().and_then(|header| header["recording"].as_u64()) {
            Some(version) if version > u64::from(FORMAT) => newer(version),
            _ => Unreadable::of(format!("its header cannot be read: {error}"), GIVE_A_RECORDING),
        }
    })?;
    if header.recording > FORMAT {
        return Err(newer(header.recording.into()));
    }
    let digests = header.own_digests();
    for (name, computed) in &digests {
        let recorded = header.digests.get(name).map_or("", String::as_str);
        if recorded != computed {
            damages.push(Difference {
                line: line.number,
                field: format!("/digests/{}", name.replace('~', "~0").replace('/', "~1")),
                recorded: recorded.into(),
                computed: computed.clone(),
                what: "the header's digest does not fit what the header holds".into(),
                follows: None,
                nearest: None,
            });
        }
    }
    Ok(header)
}

fn newer(version: u64) -> Unreadable {
    let why = format!("it has format {version}, and this nebuko reads up to {FORMAT}");
    Unreadable::of(why, "use a newer nebuko")
}

/// Takes the wake-up off the answers.
fn woken(lines: &[Line], answers: &mut Vec<EventLine>) -> Result<Woken, Unreadable> {
    let first = lines.get(1).is_some_and(|line| line.kind == Kind::Event) && !answers.is_empty();
    match first.then(|| answers.remove(0)) {
        Some(EventLine { event: Event::Woken { trigger, at }, thread: None }) => Ok((trigger, at)),
        _ if lines.len() == 1 => {
            Err(Unreadable::of("it was cut after its first line, so nothing of the run is in it", RECORD_AGAIN))
        }
        _ => Err(Unreadable::of("its second line is not the wake-up of a run", GIVE_A_RECORDING)),
    }
}

const RECORD_AGAIN: &str = "record the run again, in a file of another name";
const GIVE_A_RECORDING: &str = "give a file that `nebuko run --record` wrote, as it was written";
