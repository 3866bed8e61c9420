//! A program that the core wants run, and what came of it.
//!
//! The core says what, with which arguments and variables, and for how long. How a process is confined, timed and
//! ended is for the edge (decision 7).

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

/// One program to run in the checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// What it is for.
    pub purpose: Purpose,
    /// The program and its arguments, handed over as they are; no shell reads them. Never empty.
    pub argv: Vec<String>,
    /// Where it runs, relative to the checkout; empty is the checkout itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub working_dir: String,
    /// Variables on top of the caller's, whose tokens the child does not get.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// What it is given on standard input, which else is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// How long it may take, in seconds.
    pub timeout_seconds: u64,
}

/// What a program is run for; the confinement of its path depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A script step: `argv[0]` is an executable, or a script of the checkout.
    #[default]
    Script,
    /// Before an agent: `argv[0]` is a script of the checkout.
    PreHook,
    /// After an agent: `argv[0]` is a script of the checkout.
    PostHook,
    /// The work of an agent (`runtime: command`): `argv[0]` is an executable, or a script of the checkout. What stands
    /// on its standard input is also in a file, whose path is in `NEBUKO_PROMPT_FILE`.
    Agent {
        /// The role.
        role: String,
    },
    /// A command that a model asked for: `argv[0]` is an executable, or a script of the checkout.
    Tool,
    /// The value of an input: `argv[0]` is an executable, or a script of the checkout.
    Input {
        /// The input's name.
        name: String,
    },
}

/// What came of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// How it ended.
    pub end: ProcessEnd,
    /// What it wrote to standard output.
    pub stdout: Captured,
    /// What it wrote to standard error.
    pub stderr: Captured,
    /// Milliseconds from start to end.
    pub took_ms: u64,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessEnd {
    /// By itself, with a code.
    Exited {
        /// The code; 0 is success.
        code: i32,
    },
    /// By a signal of somebody else.
    Signalled {
        /// Its number.
        signal: i32,
    },
    /// By us, at its time limit, with its whole process group.
    TimedOut {
        /// The limit, in seconds.
        seconds: u64,
    },
    /// It was never started.
    NotStarted {
        /// What was wrong, with the name and size of what does not fit.
        why: String,
    },
}

/// What a program wrote to one pipe, within bounds: the head and the tail, and what is known of the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    /// The beginning, up to half of what is kept.
    pub head: String,
    /// The end, where not everything was kept; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tail: String,
    /// How many bytes between the two were not kept.
    #[serde(default)]
    pub left_out: u64,
    /// Whether bytes that are no UTF-8 were replaced by U+FFFD.
    #[serde(default)]
    pub replaced: bool,
}

impl Default for ProcessEnd {
    fn default() -> Self {
        Self::Exited { code: 0 }
    }
}

impl Ran {
    /// Tells whether the program ended by itself and well.
    pub fn is_ok(&self) -> bool {
        self.end == ProcessEnd::Exited { code: 0 }
    }
}
