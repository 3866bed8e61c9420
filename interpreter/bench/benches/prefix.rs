//! How much of a request repeats the one before: what a provider's cache saves (decision 5).
//!
//! Nothing is timed: the shares are the same on every machine. The core's own tests hold them to their bars; here
//! they are shown for more sizes, those that miss a bar among them.
#![allow(clippy::print_stdout, reason = "showing the shares is all it does")]

use nebuko::event::{Action, Trigger};
use nebuko_bench::{ACTOR, Forge, INITIATOR, comment, report, shipped_setup};
use serde_json::json;

fn main() {
    println!("A thread that grows by one record: the share of the request that the next one starts with.");
    println!("The share is 1 - tail / request, where the tail is what stands behind the thread.\n");
    println!("{:>8} {:>13} {:>13} {:>11} {:>7}", "records", "bytes/record", "request", "tail", "share");
    for records in [20, 40, 100, 300] {
        for bytes in [500, 1_000, 2_000, 3_500, 6_000] {
            let (before, after) = (look("review", records, bytes), look("review", records + 1, bytes));
            let kept = shared_prefix(&before, &after);
            let share = kept as f64 / before.len() as f64;
            println!("{records:>8} {bytes:>13} {:>13} {:>11} {share:>7.4}", before.len(), before.len() - kept);
        }
    }
    println!("\n{:>11} {:>8} {:>20}", "role", "tail", "97 % from a request of");
    for role in ["architect", "context", "dev", "review"] {
        let (before, after) = (look(role, 20, 2_000), look(role, 21, 2_000));
        let tail = before.len() - shared_prefix(&before, &after);
        println!("{role:>11} {tail:>8} {:>22}", tail * 100 / 3);
    }
    println!("\nTwelve steps, four roles in turn: the share of all bytes that repeat the request before.");
    println!("{:>8} {:>13} {:>13} {:>7}", "talk", "bytes/report", "all requests", "share");
    for talk in [0, 8, 40] {
        for bytes in [1_500, 4_500, 9_000] {
            let requests = twelve_steps(talk, bytes);
            let all: usize = requests.iter().map(String::len).sum();
            let kept: usize = requests.windows(2).map(|pair| shared_prefix(&pair[0], &pair[1])).sum();
            println!("{talk:>8} {bytes:>13} {all:>13} {:>7.4}", kept as f64 / all as f64);
        }
    }
}

/// Gives the request for a role in a thread of so many agents' reports.
fn look(role: &str, records: u64, bytes: usize) -> String {
    let head = "<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->\n\n";
    let marked = |n: u64| comment(10 + n, ACTOR, &format!("{head}{} {n}", report(bytes)));
    // The mention stands in the issue, so that it is no record of the thread.
    let mut forge = Forge::new(&format!("@@{role} look"), (0..records).map(marked).collect())
        .answering("Done.", &json!({"status": "hold"}));
    forge.play(shipped_setup(), Trigger::Issue { action: Action::Opened });
    forge.requests.pop().expect("the model was asked")
}

/// Gives the requests of analyze, context, plan, and then dev and review in turn.
fn twelve_steps(talk: u64, bytes: usize) -> Vec<String> {
    let said = (0..talk).map(|n| comment(10 + n, INITIATOR, &report(1_200)));
    let asked = comment(90, INITIATOR, "@@architect please take this on");
    let mut forge = Forge::new("Pasting loses tabs.", said.chain([asked]).collect());
    for n in 1..=12 {
        let result = if n == 12 { "approved" } else { "rejected" };
        forge = forge.answering(&report(bytes), &json!({"status": "advance", "result": result}));
    }
    forge.play(shipped_setup(), Trigger::Comment { id: 90, action: Action::Created });
    assert!(forge.requests.len() >= 12, "{} steps", forge.requests.len());
    forge.requests
}

fn shared_prefix(one: &str, two: &str) -> usize {
    one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b).count()
}
