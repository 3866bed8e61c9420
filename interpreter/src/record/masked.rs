//! A world whose secrets are masked on the way in and out.
//!
//! Masking what comes in, before the core sees it, keeps secrets out of prompts, posts, logs and recordings at
//! once, and leaves a recording that replays byte for byte: the core only ever knew the masked text.

use std::{borrow::Cow, rc::Rc};

use nebuko::{
    effect::Effect,
    event::{Event, Outcome},
    snapshot::ThreadSnapshot,
};
use serde_json::Value;

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
            mask(&mut thread.issue.title, masker);
            mask(&mut thread.issue.body, masker);
            thread.comments.iter_mut().for_each(|comment| mask(&mut comment.body, masker));
        }
        Outcome::ViewerRead { how, .. } => mask(how, masker),
        Outcome::Completed { body, .. } => mask_json(body, masker),
        Outcome::CommentPosted { comment } | Outcome::CommentEdited { comment } => mask(&mut comment.body, masker),
        Outcome::Told => {}
        Outcome::Failed { failure } => {
            for text in [&mut failure.attempted, &mut failure.why, &mut failure.next] {
                mask(text, masker);
            }
        }
    }
}

fn mask(text: &mut String, masker: &Masker) {
    if let Cow::Owned(masked) = masker.mask(text) {
        *text = masked;
    }
}

/// Masks a JSON text also where escapes hide a secret; without any it stays byte for byte as it came.
fn mask_json(body: &mut String, masker: &Masker) {
    mask(body, masker);
    if !body.contains("\\u") && !body.contains("\\/") {
        return;
    }
    let Ok(mut value) = serde_json::from_str(body) else {
        return;
    };
    if mask_value(&mut value, masker) {
        *body = value.to_string();
    }
}

/// Masks every text below a value and tells whether there was one to mask. JSON's own depth bound holds here.
fn mask_value(value: &mut Value, masker: &Masker) -> bool {
    match value {
        Value::String(text) => match masker.mask(text) {
            Cow::Owned(masked) => {
                *text = masked;
                true
            }
            Cow::Borrowed(_) => false,
        },
        Value::Array(items) => items.iter_mut().fold(false, |any, item| mask_value(item, masker) | any),
        Value::Object(map) => map.values_mut().fold(false, |any, item| mask_value(item, masker) | any),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use nebuko::{event::Failure, event::FailureKind, snapshot::Comment, time::Timestamp};

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
            assert!(passed.contains("***") && !passed.contains("hunter2"), "{passed}");
        };
        let read = || Effect::ReadThread { since: None };
        let failure = |why: &str| Failure {
            kind: FailureKind::Refused,
            attempted: "a".into(),
            why: why.into(),
            next: String::new(),
        };
        check(read(), Outcome::ThreadRead);
        check(read(), Outcome::Completed { body: format!("{{\"a\":\"{SECRET}\"}}"), took_ms: 1 });
        check(read(), Outcome::Completed { body: r#"{"a":[{"b":"\u0068unter2\/hunter2"}]}"#.into(), took_ms: 1 });
        check(read(), Outcome::CommentPosted { comment: comment(SECRET) });
        check(read(), Outcome::Failed { failure: failure(SECRET) });
        check(Effect::PostComment { part: "p".into(), body: SECRET.into() }, Outcome::Told);
        check(Effect::EditComment { id: 1, body: SECRET.into() }, Outcome::Told);
    }

    #[test]
    fn an_answer_without_secrets_stays_as_it_came() {
        let body = "{ \"a\": \"caf\\u00e9\",\r\n \"b\": 1.50 }";
        let mut masked = body.to_owned();
        mask_json(&mut masked, &Masker::new([], &[Secret::new(SECRET)]));
        assert_eq!(masked, body);
    }
}
