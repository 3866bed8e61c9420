//! The fold of a snapshot into the ledger.
//!
//! What a record says of its artifact is written once: kind and provenance, `author_association` among
//! them, stay as first recorded, for audit. `trusted` and `deleted` are about now, and are found anew each
//! time from the fetched listing, the only source of an association that trust is decided by.

use alloc::{borrow::Cow, collections::BTreeMap, format, vec::Vec};

use crate::{
    ids::Identity,
    setup::TrustPolicy,
    snapshot::{Account, Comment, Issue, ThreadSnapshot},
    state::{RecordKind, ThreadRecord, Unknown},
    thread::{
        classify::classify,
        listing::{Index, Listing},
        trust::{Author, Trust, trust, weigh},
    },
};

/// Whose eyes a thread is seen through, and what is known of the ledger.
#[derive(Clone, Copy, Debug, Default)]
pub struct View<'a> {
    /// The engine's own account; `None` where it is unknown, and then no marker counts.
    pub actor: Option<&'a Identity>,
    /// Who started the run; `None` where that is unknown, and then nobody is trusted.
    pub trigger: Option<&'a Identity>,
    /// Whose words count besides.
    pub policy: TrustPolicy,
    /// Whether live records were left out of the posted ledger (decision 14) and go back to their places.
    pub compacted: bool,
}

/// Folds a snapshot into a ledger (ADR-0012, decision 2): the issue first, what is missing appended.
///
/// A record whose id vanished is frozen as deleted if the snapshot is complete, and thawed if it is there
/// again. The result does not depend on where the listing's pages ended, and folding it again changes
/// nothing. Issue ids and comment ids may be equal and are never taken for each other.
pub fn reconcile(ledger: Vec<ThreadRecord>, thread: &ThreadSnapshot, view: &View<'_>) -> Vec<ThreadRecord> {
    let listing = Listing::new(&thread.comments);
    let known = Index::new(comments_of(&ledger));
    let issue = ledger.iter().find(|record| is_about(record, &thread.issue)).cloned();
    let mut records = Vec::with_capacity(1 + ledger.len().max(listing.len()));
    records.push(issue.unwrap_or_else(|| record_issue(&thread.issue)));
    for (place, record) in ledger.into_iter().enumerate() {
        let repeated = record.is_comment() && known.first(record.id) != Some(place);
        if !repeated && !is_about(&record, &thread.issue) {
            records.push(record);
        }
    }
    for record in &mut records {
        refresh(record, fetched(record, thread, &listing), thread.complete, view);
    }
    if view.compacted {
        return in_thread_order(records, &listing, view);
    }
    let missing = listing.iter().filter(|comment| known.first(comment.id).is_none());
    records.extend(missing.map(|comment| record_comment(comment, view)));
    records
}

/// Says why each record is trusted or not, by id, for `nebuko ledger --json`.
///
/// Where an issue and a comment share an id, the text speaks of both.
pub fn reasons(ledger: &[ThreadRecord], thread: &ThreadSnapshot, view: &View<'_>) -> BTreeMap<u64, Cow<'static, str>> {
    let listing = Listing::new(&thread.comments);
    let mut reasons: BTreeMap<u64, Cow<'static, str>> = BTreeMap::new();
    for record in ledger {
        let words = judge(record, fetched(record, thread, &listing), view).words();
        reasons
            .entry(record.id)
            .and_modify(|issue| *issue = format!("issue {issue}; comment {words}").into())
            .or_insert(words.into());
    }
    reasons
}

/// Who wrote an artifact, as the snapshot has it: the account and its association.
type Fetched<'a> = (&'a Account, &'a str);

fn fetched<'a>(record: &ThreadRecord, thread: &'a ThreadSnapshot, listing: &Listing<'a>) -> Option<Fetched<'a>> {
    if record.is_comment() {
        return listing.find(record.id).map(|comment| (&comment.user, comment.author_association.as_str()));
    }
    is_about(record, &thread.issue).then_some((&thread.issue.user, thread.issue.author_association.as_str()))
}

fn refresh(record: &mut ThreadRecord, fetched: Option<Fetched<'_>>, complete: bool, view: &View<'_>) {
    record.trusted = judge(record, fetched, view).is_trusted();
    record.deleted = match fetched {
        Some(_) => false,
        None => record.deleted || complete,
    };
}

/// Weighs a record: by what was fetched now, or, where it is not there, by what was recorded then.
fn judge(record: &ThreadRecord, fetched: Option<Fetched<'_>>, view: &View<'_>) -> Trust {
    match (record.kind, fetched) {
        (RecordKind::AgentOutput | RecordKind::EngineOutput, _) => Trust::Bot,
        (_, Some((account, association))) => trust(account, association, view.trigger, view.policy),
        (_, None) => {
            let (id, login, association) = (record.user_id, record.user_login.as_str(), &*record.author_association);
            weigh(Author { id, login, association, is_bot: login.ends_with("[bot]") }, view.trigger, view.policy)
        }
    }
}

/// Merges the listing with the records that are not in it, which keep their places by id.
fn in_thread_order(records: Vec<ThreadRecord>, listing: &Listing<'_>, view: &View<'_>) -> Vec<ThreadRecord> {
    let mut ordered = Vec::with_capacity(1 + listing.len());
    let (mut present, mut absent) = (BTreeMap::new(), Vec::new());
    for record in records {
        if !record.is_comment() {
            ordered.push(record);
        } else if listing.find(record.id).is_some() {
            present.insert(record.id, record);
        } else {
            absent.push(record);
        }
    }
    let mut absent = absent.into_iter().peekable();
    for comment in listing.iter() {
        while let Some(earlier) = absent.next_if(|record| record.id < comment.id) {
            ordered.push(earlier);
        }
        ordered.push(present.remove(&comment.id).unwrap_or_else(|| record_comment(comment, view)));
    }
    ordered.extend(absent);
    ordered
}

fn comments_of(records: &[ThreadRecord]) -> impl Iterator<Item = (u64, usize)> {
    let comments = records.iter().enumerate().filter(|(_, record)| record.is_comment());
    comments.map(|(place, record)| (record.id, place))
}

fn is_about(record: &ThreadRecord, issue: &Issue) -> bool {
    !record.is_comment() && record.id == issue.id
}

fn record_issue(issue: &Issue) -> ThreadRecord {
    ThreadRecord {
        kind: RecordKind::IssueBody,
        id: issue.id,
        url: issue.html_url.clone(),
        user_id: issue.user.id,
        user_login: issue.user.login.clone(),
        user_name: issue.user.name.clone(),
        created_at: issue.created_at.clone(),
        author_association: issue.author_association.clone(),
        trusted: false,
        deleted: false,
        unknown: Unknown::new(),
    }
}

fn record_comment(comment: &Comment, view: &View<'_>) -> ThreadRecord {
    let kind = classify(&comment.user, &comment.body, view.actor);
    let mut record = ThreadRecord {
        kind,
        id: comment.id,
        url: comment.html_url.clone(),
        user_id: comment.user.id,
        user_login: comment.user.login.clone(),
        user_name: comment.user.name.clone(),
        created_at: comment.created_at.clone(),
        author_association: comment.author_association.clone(),
        trusted: false,
        deleted: false,
        unknown: Unknown::new(),
    };
    record.trusted = judge(&record, Some((&comment.user, &comment.author_association)), view).is_trusted();
    record
}
