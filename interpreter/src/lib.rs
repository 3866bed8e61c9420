//! The interpreter: it carries out what the core asks for, and decides nothing.
//!
//! `args` says what can be asked on the command line and `command` does it. A run is [`run::drive`] between the
//! core and a [`world::World`]: [`live`] services, a [`local`] folder, a JSON dump ([`thread_dump`]), each behind
//! [`record::Masked`], which keeps secrets out, and watched by a [`record::Recorder`]; [`replay`] answers from
//! a recording.

mod address;
pub mod args;
pub mod clock;
mod command;
pub mod error;
mod inspect;
pub mod live;
pub mod local;
pub mod model;
pub mod record;
pub mod replay;
pub mod report;
pub mod run;
#[cfg(test)]
mod scratch;
pub mod secret;
pub mod setup;
pub mod surroundings;
pub mod term;
pub mod thread_dump;
mod wire;
pub mod world;

pub use command::{execute, refuse};
