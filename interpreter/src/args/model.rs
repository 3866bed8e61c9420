//! Which model answers, and with whose key.

use std::path::PathBuf;

use nebuko::effect::Level;

use super::Environment;
use crate::{
    address::{self, Origin},
    error::{Error, causes},
    model::{HttpModel, Model, Providers, ScriptError, ScriptModel},
    secret::Secret,
    surroundings::Surroundings,
};

/// The model that was asked for.
#[derive(Clone, Debug)]
pub enum ModelChoice {
    /// None: who is asked is for the settings.
    None,
    /// Answers from a file.
    Script(PathBuf),
    /// An OpenAI-compatible service.
    Service {
        /// Its address.
        url: String,
        /// Its key, where the environment has one for it.
        key: Option<Secret>,
        /// The variable whose key is for this service, and is not sent because anybody on the way could read it.
        withheld: Option<&'static str>,
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
        let origin = Origin::of(given).map_err(|why| {
            Error::usage(
                format!("use the model {}", address::shown(given)),
                if given.contains("://") { why } else { "it is neither an http address nor script:FILE" },
                "give --model https://openrouter.ai/api/v1, for example, or --model script:answers.json; a key is \
                 taken from the environment",
            )
        })?;
        let named = own_key(&origin).filter(|name| environment.value(name).is_some());
        let sent = named.filter(|_| origin.is_private_on_the_way()).or_else(|| any_key(&origin));
        let key = sent.and_then(|name| environment.value(name)).map(Secret::new);
        let withheld = named.filter(|_| key.is_none());
        Ok(Self::Service { url: given.into(), key, withheld })
    }

    /// Makes the model. One that the command line names is asked whatever provider the settings name.
    ///
    /// # Errors
    /// Usage: the script cannot be read, or the address or key cannot be one.
    pub fn open(self, environment: &Environment, surroundings: &Surroundings) -> Result<Box<dyn Model>, Error> {
        Ok(match self {
            Self::None => Box::new(Providers::new(environment.clone(), surroundings.clone())),
            Self::Script(file) => Box::new(ScriptModel::open(&file).map_err(|error| unreadable(&file, &error))?),
            Self::Service { url, key, withheld } => {
                if let Some(name) = withheld {
                    let shown = address::shown(&url);
                    let text = format!("{name} is not sent to {shown}: plain http can be read on the way");
                    surroundings.tell(Level::Warning, &text);
                }
                Box::new(HttpModel::new(&url, key.as_ref(), surroundings.clone())?)
            }
        })
    }
}

fn unreadable(file: &std::path::Path, error: &ScriptError) -> Error {
    let next = "write a JSON list of chat-completion bodies, or one a line";
    Error::usage(format!("read the model's answers in {}", file.display()), causes(error), next)
}

/// Names the key that belongs to a service. It goes to its own service and to no other.
fn own_key(origin: &Origin) -> Option<&'static str> {
    if origin.is_of("openrouter.ai") {
        Some("OPENROUTER_API_KEY")
    } else if origin.is_of("commandcode.ai") {
        Some("COMMANDCODE_API_KEY")
    } else {
        origin.is_of_the_own_network().then_some("LOCAL_VLLM_API_TOKEN")
    }
}

/// Names the key for whatever service the maintainer gives, where none of the known ones is meant.
fn any_key(origin: &Origin) -> Option<&'static str> {
    let is_known = ["openrouter.ai", "commandcode.ai"].iter().any(|domain| origin.is_of(domain));
    (!is_known).then_some("NEBUKO_API_KEY")
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
        let check = |url: &str, without: &str, expected: Option<&str>, kept: Option<&str>| {
            let left: Vec<_> = variables.iter().copied().filter(|(name, _)| *name != without).collect();
            let choice = ModelChoice::of(Some(url), &Environment::of(&left)).expect("an address");
            let ModelChoice::Service { key, withheld, .. } = choice else { unreachable!("{url} is an address") };
            assert_eq!((key.as_ref().map(Secret::reveal), withheld), (expected, kept), "{url} without {without:?}");
        };
        check("https://openrouter.ai/api/v1", "", Some("or"), None);
        check("https://eu.openrouter.ai/api/v1", "", Some("or"), None);
        check("https://OpenRouter.AI/api/v1", "", Some("or"), None);
        check("https://openrouter.ai", "OPENROUTER_API_KEY", None, None);
        check("http://openrouter.ai/api/v1", "", None, Some("OPENROUTER_API_KEY"));
        check("https://openrouter.ai.evil.example/v1", "", Some("own"), None);
        check("https://notopenrouter.ai/v1", "", Some("own"), None);
        check("https://evil.example/openrouter.ai", "", Some("own"), None);
        check("https://api.commandcode.ai/provider/v1", "", Some("cc"), None);
        check("https://commandcode.evil.example/v1", "", Some("own"), None);
        check("https://commandcode.evil.example/v1", "NEBUKO_API_KEY", None, None);
        check("https://evil.example/v1", "NEBUKO_API_KEY", None, None);
        check("http://127.0.0.1:8000/v1", "", Some("vllm"), None);
        check("https://gpu.internal/v1", "", Some("vllm"), None);
        check("http://10.0.0.5:8000/v1", "", Some("own"), None);
        check("http://10.0.0.5:8000/v1", "NEBUKO_API_KEY", None, Some("LOCAL_VLLM_API_TOKEN"));
        check("http://[::1]:8000/v1", "LOCAL_VLLM_API_TOKEN", Some("own"), None);
    }

    #[test]
    fn a_user_name_in_an_address_is_refused_and_not_shown() {
        let check = |given: &str, told: &str| {
            let error = ModelChoice::of(Some(given), &Environment::default()).expect_err(given).to_string();
            assert!(error.contains(told) && !error.contains("secret"), "{error}");
        };
        check("http://user:secret@host/v1", "the model http://host/v1\n  it carries a user name");
        check("https://secret@host", "https://host\n  it carries a user name");
        check("ftp://user:secret@host", "ftp://host\n");
        check("user:secret@host", "the model host\n  it is neither");
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
