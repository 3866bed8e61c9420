//! An OpenAI-compatible service: one chat completion out, the raw body of the answer back.
//!
//! What the body means, and whether HTTP 200 was a success at all, is for the core.

use std::time::Duration;

use nebuko::{
    agent::ChatRequest,
    effect::{Asking, Level},
    event::{Failure, FailureKind, Outcome},
};

use super::{Call, Fault, Intent, Reply, Rules, Wire, words};
use crate::{address, model::Model, secret::Secret, surroundings::Surroundings};

/// A model behind an address.
pub struct HttpModel {
    address: String,
    has_key: bool,
    wire: Wire,
    around: Surroundings,
}

impl HttpModel {
    /// Takes the address of a service, with or without `/chat/completions` at its end, and its key if it wants one.
    ///
    /// # Errors
    /// A local failure, where the address or the key cannot be one.
    pub fn new(base: &str, key: Option<&Secret>, around: Surroundings) -> Result<Self, Failure> {
        let address = completions_address(base);
        match Wire::new(&address, key, Rules::model(), around.clone()) {
            Ok(wire) => Ok(Self { address, has_key: key.is_some(), wire, around }),
            Err(why) => {
                let attempted = format!("use the model service at {}", address::shown(base));
                let next = "Give an address like https://openrouter.ai/api/v1; a key is taken from the environment.";
                Err(words::failure(FailureKind::Local, &attempted, why.into(), next))
            }
        }
    }

    fn ask(&mut self, request: &ChatRequest, how: &Asking) -> Result<Outcome, Failure> {
        let attempted = format!("ask the model {} at {}", request.model, address::shown(&self.address));
        let body = request.body();
        let body = self.around.masker.mask(&body);
        let within = (how.timeout_seconds > 0).then(|| Duration::from_secs(how.timeout_seconds));
        let call = Call::query(&self.address, body.as_bytes()).within(within).streaming(request.stream);
        self.pause(how);
        let reply = self.wire.send(&call).map_err(|fault| self.no_answer(&fault, &attempted))?;
        if !reply.is_success() {
            return Err(self.refusal(&reply, &attempted));
        }
        let took_ms = reply.took_ms;
        match String::from_utf8(reply.body) {
            Ok(body) => Ok(Outcome::Completed { body, took_ms }),
            Err(error) => {
                let why = format!("HTTP {} came with a body that is no text: {error}", reply.status);
                Err(words::failure(
                    FailureKind::Unavailable,
                    &attempted,
                    why,
                    "Check the address of the model service.",
                ))
            }
        }
    }

    /// Waits as long as the core wants, and some chance on top, so that many that were turned away do not come back at
    /// once.
    fn pause(&self, how: &Asking) {
        if how.wait_ms > 0 {
            let wait = Duration::from_millis(how.wait_ms);
            let wait = wait.saturating_add(self.around.clock.part_of(wait / 2));
            let line = format!("asking {} again in {:.0} s", address::shown(&self.address), wait.as_secs_f64());
            self.around.tell(Level::Info, &line);
            self.around.clock.sleep(wait);
        }
    }

    fn refusal(&self, reply: &Reply, attempted: &str) -> Failure {
        let next = match reply.status {
            401 | 403 if self.has_key => "Check the key of the model service: it does not accept this one.",
            401 | 403 => "Give the key of the model service.",
            402 => "Add credit to the account of the model service.",
            404 => "Check the model's name, and that the address ends before /chat/completions.",
            429 if words::is_limit(reply) => "Run again later, or use another model.",
            429 => "Add credit to the account of the model service.",
            400 | 413 | 422 => {
                "Read what the service says: the request is too long for the model, or the model lacks something."
            }
            status if status >= 500 => "Look at the log of the model service, and run again later.",
            _ => "Check the address of the model service.",
        };
        self.masked(words::reply_kind(reply, Intent::Read), attempted, &words::answered(reply), next)
    }

    fn no_answer(&self, fault: &Fault, attempted: &str) -> Failure {
        let next = words::fault_advice(fault, "the address of the model service");
        self.masked(words::fault_kind(fault, Intent::Read), attempted, &words::unanswered(fault), next)
    }

    fn masked(&self, kind: FailureKind, attempted: &str, why: &str, next: impl Into<String>) -> Failure {
        words::failure(kind, attempted, self.around.masker.mask(why).into_owned(), next)
    }
}

impl Model for HttpModel {
    fn complete(&mut self, request: &ChatRequest, how: &Asking) -> Outcome {
        let began = self.around.clock.elapsed_ms();
        self.ask(request, how).unwrap_or_else(|failure| {
            let took_ms = self.around.clock.elapsed_ms().saturating_sub(began);
            Outcome::Failed { failure: Failure { took_ms, ..failure } }
        })
    }

    fn requests(&self) -> u64 {
        self.wire.requests()
    }
}

/// People give the base that their service documents, or the whole address; both work.
fn completions_address(base: &str) -> String {
    let base = base.trim().trim_end_matches('/');
    if base.ends_with("/chat/completions") { base.to_owned() } else { format!("{base}/chat/completions") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_taken_as_people_give_it() {
        let check = |base: &str, address: &str| assert_eq!(completions_address(base), address);
        check("http://127.0.0.1:8901/v1", "http://127.0.0.1:8901/v1/chat/completions");
        check("http://127.0.0.1:8901/", "http://127.0.0.1:8901/chat/completions");
        check(" https://a/api/v1/chat/completions/ ", "https://a/api/v1/chat/completions");
    }
}
