#![allow(clippy::panic)]

use std::{fs, thread};

use nebuko::agent::ChatRequest;

use super::*;
use crate::{clock::SystemClock, scratch::Scratch, secret::Masker};

struct NoModel;

impl Model for NoModel {
    fn complete(&mut self, _request: &ChatRequest, _how: &nebuko::effect::Asking) -> Outcome {
        Outcome::Told
    }
}

fn world(folder: &Scratch) -> Result<(Local, About), Error> {
    let surroundings = Surroundings::new(SystemClock::start(), |_, _| {}, Masker::none());
    Local::open(folder.path(), surroundings, Box::new(NoModel))
}

fn thread_in(folder: &Scratch) -> ThreadSnapshot {
    read(folder.path()).expect("the folder reads").thread
}

const ISSUE: &str =
    "---\nauthor: dana\nauthor_id: 501\nassociation: OWNER\nnumber: 7\ntitle: A crash\n---\n\nIt crashes.\n";

fn outcome(world: &mut Local, effect: &Effect, thread: &mut ThreadSnapshot) -> Outcome {
    match world.carry_out(effect, thread) {
        Event::Answered { outcome, .. } => outcome,
        Event::Woken { .. } => panic!("an effect is answered"),
    }
}

#[test]
fn a_folder_reads_as_a_thread() {
    let temp = Scratch::with(&[
        ("issue.md", ISSUE),
        ("0010-lee.md", "---\nauthor_id: 9\nassociation: MEMBER\ncreated_at: 2026-10-02T00:00:00Z\n---\nten\n"),
        ("0002-dana.md", "two, without a front matter\n"),
        ("0003-x.md", "---\nauthor: helper[bot]\nid: 5794187059\n---\n\nlast by its id"),
        ("README.md", "not of the thread"),
        (".0004-nebuko.md", "not of the thread"),
        ("notes-0005.md", "not of the thread"),
        ("0006-a.txt", "not of the thread"),
    ]);
    let (mut world, about) = world(&temp).expect("the folder opens");
    let mut thread = ThreadSnapshot::default();
    assert_eq!(outcome(&mut world, &Effect::ReadThread { since: None }, &mut thread), Outcome::ThreadRead);
    assert_eq!((about.number, about.engine.id, about.engine.login.as_str()), (7, 1, "nebuko[bot]"));
    assert!(about.repo.starts_with("local/nebuko-"), "{about:?}");
    assert_eq!((thread.issue.title.as_str(), thread.issue.body.as_str()), ("A crash", "It crashes."));
    let told: Vec<_> = thread
        .comments
        .iter()
        .map(|one| (one.id, one.user.login.as_str(), one.user.kind.as_str(), one.author_association.as_str()))
        .collect();
    let expected = [
        (2, "dana", "User", "OWNER"), // as the issue says of the same person
        (10, "lee", "User", "MEMBER"),
        (5_794_187_059, "helper[bot]", "Bot", "NONE"),
    ];
    assert_eq!(told, expected);
    assert_eq!(thread.comments[0].body, "two, without a front matter");
    assert_eq!(thread.comments[1].created_at, "2026-10-02T00:00:00Z");
    assert!(thread.comments[0].html_url.ends_with("/0002-dana.md"));
}

#[test]
fn the_owner_of_a_login_is_not_whoever_uses_it_with_another_id() {
    let temp = Scratch::with(&[("issue.md", ISSUE), ("0001-dana.md", "---\nauthor_id: 777\n---\nhello\n")]);
    assert_eq!(thread_in(&temp).comments[0].author_association, "NONE");
}

#[test]
fn what_is_wrong_is_told_with_file_and_line() {
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let temp = Scratch::with(files);
        let error = world(&temp).err().map(|error| error.to_string()).unwrap_or_default();
        for part in expected {
            assert!(error.contains(part), "{files:?}: {error:?} has no {part:?}");
        }
    };
    check(&[], &["could not read", "issue.md", "next:"]);
    check(&[("issue.md", "no front matter")], &["issue.md:1:1: who opened", "`author: LOGIN`"]);
    check(&[("issue.md", "---\nauthor: dana\nno end")], &["issue.md:1:1", "never ends"]);
    check(&[("issue.md", "---\nauthor: dana\nnumber: many\n---\n")], &["issue.md:3:9: `number: many`"]);
    check(&[("issue.md", "---\nauthor: dana\nautor_id: 1\n---\n")], &["issue.md:3:1: `autor_id`", "author_id"]);
    check(&[("issue.md", "---\nauthor: dana\nassociation: BOSS\n---\n")], &["issue.md:3:14: `BOSS`", "OWNER"]);
    check(&[("issue.md", "---\nauthor: [dana]\n---\n")], &["issue.md:2:9: `author` is a list"]);
    check(&[("issue.md", "---\n- a\n---\n")], &["issue.md:2", "no map"]);
    check(&[("issue.md", ISSUE), ("0001-a.md", "---\ncreated_at: today\n---\n")], &["0001-a.md:2:13: `created_at"]);
    check(&[("issue.md", ISSUE), ("0000-a.md", "x")], &["0000-a.md:1:1: `0000-a.md` starts with no"]);
    let issue = |line: &str| format!("---\nauthor: dana\n{line}\n---\n");
    let one = |line: &str, told: &str| check(&[("issue.md", &issue(line))], &[&format!("issue.md:3:{told}")]);
    one("number: 0", "9: `number: 0` names nothing");
    one("number: +7", "9: `number: +7` is no number");
    one("number: 9007199254740992", "9: `number: 9007199254740992` is too high");
    one("author_id: 99999999999999999999999", "12: `author_id: 99999999999999999999999` is too high");
    one("id: 0", "5: `id: 0` names");
    one("engine_id: 0", "12: `engine_id: 0` names");
    one("type: Robot", "7: `type: Robot` is no kind");
    one("repo: not-a-repo", "7: `repo: not-a-repo`: ");
    check(&[("issue.md", ISSUE), ("0001-a.md", "---\nid: 9007199254740992\n---\n")], &["0001-a.md:2:5: `id"]);
    check(&[("issue.md", ISSUE), ("9007199254740992-a.md", "x")], &["-a.md:1:1: `9007199254740992-a.md` starts"]);
    check(&[("issue.md", ISSUE), ("99999999999999999999-a.md", "---\nid: 5\n---\n")], &["-a.md:1:1: `9999"]);
    check(&[("issue.md", ISSUE), ("0001-a.md", "")], &["0001-a.md:1:1: the file is empty", "remove it"]);
    check(&[("0001-a.md", ""), ("0000-b.md", "x")], &["issue.md:1:1: No such", "0001-a.md:1:1", "0000-b.md:1:1"]);
    check(&[("issue.md", ISSUE), ("1-a.md", "x"), ("0001-b.md", "y")], &["the id 1 is", "another number"]);
    check(&[("issue.md", "---\na: [\n---\n"), ("0000-a.md", "x")], &["issue.md:", "0000-a.md:1:1"]);
    let missing = read(Path::new("/nowhere/at/all")).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(missing.contains("/nowhere/at/all") && missing.contains("--local"), "{missing}");
}

#[test]
fn invalid_text_and_links_are_refused_with_everything_else() {
    let temp = Scratch::with(&[("issue.md", ISSUE), ("0002-b.md", "---\nauthor_id: x\n---\n")]);
    fs::write(temp.path().join("0001-a.md"), b"one\ntw\xff").expect("a file");
    let told = world(&temp).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(told.contains("0001-a.md:2:3: here it is not UTF-8") && told.contains("0002-b.md:2:12"), "{told}");
    fs::remove_file(temp.path().join("0001-a.md")).expect("it is there");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/hostname", temp.path().join("0001-a.md")).expect("a link");
        let told = world(&temp).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told.contains("0001-a.md:1:1: it is not a regular file") && told.contains("0002-b.md"), "{told}");
    }
}

#[test]
fn the_highest_id_is_the_last() {
    let temp = Scratch::with(&[("issue.md", ISSUE), ("9007199254740991-a.md", "x")]);
    let (mut world, _) = world(&temp).expect("it is an id");
    let effect = Effect::PostComment { part: "p".into(), body: "b".into() };
    let outcome = outcome(&mut world, &effect, &mut ThreadSnapshot::default());
    assert!(matches!(&outcome, Outcome::Failed { failure } if failure.why.contains("no higher id")), "{outcome:?}");
}

#[test]
fn a_post_is_a_new_file_that_reads_back_byte_for_byte() {
    let bodies =
        ["plain", "", "\n\nlines before", "lines after\n\n", "a\r\nb", "---\nauthor: x\n---\n", "日本\u{feff}", " \t"];
    for body in bodies {
        let temp = Scratch::with(&[("issue.md", ISSUE), ("0041-dana.md", "hello")]);
        let (mut world, _) = world(&temp).expect("the folder opens");
        let effect = Effect::PostComment { part: "p".into(), body: body.into() };
        let Outcome::CommentPosted { comment } = outcome(&mut world, &effect, &mut ThreadSnapshot::default()) else {
            panic!("{body:?} is posted");
        };
        assert_eq!(comment.html_url, url_of(&temp, "0042-nebuko.md"));
        assert_eq!(thread_in(&temp).comments.last(), Some(&comment), "{body:?}");
        assert_eq!((comment.id, comment.body.as_str(), comment.user.is_bot()), (42, body, true));
        assert_eq!(fs::read_dir(temp.path()).expect("the folder").count(), 3, "nothing half-written stays");
    }
}

fn url_of(temp: &Scratch, name: &str) -> String {
    temp.path().join(name).display().to_string()
}

#[test]
fn an_edit_changes_the_body_and_nothing_else() {
    let file = "---\nauthor: lee\nid: 5\n# kept\ncreated_at: 2026-10-02T00:00:00Z\n---\n\nold\n";
    let temp = Scratch::with(&[("issue.md", ISSUE), ("0003-lee.md", file)]);
    let (mut world, _) = world(&temp).expect("the folder opens");
    for body in ["new", "newer\n---\n"] {
        let effect = Effect::EditComment { id: 5, body: body.into() };
        let Outcome::CommentEdited { comment } = outcome(&mut world, &effect, &mut ThreadSnapshot::default()) else {
            panic!("it is edited");
        };
        assert_eq!(thread_in(&temp).comments, std::slice::from_ref(&comment));
        assert_eq!((comment.body.as_str(), comment.user.login.as_str(), comment.is_edited()), (body, "lee", true));
    }
    let text = fs::read_to_string(temp.path().join("0003-lee.md")).expect("the file");
    assert!(text.contains("# kept") && text.matches("updated_at:").count() == 1, "{text}");
    let effect = Effect::EditComment { id: 6, body: "new".into() };
    let outcome = outcome(&mut world, &effect, &mut ThreadSnapshot::default());
    let Outcome::Failed { failure } = outcome else { panic!("there is no such comment: {outcome:?}") };
    assert_eq!(failure.kind, nebuko::event::FailureKind::Local);
}

#[test]
fn posts_at_the_same_moment_never_replace_each_other() {
    let temp = Scratch::with(&[("issue.md", ISSUE)]);
    thread::scope(|scope| {
        for one in 0..8 {
            let folder = temp.path();
            scope.spawn(move || {
                for two in 0..5 {
                    let now = nebuko::time::Timestamp::from_seconds(1_800_000_000);
                    write::post(folder, &format!("{one}/{two}"), now).expect("posted");
                }
            });
        }
    });
    let mut bodies: Vec<_> = thread_in(&temp).comments.into_iter().map(|comment| comment.body).collect();
    bodies.sort();
    bodies.dedup();
    assert_eq!(bodies.len(), 40);
    assert_eq!(fs::read_dir(temp.path()).expect("the folder").count(), 41);
}

#[test]
fn any_body_survives_the_file() {
    fn holds(body: String) -> bool {
        let temp = Scratch::with(&[("issue.md", ISSUE)]);
        let now = nebuko::time::Timestamp::from_seconds(1_800_000_000);
        write::post(temp.path(), &body, now).is_ok() && thread_in(&temp).comments[0].body == body
    }
    quickcheck::QuickCheck::new().tests(30).quickcheck(holds as fn(String) -> bool);
}

#[test]
fn everybody_may_write_where_the_folder_does_not_say_less() {
    let issue = |lines: &str| format!("---\nauthor: dana\n{lines}---\n");
    let check = |lines: &str, login: &str, expected: Permission, how: &str| {
        let temp = Scratch::with(&[("issue.md", &issue(lines))]);
        let (mut world, _) = world(&temp).expect("the folder opens");
        let effect = Effect::ReadPermission { login: login.into() };
        match outcome(&mut world, &effect, &mut ThreadSnapshot::default()) {
            Outcome::PermissionRead { permission, how: told } => {
                assert!(permission == expected && told.starts_with(how), "{lines}: {permission:?} by {told}");
            }
            other => panic!("{lines}: {other:?}"),
        }
    };
    check("", "dana", Permission::Write, "the default of a local thread; `permissions` in");
    check("permissions:\n", "dana", Permission::Write, "the default");
    let listed = "permissions:\n  dana: admin\n  Omar: read\n  lee: none\n  lee2: 'write'\n";
    check(listed, "dana", Permission::Admin, "`permissions` in");
    check(listed, "oMAR", Permission::Read, "`permissions` in");
    check(listed, "lee", Permission::None, "`permissions` in");
    check(listed, "lee2", Permission::Write, "`permissions` in");
    check(listed, "zoe", Permission::Write, "the default");
    check("permissions: {dana: admin, DANA: read}\n", "dana", Permission::Read, "`permissions` in");
    let wrong = |lines: &str, expected: &str| {
        let temp = Scratch::with(&[("issue.md", &issue(lines))]);
        let error = world(&temp).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(expected), "{lines}: {error:?} has no {expected:?}");
    };
    wrong("permissions: {dana: maintain}\n", "issue.md:3:21: what `dana` may do");
    wrong("permissions: {dana: [write]}\n", "issue.md:3:21: what `dana` may do");
    wrong("permissions: {dana: }\n", "what `dana` may do");
    wrong("permissions: write\n", "issue.md:3:14: `permissions` is a");
    wrong("permissions: [dana]\n", "issue.md:3:14: `permissions` is a list");
    let temp = Scratch::with(&[("issue.md", &issue("")), ("0001-lee.md", "---\npermissions: {lee: read}\n---\nx\n")]);
    let error = world(&temp).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("0001-lee.md:2:1: `permissions` is no key here"), "{error}");
}

#[test]
fn what_needs_a_place_to_work_in_says_so() {
    let temp = Scratch::with(&[("issue.md", ISSUE)]);
    let (mut world, _) = world(&temp).expect("the folder opens");
    let mut check = |effect: Effect, words: &str| match outcome(&mut world, &effect, &mut ThreadSnapshot::default()) {
        Outcome::Failed { failure } => assert!(format!("{failure:?}").contains(words), "{failure:?}"),
        other => panic!("{effect:?}: {other:?}"),
    };
    check(Effect::ReadWorkflow { reference: "a/b//c.yaml@d".into() }, "--elsewhere DIR");
    check(Effect::RunProcess { process: Box::default() }, "no checkout");
}
