//! The live world against servers on this machine that misbehave: fault kinds 6.1 to 6.3, and what else goes wrong
//! on a wire. Nothing sleeps and nothing leaves the machine.

// The list of disallowed types is the core's; a server in a test may share what it has seen.
#![allow(clippy::disallowed_types)]

#[path = "live/asking.rs"]
mod asking;
#[path = "live/limits.rs"]
mod limits;
#[path = "live/models.rs"]
mod models;
#[path = "live/reading.rs"]
mod reading;
mod support;
#[path = "live/viewer.rs"]
mod viewer;
#[path = "live/writing.rs"]
mod writing;

use nebuko::{
    effect::Effect,
    event::{Event, Failure, Outcome},
    snapshot::ThreadSnapshot,
};
use nebuko_interpreter::{
    live::{Live, Target},
    secret::Secret,
    world::World,
};

use support::clock::Notes;

/// The value of the token in these tests.
const TOKEN: &str = "token-of-the-run";

/// A live world for acme/site#12 at an address.
fn live(base: &str, notes: &Notes) -> Live {
    let token = Secret::new(TOKEN);
    let around = notes.surroundings(std::slice::from_ref(&token));
    let target = Target { api: base.into(), repo: "acme/site".into(), number: 12, token: Some(token) };
    Live::new(target, None, around).expect("a good target")
}

/// Carries out one effect and gives the outcome.
fn outcome(world: &mut Live, effect: &Effect, thread: &mut ThreadSnapshot) -> Outcome {
    match world.carry_out(effect, thread) {
        Event::Answered { outcome, .. } => outcome,
        other => unreachable!("an effect is always answered, here by {other:?}"),
    }
}

/// Reads the whole thread, which must succeed.
fn read(world: &mut Live) -> ThreadSnapshot {
    let mut thread = ThreadSnapshot::default();
    let outcome = outcome(world, &Effect::ReadThread { since: None }, &mut thread);
    assert_eq!(outcome, Outcome::ThreadRead);
    thread
}

/// Carries out one effect that must fail.
fn failure(world: &mut Live, effect: &Effect) -> Failure {
    match outcome(world, effect, &mut ThreadSnapshot::default()) {
        Outcome::Failed { failure } => failure,
        other => unreachable!("{effect:?} should have failed and gave {other:?}"),
    }
}

fn post(body: &str) -> Effect {
    Effect::PostComment { part: "part".into(), body: body.into() }
}
