//! What went wrong on the wire, in words: why, with every cause, and what to do about it.

use std::{error::Error, fmt::Write as _};

use nebuko::{
    event::{Failure, FailureKind},
    time::Timestamp,
};
use serde::Deserialize;
use serde_json::Value;

use super::{Fault, Intent, Reply, Rules, retry};
use crate::address;

/// Puts an answer in words: `HTTP 403: Resource not accessible by integration (request 7A1C:2F)`.
pub(super) fn answered(reply: &Reply) -> String {
    let mut words = format!("HTTP {}", reply.status);
    let said = message(&reply.body);
    if !said.is_empty() {
        let _ = write!(words, ": {said}");
    }
    if let Some(id) = request_id(reply) {
        let _ = write!(words, " (request {id})");
    }
    words
}

/// Finds the id under which a service keeps a request, for whoever asks it what went wrong.
fn request_id(reply: &Reply) -> Option<String> {
    let in_header = REQUEST_IDS.iter().find_map(|name| reply.header(name)).map(str::to_owned);
    let in_body = || serde_json::from_slice::<ErrorBody>(&reply.body).ok().and_then(|body| body.id());
    in_header.or_else(in_body).map(|id| one_line(&id)).filter(|id| !id.is_empty())
}

/// Puts a fault in words.
pub(super) fn unanswered(fault: &Fault) -> String {
    match fault {
        Fault::Unsent(why) | Fault::Barred(why) => format!("could not connect: {why}"),
        Fault::Cut(why) => format!("the answer did not come: {why}"),
        Fault::Oversized(why) => format!("the answer is too large: {why}"),
        Fault::Elsewhere(target) => format!("the service points to another origin, {}", address::shown(target)),
        Fault::OutOfPatience { reply, until, budget } => format!(
            "{}; the limit ends at {until}, and waiting for it would go over the {} minutes that a run may wait",
            answered(reply),
            budget.as_secs() / 60
        ),
    }
}

/// Joins an error and all its causes, leaving out a cause that the text before already tells.
pub(super) fn causes(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_words = cause.to_string();
        if !words.contains(&cause_words) {
            let _ = write!(words, ": {cause_words}");
        }
        source = cause.source();
    }
    words
}

/// Tells what is known when a fault ended a call.
pub(super) fn fault_kind(fault: &Fault, intent: Intent) -> FailureKind {
    match (fault, intent) {
        (Fault::Unsent(_) | Fault::Barred(_) | Fault::OutOfPatience { .. }, _) => FailureKind::Unavailable,
        (Fault::Cut(_) | Fault::Oversized(_), Intent::Replace | Intent::Create) => FailureKind::Lost,
        (Fault::Cut(_) | Fault::Oversized(_), Intent::Read) => FailureKind::Unavailable,
        (Fault::Elsewhere(_), _) => FailureKind::Refused,
    }
}

/// Tells what is known when an answer of another status than 2xx ended a call.
pub(super) fn reply_kind(reply: &Reply, intent: Intent) -> FailureKind {
    match intent {
        Intent::Read if retry::is_passing(reply.status) => FailureKind::Unavailable,
        Intent::Replace | Intent::Create if retry::is_passing(reply.status) => FailureKind::Lost,
        _ if is_limit(reply) => FailureKind::Unavailable,
        _ => FailureKind::Refused,
    }
}

/// Says what a person can do about a fault that has to do with the network and not with what was asked.
pub(super) fn fault_advice(fault: &Fault, setting: &str) -> String {
    match fault {
        Fault::OutOfPatience { until, .. } => format!("Run again after {until}."),
        Fault::Elsewhere(_) => format!("Check {setting}: the token is sent to no other place than that."),
        Fault::Oversized(_) => format!("Check {setting}: no answer that is expected is as large."),
        Fault::Barred(why) if is_about_certificates(why) => {
            "Install the CA certificates of this machine, or name a file of them in SSL_CERT_FILE.".into()
        }
        Fault::Unsent(_) | Fault::Barred(_) | Fault::Cut(_) => {
            format!("Check {setting}, the network and the proxy variables, then run again.")
        }
    }
}

/// Tells whether a failed handshake was about trust. The TLS library's error comes through as text.
pub(super) fn is_about_certificates(why: &str) -> bool {
    why.contains("invalid peer certificate") || why.contains("CA certificates")
}

/// Tells whether an answer speaks of a limit.
pub(super) fn is_limit(reply: &Reply) -> bool {
    retry::limit(reply, 1, Timestamp::default(), &Rules::github()).is_some()
}

/// Builds a failure.
pub(super) fn failure(kind: FailureKind, attempted: &str, why: String, next: impl Into<String>) -> Failure {
    let why = address::without_user_names(&why).into_owned();
    Failure { kind, attempted: attempted.to_owned(), why, next: next.into(), took_ms: 0 }
}

/// Finds what a service said in the body of an error, in one line.
fn message(body: &[u8]) -> String {
    let words = serde_json::from_slice::<ErrorBody>(body).map(|body| body.words()).unwrap_or_default();
    if !words.is_empty() {
        one_line(&words)
    } else if body.trim_ascii_start().starts_with(b"<") {
        "an HTML page".into()
    } else {
        one_line(&String::from_utf8_lossy(body))
    }
}

/// The shapes in which GitHub, OpenAI and their relatives say what is wrong.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorBody {
    message: Value,
    errors: Value,
    error: Value,
    detail: Value,
    request_id: Value,
    id: Value,
}

impl ErrorBody {
    fn words(&self) -> String {
        let mut words = String::new();
        for said in [&self.message, &self.error, &self.detail, &self.errors] {
            add_words(said, &mut words);
        }
        words
    }

    fn id(&self) -> Option<String> {
        let places = [&self.error["request_id"], &self.request_id, &self.id];
        places.iter().find_map(|place| place.as_str()).map(str::to_owned)
    }
}

fn add_words(said: &Value, words: &mut String) {
    match said {
        Value::String(text) if words.is_empty() => words.push_str(text),
        Value::String(text) if !words.contains(text.as_str()) => {
            let _ = write!(words, "; {text}");
        }
        Value::Array(list) => list.iter().for_each(|item| add_words(item, words)),
        Value::Object(map) => match map.get("message").filter(|message| message.is_string()) {
            Some(message) => add_words(message, words),
            // GitHub's validation errors name a field and a code, and often no message.
            None => ["field", "code"].iter().filter_map(|key| map.get(*key)).for_each(|part| add_words(part, words)),
        },
        _ => {}
    }
}

fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split(|letter: char| letter.is_whitespace() || letter.is_control()).filter(|word| !word.is_empty())
    {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > MESSAGE_BYTES_MAX {
            let end = (0..=MESSAGE_BYTES_MAX).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    line
}

/// Where services name a request: GitHub, OpenAI and its relatives, Anthropic, OpenRouter, what stands before many.
const REQUEST_IDS: [&str; 6] =
    ["x-github-request-id", "x-request-id", "request-id", "x-openrouter-request-id", "x-generation-id", "cf-ray"];
/// Enough for every sentence a service writes, and short enough for a log.
const MESSAGE_BYTES_MAX: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_service_said_is_told_in_one_line() {
        let check = |status, body: &str, words: &str| {
            assert_eq!(answered(&Reply::for_test(status, &[], body)), words, "{body}");
        };
        check(404, r#"{"message":"Not Found","documentation_url":"https://x"}"#, "HTTP 404: Not Found");
        check(
            422,
            r#"{"message":"Validation Failed","errors":[{"resource":"IssueComment","code":"unprocessable","field":"data","message":"Body is too long (maximum is 65536 characters)"}]}"#,
            "HTTP 422: Validation Failed; Body is too long (maximum is 65536 characters)",
        );
        check(
            422,
            r#"{"message":"Validation Failed","errors":[{"code":"custom","field":"body"}]}"#,
            "HTTP 422: Validation Failed; body; custom",
        );
        check(400, r#"{"error":{"message":"bad model","code":400}}"#, "HTTP 400: bad model");
        check(400, r#"{"error":"bad model"}"#, "HTTP 400: bad model");
        check(422, r#"{"detail":[{"msg":"x"}]}"#, r#"HTTP 422: {"detail":[{"msg":"x"}]}"#);
        check(500, "Internal\r\n  Server\u{0} Error", "HTTP 500: Internal Server Error");
        check(503, "<!DOCTYPE html><p>down", "HTTP 503: an HTML page");
        check(502, "", "HTTP 502");
        check(502, "[1]", "HTTP 502: [1]");
        check(502, "null", "HTTP 502: null");
    }

    #[test]
    fn a_long_message_is_cut_on_a_character() {
        let words = answered(&Reply::for_test(500, &[], &"長".repeat(400)));
        assert!(words.ends_with('…') && words.len() < 520, "{words}");
    }

    #[test]
    fn the_request_id_is_named_wherever_it_stands() {
        let check = |headers: &[(&str, &str)], body: &str, words: &str| {
            assert_eq!(answered(&Reply::for_test(403, headers, body)), words, "{headers:?} {body}");
        };
        check(&[("x-github-request-id", "7A1C:2F")], r#"{"message":"no"}"#, "HTTP 403: no (request 7A1C:2F)");
        check(&[("x-request-id", "req_1"), ("cf-ray", "8c-FRA")], "", "HTTP 403 (request req_1)");
        check(&[("request-id", "req_1")], "", "HTTP 403 (request req_1)");
        check(&[("x-generation-id", "gen-1")], "", "HTTP 403 (request gen-1)");
        check(&[], r#"{"id":"gen-2","error":{"message":"no"}}"#, "HTTP 403: no (request gen-2)");
        check(&[], r#"{"error":{"message":"no","request_id":"r 3"},"request_id":"r4"}"#, "HTTP 403: no (request r 3)");
        check(&[], r#"{"message":"no","id":7}"#, "HTTP 403: no");
        check(&[("x-request-id", " ")], r#"{"message":"no"}"#, "HTTP 403: no");
    }

    #[test]
    fn a_fault_tells_what_is_known_and_what_to_do() {
        let check = |fault: Fault, write: FailureKind, why: &str, next: &str| {
            assert_eq!(fault_kind(&fault, Intent::Create), write, "{fault:?}");
            assert_eq!(fault_kind(&fault, Intent::Replace), write, "{fault:?}");
            assert_ne!(fault_kind(&fault, Intent::Read), FailureKind::Lost, "{fault:?}");
            assert!(unanswered(&fault).contains(why), "{fault:?}");
            assert!(fault_advice(&fault, "GITHUB_API_URL").contains(next), "{fault:?}");
        };
        let untrusted = Fault::Barred("io: invalid peer certificate: UnknownIssuer".into());
        check(untrusted, FailureKind::Unavailable, "could not connect", "SSL_CERT_FILE");
        let refused = Fault::Unsent("connection refused".into());
        check(refused, FailureKind::Unavailable, "could not connect", "GITHUB_API_URL");
        check(Fault::Cut("timeout: global".into()), FailureKind::Lost, "did not come", "run again");
        check(Fault::Oversized("67108864".into()), FailureKind::Lost, "too large", "GITHUB_API_URL");
        check(Fault::Elsewhere("https://x".into()), FailureKind::Refused, "another origin", "no other place");
    }
}
