//! What `nebuko metrics` takes.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};

use super::{SettingsArgs, SourceArgs, ViewArgs};

/// `nebuko metrics`.
#[derive(Debug, Group)]
pub struct MetricsArgs {
    /// Recordings, or folders of them (*.jsonl), in place of a thread.
    #[arg(value_name = "RECORDING|FOLDER", conflicts_with_all = ["repo", "issue", "local", "thread"])]
    pub recordings: Vec<PathBuf>,
    /// What the table has a row for.
    #[arg(long, value_enum, default_value_t = By::Step, value_name = "WHAT", conflicts_with = "json")]
    pub by: By,
    /// Print one JSON document, with the sums by everything.
    #[arg(long)]
    pub json: bool,
    /// Where the thread is.
    #[command(flatten)]
    pub source: SourceArgs,
    /// For whom it is looked at.
    #[command(flatten)]
    pub view: ViewArgs,
    /// What a maintainer may set.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// What a row of the table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// A step with its role.
    Step,
    /// A role.
    Agent,
    /// A run: a recording, or what one person's words started.
    Run,
    /// An issue.
    Issue,
}
