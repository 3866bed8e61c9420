use std::collections::BTreeMap;

use nebuko::{
    event::{Failure, FailureKind, Outcome, Trigger},
    ids::Identity,
    setup::Setup,
    snapshot::{Account, Comment, Issue},
    time::Timestamp,
};

use super::*;
use crate::{
    record::{Chain, Header, Recorder, SEAL_BYTES},
    world::World,
};

/// A world in memory whose model is out of order.
struct Toy;

impl World for Toy {
    fn carry_out(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Event {
        let outcome = match effect {
            Effect::ReadThread { .. } => {
                *thread = a_thread();
                Outcome::ThreadRead
            }
            Effect::ReadViewer => Outcome::ViewerRead { viewer: Some(Identity::new(9, "bot")), how: "toy".into() },
            Effect::ReadPermission { .. }
            | Effect::ReadWorkflow { .. }
            | Effect::RunProcess { .. }
            | Effect::UseTool { .. }
            | Effect::Complete { .. } => Outcome::Failed { failure: out_of_order() },
            Effect::PostComment { body, .. } => Outcome::CommentPosted { comment: comment(90, body) },
            Effect::EditComment { id, body } => Outcome::CommentEdited { comment: comment(*id, body) },
            Effect::Tell { .. } => Outcome::Told,
        };
        Event::Answered { outcome, at: Timestamp::from_seconds(1_800_000_001) }
    }

    fn requests(&self) -> u64 {
        0
    }
}

fn out_of_order() -> Failure {
    Failure {
        kind: FailureKind::Local,
        attempted: "ask".into(),
        why: "no model".into(),
        next: "wait".into(),
        took_ms: 0,
    }
}

fn a_thread() -> ThreadSnapshot {
    let user = Account { id: 501, login: "dana".into(), kind: "User".into(), ..Account::default() };
    let issue = Issue {
        number: 7,
        title: "Crash".into(),
        body: "It crashes.".into(),
        user: user.clone(),
        author_association: "OWNER".into(),
        ..Issue::default()
    };
    let asks = Comment { user, author_association: "OWNER".into(), ..comment(11, "/nebuko status") };
    ThreadSnapshot { issue, comments: vec![asks], complete: true }
}

fn comment(id: u64, body: &str) -> Comment {
    Comment { id, body: body.into(), ..Comment::default() }
}

fn recording() -> Vec<u8> {
    let setup = Setup { repo: "acme/site".into(), number: 7, ..Setup::default() };
    let sources = BTreeMap::from([("workflows/a.yaml".to_owned(), "name: a\n".to_owned())]);
    let mut recorder = Recorder::start(Vec::new(), &Header::of(setup.clone(), sources));
    let trigger = Trigger::Manual;
    let at = Timestamp::from_seconds(1_800_000_000);
    drive(Run::new(setup), &mut Toy, ThreadSnapshot::default(), trigger, at, &mut recorder);
    recorder.finish().expect("memory takes every line")
}

fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8(bytes.to_vec()).expect("JSON is text").lines().map(str::to_owned).collect()
}

/// Seals changed lines anew, as somebody would who wants to hide the change.
fn resealed(lines: &[String]) -> Vec<u8> {
    let mut chain = Chain::default();
    let texts = lines.iter().map(|line| format!("{}}}", &line[..line.len() - SEAL_BYTES]));
    texts.map(|text| chain.seal(text)).collect::<String>().into_bytes()
}

#[test]
fn a_recording_replays_byte_for_byte() {
    let verdict = replay(&recording()).expect("readable");
    assert!(verdict.is_good(), "{verdict:#?}");
    assert_eq!(verdict.lines, lines(&recording()).len());
    assert!(verdict.steps > 0);
    assert_eq!(recording(), resealed(&lines(&recording())), "the seal is the chain's own");
}

#[test]
fn one_changed_byte_is_told_by_its_line_with_a_field_and_both_values() {
    let whole = recording();
    // Some places all over, and every line's start and end. That every byte finds its line is tested in `lines`.
    let ends = (0..whole.len()).filter(|&at| whole[at] == b'\n').flat_map(|at| [at - 1, at, at + 1]);
    let places = (0..whole.len()).step_by((whole.len() / 40).max(1)).chain(ends).filter(|&at| at < whole.len());
    for at in places {
        let number = whole[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        for new in [whole[at] ^ 1, b'"', b'\n', 0xff] {
            let mut changed = whole.clone();
            changed[at] = new;
            if changed == whole {
                continue;
            }
            let verdict = replay(&changed).expect("it is still a recording");
            let told = format!("byte {at} of line {number} as {new}: {:#?}", verdict.differences);
            assert!(verdict.differences.first().is_some_and(|first| first.line == number), "{told}");
            assert!(verdict.differences.iter().any(|one| one.line == number && one.is_plain()), "{told}");
            let shown = verdict.differences.iter().flat_map(|one| [&one.recorded, &one.computed]);
            assert!(!shown.clone().any(|text| text.contains(char::is_control)), "{told}");
        }
    }
}

#[test]
fn what_was_changed_is_named_by_its_field_also_where_it_is_no_json_any_more() {
    let text = String::from_utf8(recording()).expect("text");
    let check = |from: &str, to: &[u8], field: &str, recorded: &str| {
        let at = text.find(from).expect("it is there");
        let changed = [&text.as_bytes()[..at], to, &text.as_bytes()[at + from.len()..]].concat();
        let differences = replay(&changed).expect("a recording").differences;
        let named = differences.iter().any(|one| one.field == field && one.recorded.contains(recorded));
        assert!(named, "{from}: {differences:#?}");
    };
    // In the header, in an event, in an effect, in the end.
    check("\"acme/site\"", b"\"acme\nsite\"", "/sha256", "");
    check("\"repo\":\"", b"\"repo\":*", "/setup/repo", "\"repo\":*");
    check("\"answered\"", b"\"answeret\"", "/event/answeret", "answeret");
    check("It crashes.", b"It\ncrashes.", "/thread/whole/issue/body", "It\\ncrashes.");
    check("It crashes.", b"It\xffcrashes.", "/thread/whole/issue/body", "It\\xFFcrashes.");
    check("reading the thread", b"reading\nthe thread", "/effects/0/tell/text", "reading\\nthe");
    check("reading the thread", b"reading\xffthe thread", "/effects/0/tell/text", "reading\\xFFthe");
    check("{\"end\":\"", b"{\"end\":\xff", "/end", "\\xFF");
}

#[test]
fn a_changed_line_is_named_also_when_nothing_depends_on_it() {
    let text = String::from_utf8(recording()).expect("text");
    let check = |from: &str, to: &str, line: usize| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from} is there");
        let verdict = replay(changed.as_bytes()).expect("readable");
        let first = verdict.differences.first().expect("a difference");
        assert_eq!((first.line, first.recorded == first.computed), (line, false), "{from}: {first:?}");
    };
    check("acme/site", "acme/sitf", 1);
    check("name: a", "name: b", 1);
    check("2027-01-15T08:00:00Z", "2027-01-15T08:00:01Z", 2);
}

#[test]
fn a_state_that_was_changed_and_sealed_anew_is_named_with_both_values() {
    let mut lines = lines(&recording());
    let step = lines.iter().position(|line| line.starts_with("{\"effects\"")).expect("a step");
    let state = lines[step].find("\"state\":\"").expect("a state") + "\"state\":\"".len();
    let digit = if &lines[step][state..=state] == "0" { "1" } else { "0" };
    lines[step].replace_range(state..=state, digit);
    let verdict = replay(&resealed(&lines)).expect("readable");
    let told: Vec<_> = verdict.differences.iter().map(|one| (one.line, one.field.as_str())).collect();
    assert_eq!(told, [(step + 1, "/state")]);
    assert_eq!(&verdict.differences[0].recorded[1..=1], digit);
    assert_ne!(verdict.differences[0].recorded, verdict.differences[0].computed);
}

#[test]
fn an_answer_too_many_or_too_few_is_a_difference() {
    let told = lines(&recording());
    let end = told.len() - 1;
    let extra = "{\"event\":{\"answered\":{\"outcome\":\"told\",\"at\":\"2027-01-15T08:00:01Z\"}}";
    let extra = format!("{extra},\"sha256\":\"{}\"}}", "0".repeat(64));
    let mut more = told.clone();
    more.insert(end, extra.clone());
    let mut without_end = told.clone();
    without_end[end] = extra.clone();
    let mut behind = told.clone();
    behind.push(extra);
    let mut fewer = told.clone();
    fewer.remove(end - 1);
    let trailing = [recording(), b"{".to_vec()].concat();
    assert!(!replay(&trailing).expect("readable").is_good());
    for (name, lines) in [("more", more), ("without end", without_end), ("behind", behind), ("fewer", fewer)] {
        let verdict = replay(&resealed(&lines)).expect("readable");
        assert!(!verdict.is_good(), "{name}");
        assert!(name == "without end" || !verdict.differences.is_empty(), "{name}: {verdict:?}");
    }
}

#[test]
fn a_recording_that_was_cut_short_says_so_and_nothing_else() {
    let told = lines(&recording());
    for kept in 2..told.len() {
        let mut cut = told[..kept].join("\n");
        cut.push('\n');
        let half_a_line = format!("{cut}{}", &told[kept][..told[kept].len() / 2]);
        for text in [cut, half_a_line] {
            let verdict = replay(text.as_bytes()).expect("readable");
            assert_eq!((verdict.whole, verdict.differences.as_slice()), (false, &[][..]), "{kept} lines");
        }
    }
}

#[test]
fn what_is_no_recording_is_unreadable() {
    let check = |bytes: &[u8], why: &str| {
        let error = replay(bytes).expect_err("unreadable");
        assert!(error.why.contains(why), "{error}");
    };
    let told = lines(&recording());
    let newer = told[0].replacen("\"recording\":1", "\"recording\":2", 1);
    check(b"", "it is empty");
    check(b"{\"recording\":1,\"eng", "cut inside its first line");
    check(b"{\"issue\":{}", "does not start with the header");
    check(b"\n", "does not start with the header");
    check(b"{\"issue\":{}}\n", "does not start with the header");
    check(&[0xff, 0xfe, b'\n'], "does not start with the header");
    check(format!("{}\n", told[1]).as_bytes(), "does not start with the header");
    check(&resealed(&[newer.clone(), told[1].clone()]), "format 2");
    check(format!("{}\n", told[0]).as_bytes(), "cut after its first line");
    check(&resealed(&[told[0].clone(), told[2].clone()]), "not the wake-up");
}
