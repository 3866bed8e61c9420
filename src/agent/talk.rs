//! One step's conversation with a model: bounded, and repaired where the model slips (decision 8).

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{Call, ChatRequest, ContentPart, Fault, FunctionCall, Message, ToolCall, Turn, is_visible, reply, tools},
    dispatch::Dispatch,
};

/// A conversation between two answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Talk {
    /// The request that was sent last, with everything said so far.
    pub(crate) request: ChatRequest,
    turns: u32,
    unreadable: u32,
    empty: u32,
    cut: u32,
    bad_calls: u32,
    dispatch: Option<Dispatch>,
    result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    /// What it cost so far.
    pub(crate) spent: Spent,
}

/// Gives the text of a skill by its name, or says why there is none.
pub(crate) type Skills<'s> = &'s dyn Fn(&str) -> Result<String, String>;

/// What a conversation cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub(crate) model: String,
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) cached: u64,
    pub(crate) reasoning: u64,
    pub(crate) took_ms: u64,
    pub(crate) calls: u64,
    pub(crate) failed_calls: u64,
}

/// What an answer came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The model is to be asked again; why, in words.
    Again(String),
    /// The step has its report.
    Done(Box<Said>),
    /// The step failed.
    Failed {
        /// Whether the model's service is at fault, rather than what the model said.
        by_service: bool,
        /// Why, in words.
        why: String,
    },
}

/// What a step said in the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Said {
    /// The report.
    pub(crate) report: String,
    /// The hand-off; the default where the model gave none.
    pub(crate) dispatch: Dispatch,
    /// The result key, where the model gave one.
    pub(crate) result: Option<String>,
    /// The agent that is called and comes back, where the model calls one.
    #[serde(default)]
    pub(crate) call: Option<String>,
}

impl Talk {
    /// Opens a conversation.
    pub(crate) fn new(model: &str, messages: Vec<Message>) -> Self {
        let request = ChatRequest { model: model.into(), messages, tools: tools::all(), ..ChatRequest::default() };
        Self { request, ..Self::default() }
    }

    /// Takes an answer in. `skill` gives the text of a skill, or says why there is none.
    pub(crate) fn take(&mut self, body: &str, took_ms: u64, skill: Skills<'_>) -> Verdict {
        self.turns += 1;
        self.spent.took_ms = self.spent.took_ms.saturating_add(took_ms);
        let turn = match reply::read(body) {
            Ok(turn) => turn,
            Err(fault) => return self.not_an_answer(&fault),
        };
        self.count(&turn);
        let verdict = self.weigh(turn, skill);
        match verdict {
            Verdict::Again(_) if self.turns >= TURNS_MAX => failed(format!("no report after {TURNS_MAX} turns")),
            verdict => verdict,
        }
    }

    fn weigh(&mut self, turn: Turn, skill: Skills<'_>) -> Verdict {
        if turn.is_cut {
            return self.cut_short(turn);
        }
        if !turn.calls.is_empty() {
            return self.called(turn, skill);
        }
        if !is_visible(&turn.content) {
            return self.said_nothing();
        }
        Verdict::Done(Box::new(self.said(turn.content)))
    }

    fn said(&mut self, report: String) -> Said {
        Said {
            report,
            dispatch: self.dispatch.take().unwrap_or_default(),
            result: self.result.take(),
            call: self.call.take(),
        }
    }

    /// Obeys the calls of a turn; each gets exactly one result under its id.
    fn called(&mut self, turn: Turn, skill: Skills<'_>) -> Verdict {
        let mut results = Vec::new();
        let mut report = None;
        let mut wrong = 0;
        for call in &turn.calls {
            let result = self.obey(call, &mut report, skill);
            wrong += u64::from(result.is_err());
            results.push((call.id.clone(), result.unwrap_or_else(|why| format!("error: {why}"))));
        }
        self.spent.calls += turn.calls.len() as u64;
        self.spent.failed_calls += wrong;
        if let Some(report) = report {
            return Verdict::Done(Box::new(self.said(report)));
        }
        if wrong == 0 && is_visible(&turn.content) {
            return Verdict::Done(Box::new(self.said(turn.content)));
        }
        self.bad_calls = if wrong > 0 { self.bad_calls + 1 } else { 0 };
        if self.bad_calls > BAD_CALLS_MAX {
            return failed(format!("tool calls were wrong {} times in a row", self.bad_calls));
        }
        let has_read = turn.calls.iter().any(|call| call.name == tools::READ_SKILL);
        // A turn that reads is no empty one; the bound on turns holds for it.
        if wrong == 0 && !has_read {
            self.empty += 1;
            if self.empty > EMPTY_MAX {
                return failed("empty answer: the model said how it ends and gave no report");
            }
        }
        self.answer_calls(turn, results);
        Verdict::Again(if wrong > 0 { "a tool call has to be repaired".into() } else { "the report is missing".into() })
    }

    fn obey(&mut self, call: &Call, report: &mut Option<String>, skill: Skills<'_>) -> Result<String, String> {
        let arguments = call.arguments.as_ref().map_err(Clone::clone)?;
        match call.name.as_str() {
            tools::FINISH => {
                let finish = tools::finish(arguments)?;
                self.result = finish.result.or_else(|| self.result.take());
                *report = Some(finish.report);
                Ok("the step ends with this report".into())
            }
            tools::DISPATCH_NEXT => {
                let next = tools::dispatch_next(arguments)?;
                self.dispatch = Some(next.dispatch);
                self.result = next.result.or_else(|| self.result.take());
                Ok("noted; now give the report with finish".into())
            }
            tools::READ_SKILL => skill(&tools::read_skill(arguments)?),
            tools::CALL_AGENT => {
                self.call = Some(tools::call_agent(arguments)?);
                Ok("noted; that agent goes on from your report and comes back to you".into())
            }
            unknown => {
                let known = [tools::FINISH, tools::DISPATCH_NEXT, tools::CALL_AGENT, tools::READ_SKILL].join(", ");
                Err(format!("there is no tool {unknown}; the tools are {known}"))
            }
        }
    }

    fn cut_short(&mut self, turn: Turn) -> Verdict {
        self.cut += 1;
        if self.cut > CUT_MAX {
            return failed("the model's output limit cut its answer every time; raise the limit or ask for less");
        }
        let results = turn
            .calls
            .iter()
            .map(|call| {
                (call.id.clone(), "error: the turn was cut by the output limit; call again, shorter".to_string())
            })
            .collect();
        let has_calls = !turn.calls.is_empty();
        self.answer_calls(turn, results);
        if !has_calls {
            self.nudge("Your answer was cut by the output limit. Give the whole report again, shorter.");
        }
        Verdict::Again("the answer was cut by the output limit".into())
    }

    fn said_nothing(&mut self) -> Verdict {
        self.empty += 1;
        if self.empty > EMPTY_MAX {
            return failed("empty answer: the model gave no visible text");
        }
        self.nudge("There was no visible text in your answer. Give the report.");
        Verdict::Again("the answer was empty".into())
    }

    fn not_an_answer(&mut self, fault: &Fault) -> Verdict {
        let (words, may_pass) = match fault {
            Fault::Provider { code, message } => {
                let code_words = code.map(|code| format!(" ({code})")).unwrap_or_default();
                let may_pass = !matches!(code, Some(400..=428 | 430..=499));
                (format!("the model's service reports an error{code_words}: {message}"), may_pass)
            }
            Fault::Shapeless { keys } => {
                (format!("the model's service gave no choice; its answer has the keys [{}]", keys.join(", ")), true)
            }
            Fault::Refusal { why } => (format!("the model gave no answer: {why}"), false),
            Fault::NotJson { why } => (format!("the model's service gave no JSON: {why}"), true),
        };
        self.unreadable += 1;
        if may_pass && self.unreadable <= UNREADABLE_MAX {
            return Verdict::Again(words);
        }
        Verdict::Failed { by_service: !matches!(fault, Fault::Refusal { .. }), why: words }
    }

    fn answer_calls(&mut self, turn: Turn, results: Vec<(String, String)>) {
        let tool_calls = turn
            .calls
            .into_iter()
            .map(|call| ToolCall {
                id: call.id,
                kind: "function".into(),
                function: FunctionCall { name: call.name, arguments: call.written },
            })
            .collect();
        self.request.messages.push(Message::Assistant { content: turn.content, tool_calls });
        let answers = results.into_iter().map(|(tool_call_id, content)| Message::Tool { tool_call_id, content });
        self.request.messages.extend(answers);
    }

    fn nudge(&mut self, words: &str) {
        self.request.messages.push(Message::User { content: Vec::from([ContentPart::text(words)]) });
    }

    fn count(&mut self, turn: &Turn) {
        let spent = &mut self.spent;
        spent.input = spent.input.saturating_add(turn.usage.input);
        spent.output = spent.output.saturating_add(turn.usage.output);
        spent.cached = spent.cached.saturating_add(turn.usage.cached);
        spent.reasoning = spent.reasoning.saturating_add(turn.usage.reasoning);
        if !turn.model.is_empty() {
            spent.model.clone_from(&turn.model);
        }
    }
}

/// Ends a step because of what the model said, or did not say.
fn failed(why: impl Into<String>) -> Verdict {
    Verdict::Failed { by_service: false, why: why.into() }
}

/// A step that has not ended by then is going in circles.
const TURNS_MAX: u32 = 16;
/// Rounds of wrong tool calls in a row that are repaired (decision 8).
const BAD_CALLS_MAX: u32 = 3;
/// Empty answers that are asked again (decision 8).
const EMPTY_MAX: u32 = 2;
/// Cut answers that are asked again (decision 8).
const CUT_MAX: u32 = 2;
/// Bodies that were no completion and are asked again.
const UNREADABLE_MAX: u32 = 2;
