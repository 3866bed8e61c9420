//! What a person may do, and workflows of other repositories: asked, answered, refused.

use nebuko::{
    effect::Effect,
    event::{FailureKind, Outcome, Permission},
    snapshot::ThreadSnapshot,
};
use nebuko_interpreter::{
    live::{Live, Target},
    surroundings::Workplace,
};
use serde_json::json;

use crate::{
    TOKEN, failure, live, outcome,
    support::{Answer, Server, clock::Notes, nobody},
};

fn permission_of(login: &str) -> Effect {
    Effect::ReadPermission { login: login.into() }
}

fn workflow(reference: &str) -> Effect {
    Effect::ReadWorkflow { reference: reference.into() }
}

fn text(body: &str) -> Answer {
    let headers = vec![("Content-Type".to_owned(), "application/vnd.github.raw+json; charset=utf-8".to_owned())];
    Answer::Reply { status: 200, headers, body: body.into() }
}

fn message(status: u16, words: &str) -> Answer {
    Answer::json(status, json!({ "message": words }))
}

#[test]
fn a_permission_is_what_github_says_it_is() {
    let check = |login: &str, answer: Answer, expected: Permission, how: &str| {
        let (server, notes) = (Server::rows(vec![answer]), Notes::default());
        let found = outcome(&mut live(&server.base, &notes), &permission_of(login), &mut ThreadSnapshot::default());
        let Outcome::PermissionRead { permission, how: told } = found else { unreachable!("{how}: {found:?}") };
        assert_eq!(permission, expected, "{told}");
        assert!(told.contains(how), "{told}");
        server.lines()
    };
    let says = |permission: &str, role: &str| {
        Answer::json(200, json!({ "permission": permission, "role_name": role, "user": { "login": "dana" } }))
    };
    let asked = ["GET /repos/acme/site/collaborators/dana/permission"];
    let row = |answer, expected, how| assert_eq!(check("dana", answer, expected, how), asked);
    row(says("admin", "admin"), Permission::Admin, "GET /repos/acme/site/collaborators/dana/permission: admin");
    row(says("write", "write"), Permission::Write, ": write");
    row(says("write", "maintain"), Permission::Write, ": write (as maintain)");
    row(says("read", "triage"), Permission::Read, ": read (as triage)");
    row(says("read", "our own role"), Permission::Read, ": read (as our own role)");
    row(says("none", ""), Permission::None, ": none");
    row(says("maintain", ""), Permission::Write, ": maintain");
    row(says("custom", "triage"), Permission::Read, ": custom");
    row(Answer::json(200, json!({ "permission": "write" })), Permission::Write, ": write");
    row(message(404, "dana is not a user"), Permission::None, "HTTP 404: dana is not a user");
    let bot = check("nebuko[bot]", says("write", ""), Permission::Write, "nebuko%5Bbot%5D");
    assert_eq!(bot, ["GET /repos/acme/site/collaborators/nebuko%5Bbot%5D/permission"]);
    for login in ["", "..", "a/b", "a?b", "dana/../omar", "å"] {
        assert_eq!(
            check(login, says("admin", ""), Permission::None, "no login"),
            [""; 0],
            "{login:?} is not asked for"
        );
    }
}

#[test]
fn a_permission_that_is_not_told_stays_a_question() {
    let check = |answer: Answer, kind: FailureKind, why: &str, next: &str| {
        let server = Server::start(move |_| answer.clone());
        let found = failure(&mut live(&server.base, &Notes::default()), &permission_of("dana"));
        assert_eq!((found.kind, found.attempted.as_str()), (kind, "ask what dana may do in acme/site"), "{found:?}");
        assert!(found.why.contains(why) && found.next.contains(next), "{found:?}");
    };
    let must_push = "Must have push access to view collaborator permission.";
    check(message(403, must_push), FailureKind::Refused, must_push, "metadata: read");
    check(message(401, "Bad credentials"), FailureKind::Refused, "HTTP 401", "token");
    check(message(500, "x"), FailureKind::Unavailable, "HTTP 500", "githubstatus");
    let limited = message(403, "You have exceeded a secondary rate limit");
    check(limited, FailureKind::Unavailable, "secondary rate limit", "Run again");
    check(Answer::json(200, "<html>"), FailureKind::Unavailable, "unexpected body", "GITHUB_API_URL");
    check(Answer::json(200, json!({})), FailureKind::Unavailable, "unexpected body", "");
    check(Answer::json(200, json!({"permission": "owner"})), FailureKind::Refused, "\"owner\"", "administers");
    let echo = message(403, &format!("no {TOKEN}"));
    check(echo, FailureKind::Refused, "no ***", "");
}

#[test]
fn what_passes_is_asked_again() {
    let notes = Notes::default();
    let server =
        Server::rows(vec![message(502, "x"), Answer::Silence, Answer::json(200, json!({"permission": "read"}))]);
    let found = outcome(&mut live(&server.base, &notes), &permission_of("dana"), &mut ThreadSnapshot::default());
    assert!(matches!(found, Outcome::PermissionRead { permission: Permission::Read, .. }), "{found:?}");
    assert_eq!(notes.slept(), [1, 2]);
}

#[test]
fn a_workflow_of_another_repository_comes_as_it_is() {
    let check = |reference: &str, body: &str, line: &str| {
        let (server, notes) = (Server::rows(vec![text(body)]), Notes::default());
        let found = outcome(&mut live(&server.base, &notes), &workflow(reference), &mut ThreadSnapshot::default());
        assert_eq!(found, Outcome::WorkflowRead { source: body.into() });
        assert_eq!(server.lines(), [line]);
        let accepts = server.seen()[0].headers.iter().filter(|(name, _)| name == "accept").count();
        assert_eq!((server.seen()[0].header("accept"), accepts), (Some("application/vnd.github.raw+json"), 1));
    };
    check("acme/flows//a.yaml@v1", "name: a\r\n日本", "GET /repos/acme/flows/contents/a.yaml?ref=v1");
    let line = "GET /repos/acme/flows/contents/.nebuko/workflows/a%2Bb%23c.yaml?ref=feature%2Fx%26y";
    check("acme/flows//.nebuko/workflows/a+b#c.yaml@feature/x&y", "", line);
    check("a/b//c.yml@d", &" ".repeat(1024 * 1024), "GET /repos/a/b/contents/c.yml?ref=d");
}

#[test]
fn a_workflow_that_is_not_to_be_had_is_told_with_its_reason() {
    let check = |answer: Answer, kind: FailureKind, why: &str, next: &str| {
        let server = Server::start(move |_| answer.clone());
        let found = failure(&mut live(&server.base, &Notes::default()), &workflow("acme/flows//a.yaml@v1"));
        assert_eq!(found.attempted, "read the workflow acme/flows//a.yaml@v1");
        assert_eq!(found.kind, kind, "{found:?}");
        assert!(found.why.contains(why) && found.next.contains(next), "{found:?}");
    };
    let missing = "acme/flows has a.yaml at v1, and that the token can see acme/flows";
    check(message(404, "Not Found"), FailureKind::Refused, "HTTP 404", missing);
    check(message(403, "Resource not accessible"), FailureKind::Refused, "HTTP 403", "contents: read");
    check(message(503, "x"), FailureKind::Unavailable, "HTTP 503", "githubstatus");
    let listing = Answer::json(200, json!([{"name": "a"}])).with("Content-Type", "application/json; charset=utf-8");
    check(listing, FailureKind::Refused, "it is a folder", "Name a file");
    check(text(&" ".repeat(1024 * 1024 + 1)), FailureKind::Refused, "1048577 bytes", "Name a workflow");
}

#[test]
fn a_reference_that_leads_elsewhere_is_not_asked_for() {
    let server = Server::rows(vec![]);
    for reference in ["", "a.yaml", "acme/flows//../../user@v1", "acme/flows//a.yaml", "a/b//c@../d", "a/b?x//c@d"] {
        let found = failure(&mut live(&server.base, &Notes::default()), &workflow(reference));
        assert_eq!(found.kind, FailureKind::Refused, "{reference}: {found:?}");
        assert!(found.next.contains("acme/flows//workflows/review.yaml@v1"), "{found:?}");
    }
    assert_eq!(server.lines(), [""; 0]);
}

#[test]
fn a_folder_that_stands_for_github_is_read_in_its_place() {
    let folder = std::env::temp_dir().join(format!("nebuko-elsewhere-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("acme/flows/v1")).expect("the temporary folder takes a folder");
    std::fs::write(folder.join("acme/flows/v1/a.yaml"), "name: a\n").expect("the folder takes a file");
    let workplace = Workplace { elsewhere: Some(folder.clone()), ..Workplace::default() };
    let target = Target { api: nobody(), repo: "acme/site".into(), number: 12, token: None };
    let around = Notes::default().surroundings(&[]).at(workplace);
    let mut world = Live::new(target, None, around).expect("a good target");
    let found = outcome(&mut world, &workflow("acme/flows//a.yaml@v1"), &mut ThreadSnapshot::default());
    assert_eq!(found, Outcome::WorkflowRead { source: "name: a\n".into() });
    let found = failure(&mut world, &workflow("acme/flows//b.yaml@v1"));
    assert!(found.kind == FailureKind::Refused && found.next.contains("acme/flows/v1/b.yaml"), "{found:?}");
    std::fs::remove_dir_all(folder).expect("the folder is ours");
}
