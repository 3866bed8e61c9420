//! What models used: out of a thread, out of recordings, and what is no recording.

use serde_json::{Value, json};

use crate::place::Place;

/// Writes a report of some 4,500 bytes, as a service would send it, with its usage.
fn answer(result: &str) -> Value {
    let report = "The clipboard reader joins the cells of a row, so the tabs are lost. ".repeat(64);
    let arguments = json!({"report": report, "result": result}).to_string();
    json!({
        "model": "maker/one",
        "choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "finish", "arguments": arguments}},
        ]}}],
        "usage": {"prompt_tokens": 10_000, "completion_tokens": 1_000,
            "prompt_tokens_details": {"cached_tokens": 8_500}},
    })
}

/// A thread with some talk, in which dana asks for twelve steps: dev and review in turn after the plan.
fn twelve_steps() -> Place {
    let place = Place::with_a_thread();
    for n in 1..=8 {
        place.write(&format!("demo/{n:04}-dana.md"), &format!("{}\n", "It happens with wide tables too. ".repeat(36)));
    }
    place.write("demo/0009-dana.md", "@@architect please take this on\n");
    let answers: Vec<Value> = (1..=12).map(|_| answer("rejected")).collect();
    place.write("twelve.json", &json!(answers).to_string());
    let prices = "prices: {input: 3, cached: 0.3, output: 15}";
    place.write("config.yaml", &format!("models:\n  default: {{name: maker/one, {prices}}}\n"));
    place
}

#[test]
fn twelve_steps_repeat_most_of_their_prompts_and_both_shares_are_told() {
    let place = twelve_steps();
    place.write("runs/notes.txt", "no recording");
    let line = "run --local demo --config config.yaml --model script:twelve.json --max-steps 12 --record runs/a.jsonl";
    let ran = place.run(line);
    assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
    let told = place.run("metrics runs --json");
    assert_eq!(told.code, 0, "{}", told.err);
    let total = &told.json()["total"];
    assert_eq!((&total["steps"], &total["failed"], &total["turns"]), (&json!(12), &json!(0), &json!(12)));
    assert_eq!((&total["cache_hit_tokens"], &total["cache_hit_rate"]), (&json!(102_000), &json!(0.85)));
    assert_eq!(total["cost_usd"], "0.2646", "12 of 1,500 fresh, 8,500 cached and 1,000 written tokens");
    let prompt = &total["prompt"];
    assert_eq!((&prompt["requests"], &prompt["heads"]), (&json!(12), &json!(1)), "one head for all agents");
    let share = prompt["repeated_rate"].as_f64().expect("a share");
    assert!(share >= 0.80, "{share:.4} of {} bytes", prompt["bytes"]);
    // The thread says the same, without the requests.
    let thread = place.run("metrics --local demo --config config.yaml --json").json();
    for key in ["steps", "turns", "input_tokens", "output_tokens", "cache_hit_rate", "cost_usd", "review_fix_requests"]
    {
        assert_eq!(thread["total"][key], total[key], "{key}");
    }
    assert_eq!(thread["total"]["review_fix_requests"], 4);
    assert_eq!(thread["total"]["prompt"], Value::Null);
    assert_eq!(thread["issues"][0]["spent"]["cost_usd"], "0.2646");
    let agents: Vec<_> = thread["agents"].as_array().expect("a list").iter().map(|row| &row["agent"]).collect();
    assert_eq!(agents, ["architect", "context", "dev", "review"]);
    assert_eq!(thread["runs"][0]["run"], "comment 9");
}

#[test]
fn a_table_is_aligned_and_plain_where_nobody_sees_colours() {
    let place = Place::with_a_thread();
    assert_eq!(place.run("metrics --local demo").out, "no step of this has used anything yet\n");
    place.run("run --local demo --model script:answers.json --record run.jsonl");
    let check = |line: &str, parts: &[&str]| {
        let ran = place.run(line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        assert!(!ran.out.contains('\u{1b}'), "{line}: {}", ran.out);
        for part in parts {
            assert!(ran.out.contains(part), "{line}: {} has no {part:?}", ran.out);
        }
    };
    check("metrics --local demo", &["STEP     AGENT", "analyze  architect", "total", "COST"]);
    check("metrics run.jsonl --by agent", &["AGENT      STEPS", "architect      2", " %"]);
    check("metrics run.jsonl --by run", &["RUN", "run.jsonl"]);
    check("metrics run.jsonl --by issue", &["ISSUE", "total"]);
    assert!(place.run("metrics run.jsonl --color always").out.starts_with('\u{1b}'));
}

#[test]
fn a_run_that_fails_is_paid_for_and_told_apart() {
    let place = Place::with_a_thread();
    let refused = json!([{"error": {"code": 400, "message": "no"}, "usage": {"prompt_tokens": 70}}, "<html>"]);
    place.write("bad.json", &refused.to_string());
    place.run("run --local demo --model script:bad.json --record bad.jsonl");
    for line in ["metrics bad.jsonl --json", "metrics --local demo --json"] {
        let total = &place.run(line).json()["total"];
        assert_eq!((&total["steps"], &total["failed"], &total["tokens"]), (&json!(0), &json!(1), &json!(70)), "{line}");
        assert_eq!((&total["cost_usd"], &total["unpriced"]), (&Value::Null, &json!(1)), "{line}");
    }
}

#[test]
fn what_a_thread_does_not_tell_apart_is_not_shown_as_nothing() {
    let place = Place::with_a_thread();
    let refused = json!([{"error": {"code": 400, "message": "no"}, "usage": {"prompt_tokens": 70}}]);
    place.write("bad.json", &refused.to_string());
    place.run("run --local demo --model script:bad.json --record bad.jsonl");
    let tokens = |line: &str| {
        let total = place.run(line).json()["total"].clone();
        ["tokens", "unsplit_tokens", "input_tokens"].map(|key| total[key].as_u64())
    };
    assert_eq!(tokens("metrics --local demo --json"), [Some(70), Some(70), Some(0)]);
    assert_eq!(tokens("metrics bad.jsonl --json"), [Some(70), Some(0), Some(70)]);
    let shown = place.run("metrics --local demo").out;
    assert!(shown.contains("+ and 70 tokens of failed attempts"), "{shown}");
    assert!(!place.run("metrics bad.jsonl").out.contains("of failed attempts"));
}

#[test]
fn what_is_no_recording_is_told_with_its_name() {
    let place = Place::with_a_thread();
    place.run("run --local demo --model script:answers.json --record run.jsonl");
    let whole = place.read("run.jsonl");
    place.write("changed.jsonl", &whole.replacen("Report 1.", "Repors 1.", 1));
    place.write("cut.jsonl", &whole[..whole.len() / 2]);
    place.write("empty/notes.txt", "");
    let check = |line: &str, parts: &[&str]| {
        let ran = place.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line}: {}", ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{line}: {} has no {part:?}", ran.err);
        }
    };
    check("metrics none.jsonl", &["none.jsonl", "No such file"]);
    check("metrics answers.json", &["could not read the recording answers.json", "header", "next:"]);
    check("metrics changed.jsonl", &["changed.jsonl", "was changed", "nebuko replay"]);
    check("metrics empty", &["no file there ends in .jsonl"]);
    check("metrics", &["no thread is given"]);
    check("metrics run.jsonl --local demo", &["cannot be used with"]);
    let ran = place.run("metrics cut.jsonl run.jsonl run.jsonl --json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("cut.jsonl was cut short"), "{}", ran.err);
    let once = place.run("metrics cut.jsonl run.jsonl --json");
    assert_eq!(ran.json(), once.json(), "what is given twice counts once");
    place.write("folder/run.jsonl", &whole);
    for line in
        ["metrics folder folder/run.jsonl ./folder/run.jsonl run.jsonl --json", "metrics run.jsonl folder --json"]
    {
        let several = place.run(line);
        assert_eq!(several.json()["total"], place.run("metrics run.jsonl --json").json()["total"], "{line}");
        assert!(several.err.contains("is the same run as"), "{line}: {}", several.err);
    }
}
