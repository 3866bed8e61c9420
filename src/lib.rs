//! nebuko's pure core.
#![no_std]
#![forbid(unsafe_code)]
#![forbid(clippy::disallowed_types)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod agent;
pub mod canonical;
pub mod command;
pub mod comment;
pub mod dispatch;
pub mod effect;
pub mod event;
pub mod ids;
pub mod markdown;
pub mod nearest;
pub mod problem;
pub mod prompt;
#[cfg(test)]
mod props;
pub mod report;
pub mod run;
pub mod sentinel;
pub mod setup;
pub mod shipped;
pub mod snapshot;
pub mod state;
pub mod step;
pub mod thread;
pub mod time;
pub mod workflow;
pub mod yaml;
