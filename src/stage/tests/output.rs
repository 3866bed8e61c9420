//! Reports that are refused and repaired, and which ledger a plan has to cover.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Value, json};

use super::{
    forge::{Forge, Played, comment, setup},
    woken_by,
};
use crate::{
    report::{Reason, RunOutcome},
    setup::{Field, FieldKind, Output, Setup},
    snapshot::Comment,
    workflow::{Condition, Step, Work, Workflow},
};

const LEDGER: &str = "\
| ID | kind | statement | source | origin |
|----|------|-----------|--------|--------|
| R1 | requirement | Tabs survive. | the issue | explicit |
| R3 | requirement | Undo takes one step. | the issue | inferred |
| K1 | constraint | No new package. | the issue | explicit |
| Q1 | quality | A small change. | the issue | explicit |
";
const ALL: &str = "\
| ID | covered by | verified by |
|----|------------|-------------|
| R1 | step 1 | tabs_survive |
| R3 | deferred: undo is rewritten next month | |
| K1 | step 2 | a look at the manifest |
";
const SOME: &str = "| ID | covered by | verified by |\n|--|--|--|\n| R1 | step 1 | tabs_survive |\n";

fn declared(fields: &[(&str, FieldKind, bool)]) -> Option<Output> {
    let field = |(name, kind, required): &(&str, FieldKind, bool)| Field {
        name: (*name).into(),
        description: format!("What the {name} are."),
        required: *required,
        kind: *kind,
    };
    Some(Output { fields: fields.iter().map(field).collect() })
}

/// Two steps, `analyze` and `plan`, the second of which declares these fields.
fn with(plan: Option<Output>) -> Setup {
    let step = |name: &str, agent: &str, next: Option<&str>, output| Step {
        name: name.into(),
        work: Work::Agent(agent.into()),
        next: next.map(Into::into),
        output,
        ..Step::default()
    };
    let analyze = step("analyze", "dev", Some("plan"), declared(&[("requirements", FieldKind::Table, true)]));
    let steps = Vec::from([analyze, step("plan", "review", None, plan)]);
    let mut setup = setup();
    let workflow = Workflow { name: "default".into(), steps, ..Workflow::default() };
    setup.workflows.insert(workflow.name.clone(), workflow);
    setup
}

fn covering() -> Setup {
    with(declared(&[("coverage", FieldKind::Table, true)]))
}

fn finish(arguments: &Value) -> String {
    let call = json!({"id": "call-7", "type": "function",
        "function": {"name": "finish", "arguments": arguments.to_string()}});
    json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [call]}}]})
        .to_string()
}

fn says(text: &str) -> String {
    json!({"choices": [{"finish_reason": "stop", "message": {"content": text}}]}).to_string()
}

fn analysis(requirements: &str) -> String {
    finish(&json!({"fields": {"requirements": requirements}}))
}

fn coverage(coverage: &str) -> String {
    finish(&json!({"report": "The plan.", "fields": {"coverage": coverage}}))
}

fn forge(answers: &[String]) -> Forge {
    let mut forge = Forge::new(Vec::from([comment(10, "dana", "/nebuko run default")]));
    forge.answers = answers.iter().cloned().collect();
    forge
}

/// Gives the last message of a request: what the model was told after its newest answer.
fn last_message(request: &str) -> Value {
    let request: Value = serde_json::from_str(request).expect("a request is JSON");
    request["messages"].as_array().and_then(|all| all.last().cloned()).expect("a request has messages")
}

fn warned(played: &Played, words: &str) -> bool {
    played.log.iter().any(|line| line.contains("\"warning\"") && line.contains(words))
}

#[test]
fn missing_coverage_is_refused_under_the_same_call_and_repaired_in_the_same_turn() {
    let mut forge = forge(&[analysis(LEDGER), coverage(SOME), coverage(ALL)]);
    let played = forge.play(covering(), woken_by(10));
    assert_eq!((played.report.outcome, played.report.reason), (RunOutcome::Finished, Reason::WorkflowEnd));
    let refused = json!({"role": "tool", "tool_call_id": "call-7", "content": "coverage missing: R3, K1"});
    assert_eq!(last_message(&forge.prompts[2]), refused);
    let state = played.report.state.expect("a state was posted");
    let figures = state.engine.expect("the engine's note").figures;
    assert_eq!((figures.coverage_refusals, figures.other_refusals, figures.turns), (1, 0, 2));
    assert_eq!(state.history.len(), 2, "one turn of the step, however often its report was refused");
    let posted = &forge.thread.comments.last().expect("the plan").body;
    assert!(posted.contains("The plan.\n\n## Coverage\n\n| ID |"), "{posted}");
}

#[test]
fn coverage_is_checked_only_where_there_is_something_to_check() {
    let check = |says: &str, setup: Setup, requirements: &str, plan: &str, refused: u64| {
        let mut forge = forge(&[analysis(requirements), plan.into(), coverage(ALL)]);
        let played = forge.play(setup, woken_by(10));
        let figures = played.report.state.and_then(|state| state.engine).expect("the engine's note").figures;
        assert_eq!(figures.coverage_refusals, refused, "{says}");
        assert_eq!(played.report.outcome, RunOutcome::Finished, "{says}");
        let unreadable = played.log.iter().any(|line| line.contains("so coverage is not checked"));
        assert_eq!(unreadable, says.contains("unreadable"), "{says}");
    };
    let other = "| name | words |\n|--|--|\n| R1 | x |\n";
    check("a ledger", covering(), LEDGER, &coverage(SOME), 1);
    check("no such field", with(None), LEDGER, &says("Planned."), 0);
    check("another field", with(declared(&[("notes", FieldKind::Text, false)])), LEDGER, &says("Planned."), 0);
    check("an unreadable ledger", covering(), other, &coverage(SOME), 0);
    check("nothing that is enforced", covering(), "| ID |\n|--|\n| Q1 |\n| NG2 |\n", &coverage(SOME), 0);
    let optional = || with(declared(&[("coverage", FieldKind::Table, false)]));
    check("an optional field", optional(), LEDGER, &says("Planned."), 1);
    check("an optional field, in words", optional(), LEDGER, &says(&format!("## Coverage\n\n{ALL}")), 0);
    check("a dressed ledger", covering(), &LEDGER.replace("R3", "**r3**"), &coverage(SOME), 1);
}

#[test]
fn people_confirm_and_take_away_rows_and_strangers_do_not() {
    let forged = comment(990, "stranger", &format!("## Requirements\n\n{LEDGER}| R9 | | x | | explicit |\n"));
    let check = |says: &str, edit: &dyn Fn(&mut Vec<Comment>), missing: Option<&str>| {
        let mut setup = covering();
        setup.settings.max_steps = 1;
        let mut forge = forge(&[analysis(LEDGER), coverage(SOME), coverage(ALL)]);
        forge.play(setup.clone(), woken_by(10));
        edit(&mut forge.thread.comments);
        forge.play(setup, crate::event::Trigger::Manual);
        let told = forge.prompts.get(2).map(|prompt| last_message(prompt)["content"].as_str().map(ToString::to_string));
        assert_eq!(told.flatten(), missing.map(|missing| format!("coverage missing: {missing}")), "{says}");
    };
    let edited = |from: &'static str, to: &'static str| {
        move |comments: &mut Vec<Comment>| {
            let analysis = comments.iter_mut().find(|comment| comment.body.contains("## Requirements"));
            let body = &mut analysis.expect("the analysis was posted").body;
            assert!(body.contains(from), "{body}");
            *body = body.replace(from, to);
        }
    };
    check("as it was", &|_| {}, Some("R3, K1"));
    check(
        "a row is gone",
        &edited("| R3 | requirement | Undo takes one step. | the issue | inferred |\n", ""),
        Some("K1"),
    );
    check("a row is struck out", &edited("| R3 |", "| ~~R3~~ |"), Some("K1"));
    check("both are gone", &edited("| R3 |", "| ~~R3~~ |\n| ~~K1~~ |\n| ~~K1~~ | |\n| NG7 |"), Some("K1"));
    check("a row is new", &edited("| K1 |", "| K2 | | x | | explicit |\n| K1 |"), Some("R3, K1, K2"));
    check("lines end otherwise", &edited("\n", "\r\n"), Some("R3, K1"));
    check("a stranger has one too", &|comments| comments.push(forged.clone()), Some("R3, K1"));
    check("the heading is gone", &edited("## Requirements", "## Kept"), None);
}

#[test]
fn the_newest_ledger_counts_and_one_without_a_table_is_passed_over() {
    let check = |says_too: &str, declares: bool, missing: &str| {
        let mut setup = covering();
        let default = setup.workflows.get_mut("default").expect("it is there");
        let output = declared(&[("requirements", FieldKind::Text, false)]).filter(|_| declares);
        let again = Step { name: "again".into(), next: Some("plan".into()), output, ..default.steps[0].clone() };
        default.steps[0].next = Some("again".into());
        default.steps.insert(1, again);
        let mut forge = forge(&[analysis(LEDGER), says(says_too), coverage("| ID |\n|--|\n"), coverage(ALL)]);
        forge.play(setup, woken_by(10));
        assert_eq!(last_message(&forge.prompts[3])["content"], format!("coverage missing: {missing}"), "{says_too}");
    };
    let table = "## Requirements\n\n| ID |\n|--|\n| K1 |\n";
    check("Nothing new.", true, "R1, R3, K1");
    check("## Requirements\n\nAs before.", true, "R1, R3, K1");
    check(table, true, "K1");
    check(&format!("> {}", table.replace('\n', "\n> ")), true, "R1, R3, K1");
    // A step that writes no ledger, such as a review, does not replace it.
    check(table, false, "R1, R3, K1");
}

#[test]
fn a_report_is_refused_so_often_and_then_the_step_fails_with_the_reason() {
    let check = |answer: &str, role: &str, part: &str, wanted: &str| {
        let answers: Vec<String> = core::iter::repeat_n(answer.to_string(), 5).collect();
        let mut forge = forge(&answers);
        let played = forge.play(covering(), woken_by(10));
        assert_eq!(
            (played.report.outcome, played.report.reason),
            (RunOutcome::Failed, Reason::AgentFailed),
            "{answer}"
        );
        assert_eq!(forge.answers.len(), 1, "{answer}: it was asked again three times");
        assert!(played.report.detail.contains(part), "{}", played.report.detail);
        // What was refused is no comment, and not lost either.
        let kept = played.report.unposted.join("\n");
        assert_eq!(kept.matches(wanted).count(), 4, "{kept}");
        let told = last_message(&forge.prompts[1]);
        assert_eq!(told["role"], role, "{told}");
        assert!(told.to_string().contains(part), "{told}");
    };
    check(&finish(&json!({"report": "Done."})), "tool", "requirements is missing", "Done.");
    check(&finish(&json!({"fields": {"requirements": "R1"}})), "tool", "requirements is no markdown table", "R1");
    check(
        &finish(&json!({"fields": {"requirement": LEDGER}})),
        "tool",
        "did you mean `requirements`?",
        "Tabs survive.",
    );
    check(&says("All done."), "user", "handed in with finish", "All done.");
}

#[test]
fn an_answer_in_words_is_asked_for_with_finish_and_keeps_its_dispatch() {
    let dispatch = json!({"id": "c1", "type": "function",
        "function": {"name": "dispatch_next", "arguments": "{\"status\":\"hold\"}"}});
    let message = json!({"content": "All done.", "tool_calls": [dispatch]});
    let with_words = json!({"choices": [{"finish_reason": "stop", "message": message}]}).to_string();
    let mut forge = forge(&[with_words, analysis(LEDGER)]);
    let played = forge.play(covering(), woken_by(10));
    assert_eq!((played.report.outcome, played.report.reason), (RunOutcome::Held, Reason::AgentHold));
    let figures = played.report.state.and_then(|state| state.engine).expect("the engine's note").figures;
    assert_eq!((figures.other_refusals, figures.ledger_size, figures.ledger_inferred), (1, 4, 1));
    assert_eq!(last_message(&forge.prompts[1])["role"], "user");
}

#[test]
fn what_is_odd_about_a_ledger_is_told_and_refuses_nothing() {
    let mut forge = forge(&[analysis(&format!("{LEDGER}| R1 | | again | | explicit |\n")), coverage(ALL)]);
    let played = forge.play(covering(), woken_by(10));
    assert_eq!(played.report.outcome, RunOutcome::Finished);
    assert!(warned(&played, "R1 stands there twice"));
}

#[test]
fn a_ledger_that_is_posted_in_parts_is_one_ledger() {
    let rows: String =
        (1..=1_500).map(|at| format!("| R{at} | | Rule {at} of a long list of rules. | | explicit |\n")).collect();
    let long = format!("| ID | kind | statement | source | origin |\n|--|--|--|--|--|\n{rows}");
    let mut forge = forge(&[analysis(&long), coverage("| ID | covered by |\n|--|--|\n| R1 | 1 |\n"), coverage(ALL)]);
    forge.play(covering(), woken_by(10));
    let parts = forge.thread.comments.iter().filter(|comment| comment.body.contains("of a long list")).count();
    assert!(parts > 1, "{parts}");
    let told = last_message(&forge.prompts[2])["content"].as_str().map(ToString::to_string).unwrap_or_default();
    assert!(told.starts_with("coverage missing: R2, R3, ") && told.ends_with(", R1500"), "{told}");
}

#[test]
fn the_agent_is_told_which_fields_its_report_has() {
    let mut forge = forge(&[analysis(LEDGER), coverage(ALL)]);
    forge.play(covering(), woken_by(10));
    let block = "- `coverage` (a markdown table, required): What the coverage are.";
    assert!(forge.prompts[1].contains(block), "{}", forge.prompts[1]);
    assert!(forge.prompts[1].contains("The requirements ledger in force has R1, R3, K1."));
    assert!(!forge.prompts[0].contains("The requirements ledger in force"));
}

/// Writes a report with so many references of 8,000 characters each.
fn referring(count: usize) -> String {
    let reference = json!({"url": "https://docs.example.org/", "date": "2026-10-02T08:00:00Z",
        "chunks": ["x".repeat(8_000)], "summary": "A page.", "score": 1});
    let block = Value::from_iter(core::iter::repeat_n(reference, count));
    says(&format!("### EXTERNAL REFERENCES\n\n```json\n{block}\n```\n"))
}

#[test]
fn the_references_of_a_run_count_together_and_a_step_replaces_its_own() {
    let check = |first: usize, again: usize, second: usize, refused: bool| {
        let mut setup = with(None);
        let default = setup.workflows.get_mut("default").expect("it is there");
        default.steps[0].output = None;
        let loops = Condition { on_result: "loop".into(), next: Some("analyze".into()) };
        default.steps[0].conditions = Vec::from([loops]);
        let dispatch = json!({"id": "c1", "type": "function",
            "function": {"name": "dispatch_next", "arguments": "{\"status\":\"loop\"}"}});
        let mut once: Value = serde_json::from_str(&referring(first)).expect("it is JSON");
        once["choices"][0]["message"]["tool_calls"] = json!([dispatch]);
        let mut forge = forge(&[once.to_string(), referring(again), referring(second), says("Planned.")]);
        forge.play(setup, woken_by(10));
        let told = forge.prompts.get(3).map(|prompt| last_message(prompt).to_string()).unwrap_or_default();
        assert_eq!(told.contains("of them in earlier reports"), refused, "{first}, {again}, {second}: {told}");
    };
    check(5, 5, 6, true);
    check(5, 5, 5, false);
    check(9, 1, 9, false);
    check(1, 9, 2, true);
}
