//! A world whose secrets are masked on the way in and out.
//!
//! Masking what comes in, before the core sees it, keeps secrets out of prompts, posts, logs and recordings at
//! once, and leaves a recording that replays byte for byte: the core only ever knew the masked text.

use std::{borrow::Cow, rc::Rc};

use nebuko::{
    effect::Effect,
    event::{Event, Failure, Outcome, Trigger},
    process::{Captured, ProcessEnd, Ran},
    report::Report,
    snapshot::{Account, Comment, Issue, ThreadSnapshot},
    workspace::ToolDone,
};

use crate::{secret::Masker, world::World};

/// Wraps a world so that no secret of this process passes.
pub struct Masked {
    world: Box<dyn World>,
    masker: Rc<Masker>,
}

impl Masked {
    /// Wraps a world.
    pub fn new(world: Box<dyn World>, masker: Rc<Masker>) -> Self {
        Self { world, masker }
    }

    /// Gives what wakes the engine, which comes from outside as well.
    pub fn wake_up(&self, mut trigger: Trigger) -> Trigger {
        if let Trigger::Other { name } = &mut trigger {
            self.masker.mask_in(name);
        }
        trigger
    }

    /// Gives the end of a run as it may be shown. Nothing is left to mask in it, unless the core put a secret
    /// together from parts.
    pub fn shown(&self, report: Report) -> Report {
        let json = serde_json::to_string(&report).expect("a report is plain data");
        let Cow::Owned(masked) = self.masker.mask(&json) else {
            return report;
        };
        serde_json::from_str(&masked).unwrap_or_else(|_| Report {
            detail: "the report holds a secret where it cannot be masked, and is not shown".into(),
            posted: Vec::new(),
            unposted: Vec::new(),
            state: None,
            ..report
        })
    }
}

impl World for Masked {
    fn carry_out(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Event {
        let effect = outgoing(effect, &self.masker);
        let mut event = self.world.carry_out(&effect, thread);
        if let Event::Answered { outcome, .. } = &mut event {
            incoming(outcome, thread, &self.masker);
        }
        event
    }

    fn requests(&self) -> u64 {
        self.world.requests()
    }
}

/// What is posted is masked again: a text can be put together from parts that are no secret by themselves.
fn outgoing<'a>(effect: &'a Effect, masker: &Masker) -> Cow<'a, Effect> {
    let (Effect::PostComment { body, .. } | Effect::EditComment { body, .. }) = effect else {
        return Cow::Borrowed(effect);
    };
    let Cow::Owned(masked) = masker.mask(body) else {
        return Cow::Borrowed(effect);
    };
    let mut effect = effect.clone();
    if let Effect::PostComment { body, .. } | Effect::EditComment { body, .. } = &mut effect {
        *body = masked;
    }
    Cow::Owned(effect)
}

fn incoming(outcome: &mut Outcome, thread: &mut ThreadSnapshot, masker: &Masker) {
    match outcome {
        Outcome::ThreadRead => {
            mask_issue(&mut thread.issue, masker);
            thread.comments.iter_mut().for_each(|comment| mask_comment(comment, masker));
        }
        Outcome::ViewerRead { viewer, how } => {
            viewer.iter_mut().for_each(|viewer| masker.mask_in(&mut viewer.login));
            masker.mask_in(how);
        }
        Outcome::PermissionRead { permission: _, how } => masker.mask_in(how),
        Outcome::WorkflowRead { source } => masker.mask_in(source),
        Outcome::ProcessRan { ran } => mask_ran(ran, masker),
        Outcome::ToolUsed { done } => {
            let ToolDone { ok: _, text, took_ms: _ } = &mut **done;
            masker.mask_in(text);
        }
        Outcome::Completed { body, took_ms: _ } => masker.mask_in(body),
        Outcome::CommentPosted { comment } | Outcome::CommentEdited { comment } => mask_comment(comment, masker),
        Outcome::Told => {}
        Outcome::Failed { failure } => {
            let Failure { kind: _, attempted, why, next, took_ms: _ } = failure;
            [attempted, why, next].into_iter().for_each(|text| masker.mask_in(text));
        }
    }
}

// Every field is named, so that a new one is not forgotten. What GitHub itself words (the kind of an account, its
// relation to the repository) holds nobody's secret.

fn mask_issue(issue: &mut Issue, masker: &Masker) {
    let Issue {
        id: _,
        number: _,
        title,
        body,
        html_url,
        user,
        created_at,
        updated_at,
        author_association: _,
        comments: _,
        pull_request: _,
    } = issue;
    [title, body, html_url, created_at, updated_at].into_iter().for_each(|text| masker.mask_in(text));
    mask_account(user, masker);
}

fn mask_comment(comment: &mut Comment, masker: &Masker) {
    let Comment { id: _, body, html_url, user, created_at, updated_at, author_association: _ } = comment;
    [body, html_url, created_at, updated_at].into_iter().for_each(|text| masker.mask_in(text));
    mask_account(user, masker);
}

fn mask_ran(ran: &mut Ran, masker: &Masker) {
    let Ran { end, stdout, stderr, took_ms: _ } = ran;
    for Captured { head, tail, left_out: _, replaced: _ } in [stdout, stderr] {
        [head, tail].into_iter().for_each(|text| masker.mask_in(text));
    }
    if let ProcessEnd::NotStarted { why } = end {
        masker.mask_in(why);
    }
}

fn mask_account(account: &mut Account, masker: &Masker) {
    let Account { id: _, login, name, kind: _ } = account;
    [login, name].into_iter().for_each(|text| masker.mask_in(text));
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use nebuko::{
        event::{FailureKind, Permission},
        ids::Identity,
        report::{Reason, RunOutcome},
        time::Timestamp,
    };

    use super::*;
    use crate::secret::Secret;

    const SECRET: &str = "hunter2/hunter2";

    struct Echo {
        outcome: Outcome,
        thread: ThreadSnapshot,
        asked: Arc<Mutex<Vec<Effect>>>,
    }

    impl World for Echo {
        fn carry_out(&mut self, effect: &Effect, thread: &mut ThreadSnapshot) -> Event {
            self.asked.lock().expect("one thread").push(effect.clone());
            *thread = self.thread.clone();
            Event::Answered { outcome: self.outcome.clone(), at: Timestamp::default() }
        }
        fn requests(&self) -> u64 {
            0
        }
    }

    fn comment(body: &str) -> Comment {
        Comment { id: 1, body: body.into(), ..Comment::default() }
    }

    /// Gives everything that came through, as JSON.
    fn passed(effect: Effect, outcome: Outcome) -> String {
        let mut thread = ThreadSnapshot::default();
        let read = ThreadSnapshot { comments: vec![comment(&format!("my key is {SECRET}"))], ..thread.clone() };
        let masker = Rc::new(Masker::new([], &[Secret::new(SECRET)]));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let echo = Echo { outcome, thread: read, asked: asked.clone() };
        let mut world = Masked::new(Box::new(echo), masker);
        let event = world.carry_out(&effect, &mut thread);
        let read = matches!(event, Event::Answered { outcome: Outcome::ThreadRead, .. });
        let thread = if read { format!("{thread:?}") } else { String::new() };
        format!(
            "{} {event:?} {thread}",
            serde_json::to_string(&*asked.lock().expect("one thread")).expect("plain data")
        )
    }

    #[test]
    fn no_secret_passes_in_or_out() {
        let check = |effect: Effect, outcome: Outcome| {
            let passed = passed(effect, outcome);
            assert!(passed.contains("***") && !passed.contains("unter2"), "{passed}");
        };
        let read = || Effect::ReadThread { since: None };
        let failed = |attempted: &str, why: &str, next: &str| Outcome::Failed {
            failure: Failure {
                kind: FailureKind::Refused,
                attempted: attempted.into(),
                why: why.into(),
                next: next.into(),
                took_ms: 0,
            },
        };
        let completed = |body: &str| Outcome::Completed { body: body.into(), took_ms: 1 };
        let viewer =
            |login: &str, how: &str| Outcome::ViewerRead { viewer: Some(Identity::new(1, login)), how: how.into() };
        check(read(), Outcome::ThreadRead);
        check(read(), completed(&format!("{{\"a\":\"{SECRET}\"}}")));
        check(read(), completed(r#"{"a":[{"b":"\u0068unter2\/hunter2"}]}"#));
        check(read(), completed(r#"{"arguments":"{\"report\":\"\\u0068unter2\/hunter2\"}"}"#));
        check(read(), completed(r"<html>no JSON \u0068unter2/hunter2"));
        check(read(), viewer(SECRET, "h"));
        check(read(), viewer("l", SECRET));
        check(read(), Outcome::CommentPosted { comment: comment(SECRET) });
        check(read(), Outcome::CommentEdited { comment: Comment { html_url: SECRET.into(), ..comment("b") } });
        let ran = |ran: Ran| Outcome::ProcessRan { ran: Box::new(ran) };
        let captured =
            |head: &str, tail: &str| Captured { head: head.into(), tail: tail.into(), ..Captured::default() };
        check(read(), ran(Ran { stdout: captured(SECRET, ""), ..Ran::default() }));
        check(read(), ran(Ran { stdout: captured("", SECRET), ..Ran::default() }));
        check(read(), ran(Ran { stderr: captured(SECRET, ""), ..Ran::default() }));
        check(read(), ran(Ran { stderr: captured("", r"\u0068unter2/hunter2"), ..Ran::default() }));
        check(read(), ran(Ran { end: ProcessEnd::NotStarted { why: SECRET.into() }, ..Ran::default() }));
        let done = ToolDone { ok: true, text: format!("env:1: {SECRET}"), took_ms: 1 };
        check(read(), Outcome::ToolUsed { done: Box::new(done) });
        check(read(), Outcome::WorkflowRead { source: SECRET.into() });
        check(read(), Outcome::PermissionRead { permission: Permission::None, how: SECRET.into() });
        check(read(), failed(SECRET, "", ""));
        check(read(), failed("", SECRET, ""));
        check(read(), failed("", "", SECRET));
        check(Effect::PostComment { part: "p".into(), body: SECRET.into() }, Outcome::Told);
        check(Effect::EditComment { id: 1, body: SECRET.into() }, Outcome::Told);
    }

    #[test]
    fn every_text_of_a_thread_is_masked_and_no_number() {
        let text = || format!("a {SECRET} b");
        let user = Account { id: 12_345_678, login: text(), name: text(), kind: "User".into() };
        let mut thread = ThreadSnapshot {
            issue: Issue {
                title: text(),
                body: text(),
                html_url: text(),
                created_at: text(),
                updated_at: text(),
                user: user.clone(),
                ..Issue::default()
            },
            comments: vec![Comment {
                html_url: text(),
                created_at: text(),
                updated_at: text(),
                user,
                ..comment(&text())
            }],
            complete: true,
        };
        let masker = Masker::new([], &[Secret::new(SECRET), Secret::new("12345678")]);
        incoming(&mut Outcome::ThreadRead, &mut thread, &masker);
        let told = serde_json::to_string(&thread).expect("plain data");
        assert_eq!((told.matches("a *** b").count(), told.contains("hunter2")), (13, false), "{told}");
        assert!(told.contains("12345678"), "{told}");
    }

    #[test]
    fn a_wake_up_and_a_report_are_masked_too() {
        let masker = Rc::new(Masker::new([], &[Secret::new(SECRET)]));
        let echo = Echo { outcome: Outcome::Told, thread: ThreadSnapshot::default(), asked: Arc::default() };
        let world = Masked::new(Box::new(echo), masker);
        assert_eq!(world.wake_up(Trigger::Other { name: SECRET.into() }), Trigger::Other { name: "***".into() });
        assert_eq!(world.wake_up(Trigger::Manual), Trigger::Manual);
        let report = |detail: &str, unposted: &str| Report {
            outcome: RunOutcome::Failed,
            reason: Reason::PostFailed,
            detail: detail.into(),
            workflow: "w".into(),
            step: "s".into(),
            agent: "a".into(),
            run_id: 1,
            posted: Vec::new(),
            unposted: vec![unposted.into()],
            state: None,
        };
        assert_eq!(world.shown(report("it is hunter2/hunter2", r"\u0068unter2/hunter2")), report("it is ***", "***"));
        assert_eq!(world.shown(report("a", "b")), report("a", "b"));
    }
}
