//! Rate limits (fault kind 6.1), for reads and for posts.

use nebuko::{
    effect::Effect,
    event::{FailureKind, Outcome},
    snapshot::ThreadSnapshot,
};
use serde_json::json;

use crate::{
    failure, live, outcome, post, read,
    support::{
        Answer, Server,
        clock::{Notes, START},
        github::{GitHub, Thread},
    },
};

fn secondary() -> Answer {
    let message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    Answer::json(403, json!({"message": message})).with("x-ratelimit-remaining", 4312)
}

fn used_up(reset: i64) -> Answer {
    let answer = Answer::json(403, json!({"message": "API rate limit exceeded"})).with("x-ratelimit-remaining", 0);
    answer.with("x-ratelimit-reset", START + reset)
}

#[test]
fn a_limit_is_waited_out_and_the_request_repeated() {
    let check = |limit: Answer, slept: u64| {
        let (github, notes) =
            (GitHub::start(Thread { faults: vec![(0, limit.clone())], ..Thread::of(1..=2) }), Notes::default());
        read(&mut live(&github.server.base, &notes));
        assert_eq!(notes.slept(), [slept], "reading after {limit:?}");
        let told = notes.told.borrow().join("\n");
        assert!(told.contains(&format!("trying again in {slept} s")), "{told}");

        // Whoever is over a limit was not served, so a post is repeated too (fault kind 6.2).
        let (github, notes) =
            (GitHub::start(Thread { faults: vec![(0, limit.clone())], ..Thread::of(1..=2) }), Notes::default());
        let outcome = outcome(&mut live(&github.server.base, &notes), &post("hi"), &mut ThreadSnapshot::default());
        assert!(matches!(outcome, Outcome::CommentPosted { .. }), "{outcome:?}");
        assert_eq!((github.ids(), notes.slept()), (vec![1, 2, 3], vec![slept]), "posting after {limit:?}");
    };
    check(secondary(), 60);
    check(Answer::json(429, "").with("Retry-After", 7), 7);
    check(used_up(40), 40);
    check(secondary().with("Retry-After", 75), 75);
    check(Answer::json(429, ""), 60);
}

#[test]
fn a_plain_403_fails_at_once() {
    for effect in [Effect::ReadThread { since: None }, post("hi")] {
        let answer = Answer::json(403, json!({"message": "Resource not accessible by integration"}))
            .with("x-ratelimit-remaining", 4999);
        let (server, notes) = (Server::rows(vec![answer]), Notes::default());
        let found = failure(&mut live(&server.base, &notes), &effect);
        assert_eq!((found.kind, server.lines().len(), notes.slept().len()), (FailureKind::Refused, 1, 0), "{found:?}");
        assert!(found.next.contains("permissions"), "{found:?}");
    }
}

#[test]
fn beyond_the_budget_the_error_says_when_the_limit_ends() {
    let (server, notes) = (Server::start(|_| used_up(3_600)), Notes::default());
    let found = failure(&mut live(&server.base, &notes), &Effect::ReadThread { since: None });
    assert_eq!(found.kind, FailureKind::Unavailable);
    assert!(found.why.contains("ends at 2026-10-02T01:00:00Z") && found.why.contains("15 minutes"), "{found:?}");
    assert_eq!(found.next, "Run again after 2026-10-02T01:00:00Z.");
    assert_eq!((server.lines().len(), notes.slept().len()), (1, 0), "a wait that cannot suffice is not begun");
}

#[test]
fn the_budget_is_for_the_whole_run() {
    let limit = || Answer::json(429, "").with("Retry-After", 400);
    let faults = vec![(0, limit()), (3, limit()), (6, limit())];
    let (github, notes) = (GitHub::start(Thread { faults, ..Thread::of(1..=2) }), Notes::default());
    let mut world = live(&github.server.base, &notes);
    read(&mut world);
    read(&mut world);
    let found = failure(&mut world, &Effect::ReadThread { since: None });
    assert!(found.why.contains("the limit ends at 2026-10-02T00:20:00Z"), "{found:?}");
    assert_eq!(notes.slept(), [400, 400]);
}

#[test]
fn a_limit_that_stays_is_given_up() {
    let (server, notes) = (Server::start(|_| secondary()), Notes::default());
    let found = failure(&mut live(&server.base, &notes), &post("hi"));
    assert_eq!(found.kind, FailureKind::Unavailable, "{found:?}");
    assert!(found.why.contains("secondary rate limit"), "{found:?}");
    assert_eq!(notes.slept(), [60, 120, 240, 480]);

    let (server, notes) = (Server::start(|_| Answer::json(429, "").with("Retry-After", 1)), Notes::default());
    let found = failure(&mut live(&server.base, &notes), &post("hi"));
    assert_eq!((found.kind, server.lines().len()), (FailureKind::Unavailable, 6), "{found:?}");
}
