//! Programs: run in the checkout, within limits, and ended with everything they started (decision 7).
//!
//! What is run, and what its end means, is for the core. Whether it can be run at all is checked by `paths` and
//! `variables` before anything starts; `group` runs it and ends it, and `captured` keeps what it writes.

use std::{io, path::PathBuf};

use nebuko::{
    event::{Failure, FailureKind, Outcome},
    process::{Process, ProcessEnd, Purpose, Ran},
};

use crate::{args::Environment, error::causes, surroundings::Surroundings};

#[cfg(unix)]
mod captured;
#[cfg(unix)]
mod fed;
#[cfg(unix)]
mod group;
mod paths;
#[cfg(unix)]
mod prompt;
#[cfg(unix)]
mod stop;
mod variables;

/// Where programs run, and what they inherit.
#[derive(Clone)]
pub struct Checkout {
    /// The folder that holds the repository's files.
    pub folder: PathBuf,
    /// The caller's variables. Tokens among them reach no child.
    pub environment: Environment,
}

/// Runs a program to its end. One that cannot be started is an answer too: it says what does not fit.
pub(crate) fn run(process: &Process, around: &Surroundings) -> Outcome {
    let Some(checkout) = &around.workplace.checkout else {
        return no_checkout(process);
    };
    let ran = started(process, checkout, around)
        .unwrap_or_else(|why| Ran { end: ProcessEnd::NotStarted { why }, ..Ran::default() });
    Outcome::ProcessRan { ran: Box::new(ran) }
}

/// Runs a program, or says in one text why it cannot be started and what to do.
#[cfg(unix)]
fn started(process: &Process, checkout: &Checkout, around: &Surroundings) -> Result<Ran, String> {
    use std::{os::unix::process::CommandExt, process::Command, time::Duration};

    use self::{
        group::{Ended, Patience},
        prompt::PromptFile,
    };

    let (name, arguments) = process.argv.split_first().ok_or("no program is named")?;
    let mut variables = variables::of_child(process, &checkout.environment, &around.masker);
    let prompt = prompt_file(process)?;
    variables.extend(prompt.as_ref().and_then(PromptFile::path).map(|path| (prompt::VARIABLE.into(), path.into())));
    variables::check(&process.argv, &process.env, &variables)?;
    let program = paths::program(process, name, &checkout.folder)?;
    let folder = paths::working_dir(&process.working_dir, &checkout.folder)?;
    let mut command = Command::new(&program);
    command.arg0(name).args(arguments).current_dir(folder).env_clear().envs(&variables);
    let patience = Patience::of(Duration::from_secs(process.timeout_seconds));
    let (ended, mut ran) = group::run(&mut command, process.stdin.as_deref(), &patience, &around.masker)
        .map_err(|error| not_started(name, program.is_absolute(), &error))?;
    // Told to stop, this process ends below without putting anything away.
    drop(prompt);
    match ended {
        Ended::ByItself => {}
        Ended::AtItsLimit => ran.end = ProcessEnd::TimedOut { seconds: process.timeout_seconds },
        Ended::WithUs(signal) => {
            around.tell(nebuko::effect::Level::Warning, &format!("told to stop: {name} was ended as well"));
            stop::obey(signal);
        }
    }
    Ok(ran)
}

/// Puts the prompt of an outside agent into a file as well.
#[cfg(unix)]
fn prompt_file(process: &Process) -> Result<Option<prompt::PromptFile>, String> {
    let (Purpose::Agent { .. }, Some(text)) = (&process.purpose, &process.stdin) else { return Ok(None) };
    let failed = |error: io::Error| format!("the prompt could not be put into a temporary file: {}", causes(&error));
    prompt::PromptFile::write(text).map(Some).map_err(failed)
}

/// Process groups and signals are Unix's. Without them nothing would hold what a program starts.
#[cfg(not(unix))]
fn started(process: &Process, checkout: &Checkout, around: &Surroundings) -> Result<Ran, String> {
    let (name, _) = process.argv.split_first().ok_or("no program is named")?;
    let variables = variables::of_child(process, &checkout.environment, &around.masker);
    variables::check(&process.argv, &process.env, &variables)?;
    paths::program(process, name, &checkout.folder)?;
    paths::working_dir(&process.working_dir, &checkout.folder)?;
    let unsupported = io::Error::from(io::ErrorKind::Unsupported);
    Err(not_started(name, true, &unsupported))
}

/// Puts in words why the system would not start a program.
fn not_started(name: &str, is_file: bool, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound if is_file => {
            format!(
                "`{name}` is there, but not the interpreter that its first line names; install it, or correct the line"
            )
        }
        io::ErrorKind::NotFound => {
            format!("there is no program `{name}` in PATH; install it, or give the path of a file in the checkout")
        }
        io::ErrorKind::ArgumentListTooLong => {
            format!("this system takes fewer bytes of arguments and variables than `{name}` would get; use a file")
        }
        io::ErrorKind::Unsupported => {
            format!("`{name}` cannot be run here: programs are run on Linux, macOS and other Unix systems only")
        }
        io::ErrorKind::Other => format!("`{name}`: {}", causes(error)),
        _ => format!("`{name}` could not be started: {}; does it begin with a line like `#!/bin/sh`?", causes(error)),
    }
}

/// Without a checkout a step that needs one cannot be done here. A model that only asked for a command goes on without it.
fn no_checkout(process: &Process) -> Outcome {
    let why = "this world was given no checkout to run programs in";
    if process.purpose == Purpose::Tool {
        let end = ProcessEnd::NotStarted { why: why.into() };
        return Outcome::ProcessRan { ran: Box::new(Ran { end, ..Ran::default() }) };
    }
    let failure = Failure {
        kind: FailureKind::Local,
        attempted: format!("run `{}`", process.argv.first().map_or("", String::as_str)),
        why: why.into(),
        next: "Use `nebuko run`, which runs them in the folder it is started in.".into(),
        took_ms: 0,
    };
    Outcome::Failed { failure }
}
