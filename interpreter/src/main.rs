//! The `nebuko` program.

use std::process::ExitCode;

use clap::Parser;
use nebuko_interpreter::{
    args::{Args, Environment},
    execute,
};

fn main() -> ExitCode {
    execute(Args::parse(), &Environment::own()).into()
}
