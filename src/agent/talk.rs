//! One step's conversation with a model: bounded, and repaired where the model slips (decision 8).

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{
        Accepted, ChatRequest, ContentPart, Demand, Effective, Fault, FaultKind, FunctionCall, Message, Refusal,
        ToolCall, Turn, budget::Counted, is_visible, reply, tools,
    },
    dispatch::Dispatch,
    effect::Asking,
    process::Process,
    setup::Limits,
    text::{self, cut},
    workspace::ToolUse,
};

mod calls;

use calls::Open;

/// A conversation between two answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Talk {
    /// The request that was sent last, with everything said so far.
    pub(crate) request: ChatRequest,
    /// Who is asked, and how.
    pub(crate) how: Asking,
    unreadable: u32,
    empty: u32,
    cut: u32,
    bad_calls: u32,
    #[serde(default)]
    refused: u32,
    dispatch: Option<Dispatch>,
    result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<String>,
    /// The turn whose calls are being carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open: Option<Box<Open>>,
    /// What the last answer said of its prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) heard: Option<Counted>,
    /// What it cost so far.
    pub(crate) spent: Spent,
}

/// What a step allows its agent, and what it demands.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'s> {
    /// Gives the text of a skill by its name, or says why there is none.
    pub(crate) skill: &'s dyn Fn(&str) -> Result<String, String>,
    /// The workspace tools that the agent may use.
    pub(crate) tools: &'s [String],
    /// The commands that it may run: an argv that begins with one of these.
    pub(crate) commands: &'s [Vec<String>],
    /// Variables for what it runs.
    pub(crate) env: &'s dyn Fn() -> BTreeMap<String, String>,
    /// What its report has to hold.
    pub(crate) demand: Demand<'s>,
    /// The bounds.
    pub(crate) limits: &'s Limits,
}

/// What a conversation cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub(crate) model: String,
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) cached: u64,
    pub(crate) reasoning: u64,
    pub(crate) took_ms: u64,
    /// Milliseconds of the tools; part of `took_ms`.
    #[serde(default)]
    pub(crate) tools_ms: u64,
    pub(crate) calls: u64,
    pub(crate) failed_calls: u64,
    #[serde(default)]
    pub(crate) turns: u64,
    /// How often a report was refused because coverage was missing.
    #[serde(default)]
    pub(crate) coverage_refusals: u64,
    /// How often one was refused for anything else.
    #[serde(default)]
    pub(crate) other_refusals: u64,
    /// Tokens of prompts whose services said nothing of them, by their bytes.
    #[serde(default)]
    pub(crate) unsaid_input: u64,
    /// The same of answers.
    #[serde(default)]
    pub(crate) unsaid_output: u64,
}

/// What an answer came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The model is to be asked again; why, in words.
    Again(String),
    /// It wants something done in the checkout before it goes on.
    Use(Wanted),
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

/// What a model wants done in the checkout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Wanted {
    /// A workspace tool.
    Tool(Box<ToolUse>),
    /// A command.
    Command(Box<Process>),
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
    /// What is odd about the report, for whoever watches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl Talk {
    /// Opens a conversation.
    pub(crate) fn new(settings: &Effective<'_>, messages: Vec<Message>) -> Self {
        let mut request = ChatRequest { messages, tools: tools::all(), ..ChatRequest::default() };
        settings.apply(&mut request);
        Self { request, how: settings.asking(), ..Self::default() }
    }

    /// Takes an answer in.
    pub(crate) fn take(&mut self, body: &str, took_ms: u64, terms: Terms<'_>) -> Verdict {
        self.spent.turns += 1;
        self.spent.took_ms = self.spent.took_ms.saturating_add(took_ms);
        let turn = match reply::read(body) {
            Ok(turn) => {
                (self.unreadable, self.how.wait_ms) = (0, 0);
                turn
            }
            Err(fault) => {
                // What is no answer may be paid for all the same.
                self.spent.count(reply::usage_of(body));
                let verdict = self.not_an_answer(&fault);
                return self.within(terms, verdict);
            }
        };
        self.count(&turn);
        let verdict = self.weigh(turn, terms);
        self.within(terms, verdict)
    }

    /// Tells whether a use of a tool is being waited for, and not an answer.
    pub(crate) fn is_using(&self) -> bool {
        self.open.is_some()
    }

    /// Takes in what a use of a tool came to, and goes on with the calls of its turn.
    pub(crate) fn used(&mut self, came: Result<String, String>, took_ms: u64, terms: Terms<'_>) -> Verdict {
        self.spent.took_ms = self.spent.took_ms.saturating_add(took_ms);
        self.spent.tools_ms = self.spent.tools_ms.saturating_add(took_ms);
        let Some(mut open) = self.open.take() else {
            return failed("a tool was used that nobody asked for");
        };
        open.answer(came);
        let verdict = self.carry_out(*open, terms);
        self.within(terms, verdict)
    }

    /// Ends a conversation that would take more turns than it may.
    fn within(&self, terms: Terms<'_>, verdict: Verdict) -> Verdict {
        let most = terms.limits.step_turns;
        match verdict {
            Verdict::Again(_) if self.spent.turns >= u64::from(most) => {
                failed(format!("no report after {most} turns (limits.step_turns)"))
            }
            verdict => verdict,
        }
    }

    /// Counts the time of a request that came to nothing: it is gone all the same.
    pub(crate) fn waited(&mut self, took_ms: u64) {
        self.spent.took_ms = self.spent.took_ms.saturating_add(took_ms);
    }

    fn weigh(&mut self, turn: Turn, terms: Terms<'_>) -> Verdict {
        if turn.is_cut {
            return self.cut_short(turn);
        }
        self.cut = 0;
        if !turn.calls.is_empty() {
            return self.carry_out(Open::new(turn), terms);
        }
        if !is_visible(&turn.content) {
            return self.said_nothing();
        }
        match terms.demand.take_text(&turn.content) {
            Ok(accepted) => self.done(accepted),
            Err(refusal) => {
                self.answer_calls(turn, Vec::new());
                self.nudge(refusal.words());
                self.refused(&refusal)
            }
        }
    }

    fn done(&mut self, accepted: Accepted) -> Verdict {
        let Accepted { report, notes } = accepted;
        Verdict::Done(Box::new(Said {
            report,
            dispatch: self.dispatch.take().unwrap_or_default(),
            result: self.result.take(),
            call: self.call.take(),
            notes,
        }))
    }

    /// Has a report repaired that was refused, as often as that may be.
    fn refused(&mut self, refusal: &Refusal) -> Verdict {
        match refusal {
            Refusal::Coverage(_) => self.spent.coverage_refusals += 1,
            Refusal::Other(_) => self.spent.other_refusals += 1,
        }
        self.refused += 1;
        let why = on_one_line(refusal.words());
        if self.refused > REFUSED_MAX {
            return failed(format!("the report was refused {} times, the last time because {why}", self.refused));
        }
        Verdict::Again(format!("the report is refused: {}", cut(&why, WHY_CHARS)))
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

    /// Has the same asked again where that may help, after longer each time (fault kind 7.3).
    fn not_an_answer(&mut self, fault: &Fault) -> Verdict {
        let why = text::no_answer(fault);
        if fault.may_pass()
            && let Some(seconds) = UNREADABLE_WAITS.get(self.unreadable as usize)
        {
            self.unreadable += 1;
            self.how.wait_ms = seconds * 1_000;
            return Verdict::Again(why);
        }
        Verdict::Failed { by_service: !matches!(fault.kind, FaultKind::Refusal { .. }), why }
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
        spent.count(turn.usage);
        if turn.usage.is_unsaid() {
            spent.guess(&self.request, turn);
        } else {
            self.heard = Some(Counted { tokens: turn.usage.input, messages: self.request.messages.len() });
        }
        if !turn.model.is_empty() {
            spent.model.clone_from(&turn.model);
        }
    }

    /// Gives what the model said so far that is no report yet, so that it is not lost with the step.
    pub(crate) fn said_so_far(&self) -> Option<String> {
        let mut said = Vec::new();
        for message in &self.request.messages {
            let Message::Assistant { content, tool_calls } = message else { continue };
            said.extend(Some(content.trim()).filter(|words| is_visible(words)));
            let reports = tool_calls.iter().filter(|call| call.function.name == tools::FINISH);
            said.extend(reports.map(|call| call.function.arguments.as_str()));
        }
        (!said.is_empty()).then(|| said.join("\n\n"))
    }
}

/// Puts a list of reasons on one line.
fn on_one_line(words: &str) -> String {
    let lines: Vec<&str> = words.lines().map(|line| line.trim_start_matches("- ")).collect();
    lines.join("; ").replace(":; ", ": ")
}

/// Ends a step because of what the model said, or did not say.
fn failed(why: impl Into<String>) -> Verdict {
    Verdict::Failed { by_service: false, why: why.into() }
}

/// Empty answers in a row that are asked again (decision 8); a turn that works ends the row.
const EMPTY_MAX: u32 = 2;
/// Cut answers in a row that are asked again (decision 8).
const CUT_MAX: u32 = 2;
/// Reports that are refused and repaired (decision 8).
const REFUSED_MAX: u32 = 3;
/// A refusal is told to whoever watches up to here; the model has all of it.
const WHY_CHARS: usize = 200;
/// Seconds before a request is sent again whose answer was no completion; after the last it is not.
const UNREADABLE_WAITS: [u64; 2] = [5, 20];
