use alloc::{string::ToString, vec::Vec};

use serde_json::json;

use super::*;

fn sound() -> Value {
    json!({
        "url": "https://docs.example.org/search?q=a#b", "date": "2026-09-23T09:25:00Z",
        "chunks": ["It pastes tabs."], "summary": "Says how tabs are pasted.", "score": 0.9,
    })
}

fn report(block: &str) -> String {
    format!("# Context\n\n### EXTERNAL REFERENCES\n\n- a page\n\n```json\n{block}\n```\n\n## More\n")
}

fn faults(report: &str, before: usize) -> Vec<String> {
    check(report, || before).err().map(|words| words.lines().map(Into::into).collect()).unwrap_or_default()
}

#[test]
fn every_fault_is_told_with_its_place() {
    let check = |key: &str, value: Value, fault: &str| {
        let mut reference = sound();
        reference[key] = value.clone();
        let found = faults(&report(&json!([sound(), reference]).to_string()), 0);
        let wanted: Vec<_> = (!fault.is_empty()).then(|| format!("references[1].{key}: {fault}")).into_iter().collect();
        assert_eq!(found, wanted, "{key}: {value}");
    };
    check("score", json!(0.0), "");
    check("score", json!(1), "");
    check("score", json!(1.7), "must be a number from 0.0 to 1.0, not 1.7");
    check("score", json!(-0.1), "must be a number from 0.0 to 1.0, not -0.1");
    check("score", json!("0.9"), "must be a number from 0.0 to 1.0, not \"0.9\"");
    check("score", json!(null), "must be a number from 0.0 to 1.0, not null");
    check("date", json!("2026-09-23"), "");
    check("date", json!("2026-09-23T09:25Z"), "");
    check("date", json!("2026-09-23T09:25:00.123Z"), "");
    check("date", json!("2026-09-23T09:25:00+00:00"), "");
    let no_date = |value: &str| format!("must be a UTC date in ISO 8601 such as 2026-09-23T09:25:00Z, not {value}");
    check("date", json!("2026-09-23T09:25:00+02:00"), &no_date("\"2026-09-23T09:25:00+02:00\""));
    check("date", json!("2026-09-23T09:25:00"), &no_date("\"2026-09-23T09:25:00\""));
    check("date", json!("2026-02-30"), &no_date("\"2026-02-30\""));
    check("date", json!("2026-09-23T09:25.5Z"), &no_date("\"2026-09-23T09:25.5Z\""));
    check("date", json!("yesterday"), &no_date("\"yesterday\""));
    check("date", json!(20_260_923), &no_date("20260923"));
    check("url", json!("http://a"), "");
    check("url", json!("ftp://a"), "must be an http or https address, not \"ftp://a\"");
    check("url", json!("https://"), "must be an http or https address, not \"https://\"");
    check("url", json!("https://a b"), "must be an http or https address, not \"https://a b\"");
    check("url", json!("x".repeat(3_000)), "must have at most 2000 characters");
    check("chunks", json!([]), "");
    check("chunks", json!(["é".repeat(8_000)]), "");
    let long = "have 8001 characters together, at most 8000; keep what matters most";
    check("chunks", json!(["é".repeat(4_000), "é".repeat(4_001)]), long);
    check("chunks", json!("text"), "must be an array of texts, not \"text\"");
    check("chunks", json!(["a", 7]), "must hold texts only, and at [1] stands 7");
    check("summary", json!(" "), "must be one to three sentences, not \" \"");
    check("summary", json!({}), "must be one to three sentences, not an object");
    check("summary", json!("x".repeat(1_001)), "must be one to three sentences, at most 1000 characters");
    check("titel", json!("x"), "is no key of a reference; the keys are url, date, chunks, summary, score");
    check("scores", json!(1), "is no key of a reference; did you mean `score`?");
}

#[test]
fn all_faults_come_at_once_within_bounds() {
    let found = faults(&report(&json!([{"score": 2}, 7, sound()]).to_string()), 0);
    let wanted = [
        "references[0].url: is missing",
        "references[0].date: is missing",
        "references[0].chunks: is missing",
        "references[0].summary: is missing",
        "references[0].score: must be a number from 0.0 to 1.0, not 2",
        "references[1]: must be an object, not 7",
    ];
    assert_eq!(found, wanted);
    let many = faults(&report(&json!(Vec::from_iter(core::iter::repeat_n(json!({}), 10))).to_string()), 0);
    assert_eq!((many.len(), many.last().map(String::as_str)), (21, Some("and 30 more")));
}

#[test]
fn the_block_is_json_and_stands_below_the_heading() {
    let check = |report: &str, fault: Option<&str>| {
        let found = faults(report, 0);
        assert_eq!(
            found.first().map(|found| found.contains(fault.unwrap_or("nothing"))),
            fault.map(|_| true),
            "{report}"
        );
    };
    check("No such heading.", None);
    check("It says EXTERNAL REFERENCES here.", None);
    check("> ### EXTERNAL REFERENCES\n", None);
    check(&report("[]"), None);
    check(&report(&json!([sound()]).to_string()).replace("```json", "~~~~ JSON").replace("```", "~~~~"), None);
    check("## **EXTERNAL REFERENCES:**\n\nNone.", Some("there is no fenced json block"));
    check("### External references\n\nNone.", Some("there is no fenced json block"));
    check("### EXTERNAL REFERENCES\n\n```\n[]\n```", Some("there is no fenced json block"));
    check("```json\n[]\n```\n\n### EXTERNAL REFERENCES\n\n### More\n\n```json\n[]\n```", Some("there is no fenced"));
    check(&report("{}"), Some("must be an array of objects, not an object"));
    check(&report("[1,]"), Some("is no JSON: trailing comma"));
    check(&report("[{\"score\": NaN}]"), Some("is no JSON: expected value"));
    check(&report("// a\n[]"), Some("is no JSON"));
}

#[test]
fn a_run_has_a_budget_of_its_own() {
    let mut reference = sound();
    reference["chunks"] = json!(["x".repeat(8_000)]);
    let check = |count: usize, before: usize, fits: bool| {
        let report = report(&json!(Vec::from_iter(core::iter::repeat_n(reference.clone(), count))).to_string());
        let found = faults(&report, before);
        assert_eq!(found.is_empty(), fits, "{count} after {before}: {found:?}");
        assert_eq!(quoted(&report), count * 8_000);
    };
    check(10, 0, true);
    check(11, 0, false);
    check(1, 72_000, true);
    check(1, 72_001, false);
    // Who quotes nothing is not refused for what others quoted.
    check(0, 90_000, true);
    assert_eq!(quoted(&report("[{\"chunks\": [\"ab\", 7]}, 3, {\"chunks\": null}]")), 2);
    assert_eq!(quoted("no references"), 0);
    let cut = "### EXTERNAL REFERENCES\n\n```json\n[{\"chunks\": [\"ab\n```\n\n```json\ncd\"]}]\n```\n";
    assert_eq!(quoted(cut), "[{\"chunks\": [\"ab\ncd\"]}]\n".len());
    assert!(faults(&report("[]"), 5).is_empty(), "{}", "nothing is quoted".to_string());
}
