//! The command line as it is written: declared once, for the parser, the help and the completions.
//!
//! What was written is only shaped here. Whether it fits together, and with the environment, is checked in
//! `source`, `event` and `model`, so that a run starts from things that hold.

use std::path::PathBuf;

use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use nebuko::ids::Identity;

mod config;
mod environment;
mod event;
mod graph;
mod help;
mod lint;
mod metrics;
mod model;
mod source;

pub use config::{ConfigCommand, ConfigShowArgs};
pub use environment::Environment;
pub use event::{EventFile, read_event};
pub use graph::{Format, GraphArgs};
pub use lint::{LintArgs, LintFormat};
pub use metrics::{By, MetricsArgs};
pub use model::ModelChoice;
pub use source::{Repo, Source};

/// Deterministic, auditable agent workflows on GitHub issue threads.
#[derive(Debug, Parser)]
#[command(name = "nebuko", version, max_term_width = 100, arg_required_else_help = true, after_help = help::EXIT_CODES)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours; NO_COLOR is honoured.
    #[arg(long, global = true, value_enum, default_value_t = ColorWhen::Auto, value_name = "WHEN")]
    pub color: ColorWhen,
    /// Show warnings only, not each moment of a run.
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal.
    Auto,
    /// Also into a pipe or a file.
    Always,
    /// Not at all.
    Never,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Take up what is asked in a thread, and post what comes of it.
    #[command(after_help = help::RUN_EXAMPLES)]
    Run(Box<RunArgs>),
    /// Show what every artifact of a thread is, and whose words count.
    #[command(after_help = help::LEDGER_EXAMPLES)]
    Ledger(Box<LookArgs>),
    /// Say why each comment started what it did, or nothing, and which rule chose each step.
    #[command(after_help = help::EXPLAIN_EXAMPLES)]
    Explain(Box<LookArgs>),
    /// Show the prompt that the next step would get.
    #[command(after_help = help::PROMPT_EXAMPLES)]
    Prompt(Box<PromptArgs>),
    /// Show or take out the workflow's state.
    #[command(subcommand)]
    State(StateCommand),
    /// Show the settings that are in force, and who set them.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Sum up what models used: tokens, cost, cache and time.
    #[command(after_help = help::METRICS_EXAMPLES)]
    Metrics(Box<MetricsArgs>),
    /// Run recordings again and compare every byte.
    #[command(after_help = help::REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Print the JSON Schema of a kind of file, for editors.
    #[command(after_help = help::SCHEMA_EXAMPLES)]
    Schema {
        /// The kind of file.
        #[arg(value_enum)]
        of: SchemaOf,
    },
    /// Look for what is wrong in workflow files.
    #[command(after_help = help::LINT_EXAMPLES)]
    Lint(Box<LintArgs>),
    /// Draw a workflow as a picture.
    #[command(after_help = help::GRAPH_EXAMPLES)]
    Graph(GraphArgs),
    /// Write the completions of a shell.
    #[command(after_help = help::COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell.
        shell: Shell,
    },
}

/// What has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// A workflow, as in .nebuko/workflows.
    Workflow,
    /// The settings, as in .nebuko/config.yaml.
    Config,
}

/// Where the thread is.
#[derive(Debug, Default, Group)]
#[command(next_help_heading = "Where the thread is (one of three)")]
pub struct SourceArgs {
    /// A repository on GitHub, with --issue. GITHUB_REPOSITORY serves where it is not given.
    #[arg(long, value_name = "OWNER/NAME", conflicts_with_all = ["local", "thread"])]
    pub repo: Option<Repo>,
    /// The number of the issue or pull request.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["local", "thread"])]
    pub issue: Option<u64>,
    /// A folder with issue.md and NNNN-name.md files; posts appear there as new files.
    #[arg(long, value_name = "DIR", conflicts_with = "thread")]
    pub local: Option<PathBuf>,
    /// A JSON dump {"issue", "comments", "user"} as REST returns them; posts are printed and not sent.
    #[arg(long, value_name = "FILE")]
    pub thread: Option<PathBuf>,
    /// The address of GitHub's REST API. GITHUB_API_URL serves where it is not given.
    #[arg(long, value_name = "URL")]
    pub github_url: Option<String>,
}

/// What a maintainer may set.
#[derive(Debug, Default, Group)]
#[command(next_help_heading = "Settings")]
pub struct SettingsArgs {
    /// A folder of workflows (*.yaml), .nebuko/workflows by default. Agents (*.md) are looked for in its folder agents,
    /// then in .nebuko/agents. What is there wins, by name, over what is built in.
    #[arg(long, value_name = "DIR")]
    pub workflows: Option<PathBuf>,
    /// The file of settings, .nebuko/config.yaml by default. Flags and the environment count more than it.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Show the last N relevant comments to an agent; 0 shows all. Also HISTORY_COMMENT_COUNT.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub history: Option<i64>,
    /// Another account whose state blocks count: an id, or @LOGIN. May be repeated.
    #[arg(long, value_name = "ID|@LOGIN", value_parser = identity)]
    pub trusted_actor: Vec<Identity>,
    /// The engine's account, where the service does not tell whose the token is.
    #[arg(long, value_name = "LOGIN")]
    pub engine_login: Option<String>,
}

/// `nebuko run`.
#[derive(Debug, Group)]
pub struct RunArgs {
    /// The comment that woke the engine; without one, whatever was not taken up yet.
    #[arg(long, value_name = "COMMENT_ID", conflicts_with = "event_path")]
    pub trigger: Option<u64>,
    /// A webhook's JSON, as GITHUB_EVENT_PATH names it; it also tells the repository and the issue.
    #[arg(long, value_name = "FILE")]
    pub event_path: Option<PathBuf>,
    /// The model: the address of an OpenAI-compatible service, or script:FILE with written answers.
    #[arg(long, value_name = "URL|script:FILE")]
    pub model: Option<String>,
    /// The model's name, as its service knows it.
    #[arg(long, value_name = "NAME")]
    pub model_name: Option<String>,
    /// Record the run in this new file, for `nebuko replay`.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// A folder that workflows of other repositories are read from, in place of GitHub: DIR/OWNER/NAME/REF/PATH.
    #[arg(long, value_name = "DIR")]
    pub elsewhere: Option<PathBuf>,
    /// Stop before the first model call or post, and tell what would be done.
    #[arg(long)]
    pub dry_run: bool,
    /// Run at most so many steps.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_steps: Option<u32>,
    /// Go on with the next step until the workflow holds or ends (the default).
    #[arg(long, conflicts_with = "single_step")]
    pub chain: bool,
    /// Run one step and leave the next to another run.
    #[arg(long)]
    pub single_step: bool,
    /// Print the report as one JSON document.
    #[arg(long)]
    pub json: bool,
    /// Where the thread is.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What a maintainer may set.
    #[command(flatten)]
    pub settings: SettingsArgs,
}

/// For whom a thread is looked at.
#[derive(Debug, Default, Group)]
#[command(next_help_heading = "Looked at as")]
pub struct ViewArgs {
    /// The comment whose run it is, as `run --trigger` takes it.
    #[arg(long, value_name = "COMMENT_ID", conflicts_with_all = ["event_path", "trigger_login", "trigger_id"])]
    pub trigger: Option<u64>,
    /// A webhook's JSON, as `run --event-path` takes it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["trigger_login", "trigger_id"])]
    pub event_path: Option<PathBuf>,
    /// The login of the engine's account, in place of what the source tells.
    #[arg(long, value_name = "LOGIN")]
    pub actor_login: Option<String>,
    /// The id of the engine's account.
    #[arg(long, value_name = "N")]
    pub actor_id: Option<u64>,
    /// The login of the person whose run it is, in place of what the thread tells.
    #[arg(long, value_name = "LOGIN")]
    pub trigger_login: Option<String>,
    /// The id of the person whose run it is.
    #[arg(long, value_name = "N")]
    pub trigger_id: Option<u64>,
}

/// `nebuko ledger` and `nebuko state show`: a thread, looked at and told.
#[derive(Debug, Group)]
pub struct LookArgs {
    /// Print one JSON document.
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

/// `nebuko prompt`.
#[derive(Debug, Group)]
pub struct PromptArgs {
    /// Show each block with its origin, trust and size.
    #[arg(long, conflicts_with = "json")]
    pub blocks: bool,
    /// Print the blocks as one JSON document.
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

/// `nebuko state …`.
#[derive(Debug, Subcommand)]
pub enum StateCommand {
    /// Show where the workflow stands.
    #[command(after_help = help::STATE_SHOW_EXAMPLES)]
    Show(Box<LookArgs>),
    /// Print the state's JSON: of one comment's text, or the one that counts in a thread.
    #[command(after_help = help::STATE_EXTRACT_EXAMPLES)]
    Extract(Box<StateExtractArgs>),
}

/// `nebuko state extract`.
#[derive(Debug, Group)]
pub struct StateExtractArgs {
    /// A file with a comment's text, or - for standard input.
    #[arg(value_name = "FILE", conflicts_with_all = ["repo", "issue", "local", "thread"])]
    pub file: Option<PathBuf>,
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

/// `nebuko replay`.
#[derive(Debug, Group)]
pub struct ReplayArgs {
    /// The recordings.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

impl Command {
    /// Tells whether standard output is to be one JSON document.
    pub fn json(&self) -> bool {
        match self {
            Self::Run(args) => args.json,
            Self::Ledger(args) | Self::Explain(args) => args.json,
            Self::Prompt(args) => args.json,
            Self::State(StateCommand::Show(args)) => args.json,
            Self::Config(ConfigCommand::Show(args)) => args.json,
            Self::Metrics(args) => args.json,
            Self::Replay(args) => args.json,
            Self::Lint(args) => args.shown_as() == LintFormat::Json,
            Self::Graph(args) => args.json,
            Self::State(StateCommand::Extract(_)) | Self::Schema { .. } | Self::Completions { .. } => false,
        }
    }
}

/// Reads `123` as an id and `@name` or `name` as a login.
fn identity(text: &str) -> Result<Identity, String> {
    let login = text.strip_prefix('@').unwrap_or(text);
    match text.parse() {
        Ok(0) => Err("0 is nobody's id".into()),
        Ok(id) => Ok(Identity::new(id, "")),
        Err(_) if login.is_empty() || login.contains(char::is_whitespace) => Err("give an id, or @LOGIN".into()),
        Err(_) => Ok(Identity::new(0, login)),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(line: &str) -> Result<Args, clap::Error> {
        Args::try_parse_from(line.split_whitespace())
    }

    #[test]
    fn the_declaration_holds_together() {
        Args::command().debug_assert();
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let check = |line: &str, good: bool| assert_eq!(parse(line).is_ok(), good, "{line}");
        check("nebuko run --local demo", true);
        check("nebuko run --local demo --model script:a.json --record r --dry-run --max-steps 3 --json", true);
        check("nebuko run --repo acme/site --issue 12 --trigger 5", true);
        check("nebuko run --local demo --thread t.json", false);
        check("nebuko run --local demo --repo acme/site", false);
        check("nebuko run --repo acme --issue 1", false);
        check("nebuko run --repo acme/site --issue 0", false);
        check("nebuko run --repo acme/site --issue x", false);
        check("nebuko run --local demo --trigger 1 --event-path e.json", false);
        check("nebuko run --local demo --chain --single-step", false);
        check("nebuko run --local demo --max-steps 0", false);
        check("nebuko run --local demo --history -1", true);
        check("nebuko prompt --local demo --blocks --json", false);
        check("nebuko state extract - --local demo", false);
        check("nebuko state extract --local demo", true);
        check("nebuko replay", false);
        check("nebuko replay a b --json", true);
        check("nebuko metrics", true);
        check("nebuko metrics a.jsonl recordings --by run", true);
        check("nebuko metrics --local demo --json", true);
        check("nebuko metrics a.jsonl --local demo", false);
        check("nebuko metrics a.jsonl --repo acme/site --issue 12", false);
        check("nebuko metrics --by day", false);
        check("nebuko metrics --by run --json", false);
        check("nebuko schema workflow", true);
        check("nebuko schema config", true);
        check("nebuko config", false);
        check("nebuko config show", true);
        check("nebuko config show dev --origin --config a.yaml --history 3", true);
        check("nebuko config show dev review", false);
        check("nebuko config show --json", true);
        check("nebuko schema", false);
        check("nebuko schema thread", false);
        check("nebuko lint", true);
        check("nebuko lint a.yaml flows - --stdin-name b.yaml --format sarif --deny-warnings", true);
        check("nebuko lint --format tap", false);
        check("nebuko lint --format sarif --json", false);
        check("nebuko lint --dry-run", false);
        check("nebuko lint --fix --dry-run", true);
        check("nebuko lint --explain L9 flows", false);
        check("nebuko lint --explain", false);
        check("nebuko lint --list --json", true);
        check("nebuko lint --list --fix", false);
        check("nebuko graph", false);
        check("nebuko graph default --format svg --depth 3 -o a.svg", true);
        check("nebuko graph default --depth 0", false);
        check("nebuko graph default --depth 18", false);
        check("nebuko graph default --format png", false);
        check("nebuko graph default --json", true);
        check("nebuko graph default --json --format dot", false);
        check("nebuko fly", false);
        check("nebuko", false);
    }

    #[test]
    fn an_account_is_an_id_or_a_login() {
        let check = |text: &str, expected: Option<(u64, &str)>| {
            let found = identity(text).ok();
            assert_eq!(found, expected.map(|(id, login)| Identity::new(id, login)), "{text}");
        };
        check("123", Some((123, "")));
        check("@123", Some((0, "123")));
        check("@dana", Some((0, "dana")));
        check("nebuko[bot]", Some((0, "nebuko[bot]")));
        check("0", None);
        check("@", None);
        check("", None);
        check("a b", None);
    }
}
