use alloc::{format, vec::Vec};

use serde_json::json;

use super::*;
use crate::{
    event::{Action, Trigger},
    stage::tests::forge::{Forge, comment, setup},
};

/// Gives the codes of all comments, by id.
fn codes(forge: &Forge) -> Vec<(u64, CommentReason)> {
    let explained = explain(&setup(), &forge.thread, forge.viewer.clone());
    explained.comments.iter().map(|comment| (comment.id, comment.reason)).collect()
}

#[test]
fn every_comment_has_one_reason() {
    let check = |login: &str, body: &str, reason: CommentReason| {
        let mut forge = Forge::new(Vec::from([comment(7, login, body)]));
        forge.viewer = Some(Identity::new(9001, "engine-owner"));
        assert_eq!(codes(&forge)[1], (7, reason), "{login}: {body}");
    };
    check("dana", "@@dev go", CommentReason::Pending);
    check("dana", "/nebuko status", CommentReason::Pending);
    check("dana", "hello", CommentReason::AsksNothing);
    check("dana", "> @@dev go", CommentReason::NotTopLevel);
    check("dana", "`/nebuko retry`", CommentReason::NotTopLevel);
    check("stranger", "@@dev go", CommentReason::NotAllowed);
    check("stranger", "hello", CommentReason::AsksNothing);
    check("engine-owner", "<!-- bot-workflow-terminal -->\nwords", CommentReason::EngineNotice);
    check("engine-owner", "<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->\nx", CommentReason::StepOutput);
}

#[test]
fn a_comment_is_taken_up_by_the_step_that_it_started_and_by_no_other() {
    let answers = [json!({"say": "Done.", "dispatch": {"status": "hold"}}), json!({"say": "Fine."})];
    let said = [comment(6, "dana", "/nebuko run nowhere"), comment(7, "dana", "@@dev go")];
    let mut forge = Forge::new(Vec::from(said)).answering(&answers);
    forge.play(setup(), Trigger::Comment { id: 6, action: Action::Created });
    forge.play(setup(), Trigger::Comment { id: 7, action: Action::Created });
    let later = forge.thread.newest_id() + 1;
    forge.thread.merge(Vec::from([comment(later, "dana", "/nebuko run default review")]));
    forge.play(setup(), Trigger::Comment { id: later, action: Action::Created });
    let explained = explain(&setup(), &forge.thread, forge.viewer.clone());
    let check = |id: u64, reason: CommentReason, part: &str| {
        let found = explained.comments.iter().find(|one| one.id == id).expect("it is there");
        assert_eq!(found.reason, reason, "{id}: {}", found.why);
        assert!(found.why.contains(part), "{id}: {}", found.why);
    };
    check(6, CommentReason::Answered, "");
    check(7, CommentReason::TakenUp, "dev");
    check(later, CommentReason::TakenUp, "review");
}

#[test]
fn what_ran_says_which_rule_led_on_and_why_the_others_did_not() {
    let answers = [json!({"say": "Done."}), json!({"say": "Fine."})];
    let mut forge = Forge::new(Vec::from([comment(7, "dana", "@@dev go")])).answering(&answers);
    forge.play(setup(), Trigger::Comment { id: 7, action: Action::Created });
    let explained = explain(&setup(), &forge.thread, forge.viewer.clone());
    assert_eq!(explained.comments[1].reason, CommentReason::TakenUp);
    let steps: Vec<_> = explained.steps.iter().map(|step| format!("{}: {}", step.step, step.why)).collect();
    assert_eq!(steps, ["dev: the workflow's `next` decided", "review: the workflow's `next` decided"]);
    let rules: Vec<_> = explained.steps[0].considered.iter().map(|rule| rule.rule).collect();
    assert_eq!(rules, ["status", "human_gate", "call", "target", "on_result", "branch", "default"]);
    assert!(!explained.now.due && !explained.now.why.is_empty(), "{:?}", explained.now);
}
