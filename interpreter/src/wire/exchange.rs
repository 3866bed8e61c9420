//! What goes over the wire and what comes back: a call, its intent, a reply or a fault.

use std::time::Duration;

use nebuko::time::Timestamp;
use ureq::http::{HeaderMap, Method};

/// One request.
pub(crate) struct Call<'a> {
    pub(super) method: Method,
    pub(super) address: &'a str,
    pub(super) body: Option<&'a [u8]>,
    pub(super) intent: Intent,
    /// The form in which the answer is wanted, where it is not the service's usual one.
    pub(super) accept: Option<&'static str>,
    /// How long it may take, where that is not the service's usual time.
    pub(super) within: Option<Duration>,
    /// Whether the answer may come piece by piece.
    pub(super) streams: bool,
}

/// What happens if a request arrives twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// Nothing: it only asks.
    Read,
    /// Nothing more: the second leaves things as the first did.
    Replace,
    /// There are two of something, so it is never sent again once it may have arrived.
    Create,
}

/// An answer, whatever its status.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
    pub(super) took_ms: u64,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The request did not get out.
    Unsent(String),
    /// The request got out, or may have; the answer did not come in whole.
    Cut(String),
    /// The request did not get out and never will: a certificate that is not trusted, a proxy that is no address.
    Barred(String),
    /// The request got out, and its answer is more than we take.
    Oversized(String),
    /// The service sent us to another origin, where our token must not go.
    Elsewhere(String),
    /// A limit is in force for longer than a run may wait.
    OutOfPatience { reply: Box<Reply>, until: Timestamp, budget: Duration },
}

impl<'a> Call<'a> {
    /// Asks for something.
    pub(crate) fn get(address: &'a str) -> Self {
        Self::of(Method::GET, address, None, Intent::Read)
    }

    /// Posts something that only asks.
    pub(crate) fn query(address: &'a str, body: &'a [u8]) -> Self {
        Self::of(Method::POST, address, Some(body), Intent::Read)
    }

    /// Posts something new.
    pub(crate) fn create(address: &'a str, body: &'a [u8]) -> Self {
        Self::of(Method::POST, address, Some(body), Intent::Create)
    }

    /// Changes something that is there.
    pub(crate) fn replace(address: &'a str, body: &'a [u8]) -> Self {
        Self::of(Method::PATCH, address, Some(body), Intent::Replace)
    }

    fn of(method: Method, address: &'a str, body: Option<&'a [u8]>, intent: Intent) -> Self {
        Self { method, address, body, intent, accept: None, within: None, streams: false }
    }

    /// Wants the answer in a form of its own.
    pub(crate) fn accepting(self, form: &'static str) -> Self {
        Self { accept: Some(form), ..self }
    }

    /// Wants the answer within a time of its own.
    pub(crate) fn within(self, span: Option<Duration>) -> Self {
        Self { within: span, ..self }
    }

    /// Lets the answer come piece by piece.
    pub(crate) fn streaming(self, streams: bool) -> Self {
        Self { streams, ..self }
    }
}

impl Reply {
    /// Gives a header's value, if it is there and readable.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Tells whether the service did what was asked.
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    #[cfg(test)]
    pub(super) fn for_test(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        use ureq::http::{HeaderName, HeaderValue};

        let headers = headers.iter().map(|(name, value)| {
            let name = HeaderName::try_from(*name).expect("the test gives a header's name");
            (name, HeaderValue::try_from(*value).expect("the test gives a header's value"))
        });
        Self { status, headers: headers.collect(), body: body.as_bytes().to_vec(), took_ms: 0 }
    }
}
