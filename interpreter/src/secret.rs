//! Secrets: kept out of sight while they are used, and taken out of whatever leaves the process.
//!
//! What looks like a secret in a text that nobody declared as one is the core's filter's business; here
//! only values count that this process really has.
//!
//! # Which values are masked
//! The value of a variable with a secret's name ([`is_secret_name`]), without the white space around it, unless it
//! is one of these, which hide nothing and whose masking would destroy what everybody may read:
//! - fewer than 8 bytes;
//! - a number or a time: `12345678`, `2026-11-30`. Ids and counts are made of the same characters;
//! - a short word: fewer than 12 letters of one case, perhaps with a capital, also joined by `-`, `_`, `.` or a
//!   space: `postgres`, `answered`, `dev-review`. Names of steps, roles and people are such words;
//! - a word of the wire format: `author_association`, `WORKFLOW_STATE_START`.
//!
//! # Where
//! In every text that comes in, by its value, before the core sees it ([`crate::record::Masked`],
//! [`crate::setup::configure`]), so that a recording needs no masking of its own and replays byte for byte; and once
//! more in what is posted, told and printed. A text is searched as it stands and as it reads once the escapes of
//! JSON are undone, up to four times over: a tool call's arguments are JSON inside JSON.

mod escapes;
mod forms;
mod masker;

use std::fmt;

pub use forms::is_secret_name;
#[cfg(unix)]
pub(crate) use masker::MASK;
pub use masker::Masker;

/// A value that no log, error or debug output shows.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Takes a value, without the white space around it that files and pasted settings bring along.
    pub fn new(value: impl AsRef<str>) -> Self {
        Self(value.as_ref().trim().to_owned())
    }

    /// Gives the value itself, for the one place that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_shown() {
        let secret = Secret::new(" hunter2-hunter2\n");
        assert_eq!(secret.reveal(), "hunter2-hunter2");
        assert_eq!(format!("{secret:?} {:#?}", Some(&secret)).matches("hunter2").count(), 0);
    }
}
