//! Posting and editing (fault kind 6.2): once, read back, masked.

use nebuko::{
    effect::{Effect, Level},
    event::{Event, FailureKind, Outcome},
    snapshot::ThreadSnapshot,
};
use nebuko_interpreter::{
    live::{Live, Target},
    secret::Secret,
    world::World,
};
use serde_json::json;

use crate::{
    TOKEN, failure, live, outcome, post, read,
    support::{
        Answer, Server,
        clock::Notes,
        github::{GitHub, Thread},
        nobody,
    },
};

#[test]
fn a_post_comes_back_as_the_service_has_it() {
    let (github, notes) = (GitHub::start(Thread::of([2250077004])), Notes::default());
    let mut thread = ThreadSnapshot::default();
    let Event::Answered { outcome, at } = live(&github.server.base, &notes).carry_out(&post("hi ✓\r\n"), &mut thread)
    else {
        unreachable!("an effect is always answered");
    };
    let Outcome::CommentPosted { comment } = outcome else { unreachable!("it was posted: {outcome:?}") };
    assert_eq!((comment.id, comment.body.as_str()), (2250077005, "hi ✓\r\n"));
    assert_eq!(at.to_string(), "2026-10-02T00:00:00Z");
    assert_eq!(github.server.lines(), ["POST /repos/acme/site/issues/12/comments"]);
}

#[test]
fn a_post_whose_answer_was_lost_is_never_sent_again() {
    let check = |fault: Answer| {
        let thread = Thread { faults: vec![(0, fault.clone())], stores_before_fault: true, ..Thread::of([1]) };
        let (github, notes) = (GitHub::start(thread), Notes::default());
        let mut world = live(&github.server.base, &notes);
        let found = failure(&mut world, &post("only once"));
        assert_eq!(found.kind, FailureKind::Lost, "{fault:?}: {found:?}");
        assert_eq!(found.attempted, "post a comment on acme/site#12");
        assert!(found.next.contains("Read the thread again"), "{found:?}");
        assert_eq!(github.ids(), [1, 2], "{fault:?}");
        assert_eq!((world.requests(), notes.slept().len()), (1, 0), "{fault:?}");
        assert_eq!(read(&mut world).comments[1].body, "only once", "the next read shows it");
    };
    check(Answer::Silence);
    check(Answer::Half { body: "{\"id\":".into() });
    check(Answer::json(500, ""));
    check(Answer::json(502, "<html>"));
    check(Answer::json(503, "").with("Retry-After", 1));
    check(Answer::json(201, "<html>"));
    check(Answer::json(201, "{}"));
}

#[test]
fn a_post_that_did_not_get_out_was_not_done() {
    let notes = Notes::default();
    let found = failure(&mut live(&nobody(), &notes), &post("hi"));
    assert_eq!(found.kind, FailureKind::Unavailable, "{found:?}");
    assert_eq!(notes.slept(), [1, 2, 4, 8, 16]);
}

#[test]
fn a_refused_post_says_what_to_do() {
    let check = |status: u16, answer: serde_json::Value, why: &str, next: &str| {
        let server = Server::rows(vec![Answer::json(status, answer)]);
        let found = failure(&mut live(&server.base, &Notes::default()), &post("hi"));
        assert_eq!((found.kind, server.lines().len()), (FailureKind::Refused, 1), "{found:?}");
        assert!(found.why.contains(why) && found.next.contains(next), "{found:?}");
    };
    let too_long = json!({"message": "Validation Failed",
        "errors": [{"code": "unprocessable", "field": "data", "message": "Body is too long (maximum is 65536 characters)"}]});
    check(422, too_long, "Body is too long (maximum is 65536 characters)", "as GitHub says");
    check(403, json!({"message": "Resource not accessible by integration"}), "not accessible", "issues: write");
    check(403, json!({"message": "Unable to create comment because issue is locked."}), "locked", "Unlock");
    check(404, json!({"message": "Not Found"}), "Not Found", "acme/site#12");
    check(401, json!({"message": "Bad credentials"}), "Bad credentials", "expired");
}

#[test]
fn an_edit_is_repeated_because_twice_is_the_same_as_once() {
    let edit = Effect::EditComment { id: 2, body: "new".into() };
    let thread = Thread { faults: vec![(0, Answer::Silence), (1, Answer::json(502, ""))], ..Thread::of(1..=3) };
    let (github, notes) = (GitHub::start(thread), Notes::default());
    let mut world = live(&github.server.base, &notes);
    let edited = outcome(&mut world, &edit, &mut ThreadSnapshot::default());
    assert!(matches!(&edited, Outcome::CommentEdited { comment } if comment.body == "new"), "{edited:?}");
    assert_eq!(github.server.lines().pop().as_deref(), Some("PATCH /repos/acme/site/issues/comments/2"));

    let server = Server::start(|_| Answer::json(502, ""));
    assert_eq!(failure(&mut live(&server.base, &Notes::default()), &edit).kind, FailureKind::Lost);
    let gone = Effect::EditComment { id: 99, body: "new".into() };
    assert_eq!(failure(&mut world, &gone).kind, FailureKind::Refused);
}

#[test]
fn a_changed_text_is_told_and_is_no_error() {
    let stored = json!({"id": 7, "body": "something else"});
    let (server, notes) = (Server::rows(vec![Answer::json(201, stored)]), Notes::default());
    let posted = outcome(&mut live(&server.base, &notes), &post("hi"), &mut ThreadSnapshot::default());
    assert!(matches!(&posted, Outcome::CommentPosted { comment } if comment.body == "something else"), "{posted:?}");
    assert!(notes.told.borrow()[0].starts_with("Warning: comment 7"), "{:?}", notes.told);
}

#[test]
fn secrets_leave_in_no_body_line_or_error() {
    let (github, notes) = (GitHub::start(Thread::of([1])), Notes::default());
    let mut world = live(&github.server.base, &notes);
    for effect in [
        post(&format!("the token is {TOKEN}.")),
        Effect::EditComment { id: 1, body: format!("{TOKEN}{TOKEN}") },
        Effect::Tell { level: Level::Info, text: format!("using {TOKEN}") },
    ] {
        let outcome = outcome(&mut world, &effect, &mut ThreadSnapshot::default());
        assert!(!matches!(outcome, Outcome::Failed { .. }), "{outcome:?}");
    }
    let bodies: Vec<String> = github.server.seen().into_iter().map(|seen| seen.body).collect();
    assert_eq!(bodies, [r#"{"body":"the token is ***."}"#, r#"{"body":"******"}"#]);
    assert_eq!(*notes.told.borrow(), ["Info: using ***"]);

    let server = Server::start(|seen| Answer::json(400, seen.header("authorization").unwrap_or_default()));
    let found = failure(&mut live(&server.base, &notes), &post("hi"));
    assert_eq!(found.why, "HTTP 400: Bearer ***");
}

#[test]
fn a_target_that_cannot_be_one_is_told_before_anything_is_sent() {
    let check = |api: &str, repo: &str, token: &str, words: &str| {
        let token = Some(Secret::new(token));
        let target = Target { api: api.into(), repo: repo.into(), number: 12, token };
        let found = Live::new(target, None, Notes::default().surroundings(&[])).err().expect("a refusal");
        assert_eq!(found.kind, FailureKind::Local);
        assert!(found.why.contains(words), "{found:?}");
    };
    check("api.github.com", "acme/site", TOKEN, "no address");
    check("https://x@api.github.com", "acme/site", TOKEN, "a user name");
    check("https://api.github.com", "acme", TOKEN, "owner/name");
    check("https://api.github.com", "acme/site/../../user", TOKEN, "owner/name");
    check("https://api.github.com", "acme/site", "two\nlines-of-token", "line break");
}

#[test]
fn without_a_model_asking_one_is_a_local_failure() {
    let found = failure(
        &mut live(&nobody(), &Notes::default()),
        &Effect::Complete { request: Box::default(), how: Box::default() },
    );
    assert_eq!(found.kind, FailureKind::Local);
    assert!(found.next.contains("--model"), "{found:?}");
}
