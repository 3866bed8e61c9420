//! GitHub's REST API, as far as a thread needs it: read it, post to it, edit it, ask whose token this is and what a
//! person may do, and read a workflow of another repository.
//!
//! Each method gives data or a failure in words. Duplicates in a listing stay: sorting them out is for the core.

mod advice;
mod contents;
mod permission;
mod viewer;

use std::{collections::BTreeSet, time::Duration};

use nebuko::{
    effect::Level,
    event::{Failure, FailureKind},
    snapshot::{Comment, Issue, ThreadSnapshot},
    time::Timestamp,
};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::{Call, Fault, Intent, Reply, Rules, Wire, link, words};
use crate::{
    address::{self, Origin},
    secret::Secret,
    surroundings::Surroundings,
};

/// Which thread, on which GitHub, with whose token.
#[derive(Clone, Debug)]
pub struct Target {
    /// The address of the REST API: what `GITHUB_API_URL` says, or `https://api.github.com`.
    pub api: String,
    /// The repository, `owner/name`.
    pub repo: String,
    /// The issue's or pull request's number.
    pub number: u64,
    /// The token of the run. Without one, public threads can be read and nothing written.
    pub token: Option<Secret>,
}

/// A client for one thread.
pub(crate) struct GitHub {
    target: Target,
    wire: Wire,
    around: Surroundings,
}

impl GitHub {
    /// Makes a client; refuses a target that cannot be one.
    pub(crate) fn new(mut target: Target, around: Surroundings) -> Result<Self, Failure> {
        let refuse = |attempted: String, why: &str, next: &str| {
            Err(words::failure(FailureKind::Local, &attempted, why.to_owned(), next))
        };
        target.api.truncate(target.api.trim_end_matches('/').len());
        if !is_repo_name(&target.repo) {
            let attempted = format!("use the repository {:?}", target.repo);
            return refuse(attempted, "it is not of the form owner/name", "Give the repository as owner/name.");
        }
        let attempted = format!("use GitHub at {}", address::shown(&target.api));
        let is_readable = |origin: Origin| !origin.is_private_on_the_way();
        if target.token.is_some() && Origin::of(&target.api).is_ok_and(is_readable) {
            let why = "its address is plain http, and a token would be readable on the way";
            return refuse(attempted, why, "Give an https address; plain http is for this machine (127.0.0.1) only.");
        }
        match Wire::new(&target.api, target.token.as_ref(), Rules::github(), around.clone()) {
            Ok(wire) => {
                let wire = wire
                    .with_header("accept", "application/vnd.github+json")
                    .with_header("x-github-api-version", API_VERSION);
                Ok(Self { target, wire, around })
            }
            Err(why) => refuse(attempted, why, "Check the address (--github-url or GITHUB_API_URL) and the token."),
        }
    }

    /// How many requests went out.
    pub(crate) fn requests(&self) -> u64 {
        self.wire.requests()
    }

    /// Reads the whole thread, again if need be until it is consistent (decision 9.2).
    ///
    /// A comment that is deleted between two pages shifts another one onto a page that was read already. Then the
    /// number of comments differs from what the issue says, or, where one was written as well, the issue is no
    /// longer the one that was read first. Everything is read again, at most 3 times; after that the snapshot says
    /// that it is not complete.
    pub(crate) fn read_thread(&mut self) -> Result<ThreadSnapshot, Failure> {
        let mut issue = self.read_issue()?;
        let mut rereads = 0;
        loop {
            let Listing { comments, pages } = self.list(None)?;
            // One page is one moment; between several the thread may have moved.
            let after = if pages > 1 { Some(self.read_issue()?) } else { None };
            let doubt = doubt(&issue, &comments, after.as_ref());
            let complete = doubt.is_none();
            let Some(why) = doubt.filter(|_| rereads < REREADS_MAX) else {
                return Ok(ThreadSnapshot { issue, comments, complete });
            };
            rereads += 1;
            self.around.tell(Level::Info, &format!("{why}: reading again"));
            self.around.clock.sleep(REREAD_PAUSE);
            issue = self.read_issue()?;
        }
    }

    /// Lists the comments, all of them or those written or edited since a time.
    pub(crate) fn list_comments(&mut self, since: Option<Timestamp>) -> Result<Vec<Comment>, Failure> {
        self.list(since).map(|listing| listing.comments)
    }

    fn list(&mut self, since: Option<Timestamp>) -> Result<Listing, Failure> {
        let attempted = format!("list the comments of {}", self.thread_name());
        let since = since.map(|since| format!("&since={since}")).unwrap_or_default();
        let mut address = self.address(&format!("issues/{}/comments?per_page=100{since}", self.target.number));
        let mut comments: Vec<Comment> = Vec::new();
        for page in 1..=PAGES_MAX {
            let reply = self.ask(&Call::get(&address), &attempted)?;
            let listed: Vec<Comment> = self.parse(&reply, &attempted, Intent::Read)?;
            comments.extend(listed);
            let links = reply.headers.get_all("link").into_iter().filter_map(|value| value.to_str().ok());
            let Some(next) = link::next_page(links) else {
                return Ok(Listing { comments, pages: page });
            };
            address = self
                .wire
                .origin
                .resolve(next)
                .ok_or_else(|| self.no_answer(&Fault::Elsewhere(next.to_owned()), &attempted, Intent::Read))?;
        }
        let why = format!("the listing did not end after {PAGES_MAX} pages");
        let next = "Check GITHUB_API_URL: GitHub itself ends a thread at 2,500 comments.";
        Err(words::failure(FailureKind::Refused, &attempted, why, next))
    }

    /// Posts a comment, once. `Lost` means that it may be there.
    pub(crate) fn post_comment(&mut self, body: &str) -> Result<Comment, Failure> {
        let attempted = format!("post a comment on {}", self.thread_name());
        let address = self.address(&format!("issues/{}/comments", self.target.number));
        let sent = json!({ "body": body }).to_string();
        self.write(&Call::create(&address, sent.as_bytes()), &attempted, body)
    }

    /// Edits a comment of ours.
    pub(crate) fn edit_comment(&mut self, id: u64, body: &str) -> Result<Comment, Failure> {
        let attempted = format!("edit comment {id} on {}", self.thread_name());
        let address = self.address(&format!("issues/comments/{id}"));
        let sent = json!({ "body": body }).to_string();
        self.write(&Call::replace(&address, sent.as_bytes()), &attempted, body)
    }

    fn read_issue(&mut self) -> Result<Issue, Failure> {
        let attempted = format!("read {}", self.thread_name());
        let address = self.address(&format!("issues/{}", self.target.number));
        let reply = self.ask(&Call::get(&address), &attempted)?;
        self.parse(&reply, &attempted, Intent::Read)
    }

    /// Writes, and reads back from the answer what the service now has.
    fn write(&mut self, call: &Call<'_>, attempted: &str, body: &str) -> Result<Comment, Failure> {
        let reply = self.hear(call, attempted)?;
        if !reply.is_success() {
            return Err(self.refusal(&reply, attempted, call.intent));
        }
        let comment: Comment = self.parse(&reply, attempted, call.intent)?;
        if comment.id == 0 {
            let why = format!("HTTP {} came without the comment's id", reply.status);
            return Err(self.masked(FailureKind::Lost, attempted, why, advice::READ_THE_THREAD));
        }
        if comment.body != body {
            let line = format!("comment {} is not what was sent: GitHub changed its text", comment.id);
            self.around.tell(Level::Warning, &line);
        }
        Ok(comment)
    }

    /// Sends a request that must succeed.
    fn ask(&mut self, call: &Call<'_>, attempted: &str) -> Result<Reply, Failure> {
        let reply = self.hear(call, attempted)?;
        if reply.is_success() { Ok(reply) } else { Err(self.refusal(&reply, attempted, call.intent)) }
    }

    /// Sends a request and gives whatever is answered.
    fn hear(&mut self, call: &Call<'_>, attempted: &str) -> Result<Reply, Failure> {
        self.wire.send(call).map_err(|fault| self.no_answer(&fault, attempted, call.intent))
    }

    fn parse<T: DeserializeOwned>(&self, reply: &Reply, attempted: &str, intent: Intent) -> Result<T, Failure> {
        serde_json::from_slice(&reply.body).map_err(|error| {
            let (kind, next) = match intent {
                Intent::Read => (FailureKind::Unavailable, advice::CHECK_THE_ADDRESS),
                Intent::Replace | Intent::Create => (FailureKind::Lost, advice::READ_THE_THREAD),
            };
            let why = format!("HTTP {} came with an unexpected body: {}", reply.status, words::causes(&error));
            self.masked(kind, attempted, why, next)
        })
    }

    fn refusal(&self, reply: &Reply, attempted: &str, intent: Intent) -> Failure {
        let why = words::answered(reply);
        let next = advice::on_status(reply, intent, &self.target);
        self.masked(words::reply_kind(reply, intent), attempted, why, next)
    }

    fn no_answer(&self, fault: &Fault, attempted: &str, intent: Intent) -> Failure {
        let kind = words::fault_kind(fault, intent);
        let next = match kind {
            FailureKind::Lost => advice::READ_THE_THREAD.to_owned(),
            _ => words::fault_advice(fault, "GITHUB_API_URL"),
        };
        self.masked(kind, attempted, words::unanswered(fault), next)
    }

    fn masked(&self, kind: FailureKind, attempted: &str, why: String, next: impl Into<String>) -> Failure {
        words::failure(kind, attempted, self.around.masker.mask(&why).into_owned(), next)
    }

    fn address(&self, path: &str) -> String {
        format!("{}/repos/{}/{path}", self.target.api, self.target.repo)
    }

    fn thread_name(&self) -> String {
        format!("{}#{}", self.target.repo, self.target.number)
    }
}

/// A listing that was read to its end.
struct Listing {
    comments: Vec<Comment>,
    pages: usize,
}

/// Says why a listing may not be the thread as it was at one moment, if it may not.
fn doubt(issue: &Issue, comments: &[Comment], after: Option<&Issue>) -> Option<String> {
    let distinct = comments.iter().map(|comment| comment.id).collect::<BTreeSet<_>>().len();
    if u64::try_from(distinct) != Ok(issue.comments) {
        return Some(format!("{distinct} comments were listed and GitHub counts {}", issue.comments));
    }
    let moved = |after: &Issue| (after.comments, &after.updated_at) != (issue.comments, &issue.updated_at);
    after.is_some_and(moved).then(|| "the thread changed while it was read".into())
}

/// Accepts `owner/name` in the letters GitHub allows, so that nothing else gets into a path.
fn is_repo_name(repo: &str) -> bool {
    let is_name = |name: &str| {
        !matches!(name, "" | "." | "..")
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    repo.split_once('/').is_some_and(|(owner, name)| is_name(owner) && is_name(name))
}

/// The version of the REST API that these shapes are from.
const API_VERSION: &str = "2022-11-28";
/// Decision 9.2.
const REREADS_MAX: u32 = 3;
/// So long, a replica of GitHub's database may lag behind.
const REREAD_PAUSE: Duration = Duration::from_secs(1);
/// GitHub's own bound of 2,500 comments is 25 pages; a listing that goes on and on is broken.
const PAGES_MAX: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_repository_name_gets_into_a_path() {
        for good in ["acme/site", "a-b/c.d_e", "a/.github"] {
            assert!(is_repo_name(good), "{good}");
        }
        for bad in ["", "acme", "acme/", "/site", "a/b/c", "../user", "a/..", "a/b?x", "a/b#1", "a b/c", "å/b", "a/b\n"]
        {
            assert!(!is_repo_name(bad), "{bad:?}");
        }
    }
}
