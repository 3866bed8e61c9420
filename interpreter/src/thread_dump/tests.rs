#![allow(clippy::panic)]

use nebuko::agent::ChatRequest;

use super::*;
use crate::{clock::SystemClock, scratch::Scratch, secret::Masker};

struct NoModel;

impl Model for NoModel {
    fn complete(&mut self, _request: &ChatRequest, _how: &nebuko::effect::Asking) -> Outcome {
        Outcome::Told
    }
}

fn open(json: &str) -> Result<ThreadDump, Error> {
    let folder = Scratch::with(&[("thread.json", json)]);
    let surroundings = Surroundings::new(SystemClock::start(), |_, _| {}, Masker::none());
    ThreadDump::open(&folder.path().join("thread.json"), surroundings, Box::new(NoModel))
}

fn outcome(world: &mut ThreadDump, effect: &Effect, thread: &mut ThreadSnapshot) -> Outcome {
    match world.carry_out(effect, thread) {
        Event::Answered { outcome, .. } => outcome,
        Event::Woken { .. } => panic!("an effect is answered"),
    }
}

const DUMP: &str = r#"{
    "issue": {"id": 1, "number": 7, "html_url": "https://github.com/acme/site/issues/7", "user": null, "comments": 1},
    "comments": [{"id": 5794187059, "body": "hi", "user": null}],
    "user": {"id": 99, "login": "nebuko[bot]", "type": "Bot"}
}"#;

#[test]
fn posts_stay_in_memory_under_fresh_ids() {
    let mut world = open(DUMP).expect("it opens");
    let mut thread = ThreadSnapshot::default();
    for (body, id) in [("one", 5_794_187_060), ("two", 5_794_187_061)] {
        let effect = Effect::PostComment { part: "p".into(), body: body.into() };
        let Outcome::CommentPosted { comment } = outcome(&mut world, &effect, &mut thread) else {
            panic!("{body} is posted");
        };
        assert_eq!((comment.id, comment.user.id), (id, 99));
        assert_eq!(comment.html_url, format!("https://github.com/acme/site/issues/7#issuecomment-{id}"));
    }
    let edit = Effect::EditComment { id: 5_794_187_060, body: "changed".into() };
    assert!(matches!(outcome(&mut world, &edit, &mut thread), Outcome::CommentEdited { .. }));
    assert!(thread.comments.is_empty(), "only a read changes what the core sees");
    assert_eq!(outcome(&mut world, &Effect::ReadThread { since: None }, &mut thread), Outcome::ThreadRead);
    let bodies: Vec<_> = thread.comments.iter().map(|comment| comment.body.as_str()).collect();
    assert_eq!(bodies, ["hi", "changed", "two"]);
    assert_eq!(thread.issue.comments, 3);
    let edit = Effect::EditComment { id: 1, body: "none".into() };
    assert!(matches!(outcome(&mut world, &edit, &mut thread), Outcome::Failed { .. }));
}

#[test]
fn the_viewer_is_the_dumps_user_or_unknown() {
    let check = |user: &str, expected: Option<u64>| {
        let json = format!("{{\"issue\":{{\"number\":1}}{user}}}");
        let mut world = open(&json).expect("it opens");
        let outcome = outcome(&mut world, &Effect::ReadViewer, &mut ThreadSnapshot::default());
        let Outcome::ViewerRead { viewer, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(viewer.map(|viewer| viewer.id), expected, "{user}");
    };
    check(r#","user":{"id":9,"login":"x"}"#, Some(9));
    check(r#","user":null"#, None);
    check("", None);
    check(r#","user":{}"#, None);
}

#[test]
fn a_permission_is_what_the_dump_says_or_unanswered() {
    let check = |permissions: &str, login: &str, expected: Option<Permission>| {
        let mut world = open(&format!("{{\"issue\":{{\"number\":1}}{permissions}}}")).expect("it opens");
        let effect = Effect::ReadPermission { login: login.into() };
        let found = outcome(&mut world, &effect, &mut ThreadSnapshot::default());
        match (&found, expected) {
            (Outcome::PermissionRead { permission, .. }, Some(expected)) => assert_eq!(*permission, expected),
            (Outcome::Failed { failure }, None) => {
                assert_eq!(failure.kind, FailureKind::Refused, "{failure:?}");
                assert!(failure.next.contains(&format!("\"{login}\": \"write\"")), "{failure:?}");
            }
            _ => panic!("{permissions} {login}: {found:?}"),
        }
    };
    let listed = r#","permissions":{"dana":"write","Omar":"none","lee":"admin","LEE":"read"}"#;
    check(listed, "dana", Some(Permission::Write));
    check(listed, "omar", Some(Permission::None));
    check(listed, "Lee", Some(Permission::Read));
    check(listed, "zoe", None);
    check("", "dana", None);
    assert!(open(r#"{"issue":{"number":1},"permissions":{"dana":"owner"}}"#).is_err());
}

#[test]
fn what_needs_a_place_to_work_in_says_so() {
    let mut world = open(DUMP).expect("it opens");
    let mut check = |effect: Effect, words: &str| match outcome(&mut world, &effect, &mut ThreadSnapshot::default()) {
        Outcome::Failed { failure } => assert!(format!("{failure:?}").contains(words), "{failure:?}"),
        other => panic!("{effect:?}: {other:?}"),
    };
    check(Effect::ReadWorkflow { reference: "a/b//c.yaml@d".into() }, "--elsewhere DIR");
    check(Effect::RunProcess { process: Box::default() }, "no checkout");
}

#[test]
fn the_address_tells_the_repository() {
    let check = |url: &str, expected: &str| {
        let world = open(&format!("{{\"issue\":{{\"number\":7,\"html_url\":{url}}}}}")).expect("it opens");
        assert_eq!(world.about(), (expected.to_owned(), 7));
    };
    check(r#""https://github.com/acme/site/issues/7""#, "acme/site");
    check(r#""https://ghe.acme.com/acme/site/pull/7""#, "acme/site");
    check("null", "local/thread");
    check(r#""issues/7""#, "local/thread");
}

#[test]
fn a_dump_that_cannot_be_read_is_named_with_its_place() {
    let check = |json: &str, parts: &[&str]| {
        let error = open(json).err().map(|error| error.to_string()).unwrap_or_default();
        for part in parts {
            assert!(error.contains(part), "{error:?} has no {part:?}");
        }
    };
    check("", &["could not read the thread in", ":1:0:", "next:"]);
    check("[]", &[":1:", "issue"]);
    check("{\n  \"issue\": {}, \"comments\": [", &[":2:"]);
    check("{\"comments\": []}", &["missing field `issue`"]);
    check("{\"issue\":{\"id\":-1}}", &["invalid value"]);
}
