//! A file of another repository, as text.

use nebuko::{
    event::{Failure, FailureKind},
    workflow::reference::RepoReference,
};

use super::{
    super::{Call, Intent, words},
    GitHub, advice,
    permission::percent_encoded,
};
use crate::{
    bounded::{SETUP_BYTES_MAX, text},
    elsewhere::refusal,
};

impl GitHub {
    /// Reads a workflow of another repository, of at most 1 MiB, in UTF-8.
    pub(crate) fn read_workflow(&mut self, reference: &RepoReference) -> Result<String, Failure> {
        let shown = reference.to_string();
        let attempted = format!("read the workflow {shown}");
        let path: Vec<String> = reference.path.split('/').map(percent_encoded).collect();
        let address = format!(
            "{}/repos/{}/{}/contents/{}?ref={}",
            self.target.api,
            reference.owner,
            reference.name,
            path.join("/"),
            percent_encoded(&reference.revision)
        );
        let reply = self.hear(&Call::get(&address).accepting(RAW), &attempted)?;
        if !reply.is_success() {
            let next = advice::on_workflow(&reply, reference, &self.target);
            let why = words::answered(&reply);
            return Err(self.masked(words::reply_kind(&reply, Intent::Read), &attempted, why, next));
        }
        let refused = |why: String, next: &str| refusal(&shown, why, next.to_owned());
        // Of a folder GitHub gives a listing, whatever was asked for.
        if reply.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
            return Err(refused(
                "it is a folder, or GitHub gave no text of it".into(),
                "Name a file in the reference.",
            ));
        }
        if reply.body.len() as u64 > SETUP_BYTES_MAX {
            let why = format!("it has {} bytes, and {SETUP_BYTES_MAX} is the most that is read", reply.body.len());
            return Err(refused(why, "Name a workflow in the reference."));
        }
        text(reply.body).map_err(|(line, column)| {
            let next = "Save the file as UTF-8.";
            self.masked(FailureKind::Refused, &attempted, format!("at {line}:{column} it is not UTF-8"), next)
        })
    }
}

/// GitHub's name for the bytes of a file.
const RAW: &str = "application/vnd.github.raw+json";
