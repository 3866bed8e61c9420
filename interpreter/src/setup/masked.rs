//! Hiding the secrets of this process in what a run is set up with.
//!
//! Every field is named, so that a new one is not forgotten. Names are masked in all places alike and stay equal
//! where they were. The repository and the model's name are sent as they are, and no other text is.

use std::{collections::BTreeMap, mem};

use nebuko::{
    setup::{Agent, Settings, Setup},
    workflow::{Condition, Step, Workflow},
};

use super::Configured;
use crate::secret::Masker;

/// Masks every text.
pub(super) fn mask(configured: &mut Configured, masker: &Masker) {
    let Configured { setup, sources, places } = configured;
    let Setup { repo: _, number: _, settings, workflows, agents } = setup;
    mask_settings(settings, masker);
    mask_map(workflows, masker, |workflow| mask_workflow(workflow, masker));
    mask_map(agents, masker, |Agent { prompt, location }| mask_all([prompt, location], masker));
    mask_map(sources, masker, |text| masker.mask_in(text));
    mask_all(places, masker);
}

fn mask_settings(settings: &mut Settings, masker: &Masker) {
    let Settings {
        workflow,
        model: _,
        history_comment_count: _,
        trusted_actors,
        engine_login,
        chain: _,
        max_steps: _,
        dry_run: _,
        limits: _,
    } = settings;
    masker.mask_in(workflow);
    // As in the thread, so that an account stays the same one.
    mask_all(trusted_actors.iter_mut().map(|actor| &mut actor.login).chain(engine_login), masker);
}

fn mask_workflow(workflow: &mut Workflow, masker: &Masker) {
    let Workflow { name, description, steps, location } = workflow;
    mask_all([name, description, location], masker);
    for Step { name, agent, next, conditions, prompt, complexity: _ } in steps {
        mask_all([name, agent].into_iter().chain(next).chain(prompt), masker);
        for Condition { on_result, next } in conditions {
            mask_all([on_result].into_iter().chain(next), masker);
        }
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
    use nebuko::ids::Identity;

    use super::*;
    use crate::secret::Secret;

    #[test]
    fn no_text_of_a_setup_keeps_a_secret() {
        let text = || "a hunter2-hunter2 b".to_owned();
        let step = Step {
            name: text(),
            agent: text(),
            next: Some(text()),
            conditions: vec![Condition { on_result: text(), next: Some(text()) }],
            prompt: Some(text()),
            complexity: None,
        };
        let workflow = Workflow { name: text(), description: text(), steps: vec![step], location: text() };
        let settings = Settings {
            workflow: text(),
            model: "gpt-4o-mini".into(),
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
                agents: BTreeMap::from([(text(), Agent { prompt: text(), location: text() })]),
            },
            sources: BTreeMap::from([(text(), text())]),
            places: vec![text()],
        };
        mask(&mut configured, &Masker::new([], &[Secret::new("hunter2-hunter2"), Secret::new("gpt-4o-mini")]));
        let told = format!("{configured:?}");
        assert_eq!((told.matches("a *** b").count(), told.contains("hunter2")), (19, false), "{told}");
        assert_eq!(configured.setup.settings.model, "gpt-4o-mini");
    }
}
