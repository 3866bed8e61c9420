//! The interpreter: it carries out what the core asks for, and decides nothing.
//!
//! A run is [`run::drive`] between the core and a [`world::World`]: [`live`] services, a [`local`] folder, a JSON dump
//! ([`thread_dump`]), each behind [`record::Masked`], which keeps secrets out, and watched by a [`record::Recorder`];
//! [`replay`] answers from a recording.
//!
//! # A way through
//!
//! 1. The contract, in the core: `nebuko::event::Event`, `nebuko::effect::Effect`, `nebuko::step::step`.
//! 2. [`run`]: the loop that feeds events and has effects carried out. It is the whole of a run.
//! 3. [`world`], then the smallest of them, [`thread_dump`], and [`local`]; then [`live`], which has the wire below it:
//!    requests, limits, and what a lost answer means.
//! 4. [`model`]: whatever answers a completion, over the wire or from a script.
//! 5. [`record`] and [`replay`]: what a recording holds, and how it is run again. [`secret`] is what never gets in.
//! 6. [`args`], [`setup`] and [`execute`]: from the command line to a run. [`report`], [`term`] and [`error`] are what
//!    people see of it.
//!
//! `nebuko lint` shows and mends what the core's rules find; it needs no world.
//!
//! [`surroundings`] and [`clock`] are handed to everything that waits or tells, so that tests do neither.

mod address;
pub mod args;
mod bounded;
pub mod clock;
mod command;
mod elsewhere;
pub mod error;
mod inspect;
mod lint;
pub mod live;
pub mod local;
pub mod model;
pub mod process;
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
mod workspace;
pub mod world;

pub use command::{execute, refuse};
