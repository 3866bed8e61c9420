use alloc::vec;

use once_cell::sync::Lazy;
use serde_json::json;

use super::*;
use crate::workflow::{Work, parse};

const DEFAULT: &str = "\
name: default
steps:
  - {name: analyze, agent: architect, next: context}
  - {name: context, agent: context, next: plan}
  - {name: plan, agent: architect, next: dev}
  - {name: dev, agent: dev, next: review}
  - name: review
    agent: review
    next: dev
    conditions:
      - {on_result: approved, next: null}
      - {on_result: Rejected, next: dev}
      - {on_result: no, next: plan}
      - {on_result: default, next: analyze}
";
const OTHER: &str =
    "name: hotfix\nsteps:\n  - {name: fix, agent: dev, next: check}\n  - {name: check, agent: review}\n";

static WORKFLOWS: Lazy<BTreeMap<String, Workflow>> = Lazy::new(|| {
    let read = |(file, text)| parse(file, text).expect("the test's workflows are sound");
    let named = |workflow: Workflow| (workflow.name.clone(), workflow);
    [("default.yaml", DEFAULT), ("hotfix.yaml", OTHER)].map(read).into_iter().map(named).collect()
});

fn dispatch(json: serde_json::Value) -> Dispatch {
    serde_json::from_value(json).expect("the test's dispatches are dispatches")
}

/// Routes from a step of `default` and compares the rule, which names where it leads.
#[track_caller]
fn check(step: &str, wish: serde_json::Value, result: Option<&str>, rule: &str) -> Routing {
    let routing = route(&WORKFLOWS, ("default", step), &dispatch(wish.clone()), result);
    assert_eq!(routing.rule, rule, "{step} with {wish} and {result:?}");
    if let Move::To { workflow, step, .. } = &routing.go {
        assert!(rule.starts_with(&format!("workflow:{workflow}/step:{step} by ")), "{rule} and {:?}", routing.go);
    }
    routing
}

#[test]
fn a_status_comes_before_every_target() {
    let go = |status: &str, result: Option<&str>, rule: &str| {
        check("dev", json!({"status": status, "step": "plan", "workflow": "hotfix"}), result, rule).go
    };
    assert_eq!(go("terminate", None, "workflow:default/step:dev by dispatch.status:terminate"), Move::Stop);
    assert_eq!(go("hold", Some("approved"), "workflow:default/step:dev by dispatch.status:hold"), Move::Stay);
    assert_eq!(go("loop", None, "workflow:default/step:dev by dispatch.status:loop"), Move::Again);
}

#[test]
fn without_a_wish_the_workflow_file_decides() {
    let next = check("analyze", json!({}), None, "workflow:default/step:context by next");
    let to = Move::To { workflow: "default".into(), step: "context".into(), agent: "context".into() };
    assert_eq!((next.go, next.notices), (to, vec![]));
    check("analyze", json!({}), Some("approved"), "workflow:default/step:context by next");
    let ended = check("review", json!({}), Some("approved"), "workflow:default/step:review end by on_result:approved");
    assert_eq!(ended.go, Move::End);
    check("review", json!({}), Some("no"), "workflow:default/step:plan by on_result:no");
    check("review", json!({}), Some(" rejected\n"), "workflow:default/step:dev by on_result:Rejected");
    check("review", json!({}), Some("advance"), "workflow:default/step:analyze by on_result:default");
    check("review", json!({}), Some(""), "workflow:default/step:analyze by on_result:default");
    check("review", json!({}), None, "workflow:default/step:analyze by on_result:default");
    let last = route(&WORKFLOWS, ("hotfix", "check"), &Dispatch::default(), None);
    assert_eq!((last.go, last.rule.as_str()), (Move::End, "workflow:hotfix/step:check end by next"));
}

#[test]
fn the_branch_is_asked_after_the_result() {
    check("review", json!({"branch": "no"}), None, "workflow:default/step:plan by branch:no");
    check("review", json!({"branch": "no"}), Some("odd"), "workflow:default/step:plan by branch:no");
    check("review", json!({"branch": "no"}), Some("rejected"), "workflow:default/step:dev by on_result:Rejected");
    check("review", json!({"branch": "odd"}), Some("odd"), "workflow:default/step:analyze by on_result:default");
    check("dev", json!({"branch": "no"}), None, "workflow:default/step:review by next");
}

#[test]
fn explicit_targets_are_tried_in_order() {
    let both = json!({"workflow": "hotfix", "step": "check", "task_hint": "dev", "task": "context"});
    check("dev", both, None, "workflow:hotfix/step:check by dispatch.workflow+step");
    check("dev", json!({"workflow": "hotfix"}), None, "workflow:hotfix/step:fix by dispatch.workflow");
    check(
        "dev",
        json!({"workflow": "default", "step": "plan"}),
        None,
        "workflow:default/step:plan by dispatch.workflow+step",
    );
    check("dev", json!({"step": "plan", "task_hint": "context"}), None, "workflow:default/step:plan by dispatch.step");
    check("dev", json!({"task_hint": "context", "task": "dev"}), None, "workflow:default/step:context by task_hint");
    check("analyze", json!({"task": "dev"}), None, "workflow:default/step:dev by task");
    check("review", json!({"step": "plan"}), Some("approved"), "workflow:default/step:plan by dispatch.step");
    // The current workflow is no override, and an empty wish is none.
    check("dev", json!({"workflow": "default"}), None, "workflow:default/step:review by next");
    check(
        "dev",
        json!({"workflow": "default", "task_hint": "context"}),
        None,
        "workflow:default/step:context by task_hint",
    );
    check("dev", json!({"workflow": "", "step": " ", "task_hint": ""}), None, "workflow:default/step:review by next");
}

#[test]
fn a_hint_is_a_role_first_and_the_step_that_fits_best() {
    let hint = |step: &str, hint: &str, rule: &str| check(step, json!({ "task_hint": hint }), None, rule);
    hint("context", "architect", "workflow:default/step:plan by task_hint");
    hint("analyze", "architect", "workflow:default/step:plan by task_hint");
    hint("dev", "architect", "workflow:default/step:plan by task_hint");
    hint("plan", "architect", "workflow:default/step:plan by task_hint");
    hint("review", "architect", "workflow:default/step:analyze by task_hint");
    hint("dev", "analyze", "workflow:default/step:analyze by task_hint");
    hint("analyze", "@@dev", "workflow:default/step:dev by task_hint");
}

#[test]
fn a_target_that_is_not_there_gives_a_notice_and_the_conditions_decide() {
    let check = |wish: serde_json::Value, field: &'static str, asked: &str, near: &[&str]| {
        let routing = check("review", wish, Some("rejected"), "workflow:default/step:dev by on_result:Rejected");
        let near = near.iter().map(ToString::to_string).collect();
        assert_eq!(routing.notices, [RouteNotice { field, asked: asked.into(), near }]);
    };
    check(json!({"step": "plna"}), "step", "plna", &["plan"]);
    check(json!({"step": "gone", "task_hint": "context"}), "step", "gone", &[]);
    check(json!({"workflow": "hotfx"}), "workflow", "hotfx", &["hotfix"]);
    check(json!({"workflow": "hotfix", "step": "fxi"}), "step", "fxi", &["fix"]);
    check(json!({"task_hint": "contxt"}), "task_hint", "contxt", &["context"]);
    check(json!({"task": "devv"}), "task", "devv", &["dev"]);
    check(json!({"step": "x".repeat(9_000)}), "step", &"x".repeat(100), &[]);
}

#[test]
fn a_step_that_is_gone_holds_unless_the_wish_is_clear() {
    let check = |at: (&str, &str), wish: serde_json::Value, go: Move, rule: &str| {
        let routing = route(&WORKFLOWS, at, &dispatch(wish), Some("approved"));
        assert_eq!((routing.go, routing.rule.as_str()), (go, rule));
    };
    check(("default", "gone"), json!({}), Move::Stay, "workflow:default/step:gone is gone");
    check(("default", "gone"), json!({"status": "loop"}), Move::Stay, "workflow:default/step:gone is gone");
    check(("gone", "dev"), json!({"task_hint": "dev"}), Move::Stay, "workflow:gone/step:dev is gone");
    let plan = Move::To { workflow: "default".into(), step: "plan".into(), agent: "architect".into() };
    check(("default", "gone"), json!({"step": "plan"}), plan, "workflow:default/step:plan by dispatch.step");
}

#[test]
fn a_workflow_that_was_never_parsed_is_not_ended_by_a_lost_target() {
    let step = Step { name: "a".into(), work: Work::Agent("dev".into()), next: Some("gone".into()), ..Step::default() };
    let workflow = Workflow { name: "w".into(), steps: vec![step], ..Workflow::default() };
    let workflows = BTreeMap::from([("w".into(), workflow)]);
    let routing = route(&workflows, ("w", "a"), &Dispatch::default(), None);
    assert_eq!((routing.go, routing.rule.as_str()), (Move::Stay, "workflow:w/step:a lost by next"));
}

/// Whatever a dispatch says, the routing names steps that exist, and only from a step that exists does it end.
#[test]
fn no_dispatch_leads_to_a_step_that_does_not_exist() {
    fn holds(picks: Vec<u8>, noise: String) -> bool {
        let words =
            ["", "default", "hotfix", "dev", "plan", "review", "check", "approved", "no", "gone", noise.as_str()];
        let pick = |index: usize| words[usize::from(picks.get(index).copied().unwrap_or(0)) % words.len()];
        let wish = |index: usize| Some(pick(index)).filter(|_| picks.get(index).is_some_and(|pick| pick % 3 > 0));
        let statuses = [Status::Advance, Status::Advance, Status::Loop, Status::Hold, Status::Terminate];
        let task = wish(5).map(|task| ("task".to_string(), json!(task)));
        let dispatch = Dispatch {
            status: statuses[usize::from(picks.first().copied().unwrap_or(0)) % statuses.len()],
            workflow: wish(1).map(String::from),
            step: wish(2).map(String::from),
            task_hint: wish(3).map(String::from),
            branch: wish(4).map(String::from),
            unknown: task.into_iter().collect(),
            ..Dispatch::default()
        };
        let at = (pick(6), pick(7));
        let exists =
            |workflow: &str, step: &str| WORKFLOWS.get(workflow).is_some_and(|found| found.step(step).is_some());
        match route(&WORKFLOWS, at, &dispatch, wish(8)).go {
            Move::To { workflow, step, agent } => {
                let found = WORKFLOWS.get(&workflow).and_then(|found| found.step(&step));
                found.is_some_and(|found| found.role() == agent)
            }
            Move::Again | Move::End => exists(at.0, at.1),
            Move::Stay => dispatch.status == Status::Hold || !exists(at.0, at.1),
            Move::Stop => dispatch.status == Status::Terminate,
        }
    }
    quickcheck::QuickCheck::new().tests(2_000).quickcheck(holds as fn(Vec<u8>, String) -> bool);
}
