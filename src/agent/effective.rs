//! Which settings a step's agent runs with: dispatch over step over the agent's override for the tier over the agent
//! over the defaults, with the tier's floor under a temperature that nobody asked for (decision 8).
//!
//! How they are put into a request depends on what the service takes, and stands here as well.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
};

use serde_json::{Value, json};

use crate::{
    agent::ChatRequest,
    dispatch::{Complexity, Dispatch, Reasoning},
    effect::Asking,
    setup::{Agent, Model, Provider, ProviderKind, Settings, Setup, Wishes},
    workflow::Step,
};

/// What a step's agent runs with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Effective<'s> {
    /// The tier.
    pub(crate) tier: Complexity,
    /// What is wanted, from everybody who said something; the model's name and the temperature are always there.
    pub(crate) wishes: Wishes,
    /// The model, where the settings describe it.
    pub(crate) model: Option<&'s Model>,
    /// Who provides it, where the settings say so.
    provider: Option<&'s Provider>,
    settings: &'s Settings,
}

impl<'s> Effective<'s> {
    /// Puts together what a step's agent runs with. `dispatch` is the one that led to the step, where one did.
    pub(crate) fn of(setup: &'s Setup, step: Option<&Step>, role: &str, dispatch: Option<&Dispatch>) -> Self {
        let settings = &setup.settings;
        let declared = step.and_then(|step| step.complexity);
        let tier = dispatch.and_then(|dispatch| dispatch.complexity).or(declared).unwrap_or_default();
        let mut wishes = asked(step, setup.agents.get(role), dispatch, tier);
        if wishes.temperature.is_none() {
            let floor = settings.tiers.floor(tier);
            wishes.temperature = Some(settings.defaults.temperature.map_or(floor, |wanted| wanted.max(floor)));
        }
        let mut wishes = wishes.over(&settings.defaults);
        let name = wishes.model.get_or_insert_with(|| settings.model.clone());
        let model = settings.models.get(name.as_str());
        let provider = model.and_then(|model| settings.providers.get(&model.provider));
        Self { tier, wishes, model, provider, settings }
    }

    /// Gives the model's name, as its service knows it.
    pub(crate) fn model_name(&self) -> &str {
        match self.model {
            Some(model) => &model.name,
            None => self.wishes.model.as_deref().unwrap_or(&self.settings.model),
        }
    }

    /// Says who is asked, and how.
    pub(crate) fn asking(&self) -> Asking {
        Asking { provider: self.provider.cloned(), timeout_seconds: self.settings.model_seconds, wait_ms: 0 }
    }

    /// Puts it into a request, as far as the service takes it.
    pub(crate) fn apply(&self, request: &mut ChatRequest) {
        let kind = self.provider.map(|provider| provider.kind).unwrap_or_default();
        request.model = self.model_name().into();
        request.max_tokens = self.wishes.max_output_tokens;
        if self.settings.stream {
            request.stream = true;
            request.stream_options = Some(json!({"include_usage": true}));
        }
        if !self.model.is_some_and(|model| model.fixed_sampling) {
            self.sample(request, kind);
        }
        if let Some(effort) = self.wishes.reasoning {
            reason(request, kind, effort);
        }
    }

    fn sample(&self, request: &mut ChatRequest, kind: ProviderKind) {
        let wishes = &self.wishes;
        request.temperature = wishes.temperature;
        request.top_p = wishes.top_p;
        request.presence_penalty = wishes.presence_penalty;
        if matches!(kind, ProviderKind::Openrouter | ProviderKind::Vllm) {
            request.top_k = wishes.top_k;
            request.min_p = wishes.min_p;
            request.repetition_penalty = wishes.repetition_penalty;
        }
    }

    /// Writes it down for people who ask what a step ran with (reference: StepResolution).
    pub(crate) fn record(&self) -> BTreeMap<String, Value> {
        let wishes = &self.wishes;
        let rows = [
            ("complexity", Some(json!(self.tier))),
            ("model", Some(json!(self.model_name()))),
            ("reasoning", wishes.reasoning.map(|effort| json!(effort))),
            ("temperature", wishes.temperature.map(|value| json!(value))),
            ("top_p", wishes.top_p.map(|value| json!(value))),
            ("top_k", wishes.top_k.map(|value| json!(value))),
            ("min_p", wishes.min_p.map(|value| json!(value))),
            ("presence_penalty", wishes.presence_penalty.map(|value| json!(value))),
            ("repetition_penalty", wishes.repetition_penalty.map(|value| json!(value))),
            ("max_output_tokens", wishes.max_output_tokens.map(|value| json!(value))),
        ];
        rows.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect()
    }
}

/// Gives what is explicitly asked for, from whom it counts most.
fn asked(step: Option<&Step>, agent: Option<&Agent>, dispatch: Option<&Dispatch>, tier: Complexity) -> Wishes {
    let nothing = Wishes::default();
    let of_dispatch = dispatch.map(of_dispatch).unwrap_or_default();
    let of_step = step.map_or(&nothing, |step| &step.wishes);
    let of_override = agent.and_then(|agent| agent.overrides.get(&tier)).unwrap_or(&nothing);
    let of_agent = agent.map_or(&nothing, |agent| &agent.wishes);
    of_dispatch.over(of_step).over(of_override).over(of_agent)
}

/// Reads the wishes of a dispatch. Its reasoning `none` is what it says when nothing is said.
fn of_dispatch(dispatch: &Dispatch) -> Wishes {
    Wishes {
        model: dispatch.model.clone(),
        reasoning: Some(dispatch.reasoning).filter(|effort| *effort != Reasoning::None),
        temperature: dispatch.temperature,
        top_p: dispatch.top_p,
        top_k: dispatch.top_k,
        min_p: dispatch.min_p,
        presence_penalty: dispatch.presence_penalty,
        repetition_penalty: dispatch.repetition_penalty,
        max_output_tokens: None,
    }
}

/// Asks for a reasoning effort in the words of a service. Common services know no more than `high`, and some refuse a
/// `none`.
fn reason(request: &mut ChatRequest, kind: ProviderKind, effort: Reasoning) {
    let word = match effort {
        Reasoning::None => None,
        Reasoning::Low => Some("low"),
        Reasoning::Medium => Some("medium"),
        Reasoning::Xhigh => Some("high"),
    };
    match kind {
        ProviderKind::Openrouter => {
            let word = if effort == Reasoning::Xhigh { "xhigh" } else { word.unwrap_or("none") };
            request.reasoning = Some(json!({"effort": word}));
        }
        ProviderKind::Vllm => {
            request.chat_template_kwargs = Some(json!({"enable_thinking": word.is_some()}));
            request.reasoning_effort = word.map(ToString::to_string);
        }
        ProviderKind::Openai | ProviderKind::Commandcode => request.reasoning_effort = word.map(ToString::to_string),
    }
}
