//! YAML that people write, read into a tree that knows where everything stands.
//!
//! This is the one module that touches the YAML parser. It keeps a plain scalar as it was written, so `no`,
//! `1.10` and `007` stay text, and refuses what would be guesswork: repeated keys, tags, several documents,
//! aliases that explode. What the keys mean is for whoever asked for the tree.

use alloc::{string::String, vec::Vec};

use crate::problem::Problem;

mod build;
mod front_matter;
mod keys;
mod problems;

pub use front_matter::front_matter;
pub(crate) use problems::{Problems, as_scalar, quoted};

/// The most bytes a file may have: far above any workflow, far below what could hurt.
pub const SOURCE_MAX_BYTES: usize = 1024 * 1024;
/// How deep lists and maps may nest, aliases counted as what they stand for.
pub const DEPTH_MAX: usize = 64;
/// How much anchors and aliases may copy, in nodes and bytes of text together.
pub const ALIAS_MAX: usize = 256 * 1024;

/// Reads a file of one document; an empty one is a null.
///
/// # Errors
/// Gives every mistake that was found, in the order of the file. After broken syntax nothing more is found.
pub fn parse(file: &str, source: &str) -> Result<Node, Vec<Problem>> {
    let mut problems = Problems::new(file);
    match read(source, &mut problems) {
        Some(root) if problems.is_empty() => Ok(root),
        _ => Err(problems.into_list()),
    }
}

/// Reads a file like [`parse`], but gives the tree also where keys were repeated, so that the caller can look
/// for mistakes of its own in the same pass. `None` means that what is there cannot be relied on.
pub(crate) fn read(source: &str, problems: &mut Problems) -> Option<Node> {
    build::tree(source, build::Origin::default(), problems)
}

/// Where something stands in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Its first byte in the file.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

/// A value and its place. What an alias stands for has the alias's place, and its own places inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it stands.
    pub place: Place,
    /// What it is.
    pub value: Value,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text. Whether `no` or `1.10` means more is for the reader of the key.
    Scalar {
        /// The text: as written where it is plain, decoded where it is quoted or a block.
        text: String,
        /// How it was written.
        style: Style,
    },
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the file; no key stands in it twice.
    Map(Vec<(Key, Node)>),
}

/// How a scalar was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Bare: it may be a null.
    Plain,
    /// In quotes or as a block: it is a text whatever it says.
    Quoted,
}

/// A key of a map and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub text: String,
}

impl Key {
    /// Tells whether it is the merge key of YAML 1.1, which stands there without quotes.
    pub(crate) fn is_merge(&self) -> bool {
        self.text == "<<" && self.place.end - self.place.start == self.text.len()
    }
}

impl Node {
    /// Tells whether it is a null: plain, and nothing, `~` or `null`.
    pub fn is_null(&self) -> bool {
        match &self.value {
            Value::Scalar { text, style: Style::Plain } => {
                matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL")
            }
            _ => false,
        }
    }

    /// Gives the text, where it is one and no null.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } if !self.is_null() => Some(text),
            _ => None,
        }
    }

    /// Gives the items of a list.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// Gives the entries of a map.
    pub fn entries(&self) -> Option<&[(Key, Self)]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Tells whether it is a map that was to take keys over from another, which was told when it was read.
    pub(crate) fn has_merge(&self) -> bool {
        self.entries().is_some_and(|entries| entries.iter().any(|(key, _)| key.is_merge()))
    }

    /// Gives the place of a key itself, where it is a map that has it.
    pub fn key_place(&self, key: &str) -> Option<Place> {
        self.entries()?.iter().find(|(own, _)| own.text == key).map(|(own, _)| own.place)
    }

    /// Gives the value of a key, where it is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries()?.iter().find(|(own, _)| own.text == key).map(|(_, value)| value)
    }

    /// Says what it is, for messages: `a list`, `a map`, `a text` or `null`.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Scalar { .. } if self.is_null() => "null",
            Value::Scalar { .. } => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}

impl Place {
    /// Makes a problem of what stands here.
    pub fn problem(self, file: &str, what: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem {
            file: file.into(),
            line: self.line,
            column: self.column,
            start: self.start,
            end: self.end,
            what: what.into(),
            hint: hint.into(),
            ..Problem::default()
        }
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::bomb;
