//! What the prompt of a step is made of: everything that the state, the setup and the thread have for it.
//!
//! How it becomes blocks is for `prompt`.

use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::{
    prompt::{PromptInput, Request},
    stage::{
        Known, Scene, Start, StartBy, demanded,
        inputs::{self, Input},
        skills::Skills,
        slots,
    },
};

/// What a prompt is made of that has to be put together first.
pub(crate) struct Material<'a> {
    /// The inputs, in order.
    pub(crate) inputs: Vec<Input>,
    /// The step's instruction, with other steps' outputs in it.
    step_prompt: Option<Cow<'a, str>>,
    /// The inputs, as a prompt shows them.
    shown: Vec<(String, String)>,
    /// The skills whose texts go into the prompt.
    injected: Vec<(&'a str, &'a str)>,
    /// The skills that the agent may ask for.
    discoverable: Vec<&'a str>,
    /// The IDs that the report has to cover.
    to_cover: String,
}

impl<'a> Material<'a> {
    /// Puts it together.
    ///
    /// # Errors
    /// Why the step's instruction cannot be filled in.
    pub(crate) fn of(scene: Scene<'a>, known: &'a Known, start: &Start, inputs: Vec<Input>) -> Result<Self, String> {
        let step = known.step_of(scene, start);
        let prompt = step.and_then(|step| step.prompt.as_deref());
        let step_prompt = prompt.map(|prompt| slots::filled(scene, known, start, prompt)).transpose()?;
        let shown = inputs.iter().map(|input| (input.record.name.clone(), input.value.clone())).collect();
        let skills = Skills::of(scene, known, start);
        let (injected, discoverable) = (skills.injected(), skills.discoverable());
        let to_cover = demanded::listed_to_cover(scene, known, demanded::fields(scene, known, start));
        Ok(Self { inputs, step_prompt, shown, injected, discoverable, to_cover })
    }

    /// Puts it together for people who only look: no program is run, and what is wrong stands in its place.
    pub(crate) fn preview(scene: Scene<'a>, known: &'a Known, start: &Start) -> Self {
        let inputs = inputs::preview(scene, known, start);
        Self::of(scene, known, start, inputs).unwrap_or_else(|why| Self {
            inputs: Vec::new(),
            step_prompt: Some(Cow::Owned(why)),
            shown: Vec::new(),
            injected: Vec::new(),
            discoverable: Vec::new(),
            to_cover: String::new(),
        })
    }
}

/// Gathers what the prompt of a step is made of.
pub(crate) fn prompt_input<'a>(
    scene: Scene<'a>,
    known: &'a Known,
    start: &'a Start,
    material: &'a Material<'_>,
) -> PromptInput<'a> {
    PromptInput {
        thread: scene.thread,
        ledger: &known.state.thread,
        pinned: &known.state.pinned_comment_ids,
        history_comment_count: scene.setup.settings.history_comment_count,
        had_ledger: known.had_ledger,
        order: scene.setup.settings.prompt_order,
        record_chars: scene.setup.settings.limits.record_chars,
        role: &start.agent,
        role_prompt: scene.setup.agents.get(&start.agent).map(|agent| agent.prompt.as_str()).unwrap_or_default(),
        workflow: &start.workflow,
        step: &start.step,
        skills: &material.injected,
        discoverable: &material.discoverable,
        inputs: &material.shown,
        step_prompt: material.step_prompt.as_deref(),
        fields: demanded::fields(scene, known, start),
        to_cover: &material.to_cover,
        current_context: &known.state.current_context,
        request: request(known, start),
    }
}

/// Gives what a person asked this step for: with its start, or with their decision at the gate before it.
fn request<'a>(known: &'a Known, start: &'a Start) -> Option<Request<'a>> {
    match &start.by {
        StartBy::Routing => {
            let decision = known.state.gate_decision.as_ref()?;
            let is_news = decision.comment_id.is_some_and(|id| id > known.newest_output());
            (is_news && !decision.feedback.is_empty()).then(|| Request {
                author: &decision.decided_by,
                comment_id: decision.comment_id,
                text: &decision.feedback,
            })
        }
        StartBy::Person { request, .. } if request.is_empty() => None,
        StartBy::Person { comment_id, request, .. } => Some(Request {
            author: start.author.as_ref().map(|author| author.login.as_str()).unwrap_or_default(),
            comment_id: (*comment_id != 0).then_some(*comment_id),
            text: request,
        }),
    }
}
