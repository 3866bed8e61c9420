use alloc::{boxed::Box, collections::BTreeMap, vec};

use once_cell::sync::Lazy;
use serde_json::json;

use super::*;
use crate::workflow::{Fetched, Work, parse};

mod parameters;

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

fn frame(workflow: &str, step: &str) -> StepRef {
    StepRef { workflow: workflow.into(), step: step.into(), ..StepRef::default() }
}

fn to(workflow: &str, step: &str, agent: &str) -> Move {
    Move::To { position: vec![frame(workflow, step)], agent: agent.into() }
}

/// Routes from a step at the top of the stack.
fn from(own: &BTreeMap<String, Workflow>, at: (&str, &str), dispatch: &Dispatch, result: Option<&str>) -> Routing {
    let position = [frame(at.0, at.1)];
    let ask = Ask { position: &position, dispatch, result, released: false, call: None };
    route(Library::of(own), &ask).expect("nothing is mounted from elsewhere")
}

/// Routes from a step of `default` and compares the rule, which names where it leads.
#[track_caller]
fn check(step: &str, wish: serde_json::Value, result: Option<&str>, rule: &str) -> Routing {
    let routing = from(&WORKFLOWS, ("default", step), &dispatch(wish.clone()), result);
    assert_eq!(routing.rule, rule, "{step} with {wish} and {result:?}");
    if let Move::To { position, .. } = &routing.go {
        let StepRef { workflow, step, .. } = &position[0];
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
    assert_eq!((next.go, next.notices), (to("default", "context", "context"), vec![]));
    check("analyze", json!({}), Some("approved"), "workflow:default/step:context by next");
    let ended = check("review", json!({}), Some("approved"), "workflow:default/step:review end by on_result:approved");
    assert_eq!(ended.go, Move::End);
    check("review", json!({}), Some("no"), "workflow:default/step:plan by on_result:no");
    check("review", json!({}), Some(" rejected\n"), "workflow:default/step:dev by on_result:Rejected");
    check("review", json!({}), Some("advance"), "workflow:default/step:analyze by on_result:default");
    check("review", json!({}), Some(""), "workflow:default/step:analyze by on_result:default");
    check("review", json!({}), None, "workflow:default/step:analyze by on_result:default");
    let last = from(&WORKFLOWS, ("hotfix", "check"), &Dispatch::default(), None);
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
        assert_eq!(routing.notices, [RouteNotice { field, asked: asked.into(), near, why: String::new() }]);
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
        let routing = from(&WORKFLOWS, at, &dispatch(wish), Some("approved"));
        assert_eq!((routing.go, routing.rule.as_str()), (go, rule));
    };
    check(("default", "gone"), json!({}), Move::Stay, "workflow:default/step:gone is gone");
    check(("default", "gone"), json!({"status": "loop"}), Move::Stay, "workflow:default/step:gone is gone");
    check(("gone", "dev"), json!({"task_hint": "dev"}), Move::Stay, "workflow:gone/step:dev is gone");
    let plan = to("default", "plan", "architect");
    check(("default", "gone"), json!({"step": "plan"}), plan, "workflow:default/step:plan by dispatch.step");
}

#[test]
fn a_workflow_that_was_never_parsed_is_not_ended_by_a_lost_target() {
    let step = Step { name: "a".into(), work: Work::Agent("dev".into()), next: Some("gone".into()), ..Step::default() };
    let workflow = Workflow { name: "w".into(), steps: vec![step], ..Workflow::default() };
    let workflows = BTreeMap::from([("w".into(), workflow)]);
    let routing = from(&workflows, ("w", "a"), &Dispatch::default(), None);
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
        match from(&WORKFLOWS, at, &dispatch, wish(8)).go {
            Move::To { position, agent } => {
                let StepRef { workflow, step, .. } = &position[0];
                let found = WORKFLOWS.get(workflow).and_then(|found| found.step(step));
                found.is_some_and(|found| found.role() == agent)
            }
            Move::Again | Move::End => exists(at.0, at.1),
            Move::Stay => dispatch.status == Status::Hold || !exists(at.0, at.1),
            Move::Stop => dispatch.status == Status::Terminate,
            Move::Gate { .. } => false,
        }
    }
    quickcheck::QuickCheck::new().tests(2_000).quickcheck(holds as fn(Vec<u8>, String) -> bool);
}

fn agent(name: &str, next: Option<&str>) -> Step {
    Step { name: name.into(), work: Work::Agent("dev".into()), next: next.map(String::from), ..Step::default() }
}

fn mount(name: &str, workflow: &str, next: Option<&str>) -> Step {
    Step { work: Work::Workflow(workflow.into()), ..agent(name, next) }
}

fn workflow(name: &str, steps: Vec<Step>) -> (String, Workflow) {
    (name.into(), Workflow { name: name.into(), steps, ..Workflow::default() })
}

/// `top` mounts `mid`, gated, which mounts `low`.
fn nested() -> BTreeMap<String, Workflow> {
    let gated = Step { human_gate: true, ..mount("build", "mid", Some("ship")) };
    BTreeMap::from([
        workflow("top", vec![agent("plan", Some("build")), gated, agent("ship", None)]),
        workflow("mid", vec![mount("inner", "low", None)]),
        workflow("low", vec![agent("write", Some("test")), agent("test", None)]),
    ])
}

/// Writes a stack as `workflow/step|workflow/step`.
fn path(position: &[StepRef]) -> String {
    let frames: Vec<String> = position.iter().map(|frame| format!("{}/{}", frame.workflow, frame.step)).collect();
    frames.join("|")
}

/// Routes from a stack and gives where that leads and by which rule.
fn through(own: &BTreeMap<String, Workflow>, stack: &str, ask: (Dispatch, Option<&str>, bool, Option<&str>)) -> String {
    let position: Vec<StepRef> = stack
        .split('|')
        .map(|at| at.split_once('/').expect("a/b"))
        .map(|(w, s)| frame(w, s.trim_end_matches('*')))
        .collect();
    let called = stack.ends_with('*');
    let position: Vec<StepRef> = position
        .iter()
        .enumerate()
        .map(|(at, frame)| StepRef { called: called && at + 1 == position.len(), ..frame.clone() })
        .collect();
    let (dispatch, result, released, call) = ask;
    let ask = Ask { position: &position, dispatch: &dispatch, result, released, call };
    let routing = route(Library::of(own), &ask).expect("nothing is mounted from elsewhere");
    let gone = match routing.go {
        Move::To { position, .. } => path(&position),
        Move::Gate { position, keeps_target } => format!("gate {} {keeps_target}", path(&position)),
        other => format!("{other:?}"),
    };
    let notices: String = routing.notices.iter().map(|notice| format!(" ({} {})", notice.asked, notice.why)).collect();
    format!("{gone} <- {}{notices}", routing.rule)
}

#[test]
fn mounts_are_entered_and_left_one_frame_at_a_time() {
    let own = nested();
    let check = |stack: &str, wish: serde_json::Value, released: bool, wanted: &str| {
        assert_eq!(through(&own, stack, (dispatch(wish), None, released, None)), wanted, "{stack}");
    };
    check("top/plan", json!({}), false, "top/build|mid/inner|low/write <- workflow:low/step:write by next");
    let test = "top/build|mid/inner|low/test <- workflow:low/step:test by next";
    check("top/build|mid/inner|low/write", json!({}), false, test);
    // Both `low` and `mid` end, and the gate of the step that mounts `mid` stands in the way.
    let held = "gate top/build false <- workflow:top/step:build by human_gate";
    check("top/build|mid/inner|low/test", json!({}), false, held);
    check("top/build", json!({}), true, "top/ship <- workflow:top/step:ship by next");
    check("top/ship", json!({}), false, "End <- workflow:top/step:ship end by next");
}

#[test]
fn a_gate_stands_against_every_way_out() {
    let own = nested();
    let check = |stack: &str, wish: serde_json::Value, released: bool, wanted: &str| {
        assert_eq!(through(&own, stack, (dispatch(wish), None, released, None)), wanted, "{stack}");
    };
    let deep = "top/build|mid/inner|low/write";
    let out = json!({"workflow": "top", "step": "ship"});
    check(deep, out.clone(), false, "gate top/build true <- workflow:top/step:build by human_gate");
    check("top/build", out.clone(), false, "gate top/build true <- workflow:top/step:build by human_gate");
    check("top/build", out, true, "top/ship <- workflow:top/step:ship by dispatch.workflow+step");
    check(deep, json!({"status": "loop"}), false, "Again <- workflow:low/step:write by dispatch.status:loop");
    check(deep, json!({"status": "terminate"}), false, "Stop <- workflow:low/step:write by dispatch.status:terminate");
    let inside = "top/build|mid/inner|low/test <- workflow:low/step:test by dispatch.step";
    check(deep, json!({"step": "test"}), false, inside);
}

#[test]
fn a_call_comes_back_to_its_caller() {
    let own = nested();
    let check = |stack: &str, call: Option<&str>, wanted: &str| {
        assert_eq!(through(&own, stack, (Dispatch::default(), None, false, call)), wanted, "{stack} {call:?}");
    };
    check("low/write", Some("test"), "low/write|low/test <- workflow:low/step:test by call");
    check("low/write", Some("@@dev"), "low/write|low/test <- workflow:low/step:test by call");
    check("low/write|low/test*", None, "low/write <- workflow:low/step:write by return");
    let next = "low/test <- workflow:low/step:test by next (gone )";
    check("low/write", Some("gone"), next);
    let own_step = "low/test <- workflow:low/step:test by next (write a step cannot call itself)";
    check("low/write", Some("write"), own_step);
    let deep = ["low/write"; DEPTH_MAX].join("|");
    let full = through(&own, &deep, (Dispatch::default(), None, false, Some("test")));
    assert!(full.contains("(test too many steps wait for one another already)"), "{full}");
}

#[test]
fn what_cannot_be_mounted_holds_and_says_why() {
    let own = BTreeMap::from([
        workflow("a", vec![agent("x", Some("m")), mount("m", "b", None)]),
        workflow("b", vec![mount("n", "a", None)]),
        workflow("c", vec![agent("x", Some("m")), mount("m", "gone", None)]),
        workflow("d", vec![agent("x", Some("m")), mount("m", "e", None)]),
        workflow("e", vec![]),
    ]);
    let check = |stack: &str, wanted: &str| {
        assert_eq!(through(&own, stack, (Dispatch::default(), None, false, None)), wanted, "{stack}");
    };
    let again = "(a it is running already, further up: a workflow cannot mount itself)";
    check("a/x", &format!("Stay <- workflow:a/step:m cannot be mounted {again}"));
    let gone = "(workflow:c/step:m there is no workflow gone)";
    check("c/x", &format!("Stay <- workflow:c/step:m cannot be mounted {gone}"));
    check("d/x", "Stay <- workflow:d/step:m cannot be mounted (e it has no step)");
    let tower =
        (0..20).map(|at| workflow(&format!("w{at}"), vec![mount("m", &format!("w{}", at + 1), None)])).collect();
    let deep = through(&tower, "w0/m", (dispatch(json!({"step": "m"})), None, false, None));
    assert!(deep.contains("(w17 16 workflows are mounted in one another already)"), "{deep}");
}

#[test]
fn a_workflow_of_another_repository_is_asked_for_first() {
    let far = "acme/flows//x.yaml@v1";
    let step = Step { work: Work::Repo(far.into()), ..agent("m", None) };
    let own = BTreeMap::from([workflow("a", vec![agent("x", Some("m")), step])]);
    let position = [frame("a", "x")];
    let ask = Ask { position: &position, dispatch: &Dispatch::default(), result: None, released: false, call: None };
    assert_eq!(route(Library::of(&own), &ask), Err(Needed(far.into())));
    let read = Workflow { steps: vec![agent("far", None)], name: "x".into(), ..Workflow::default() };
    let check = |fetched: Fetched, wanted: &str| {
        let fetched = BTreeMap::from([(far.to_string(), fetched)]);
        let routing = route(Library { own: &own, fetched: &fetched }, &ask).expect("it was asked for");
        assert_eq!(routing.rule, wanted);
    };
    check(Fetched::Read(Box::new(read)), "workflow:acme/flows//x.yaml@v1/step:far by next");
    check(Fetched::Unusable("HTTP 404".into()), "workflow:a/step:m cannot be mounted");
}

#[test]
fn the_rules_that_did_not_decide_say_why() {
    let routing = check("review", json!({}), Some("odd"), "workflow:default/step:analyze by on_result:default");
    let rules: Vec<_> = routing.passed.iter().map(|passed| passed.rule).collect();
    assert_eq!(rules, ["status", "human_gate", "call", "target", "on_result", "branch"]);
    assert_eq!(routing.passed[4].why, "no condition of `review` waits for `odd`");
}
