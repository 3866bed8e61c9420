//! What the programs of a step are told of it, as variables (reference: Environment Variables Catalog).

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    agent::Effective,
    stage::{Known, Scene, Start, inputs, spending::led_here},
    state::StepRef,
    workflow::Step,
};

/// Gives the variables of a step. No text of the thread is among them: a shell would read it.
pub(crate) fn environment(scene: Scene<'_>, known: &Known, start: &Start) -> BTreeMap<String, String> {
    let step = known.step_of(scene, start);
    let parent = start.position.iter().rev().nth(1);
    let next = step.and_then(|step| step.next.clone()).unwrap_or_default();
    let rows = [
        ("TARGET_NUMBER", scene.thread.issue.number.to_string()),
        ("ROLE_NAME", start.agent.clone()),
        ("WORKFLOW_NAME", start.workflow.clone()),
        ("WORKFLOW_STEP", start.step.clone()),
        ("WORKFLOW_NEXT", next),
        ("WORKFLOW_POSITION", serde_json::to_string(&start.position).unwrap_or_default()),
        ("WORKFLOW_POSITION_PATH", path(&start.position)),
        ("PARENT_WORKFLOW", parent.map(|frame| frame.workflow.clone()).unwrap_or_default()),
        ("PARENT_WORKFLOW_STEP", parent.map(|frame| frame.step.clone()).unwrap_or_default()),
    ];
    let of_agent = step.and_then(Step::agent).map(|role| {
        let tier = Effective::of(scene.setup, step, role, led_here(known, start)).tier;
        let location = scene.setup.agents.get(role).map(|agent| agent.location.clone()).unwrap_or_default();
        [("CONFIG_COMPLEXITY", tier.word().to_string()), ("PROMPT_LOCATION", location)]
    });
    let wiring = inputs::wiring(&start.position, step).map(|wiring| ("STEP_INPUTS", wiring));
    rows.into_iter()
        .chain(of_agent.into_iter().flatten())
        .chain(wiring)
        .map(|(name, value)| (name.into(), value))
        .collect()
}

/// Writes a stack for people: `outer/build|inner/test`.
pub(crate) fn path(position: &[StepRef]) -> String {
    let frames: Vec<String> = position.iter().map(|frame| format!("{}/{}", frame.workflow, frame.step)).collect();
    frames.join("|")
}
