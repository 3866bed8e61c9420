//! Models and who provides them: addresses, names, windows and prices. No key is in here, only the name of the
//! variable that holds one.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::setup::Usd;

/// A model, under the name that settings, agents and dispatches use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// Who provides it; empty: whatever service the command line names.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub provider: String,
    /// Its name, as its service knows it.
    pub name: String,
    /// Whether its service refuses a temperature and the like.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub fixed_sampling: bool,
    /// Its window in tokens, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_tokens: Option<u64>,
    /// What it costs, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
}

/// What a million tokens cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prices {
    /// Of a prompt.
    pub input: Usd,
    /// Of a prompt that the provider had cached; where unsaid, as any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached: Option<Usd>,
    /// Of an answer, with its reasoning.
    pub output: Usd,
}

/// A service that answers chat completions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provider {
    /// Which extras of the protocol it takes.
    pub kind: ProviderKind,
    /// Its address, up to `/chat/completions`.
    pub base_url: String,
    /// The variable that holds its key, where it wants one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// A family of services: which fields beyond the common ones it takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProviderKind {
    /// Any OpenAI-compatible one.
    #[default]
    Openai,
    /// OpenRouter.
    Openrouter,
    /// vLLM.
    Vllm,
    /// CommandCode.
    Commandcode,
}

impl Prices {
    /// Gives what tokens cost, rounded up to a millionth of a dollar. `cached` is part of `input`.
    pub fn cost(&self, input: u64, cached: u64, output: u64) -> Usd {
        let cached = cached.min(input);
        let parts = [(input - cached, self.input), (cached, self.cached.unwrap_or(self.input)), (output, self.output)];
        let sum: u128 = parts.iter().map(|(tokens, price)| u128::from(*tokens) * u128::from(price.micro())).sum();
        Usd::from_micro(u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_have_a_price_of_their_own_and_nothing_is_free_by_rounding() {
        let check = |cached: Option<u64>, tokens: (u64, u64, u64), micro: u64| {
            let price = |dollars| Usd::from_micro(dollars);
            let prices = Prices { input: price(3_000_000), cached: cached.map(price), output: price(15_000_000) };
            assert_eq!(prices.cost(tokens.0, tokens.1, tokens.2), Usd::from_micro(micro), "{cached:?} {tokens:?}");
        };
        check(None, (1_000_000, 0, 0), 3_000_000);
        check(Some(300_000), (1_000_000, 1_000_000, 0), 300_000);
        check(None, (1_000_000, 1_000_000, 0), 3_000_000);
        check(Some(300_000), (10, 99, 0), 3);
        check(None, (0, 0, 1_000_000), 15_000_000);
        check(Some(300_000), (0, 1, 0), 0);
        check(Some(1), (1, 1, 0), 1);
        check(None, (u64::MAX, 0, u64::MAX), u64::MAX);
    }
}
