//! The only way in: one match on the moment of the run and the event.
//!
//! It decides which stage an answer belongs to and nothing else; what follows from it stands in the stages.

use alloc::vec::Vec;

use crate::{
    effect::Effect,
    event::{Event, Outcome},
    report::{Reason, RunOutcome},
    run::Run,
    snapshot::ThreadSnapshot,
    stage::{self, Gather, Scene, Stage},
    text,
};

/// Takes one event in and gives the run's new state and what is to be done.
///
/// The interpreter carries out all effects, in order, before it feeds the next event, and every effect comes
/// back as exactly one event. `thread` is the snapshot as it was last read: a read effect replaces or extends
/// it, a posted or edited comment is merged into it. Total: an event that does not belong to the moment ends
/// the run as failed with `OUT_OF_STEP`, and events after the end change nothing.
pub fn step(state: Run, thread: &ThreadSnapshot, event: Event) -> (Run, Vec<Effect>) {
    let Run { setup, stage } = state;
    let (stage, effects) = match (stage, event) {
        (Stage::Finished(report), _) => (Stage::Finished(report), Vec::new()),
        (stage, Event::Answered { outcome: Outcome::Told, .. }) => (stage, Vec::new()),
        (Stage::Asleep, Event::Woken { trigger, at }) => Gather::begin(trigger, at),
        (stage @ Stage::Asleep, Event::Answered { .. }) | (stage, Event::Woken { .. }) => out_of_step(&stage),
        (stage, Event::Answered { outcome, at }) => answered(stage, Scene { setup: &setup, thread, at }, outcome),
    };
    (Run { setup, stage }, effects)
}

fn answered(stage: Stage, scene: Scene<'_>, outcome: Outcome) -> stage::Next {
    match stage {
        Stage::Gather(gather) => gather.answered(scene, outcome),
        Stage::Permit(permit) => permit.answered(scene, outcome),
        Stage::Fetch(fetch) => fetch.answered(scene, outcome),
        Stage::Prepare(prepare) => prepare.answered(scene, outcome),
        Stage::Agent(agent) => agent.answered(scene, outcome),
        Stage::Outside(outside) => outside.answered(scene, outcome),
        Stage::Script(script) => script.answered(scene, outcome),
        Stage::Aftermath(aftermath) => aftermath.answered(scene, outcome),
        Stage::Update(update) => update.answered(scene, outcome),
        Stage::Recheck(recheck) => recheck.answered(scene, outcome),
        Stage::Post(post) => post.answered(scene, outcome),
        Stage::Confirm(confirm) => confirm.answered(scene, outcome),
        Stage::Yield(losing) => losing.answered(scene, outcome),
        stage @ (Stage::Asleep | Stage::Finished(_)) => out_of_step(&stage),
    }
}

fn out_of_step(stage: &Stage) -> stage::Next {
    stage::end_unopened(RunOutcome::Failed, Reason::OutOfStep, text::out_of_step(stage_name(stage)))
}

pub(crate) fn stage_name(stage: &Stage) -> &'static str {
    match stage {
        Stage::Asleep => "waiting for a wake-up",
        Stage::Gather(_) => "reading the thread",
        Stage::Permit(_) => "asking what a person may do",
        Stage::Fetch(_) => "reading a workflow of another repository",
        Stage::Prepare(_) => "making a step ready",
        Stage::Agent(_) => "waiting for the model",
        Stage::Outside(_) => "running an outside agent",
        Stage::Script(_) => "running a script",
        Stage::Aftermath(_) => "running the hook after an agent",
        Stage::Update(_) => "updating a script's comment",
        Stage::Recheck(_) => "reading the newest state again",
        Stage::Post(_) => "posting",
        Stage::Confirm(_) => "confirming the post",
        Stage::Yield(_) => "giving way to another run",
        Stage::Finished(_) => "over",
    }
}
