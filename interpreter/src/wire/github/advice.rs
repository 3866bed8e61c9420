//! What a person can do about each refusal of GitHub.

use nebuko::workflow::reference::RepoReference;

use super::{
    super::{Intent, Reply, words},
    Target,
};

/// After a write whose answer is unknown.
pub(super) const READ_THE_THREAD: &str = "Read the thread again before anything is sent: it may be there.";
/// After an answer that GitHub would not give.
pub(super) const CHECK_THE_ADDRESS: &str = "Check GITHUB_API_URL and the proxy variables: this was not GitHub's API.";

/// Says what to do about an answer of another status than 2xx.
pub(super) fn on_status(reply: &Reply, intent: Intent, target: &Target) -> String {
    let thread = format!("{}#{}", target.repo, target.number);
    let has_token = target.token.is_some();
    match reply.status {
        403 | 429 if words::is_limit(reply) => "Run again later, or with another token.".into(),
        401 if !has_token => "Give a token: set GITHUB_TOKEN or GH_PAT.".into(),
        401 => "The token is expired, revoked or mistyped: give a new one.".into(),
        403 if words::answered(reply).contains("locked") => {
            format!("Unlock the conversation of {thread}, or use the token of somebody who may still write there.")
        }
        403 if intent == Intent::Read => {
            format!("Give the token `issues: read` (in a workflow file, under `permissions`) on {}.", target.repo)
        }
        403 => format!("Give the token `issues: write` (in a workflow file, under `permissions`) on {}.", target.repo),
        404 if !has_token => format!("Check that {thread} exists. If the repository is private, give a token."),
        404 => format!("Check that {thread} exists and that the token can see {}.", target.repo),
        410 => format!("{thread} or its comment was deleted, or issues are turned off in {}.", target.repo),
        422 => "Change what was sent as GitHub says; sent again as it is, it would be refused again.".into(),
        status if intent != Intent::Read && super::super::retry::is_passing(status) => READ_THE_THREAD.into(),
        status if status >= 500 => "Look at https://www.githubstatus.com, and run again later.".into(),
        _ => CHECK_THE_ADDRESS.into(),
    }
}

/// Says what to do where GitHub would not tell what a person may do.
pub(super) fn on_permission(reply: &Reply, target: &Target) -> String {
    match reply.status {
        403 if !words::is_limit(reply) => format!(
            "Give the token `metadata: read` on {}; a classic token needs the right to push there.",
            target.repo
        ),
        _ => on_status(reply, Intent::Read, target),
    }
}

/// Says what to do where a workflow of another repository was not given.
pub(super) fn on_workflow(reply: &Reply, reference: &RepoReference, target: &Target) -> String {
    let RepoReference { owner, name, path, revision } = reference;
    let repo = format!("{owner}/{name}");
    match reply.status {
        403 if !words::is_limit(reply) => format!("Give the token `contents: read` on {repo}."),
        404 if target.token.is_none() => {
            format!("Check that {repo} has {path} at {revision}. If the repository is private, give a token.")
        }
        404 => format!("Check that {repo} has {path} at {revision}, and that the token can see {repo}."),
        _ => on_status(reply, Intent::Read, target),
    }
}
