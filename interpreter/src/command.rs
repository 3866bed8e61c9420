//! What each command does: the checked arguments in, the exit code out.

use std::io::Write;

use clap::CommandFactory;

use crate::{
    address::without_user_names,
    args::{Args, Command, ConfigCommand, Environment, StateCommand},
    error::{Error, Exit},
    secret::Masker,
    term::{self, Term},
};

mod config;
mod explain;
mod graph;
mod lint;
mod look;
mod metrics;
mod replay;
mod run;
mod schema;
mod state;
mod worlds;

pub(crate) use worlds::{open, read};

/// Carries out what was asked for on the command line, and tells how the program ends.
pub fn execute(args: Args, environment: &Environment) -> Exit {
    term::color(args.color);
    let term = Term { quiet: args.quiet, in_actions: environment.value("GITHUB_ACTIONS").is_some() };
    let json = args.command.json();
    let done = match args.command {
        Command::Run(args) => run::run(&args, environment, term),
        Command::Ledger(args) => look::ledger(&args, environment, term),
        Command::Explain(args) => explain::explain(&args, environment, term),
        Command::Prompt(args) => look::prompt(&args, environment, term),
        Command::State(StateCommand::Show(args)) => state::show(&args, environment, term),
        Command::State(StateCommand::Extract(args)) => state::extract(&args, environment, term),
        Command::Config(ConfigCommand::Show(args)) => config::show(&args, environment, term),
        Command::Metrics(args) => metrics::metrics(&args, environment, term),
        Command::Replay(args) => replay::replay(&args, term),
        Command::Schema { of } => schema::schema(of, term),
        Command::Lint(args) => lint::lint(&args, environment, term),
        Command::Graph(args) => graph::graph(&args, environment, term),
        Command::Completions { shell } => completions(shell, term),
    };
    done.unwrap_or_else(|error| failed(&error.masked(&Masker::new(environment.all(), &[])), json, term))
}

/// Tells what is wrong with the command line, or shows the help that was asked for. What was typed may have a password
/// in it, and does not turn up again.
pub fn refuse(error: &clap::Error) -> Exit {
    let help = !error.use_stderr();
    let rendered = error.render();
    let shown =
        if help { rendered.ansi().to_string() } else { without_user_names(&rendered.ansi().to_string()).into_owned() };
    // Where even this cannot be written there is nobody left to tell.
    let _ = if help {
        anstream::stdout().write_all(shown.as_bytes())
    } else {
        anstream::stderr().write_all(shown.as_bytes())
    };
    if help { Exit::Done } else { Exit::Usage }
}

/// Tells an error to people, and to scripts where one document was promised to them.
fn failed(error: &Error, json: bool, term: Term) -> Exit {
    term.error(error);
    if json {
        // Where standard output is what failed, standard error has it.
        let _ = term.document(&format!("{}\n", serde_json::json!({ "error": error })));
    }
    error.exit()
}

fn completions(shell: clap_complete::Shell, term: Term) -> Result<Exit, Error> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "nebuko", &mut script);
    term.print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
