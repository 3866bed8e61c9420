//! Secrets: kept out of sight while they are used, and taken out of whatever leaves the process.
//!
//! What looks like a secret in a text that nobody declared as one is the core's filter's business; here
//! only values count that this process really has.

mod masker;

use std::fmt;

pub use masker::{Masker, is_secret_name};

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
