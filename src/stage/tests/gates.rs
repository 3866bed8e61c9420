//! Gates, scripts and mounts where something goes wrong around them.

use alloc::{collections::VecDeque, string::ToString, vec, vec::Vec};

use serde_json::json;

use super::{
    forge::{Forge, Played, comment, setup},
    woken_by,
};
use crate::{
    event::{FailureKind, Permission},
    process::Ran,
    report::{Reason, RunOutcome},
    setup::Setup,
    workflow,
};

/// The setup of the other tests, with one workflow more.
fn with(name: &str, source: &str) -> Setup {
    let mut setup = setup();
    let read = workflow::parse(&alloc::format!("{name}.yaml"), source).expect("the test's workflow is sound");
    setup.workflows.insert(name.into(), read);
    setup
}

const GATED: &str = "\
name: gated
steps:
  - {name: plan, agent: dev, human_gate: true, next: ship}
  - {name: ship, agent: review, next: null}
";

/// A thread in which the gate of `plan` waits.
fn waiting() -> (Forge, Setup) {
    let setup = with("gated", GATED);
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "/nebuko run gated")])).answering(&[
        json!({"say": "Planned."}),
        json!({"say": "Again."}),
        json!({"say": "Once more."}),
    ]);
    forge.permissions.insert("dana".into(), Permission::Write);
    let played = forge.play(setup.clone(), woken_by(10));
    assert_eq!((played.report.outcome, played.report.reason), (RunOutcome::Held, Reason::GateWaits));
    (forge, setup)
}

fn says(forge: &mut Forge, setup: &Setup, body: &str) -> Played {
    let id = forge.thread.newest_id() + 1;
    forge.thread.merge(Vec::from([comment(id, "dana", body)]));
    forge.play(setup.clone(), woken_by(id))
}

#[test]
fn a_decision_that_is_older_than_the_gate_decides_nothing() {
    let setup = with("gated", GATED);
    let early = comment(11, "dana", "/nebuko approve gate");
    let mut forge =
        Forge::new(Vec::from([comment(10, "dana", "/nebuko run gated")])).answering(&[json!({"say": "Planned."})]);
    forge.permissions.insert("dana".into(), Permission::Write);
    // It is there when the draft is looked over once more, and older than the comment that opens the gate.
    forge.arrives = Some((2, early));
    let played = forge.play(setup, woken_by(10));
    let state = played.report.state.expect("a state was posted");
    assert_eq!((state.step.as_str(), state.gate_history.len()), ("plan", 0), "{}", played.report.detail);
    let told = played.report.posted.iter().any(|posted| posted.body.contains("is older than this gate"));
    assert!(told, "{:?}", played.report.posted);
}

#[test]
fn work_is_sent_back_only_so_often() {
    let (mut forge, mut setup) = waiting();
    setup.settings.limits.gate_rework = 1;
    let again = says(&mut forge, &setup, "/nebuko reject gate not yet");
    assert_eq!(again.report.reason, Reason::GateWaits, "{}", again.report.detail);
    assert!(forge.prompts.last().is_some_and(|prompt| prompt.contains("not yet")), "the feedback reaches the step");
    let used_up = says(&mut forge, &setup, "/nebuko reject gate still not");
    assert!(used_up.report.posted[0].body.contains("was sent back 1 times"), "{:?}", used_up.report.posted);
    assert_eq!(forge.prompts.len(), 2);
    let state = used_up.report.state.expect("a state was posted");
    assert_eq!(state.gate_history.len(), 2);
    let released = says(&mut forge, &setup, "/nebuko approve gate");
    assert_eq!(released.report.outcome, RunOutcome::Finished, "{}", released.report.detail);
}

#[test]
fn one_decision_is_used_once() {
    let (mut forge, setup) = waiting();
    let released = says(&mut forge, &setup, "/nebuko approve gate");
    assert_eq!(released.report.outcome, RunOutcome::Finished);
    let id = released.report.state.expect("a state").gate_history[0].comment_id.expect("its comment");
    let posts = forge.thread.comments.len();
    let again = forge.play(setup, woken_by(id));
    assert_eq!((again.report.outcome, forge.thread.comments.len()), (RunOutcome::Nothing, posts));
}

#[test]
fn who_changed_her_name_approves_once() {
    let mut setup = with("gated", GATED);
    setup.workflows.get_mut("gated").expect("the workflow").gate.approvals = 2;
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "/nebuko run gated")]))
        .answering(&[json!({"say": "Planned."}), json!({"say": "Shipped."})]);
    let opened = forge.play(setup.clone(), woken_by(10));
    assert_eq!(opened.report.reason, Reason::GateWaits, "{}", opened.report.detail);
    let mut approves = |id: u64, login: &str, outcome: RunOutcome| {
        forge.permissions.insert(login.into(), Permission::Write);
        let number = forge.thread.newest_id() + 1;
        let mut said = comment(number, login, "/nebuko approve gate");
        (said.user.id, said.author_association) = (id, "MEMBER".into());
        forge.thread.merge(Vec::from([said]));
        let played = forge.play(setup.clone(), woken_by(number));
        assert_eq!(played.report.outcome, outcome, "{login}: {}", played.report.detail);
    };
    approves(501, "dana", RunOutcome::Held);
    approves(501, "dana-kay", RunOutcome::Held);
    approves(777, "dana", RunOutcome::Finished);
}

#[test]
fn a_repository_that_does_not_answer_refuses() {
    let (mut forge, setup) = waiting();
    forge.permissions.clear();
    let refused = says(&mut forge, &setup, "/nebuko approve gate");
    let state = refused.report.state.expect("a state");
    assert_eq!((state.step.as_str(), state.gate_history.len()), ("plan", 0));
    let stopped = says(&mut forge, &setup, "/nebuko stop");
    assert_eq!(stopped.report.outcome, RunOutcome::Terminated);
    let late = says(&mut forge, &setup, "/nebuko approve gate");
    assert!(late.report.posted[0].body.contains("No gate waits"), "{:?}", late.report.posted);
}

#[test]
fn a_script_whose_comment_is_gone_posts_anew() {
    let source = "\
name: tested
steps:
  - name: test
    script: {command: ls}
    conditions: [{on_result: pass, next: null}]
    next: fix
  - {name: fix, agent: dev, next: test}
";
    let setup = with("tested", source);
    let failed = Ran { end: crate::process::ProcessEnd::Exited { code: 1 }, ..Ran::default() };
    let check = |is_gone: bool, updated: bool| {
        let mut forge =
            Forge::new(Vec::from([comment(10, "dana", "/nebuko run tested")])).answering(&[json!({"say": "Fixed."})]);
        forge.runs = VecDeque::from([failed.clone(), Ran::default()]);
        let mut limited = setup.clone();
        limited.settings.max_steps = 2;
        forge.play(limited, woken_by(10));
        let first = forge.thread.comments.iter().find(|comment| comment.body.contains("bot-agent-script"));
        let first = first.expect("the script's comment").id;
        if is_gone {
            forge.thread.comments.retain(|comment| comment.id != first);
        }
        let played = forge.play(setup.clone(), crate::event::Trigger::Manual);
        assert_eq!(played.report.outcome, RunOutcome::Finished, "{}", played.report.detail);
        let of_scripts = forge.thread.comments.iter().filter(|comment| comment.body.contains("bot-agent-script"));
        let bodies: Vec<_> = of_scripts.map(|comment| comment.body.contains("**pass**")).collect();
        assert_eq!(bodies, [true], "gone: {is_gone}");
        let ids = played.report.state.expect("a state").history.last().expect("an entry").comment_ids.clone();
        assert_eq!(ids == vec![first], updated);
    };
    check(false, true);
    check(true, false);
}

#[test]
fn a_workflow_that_cannot_be_read_holds_and_a_fault_of_this_machine_leaves_the_thread() {
    let source = "name: far\nsteps:\n  - {name: out, repo: 'acme/flows//x.yaml@v1', next: null}\n";
    let setup = with("far", source);
    let check = |file: Option<&str>, kind: FailureKind, outcome: RunOutcome, reason: Reason| {
        let mut forge =
            Forge::new(Vec::from([comment(10, "dana", "/nebuko run far")])).answering(&[json!({"say": "Read."})]);
        forge.elsewhere = file.into_iter().map(|text| ("acme/flows//x.yaml@v1".to_string(), text.into())).collect();
        forge.elsewhere_fails = kind;
        let played = forge.play(setup.clone(), woken_by(10));
        assert_eq!((played.report.outcome, played.report.reason), (outcome, reason), "{file:?} {kind:?}");
    };
    let good = "name: x\nsteps:\n  - {name: a, agent: dev, next: null}\n";
    check(Some(good), FailureKind::Refused, RunOutcome::Finished, Reason::WorkflowEnd);
    // Nobody looked at these with lint: a run does.
    for bad in [
        "name: x\nsteps:\n  - {name: a, agent: nobody, next: null}\n",
        "name: x\nsteps:\n  - {name: a, agent: dev, skill: [gone], next: null}\n",
        "name: x\nsteps:\n  - {name: a, agent: dev, inputs: [b], next: null}\n",
        "name: x\ninputs: [{name: q, kind: str}]\nsteps:\n  - {name: a, agent: dev, next: null}\n",
    ] {
        check(Some(bad), FailureKind::Refused, RunOutcome::Held, Reason::NoRoute);
    }
    check(Some("name: y\n"), FailureKind::Refused, RunOutcome::Held, Reason::NoRoute);
    check(None, FailureKind::Refused, RunOutcome::Held, Reason::NoRoute);
    check(None, FailureKind::Local, RunOutcome::Failed, Reason::LocalFailed);
}

/// The only step of a mounted workflow leads out of it at once, and its output is found all the same.
#[test]
fn the_output_of_a_mount_of_one_step_is_found() {
    let inner = "name: inner\noutputs: [only]\nsteps:\n  - {name: only, agent: dev, next: null}\n";
    let outer = "\
name: outer
steps:
  - {name: part, workflow: inner, next: use}
  - {name: use, agent: review, prompt: 'Look at {{ part }}.', inputs: {given: part}, next: null}
";
    let mut setup = with("outer", outer);
    setup.workflows.extend(with("inner", inner).workflows.remove_entry("inner"));
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "/nebuko run outer")]))
        .answering(&[json!({"say": "The part's words."}), json!({"say": "Seen."})]);
    let played = forge.play(setup, woken_by(10));
    assert_eq!(played.report.outcome, RunOutcome::Finished, "{}", played.report.detail);
    let prompt = forge.prompts.last().expect("the second step was asked");
    assert!(prompt.contains("Look at The part's words."), "{prompt}");
    assert!(prompt.contains("### given"), "{prompt}");
}

/// What is kept of a value in the state is capped, and says so (reference: StepInputRecord); the prompt has it whole.
#[test]
fn a_long_value_is_kept_short_in_the_state_and_whole_in_the_prompt() {
    let source = "name: fed\nsteps:\n  - {name: use, agent: dev, inputs: {log: {exec: [make, log]}}, next: null}\n";
    let check = |chars: usize, kept: usize, truncated: bool| {
        let text = "é".repeat(chars);
        let stdout = crate::process::Captured { head: text.clone() + "\n", ..Default::default() };
        let mut forge =
            Forge::new(Vec::from([comment(10, "dana", "/nebuko run fed")])).answering(&[json!({"say": "Used."})]);
        forge.runs = VecDeque::from([Ran { stdout, ..Ran::default() }]);
        let played = forge.play(with("fed", source), woken_by(10));
        let state = played.report.state.expect("a state was posted");
        let record = &state.history[0].inputs[0];
        let found = (record.ok, record.value.chars().count(), record.truncated);
        assert_eq!(found, (true, kept, truncated), "{chars}");
        assert!(forge.prompts[0].contains(&text), "the prompt has all {chars} characters");
        assert_eq!(forge.processes.len(), 1, "it is made exactly once");
    };
    check(10, 10, false);
    check(4_000, 4_000, false);
    check(4_001, 4_000, true);
    check(50_000, 4_000, true);
}

/// Somebody else writes, as a member.
fn other_says(forge: &mut Forge, setup: &Setup, login: &str, body: &str) -> Played {
    let id = forge.thread.newest_id() + 1;
    let mut said = comment(id, login, body);
    said.user.id = 700 + u64::from(login.as_bytes()[0]);
    said.author_association = "MEMBER".into();
    forge.thread.merge(Vec::from([said]));
    forge.play(setup.clone(), woken_by(id))
}

#[test]
fn nobody_walks_around_a_gate_who_may_not_release_it() {
    let check = |permission: Option<Permission>, body: &str, wanted: &str| {
        let (mut forge, setup) = waiting();
        forge.permissions.remove("rob");
        if let Some(permission) = permission {
            forge.permissions.insert("rob".into(), permission);
        }
        let played = other_says(&mut forge, &setup, "rob", body);
        let state = played.report.state.expect("a state was posted");
        let steps: Vec<_> = state.history.iter().map(|entry| entry.step.as_str()).collect();
        assert_eq!(steps.join(" "), wanted, "{permission:?} {body}");
        steps.len()
    };
    let around = "/nebuko stop\n/nebuko run gated ship";
    check(Some(Permission::Read), around, "plan");
    check(None, around, "plan");
    check(Some(Permission::Write), around, "plan ship");
    check(Some(Permission::Read), "/nebuko stop\n@@review go", "plan");
    // The gated step itself stands behind no gate.
    check(Some(Permission::Read), "/nebuko stop\n/nebuko run gated", "plan plan");
    check(Some(Permission::Read), "/nebuko run gated plan", "plan plan");
}

const NOT_BY_INITIATOR: &str = "\
name: gated
gate: {not_by: initiator}
steps:
  - {name: plan, agent: dev, human_gate: true, next: ship}
  - {name: ship, agent: review, next: null}
";

#[test]
fn who_started_a_run_stays_one_of_its_starters_until_a_new_one_begins() {
    let check = |between: &str, held: bool| {
        let setup = with("gated", NOT_BY_INITIATOR);
        let say = || json!({"say": "Planned."});
        let mut forge =
            Forge::new(Vec::from([comment(10, "dana", "/nebuko run gated")])).answering(&[say(), say(), say(), say()]);
        forge.permissions.insert("dana".into(), Permission::Write);
        forge.permissions.insert("bob".into(), Permission::Write);
        forge.play(setup.clone(), woken_by(10));
        other_says(&mut forge, &setup, "bob", between);
        let played = says(&mut forge, &setup, "/nebuko approve gate");
        let state = played.report.state.expect("a state was posted");
        assert_eq!(state.gate_history.is_empty(), held, "{between}: {}", played.report.detail);
        // Whoever started nothing may release it.
        if held {
            let played = other_says(&mut forge, &setup, "eve", "/nebuko approve gate");
            assert!(played.report.state.is_some_and(|state| state.gate_history.is_empty()), "she may not write");
        }
    };
    check("/nebuko retry", true);
    check("/nebuko run gated plan", true);
    check("@@dev once more", true);
    check("/nebuko status", true);
    // That run is over, and the new one is bob's.
    check("/nebuko stop\n/nebuko run gated", false);
}

const CIRCLE: &str = "\
name: circle
steps:
  - {name: a, script: {command: test}, conditions: [{on_result: fail, next: b}], next: b}
  - {name: b, script: {command: test}, conditions: [{on_result: fail, next: a}], next: a}
";

#[test]
fn scripts_among_themselves_are_bound_like_agents() {
    let check = |chain: bool, max_steps: u32, rounds: u32, steps: usize, reason: Reason| {
        let mut setup = with("circle", CIRCLE);
        (setup.settings.chain, setup.settings.max_steps) = (chain, max_steps);
        setup.settings.limits.rounds = rounds;
        let mut forge = Forge::new(Vec::from([comment(10, "dana", "/nebuko run circle")]));
        forge.runs = (0..60).map(|_| Ran::default()).collect();
        let played = forge.play(setup, woken_by(10));
        let found = (forge.processes.len(), played.report.reason);
        assert_eq!(found, (steps, reason), "{chain} {max_steps} {rounds}: {}", played.report.detail);
    };
    check(true, 5, 25, 5, Reason::StepDone);
    check(false, 5, 25, 5, Reason::StepDone);
    check(true, 50, 7, 7, Reason::LimitReached);
    check(true, 50, 25, 25, Reason::LimitReached);
}
