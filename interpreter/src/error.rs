//! What went wrong at the edge, told so that a person can go on.
//!
//! An error names what was attempted and on what, every cause below it, and what to do next. It also knows the
//! exit code it leads to. Failures of a run are not errors: they go to the core as outcomes.

use std::{error::Error as StdError, fmt, process::ExitCode};

use nebuko::event::{Failure, FailureKind};
use serde::Serialize;

use crate::secret::Masker;

use crate::address::without_user_names;

/// Something that a command could not do.
#[derive(Debug, Serialize)]
pub struct Error {
    /// What was attempted, on what: `read the thread in demo`.
    pub attempted: String,
    /// Why it failed, with every cause; one line a finding.
    pub why: String,
    /// What to do next, as a sentence.
    pub next: String,
    #[serde(skip)]
    exit: Exit,
}

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done: advanced, held, ended, or nothing to do.
    Done,
    /// The run failed, or a recording does not replay.
    Failed,
    /// Wrong usage, configuration or input.
    Usage,
    /// An outside service failed for good.
    Outside,
}

impl Error {
    /// Makes an error of wrong usage, configuration or input.
    pub fn usage(attempted: impl Into<String>, why: impl Into<String>, next: impl Into<String>) -> Self {
        Self::of(Exit::Usage, attempted.into(), why.into(), next.into())
    }

    /// Makes an error of something that failed on this machine while it worked.
    pub fn failed(attempted: impl Into<String>, why: impl Into<String>, next: impl Into<String>) -> Self {
        Self::of(Exit::Failed, attempted.into(), why.into(), next.into())
    }

    /// A cause may quote an address, and an address may have a password in it.
    fn of(exit: Exit, attempted: String, why: String, next: String) -> Self {
        let shown = |text: String| without_user_names(&text).into_owned();
        Self { attempted: shown(attempted), why: shown(why), next: shown(next), exit }
    }

    /// Hides the secrets of this process: an error quotes what it is about.
    pub fn masked(mut self, masker: &Masker) -> Self {
        [&mut self.attempted, &mut self.why, &mut self.next].into_iter().for_each(|text| masker.mask_in(text));
        self
    }

    /// Gives how the program ends.
    pub fn exit(&self) -> Exit {
        self.exit
    }
}

impl From<Failure> for Error {
    /// Takes over what an effect came to: what is wrong here is usage, what is wrong out there is not.
    fn from(failure: Failure) -> Self {
        let exit = match failure.kind {
            FailureKind::Local => Exit::Usage,
            FailureKind::Refused | FailureKind::Unavailable | FailureKind::Lost => Exit::Outside,
        };
        Self::of(exit, failure.attempted, failure.why, failure.next)
    }
}

impl From<Error> for Failure {
    /// Turns an error of a file or a setting into what the core is told.
    fn from(error: Error) -> Self {
        Self { kind: FailureKind::Local, attempted: error.attempted, why: error.why, next: error.next, took_ms: 0 }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not {}", self.attempted)?;
        for line in self.why.lines() {
            write!(f, "\n  {line}")?;
        }
        if self.next.is_empty() { Ok(()) } else { write!(f, "\n  next: {}", self.next) }
    }
}

impl StdError for Error {}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl Exit {
    /// Gives the code that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Outside => 3,
        }
    }
}

/// Writes an error and everything below it on one line.
pub(crate) fn causes(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut below = error.source();
    while let Some(cause) = below {
        let said = cause.to_string();
        // Many libraries repeat the cause in their own message.
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        below = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_what_why_and_what_next() {
        let error =
            Error::usage("read the thread in demo", "demo/issue.md:2: no author\ndemo/1-a.md:1: empty", "fix it");
        let told =
            "could not read the thread in demo\n  demo/issue.md:2: no author\n  demo/1-a.md:1: empty\n  next: fix it";
        assert_eq!(error.to_string(), told);
    }

    #[test]
    fn what_is_wrong_here_and_out_there_end_differently() {
        let check = |kind, exit| {
            let failure = Failure { kind, attempted: "a".into(), why: "b".into(), next: "c".into(), took_ms: 0 };
            assert_eq!(Error::from(failure).exit(), exit, "{kind:?}");
        };
        check(FailureKind::Local, Exit::Usage);
        check(FailureKind::Refused, Exit::Outside);
        check(FailureKind::Unavailable, Exit::Outside);
        check(FailureKind::Lost, Exit::Outside);
    }
}
