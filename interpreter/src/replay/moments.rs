//! A recording as it went: its events and effects in order, for whoever looks at them without running it again.

use nebuko::{effect::Effect, event::Event, setup::Setup, time::Timestamp};

use super::{
    Difference, Unreadable,
    read::{Recording, Start},
};
use crate::record::{Kind, StepLine};

/// What is read out of a recording.
pub(crate) struct Moments {
    /// What the run was set up with.
    pub(crate) setup: Setup,
    /// When it was woken.
    pub(crate) at: Timestamp,
    /// What happened, in order.
    pub(crate) moments: Vec<Moment>,
    /// Whether the end is there.
    pub(crate) whole: bool,
}

/// One line of what happened.
pub(crate) enum Moment {
    /// A fact that was handed in.
    Event(Event),
    /// What was asked for then.
    Effects(Vec<Effect>),
}

/// Reads a recording that nobody has changed since it was written. One that was cut short is read as far as it goes.
///
/// # Errors
/// Gives why this is no recording, or which line was changed.
pub(crate) fn moments(bytes: &[u8]) -> Result<Moments, Unreadable> {
    let Recording { start, lines, whole, damages, .. } = Recording::read(bytes)?;
    if let Some(Difference { line, what, .. }) = damages.first() {
        return Err(Unreadable::of(format!("line {line} was changed after it was written: {what}"), REPLAY_IT));
    }
    let Some(Start { header, at, answers, .. }) = start else {
        return Err(Unreadable::of("what its run starts from cannot be read", REPLAY_IT));
    };
    let mut answers = answers.into_iter().map(|line| line.event);
    let mut moments = Vec::new();
    // The first event is the wake-up, which stands in the start.
    for line in lines.iter().filter(|line| matches!(line.kind, Kind::Event | Kind::Step)).skip(1) {
        match line.kind {
            Kind::Step => {
                let step: StepLine = serde_json::from_str(&line.text).map_err(|error| {
                    Unreadable::of(format!("the effects in line {} cannot be read: {error}", line.number), REPLAY_IT)
                })?;
                moments.push(Moment::Effects(step.effects));
            }
            Kind::Header | Kind::Event | Kind::End => moments.extend(answers.next().map(Moment::Event)),
        }
    }
    Ok(Moments { setup: header.setup, at, moments, whole })
}

const REPLAY_IT: &str = "look at it with `nebuko replay`, or record the run again";
