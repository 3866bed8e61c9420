//! What each command does: the checked arguments in, the exit code out.

use clap::CommandFactory;

use crate::{
    args::{Args, Command, Environment, StateCommand},
    error::{Error, Exit},
    term::{self, Term},
};

mod look;
mod replay;
mod run;
mod state;
mod worlds;

pub(crate) use worlds::{open, read};

/// Carries out what was asked for on the command line, and tells how the program ends.
pub fn execute(args: Args, environment: &Environment) -> Exit {
    term::color(args.color);
    let term = Term { quiet: args.quiet };
    let json = args.command.json();
    let done = match args.command {
        Command::Run(args) => run::run(&args, environment, term),
        Command::Ledger(args) => look::ledger(&args, environment, term),
        Command::Prompt(args) => look::prompt(&args, environment, term),
        Command::State(StateCommand::Show(args)) => state::show(&args, environment, term),
        Command::State(StateCommand::Extract(args)) => state::extract(&args, environment, term),
        Command::Replay(args) => replay::replay(&args),
        Command::Completions { shell } => completions(shell),
    };
    done.unwrap_or_else(|error| failed(&error, json, term))
}

/// Tells an error to people, and to scripts where one document was promised to them.
fn failed(error: &Error, json: bool, term: Term) -> Exit {
    term.error(error);
    if json {
        // Where standard output is what failed, standard error has it.
        let _ = term::print(&format!("{}\n", serde_json::json!({ "error": error })));
    }
    error.exit()
}

fn completions(shell: clap_complete::Shell) -> Result<Exit, Error> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "nebuko", &mut script);
    term::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
