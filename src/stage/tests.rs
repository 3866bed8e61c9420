//! Whole runs against a forge in memory: what happens when services misbehave and runs collide.

use alloc::{format, vec::Vec};

use serde_json::json;

use super::{
    Stage,
    tests::forge::{Fault, Forge, Played, comment, setup},
};
use crate::{
    event::{Action, FailureKind, Trigger},
    markdown,
    report::{Reason, Report, RunOutcome},
    state::{WorkflowState, render_block},
};

mod budgets;
mod collisions;
pub(crate) mod forge;
mod gates;
mod output;
mod outside;
mod prefix;
mod properties;
mod tools;

const HOLD: &str = r#"{"status":"hold"}"#;

fn hold_after(words: &str) -> serde_json::Value {
    json!({"say": words, "dispatch": serde_json::from_str::<serde_json::Value>(HOLD).expect("it is JSON")})
}

/// A thread in which dana asks for dev, and a model that answers `Fixed.` and holds.
fn asked() -> Forge {
    Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")])).answering(&[hold_after("Fixed.")])
}

fn woken_by(id: u64) -> Trigger {
    Trigger::Comment { id, action: Action::Created }
}

fn copies(forge: &Forge, words: &str) -> usize {
    forge.thread.comments.iter().filter(|comment| comment.body.contains(words)).count()
}

#[test]
fn a_lost_answer_is_looked_for_before_anything_is_sent_again() {
    let check = |faults: &[Fault], outcome: RunOutcome, reason: Reason, stored: usize| {
        let mut forge = asked();
        forge.faults = faults.iter().copied().map(Some).collect();
        let played = forge.play(setup(), woken_by(10));
        assert_eq!((played.report.outcome, played.report.reason), (outcome, reason), "{faults:?}");
        assert_eq!(copies(&forge, "Fixed."), stored, "{faults:?}");
        let kept = played.report.unposted.len() + stored.min(1);
        assert_eq!(kept, 1, "{faults:?}: the words are in the thread or in the report");
        if let (Some(state), 1) = (&played.report.state, stored) {
            let posted = forge.thread.newest_id();
            let ids = state.history.last().map(|entry| entry.comment_ids.clone());
            assert_eq!(ids, Some(Vec::from([posted])), "{faults:?}");
        }
    };
    let held = (RunOutcome::Held, Reason::AgentHold);
    check(&[], held.0, held.1, 1);
    check(&[Fault::StoredAndLost], held.0, held.1, 1);
    check(&[Fault::DroppedAndLost], held.0, held.1, 1);
    check(&[Fault::DroppedAndLost, Fault::StoredAndLost], held.0, held.1, 1);
    check(&[Fault::DroppedAndLost; 3], RunOutcome::Failed, Reason::PostUncertain, 0);
    check(&[Fault::Refused], RunOutcome::Failed, Reason::PostFailed, 0);
}

#[test]
fn a_lost_answer_is_not_sent_again_when_the_thread_cannot_be_read() {
    let mut forge = asked();
    forge.faults.push_back(Some(Fault::StoredAndLost));
    forge.reads_fail_from = Some(3);
    let played = forge.play(setup(), woken_by(10));
    assert_eq!(played.report.reason, Reason::PostUncertain);
    assert_eq!(copies(&forge, "Fixed."), 1);
}

#[test]
fn a_command_is_taken_up_whatever_event_is_left() {
    let mut forge = asked();
    forge.play(setup(), woken_by(10));
    let own = forge.thread.newest_id();
    forge.thread.merge(Vec::from([comment(own + 1, "dana", "@@review look")]));
    forge.answers = Forge::new(Vec::new()).answering(&[hold_after("Looked.")]).answers;
    let report = forge.play(setup(), woken_by(own)).report;
    assert_eq!((report.outcome, report.agent.as_str()), (RunOutcome::Held, "review"));
}

#[test]
fn a_stop_ends_a_run_that_chains() {
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")])).answering(&[
        json!({"say": "Fixed."}),
        json!({"say": "No.", "dispatch": {"result": "rejected"}}),
        json!({"say": "Fixed again."}),
    ]);
    forge.arrives = Some((3, comment(2_000, "dana", "/nebuko stop")));
    let report = forge.play(setup(), woken_by(10)).report;
    assert_eq!((report.outcome, report.reason), (RunOutcome::Terminated, Reason::Stopped));
    assert_eq!(forge.answers.len(), 2, "no step ran after the word");
}

#[test]
fn a_stop_after_a_hold_is_what_the_run_came_to() {
    let asks = [comment(10, "dana", "@@dev fix it"), comment(11, "dana", "/nebuko stop")];
    let mut forge = Forge::new(Vec::from(asks)).answering(&[hold_after("Fixed.")]);
    let report = forge.play(setup(), woken_by(11)).report;
    assert_eq!((report.outcome, report.reason), (RunOutcome::Terminated, Reason::Stopped));
}

#[test]
fn a_recovery_leaves_nothing_of_its_comment_out() {
    let damaged = "<!-- bot-workflow-terminal -->\n\n<!-- WORKFLOW_STATE_START -->\n<!-- WORKFLOW_STATE_END -->";
    let asks = comment(12, "dana", "/nebuko recover\n\n@@dev go on");
    let mut forge =
        Forge::new(Vec::from([comment(11, "engine-owner", damaged), asks])).answering(&[hold_after("Fixed.")]);
    let report = forge.play(setup(), woken_by(12)).report;
    assert_eq!((report.outcome, report.posted.len()), (RunOutcome::Held, 2));
    assert!(report.posted[0].body.contains("starts anew"), "{}", report.posted[0].body);
}

#[test]
fn an_engine_that_does_not_know_itself_answers_nothing_twice() {
    let mut forge = asked();
    (forge.posts_as, forge.viewer) = (forge.viewer.take(), None);
    assert_eq!(forge.play(setup(), Trigger::Manual).report.outcome, RunOutcome::Held);
    forge.answers = asked().answers;
    assert_eq!(forge.play(setup(), Trigger::Manual).report.outcome, RunOutcome::Nothing);
    assert_eq!(forge.answers.len(), 1, "nothing is paid for twice");
}

#[test]
fn an_edit_does_not_make_a_seen_comment_ask() {
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it"), comment(11, "dana", "thanks")]))
        .answering(&[hold_after("Fixed.")]);
    forge.play(setup(), woken_by(10));
    forge.thread.comments[1].body = "/nebuko stop".into();
    let newer = forge.thread.newest_id() + 1;
    forge.thread.merge(Vec::from([comment(newer, "omar", "hello")]));
    assert_eq!(forge.play(setup(), woken_by(newer)).report.outcome, RunOutcome::Nothing);
}

#[test]
fn the_bound_on_steps_holds_for_people_and_routes() {
    let check = |says: &str, steps: u32, chain: bool, bodies: &[&str], answers: usize, outcome: RunOutcome| {
        let asks = bodies.iter().zip(10..).map(|(body, id)| comment(id, "dana", body));
        let mut forge = Forge::new(asks.collect()).answering(&[hold_after("Done."), hold_after("Done.")]);
        let mut bounded = setup();
        (bounded.settings.max_steps, bounded.settings.chain) = (steps, chain);
        let report = forge.play(bounded, Trigger::Manual).report;
        assert_eq!((2 - forge.answers.len(), report.outcome), (answers, outcome), "{says}");
    };
    let two = ["@@dev fix it", "@@review look"];
    check("two asks and room for both", 5, true, &two, 2, RunOutcome::Held);
    check("two asks and room for one", 1, true, &two, 1, RunOutcome::Held);
    check("two asks and a single step", 5, false, &two, 1, RunOutcome::Held);
    let both = ["@@dev fix it", "/nebuko status\n\n@@review look"];
    check("an answer and a start in one comment", 1, true, &both, 1, RunOutcome::Held);
}

#[test]
fn an_account_that_is_gone_asks_nothing() {
    let ghost = crate::snapshot::Comment { user: Default::default(), ..comment(10, "dana", "@@dev fix it") };
    let mut forge = Forge::new(Vec::from([ghost])).answering(&[hold_after("Fixed.")]);
    assert_eq!(forge.play(setup(), woken_by(10)).report.outcome, RunOutcome::Nothing);
}

#[test]
fn a_second_delivery_writes_nothing() {
    let mut forge = asked();
    forge.play(setup(), woken_by(10));
    let before = forge.thread.clone();
    let again = forge.play(setup(), woken_by(10));
    assert_eq!((again.report.outcome, again.report.reason), (RunOutcome::Nothing, Reason::NothingAsked));
    assert_eq!(forge.thread, before);
}

#[test]
fn a_single_step_leaves_the_next_to_the_engines_own_sentinel() {
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")]))
        .answering(&[json!({"say": "Fixed."}), json!({"say": "Good.", "dispatch": {"result": "approved"}})]);
    let mut single = setup();
    single.settings.chain = false;
    let first = forge.play(single.clone(), woken_by(10)).report;
    assert_eq!((first.outcome, first.step.as_str()), (RunOutcome::Advanced, "review"));
    let own = forge.thread.newest_id();
    let stranger = comment(own + 1, "stranger", "@@review hurry");
    forge.thread.merge(Vec::from([stranger]));
    let woken_by_stranger = forge.play(single.clone(), woken_by(own + 1)).report;
    assert_eq!(woken_by_stranger.outcome, RunOutcome::Nothing, "a stranger moves nothing on");
    let second = forge.play(single.clone(), woken_by(own)).report;
    assert_eq!((second.outcome, second.reason), (RunOutcome::Finished, Reason::WorkflowEnd));
    let repeated = forge.play(single.clone(), woken_by(own)).report;
    assert_eq!(repeated.outcome, RunOutcome::Nothing, "a sentinel that was followed is not followed again");
    let third = forge.play(single, woken_by(forge.thread.newest_id())).report;
    assert_eq!(third.outcome, RunOutcome::Nothing, "a finished workflow goes nowhere");
}

#[test]
fn every_unused_ask_is_taken_up_in_order() {
    let mut forge = Forge::new(Vec::from([
        comment(10, "dana", "@@dev fix it"),
        comment(11, "omar", "/nebuko pin 10\n/nebuko frob"),
        comment(12, "dana", "@@review look"),
    ]))
    .answering(&[json!({"say": "Fixed."}), hold_after("Looked.")]);
    let report = forge.play(setup(), woken_by(12)).report;
    let words: Vec<&str> = report.posted.iter().map(|posted| posted.body.as_str()).collect();
    assert_eq!(words.len(), 3, "{words:?}");
    assert!(words[0].contains("Fixed.") && words[1].contains("pinned") && words[2].contains("Looked."), "{words:?}");
    assert!(words[1].contains("frob"), "{words:?}");
    assert_eq!(report.state.map(|state| state.pinned_comment_ids), Some(Vec::from([10])));
}

#[test]
fn what_comes_after_the_read_is_left_for_the_next_wake_up() {
    let mut forge = asked();
    forge.arrives = Some((2, comment(20, "dana", "@@review look")));
    let first = forge.play(setup(), woken_by(10)).report;
    assert_eq!(first.posted.len(), 1);
    forge.answers = Forge::new(Vec::new()).answering(&[hold_after("Looked.")]).answers;
    let second = forge.play(setup(), woken_by(20)).report;
    assert_eq!((second.posted.len(), second.agent.as_str()), (1, "review"));
}

#[test]
fn a_long_report_is_posted_in_parts_that_all_fit() {
    let long = format!("```text\n{}\n```\nend", "改善".repeat(35_000));
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")])).answering(&[hold_after(&long)]);
    let report = forge.play(setup(), woken_by(10)).report;
    let state = report.state.expect("there is a state");
    let ids: Vec<u64> = report.posted.iter().map(|posted| posted.id).collect();
    assert!(ids.len() >= 2, "{ids:?}");
    assert_eq!(state.history.last().map(|entry| entry.comment_ids.clone()), Some(ids));
    let mut letters = 0;
    for posted in &report.posted {
        assert!(markdown::units(&posted.body) <= super::super::comment::COMMENT_UNITS);
        assert!(posted.body.starts_with("<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->\n"));
        assert_eq!(posted.body.matches("```").count() % 2, 0, "every fence is closed");
        letters += posted.body.matches('改').count();
    }
    assert_eq!(letters, 35_000);
    // What is read back from the thread names all parts as well.
    let again = forge.play(setup(), woken_by(10)).report.state.expect("there is a state");
    assert_eq!(again.history, state.history);
}

#[test]
fn a_large_ledger_leaves_the_posted_state_and_is_put_back() {
    let people = (0..300).map(|n| comment(10 + n, "stranger", "me too"));
    let mut forge =
        Forge::new(people.chain([comment(900, "dana", "@@dev fix it")]).collect()).answering(&[hold_after("Fixed.")]);
    let first = forge.play(setup(), woken_by(900)).report;
    assert_eq!(first.outcome, RunOutcome::Held);
    assert!(first.posted.iter().all(|posted| markdown::units(&posted.body) <= super::super::comment::COMMENT_UNITS));
    let whole = first.state.expect("there is a state");
    assert_eq!(whole.thread.len(), 302 + first.posted.len(), "the issue, 301 comments and the report");
    let again = forge.play(setup(), woken_by(900)).report.state.expect("there is a state");
    assert_eq!(again.thread, whole.thread);
}

#[test]
fn a_state_that_cannot_fit_is_never_posted_cut() {
    let state = WorkflowState {
        run_id: 4,
        workflow: "default".into(),
        step: "dev".into(),
        agent: "dev".into(),
        current_context: [("notes".into(), "x".repeat(70_000).into())].into(),
        ..WorkflowState::default()
    };
    let carrier = format!("<!-- bot-workflow-terminal -->\n\n{}", render_block(&state));
    let mut forge =
        Forge::new(Vec::from([comment(500, "engine-owner", &carrier), comment(501, "dana", "@@dev fix it")]))
            .answering(&[hold_after("Fixed.")]);
    let played = forge.play(setup(), woken_by(501)).report;
    assert_eq!((played.outcome, played.reason), (RunOutcome::Held, Reason::StateTooLarge));
    assert_eq!(forge.answers.len(), 1, "nothing is paid for that could not be posted");
    let notice = forge.thread.comments.last().expect("a notice is posted");
    assert!(notice.body.contains("needs") && !notice.body.contains("WORKFLOW_STATE"), "{}", notice.body);
}

#[test]
fn a_refused_viewer_ends_nothing_and_only_the_trigger_is_taken_up() {
    let mut forge =
        Forge::new(Vec::from([comment(9, "dana", "@@review an old wish"), comment(10, "dana", "@@dev fix it")]))
            .answering(&[hold_after("Fixed.")]);
    forge.viewer = None;
    let Played { report, .. } = forge.play(setup(), woken_by(10));
    assert_eq!((report.outcome, report.posted.len()), (RunOutcome::Held, 1));
}

#[test]
fn a_model_that_fails_for_good_holds_the_step() {
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")])).answering(&[
        json!({"say": ""}),
        json!({"say": null}),
        json!({"say": "  "}),
    ]);
    let report = forge.play(setup(), woken_by(10)).report;
    assert_eq!((report.outcome, report.reason), (RunOutcome::Failed, Reason::AgentFailed));
    assert!(report.posted[0].body.contains("empty answer"), "{}", report.posted[0].body);
    let state = report.state.expect("the hold is in the thread");
    assert!(state.history.is_empty());
    forge.answers = Forge::new(Vec::new()).answering(&[hold_after("Fixed.")]).answers;
    let retry = forge.thread.newest_id() + 1;
    forge.thread.merge(Vec::from([comment(retry, "dana", "/nebuko retry")]));
    assert_eq!(forge.play(setup(), woken_by(retry)).report.reason, Reason::AgentHold);
}

#[test]
fn a_request_that_comes_to_nothing_takes_its_time_all_the_same() {
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")]));
    forge.model_fails = FailureKind::Unavailable;
    let report = forge.play(setup(), woken_by(10)).report;
    assert_eq!((report.outcome, report.reason), (RunOutcome::Failed, Reason::ModelFailed));
    let spent = |report: &Report| report.state.as_ref()?.engine.as_ref().map(|engine| engine.spent.runtime_ms);
    assert_eq!(spent(&report), Some(90_000));
    // So whoever tries again and again comes to the bound.
    let mut bound = setup();
    bound.settings.limits.issue_minutes = Some(1);
    forge.thread.merge(Vec::from([comment(forge.thread.newest_id() + 1, "dana", "/nebuko retry")]));
    let (asked, again) = (forge.prompts.len(), forge.play(bound, woken_by(forge.thread.newest_id())).report);
    assert_eq!((again.reason, forge.prompts.len()), (Reason::BudgetReached, asked));
}

#[test]
fn a_dry_run_asks_nobody_and_writes_nothing() {
    let mut forge = asked();
    let before = forge.thread.clone();
    let mut dry = setup();
    dry.settings.dry_run = true;
    let report = forge.play(dry, woken_by(10)).report;
    assert_eq!((report.outcome, report.reason), (RunOutcome::Nothing, Reason::DryRun));
    assert_eq!(report.detail, "dry run: dev would run step dev of default");
    assert_eq!((forge.thread, forge.answers.len()), (before, 1));
}

#[test]
fn an_event_that_does_not_belong_to_the_moment_ends_the_run_as_failed() {
    let mut forge = asked();
    let moments = forge.play(setup(), woken_by(10)).moments;
    for (run, event, thread) in moments {
        let (run, _) = crate::step::step(run, &thread, event);
        if matches!(run.stage, Stage::Finished(_)) {
            continue;
        }
        let woken = crate::event::Event::Woken { trigger: Trigger::Manual, at: Default::default() };
        let (after, effects) = crate::step::step(run, &thread, woken);
        assert_eq!(after.report().map(|report| report.reason), Some(Reason::OutOfStep));
        assert!(effects.is_empty());
    }
}
