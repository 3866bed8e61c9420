//! Reading a thread: pages, consistency, odd shapes, refusals.

use nebuko::{
    effect::Effect,
    event::{FailureKind, Outcome},
    snapshot::ThreadSnapshot,
    time::Timestamp,
};
use nebuko_interpreter::{
    live::{Live, Target},
    secret::Secret,
    world::World,
};
use serde_json::json;

use crate::{
    failure, live, outcome, read,
    support::{
        Answer, Server,
        clock::{Notes, START},
        github::{GitHub, Happening, Thread, comment},
        nobody,
    },
};

fn ids(thread: &ThreadSnapshot) -> Vec<u64> {
    thread.comments.iter().map(|comment| comment.id).collect()
}

#[test]
fn a_thread_is_read_in_pages_of_a_hundred() {
    let check = |count: u64, requests: u64| {
        let (github, notes) = (GitHub::start(Thread::of(1..=count)), Notes::default());
        let mut world = live(&github.server.base, &notes);
        let thread = read(&mut world);
        assert_eq!((ids(&thread), thread.complete), ((1..=count).collect(), true), "{count}");
        assert_eq!(world.requests(), requests, "{count}: {:?}", github.server.lines());
        assert_eq!(thread.issue.number, 12);
    };
    check(0, 2);
    check(1, 2);
    check(100, 2);
    // Between several pages the thread may move, so the issue is asked for once more.
    check(101, 4);
    check(250, 5);
}

#[test]
fn each_request_says_who_asks_and_for_what() {
    let (github, notes) = (GitHub::start(Thread::of([1])), Notes::default());
    read(&mut live(&github.server.base, &notes));
    for seen in github.server.seen() {
        assert_eq!(seen.header("accept"), Some("application/vnd.github+json"));
        assert_eq!(seen.header("x-github-api-version"), Some("2022-11-28"));
        assert_eq!(seen.header("authorization"), Some("Bearer token-of-the-run"));
        assert!(seen.header("user-agent").is_some_and(|agent| agent.starts_with("nebuko/")));
    }
}

#[test]
fn a_comment_written_after_a_full_page_is_seen_on_the_next_read() {
    let (github, notes) = (GitHub::start(Thread::of(1..=100)), Notes::default());
    let mut world = live(&github.server.base, &notes);
    let mut thread = read(&mut world);
    assert_eq!(thread.newest_id(), 100);

    let mut late = comment(101, "one more");
    late["updated_at"] = json!("2026-10-02T00:00:00Z");
    github.thread.lock().expect("the server lives").comments.push(late);
    let since = Some(Timestamp::from_seconds(START - 2));
    assert_eq!(outcome(&mut world, &Effect::ReadThread { since }, &mut thread), Outcome::ThreadRead);
    assert_eq!(ids(&thread), (1..=101).collect::<Vec<_>>());
    let last = github.server.lines().pop();
    let line = "GET /repos/acme/site/issues/12/comments?per_page=100&since=2026-10-01T23:59:58Z";
    assert_eq!(last.as_deref(), Some(line));

    assert_eq!(read(&mut world).newest_id(), 101, "a full read sees it too");
}

#[test]
fn an_edit_is_merged_in_place() {
    let (github, notes) = (GitHub::start(Thread::of(1..=3)), Notes::default());
    let mut world = live(&github.server.base, &notes);
    let mut thread = read(&mut world);
    {
        let mut there = github.thread.lock().expect("the server lives");
        there.comments[1]["body"] = json!("edited");
        there.comments[1]["updated_at"] = json!("2026-10-02T00:00:00Z");
    }
    let since = Some(Timestamp::from_seconds(START));
    outcome(&mut world, &Effect::ReadThread { since }, &mut thread);
    assert_eq!(ids(&thread), [1, 2, 3]);
    assert_eq!(thread.comments[1].body, "edited");
}

#[test]
fn what_was_never_read_is_read_whole() {
    let (github, notes) = (GitHub::start(Thread::of(1..=3)), Notes::default());
    let mut thread = ThreadSnapshot::default();
    let since = Some(Timestamp::from_seconds(START));
    outcome(&mut live(&github.server.base, &notes), &Effect::ReadThread { since }, &mut thread);
    assert_eq!(ids(&thread), [1, 2, 3]);
}

#[test]
fn a_deletion_between_two_pages_loses_nothing() {
    // After the first page (request 1), comment 5 goes, and 101 moves onto the page that was read already.
    let thread = Thread { meanwhile: vec![(1, |thread| thread.remove(5))], ..Thread::of(1..=101) };
    let (github, notes) = (GitHub::start(thread), Notes::default());
    let thread = read(&mut live(&github.server.base, &notes));
    assert!(thread.complete);
    assert_eq!(ids(&thread), (1..=101).filter(|id| *id != 5).collect::<Vec<_>>());
}

/// Deletes the oldest comment and writes one more, so that the count stays what it was.
fn one_goes_and_one_comes(thread: &mut Thread) {
    let newest = thread.comments.last().and_then(|comment| comment["id"].as_u64()).expect("a thread with comments");
    thread.comments.remove(0);
    let mut late = comment(newest + 1, "one more");
    late["updated_at"] = json!(format!("2026-10-02T00:00:{:02}Z", newest % 60));
    thread.comments.push(late);
}

#[test]
fn a_deletion_and_an_addition_between_two_pages_lose_nothing() {
    let meanwhile: Vec<(usize, Happening)> = vec![(1, one_goes_and_one_comes)];
    let (github, notes) = (GitHub::start(Thread { meanwhile, ..Thread::of(1..=150) }), Notes::default());
    let mut world = live(&github.server.base, &notes);
    let thread = read(&mut world);
    assert!(thread.complete);
    assert_eq!(ids(&thread), (2..=151).collect::<Vec<_>>());
    assert_eq!((world.requests(), notes.slept()), (8, vec![1]), "read twice, with the issue before and after");
}

#[test]
fn a_thread_that_never_rests_gives_an_incomplete_snapshot() {
    // In each round the issue, two pages and the issue again; the thread moves after each first page.
    let meanwhile = (0..4).map(|round| (4 * round + 1, one_goes_and_one_comes as Happening)).collect();
    let (github, notes) = (GitHub::start(Thread { meanwhile, ..Thread::of(1..=150) }), Notes::default());
    let mut world = live(&github.server.base, &notes);
    assert!(!read(&mut world).complete);
    assert_eq!((world.requests(), notes.slept()), (16, vec![1, 1, 1]));
}

#[test]
fn a_token_goes_over_plain_http_to_this_machine_only() {
    let check = |api: &str, token: Option<&str>, refused: Option<&str>| {
        let target = Target { api: api.into(), repo: "acme/site".into(), number: 12, token: token.map(Secret::new) };
        let found = Live::new(target, None, Notes::default().surroundings(&[])).err();
        let told = found.as_ref().map(|failure| format!("{} {}", failure.attempted, failure.why));
        let fits = match refused {
            None => told.is_none(),
            Some(part) => told.as_ref().is_some_and(|told| told.contains(part) && !told.contains("secret")),
        };
        assert!(fits, "{api} {token:?}: {told:?}");
    };
    check("http://127.0.0.1:1", Some("t"), None);
    check("http://localhost:1", Some("t"), None);
    check("https://ghe.example.org/api/v3", Some("t"), None);
    check("http://ghe.example.org/api/v3", None, None);
    check("http://ghe.example.org/api/v3", Some("t"), Some("http://ghe.example.org/api/v3 its address is plain http"));
    check("http://10.0.0.1", Some("t"), Some("plain http"));
    check("https://u:secret@ghe.example.org", None, Some("GitHub at https://ghe.example.org it carries a user name"));
}

#[test]
fn a_count_that_never_fits_gives_an_incomplete_snapshot() {
    for miscount in [-1, 1] {
        let (github, notes) = (GitHub::start(Thread { miscount, ..Thread::of(1..=3) }), Notes::default());
        let mut world = live(&github.server.base, &notes);
        let thread = read(&mut world);
        assert!(!thread.complete);
        assert_eq!(ids(&thread), [1, 2, 3]);
        assert_eq!(world.requests(), 8, "once and three times again, with the issue each time");
        assert_eq!(notes.slept(), [1, 1, 1]);
    }
}

#[test]
fn a_comment_on_two_pages_is_counted_once_and_left_to_the_core() {
    let issue = Answer::json(200, json!({"id": 9, "number": 12, "comments": 3}));
    let server = Server::start(move |seen| match seen.path.as_str() {
        "/repos/acme/site/issues/12" => issue.clone(),
        path if path.contains("page=2") => Answer::json(200, json!([comment(7, "x"), comment(8, "x")])),
        _ => Answer::json(200, json!([comment(6, "x"), comment(7, "x")]))
            .with("Link", "</repos/acme/site/issues/12/comments?page=2>; rel=\"next\""),
    });
    let thread = read(&mut live(&server.base, &Notes::default()));
    assert!(thread.complete);
    assert_eq!(ids(&thread), [6, 7, 7, 8]);
}

#[test]
fn odd_shapes_are_read() {
    let comments = json!([
        {"id": 2250077004u64, "body": "a\r\nb", "user": null, "author_association": "NONE"},
        {"id": 5794187059u64, "body": null, "user": {"login": "old", "id": 3}},
        {"id": 9007199254740993u64},
    ]);
    let issue = json!({"id": 1, "number": 12, "comments": 3, "user": null, "body": null, "pull_request": {"url": "x"}});
    let server = Server::rows(vec![Answer::json(200, issue), Answer::json(200, comments)]);
    let thread = read(&mut live(&server.base, &Notes::default()));
    assert_eq!(ids(&thread), [2250077004, 5794187059, 9007199254740993]);
    assert_eq!((thread.comments[0].user.id, thread.comments[0].user.login.as_str()), (0, ""));
    assert_eq!(thread.comments[0].body, "a\r\nb");
    assert!(thread.issue.pull_request.is_some() && thread.complete);
}

#[test]
fn the_token_is_taken_to_no_other_origin() {
    let elsewhere = Server::start(|_| Answer::json(200, json!([])));
    let stranger = elsewhere.base.clone();
    let issue = Answer::json(200, json!({"id": 9, "number": 12, "comments": 1}));
    let check = |listing: Answer| {
        let server = Server::rows(vec![issue.clone(), listing]);
        let found = failure(&mut live(&server.base, &Notes::default()), &Effect::ReadThread { since: None });
        assert_eq!(found.kind, FailureKind::Refused, "{found:?}");
        assert!(found.why.contains("another origin") && found.next.contains("GITHUB_API_URL"), "{found:?}");
    };
    check(Answer::json(200, json!([])).with("Link", format!("<{stranger}/x?page=2>; rel=\"next\"")));
    check(Answer::json(200, json!([])).with("Link", "<https://api.github.com/x?page=2>; rel=\"next\""));
    check(Answer::json(301, json!({"message": "Moved Permanently"})).with("Location", format!("{stranger}/x")));
    assert_eq!(elsewhere.lines(), Vec::<String>::new());
}

#[test]
fn a_renamed_repository_is_followed() {
    let server = Server::start(|seen| match seen.path.as_str() {
        "/repositories/77/issues/12" => Answer::json(200, json!({"id": 9, "number": 12, "comments": 0})),
        "/repositories/77/issues/12/comments" => Answer::json(200, json!([])),
        path if path.ends_with("/12") => Answer::json(301, "{}").with("Location", "/repositories/77/issues/12"),
        _ => Answer::json(301, "{}").with("Location", "/repositories/77/issues/12/comments"),
    });
    assert!(read(&mut live(&server.base, &Notes::default())).complete);
    assert!(server.seen().iter().all(|seen| seen.header("authorization").is_some()));
}

#[test]
fn no_listing_and_no_redirect_goes_on_for_ever() {
    let server = Server::start(|seen| match seen.path.as_str() {
        "/repos/acme/site/issues/12" => Answer::json(200, json!({"id": 9, "number": 12, "comments": 1})),
        path => Answer::json(200, "[]").with("Link", format!("<{path}>; rel=next")),
    });
    let found = failure(&mut live(&server.base, &Notes::default()), &Effect::ReadThread { since: None });
    assert!(found.why.contains("200 pages"), "{found:?}");
    assert_eq!(server.lines().len(), 201);

    let server = Server::start(|seen| Answer::json(302, "{}").with("Location", &seen.path));
    let found = failure(&mut live(&server.base, &Notes::default()), &Effect::ReadThread { since: None });
    assert!(found.why.contains("HTTP 302"), "{found:?}");
    assert_eq!(server.lines().len(), 6);
}

#[test]
fn a_refusal_is_final_and_says_what_to_do() {
    let check = |status: u16, message: &str, next: &str| {
        let answer = Answer::json(status, json!({"message": message})).with("X-GitHub-Request-Id", "C0DE:1");
        let (server, notes) = (Server::rows(vec![answer]), Notes::default());
        let found = failure(&mut live(&server.base, &notes), &Effect::ReadThread { since: None });
        assert_eq!(found.kind, FailureKind::Refused, "{found:?}");
        assert_eq!(found.attempted, "read acme/site#12");
        assert_eq!(found.why, format!("HTTP {status}: {message} (request C0DE:1)"));
        assert!(found.next.contains(next), "{found:?}");
        assert_eq!((server.lines().len(), notes.slept().len()), (1, 0), "{status}");
    };
    check(401, "Bad credentials", "expired");
    check(403, "Resource not accessible by integration", "issues: read");
    check(404, "Not Found", "token can see acme/site");
    check(410, "This issue was deleted", "deleted");
}

#[test]
fn what_passes_is_asked_again_and_then_given_up() {
    let check = |fault: Answer, words: &str| {
        let faults = vec![(0, fault.clone()), (2, fault.clone()), (3, fault.clone())];
        let (github, notes) = (GitHub::start(Thread { faults, ..Thread::of(1..=2) }), Notes::default());
        assert!(read(&mut live(&github.server.base, &notes)).complete, "{fault:?}");
        assert_eq!(notes.slept(), [1, 1, 2], "{fault:?}");

        let (server, notes, row) = (fault.clone(), Notes::default(), fault.clone());
        let server = Server::start(move |_| server.clone());
        let found = failure(&mut live(&server.base, &notes), &Effect::ReadThread { since: None });
        assert_eq!(found.kind, FailureKind::Unavailable, "{found:?}");
        assert!(found.why.contains(words), "{row:?} {found:?}");
        assert_eq!(notes.slept(), [1, 2, 4, 8, 16]);
    };
    check(Answer::json(500, ""), "HTTP 500");
    check(Answer::json(502, "<html>Bad gateway"), "HTTP 502: an HTML page");
    check(Answer::json(502, json!({"error": "Server Error"})), "HTTP 502: Server Error");
    let labelled = Answer::json(503, "<html><body><h1>503 Service Unavailable</h1></body></html>");
    check(labelled.with("Content-Type", "application/json; charset=utf-8"), "HTTP 503: an HTML page");
    check(Answer::json(503, json!({"message": "Service unavailable"})), "Service unavailable");
    check(Answer::Silence, "the answer did not come");
    check(Answer::Half { body: "[{".into() }, "the answer did not come");
}

#[test]
fn an_answer_that_is_not_githubs_is_no_thread() {
    for body in ["<html>log in</html>", "", "[1]", "\u{0}", "{\"number\":"] {
        let server = Server::start(move |_| Answer::json(200, body));
        let found = failure(&mut live(&server.base, &Notes::default()), &Effect::ReadThread { since: None });
        assert_eq!(found.kind, FailureKind::Unavailable, "{found:?}");
        assert!(found.why.contains("unexpected body"), "{body}: {found:?}");
    }
}

#[test]
fn nobody_at_the_address_is_told_with_its_cause() {
    let notes = Notes::default();
    let found = failure(&mut live(&nobody(), &notes), &Effect::ReadThread { since: None });
    assert_eq!(found.kind, FailureKind::Unavailable);
    assert!(found.why.contains("could not connect") && found.why.contains("refused"), "{found:?}");
    assert_eq!(notes.slept(), [1, 2, 4, 8, 16]);
}

#[test]
fn a_failed_read_leaves_the_snapshot_as_it_was() {
    let (github, notes) = (GitHub::start(Thread::of(1..=3)), Notes::default());
    let mut world = live(&github.server.base, &notes);
    let mut thread = read(&mut world);
    let before = thread.clone();
    github.thread.lock().expect("the server lives").faults = (0..40).map(|at| (at, Answer::json(404, "{}"))).collect();
    for since in [None, Some(Timestamp::from_seconds(START))] {
        let outcome = outcome(&mut world, &Effect::ReadThread { since }, &mut thread);
        assert!(matches!(outcome, Outcome::Failed { .. }), "{outcome:?}");
        assert_eq!(thread, before);
    }
}
