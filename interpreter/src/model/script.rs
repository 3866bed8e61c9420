//! A model that reads its answers from a file, for tests and for a first run without any service.
//!
//! The file is a JSON list of chat-completion bodies, or one body after the other (JSON Lines). Each is handed over
//! as it stands; a JSON string stands for a body that is not JSON.

use std::{collections::VecDeque, io, path::Path};

use nebuko::{
    agent::ChatRequest,
    effect::Asking,
    event::{Failure, FailureKind, Outcome},
    problem::Problem,
};
use serde_json::{Deserializer, error::Category, value::RawValue};

use super::Model;
use crate::bounded::{SCRIPT_BYTES_MAX, read_bounded_text};

/// A model whose answers are written down.
#[derive(Clone, Debug)]
pub struct ScriptModel {
    file: String,
    total: usize,
    left: VecDeque<String>,
    asked: u64,
}

/// Why a file is no script.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("could not read the model script {file}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{0}")]
    Malformed(Box<Problem>),
}

impl ScriptModel {
    /// Reads a script from a file.
    ///
    /// # Errors
    /// `Unreadable` or `Malformed`, before any answer is used.
    pub fn open(path: &Path) -> Result<Self, ScriptError> {
        let file = path.display().to_string();
        match read_bounded_text(path, SCRIPT_BYTES_MAX) {
            Ok(text) => Self::parse(&file, &text).map_err(ScriptError::Malformed),
            Err(source) => Err(ScriptError::Unreadable { file, source }),
        }
    }

    /// Reads a script from its text; `file` is its name for people.
    ///
    /// # Errors
    /// The place of the first mistake, or that there is no answer at all.
    pub fn parse(file: &str, text: &str) -> Result<Self, Box<Problem>> {
        // Some editors write a byte-order mark, which JSON does not have.
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let bodies = if text.trim_start().starts_with('[') {
            serde_json::from_str::<Vec<Box<RawValue>>>(text)
        } else {
            Deserializer::from_str(text).into_iter::<Box<RawValue>>().collect()
        };
        let bodies = bodies.map_err(|error| Box::new(problem(file, &error)))?;
        if bodies.is_empty() {
            let hint = "write a JSON list of chat-completion bodies".into();
            return Err(Box::new(Problem {
                file: file.into(),
                line: 1,
                column: 1,
                what: "no answer in here".into(),
                hint,
                ..Problem::default()
            }));
        }
        let left: VecDeque<String> = bodies.iter().map(|body| body_text(body)).collect();
        Ok(Self { file: file.into(), total: left.len(), left, asked: 0 })
    }
}

impl Model for ScriptModel {
    fn complete(&mut self, request: &ChatRequest, _how: &Asking) -> Outcome {
        self.asked += 1;
        match self.left.pop_front() {
            Some(body) => Outcome::Completed { body, took_ms: 0 },
            None => Outcome::Failed {
                failure: Failure {
                    kind: FailureKind::Local,
                    attempted: format!("take the next answer of model {} from {}", request.model, self.file),
                    why: format!("the script holds {} and all were used", counted(self.total)),
                    next: format!("Add another chat-completion body to {}.", self.file),
                    took_ms: 0,
                },
            },
        }
    }

    fn requests(&self) -> u64 {
        self.asked
    }
}

fn body_text(body: &RawValue) -> String {
    serde_json::from_str::<String>(body.get()).unwrap_or_else(|_| body.get().to_owned())
}

fn problem(file: &str, error: &serde_json::Error) -> Problem {
    let what = match error.classify() {
        Category::Eof => "the file ends in the middle of an answer".to_owned(),
        Category::Io | Category::Syntax | Category::Data => format!("this is no JSON: {error}"),
    };
    let hint = "a script is a JSON list of chat-completion bodies, or one body a line".into();
    Problem {
        file: file.into(),
        line: error.line().max(1),
        column: error.column().max(1),
        what,
        hint,
        ..Problem::default()
    }
}

fn counted(total: usize) -> String {
    if total == 1 { "1 answer".into() } else { format!("{total} answers") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(text: &str) -> Vec<String> {
        let mut model = ScriptModel::parse("script.json", text).expect("the row gives a good script");
        let mut answers = Vec::new();
        while let Outcome::Completed { body, .. } = model.complete(&ChatRequest::default(), &Asking::default()) {
            answers.push(body);
        }
        answers
    }

    #[test]
    fn bodies_come_in_order_and_as_they_stand() {
        let check = |text: &str, bodies: &[&str]| assert_eq!(answers(text), bodies, "{text}");
        check(r#"[{"b": 1.10, "a":2},{"id":"x"}]"#, &[r#"{"b": 1.10, "a":2}"#, r#"{"id":"x"}"#]);
        check("{\"id\":1}\n{\"id\":2}\n", &[r#"{"id":1}"#, r#"{"id":2}"#]);
        check("{\r\n\"id\":1}\r\n\r\n{\"id\":2}", &["{\r\n\"id\":1}", r#"{"id":2}"#]);
        check("\u{FEFF} [ {} ]", &["{}"]);
        check(r#"["<html>oops</html>", {}, null]"#, &["<html>oops</html>", "{}", "null"]);
    }

    #[test]
    fn a_file_that_is_no_script_is_told_with_its_place() {
        let check = |text: &str, place: (usize, usize), what: &str| {
            let problem = ScriptModel::parse("s.json", text).expect_err(text);
            assert_eq!((problem.line, problem.column), place, "{problem}");
            assert!(problem.what.contains(what), "{problem}");
        };
        check("", (1, 1), "no answer");
        check("[]", (1, 1), "no answer");
        check("{\"a\":1}\n{\"a\":\n", (3, 1), "ends in the middle");
        check("{}\n{}\nnope\n", (3, 2), "no JSON");
        check("[{},]", (1, 5), "no JSON");
        check("[{}] {}", (1, 6), "no JSON");
        check("- id: 1\n", (1, 2), "no JSON");
    }

    #[test]
    fn running_out_names_the_file_and_the_count() {
        let mut model = ScriptModel::parse("demo.json", "[{},{}]").expect("a list of two");
        for _ in 0..2 {
            assert!(matches!(model.complete(&ChatRequest::default(), &Asking::default()), Outcome::Completed { .. }));
        }
        for _ in 0..2 {
            let outcome = model.complete(&ChatRequest::default(), &Asking::default());
            let told = matches!(&outcome, Outcome::Failed { failure } if failure.kind == FailureKind::Local
                && failure.attempted.contains("demo.json") && failure.why.contains("2 answers"));
            assert!(told, "{outcome:?}");
        }
        assert_eq!(model.requests(), 4, "each completion that was asked for counts");
    }
}
