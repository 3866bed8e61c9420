//! HTTP, as far as both services need it: one call out, one answer or fault back, with the waiting in between.
//!
//! What the answers mean is for `github` and `model`; which answers are worth another try is for `retry`; how it is all
//! put to people is for `words`.

mod exchange;
pub(crate) mod github;
mod link;
pub(crate) mod model;
mod retry;
mod streaming;
mod words;

use std::time::Duration;

use nebuko::{effect::Level, time::Timestamp};
use ureq::{
    Agent, AsSendBody, Body, Error as HttpError, Timeout,
    http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response},
    tls::{RootCerts, TlsConfig},
};

use self::{
    exchange::{Call, Fault, Intent, Reply},
    retry::{Patience, Verdict},
};
use crate::{
    address::{self, Origin},
    secret::Secret,
    surroundings::Surroundings,
};

/// A client of one service: its connections, its headers, what it has sent and how long it may still wait.
pub(crate) struct Wire {
    agent: Agent,
    origin: Origin,
    headers: HeaderMap,
    rules: Rules,
    patience: Patience,
    around: Surroundings,
    requests: u64,
}

/// How a service wants to be treated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// The longest that one request may take, to the last byte.
    request_max: Duration,
    /// The first wait at a limit that does not say when it ends.
    unspecified_limit: Duration,
    /// What all waiting of a run may come to.
    waiting_max: Duration,
}

impl Rules {
    /// GitHub asks for at least a minute where it gives no time.
    pub(crate) const fn github() -> Self {
        Self {
            request_max: Duration::from_secs(120),
            unspecified_limit: Duration::from_secs(60),
            waiting_max: WAITING_MAX,
        }
    }

    /// A model may think for minutes; its limits are usually counted by the minute and free up by the second.
    pub(crate) const fn model() -> Self {
        Self {
            request_max: Duration::from_secs(600),
            unspecified_limit: Duration::from_secs(5),
            waiting_max: WAITING_MAX,
        }
    }
}

impl Wire {
    /// Makes a client for the service at an address; says what is wrong with the address or the token.
    pub(crate) fn new(
        base: &str,
        token: Option<&Secret>,
        rules: Rules,
        around: Surroundings,
    ) -> Result<Self, &'static str> {
        let origin = Origin::of(base)?;
        let mut headers = HeaderMap::new();
        if let Some(token) = token {
            let mut value = HeaderValue::try_from(format!("Bearer {}", token.reveal()))
                .map_err(|_| "its token holds characters that no token has, such as a line break")?;
            value.set_sensitive(true);
            headers.insert("authorization", value);
        }
        headers.insert("user-agent", HeaderValue::from_static(USER_AGENT));
        let agent = agent(&origin, rules);
        Ok(Self { agent, origin, headers, rules, patience: Patience::new(rules.waiting_max), around, requests: 0 })
    }

    /// Adds a header to every request.
    pub(crate) fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        self
    }

    /// How many requests were sent, or tried.
    pub(crate) fn requests(&self) -> u64 {
        self.requests
    }

    /// Sends a request until there is an answer to work with, within the bounds of `retry`.
    pub(crate) fn send(&mut self, call: &Call<'_>) -> Result<Reply, Fault> {
        let mut attempt = 1;
        loop {
            let began = self.around.clock.elapsed_ms();
            let heard = self.follow(call);
            let now = self.around.clock.now();
            match retry::judge(&heard, call.intent, attempt, now, &self.rules) {
                Verdict::Take => return heard,
                Verdict::Rest(rest) => {
                    // Others were sent away until the same moment.
                    let pause = rest.saturating_add(self.around.clock.part_of(rest / 10));
                    if !self.patience.spend(pause) {
                        return self.out_of_patience(heard, rest, now);
                    }
                    self.wait(pause, &heard, call);
                }
                Verdict::Retry(pause) => {
                    // A request that hung for minutes used up patience as well.
                    self.patience.lose(Duration::from_millis(self.around.clock.elapsed_ms().saturating_sub(began)));
                    let pause = pause.saturating_add(self.around.clock.part_of(pause / 2));
                    if !self.patience.spend(pause) {
                        return heard;
                    }
                    self.wait(pause, &heard, call);
                }
            }
            attempt += 1;
        }
    }

    fn out_of_patience(&self, heard: Result<Reply, Fault>, rest: Duration, now: Timestamp) -> Result<Reply, Fault> {
        let seconds = i64::try_from(rest.as_secs()).unwrap_or(i64::MAX);
        let until = Timestamp::from_seconds(now.seconds().saturating_add(seconds));
        Err(Fault::OutOfPatience { reply: Box::new(heard?), until, budget: self.patience.budget() })
    }

    fn wait(&self, span: Duration, heard: &Result<Reply, Fault>, call: &Call<'_>) {
        let why = match heard {
            Ok(reply) => words::answered(reply),
            Err(fault) => words::unanswered(fault),
        };
        let seconds = span.as_secs_f64();
        let line = format!("{} {}: {why}; trying again in {seconds:.0} s", call.method, address::shown(call.address));
        self.around.tell(Level::Info, &line);
        self.around.clock.sleep(span);
    }

    /// Sends a request and goes where the service redirects it, as after a repository was renamed.
    fn follow(&mut self, call: &Call<'_>) -> Result<Reply, Fault> {
        let mut reply = self.once(call, call.address)?;
        for _ in 0..REDIRECTS_MAX {
            // 301, 302 and 303 turn a post into a get, which is not what was meant.
            let is_redirect =
                matches!(reply.status, 307 | 308) || (call.method == Method::GET && matches!(reply.status, 301..=303));
            let Some(target) = reply.header("location").filter(|_| is_redirect) else {
                break;
            };
            let address = self.origin.resolve(target).ok_or_else(|| Fault::Elsewhere(target.to_owned()))?;
            reply = self.once(call, &address)?;
        }
        Ok(reply)
    }

    fn once(&mut self, call: &Call<'_>, address: &str) -> Result<Reply, Fault> {
        self.requests += 1;
        let began = self.around.clock.elapsed_ms();
        let mut request = Request::builder().method(call.method.clone()).uri(address);
        if let Some(headers) = request.headers_mut() {
            headers.extend(self.headers.clone());
            if let Some(form) = call.accept {
                headers.insert("accept", HeaderValue::from_static(form));
            }
        }
        let timeout = Some(call.within.unwrap_or(self.rules.request_max));
        let answer = match call.body {
            Some(body) => {
                let request = request.header("content-type", "application/json").body(body);
                request.map_err(HttpError::from).and_then(|request| self.run(request, timeout))
            }
            None => request.body(()).map_err(HttpError::from).and_then(|request| self.run(request, timeout)),
        };
        let (parts, mut body) = answer.map_err(fault_of)?.into_parts();
        let body = body.with_config().limit(BODY_BYTES_MAX);
        let body = if call.streams && parts.status.is_success() {
            streaming::read(body.reader(), &*self.around.listener)
        } else {
            body.read_to_vec()
        };
        let body = body.map_err(|error| match fault_of(error) {
            // The head of an answer was there, so the request was too.
            Fault::Unsent(why) | Fault::Barred(why) => Fault::Cut(why),
            other => other,
        })?;
        let took_ms = self.around.clock.elapsed_ms().saturating_sub(began);
        Ok(Reply { status: parts.status.as_u16(), headers: parts.headers, body, took_ms })
    }

    fn run(&self, request: Request<impl AsSendBody>, within: Option<Duration>) -> Result<Response<Body>, HttpError> {
        self.agent.run(self.agent.configure_request(request).timeout_global(within).build())
    }
}

fn agent(origin: &Origin, rules: Rules) -> Agent {
    // The platform's verifier knows the CAs of the machine, and `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(CONNECT_MAX))
        .timeout_global(Some(rules.request_max))
        .tls_config(tls);
    // A proxy cannot reach a service on this machine.
    let config = if origin.is_loopback() { config.proxy(None) } else { config };
    config.build().new_agent()
}

/// Tells what is known after a failed request. When in doubt, it may have arrived.
fn fault_of(error: HttpError) -> Fault {
    let why = words::causes(&error);
    match error {
        HttpError::HostNotFound
        | HttpError::ConnectionFailed
        | HttpError::ConnectProxyFailed(_)
        | HttpError::Timeout(Timeout::Resolve | Timeout::Connect) => Fault::Unsent(why),
        HttpError::Io(io) if io.kind() == std::io::ErrorKind::ConnectionRefused => Fault::Unsent(why),
        HttpError::Http(_) | HttpError::BadUri(_) | HttpError::InvalidProxyUrl => Fault::Barred(why),
        // Certificates are checked before the first byte of the request.
        HttpError::Io(_) | HttpError::Rustls(_) if words::is_about_certificates(&why) => Fault::Barred(why),
        HttpError::BodyExceedsLimit(_) | HttpError::LargeResponseHeader(..) => Fault::Oversized(why),
        _ => Fault::Cut(why),
    }
}

const USER_AGENT: &str = concat!("nebuko/", env!("CARGO_PKG_VERSION"));
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// A page of 100 comments of 65,536 characters each comes to 26 MB of JSON.
const BODY_BYTES_MAX: u64 = 64 * 1024 * 1024;
const REDIRECTS_MAX: usize = 5;
/// A CI job is paid by the minute; most limits of an hour end within a quarter of it.
const WAITING_MAX: Duration = Duration::from_secs(15 * 60);
