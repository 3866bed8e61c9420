//! The end of a run, for people and for scripts.

use std::fmt::Write as _;

use nebuko::{
    event::FailureKind,
    report::{Reason, Report, RunOutcome},
};
use serde::Serialize;

use crate::{
    args::Source,
    error::Exit,
    term::{bold, indented, line, visible},
};

/// Writes a report as the one JSON document of `nebuko run --json`.
pub fn json(report: &Report, requests: u64) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        #[serde(flatten)]
        report: &'a Report,
        requests: u64,
    }
    let mut text = serde_json::to_string(&Document { report, requests }).expect("a report is plain data");
    text.push('\n');
    text
}

/// Writes a report for people: what happened, where it landed, what to try next. `flags` are the arguments that look
/// at the same thread in the same way, and `program` is how it is called.
pub fn summary(report: &Report, source: &Source, flags: &str, program: &str) -> String {
    let (headline, detail) = match report.reason {
        Reason::DryRun => ("Dry run", report.detail.strip_prefix("dry run: ").unwrap_or(&report.detail)),
        _ => (headline(report.outcome), report.detail.as_str()),
    };
    let mut text = format!("{}: {}\n", bold(headline), indented(detail, "  "));
    if !report.workflow.is_empty() {
        row(&mut text, "workflow", &format!("{} / {} ({})", report.workflow, report.step, report.agent));
    }
    if report.run_id > 0 {
        row(&mut text, "state", &format!("run {}", report.run_id));
    }
    // A dump takes no posts, so the summary is the only place where they can be seen.
    let is_dump = matches!(source, Source::Thread(_));
    for posted in &report.posted {
        match is_dump {
            true => row(&mut text, "not sent", &format!("comment {}, printed below", posted.id)),
            false => row(&mut text, "posted", &posted.url),
        }
    }
    row(&mut text, "reason", &code(report.reason));
    for posted in report.posted.iter().filter(|_| is_dump) {
        let title = format!("comment {}, as it would be posted:", posted.id);
        let _ = write!(text, "\n{}\n\n{}\n", bold(title), visible(&posted.body));
    }
    for body in &report.unposted {
        let _ = write!(text, "\n{}\n\n{}\n", bold("ready, and not posted:"), visible(body));
    }
    // What could not be read cannot be looked at either.
    if flags.is_empty() || report.reason == Reason::ReadFailed {
        return text;
    }
    text + &format!("\nLook at it:\n  {program} ledger {flags}\n  {program} prompt {flags}\n")
}

/// Gives how the program ends. A failed run is an outside failure only where a service was the last to fail.
pub fn exit(report: &Report, last_failure: Option<FailureKind>) -> Exit {
    match (report.outcome, report.reason) {
        (RunOutcome::Failed, Reason::ReadFailed | Reason::ModelFailed | Reason::PostFailed | Reason::PostUncertain)
            if last_failure != Some(FailureKind::Local) =>
        {
            Exit::Outside
        }
        (RunOutcome::Failed, _) => Exit::Failed,
        (
            RunOutcome::Advanced
            | RunOutcome::Held
            | RunOutcome::Looped
            | RunOutcome::Terminated
            | RunOutcome::Finished
            | RunOutcome::Superseded
            | RunOutcome::Nothing,
            _,
        ) => Exit::Done,
    }
}

fn row(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "  {name:8}  {}", line(value));
}

fn headline(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Advanced => "Advanced",
        RunOutcome::Held => "On hold",
        RunOutcome::Looped => "Again",
        RunOutcome::Terminated => "Terminated",
        RunOutcome::Finished => "Finished",
        RunOutcome::Superseded => "Superseded",
        RunOutcome::Nothing => "Nothing to do",
        RunOutcome::Failed => "Failed",
    }
}

/// Gives a reason's code as it stands in JSON.
fn code(reason: Reason) -> String {
    serde_json::to_value(reason).ok().and_then(|code| code.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use nebuko::report::Posted;

    use super::*;

    fn report(outcome: RunOutcome, reason: Reason) -> Report {
        let posted = Posted { id: 3, url: "demo/0003-nebuko.md".into(), body: "the body\u{1b}[2J".into() };
        Report {
            outcome,
            reason,
            detail: "analyze is done; context is next.".into(),
            workflow: "default".into(),
            step: "context".into(),
            agent: "context".into(),
            run_id: 1,
            posted: vec![posted],
            unposted: Vec::new(),
            state: None,
        }
    }

    #[test]
    fn the_exit_code_tells_whose_failure_it_was() {
        use FailureKind::{Local, Lost, Refused, Unavailable};
        use Reason::{AgentFailed, LocalFailed, ModelFailed, PostFailed, PostUncertain, ReadFailed, StateDamaged};
        let check = |outcome, reason, last, expected| {
            assert_eq!(exit(&report(outcome, reason), last), expected, "{outcome:?} {reason:?} {last:?}");
        };
        check(RunOutcome::Failed, ReadFailed, Some(Refused), Exit::Outside);
        check(RunOutcome::Failed, ModelFailed, Some(Unavailable), Exit::Outside);
        check(RunOutcome::Failed, PostFailed, Some(Refused), Exit::Outside);
        check(RunOutcome::Failed, PostUncertain, Some(Lost), Exit::Outside);
        check(RunOutcome::Failed, PostFailed, Some(Local), Exit::Failed);
        check(RunOutcome::Failed, LocalFailed, Some(Local), Exit::Failed);
        check(RunOutcome::Failed, AgentFailed, None, Exit::Failed);
        check(RunOutcome::Held, StateDamaged, None, Exit::Done);
        check(RunOutcome::Held, ModelFailed, Some(Unavailable), Exit::Done);
        check(RunOutcome::Nothing, Reason::NothingAsked, None, Exit::Done);
        check(RunOutcome::Superseded, Reason::StateMoved, None, Exit::Done);
    }

    #[test]
    fn the_document_has_the_agreed_keys() {
        let text = json(&report(RunOutcome::Advanced, Reason::StepDone), 4);
        let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let mut keys: Vec<_> = value.as_object().expect("an object").keys().map(String::as_str).collect();
        keys.sort_unstable();
        let expected =
            ["agent", "detail", "outcome", "posted", "reason", "requests", "run_id", "state", "step", "workflow"];
        assert_eq!(keys, expected);
        assert_eq!((&value["outcome"], &value["reason"]), (&"advanced".into(), &"STEP_DONE".into()));
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn the_summary_says_where_it_landed_and_what_to_try() {
        let done = report(RunOutcome::Advanced, Reason::StepDone);
        let text = summary(&done, &Source::Local("demo".into()), "--local demo", "nebuko");
        for part in [
            "Advanced",
            "analyze is done; context is next",
            "posted    demo/0003-nebuko.md",
            "nebuko ledger --local demo\n",
        ] {
            assert!(text.contains(part), "{text} has no {part:?}");
        }
        assert!(!text.contains("the body"));
        let text = summary(&done, &Source::Thread("t.json".into()), "--thread t.json", "nebuko");
        assert!(text.contains("the body\u{fffd}[2J") && text.contains("prompt --thread t.json"), "{text}");
        assert!(text.contains("not sent  comment 3") && !text.contains("posted "), "{text}");
    }

    #[test]
    fn the_first_lines_say_what_happened_in_whole_sentences() {
        let check = |outcome, reason, detail: &str, expected: &str| {
            let report = Report { detail: detail.into(), ..report(outcome, reason) };
            let text = summary(&report, &Source::Nowhere, "--local demo", "nebuko");
            let plain = text.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
            assert!(plain.starts_with(expected), "{plain:?}");
            assert_eq!(plain.contains("Look at it"), reason != Reason::ReadFailed, "{plain}");
        };
        let (nothing, held) = (RunOutcome::Nothing, RunOutcome::Held);
        check(nothing, Reason::DryRun, "dry run: dev would run step x", "Dry run: dev would run step x\n");
        check(nothing, Reason::NothingAsked, "nobody asked", "Nothing to do: nobody asked\n");
        check(
            held,
            Reason::StateDamaged,
            "It is damaged.\n\nRepair it.\n",
            "On hold: It is damaged.\n\n  Repair it.\n  ",
        );
        check(RunOutcome::Failed, Reason::ReadFailed, "no", "Failed: no\n");
    }
}
