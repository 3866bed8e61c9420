//! What `nebuko lint` takes.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};

/// `nebuko lint`.
#[derive(Debug, Default, Group)]
pub struct LintArgs {
    /// Workflow files, folders of them, or - for standard input; by default .nebuko/workflows or else workflows. With a
    /// folder, .nebuko/config.yaml beside it is looked at, too.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How the findings are written.
    #[arg(long, value_enum, default_value_t = LintFormat::Human, value_name = "FORMAT", hide_default_value = true)]
    pub format: LintFormat,
    /// Print one JSON document, as --format json does.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// End with 1 where there are warnings and no errors, too.
    #[arg(long)]
    pub deny_warnings: bool,
    /// Mend what has a safe fix, and tell what is left.
    #[arg(long)]
    pub fix: bool,
    /// With --fix: change no file, and print what would change.
    #[arg(long, requires = "fix")]
    pub dry_run: bool,
    /// The file that standard input stands for: its name, and whose neighbours it can mount.
    #[arg(long, value_name = "FILE")]
    pub stdin_name: Option<PathBuf>,
    /// Show the page of a rule, by its id or its name.
    #[arg(long, value_name = "RULE", conflicts_with_all = ["paths", "fix", "stdin_name", "deny_warnings"])]
    pub explain: Option<String>,
    /// List the rules.
    #[arg(long, conflicts_with_all = ["paths", "fix", "stdin_name", "deny_warnings", "explain"])]
    pub list: bool,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LintFormat {
    /// For people: each finding with its lines.
    #[default]
    Human,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

impl LintArgs {
    /// Gives how the findings are written.
    pub fn shown_as(&self) -> LintFormat {
        if self.json { LintFormat::Json } else { self.format }
    }
}
