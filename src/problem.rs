//! What is wrong with a file that a person wrote: the place, the thing, and what would be right.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

use serde::{Deserialize, Serialize};

/// One mistake in one file. Parsers give all they find.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file, as it was named to the parser.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Its first byte in the file.
    #[serde(default)]
    pub start: usize,
    /// The byte after its last.
    #[serde(default)]
    pub end: usize,
    /// What is wrong.
    pub what: String,
    /// What would be right, or empty.
    pub hint: String,
    /// The lint rule it breaks, such as `L2`; empty where a file breaks none but cannot be read.
    #[serde(default)]
    pub rule: Cow<'static, str>,
    /// Other places that belong to it, such as the first of two equal names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
}

/// Another place that belongs to a mistake, in the same file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Its first byte in the file.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
    /// What it has to do with the mistake.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.what)?;
        if self.hint.is_empty() { Ok(()) } else { write!(f, " ({})", self.hint) }
    }
}
