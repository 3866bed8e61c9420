use alloc::{
    format,
    string::{String, ToString},
};

use serde_json::{Value, json};

use super::*;
use crate::{
    markdown::{defuse, without_engine_text},
    props,
    setup::FieldKind,
};

fn field(name: &str, kind: FieldKind, required: bool) -> Field {
    Field { name: name.into(), description: String::new(), required, kind }
}

/// Hands in a report: `fields` is an object, and what came of it is shown as words.
fn hand_in(declared: &[Field], ledger: Option<&Ledger>, report: &str, fields: Value) -> Result<Accepted, Refusal> {
    let fields = fields.as_object().cloned().unwrap_or_default();
    let ledger = || ledger.cloned();
    let demand = Demand { fields: declared, ledger: &ledger, guests: &Guests::default, quoted: &|| 0 };
    demand.take(&Finish { report: report.into(), fields, result: None })
}

#[test]
fn a_heading_is_made_of_a_name() {
    let check = |name: &str, words: &str| assert_eq!(heading(name), words);
    check("requirements", "Requirements");
    check("open_questions", "Open questions");
    check("test-plan", "Test plan");
    check("API", "API");
    check("éa", "Éa");
    check("", "");
}

#[test]
fn fields_that_are_not_as_declared_are_refused_all_at_once() {
    let declared = [
        field("summary", FieldKind::Text, true),
        field("requirements", FieldKind::Table, true),
        field("data", FieldKind::Json, false),
    ];
    let table = "| ID |\n|--|\n| R1 |";
    let check = |fields: Value, parts: &[&str]| match hand_in(&declared, None, "", fields.clone()) {
        Ok(accepted) => assert!(parts.is_empty(), "{fields}: {accepted:?}"),
        Err(Refusal::Other(words)) => {
            assert!(!parts.is_empty(), "{fields}: {words}");
            assert_eq!(words.lines().count(), parts.len() + 1, "{fields}: {words}");
            parts.iter().for_each(|part| assert!(words.contains(part), "{fields}: {words}"));
        }
        Err(other) => panic!("{fields}: {other:?}"),
    };
    check(json!({"summary": "s", "requirements": table}), &[]);
    check(json!({"summary": "s", "requirements": table, "data": "[1, 2]"}), &[]);
    check(json!({"summary": "s", "requirements": table, "data": {"a": [1, null]}}), &[]);
    check(json!({"summary": "s", "requirements": table, "data": null}), &[]);
    check(json!({}), &["summary is missing", "requirements is missing"]);
    check(json!({"summary": " \n", "requirements": table}), &["summary is missing"]);
    check(json!({"summary": "<!-- x -->", "requirements": table}), &["summary is missing"]);
    check(json!({"summary": 7, "requirements": [table]}), &["summary is no text", "requirements is no text"]);
    check(json!({"summary": "s", "requirements": "R1: x"}), &["requirements is no markdown table: give it"]);
    check(json!({"summary": "s", "requirements": table, "data": "[1,]"}), &["data is no JSON (expected value"]);
    check(json!({"summary": "s", "requirements": table, "data": "```json\n1\n```"}), &["data is no JSON"]);
    let near = "there is no field requirement (did you mean `requirements`?)";
    check(json!({"summary": "s", "requirement": table}), &[near, "requirements is missing"]);
    check(json!({"summary": "x".repeat(100_001), "requirements": table}), &["summary is too long (100001 characters"]);
    let words = hand_in(&[], None, "text", json!({"summary": "s"})).map_err(|refusal| refusal.words().to_string());
    assert!(words.is_err_and(|words| words.contains("this step declares none")));
}

#[test]
fn a_report_is_rendered_in_the_declared_order_under_fixed_headings() {
    let declared = [
        field("open_questions", FieldKind::Text, false),
        field("data", FieldKind::Json, false),
        field("notes", FieldKind::Text, false),
    ];
    let check = |report: &str, fields: Value, wanted: &str| {
        let accepted = hand_in(&declared, None, report, fields.clone());
        assert_eq!(accepted.as_ref().map(|accepted| accepted.report.as_str()), Ok(wanted), "{fields}");
    };
    check("Free.", json!({}), "Free.");
    check("", json!({"notes": "n", "open_questions": "q"}), "## Open questions\n\nq\n\n## Notes\n\nn");
    check("Free.\n", json!({"notes": "n\n"}), "Free.\n\n## Notes\n\nn");
    check("", json!({"data": {"a": "```\n## x"}}), "## Data\n\n````json\n{\n  \"a\": \"```\\n## x\"\n}\n````");
    check("", json!({"data": ["<!-- a"]}), "## Data\n\n```json\n[\n  \"\\u003c!-- a\"\n]\n```");
    check("", json!({"data": "7"}), "## Data\n\n```json\n7\n```");
    check("", json!({"notes": "# a\n## b\ntext\n\nc\nd\n---\n"}), "## Notes\n\n### a\n#### b\ntext\n\n#### c d");
    check("", json!({"notes": "#### a\n###### b"}), "## Notes\n\n#### a\n###### b");
    check("", json!({"notes": "# a\n###### b"}), "## Notes\n\n### a\n###### b");
    check("", json!({"notes": "```\n# a"}), "## Notes\n\n```\n# a\n```");
    check("```\nopen", json!({"notes": "n"}), "```\nopen\n```\n\n## Notes\n\nn");
    let empty = hand_in(&declared, None, " ", json!({}));
    assert!(matches!(empty, Err(Refusal::Other(words)) if words.contains("report is empty")));
}

#[test]
fn coverage_that_is_missing_is_refused_in_the_words_of_the_contract() {
    let ledger = requirements::ledger("| ID | statement |\n|--|--|\n| R1 | a |\n| K1 | b |\n| R3 | c |\n| Q1 | d |\n");
    let ledger = ledger.expect("it is a ledger");
    let declared = [field(COVERAGE, FieldKind::Table, false)];
    let all = "| ID | covered by |\n|--|--|\n| R1 | 1 |\n| K1 | 2 |\n| R3 | deferred: later |\n";
    let some = "| ID | covered by |\n|--|--|\n| R1 | 1 |\n";
    let check = |declared: &[Field], ledger: Option<&Ledger>, report: &str, fields: Value, missing: Option<&str>| {
        let found = hand_in(declared, ledger, report, fields.clone()).err();
        assert_eq!(found, missing.map(|words| Refusal::Coverage(words.into())), "{report:?} {fields}");
    };
    check(&declared, Some(&ledger), "", json!({"coverage": all}), None);
    check(&declared, Some(&ledger), "", json!({"coverage": some}), Some("coverage missing: R3, K1"));
    check(&declared, Some(&ledger), "No table.", json!({}), Some("coverage missing: R1, R3, K1"));
    let other = [field("Coverage", FieldKind::Table, false)];
    check(&other, Some(&ledger), "", json!({"Coverage": some}), Some("coverage missing: R3, K1"));
    check(&declared, Some(&ledger), &format!("## Coverage\n\n{all}"), json!({}), None);
    check(&declared, Some(&ledger), &format!("## Other\n\n{all}"), json!({}), Some("coverage missing: R1, R3, K1"));
    // One step may write both: then it covers what it writes.
    let both = [field(REQUIREMENTS, FieldKind::Table, true), field(COVERAGE, FieldKind::Table, true)];
    let own = "| ID |\n|--|\n| R1 |\n| R2 |\n";
    check(&both, Some(&ledger), "", json!({"requirements": own, "coverage": some}), Some("coverage missing: R2"));
    check(&both, None, "", json!({"requirements": own, "coverage": some}), Some("coverage missing: R2"));
    // One that may write both, as an agent with several steps may, writes the ledger first.
    let either = [field(REQUIREMENTS, FieldKind::Table, false), field(COVERAGE, FieldKind::Table, false)];
    check(&either, Some(&ledger), "", json!({"requirements": own}), None);
    check(&either, None, "", json!({"requirements": own, "coverage": some}), Some("coverage missing: R2"));
    check(&either, Some(&ledger), "", json!({"coverage": some}), Some("coverage missing: R3, K1"));
    check(&either, Some(&ledger), "No table.", json!({}), Some("coverage missing: R1, R3, K1"));
    // Fail open: no ledger, or no such field.
    check(&declared, None, "", json!({"coverage": some}), None);
    check(&[], Some(&ledger), "No table.", json!({}), None);
    let quality = requirements::ledger("| ID |\n|--|\n| Q1 |\n| NG1 |\n").expect("it is a ledger");
    check(&declared, Some(&quality), "No table.", json!({}), None);
}

#[test]
fn a_plain_answer_is_no_report_where_fields_are_required() {
    let check = |declared: &[Field], text: &str, taken: bool| {
        let demand = Demand { fields: declared, ledger: &|| None, guests: &Guests::default, quoted: &|| 0 };
        assert_eq!(demand.take_text(text).is_ok(), taken, "{text}");
    };
    check(&[], "Done.", true);
    check(&[field("notes", FieldKind::Text, false)], "Done.", true);
    check(&[field("notes", FieldKind::Text, true)], "Done.", false);
    check(&[field("notes", FieldKind::Text, true)], "## Notes\n\nDone.", false);
    check(&[], "### EXTERNAL REFERENCES\n\nNone.", false);
}

#[test]
fn the_figures_of_a_step_are_those_of_its_report() {
    let spent = crate::agent::Spent { turns: 3, coverage_refusals: 1, other_refusals: 2, ..Default::default() };
    let check = |report: &str, size: u64, inferred: u64| {
        let found = figures(report, &spent);
        assert_eq!((found.ledger_size, found.ledger_inferred), (size, inferred), "{report:?}");
        assert_eq!((found.turns, found.coverage_refusals, found.other_refusals), (3, 1, 2));
    };
    let table = "| ID | origin |\n|--|--|\n| R1 | inferred |\n| Q1 | explicit |\n";
    check(&format!("## Requirements\n\n{table}"), 2, 1);
    check(&format!("## REQUIREMENTS ##\n\n### For users\n\n{table}## More\n\n{table}"), 2, 1);
    check(&format!("## Requirements\n\nnone\n\n## Requirements\n\n{table}"), 2, 1);
    check(&format!("### Requirements\n\n{table}"), 0, 0);
    check(&format!("> ## Requirements\n\n{table}"), 0, 0);
    check("## Requirements\n\nnone", 0, 0);
}

/// What is checked at the end of a step is what a later step finds in the thread, whatever stands around it.
#[test]
fn a_ledger_reads_the_same_from_the_thread_as_from_its_field() {
    let declared = [
        field("before", FieldKind::Text, false),
        field("requirements", FieldKind::Table, true),
        field("after", FieldKind::Text, false),
    ];
    let mut g = quickcheck::Gen::new(20);
    let mut compared = 0;
    for _ in 0..400 {
        let mut text = || {
            let text = (0..3).map(|_| props::text(&mut g)).collect::<String>();
            if text.trim().is_empty() { "x".to_string() } else { text }
        };
        let cell = |text: String| text.replace(['\n', '\r', '|'], " ");
        let (free, before, after) = (text(), text(), text());
        let table = format!(
            "| ID | statement | origin |\n|--|--|--|\n| R1 | {} | inferred |\n| K1 | {} | explicit |\n",
            cell(text()),
            cell(text())
        );
        let fields = json!({"before": before, "requirements": table, "after": after});
        let Ok(accepted) = hand_in(&declared, None, &free, fields) else { continue };
        let posted = defuse(&accepted.report, &Guests::default());
        let written = requirements::ledger(&table).map(|ledger| ledger.entries);
        let found = ledger_of(&without_engine_text(&posted)).map(|ledger| ledger.entries);
        assert_eq!(found, written, "{free:?}\n{before:?}\n{table}\n{after:?}\n\n{posted}");
        compared += 1;
    }
    assert!(compared > 200, "only {compared} reports were taken");
}
