//! What an agent may do in the checkout: a use of a workspace tool, and what came of it (decision 8).
//!
//! The core says which tool, on what and within which bounds. How a path is confined and a file is read is for the
//! edge. `run_command` is a program like any other: see `process`.

use alloc::string::String;

use serde::{Deserialize, Serialize};

/// One use of a tool in the checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolUse {
    /// What is to be done.
    pub tool: WorkspaceTool,
    /// At most so many bytes are given back; the rest is left out with a visible note.
    pub bytes_max: u64,
    /// At most so many seconds are spent.
    pub seconds_max: u64,
}

/// What is to be done. Every path is relative to the checkout, `/` between its parts; empty is the checkout itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceTool {
    /// List the files and folders in a folder.
    ListFiles {
        /// The folder.
        path: String,
    },
    /// Read lines of a text file.
    ReadFile {
        /// The file.
        path: String,
        /// The first line wanted, from 1.
        from_line: u64,
        /// At most so many lines.
        lines: u64,
    },
    /// Look for a text in the files below a folder, letter by letter.
    SearchText {
        /// The text.
        text: String,
        /// The folder, or one file.
        path: String,
    },
    /// Write a whole text file, new or not.
    WriteFile {
        /// The file.
        path: String,
        /// Its text.
        text: String,
    },
    /// Replace a piece of a text file that stands there exactly once.
    ApplyEdit {
        /// The file.
        path: String,
        /// The piece.
        old: String,
        /// What takes its place.
        new: String,
    },
}

/// What came of a use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolDone {
    /// Whether it went well.
    pub ok: bool,
    /// What the model is told: the result, or what went wrong and what to do.
    pub text: String,
    /// Milliseconds it took.
    pub took_ms: u64,
}

impl Default for WorkspaceTool {
    fn default() -> Self {
        Self::ListFiles { path: String::new() }
    }
}
