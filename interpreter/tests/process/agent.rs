//! Programs that a model has a hand in: outside agents with their prompt, and the commands that models ask for.

use std::path::Path;

use nebuko::process::{Process, ProcessEnd, Purpose};

use crate::place::{Place, not_started, script};

fn agent(text: &str, prompt: &str) -> Process {
    let purpose = Purpose::Agent { role: "dev".into() };
    Process { purpose, stdin: Some(prompt.into()), ..script(&["sh", "-c", text]) }
}

#[test]
fn an_outside_agents_prompt_is_on_its_input_and_in_a_file_of_its_own() {
    let prompt = format!("# How you work here\r\n{}日本", "a line\n".repeat(100_000));
    let check = |text: &str, end: ProcessEnd| {
        let timeout_seconds = if matches!(end, ProcessEnd::TimedOut { .. }) { 1 } else { 30 };
        let ran = Place::empty().ran(&Process { timeout_seconds, ..agent(text, &prompt) });
        let path = ran.stdout.head.lines().next().unwrap_or_default().to_owned();
        assert_eq!(ran.end, end, "{text}: {}", ran.stderr.head);
        assert!(path.contains("nebuko-prompt-") && !Path::new(&path).exists(), "{path} goes with the agent");
        ran.stdout.head
    };
    let file = r#"echo "$NEBUKO_PROMPT_FILE"; "#;
    let same =
        check(&format!(r#"{file} cmp - "$NEBUKO_PROMPT_FILE" && ls -l "$NEBUKO_PROMPT_FILE""#), ProcessEnd::default());
    assert!(same.contains("\n-rw-------"), "{same}");
    check(&format!("{file} exit 3"), ProcessEnd::Exited { code: 3 });
    check(&format!("{file} sleep 300"), ProcessEnd::TimedOut { seconds: 1 });
    check(&format!(r#"{file} rm "$NEBUKO_PROMPT_FILE""#), ProcessEnd::default());
    let missing = Process { argv: vec!["./none".into()], ..agent("", &prompt) };
    assert!(not_started(Place::empty().ran(&missing)).contains("no such file"));
}

#[test]
fn only_an_outside_agent_has_its_input_in_a_file() {
    for purpose in [Purpose::Script, Purpose::Tool, Purpose::Input { name: "a".into() }] {
        let process = Process { purpose, ..agent("echo \"${NEBUKO_PROMPT_FILE-none}\"; cat", "input") };
        assert_eq!(Place::empty().ran(&process).stdout.head, "none\ninput");
    }
}

#[test]
fn a_command_of_a_model_gets_no_token_and_stays_in_the_checkout() {
    let place = Place::empty();
    place.executable("run.sh", "#!/bin/sh\necho ran in $(pwd)\n");
    place.link(Path::new("/bin"), "away");
    let tool =
        |argv: &[&str], folder: &str| Process { purpose: Purpose::Tool, working_dir: folder.into(), ..script(argv) };
    let said = place.ran(&tool(&["sh", "-c", "env"], "")).stdout.head;
    assert!(said.contains("LANG=C") && !said.contains("hunter2") && !said.contains("TOKEN"), "{said}");
    let said = place.ran(&tool(&["./run.sh"], "")).stdout.head;
    assert_eq!(said, format!("ran in {}\n", place.real().display()));
    let check = |argv: &[&str], folder: &str, why: &str| {
        let found = not_started(place.ran(&tool(argv, folder)));
        assert!(found.contains(why), "{argv:?} {folder}: {found}");
    };
    check(&["/bin/sh", "-c", "env"], "", "relative one without `..`");
    check(&["../run.sh"], "", "relative one without `..`");
    check(&["away/sh"], "", "leads out of the checkout");
    check(&["./run.sh", "a\0b"], "", "U+0000");
    check(&["./run.sh"], "away", "leads out of the checkout");
    check(&["./run.sh"], "..", "relative one without `..`");
    check(&["no-such-program-anywhere"], "", "no program `no-such-program-anywhere`");
    check(&[""], "", "is empty");
    check(&[], "", "no program is named");
}
