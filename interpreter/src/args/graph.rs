//! `nebuko graph` as it is written on the command line.

use std::path::PathBuf;

use clap::{Args as Group, ValueEnum};
use nebuko::graph::DEPTH_MAX;

/// `nebuko graph`.
#[derive(Debug, Group)]
pub struct GraphArgs {
    /// A workflow file, or the name of a workflow as a run finds it: the repository's own, else what is built in.
    #[arg(value_name = "FILE|NAME")]
    pub workflow: PathBuf,
    /// What the picture is written as.
    #[arg(long, value_enum, default_value_t = Format::Mermaid, conflicts_with = "json")]
    pub format: Format,
    /// How deep to look: 1 shows a mount as one node, 2 opens it, and so on.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(DEPTH_MAX)))]
    pub depth: u32,
    /// Write to this file, as a whole, in place of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the picture as one JSON document: nodes, groups and edges.
    #[arg(long)]
    pub json: bool,
    /// A folder of workflows, as `run` takes it.
    #[arg(long, value_name = "DIR")]
    pub workflows: Option<PathBuf>,
}

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A mermaid flowchart, which GitHub renders in markdown.
    Mermaid,
    /// The language of Graphviz.
    Dot,
    /// A picture that stands alone.
    Svg,
}
