//! The services that are known without a word in the settings: where they are, and which variable has their key.

use alloc::{collections::BTreeMap, string::String};

use crate::setup::{Provider, ProviderKind};

/// Gives the services that are built in, by name.
pub fn built_in() -> BTreeMap<String, Provider> {
    let known = KNOWN.iter().map(|(name, kind, base_url, key)| {
        let provider = Provider { kind: *kind, base_url: (*base_url).into(), key: Some((*key).into()) };
        ((*name).into(), provider)
    });
    known.collect()
}

/// Gives the domain that a variable's key is for, where the variable belongs to one service: its key goes there, and
/// nowhere else.
pub(super) fn domain_of(key: &str) -> Option<&'static str> {
    OWN_KEYS.iter().find(|(name, _)| *name == key).map(|(_, domain)| *domain)
}

/// Reads the kind of a service.
pub(super) fn kind(word: &str) -> Option<ProviderKind> {
    match word {
        "openai" => Some(ProviderKind::Openai),
        "openrouter" => Some(ProviderKind::Openrouter),
        "vllm" => Some(ProviderKind::Vllm),
        "commandcode" => Some(ProviderKind::Commandcode),
        _ => None,
    }
}

/// The variables are those of the reference (Environment Variables Catalog); the addresses are the services' own, and
/// vLLM's is that of its server on this machine.
const KNOWN: [(&str, ProviderKind, &str, &str); 3] = [
    ("openrouter", ProviderKind::Openrouter, "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    ("vllm", ProviderKind::Vllm, "http://127.0.0.1:8000/v1", "LOCAL_VLLM_API_TOKEN"),
    ("commandcode", ProviderKind::Commandcode, "https://api.commandcode.ai/provider/v1", "COMMANDCODE_API_KEY"),
];
const OWN_KEYS: [(&str, &str); 2] =
    [("OPENROUTER_API_KEY", "openrouter.ai"), ("COMMANDCODE_API_KEY", "commandcode.ai")];
