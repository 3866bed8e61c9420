//! Hiding the secrets of this process in what a run is set up with.
//!
//! Every field is named, so that a new one is not forgotten. Names are masked in all places alike and stay equal
//! where they were. The repository and the model's name are sent as they are, and no other text is.

use std::{collections::BTreeMap, mem};

use nebuko::{
    setup::{Agent, Field, Model, Output, Provider, Runtime, Settings, Setup, Skill},
    workflow::{Binding, Condition, Hook, Input, Script, SkillUse, Step, Work, Workflow},
};

use super::Configured;
use crate::secret::Masker;

/// Masks every text.
pub(super) fn mask(configured: &mut Configured, masker: &Masker) {
    // Of the settings as they were read only the places are looked at.
    let Configured { setup, sources, places, config: _ } = configured;
    let Setup { repo: _, number: _, settings, workflows, agents, skills } = setup;
    mask_settings(settings, masker);
    mask_map(workflows, masker, |workflow| mask_workflow(workflow, masker));
    mask_map(agents, masker, |agent| mask_agent(agent, masker));
    mask_map(skills, masker, |Skill { text, location }| mask_all([text, location], masker));
    mask_map(sources, masker, |text| masker.mask_in(text));
    mask_all(places, masker);
}

fn mask_settings(settings: &mut Settings, masker: &Masker) {
    let Settings {
        workflow,
        model: _,
        models,
        providers,
        defaults: _,
        tiers: _,
        stream: _,
        model_seconds: _,
        prompt_order: _,
        trust: _,
        history_comment_count: _,
        trusted_actors,
        engine_login,
        chain: _,
        max_steps: _,
        dry_run: _,
        limits: _,
    } = settings;
    masker.mask_in(workflow);
    // A model's name is sent as it is, and so is the name of a variable; an address is sent, and may hold a secret.
    mask_map(models, masker, |Model { provider, name: _, fixed_sampling: _, context_tokens: _, prices: _ }| {
        masker.mask_in(provider);
    });
    mask_map(providers, masker, |Provider { kind: _, base_url, key: _ }| masker.mask_in(base_url));
    // As in the thread, so that an account stays the same one.
    mask_all(trusted_actors.iter_mut().map(|actor| &mut actor.login).chain(engine_login), masker);
}

fn mask_agent(agent: &mut Agent, masker: &Masker) {
    let Agent { prompt, location, skills, tools, commands, runtime, phase, output, wishes: _, overrides: _ } = agent;
    mask_all([prompt, location].into_iter().chain(tools).chain(commands.iter_mut().flatten()).chain(phase), masker);
    mask_skills(skills, masker);
    if let Runtime::Command { argv, timeout_minutes: _ } = runtime {
        mask_all(argv, masker);
    }
    mask_output(output, masker);
}

fn mask_skills(skills: &mut [SkillUse], masker: &Masker) {
    for SkillUse::Inject(names) | SkillUse::Discover(names) in skills {
        mask_all(names, masker);
    }
}

fn mask_output(output: &mut Option<Output>, masker: &Masker) {
    for Field { name, description, required: _, kind: _ } in output.iter_mut().flat_map(|output| &mut output.fields) {
        mask_all([name, description], masker);
    }
}

/// Masks every text of a workflow.
pub(super) fn mask_workflow(workflow: &mut Workflow, masker: &Masker) {
    let Workflow { name, description, inputs, outputs, gate: _, steps, location } = workflow;
    mask_all([name, description, location].into_iter().chain(outputs), masker);
    for Input { name, kind: _, required: _ } in inputs {
        masker.mask_in(name);
    }
    steps.iter_mut().for_each(|step| mask_step(step, masker));
}

fn mask_step(step: &mut Step, masker: &Masker) {
    let Step {
        name,
        work,
        next,
        conditions,
        skills,
        prompt,
        complexity: _,
        wishes: _,
        output,
        human_gate: _,
        inputs,
        pre_hook,
        post_hook,
    } = step;
    mask_all([name].into_iter().chain(next).chain(prompt), masker);
    mask_work(work, masker);
    for Condition { on_result, next } in conditions {
        mask_all([on_result].into_iter().chain(next), masker);
    }
    mask_skills(skills, masker);
    mask_output(output, masker);
    mask_map(inputs, masker, |binding| mask_binding(binding, masker));
    for Hook { path, args, timeout_minutes: _ } in pre_hook.iter_mut().chain(post_hook) {
        mask_all([path].into_iter().chain(args), masker);
    }
}

fn mask_work(work: &mut Work, masker: &Masker) {
    match work {
        Work::Agent(name) | Work::Workflow(name) | Work::Repo(name) => masker.mask_in(name),
        Work::Script(Script { command, args, working_dir, env, timeout_minutes: _ }) => {
            mask_all([command, working_dir].into_iter().chain(args), masker);
            mask_map(env, masker, |value| masker.mask_in(value));
        }
    }
}

fn mask_binding(binding: &mut Binding, masker: &Masker) {
    match binding {
        Binding::Exec(argv) => mask_all(argv, masker),
        Binding::Str(text) | Binding::Ref(text) => masker.mask_in(text),
    }
}

fn mask_all<'t>(texts: impl IntoIterator<Item = &'t mut String>, masker: &Masker) {
    texts.into_iter().for_each(|text| masker.mask_in(text));
}

fn mask_map<V>(map: &mut BTreeMap<String, V>, masker: &Masker, mask_value: impl Fn(&mut V)) {
    let masked = mem::take(map).into_iter().map(|(mut key, mut value)| {
        masker.mask_in(&mut key);
        mask_value(&mut value);
        (key, value)
    });
    *map = masked.collect();
}

#[cfg(test)]
mod tests {
    use nebuko::{config::Config, ids::Identity, setup::Wishes};

    use super::*;
    use crate::secret::Secret;

    #[test]
    fn no_text_of_a_setup_keeps_a_secret() {
        let text = || "a hunter2-hunter2 b".to_owned();
        let hook = || Some(Hook { path: text(), args: vec![text()], timeout_minutes: 1 });
        let output = || {
            let field = Field { name: text(), description: text(), ..Field::default() };
            Some(Output { fields: vec![field] })
        };
        let agent = Agent {
            prompt: text(),
            location: text(),
            skills: vec![SkillUse::Discover(vec![text()])],
            tools: vec![text()],
            commands: vec![vec![text()]],
            runtime: Runtime::Command { argv: vec![text()], timeout_minutes: 1 },
            phase: Some(text()),
            output: output(),
            ..Agent::default()
        };
        let script = Script {
            command: text(),
            args: vec![text()],
            working_dir: text(),
            env: BTreeMap::from([(text(), text())]),
            timeout_minutes: 1,
        };
        let step = Step {
            name: text(),
            work: Work::Agent(text()),
            next: Some(text()),
            conditions: vec![Condition { on_result: text(), next: Some(text()) }],
            skills: vec![SkillUse::Inject(vec![text()])],
            prompt: Some(text()),
            complexity: None,
            wishes: Wishes::default(),
            output: output(),
            human_gate: false,
            inputs: BTreeMap::from([(text(), Binding::Exec(vec![text()]))]),
            pre_hook: hook(),
            post_hook: hook(),
        };
        let runs = Step { name: text(), work: Work::Script(script), ..Step::default() };
        let workflow = Workflow {
            name: text(),
            description: text(),
            inputs: vec![Input { name: text(), ..Input::default() }],
            outputs: vec![text()],
            steps: vec![step, runs],
            location: text(),
            ..Workflow::default()
        };
        let settings = Settings {
            workflow: text(),
            model: "gpt-4o-mini".into(),
            models: BTreeMap::from([(text(), Model { provider: text(), ..Model::default() })]),
            providers: BTreeMap::from([(text(), Provider { base_url: text(), ..Provider::default() })]),
            trusted_actors: vec![Identity::new(1, text())],
            engine_login: Some(text()),
            ..Settings::default()
        };
        let mut configured = Configured {
            setup: Setup {
                repo: "acme/site".into(),
                number: 7,
                settings,
                workflows: BTreeMap::from([(text(), workflow)]),
                agents: BTreeMap::from([(text(), agent)]),
                skills: BTreeMap::from([(text(), Skill { text: text(), location: text() })]),
            },
            sources: BTreeMap::from([(text(), text())]),
            places: vec![text()],
            config: Config::default(),
        };
        mask(&mut configured, &Masker::new([], &[Secret::new("hunter2-hunter2"), Secret::new("gpt-4o-mini")]));
        let told = format!("{configured:?}");
        assert_eq!((told.matches("a *** b").count(), told.contains("hunter2")), (50, false), "{told}");
        assert_eq!(configured.setup.settings.model, "gpt-4o-mini");
    }
}
