//! How much of a request repeats the one before: what a provider's cache saves (decision 5).

use alloc::{format, string::String, vec::Vec};

use serde_json::{Value, json};

use super::{
    forge::{Forge, comment},
    woken_by,
};
use crate::{
    agent::{ChatRequest, measure},
    setup::{Agent, Setup},
    shipped, workflow,
};

/// Sets up the shipped workflow with the shipped prompts, whose sizes are part of what is measured.
fn shipped_setup() -> Setup {
    let workflows = shipped::WORKFLOWS.iter().map(|(file, text)| {
        let workflow = workflow::parse(file, text).expect("the shipped workflows are right");
        (workflow.name.clone(), workflow)
    });
    let agents = shipped::AGENTS.iter().map(|(file, text)| {
        let role = file.trim_start_matches("agents/").trim_end_matches(".md");
        (role.into(), Agent { prompt: (*text).into(), location: (*file).into(), ..Agent::default() })
    });
    let mut setup = Setup {
        repo: "acme/site".into(),
        number: 12,
        workflows: workflows.collect(),
        agents: agents.collect(),
        ..Setup::default()
    };
    setup.settings.limits.same_step = 100;
    setup
}

/// Writes a report of about so many bytes.
fn report(bytes: usize) -> String {
    "The clipboard reader joins the cells of a row, so the tabs are lost. ".repeat(bytes / 70)
}

fn shared_prefix(one: &str, two: &str) -> usize {
    one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b).count()
}

/// Gives the share of the first request that the second starts with, when a thread of so many agent reports
/// grows by one.
fn share_kept(records: u64, bytes: usize) -> f64 {
    let marked = |n: u64| {
        let body = format!("<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->\n\n{} {n}", report(bytes));
        comment(10 + n, "engine-owner", &body)
    };
    let request = |records: u64| {
        let asked = comment(5_000, "dana", "@@review look");
        let mut forge = Forge::new((0..records).map(marked).collect())
            .answering(&[json!({"say": "Done.", "dispatch": {"status": "hold"}})]);
        // The mention stands in the issue, so that it is no record of the thread.
        forge.thread.issue.body = asked.body;
        forge.play(shipped_setup(), crate::event::Trigger::Issue { action: crate::event::Action::Opened });
        forge.prompts.pop().expect("the model was asked")
    };
    let (before, after) = (request(records), request(records + 1));
    shared_prefix(&before, &after) as f64 / before.len() as f64
}

#[test]
fn a_thread_that_grew_by_a_record_starts_the_request_with_the_same_bytes() {
    for (records, bytes) in [(20, 6_000), (40, 3_500), (100, 2_000), (300, 1_000)] {
        let share = share_kept(records, bytes);
        assert!(share >= 0.97, "{records} records of {bytes} bytes: {share:.4}");
    }
}

#[test]
fn over_twelve_steps_of_four_roles_most_prompt_bytes_repeat_the_request_before() {
    let step = |result: &str| json!({"say": report(4_500), "dispatch": {"status": "advance", "result": result}});
    // analyze, context, plan, then dev and review in turn until twelve steps ran.
    let answers: Vec<Value> = (1..=12).map(|n| step(if n == 12 { "approved" } else { "rejected" })).collect();
    let talk = (0..8).map(|n| comment(10 + n, "dana", &report(1_200)));
    let asked = comment(90, "dana", "@@architect please take this on");
    let mut forge = Forge::new(talk.chain([asked]).collect()).answering(&answers);
    forge.play(shipped_setup(), woken_by(90));
    assert!(forge.prompts.len() >= 12, "{} steps", forge.prompts.len());
    let all: usize = forge.prompts.iter().map(String::len).sum();
    let kept: usize = forge.prompts.windows(2).map(|pair| shared_prefix(&pair[0], &pair[1])).sum();
    let share = kept as f64 / all as f64;
    assert!(share >= 0.80, "{share:.4} of {all} bytes");
    // The same without what JSON adds: the tool list and every part of every message, as a provider reads them.
    let requests = forge.prompts.iter().map(|prompt| serde_json::from_str(prompt).expect("a request is JSON"));
    let requests: Vec<ChatRequest> = requests.collect();
    let pieces: Vec<_> = requests.iter().map(measure::pieces).collect();
    let all: u64 = pieces.iter().map(|pieces| measure::bytes(pieces)).sum();
    let kept: u64 = pieces.windows(2).map(|pair| measure::shared_bytes(&pair[0], &pair[1])).sum();
    let share = kept as f64 / all as f64;
    assert!(share >= 0.80, "{share:.4} of {all} bytes");
    for pieces in &pieces {
        assert_eq!((pieces[0].0, pieces[1].0, pieces[2].0), ("tools", "system", "user"));
        assert_eq!(pieces[..2], pieces_of_head(&requests[0]), "the head is the same for all agents");
    }
}

fn pieces_of_head(request: &ChatRequest) -> Vec<measure::Piece<'_>> {
    measure::pieces(request).into_iter().take_while(|(whose, _)| *whose != "user").collect()
}
