//! The models of the services that settings name: one for each address and key, opened when it is asked first.
//!
//! Who is asked, and which variable may hold its key, is the core's word. That nobody can read a key on the way is seen to
//! here, before anything is sent.

use std::collections::{BTreeMap, btree_map::Entry};

use nebuko::{
    agent::ChatRequest,
    config::holds_a_key,
    effect::{Asking, Level},
    event::{Failure, FailureKind, Outcome},
    setup::Provider,
};

use super::{HttpModel, Model};
use crate::{
    address::{self, Origin},
    args::Environment,
    secret::Secret,
    surroundings::Surroundings,
};

/// The services of the settings, as one model.
pub struct Providers {
    environment: Environment,
    around: Surroundings,
    /// By address and by the variable of the key.
    open: BTreeMap<(String, Option<String>), HttpModel>,
}

impl Providers {
    /// Takes the environment in which the keys are.
    pub fn new(environment: Environment, around: Surroundings) -> Self {
        Self { environment, around, open: BTreeMap::new() }
    }

    fn of(&mut self, provider: &Provider) -> Result<&mut HttpModel, Failure> {
        match self.open.entry((provider.base_url.clone(), provider.key.clone())) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(free) => {
                let key = key_for(provider, &self.environment, &self.around)?;
                Ok(free.insert(HttpModel::new(&provider.base_url, key.as_ref(), self.around.clone())?))
            }
        }
    }
}

impl Model for Providers {
    fn complete(&mut self, request: &ChatRequest, how: &Asking) -> Outcome {
        let model = match &how.provider {
            Some(provider) => self.of(provider),
            None => Err(nobody_to_ask(&request.model)),
        };
        match model {
            Ok(model) => model.complete(request, how),
            Err(failure) => Outcome::Failed { failure },
        }
    }

    fn requests(&self) -> u64 {
        self.open.values().map(HttpModel::requests).sum()
    }
}

/// Says that neither the command line nor the settings name a service.
pub(crate) fn nobody_to_ask(model: &str) -> Failure {
    Failure {
        kind: FailureKind::Local,
        attempted: format!("ask the model {model}"),
        why: "no model was given, and the settings name no provider for it".into(),
        next: "Give --model with the address of an OpenAI-compatible service, or with script:FILE.".into(),
        took_ms: 0,
    }
}

/// Finds the key of a service. One that anybody on the way could read is kept back, with a warning.
fn key_for(provider: &Provider, environment: &Environment, around: &Surroundings) -> Result<Option<Secret>, Failure> {
    let Some(name) = &provider.key else {
        return Ok(None);
    };
    let shown = address::shown(&provider.base_url);
    let refused = |why: String, next: String| Failure {
        kind: FailureKind::Local,
        attempted: format!("use the model service at {shown}"),
        why,
        next,
        took_ms: 0,
    };
    if let Err(next) = holds_a_key(name) {
        return Err(refused(format!("its key is to be in {name}, which cannot hold one"), next));
    }
    let origin = Origin::of(&provider.base_url).ok();
    let Some(value) = environment.value(name) else {
        let why = format!("its key is to be in {name}, and that variable is not set");
        return Err(refused(why, format!("Set {name}, or name another variable as the provider's key.")));
    };
    if origin.is_some_and(|origin| !origin.is_private_on_the_way()) {
        around.tell(Level::Warning, &format!("{name} is not sent to {shown}: plain http can be read on the way"));
        return Ok(None);
    }
    Ok(Some(Secret::new(value)))
}

#[cfg(test)]
#[allow(clippy::disallowed_types, reason = "a test remembers what it was told; the list is the core's")]
mod tests {
    use std::{cell::RefCell, rc::Rc};

    use super::*;
    use crate::{
        clock::SystemClock,
        secret::{Masker, is_secret_name},
    };

    /// Gives the key that goes to an address, or why the service is not used, and what was told.
    fn key(base_url: &str, name: Option<&str>) -> (Result<Option<String>, Failure>, Vec<String>) {
        let told = Rc::new(RefCell::new(Vec::new()));
        let there = Rc::clone(&told);
        let watcher = move |_, text: &str| there.borrow_mut().push(text.to_owned());
        let around = Surroundings::new(SystemClock::start(), watcher, Masker::none());
        let environment = Environment::of(&[("LAB_KEY", "k-1"), ("GH_PAT", "g-1"), ("LAB", "l-1"), ("NO_KEY", " ")]);
        let provider = Provider { base_url: base_url.into(), key: name.map(Into::into), ..Provider::default() };
        let key = key_for(&provider, &environment, &around).map(|key| key.map(|key| key.reveal().to_owned()));
        let told = told.borrow().clone();
        (key, told)
    }

    #[test]
    fn a_key_travels_only_where_nobody_can_read_it() {
        let check = |base: &str, name: Option<&str>, expected: Option<&str>, warned: bool| {
            let (found, told) = key(base, name);
            assert_eq!(found, Ok(expected.map(Into::into)), "{base}");
            assert_eq!(told.iter().any(|line| line.contains("is not sent to http://")), warned, "{base}: {told:?}");
        };
        check("https://lab.example/v1", Some("LAB_KEY"), Some("k-1"), false);
        check("https://lab.example/v1", None, None, false);
        check("http://127.0.0.1:8000/v1", Some("LAB_KEY"), Some("k-1"), false);
        check("http://lab.example/v1", Some("LAB_KEY"), None, true);
        check("http://10.0.0.5:8000/v1", Some("LAB_KEY"), None, true);
    }

    #[test]
    fn a_key_that_cannot_be_used_is_told_with_its_variable() {
        let check = |base: &str, name: &str, why: &str| {
            let (found, _) = key(base, Some(name));
            let failure = found.expect_err(why);
            assert!(failure.kind == FailureKind::Local && failure.why.contains(why), "{failure:?}");
            assert!(failure.why.contains(name) && !failure.next.is_empty(), "{failure:?}");
        };
        check("https://lab.example/v1", "OTHER_KEY", "not set");
        check("https://lab.example/v1", "NO_KEY", "not set");
        check("https://lab.example/v1", "LAB", "cannot hold one");
        check("https://lab.example/v1", "GH_PAT", "cannot hold one");
        check("https://models.github.ai/inference", "GITHUB_TOKEN", "cannot hold one");
        check("https://github.com.evil.example/v1", "GH_PAT", "cannot hold one");
    }

    #[test]
    fn what_may_hold_a_key_is_masked_and_inherited_by_nobody() {
        for name in
            ["LAB_KEY", "A_TOKEN", "MY_SECRET_1", "A_PASSWORD", "LAB", "GH_PAT", "RUNNER_TOKEN", "lab_key", "_KEY"]
        {
            assert!(holds_a_key(name).is_err() || is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn a_request_that_nobody_is_named_for_fails_and_says_what_to_give() {
        let around = Surroundings::new(SystemClock::start(), |_, _| {}, Masker::none());
        let mut model = Providers::new(Environment::default(), around);
        let ask = |model: &mut Providers, provider: Option<Provider>| match model
            .complete(&ChatRequest::default(), &Asking { provider, ..Asking::default() })
        {
            Outcome::Failed { failure } => failure,
            other => unreachable!("nobody is there: {other:?}"),
        };
        assert!(ask(&mut model, None).next.contains("--model"));
        let nowhere = ask(&mut model, Some(Provider { base_url: "lab".into(), ..Provider::default() }));
        assert!(nowhere.kind == FailureKind::Local && nowhere.attempted.contains("lab"), "{nowhere:?}");
        assert_eq!(model.requests(), 0);
    }
}
