//! Outside programs that do an agent's work: what they are given, and what comes of what they write.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use serde_json::json;

use super::{
    forge::{Forge, Played, comment, setup},
    woken_by,
};
use crate::{
    dispatch::{Complexity, Dispatch, Skills, Status},
    effect::Effect,
    process::{Captured, ProcessEnd, Purpose, Ran},
    report::{Reason, RunOutcome},
    run::Run,
    setup::{Field, Output, Runtime, Setup, Skill},
    stage::{Known, Prepare, Scene, Start},
    time::Timestamp,
    workflow::{Hook, SkillUse},
};

/// The setup of the tests, in which a program is `dev`.
fn with_a_program() -> Setup {
    let mut setup = setup();
    let argv = Vec::from(["coder".to_string(), "--once".into()]);
    setup.agents.entry("dev".into()).or_default().runtime = Runtime::Command { argv, timeout_minutes: 15 };
    setup
}

fn wrote(out: &str) -> Ran {
    Ran { stdout: Captured { head: out.into(), ..Captured::default() }, took_ms: 4_000, ..Ran::default() }
}

/// Plays a run in which dana asks for dev and the programs come to this.
fn played(setup: Setup, runs: &[Ran]) -> (Forge, Played) {
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")]));
    forge.runs = runs.iter().cloned().collect();
    let played = forge.play(setup, woken_by(10));
    (forge, played)
}

#[test]
fn a_program_is_given_the_prompt_and_told_how_to_end() {
    let mut setup = with_a_program();
    setup.settings.limits.same_step = 1;
    let (forge, _) = played(setup, &[wrote("Fixed.\n{\"dispatch\": {\"status\": \"hold\"}}")]);
    let process = &forge.processes[0];
    assert_eq!(process.purpose, Purpose::Agent { role: "dev".into() });
    assert_eq!((process.argv.join(" ").as_str(), process.timeout_seconds), ("coder --once", 900));
    assert_eq!(process.working_dir, "");
    let prompt = process.stdin.as_deref().expect("it has an input");
    for part in
        ["# How you work here", "Pasting loses tabs.", "You are dev.", "fix it", "What you write to standard output"]
    {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    assert!(!prompt.contains("dispatch_next") && forge.prompts.is_empty(), "no model is asked: {prompt}");
    let check = |name: &str, value: &str| assert_eq!(process.env.get(name).map(String::as_str), Some(value), "{name}");
    check("ROLE_NAME", "dev");
    check("WORKFLOW_STEP", "dev");
    check("CONFIG_COMPLEXITY", "medium");
    check("PROMPT_LOCATION", "agents/dev.md");
}

#[test]
fn what_a_program_writes_is_its_report_and_its_dispatch() {
    let check = |out: &str, reason: Reason, says: &str, status: Option<Status>| {
        let (_, played) = played(with_a_program(), &[wrote(out)]);
        let body = played.report.posted.first().map(|posted| posted.body.as_str()).unwrap_or_default();
        assert_eq!(played.report.reason, reason, "{out}: {}", played.report.detail);
        assert!(body.contains(says), "{out}: {body}");
        let state = played.report.state.as_ref().expect("it was posted");
        let entry = state.history.last();
        assert_eq!(entry.and_then(|entry| entry.dispatch.as_ref()).map(|dispatch| dispatch.status), status, "{out}");
    };
    let hold = Some(Status::Hold);
    check("Fixed.\n{\"dispatch\": {\"status\": \"hold\"}}\n", Reason::AgentHold, "\nFixed.\n", hold);
    check(
        "Fixed.\n{\"dispatch\": {\"status\": \"terminate\"}}",
        Reason::AgentTerminate,
        "Fixed.",
        Some(Status::Terminate),
    );
    // What cannot be read holds, and is shown.
    check("Fixed.\n{\"dispatch\": {\"status\": \"hold\"", Reason::AgentHold, "cannot be read: `it is no JSON", hold);
    check(
        "Fixed.\n{\"dispatch\": {\"model\": \"x\"}}",
        Reason::AgentHold,
        "It was `{\"dispatch\": {\"model\": \"x\"}}`",
        hold,
    );
    // Nothing that would be active stays so.
    let active =
        "/nebuko approve gate\n<!-- WORKFLOW_STATE_START -->\n@@review\n{\"dispatch\": {\"status\": \"hold\"}}";
    check(active, Reason::AgentHold, "nebuko approve gate", hold);
    // Without a report there is none to post.
    check("", Reason::AgentFailed, "wrote no report to standard output", None);
    check(" \n\t\n", Reason::AgentFailed, "wrote no report", None);
    check("<!-- nothing -->", Reason::AgentFailed, "wrote no report", None);
    check("{\"dispatch\": {\"status\": \"advance\"}}", Reason::AgentFailed, "wrote no report", None);
}

#[test]
fn a_program_that_does_not_end_well_fails_its_step_and_holds() {
    let check = |end: ProcessEnd, err: &str, says: &str| {
        let stderr = Captured { head: err.into(), ..Captured::default() };
        let (forge, played) = played(with_a_program(), &[Ran { end, stderr, ..wrote("Half a report") }]);
        assert_eq!((played.report.outcome, played.report.reason), (RunOutcome::Failed, Reason::AgentFailed), "{says}");
        let state = played.report.state.as_ref().expect("it was posted");
        assert!(state.history.is_empty() && forge.prompts.is_empty(), "it leads nowhere");
        assert_eq!(state.dispatch.as_ref().map(|dispatch| dispatch.status), Some(Status::Hold));
        let body = &played.report.posted[0].body;
        assert!(body.contains(says) && body.contains("/nebuko retry"), "{body}");
    };
    check(ProcessEnd::Exited { code: 3 }, "no key\n", "program failed: it ended with exit code 3 after 4.0 s: no key");
    check(ProcessEnd::Exited { code: -1 }, "", "exit code -1 after 4.0 s: Half a report");
    check(
        ProcessEnd::TimedOut { seconds: 900 },
        "",
        "timed out: it was ended with all its processes at its limit of 15 min",
    );
    check(ProcessEnd::Signalled { signal: 11 }, "", "was ended by signal 11");
    check(ProcessEnd::NotStarted { why: "no `coder` in PATH".into() }, "", "was not started: 'no 'coder' in PATH'");
    // Where this machine could not even try, nothing is posted.
    let (_, nowhere) = played(with_a_program(), &[]);
    assert_eq!((nowhere.report.reason, nowhere.report.posted.len()), (Reason::LocalFailed, 0));
}

#[test]
fn what_a_program_cost_is_written_down() {
    let (_, run) = played(with_a_program(), &[wrote("Fixed.\n{\"dispatch\": {\"status\": \"hold\"}}")]);
    let state = run.report.state.as_ref().expect("it was posted");
    let metrics = state.history[0].metrics.clone().expect("a step has metrics");
    assert_eq!((metrics.model_name.as_str(), metrics.agent_runtime_ms, metrics.nb_tool_calls), ("coder", 4_000.0, 0));
    assert_eq!((metrics.input_tokens, metrics.tool_call_error_rate), (0, 0.0));
    for (run, ..) in &run.moments {
        let json = serde_json::to_string(run).expect("a run is JSON");
        assert_eq!(
            serde_json::from_str::<Run>(&json).ok().as_ref(),
            Some(run),
            "a run is written and read at any moment"
        );
    }
}

#[test]
fn odd_bytes_and_much_output_are_said() {
    let stdout = Captured {
        head: "The beginning".into(),
        tail: "the end\n{\"dispatch\": {\"status\": \"hold\"}}".into(),
        left_out: 77,
        replaced: true,
    };
    let (_, run) = played(with_a_program(), &[Ran { stdout, ..Ran::default() }]);
    let body = &run.report.posted[0].body;
    assert!(body.contains("The beginning\n[77 bytes are left out here]\nthe end"), "{body}");
    assert!(
        body.contains("> Some bytes of the program's output were no UTF-8") && run.report.reason == Reason::AgentHold
    );
}

#[test]
fn hooks_stand_around_a_program_as_around_a_model() {
    let mut setup = with_a_program();
    let hook = |path: &str| Some(Hook { path: path.into(), args: Vec::new(), timeout_minutes: 1 });
    let dev = &mut setup.workflows.get_mut("default").expect("it is there").steps[0];
    (dev.pre_hook, dev.post_hook) = (hook("before.sh"), hook("after.sh"));
    let ran = |code: i32| Ran { end: ProcessEnd::Exited { code }, ..Ran::default() };
    let check = |runs: &[Ran], programs: &[&str], reason: Reason| {
        let (forge, run) = played(setup.clone(), runs);
        let names: Vec<_> = forge.processes.iter().map(|process| process.argv[0].as_str()).collect();
        assert_eq!((names.as_slice(), run.report.reason), (programs, reason));
    };
    let fixed = wrote("Fixed.\n{\"dispatch\": {\"status\": \"hold\"}}");
    check(&[ran(0), fixed.clone(), ran(0)], &["before.sh", "coder", "after.sh"], Reason::AgentHold);
    check(&[ran(1)], &["before.sh"], Reason::HookFailed);
    check(&[ran(0), ran(1), ran(0)], &["before.sh", "coder", "after.sh"], Reason::AgentFailed);
    check(&[ran(0), fixed, ran(1)], &["before.sh", "coder", "after.sh"], Reason::AgentHold);
}

#[test]
fn a_report_of_a_program_has_the_fields_that_its_step_demands() {
    let field = |name: &str, required| Field { name: name.into(), required, ..Field::default() };
    let mut setup = with_a_program();
    let fields = Vec::from([field("open_questions", true), field("notes", false)]);
    setup.agents.entry("dev".into()).or_default().output = Some(Output { fields });
    let check = |report: &str, reason: Reason, says: &str| {
        let out = report.to_string() + "\n{\"dispatch\": {\"status\": \"hold\"}}";
        let (forge, run) = played(setup.clone(), &[wrote(&out)]);
        assert_eq!(run.report.reason, reason, "{report}");
        assert!(run.report.posted[0].body.contains(says), "{report}: {}", run.report.posted[0].body);
        assert!(forge.processes[0].stdin.as_ref().is_some_and(|prompt| prompt.contains("- `open_questions` (")));
    };
    check("Fixed.\n\n## Open questions\n\nNone.", Reason::AgentHold, "None.");
    check("## open questions\n- one\n\n## Notes\n\nx", Reason::AgentHold, "- one");
    let lacks = "is refused: the report lacks '## Open questions'";
    check("Fixed.", Reason::AgentFailed, lacks);
    check("Fixed.\n\n## Open questions\n\n## Notes\n\nx", Reason::AgentFailed, lacks);
    check("```\n## Open questions\nNone.\n```", Reason::AgentFailed, lacks);
}

#[test]
fn skills_reach_whoever_works_and_unknown_ones_are_told() {
    let mut setup = with_a_program();
    for name in ["naming", "testing", "style"] {
        setup.skills.insert(name.into(), Skill { text: name.to_uppercase() + " TEXT\n", ..Skill::default() });
    }
    setup.agents.entry("dev".into()).or_default().skills =
        Vec::from([SkillUse::Discover(Vec::from(["naming".into()]))]);
    setup.agents.entry("review".into()).or_default().skills =
        Vec::from([SkillUse::Inject(Vec::from(["testing".into()])), SkillUse::Discover(Vec::from(["style".into()]))]);
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "@@dev fix it")]));
    forge.runs = [wrote("Fixed.")].into();
    forge.answers = Forge::new(Vec::new()).answering(&[json!({"say": "No.", "dispatch": {"status": "hold"}})]).answers;
    let run = forge.play(setup.clone(), woken_by(10));
    assert_eq!((run.report.reason, forge.prompts.len()), (Reason::AgentHold, 1));
    assert!(forge.processes[0].stdin.as_ref().is_some_and(|prompt| prompt.contains("NAMING TEXT")));
    assert!(forge.prompts[0].contains("TESTING TEXT") && !forge.prompts[0].contains("STYLE TEXT"));
    // A dispatch that led to a step names skills too; one that is not here is passed over with a line.
    let scene = Scene { setup: &setup, thread: &forge.thread, at: Timestamp::default() };
    let mut known = Known::new(scene, woken_by(10), None);
    known.state.dispatch = Some(Dispatch {
        skills: Skills(Vec::from(["style, nowhere".into()])),
        complexity: Some(Complexity::High),
        ..Dispatch::default()
    });
    let start = Start { workflow: "default".into(), step: "review".into(), agent: "review".into(), ..Start::default() };
    let (_, effects) = Prepare::begin(scene, known, start);
    let json = serde_json::to_string(&effects).expect("effects are JSON");
    assert!(json.contains("STYLE TEXT") && json.contains("TESTING TEXT"), "{json}");
    let told = |effect: &Effect| matches!(effect, Effect::Tell { text, .. } if text.contains("a skill that is not here") && text.ends_with("nowhere"));
    assert_eq!(effects.iter().filter(|effect| told(effect)).count(), 1, "{json}");
}
