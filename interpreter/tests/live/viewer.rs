//! Whose token this is (decision 1, fault kind 2.4).

use nebuko::{
    effect::Effect,
    event::{FailureKind, Outcome},
    ids::Identity,
    snapshot::ThreadSnapshot,
};
use nebuko_interpreter::live::{Live, Target};
use serde_json::json;

use crate::{
    failure, live, outcome,
    support::{Answer, Server, clock::Notes, nobody},
};

fn refused() -> Answer {
    Answer::json(403, json!({"message": "Resource not accessible by integration"}))
}

#[test]
fn the_account_is_found_or_stays_unknown() {
    let check = |rows: Vec<Answer>, viewer: Option<(u64, &str)>, words: &str, lines: &[&str]| {
        let (server, notes) = (Server::rows(rows), Notes::default());
        let mut world = live(&server.base, &notes);
        let found = outcome(&mut world, &Effect::ReadViewer, &mut ThreadSnapshot::default());
        let Outcome::ViewerRead { viewer: account, how } = found else { unreachable!("{words}: {found:?}") };
        assert_eq!(account, viewer.map(|(id, login)| Identity::new(id, login)), "{how}");
        assert!(how.contains(words), "{how}");
        assert_eq!((server.lines(), notes.slept().len()), (lines.iter().map(|line| (*line).into()).collect(), 0));
    };
    let both = ["GET /user", "POST /graphql"];
    let user = json!({"id": 9001, "login": "engine-owner", "type": "User"});
    check(vec![Answer::json(200, user)], Some((9001, "engine-owner")), "GET /user", &["GET /user"]);
    let bot = json!({"data": {"viewer": {"login": "nebuko[bot]", "databaseId": 99}}});
    check(vec![refused(), Answer::json(200, bot)], Some((99, "nebuko[bot]")), "GraphQL", &both);
    let nameless = json!({"data": {"viewer": {"login": "nebuko[bot]", "databaseId": null}}});
    check(vec![refused(), Answer::json(200, nameless)], Some((0, "nebuko[bot]")), "GraphQL", &both);
    let not_applicable = Answer::json(401, json!({"message": "Resource not accessible by integration"}));
    check(vec![not_applicable, refused()], None, "HTTP 403", &both);
    check(vec![refused(), refused()], None, "Resource not accessible by integration", &both);
    let errors = json!({"data": null, "errors": [{"type": "FORBIDDEN", "message": "no viewer here"}]});
    check(vec![refused(), Answer::json(200, errors)], None, "no viewer here", &both);
    check(vec![refused(), Answer::json(200, "<html>")], None, "an HTML page", &both);
    check(vec![Answer::json(404, "{}"), Answer::json(404, "{}")], None, "HTTP 404", &both);
}

#[test]
fn an_account_that_may_be_told_later_is_not_called_unknown() {
    let check = |rows: Vec<Answer>, kind: FailureKind| {
        let mut rows = rows.into_iter();
        let last = Answer::json(502, "");
        let server = Server::start(move |_| rows.next().unwrap_or_else(|| last.clone()));
        let found = failure(&mut live(&server.base, &Notes::default()), &Effect::ReadViewer);
        assert_eq!(found.kind, kind, "{found:?}");
    };
    check(vec![], FailureKind::Unavailable);
    check(vec![refused()], FailureKind::Unavailable);
    let limited = json!({"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]});
    check(vec![refused(), Answer::json(200, limited)], FailureKind::Unavailable);
    check(vec![Answer::json(401, json!({"message": "Bad credentials"}))], FailureKind::Refused);
    check(vec![Answer::json(200, "[]")], FailureKind::Unavailable);
}

#[test]
fn without_a_token_nobody_is_asked() {
    let target = Target { api: nobody(), repo: "acme/site".into(), number: 12, token: None };
    let mut world = Live::new(target, None, Notes::default().surroundings(&[])).expect("a good target");
    let found = outcome(&mut world, &Effect::ReadViewer, &mut ThreadSnapshot::default());
    assert!(matches!(&found, Outcome::ViewerRead { viewer: None, how } if how.contains("no token")), "{found:?}");
}
