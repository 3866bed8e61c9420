//! Long threads in the shape of GitHub's REST answers, some 5 KB of JSON a comment.
//!
//! The same number gives the same bytes on every machine. What is measured over them is for `benches/` and for
//! the gate.

use std::fmt::Write;

use serde_json::{Value, json};

/// The engine's own account in every generated thread.
pub const ACTOR: (u64, &str) = (9001, "engine-owner");
/// The account that started the run in every generated thread.
pub const INITIATOR: (u64, &str) = (501, "dana");

/// Who writes in a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// A third of the comments are agents' reports with markers and a state block, a third the initiator's, some
    /// of these with a command, and a third strangers'.
    Usual,
    /// Nothing but agents' reports: each is searched for what the engine wrote for itself.
    Reports,
    /// Nothing but the initiator's commands: each is searched for where it stands, and shown.
    Commands,
}

/// Generates a thread as `{"issue": …, "comments": […], "user": …}`.
pub fn thread_json(comments: u64, mix: Mix) -> String {
    let listed: Vec<Value> = (0..comments).map(|place| listed(place, mix)).collect();
    let mut issue = issue(&prose(0, 3_000));
    issue["comments"] = comments.into();
    json!({"issue": issue, "comments": listed, "user": user(ACTOR.0, ACTOR.1)}).to_string()
}

/// Gives the issue of every generated thread, with these opening words.
pub(crate) fn issue(body: &str) -> Value {
    json!({
        "id": 5_794_187_059_u64,
        "number": 12,
        "title": "Write the docs",
        "body": body,
        "html_url": format!("{SITE}/issues/12"),
        "user": user(INITIATOR.0, INITIATOR.1),
        "created_at": "2026-10-01T00:00:00Z",
        "updated_at": "2026-10-01T00:00:00Z",
        "author_association": "MEMBER",
        "comments": 0,
    })
}

fn listed(place: u64, mix: Mix) -> Value {
    let id = 2_250_077_004 + place * 7;
    let (author, body) = match (mix, place % 3) {
        (Mix::Reports, _) | (Mix::Usual, 0) => (ACTOR, carrier(place)),
        (Mix::Commands, _) => (INITIATOR, words(place, true)),
        (Mix::Usual, 1) => (INITIATOR, words(place, place % 10 == 1)),
        (Mix::Usual, _) => ((7_000 + place, "a-stranger"), words(place, false)),
    };
    let mut comment = comment(id, author, &body);
    let time = format!("2026-10-{:02}T{:02}:{:02}:00Z", 2 + place / 1440 % 28, place / 60 % 24, place % 60);
    comment["created_at"] = time.clone().into();
    comment["updated_at"] = time.into();
    comment
}

/// Gives a comment as GitHub lists it.
pub fn comment(id: u64, author: (u64, &str), body: &str) -> Value {
    let association = match author.0 {
        id if id == ACTOR.0 => "OWNER",
        id if id == INITIATOR.0 => "MEMBER",
        _ => "NONE",
    };
    let time = "2026-10-02T08:00:00Z";
    json!({
        "url": format!("{API}/issues/comments/{id}"),
        "html_url": format!("{SITE}/issues/12#issuecomment-{id}"),
        "issue_url": format!("{API}/issues/12"),
        "id": id,
        "node_id": format!("IC_kwDOABCDEF6{id:x}"),
        "user": user(author.0, author.1),
        "created_at": time,
        "updated_at": time,
        "body": body,
        "author_association": association,
        "reactions": {
            "url": format!("{API}/issues/comments/{id}/reactions"),
            "total_count": 0, "+1": 0, "-1": 0, "laugh": 0, "hooray": 0, "confused": 0, "heart": 0, "rocket": 0, "eyes": 0,
        },
        "performed_via_github_app": null,
    })
}

fn user(id: u64, login: &str) -> Value {
    let at = format!("https://api.github.com/users/{login}");
    json!({
        "login": login,
        "id": id,
        "node_id": format!("MDQ6VXNlcj{id}"),
        "avatar_url": format!("https://avatars.githubusercontent.com/u/{id}?v=4"),
        "gravatar_id": "",
        "url": at,
        "html_url": format!("https://github.com/{login}"),
        "followers_url": format!("{at}/followers"),
        "following_url": format!("{at}/following{{/other_user}}"),
        "gists_url": format!("{at}/gists{{/gist_id}}"),
        "starred_url": format!("{at}/starred{{/owner}}{{/repo}}"),
        "subscriptions_url": format!("{at}/subscriptions"),
        "organizations_url": format!("{at}/orgs"),
        "repos_url": format!("{at}/repos"),
        "events_url": format!("{at}/events{{/privacy}}"),
        "received_events_url": format!("{at}/received_events"),
        "type": "User",
        "user_view_type": "public",
        "site_admin": false,
    })
}

fn carrier(place: u64) -> String {
    let sentinel = r#"<!-- AGENT_RUN_CONFIG {"dispatch": {"status": "advance"}} -->"#;
    format!(
        "<!-- bot-workflow-terminal -->\n<!-- bot-agent-{} -->\n{}\n\n{sentinel}\n\n<details>\n<summary>State</summary>\n\n\
         <!-- WORKFLOW_STATE_START -->\n{{\"run_id\": {place}, \"schema_version\": 5, \"history\": [{}]}}\n\
         <!-- WORKFLOW_STATE_END -->\n\n</details>\n",
        ["dev", "review", "plan", "context"][(place / 3 % 4) as usize],
        prose(place, 1_900),
        history(1_000),
    )
}

fn words(place: u64, command: bool) -> String {
    let command = if command { "/nebuko approve gate\r\n\r\n" } else { "" };
    // What people type in a browser has CRLF.
    format!("{command}{}", prose(place, 3_100).replace('\n', "\r\n"))
}

/// Writes an agent's report of about so many bytes, without anything special in it.
pub fn report(bytes: usize) -> String {
    "The clipboard reader joins the cells of a row, so the tabs are lost. ".repeat(bytes / 70)
}

/// Writes some markdown: paragraphs, a list, a quote and a fence.
fn prose(place: u64, bytes: usize) -> String {
    const PARTS: [&str; 6] = [
        "The build takes four minutes on the small machine, and most of that is spent linking `libfoo` twice.\n\n",
        "- the first run is cold\n- the second reads the cache\n- the third shows **no** difference\n\n",
        "> Would it help to split the crate?\n\nIt would, but not before the API has settled — see the café example.\n\n",
        "```rust\nfn main() {\n    println!(\"{}\", 1 + 1);\n}\n```\n\n",
        "## What I tried\n\nA smaller reproduction, which lives at https://example.com/a/b?c=d#e and fails in the same way.\n\n",
        "| run | seconds |\n| --- | --- |\n| 1 | 240 |\n| 2 | 31 |\n\n",
    ];
    let mut text = format!("Note {place}.\n\n");
    let mut next = place as usize;
    while text.len() < bytes {
        text.push_str(PARTS[next % PARTS.len()]);
        next += 1;
    }
    text
}

fn history(bytes: usize) -> String {
    let mut entries = String::new();
    while entries.len() < bytes {
        let comma = if entries.is_empty() { "" } else { ", " };
        let _ = write!(
            entries,
            r#"{comma}{{"step": "dev", "agent": "dev", "summary": "Built it", "comment_ids": [1029384]}}"#
        );
    }
    entries
}

const API: &str = "https://api.github.com/repos/acme/site";
const SITE: &str = "https://github.com/acme/site";
