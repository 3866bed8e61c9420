//! The `nebuko` program.

use std::process::ExitCode;

use clap::Parser;
use nebuko_interpreter::{
    args::{Args, Environment},
    execute, refuse,
};

fn main() -> ExitCode {
    match Args::try_parse() {
        Ok(args) => execute(args, &Environment::own()).into(),
        Err(error) => refuse(&error).into(),
    }
}
