//! Writing a recording: a run as a file that replays anywhere.
//!
//! A recording is JSON Lines: a header with everything the run was set up with, one line an event as soon as it
//! is there, one line a step with what it asked for, and an end. Every line is flushed, so a run that was killed
//! leaves a readable beginning. What a line looks like is for `line`; that no secret gets in, for `masked`.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use nebuko::{
    canonical::sha256_hex,
    effect::Effect,
    event::{Event, Outcome},
    report::Report,
    setup::Setup,
    snapshot::ThreadSnapshot,
};

use crate::{
    error::{Error, causes},
    run::{Observer, take_in},
};

mod change;
mod line;
mod masked;

pub use change::ThreadChange;
pub(crate) use line::{Chain, Kind, SEAL_BYTES, SEAL_END, SEAL_START, end_text, event_text, link, step_text};
pub use line::{EndLine, EventLine, FORMAT, Header, StepLine};
pub use masked::Masked;

/// Writes a recording while a run goes on.
///
/// A file that cannot be written any more does not stop the run: what it has posted stands in the thread and
/// must be finished there. The failure is kept and told at the end.
pub struct Recorder<W> {
    out: W,
    chain: Chain,
    thread: Watched,
    failed: Option<io::Error>,
}

impl<W: Write> Recorder<W> {
    /// Starts a recording with its header.
    pub fn start(out: W, header: &Header) -> Self {
        let mut recorder = Self { out, chain: Chain::default(), thread: Watched::default(), failed: None };
        recorder.write(header.text());
        recorder
    }

    /// Gives what was written to, or why the recording is not whole.
    ///
    /// # Errors
    /// Gives the first failure to write; nothing was written after it.
    pub fn finish(self) -> Result<W, io::Error> {
        self.failed.map_or(Ok(self.out), Err)
    }

    fn write(&mut self, text: String) {
        if self.failed.is_none() {
            // What comes in is masked already (`Masked`). A line is never: what the core makes of it must be the
            // same bytes again where nobody knows the secrets.
            let sealed = self.chain.seal(text);
            self.failed = self.out.write_all(sealed.as_bytes()).and_then(|()| self.out.flush()).err();
        }
    }
}

impl<W: Write> Observer for Recorder<W> {
    fn came(&mut self, event: &Event, thread: &ThreadSnapshot) {
        let change = self.thread.change(event, thread);
        self.write(event_text(event, change.as_ref()));
    }

    fn stepped(&mut self, effects: &[Effect], digest: &dyn Fn() -> String) {
        self.write(step_text(effects, &digest()));
    }

    fn ended(&mut self, report: &Report) {
        self.write(end_text(report));
    }
}

/// A thread as the lines so far tell it.
#[derive(Default)]
pub(crate) struct Watched {
    known: ThreadSnapshot,
}

impl Watched {
    /// Gives what became of the thread with this event, besides what the event itself says.
    ///
    /// Only a wake-up and a read change more, so a long thread is not compared at every answer.
    pub(crate) fn change(&mut self, event: &Event, thread: &ThreadSnapshot) -> Option<ThreadChange> {
        match event {
            Event::Woken { .. } | Event::Answered { outcome: Outcome::ThreadRead, .. } => {}
            Event::Answered { .. } => {
                take_in(event, &mut self.known);
                return None;
            }
        }
        let change = ThreadChange::between(&self.known, thread)?;
        change.clone().apply(&mut self.known);
        Some(change)
    }
}

/// Opens the file of a new recording.
///
/// # Errors
/// Usage: there is such a file. Nothing is written over, because an older recording is the audit of a run, and a
/// mistyped path must not cost a thread or a workflow.
pub fn create(path: &Path) -> Result<File, Error> {
    let attempted = format!("write a recording to {}", path.display());
    // A device or a pipe has nothing to lose.
    let is_device = fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir());
    let opened = if is_device { OpenOptions::new().write(true).open(path) } else { File::create_new(path) };
    opened.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            let why = "there is such a file already, and nothing is written over";
            Error::usage(attempted, why, "give another name")
        }
        _ => {
            let next = "give --record a path in a folder that exists and may be written to";
            Error::usage(attempted, causes(&error), next)
        }
    })
}

/// Makes the error of a recording that could not be written to its end.
pub fn unfinished(path: &Path, error: &io::Error) -> Error {
    Error::failed(
        format!("finish the recording {}", path.display()),
        causes(error),
        "the run itself is not affected: what it posted stands; free some space and record the next run",
    )
}

impl Header {
    /// Makes the header of a run; `sources` are the texts of the workflow files by where they stand.
    pub fn of(setup: Setup, sources: BTreeMap<String, String>) -> Self {
        let digests = digests(&setup, &sources);
        Self { recording: FORMAT, engine: env!("CARGO_PKG_VERSION").into(), digests, setup, sources }
    }

    /// Gives the digests that a header must carry.
    pub(crate) fn own_digests(&self) -> BTreeMap<String, String> {
        digests(&self.setup, &self.sources)
    }
}

/// Digests what a run was set up with: the settings, each workflow's text, each agent's prompt.
fn digests(setup: &Setup, sources: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let settings = serde_json::to_vec(&setup.settings).expect("settings are plain data");
    let agents = setup.agents.values().map(|agent| (agent.location.clone(), sha256_hex(agent.prompt.as_bytes())));
    let workflows = sources.iter().map(|(place, text)| (place.clone(), sha256_hex(text.as_bytes())));
    agents.chain(workflows).chain([("settings".into(), sha256_hex(&settings))]).collect()
}
