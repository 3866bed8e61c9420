//! Which model answers, and with whose key.

use std::path::PathBuf;

use nebuko::{
    agent::ChatRequest,
    event::{Failure, FailureKind, Outcome},
};

use super::Environment;
use crate::{
    error::{Error, causes},
    model::{HttpModel, Model, ScriptError, ScriptModel},
    secret::Secret,
    surroundings::Surroundings,
};

/// The model that was asked for.
#[derive(Clone, Debug)]
pub enum ModelChoice {
    /// None: a run that needs one fails when it comes to that.
    None,
    /// Answers from a file.
    Script(PathBuf),
    /// An OpenAI-compatible service.
    Service {
        /// Its address.
        url: String,
        /// Its key, where the environment has one for it.
        key: Option<Secret>,
    },
}

impl ModelChoice {
    /// Reads `--model`.
    ///
    /// # Errors
    /// Usage: neither an address nor `script:FILE`.
    pub fn of(given: Option<&str>, environment: &Environment) -> Result<Self, Error> {
        let Some(given) = given.map(str::trim) else {
            return Ok(Self::None);
        };
        if let Some(file) = given.strip_prefix("script:").filter(|file| !file.is_empty()) {
            return Ok(Self::Script(file.into()));
        }
        let Some(host) = host(given) else {
            return Err(Error::usage(
                format!("use the model {given:?}"),
                "it is neither an http address nor script:FILE",
                "give --model https://openrouter.ai/api/v1, for example, or --model script:answers.json",
            ));
        };
        let key = environment.first(key_names(host)).map(Secret::new);
        Ok(Self::Service { url: given.into(), key })
    }

    /// Makes the model.
    ///
    /// # Errors
    /// Usage: the script cannot be read, or the address or key cannot be one.
    pub fn open(self, surroundings: &Surroundings) -> Result<Box<dyn Model>, Error> {
        Ok(match self {
            Self::None => Box::new(NoModel),
            Self::Script(file) => Box::new(ScriptModel::open(&file).map_err(|error| unreadable(&file, &error))?),
            Self::Service { url, key } => Box::new(HttpModel::new(&url, key.as_ref(), surroundings.clone())?),
        })
    }
}

fn unreadable(file: &std::path::Path, error: &ScriptError) -> Error {
    let next = "write a JSON list of chat-completion bodies, or one a line";
    Error::usage(format!("read the model's answers in {}", file.display()), causes(error), next)
}

/// A model that was not given.
#[derive(Clone, Copy, Debug)]
pub struct NoModel;

impl Model for NoModel {
    fn complete(&mut self, request: &ChatRequest) -> Outcome {
        Outcome::Failed {
            failure: Failure {
                kind: FailureKind::Local,
                attempted: format!("ask the model {}", request.model),
                why: "no model was given".into(),
                next: "Give --model with the address of an OpenAI-compatible service, or with script:FILE.".into(),
            },
        }
    }
}

/// Where the key for a host is looked for. A key goes to its own service and to no other.
fn key_names(host: &str) -> &'static [&'static str] {
    if host == "openrouter.ai" || host.ends_with(".openrouter.ai") {
        &["OPENROUTER_API_KEY"]
    } else if host.split('.').any(|label| label == "commandcode") {
        &["COMMANDCODE_API_KEY"]
    } else {
        &["LOCAL_VLLM_API_TOKEN", "NEBUKO_API_KEY"]
    }
}

/// Gives the host of an http address, in lower case as it is written as a rule.
fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = if host.starts_with('[') { host.split_inclusive(']').next()? } else { host.split(':').next()? };
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_to_its_own_service_only() {
        let variables = [
            ("OPENROUTER_API_KEY", "or"),
            ("COMMANDCODE_API_KEY", "cc"),
            ("LOCAL_VLLM_API_TOKEN", "vllm"),
            ("NEBUKO_API_KEY", "own"),
        ];
        let check = |url: &str, without: &str, expected: Option<&str>| {
            let left: Vec<_> = variables.iter().copied().filter(|(name, _)| *name != without).collect();
            let choice = ModelChoice::of(Some(url), &Environment::of(&left)).expect("an address");
            let ModelChoice::Service { key, .. } = choice else { unreachable!("{url} is an address") };
            assert_eq!(key.as_ref().map(Secret::reveal), expected, "{url} without {without:?}");
        };
        check("https://openrouter.ai/api/v1", "", Some("or"));
        check("https://eu.openrouter.ai/api/v1", "", Some("or"));
        check("https://openrouter.ai", "OPENROUTER_API_KEY", None);
        check("https://openrouter.ai.evil.example/v1", "", Some("vllm"));
        check("https://evil.example/openrouter.ai", "", Some("vllm"));
        check("https://openrouter.ai@evil.example/", "", Some("vllm"));
        check("https://api.commandcode.ai/v1", "", Some("cc"));
        check("http://127.0.0.1:8000/v1", "", Some("vllm"));
        check("http://[::1]:8000/v1", "LOCAL_VLLM_API_TOKEN", Some("own"));
    }

    #[test]
    fn a_model_is_an_address_or_a_script() {
        let check = |given: &str, good: bool| {
            assert_eq!(ModelChoice::of(Some(given), &Environment::default()).is_ok(), good, "{given}");
        };
        check("script:answers.json", true);
        check("http://localhost:1/v1", true);
        check("script:", false);
        check("answers.json", false);
        check("gpt-something", false);
        check("ftp://host/", false);
        check("https://", false);
        check("", false);
        assert!(matches!(ModelChoice::of(None, &Environment::default()), Ok(ModelChoice::None)));
    }
}
