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
    setup::{Agent, Model, Provider, ProviderKind, Runtime, Settings, Setup, Wishes},
    workflow::Step,
};

/// What a step's agent runs with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Effective<'s> {
    /// The tier.
    pub(crate) tier: Complexity,
    /// What is wanted, from everybody who said something; the model's name and the temperature are always there.
    pub(crate) wishes: Wishes,
    /// The program that does the work in place of a model, by its name.
    pub(crate) program: Option<&'s str>,
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
        let program = match setup.agents.get(role).map(|agent| &agent.runtime) {
            Some(Runtime::Command { argv, .. }) => argv.first().map(String::as_str),
            Some(Runtime::Model) | None => None,
        };
        Self { tier, wishes, model, provider, settings, program }
    }

    /// Gives the model's name, as its service knows it.
    pub(crate) fn model_name(&self) -> &str {
        match self.model {
            Some(model) => &model.name,
            None => self.wishes.model.as_deref().unwrap_or(&self.settings.model),
        }
    }

    /// Tells whether the service takes marks of cache boundaries.
    pub(crate) fn takes_marks(&self) -> bool {
        self.provider.is_some_and(|provider| provider.kind == ProviderKind::Openrouter)
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

    /// Writes it down for people who ask what a step ran with (reference: StepResolution): the tier, and what the
    /// request says of the model.
    pub(crate) fn record(&self) -> BTreeMap<String, Value> {
        let tier = ("complexity".to_string(), json!(self.tier));
        if let Some(program) = self.program {
            // It asks whom it likes.
            return BTreeMap::from([tier, ("program".to_string(), json!(program))]);
        }
        let mut request = ChatRequest::default();
        self.apply(&mut request);
        let said = serde_json::to_value(&request).unwrap_or_default();
        let said = said.as_object().cloned().unwrap_or_default().into_iter();
        let said =
            said.filter(|(name, _)| !matches!(name.as_str(), "messages" | "tools" | "stream" | "stream_options"));
        said.chain([tier]).collect()
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

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    fn wishes(temperature: Option<f64>, top_p: Option<f64>) -> Wishes {
        Wishes { temperature, top_p, ..Wishes::default() }
    }

    fn setup(agent: Agent) -> Setup {
        let mut setup = Setup::default();
        setup.agents.insert("dev".into(), agent);
        for (name, kind) in [
            ("plain", ProviderKind::Openai),
            ("router", ProviderKind::Openrouter),
            ("local", ProviderKind::Vllm),
            ("paid", ProviderKind::Commandcode),
        ] {
            setup.settings.providers.insert(name.into(), Provider { kind, ..Provider::default() });
            let model = Model { provider: name.into(), name: format!("maker/{name}"), ..Model::default() };
            setup.settings.models.insert(name.into(), model);
        }
        setup
    }

    #[test]
    fn who_is_nearer_to_the_call_counts_more() {
        let check = |dispatch: Option<f64>, step: Option<f64>, tier: Option<f64>, agent: Option<f64>, found: f64| {
            let overrides = BTreeMap::from([(Complexity::High, wishes(tier, None))]);
            let setup = setup(Agent { wishes: wishes(agent, None), overrides, ..Agent::default() });
            let dispatch =
                Dispatch { complexity: Some(Complexity::High), temperature: dispatch, ..Dispatch::default() };
            let step = Step { wishes: wishes(step, None), ..Step::default() };
            let effective = Effective::of(&setup, Some(&step), "dev", Some(&dispatch));
            assert_eq!(effective.wishes.temperature, Some(found));
        };
        check(Some(0.1), Some(0.2), Some(0.3), Some(0.5), 0.1);
        check(None, Some(0.2), Some(0.3), Some(0.5), 0.2);
        check(None, None, Some(0.3), Some(0.5), 0.3);
        check(None, None, None, Some(0.1), 0.1); // explicit, so below the floor of its tier
        check(None, None, None, None, 0.4);
    }

    #[test]
    fn a_tier_is_a_floor_under_what_nobody_asked_for() {
        let check = |tier: Option<Complexity>, declared: Option<Complexity>, default: Option<f64>, found: f64| {
            let mut setup = setup(Agent::default());
            setup.settings.defaults = wishes(default, Some(0.9));
            let step = Step { complexity: declared, ..Step::default() };
            let dispatch = Dispatch { complexity: tier, ..Dispatch::default() };
            let effective = Effective::of(&setup, Some(&step), "dev", Some(&dispatch));
            assert_eq!(effective.wishes.temperature, Some(found), "{tier:?} {declared:?} {default:?}");
            assert_eq!(effective.wishes.top_p, Some(0.9));
        };
        check(None, None, None, 0.2);
        check(None, Some(Complexity::Low), None, 0.0);
        check(Some(Complexity::High), Some(Complexity::Low), None, 0.4);
        check(None, None, Some(0.1), 0.2);
        check(None, None, Some(0.7), 0.7);
    }

    #[test]
    fn a_service_gets_only_what_it_takes() {
        let check = |model: &str, effort: Reasoning, wanted: Value| {
            let all = Wishes { top_k: Some(9), min_p: Some(0.1), repetition_penalty: Some(1.1), ..Wishes::default() };
            let agent = Wishes { model: Some(model.into()), reasoning: Some(effort), ..all };
            let setup = setup(Agent { wishes: agent, ..Agent::default() });
            let mut request = ChatRequest::default();
            Effective::of(&setup, None, "dev", None).apply(&mut request);
            let mut found = json!(request);
            let fields = found.as_object_mut().expect("a request is an object");
            fields.remove("messages");
            assert_eq!(found, wanted, "{model} {effort:?}");
        };
        let plain = json!({"model": "maker/plain", "temperature": 0.2, "reasoning_effort": "high"});
        check("plain", Reasoning::Xhigh, plain);
        check("plain", Reasoning::None, json!({"model": "maker/plain", "temperature": 0.2}));
        check("paid", Reasoning::Low, json!({"model": "maker/paid", "temperature": 0.2, "reasoning_effort": "low"}));
        check("unknown", Reasoning::None, json!({"model": "unknown", "temperature": 0.2}));
        let more = |model: &str, rest: Value| {
            let mut all =
                json!({"model": model, "temperature": 0.2, "top_k": 9, "min_p": 0.1, "repetition_penalty": 1.1});
            if let (Some(all), Value::Object(rest)) = (all.as_object_mut(), rest) {
                all.extend(rest);
            }
            all
        };
        check("router", Reasoning::Xhigh, more("maker/router", json!({"reasoning": {"effort": "xhigh"}})));
        check("router", Reasoning::None, more("maker/router", json!({"reasoning": {"effort": "none"}})));
        let thinks = json!({"reasoning_effort": "medium", "chat_template_kwargs": {"enable_thinking": true}});
        check("local", Reasoning::Medium, more("maker/local", thinks));
        let not = json!({"chat_template_kwargs": {"enable_thinking": false}});
        check("local", Reasoning::None, more("maker/local", not));
    }

    #[test]
    fn what_was_applied_can_be_read_afterwards() {
        let mut setup = setup(Agent::default());
        setup.settings.stream = true;
        let dispatch = Dispatch { model: Some("router".into()), reasoning: Reasoning::Low, ..Dispatch::default() };
        let effective = Effective::of(&setup, None, "dev", Some(&dispatch));
        let record = json!(effective.record());
        let reasoning = json!({"effort": "low"});
        let wanted =
            json!({"complexity": "medium", "model": "maker/router", "reasoning": reasoning, "temperature": 0.2});
        assert_eq!(record, wanted);
        let argv = [String::from("scripts/coder"), String::from("--once")].into();
        let agent = Agent { runtime: Runtime::Command { argv, timeout_minutes: 5 }, ..Agent::default() };
        let of_program = Setup { agents: BTreeMap::from([("dev".into(), agent)]), ..setup.clone() };
        let record = json!(Effective::of(&of_program, None, "dev", Some(&dispatch)).record());
        assert_eq!(record, json!({"complexity": "medium", "program": "scripts/coder"}));
        let mut request = ChatRequest::default();
        effective.apply(&mut request);
        assert!(request.stream && request.stream_options.is_some() && effective.takes_marks());
        let fixed = Model { fixed_sampling: true, ..setup.settings.models["plain"].clone() };
        setup.settings.models.insert("plain".into(), fixed);
        let dispatch = Dispatch { model: Some("plain".into()), temperature: Some(1.0), ..Dispatch::default() };
        let mut request = ChatRequest::default();
        Effective::of(&setup, None, "dev", Some(&dispatch)).apply(&mut request);
        assert_eq!(request.temperature, None, "its service refuses one");
    }
}
