//! Shapes of issues and comments as GitHub and its likes really write them: old ones, odd ones, and ones with much
//! more in them than is needed. Each was met in recordings or servers of others; the JSON here is our own.

use serde_json::{Value, json};

use crate::place::Place;

/// What a row says of the one comment's record.
type Read<'a> = (&'a str, &'a str, u64, bool);

fn dana() -> Value {
    json!({ "login": "dana", "id": 501, "type": "User" })
}

/// A thread by dana with one comment, which is these keys over an ordinary one; null stays, `-` takes a key away.
fn dump(changes: &Value) -> Value {
    let mut comment = json!({ "id": 7, "body": "@@architect look", "user": dana(), "author_association": "OWNER",
        "html_url": "https://github.com/acme/site/issues/7#issuecomment-7",
        "created_at": "2026-10-02T00:00:00Z", "updated_at": "2026-10-02T00:00:00Z" });
    let keys = comment.as_object_mut().expect("it is written so");
    for (key, value) in changes.as_object().expect("a row gives keys") {
        match value.as_str() {
            Some("-") => keys.remove(key),
            _ => keys.insert(key.clone(), value.clone()),
        };
    }
    json!({ "issue": { "id": 7, "number": 7, "title": "It crashes", "user": dana(), "author_association": "OWNER",
                       "created_at": "2026-10-01T00:00:00.123Z", "comments": 1,
                       "html_url": "https://github.com/acme/site/issues/7" },
            "comments": [comment], "user": { "login": "nebuko[bot]", "id": 99, "type": "Bot" } })
}

#[test]
fn an_odd_comment_is_read_for_what_it_is() {
    let place = Place::empty();
    let check = |changes: Value, expected: Read<'_>| {
        place.write("thread.json", &dump(&changes).to_string());
        let ran = place.run("ledger --thread thread.json --trigger-login dana --trigger-id 501 --json");
        assert_eq!(ran.code, 0, "{changes}: {}", ran.err);
        let records = &ran.json()["records"];
        assert_eq!(records.as_array().map(Vec::len), Some(2), "{changes}: {records}");
        let record = &records[1];
        let text = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        let (kind, login) = (text("kind"), text("user_login"));
        let found =
            (kind.as_str(), login.as_str(), record["user_id"].as_u64().expect("a number"), record["trusted"] == true);
        assert_eq!(found, expected, "{changes}: {record}");
    };
    let ordinary = ("human-feedback", "dana", 501, true);
    check(json!({}), ordinary);
    // Old recordings do not say who somebody is to the repository, and some not even what an account is.
    check(json!({ "author_association": "-" }), ("human-feedback", "dana", 501, false));
    check(json!({ "author_association": null }), ("human-feedback", "dana", 501, false));
    check(json!({ "user": { "login": "dana", "id": 501 } }), ordinary);
    check(json!({ "user": { "login": "Dana", "id": null } }), ("human-feedback", "Dana", 0, true));
    check(json!({ "user": null }), ("human-feedback", "", 0, false));
    check(json!({ "user": "-" }), ("human-feedback", "", 0, false));
    check(json!({ "user": { "login": "old", "id": 9, "type": "Mannequin" } }), ("human-feedback", "old", 9, false));
    check(json!({ "author_association": "FIRST_TIMER" }), ("human-feedback", "dana", 501, false));
    // Servers of others write fractions of seconds, or times of other zones; they are kept and never reckoned with.
    check(json!({ "created_at": "2026-10-02T00:00:00.660Z", "updated_at": "2026-10-02T00:00:00.661Z" }), ordinary);
    check(json!({ "created_at": "2026-10-02T02:00:00+02:00" }), ordinary);
    check(json!({ "created_at": null, "updated_at": "-", "html_url": null }), ordinary);
    check(json!({ "body": null }), ordinary);
    check(json!({ "body": "-", "body_text": "@@architect look", "body_html": "<p>@@architect look</p>" }), ordinary);
    check(json!({ "body": "/nebuko status\r\n\r\nSent from my phone" }), ("command", "dana", 501, true));
    check(
        json!({ "reactions": { "+1": 3, "-1": 0 }, "minimized": { "reason": "outdated" }, "pin": null,
                "performed_via_github_app": { "id": 1, "owner": null }, "node_id": "IC_x", "issue_url": 1 }),
        ordinary,
    );
    check(json!({ "id": 9_007_199_254_740_993_u64 }), ordinary);
}

#[test]
fn what_no_github_writes_is_refused_with_its_place() {
    let place = Place::empty();
    for changes in [json!({ "id": -7 }), json!({ "id": "7" }), json!({ "id": 7.5 }), json!({ "body": 1 })] {
        place.write("thread.json", &dump(&changes).to_string());
        let ran = place.run("ledger --thread thread.json");
        assert_eq!(ran.code, 2, "{changes}: {}", ran.out);
        assert!(ran.err.contains("thread.json:1:") && ran.err.contains("next:"), "{changes}: {}", ran.err);
    }
}

#[test]
fn a_run_among_odd_times_and_equal_ids_is_recorded_and_replays() {
    let place = Place::with_a_thread();
    let odd = json!({ "created_at": "2026-10-02T00:00:00.660Z", "body": "@@architect look\r\n" });
    place.write("thread.json", &dump(&odd).to_string());
    let ran = place.run("run --thread thread.json --model script:answers.json --record run.jsonl --json");
    assert_eq!((ran.code, &ran.json()["outcome"]), (0, &Value::from("finished")), "{}", ran.err);
    let state = &ran.json()["state"];
    assert_eq!(state["thread"][0]["created_at"], "2026-10-01T00:00:00.123Z", "{state}");
    assert_eq!(state["thread"][1]["created_at"], "2026-10-02T00:00:00.660Z", "{state}");
    assert_eq!((&state["thread"][0]["id"], &state["thread"][1]["id"]), (&7.into(), &7.into()), "{state}");
    let replay = place.run("replay run.jsonl");
    assert_eq!(replay.code, 0, "{}{}", replay.out, replay.err);
}
