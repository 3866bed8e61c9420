//! What `nebuko config` takes.

use clap::{Args as Group, Subcommand};

use super::{SettingsArgs, help};

/// `nebuko config …`.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Show the settings that are in force, or what one agent works with.
    #[command(after_help = help::CONFIG_SHOW_EXAMPLES)]
    Show(Box<ConfigShowArgs>),
}

/// `nebuko config show`.
#[derive(Debug, Default, Group)]
pub struct ConfigShowArgs {
    /// An agent: what it works with at each tier, in place of all settings.
    #[arg(value_name = "AGENT")]
    pub agent: Option<String>,
    /// Say of each who set it: a line of the file, a flag, a variable, or nobody.
    #[arg(long)]
    pub origin: bool,
    /// Print one JSON document, with origins.
    #[arg(long)]
    pub json: bool,
    /// What a maintainer may set.
    #[command(flatten)]
    pub settings: SettingsArgs,
}
