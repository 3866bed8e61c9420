//! What a ledger is after a fold, in rows: `id:kind`, `+` where trusted, `x` where deleted.

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use quickcheck::quickcheck;

use super::{
    View,
    fixture::{HOSTILE, ISSUE_ID, NOTICE, REPORT, Who, comment, grown, thread},
    reasons, reconcile,
};
use crate::{
    ids::Identity,
    snapshot::{Account, Comment, ThreadSnapshot},
    state::{RecordKind, ThreadRecord},
};

fn fold(ledger: Vec<ThreadRecord>, thread: &ThreadSnapshot, compacted: bool) -> Vec<ThreadRecord> {
    let (actor, trigger) = (Who::Owner.identity(), Who::Dana.identity());
    reconcile(ledger, thread, &View { actor: Some(&actor), trigger: Some(&trigger), compacted, ..View::default() })
}

fn row(ledger: &[ThreadRecord]) -> String {
    let rows: Vec<String> = ledger
        .iter()
        .map(|record| {
            let id = if record.is_comment() { record.id.to_string() } else { "issue".into() };
            let (trusted, deleted) = (["", "+"][usize::from(record.trusted)], ["", "x"][usize::from(record.deleted)]);
            format!("{id}:{}{trusted}{deleted}", record.kind.word())
        })
        .collect();
    rows.join(" ")
}

fn listed(ids: &[u64]) -> ThreadSnapshot {
    thread(ids.iter().map(|&id| comment(id, Who::Dana, "Fine.")).collect())
}

#[test]
fn a_first_read_takes_everything_in_order() {
    let check = |says: &str, comments: Vec<Comment>, expected: &str| {
        assert_eq!(row(&fold(vec![], &thread(comments), false)), expected, "{says}");
    };
    check("nothing yet", vec![], "issue:issue-body+");
    check(
        "one of each",
        vec![
            comment(1, Who::Dana, "Please do."),
            comment(2, Who::Dana, "/nebuko retry"),
            comment(3, Who::Owner, REPORT),
            comment(4, Who::App, NOTICE),
            comment(5, Who::Stranger, REPORT),
            comment(6, Who::Stranger, "/nebuko retry"),
            comment(7, Who::Eve, "I am a member."),
            comment(8, Who::Nobody, "I am gone."),
            comment(9, Who::Owner, "I am a person too."),
        ],
        "issue:issue-body+ 1:human-feedback+ 2:command+ 3:agent-output 4:engine-output 5:human-feedback \
         6:command 7:human-feedback 8:human-feedback 9:human-feedback",
    );
    check(
        "an id that the issue has too",
        vec![comment(ISSUE_ID, Who::Dana, "Hello.")],
        "issue:issue-body+ 5794187059:human-feedback+",
    );
    check(
        "a comment on two pages",
        vec![comment(7, Who::Dana, "a"), comment(7, Who::Dana, "a"), comment(8, Who::Dana, "b")],
        "issue:issue-body+ 7:human-feedback+ 8:human-feedback+",
    );
}

#[test]
fn a_later_read_appends_freezes_and_thaws() {
    let check = |says: &str, before: &[u64], now: &[u64], complete: bool, compacted: bool, expected: &str| {
        let ledger = fold(vec![], &listed(before), false);
        let mut thread = listed(now);
        thread.complete = complete;
        let found = row(&fold(ledger, &thread, compacted)).replace(":human-feedback+", "");
        assert_eq!(found, format!("issue:issue-body+ {expected}").trim_end(), "{says}");
    };
    check("nothing new", &[1, 2], &[1, 2], true, false, "1 2");
    check("one more", &[1, 2], &[1, 2, 3], true, false, "1 2 3");
    check("the 101st", &[2_250_077_004], &[2_250_077_004, 5_794_187_059], true, false, "2250077004 5794187059");
    check("gone", &[1, 2, 3], &[1, 3], true, false, "1 2x 3");
    check("all gone", &[1, 2], &[], true, false, "1x 2x");
    check("not seen in an incomplete read", &[1, 2, 3], &[1, 3], false, false, "1 2 3");
    check("seen late: appended, so that what was shown stays", &[1, 3], &[1, 2, 3], true, false, "1 3 2");
    check("left out of the state: back in its place", &[3], &[1, 2, 3, 4], true, true, "1 2 3 4");
    check("left out, and others gone", &[2, 5], &[1, 3, 4], true, true, "1 2x 3 4 5x");
    check("left out, in an incomplete read", &[2, 4], &[1, 3], false, true, "1 2 3 4");
    check("everything left out", &[], &[1, 2], true, true, "1 2");
    check("nothing there any more", &[1, 2], &[], true, true, "1x 2x");
    check("the API's order is kept", &[], &[5, 1, 3], true, false, "5 1 3");
}

#[test]
fn a_returned_comment_is_thawed_in_its_place() {
    let frozen = fold(fold(vec![], &listed(&[1, 2, 3]), false), &listed(&[1, 3]), false);
    assert!(frozen[2].deleted);
    let mut incomplete = listed(&[1, 3]);
    incomplete.complete = false;
    assert!(fold(frozen.clone(), &incomplete, false)[2].deleted, "an incomplete read thaws nothing by itself");
    assert_eq!(fold(frozen, &listed(&[1, 2, 3]), false), fold(vec![], &listed(&[1, 2, 3]), false));
}

#[test]
fn a_record_keeps_what_it_says_and_its_trust_follows_the_listing() {
    let mut ledger = fold(vec![], &listed(&[1, 2]), false);
    ledger[1].kind = RecordKind::Command;
    ledger[1].user_login = "dana-before".into();
    let mut now = listed(&[1, 2]);
    now.comments[0].author_association = "CONTRIBUTOR".into();
    now.comments[1].body = REPORT.into();
    now.comments[1].user.login = "dana-renamed".into();
    let found = fold(ledger.clone(), &now, false);
    assert_eq!(row(&found), "issue:issue-body+ 1:command 2:human-feedback+");
    assert_eq!(found[1], ThreadRecord { trusted: false, ..ledger[1].clone() }, "only the trust changed");
    assert_eq!(found[2], ledger[2], "an edit or a rename changes nothing");
}

#[test]
fn trust_is_the_listings_and_the_ids_word() {
    let check = |says: &str, trigger: Option<Identity>, author: (u64, &str), association: &str, trusted: bool| {
        let mut thread = listed(&[1]);
        let user = Account { id: author.0, login: author.1.into(), kind: "User".into(), ..Account::default() };
        (thread.issue.user, thread.comments[0].user) = (user.clone(), user);
        thread.issue.author_association = association.into();
        thread.comments[0].author_association = association.into();
        let view = View { trigger: trigger.as_ref(), ..View::default() };
        let found = reconcile(vec![], &thread, &view);
        assert_eq!((found[0].trusted, found[1].trusted), (trusted, trusted), "{says}");
        let why = reasons(&found, &thread, &view);
        assert!(why.values().all(|words| words.starts_with("trusted:") == trusted), "{says}: {why:?}");
    };
    let dana = || Some(Identity::new(501, "Dana-K"));
    check("c1: the id wins over the login", dana(), (501, "dana-kay"), "MEMBER", true);
    check("c2: somebody took the old name", dana(), (777, "Dana-K"), "MEMBER", false);
    check("c3: the listing says less than the event", dana(), (501, "Dana-K"), "CONTRIBUTOR", false);
    check("logins decide where an id is missing", Some(Identity::new(0, "DANA-k")), (501, "Dana-K"), "OWNER", true);
    check("nobody started it and nobody wrote it", Some(Identity::default()), (0, ""), "NONE", false);
    check("two unknowns, even as members", Some(Identity::default()), (0, ""), "MEMBER", false);
    check("nobody wrote it", dana(), (0, ""), "NONE", false);
    check("it is not known who started it", None, (501, "Dana-K"), "OWNER", false);
}

#[test]
fn without_an_actor_only_bot_accounts_are_bots() {
    let marked = thread(vec![
        comment(1, Who::App, REPORT),
        comment(2, Who::Owner, REPORT),
        comment(3, Who::Stranger, "<!-- bot-agent-dev -->\n\n/nebuko stop"),
    ]);
    let dana = Who::Dana.identity();
    let found = reconcile(vec![], &marked, &View { trigger: Some(&dana), ..View::default() });
    assert_eq!(row(&found), "issue:issue-body+ 1:agent-output 2:human-feedback 3:command");
}

#[test]
fn a_mangled_ledger_is_mended() {
    let whole = fold(vec![], &listed(&[1, 2]), false);
    let [issue, one, two] = <[ThreadRecord; 3]>::try_from(whole.clone()).expect("an issue and two comments");
    let check = |says: &str, ledger: Vec<ThreadRecord>, expected: &str| {
        let found = fold(ledger, &listed(&[1, 2]), false);
        assert_eq!(row(&found).replace(":human-feedback+", ""), expected, "{says}");
    };
    check("repeated", [whole.clone(), whole.clone()].concat(), "issue:issue-body+ 1 2");
    check("the issue last", vec![one.clone(), two.clone(), issue.clone()], "issue:issue-body+ 1 2");
    check("no issue", vec![one.clone(), two.clone()], "issue:issue-body+ 1 2");
    let other = ThreadRecord { id: 1, ..issue.clone() };
    check("another issue's", vec![other, two, one], "issue:issue-body+ issue:issue-body+x 2 1");
}

#[test]
fn an_id_of_both_sequences_has_both_reasons() {
    let thread = thread(vec![comment(ISSUE_ID, Who::Stranger, "Hello.")]);
    let why = reasons(
        &fold(vec![], &thread, false),
        &thread,
        &View { trigger: Some(&Who::Dana.identity()), ..View::default() },
    );
    let words = &why[&ISSUE_ID];
    assert!(words.starts_with("issue trusted:") && words.contains("; comment not trusted:"), "{words}");
}

quickcheck! {
    fn folding_again_changes_nothing(before: Vec<u8>, now: Vec<u8>, complete: bool, compacted: bool) -> bool {
        let mut thread = grown(&now);
        thread.complete = complete;
        let once = fold(fold(vec![], &grown(&before), false), &thread, compacted);
        fold(once.clone(), &thread, compacted) == once && fold(once.clone(), &thread, false) == once
    }

    fn the_pages_ends_do_not_show(before: Vec<u8>, now: Vec<u8>, repeated: Vec<u8>, compacted: bool) -> bool {
        let thread = grown(&now);
        let mut paged = thread.clone();
        for place in repeated {
            if let Some(comment) = paged.comments.get(usize::from(place)).cloned() {
                paged.comments.insert(usize::from(place) + 1, comment);
            }
        }
        let ledger = fold(vec![], &grown(&before), false);
        fold(ledger.clone(), &thread, compacted) == fold(ledger, &paged, compacted)
    }

    fn what_was_left_out_comes_back(now: Vec<u8>, left_out: Vec<bool>) -> bool {
        let thread = grown(&now);
        let whole = fold(vec![], &thread, false);
        let mut rest = left_out.into_iter();
        let posted = whole.iter().filter(|_| !rest.next().unwrap_or(false)).cloned().collect();
        fold(posted, &thread, true) == whole
    }

    fn trust_does_not_remember_earlier_runs(seed: Vec<u8>) -> bool {
        let (thread, eve) = (grown(&seed), Who::Eve.identity());
        let actor = Who::Owner.identity();
        let view = View { actor: Some(&actor), trigger: Some(&eve), ..View::default() };
        reconcile(fold(vec![], &thread, false), &thread, &view) == reconcile(vec![], &thread, &view)
    }

    fn strangers_change_nothing_but_their_own_kind(seed: Vec<u8>, words: Vec<u8>) -> bool {
        let thread = grown(&seed);
        let calm = fold(vec![], &thread, false);
        let mut hostile = thread.clone();
        let mut words = words.into_iter().map(usize::from).chain(0..);
        for comment in &mut hostile.comments {
            let is_untrusted = [Who::Stranger, Who::Eve, Who::Nobody].iter().any(|who| who.account() == comment.user);
            if let (true, Some(word)) = (is_untrusted, words.next()) {
                comment.body = HOSTILE[word % HOSTILE.len()].into();
            }
        }
        let found = fold(vec![], &hostile, false);
        calm.len() == found.len() && calm.iter().zip(&found).all(|(calm, found)| {
            let may_differ = matches!(found.kind, RecordKind::Command | RecordKind::HumanFeedback) && !found.trusted;
            *found == if may_differ { ThreadRecord { kind: found.kind, ..calm.clone() } } else { calm.clone() }
        })
    }
}
