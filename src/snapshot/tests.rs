use alloc::{format, string::String, vec::Vec};

use serde_json::{Value, json};

use super::*;

fn thread(comment: Value) -> ThreadSnapshot {
    let dump = json!({"issue": {"id": 2_250_077_004_u64, "number": 12}, "comments": [comment], "user": null});
    serde_json::from_value(dump).expect("the shape is GitHub's")
}

#[test]
fn every_shape_of_a_comment_that_github_has_sent_is_read() {
    let check = |says: &str, comment: Value, (id, user, login): (u64, u64, &str), is_bot: bool, body: &str| {
        let thread = thread(comment);
        let comment = &thread.comments[0];
        let found = (comment.id, comment.user.id, comment.user.login.as_str());
        assert_eq!(found, (id, user, login), "{says}");
        assert_eq!((comment.user.is_bot(), comment.body.as_str()), (is_bot, body), "{says}");
    };
    let person = json!({"login": "dana", "id": 501, "type": "User", "site_admin": false});
    check("a person", json!({"id": 1, "user": person, "body": "hi\r\n"}), (1, 501, "dana"), false, "hi\r\n");
    check("an account that is gone", json!({"id": 1, "user": null, "body": "hi"}), (1, 0, ""), false, "hi");
    check("no user at all", json!({"id": 1, "body": "hi"}), (1, 0, ""), false, "hi");
    check("a body that is null", json!({"id": 1, "user": person, "body": null}), (1, 501, "dana"), false, "");
    let bot = json!({"login": "nebuko[bot]", "id": 99, "type": "Bot"});
    let app = json!({"id": 7, "slug": "nebuko", "owner": {"login": "acme"}});
    let by_app = json!({"id": 1, "user": bot, "body": "x", "performed_via_github_app": app});
    check("an App", by_app, (1, 99, "nebuko[bot]"), true, "x");
    let old_bot = json!({"login": "old[bot]", "id": 98});
    check(
        "an old payload without a type",
        json!({"id": 1, "user": old_bot, "body": "x"}),
        (1, 98, "old[bot]"),
        true,
        "x",
    );
    let big = json!({"id": 5_794_187_059_u64, "user": {"login": "a", "id": 2_250_077_004_u64}, "body": "x"});
    check("ids beyond 32 bits", big, (5_794_187_059, 2_250_077_004, "a"), false, "x");
    let nulls = json!({"id": 1, "user": {"login": null, "id": null, "type": null}, "created_at": null, "body": "x"});
    check("nulls inside", nulls, (1, 0, ""), false, "x");
}

#[test]
fn what_was_read_survives_json() {
    let written = thread(json!({"id": 3, "user": null, "body": "a\r\n\u{2028}b", "author_association": "NONE"}));
    let text = serde_json::to_string(&written).expect("a snapshot is JSON");
    assert_eq!(serde_json::from_str::<ThreadSnapshot>(&text).expect("it loads"), written);
}

#[test]
fn a_later_listing_replaces_and_appends() {
    let comment = |id: u64, body: &str| Comment { id, body: body.into(), ..Comment::default() };
    let mut thread = ThreadSnapshot {
        comments: Vec::from([comment(1, "one"), comment(2, "two")]),
        complete: true,
        ..ThreadSnapshot::default()
    };
    thread.merge(Vec::from([comment(2, "two, edited"), comment(3, "three")]));
    let bodies: Vec<String> =
        thread.comments.iter().map(|comment| format!("{}:{}", comment.id, comment.body)).collect();
    assert_eq!(bodies, ["1:one", "2:two, edited", "3:three"]);
    assert_eq!((thread.newest_id(), thread.complete), (3, true));
    assert_eq!(thread.comment(9), None);
}

#[test]
fn an_edit_shows_and_decides_nothing() {
    let check = |created: &str, updated: &str, edited: bool| {
        let comment = Comment { created_at: created.into(), updated_at: updated.into(), ..Comment::default() };
        assert_eq!(comment.is_edited(), edited, "{created} {updated}");
    };
    check("2026-10-02T00:00:00Z", "2026-10-02T00:00:00Z", false);
    check("2026-10-02T00:00:00Z", "2026-10-02T00:00:01Z", true);
    check("2026-10-02T00:00:00Z", "", false);
}
