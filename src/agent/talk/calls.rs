//! The calls of one turn: each is obeyed in order and gets exactly one result under its id.
//!
//! What is done in the checkout is done outside, one use after the other; the turn waits open meanwhile.

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use super::{EMPTY_MAX, Talk, Terms, Verdict, Wanted, failed};
use crate::agent::{Accepted, Call, Refusal, Turn, is_visible, tools, workspace};

/// A turn whose calls are being carried out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Open {
    turn: Turn,
    /// One for each call so far: its id, and what it came to.
    results: Vec<(String, String)>,
    /// How many came to an error.
    wrong: u32,
    /// How many of those were no calls that could be carried out: what a file or a command says is no such error.
    #[serde(default)]
    unusable: u32,
    /// The newest report, where it meets what the step demands.
    report: Option<Box<Accepted>>,
    /// Why the newest report does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refusal: Option<Refusal>,
}

/// What a call comes to at once.
enum Obeyed {
    /// A result.
    Said(String),
    /// The report that the step demands.
    Report(Box<Accepted>),
    /// Something has to be done for it first.
    Wants(Wanted),
    /// The report is not what the step demands.
    Refused(Refusal),
}

impl Open {
    /// Begins with the first call of a turn.
    pub(super) fn new(turn: Turn) -> Self {
        Self { turn, ..Self::default() }
    }

    /// Notes what the next call came to.
    pub(super) fn answer(&mut self, came: Result<String, String>) {
        let Some(call) = self.turn.calls.get(self.results.len()) else { return };
        self.wrong += u32::from(came.is_err());
        self.results.push((call.id.clone(), came.unwrap_or_else(|why| format!("error: {why}"))));
    }

    /// Notes that the next call hands in a report that is refused, in the very words of the refusal.
    fn refuse(&mut self, refusal: Refusal) {
        self.answer(Ok(refusal.words().into()));
        (self.report, self.refusal) = (None, Some(refusal));
    }

    /// Notes that the next call hands in a report. The newest counts.
    fn report(&mut self, report: Box<Accepted>) {
        self.answer(Ok(ENDS.into()));
        (self.report, self.refusal) = (Some(report), None);
    }

    /// Notes that the next call is none that can be carried out.
    fn unusable(&mut self, why: String) {
        self.unusable += 1;
        self.answer(Err(why));
    }

    /// Tells whether it looks or changes something, and so is no empty turn; the bound on turns holds for it.
    fn works(&self) -> bool {
        self.turn.calls.iter().any(|call| call.name == tools::READ_SKILL || workspace::is_tool(&call.name))
    }

    /// Tells whether its words can be a report by themselves, beside calls that say how the step ends.
    fn is_plain_report(&self) -> bool {
        self.refusal.is_none() && self.wrong == 0 && !self.works() && is_visible(&self.turn.content)
    }

    /// Takes back the report where another call of its turn came to an error: it was written without knowing of that,
    /// and the call may have been to say how the step ends.
    fn without_report(&mut self) {
        let taken = self.results.iter_mut().filter(|(_, result)| result == ENDS);
        taken.for_each(|(_, result)| *result = NOT_TAKEN.into());
        self.report = None;
    }
}

impl Talk {
    /// Carries out the calls that are left, up to one that needs something done outside.
    pub(super) fn carry_out(&mut self, mut open: Open, terms: Terms<'_>) -> Verdict {
        while let Some(call) = open.turn.calls.get(open.results.len()) {
            let obeyed = if open.results.len() < CALLS_MAX {
                self.obey(call, terms)
            } else {
                Err(format!("no more than {CALLS_MAX} calls of one turn are carried out; call again"))
            };
            match obeyed {
                Ok(Obeyed::Said(result)) => open.answer(Ok(result)),
                Ok(Obeyed::Report(report)) => open.report(report),
                Ok(Obeyed::Refused(refusal)) => open.refuse(refusal),
                Ok(Obeyed::Wants(wanted)) => {
                    self.open = Some(Box::new(open));
                    return Verdict::Use(wanted);
                }
                Err(why) => open.unusable(why),
            }
        }
        self.conclude(open, terms)
    }

    fn conclude(&mut self, mut open: Open, terms: Terms<'_>) -> Verdict {
        self.spent.calls += open.turn.calls.len() as u64;
        self.spent.failed_calls += u64::from(open.wrong);
        let has_report = open.report.is_some();
        if open.wrong > 0 {
            open.without_report();
        }
        if let Some(report) = open.report.take() {
            return self.done(*report);
        }
        let in_text = match open.is_plain_report().then(|| terms.demand.take_text(&open.turn.content)) {
            Some(Ok(accepted)) => return self.done(accepted),
            Some(Err(refusal)) => Some(refusal),
            None => None,
        };
        self.bad_calls = if open.unusable > 0 { self.bad_calls + 1 } else { 0 };
        if self.bad_calls > BAD_CALLS_MAX {
            return failed(format!("tool calls were wrong {} times in a row", self.bad_calls));
        }
        let (works, is_usable) = (open.works(), open.unusable == 0);
        self.answer_calls(open.turn, open.results);
        match (in_text, open.refusal) {
            (Some(refusal), _) => {
                self.nudge(refusal.words());
                self.refused(&refusal)
            }
            (None, Some(refusal)) => self.refused(&refusal),
            (None, None) if has_report => Verdict::Again("the report came with a call that failed".into()),
            (None, None) => self.go_on(works, is_usable),
        }
    }

    /// Has the model asked again after a turn without a report: one that works may do so, one that says nothing may not
    /// often.
    fn go_on(&mut self, works: bool, is_usable: bool) -> Verdict {
        if works {
            self.empty = 0;
        } else if is_usable {
            self.empty += 1;
            if self.empty > EMPTY_MAX {
                return failed("empty answer: the model said how it ends and gave no report");
            }
        }
        let why = match (is_usable, works) {
            (true, true) => "the model works on",
            (true, false) => "the report is missing",
            (false, _) => "a tool call has to be repaired",
        };
        Verdict::Again(why.into())
    }

    fn obey(&mut self, call: &Call, terms: Terms<'_>) -> Result<Obeyed, String> {
        let arguments = call.arguments.as_ref().map_err(Clone::clone)?;
        let said = match call.name.as_str() {
            tools::FINISH => {
                let finish = tools::finish(arguments)?;
                let accepted = match terms.demand.take(&finish) {
                    Ok(accepted) => accepted,
                    Err(refusal) => return Ok(Obeyed::Refused(refusal)),
                };
                self.result = finish.result.or_else(|| self.result.take());
                return Ok(Obeyed::Report(Box::new(accepted)));
            }
            tools::DISPATCH_NEXT => {
                let next = tools::dispatch_next(arguments)?;
                self.dispatch = Some(next.dispatch);
                self.result = next.result.or_else(|| self.result.take());
                "noted; now give the report with finish".to_string()
            }
            tools::READ_SKILL => (terms.skill)(&tools::read_skill(arguments)?)?,
            tools::CALL_AGENT => {
                self.call = Some(tools::call_agent(arguments)?);
                "noted; that agent goes on from your report and comes back to you".to_string()
            }
            name if workspace::is_tool(name) => {
                return workspace::wanted(name, arguments, terms).map(Obeyed::Wants);
            }
            unknown => {
                let known: Vec<_> = tools::all().into_iter().map(|tool| tool.function.name).collect();
                return Err(format!("there is no tool {unknown}; the tools are {}", known.join(", ")));
            }
        };
        Ok(Obeyed::Said(said))
    }
}

/// What a report that is taken comes to.
const ENDS: &str = "the step ends with this report";
/// What it comes to where another call of the turn came to an error.
const NOT_TAKEN: &str =
    "error: this report is not taken, because another call of the turn failed; see to that, and call finish again";
/// Rounds of wrong tool calls in a row that are repaired (decision 8).
const BAD_CALLS_MAX: u32 = 3;
/// Calls of one turn that are carried out: no honest turn has more.
const CALLS_MAX: usize = 32;
