//! `nebuko lint` through the built program: what it looks at, every format, every exit code, and what a fix leaves.

#[path = "program/place.rs"]
mod place;

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use place::{Place, Ran};
use serde_json::Value;

const GOOD: &str = "name: good\nsteps:\n  - name: build\n    agent: dev\n    next: null\n";
/// Two errors, one of them with a fix.
const BAD: &str = "name: bad\nsteps:\n  - name: build\n    agent: dev\n    nxet: check\n    complexity: low\n  - name: check\n    agent: nobody\n    next: null\n";
/// One warning.
const DOUBTFUL: &str = "name: doubtful\nsteps:\n  - name: build\n    agent: dev\n    conditions:\n      - {on_result: rejected, next: build}\n";

fn with(files: &[(&str, &str)]) -> Place {
    let place = Place::empty();
    files.iter().for_each(|(name, text)| place.write(name, text));
    place
}

fn rules(document: &Value) -> Vec<(&str, u64)> {
    let findings = document["findings"].as_array().expect("a list");
    let place = |finding: &'_ Value| (finding["rule"].clone(), finding["line"].as_u64());
    let rule = |index: usize| findings[index]["rule"].as_str().expect("a rule");
    findings.iter().map(place).enumerate().map(|(index, (_, line))| (rule(index), line.expect("a line"))).collect()
}

#[test]
fn the_exit_code_tells_errors_from_warnings() {
    let place = with(&[("flows/good.yaml", GOOD), ("bad/bad.yaml", BAD), ("doubt/doubtful.yaml", DOUBTFUL)]);
    let check = |line: &str, code: i32| {
        for format in ["human", "json", "sarif", "github"] {
            let ran = place.run(&format!("lint {line} --format {format}"));
            assert_eq!(ran.code, code, "{line} {format}: {}{}", ran.out, ran.err);
        }
    };
    check("flows", 0);
    check("flows/good.yaml --deny-warnings", 0);
    check("bad", 1);
    check("doubt", 0);
    check("doubt --deny-warnings", 1);
    check("flows doubt bad", 1);
    check("nowhere", 2);
    check("flows nowhere", 2);
}

#[test]
fn wrong_usage_says_what_to_do() {
    let place = with(&[("flows/good.yaml", GOOD), ("none/README.md", "")]);
    let check = |line: &str, parts: &[&str]| {
        let ran = place.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{line}: {}", ran.err);
        for part in parts {
            assert!(ran.err.contains(part), "{line}: {} has no {part:?}", ran.err);
        }
    };
    check("lint", &["no .nebuko/workflows, no .nebuko/config.yaml and no workflows here", "next:"]);
    check("lint a b", &["there is no a\n", "there is no b\n"]);
    check("lint none", &["there is no *.yaml in none"]);
    check("lint flows --stdin-name a.yaml", &["give - as the path"]);
    check("lint --explain L99", &["no rule is called L99", "--list"]);
    check("lint --explain unreachable-stp", &["did you mean `unreachable-step`?"]);
    check("lint --explain L1 --format sarif", &["no such format"]);
    check("lint --dry-run flows", &["--fix"]);
    check("lint --fix -", &["cannot be written", "--dry-run"]);
    check("lint --fix --dry-run --format github flows", &["--json"]);
    let ran = place.run("lint nowhere --json");
    assert_eq!((ran.code, &ran.json()["error"]["attempted"]), (2, &"look at the workflows".into()));
}

#[test]
fn people_see_the_line_and_what_to_do() {
    let place = with(&[(".nebuko/workflows/bad.yaml", BAD)]);
    let ran = place.run("lint");
    for part in
        ["error[L19]: ", " --> .nebuko/workflows/bad.yaml:5:5\n", "5 |     nxet: check\n  |     ^^^^\n", "fix: "]
    {
        assert!(ran.out.contains(part), "{} has no {part:?}", ran.out);
    }
    assert!(ran.out.contains("1 file looked at: 2 errors\n`nebuko lint --fix` mends 1 of them"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}') && ran.err.is_empty(), "no colours into a pipe: {}", ran.err);
    let coloured = place.run("lint --color always");
    assert!(coloured.out.contains("\u{1b}["), "{}", coloured.out);
    let quiet = place.run("lint --quiet");
    assert!(quiet.out.contains("error[L19]") && !quiet.out.contains("looked at"), "{}", quiet.out);
}

#[test]
fn without_a_path_the_own_folder_counts_and_then_workflows() {
    let place = with(&[("workflows/good.yaml", GOOD)]);
    for line in ["lint", "lint .", "lint workflows"] {
        assert_eq!(place.run(line).out, "1 file looked at: no findings\n", "{line}");
    }
    place.write(".nebuko/workflows/bad.yaml", BAD);
    for line in ["lint", "lint .", "lint .nebuko/workflows", "lint ./.nebuko/workflows/bad.yaml"] {
        let ran = place.run(&format!("{line} --json"));
        assert_eq!(rules(&ran.json()), [("L19", 5), ("L17", 8)], "{line}");
        assert_eq!(ran.json()["findings"][0]["file"], ".nebuko/workflows/bad.yaml", "{line}");
    }
}

#[test]
fn a_file_is_looked_at_beside_what_a_run_would_find() {
    let mount = |name: &str, what: &str| {
        format!("name: {name}\nsteps:\n  - name: build\n    workflow: {what}\n    next: null\n")
    };
    let place = with(&[
        ("flows/a.yaml", &mount("a", "b")),
        ("flows/b.yaml", &mount("b", "sub/c.yaml")),
        ("flows/sub/c.yaml", &BAD.replace("bad", "c").replace("nxet", "next")),
        ("flows/agents/nobody.md", "Somebody after all."),
        ("flows/default.yaml", &mount("default", "nowhere")),
        ("flows/d.yaml", &mount("d", "default")),
    ]);
    let check = |line: &str, expected: &[(&str, u64)]| {
        let ran = place.run(&format!("lint {line} --json"));
        assert_eq!(rules(&ran.json()), expected, "{line}: {}", ran.out);
    };
    check("flows/a.yaml", &[]);
    check("flows/b.yaml flows/a.yaml", &[]);
    check("flows/default.yaml", &[("L7", 4)]);
    check("flows/d.yaml", &[]);
    let ran = Ran::of(place.command("lint d.yaml").current_dir(place.path("flows")).output().expect("it starts"));
    assert_eq!((ran.code, ran.out.as_str()), (0, "1 file looked at: no findings\n"), "{}", ran.err);
    check("flows", &[("L7", 4)]);
    place.write("flows/agents/nobody.md", "");
    fs::remove_file(place.path("flows/agents/nobody.md")).expect("it is there");
    check("flows/sub/c.yaml", &[("L17", 8)]);
    fs::remove_file(place.path("flows/sub/c.yaml")).expect("it is there");
    check("flows/b.yaml", &[("L7", 4)]);
}

#[test]
fn what_cannot_be_read_is_told_and_the_rest_is_looked_at() {
    let place = with(&[("flows/bad.yaml", BAD), ("flows/a.yml", GOOD), ("flows/.hidden.yaml", "x"), ("x.txt", "x")]);
    fs::write(place.path("flows/c.yaml"), b"name: c\nx: \xff").expect("a file");
    fs::write(place.path("flows/big.yaml"), vec![b'#'; 1024 * 1024 + 1]).expect("a file");
    fs::create_dir(place.path("flows/d.yaml")).expect("a folder");
    let document = place.run("lint flows --json").json();
    let expected = [("L22", 1), ("L19", 5), ("L17", 8), ("L22", 1), ("L22", 2), ("L22", 1)];
    assert_eq!(rules(&document), expected, "{document}");
    assert_eq!(document["findings"][4]["column"], 4);
    assert_eq!(document["summary"]["files"], 5);
    let ran = place.run("lint flows/a.yml x.txt flows/c.yaml --json");
    assert_eq!((ran.code, rules(&ran.json())), (1, vec![("L22", 1), ("L22", 2), ("L22", 1)]), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_and_none_goes_in_circles() {
    use std::os::unix::fs::symlink;
    let place = with(&[("outside/good.yaml", GOOD), ("flows/good.yaml", GOOD), ("flows/sub/good.yaml", GOOD)]);
    symlink("../outside/good.yaml", place.path("flows/link.yaml")).expect("a link");
    symlink("../outside", place.path("flows/away")).expect("a link");
    symlink(".", place.path("flows/sub/circle")).expect("a link");
    symlink("nowhere", place.path("flows/lost.yaml")).expect("a link");
    let document = place.run("lint flows --json").json();
    let files: Vec<_> = document["findings"].as_array().expect("a list").iter().map(|one| &one["file"]).collect();
    assert_eq!(files, ["flows/away", "flows/link.yaml", "flows/lost.yaml"], "{document}");
    assert_eq!(document["summary"]["files"], 5);
}

#[test]
fn no_file_is_looked_at_twice() {
    let place = with(&[("flows/bad.yaml", BAD), ("flows/sub/bad.yaml", BAD)]);
    for line in
        ["flows flows/bad.yaml", "flows/bad.yaml flows ./flows", "flows flows/sub", "flows/sub/bad.yaml flows ."]
    {
        let document = place.run(&format!("lint {line} --json")).json();
        assert_eq!((&document["summary"]["files"], &document["summary"]["errors"]), (&2.into(), &4.into()), "{line}");
    }
}

#[test]
fn standard_input_stands_for_a_file() {
    let place = with(&[("flows/bad.yaml", GOOD), ("flows/agents/nobody.md", "Somebody.")]);
    let check = |line: &str, text: &[u8], code: i32, part: &str| {
        let ran = piped(place.command(line), text);
        assert_eq!(ran.code, code, "{line}: {}{}", ran.out, ran.err);
        assert!((ran.out + &ran.err).contains(part), "{line} has no {part:?}");
    };
    check("lint -", GOOD.as_bytes(), 0, "no findings");
    check("lint -", BAD.as_bytes(), 1, "--> bad.yaml:5:5");
    check("lint - --quiet", b"", 1, "error");
    check("lint - --stdin-name flows/bad.yaml", BAD.as_bytes(), 1, "1 file looked at: 1 error");
    check("lint - --stdin-name flows/other.yaml --json", GOOD.as_bytes(), 1, "flows/other.yaml");
    check("lint - --stdin-name nowhere/good.yaml", GOOD.as_bytes(), 0, "no findings");
    check("lint -", b"name: \xff", 2, "not UTF-8");
    check("lint - --fix --dry-run", BAD.as_bytes(), 1, "-    nxet: check\n+    next: check\n");
}

fn piped(mut command: Command, text: &[u8]) -> Ran {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(text).expect("it reads");
    Ran::of(child.wait_with_output().expect("it ends"))
}

#[test]
fn a_fix_changes_what_it_says_and_nothing_else() {
    let text = format!("\u{feff}{}", BAD.replace('\n', "\r\n"));
    let place = with(&[("flows/bad.yaml", &text), ("flows/good.yaml", GOOD)]);
    let ran = place.run("lint flows --fix --dry-run");
    assert_eq!(ran.code, 1, "there is something to mend: {}", ran.err);
    assert!(ran.out.starts_with("--- a/flows/bad.yaml\n+++ b/flows/bad.yaml\n@@ "), "{}", ran.out);
    assert!(ran.out.contains("\n-    nxet: check\r\n+    next: check\r\n"), "{}", ran.out);
    assert!(ran.err.contains("would mend 1 finding in 2 files; left: 1 error\n"), "{}", ran.err);
    assert_eq!(place.read("flows/bad.yaml"), text, "a dry run writes nothing");
    let document = place.run("lint flows --fix --dry-run --json").json();
    assert_eq!((&document["summary"]["mended"], document["diff"].as_str()), (&1.into(), Some(ran.out.as_str())));
    let ran = place.run("lint flows --fix");
    assert_eq!(ran.code, 1, "the other error is left");
    assert!(ran.out.contains("error[L17]") && !ran.out.contains("error[L19]"), "{}", ran.out);
    assert!(ran.out.contains("mended 1 finding; 2 files looked at: 1 error\n"), "{}", ran.out);
    assert_eq!(place.read("flows/bad.yaml"), text.replace("nxet", "next"));
    assert_eq!(place.read("flows/good.yaml"), GOOD);
    let again = place.run("lint flows --fix --json").json();
    assert_eq!((&again["summary"]["mended"], &again["summary"]["errors"]), (&0.into(), &1.into()));
    assert_eq!(fs::read_dir(place.path("flows")).expect("the folder").count(), 2, "nothing is left beside them");
    let dry = place.run("lint flows/good.yaml --fix --dry-run");
    assert_eq!((dry.code, dry.out.as_str()), (0, ""));
}

#[cfg(unix)]
#[test]
fn what_may_not_be_written_stays_and_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let place = with(&[("flows/bad.yaml", BAD), ("flows/worse.yaml", &BAD.replace("bad", "worse"))]);
    let file = place.path("flows/bad.yaml");
    fs::set_permissions(&file, PermissionsExt::from_mode(0o444)).expect("it is ours");
    let ran = place.run("lint flows --fix");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("could not write what was mended\n  flows/bad.yaml: it is read-only"), "{}", ran.err);
    assert!(ran.out.contains("mended 1 finding;") && ran.out.contains("error[L19]"), "{}", ran.out);
    let document = place.run("lint flows/bad.yaml --fix --json").json();
    assert_eq!((&document["summary"]["mended"], &document["findings"][0]["rule"]), (&0.into(), &"L19".into()));
    assert_eq!(place.read("flows/bad.yaml"), BAD);
    assert!(place.read("flows/worse.yaml").contains("next: check"), "the others are written");
}

/// Under the link's name the file's own name would be changed, and back again with the next fix.
#[cfg(unix)]
#[test]
fn a_file_is_not_mended_under_the_name_of_a_link() {
    let place = with(&[("flows/good.yaml", GOOD)]);
    std::os::unix::fs::symlink("good.yaml", place.path("flows/link.yaml")).expect("a link");
    let ran = place.run("lint flows --fix");
    assert!(ran.code == 1 && ran.out.contains("error[L4]"), "{}", ran.out);
    assert_eq!(place.read("flows/good.yaml"), GOOD);
}

#[test]
fn a_comment_with_a_reason_lets_a_finding_pass() {
    let ignored = DOUBTFUL.replace("conditions:", "conditions: # nebuko: ignore[L11] nothing else comes");
    let place = with(&[("flows/doubtful.yaml", &ignored)]);
    let ran = place.run("lint flows --deny-warnings");
    assert_eq!((ran.code, ran.out.as_str()), (0, "1 file looked at: 1 ignored finding\n"));
    let document = place.run("lint flows --json").json();
    assert_eq!(document["findings"][0]["ignored"], "nothing else comes");
    let sarif = place.run("lint flows --format sarif").json();
    let suppressed = &sarif["runs"][0]["results"][0]["suppressions"][0];
    assert_eq!((&suppressed["kind"], &suppressed["justification"]), (&"inSource".into(), &"nothing else comes".into()));
    assert_eq!(place.run("lint flows --format github").out, "");
}

#[test]
fn annotations_reach_the_runner_and_nothing_else_does() {
    let text = BAD.replace("nobody", "\"::error::%0A,x\"");
    let place = with(&[("a,b/bad.yaml", &text)]);
    let run = |format: &str| {
        let mut command = place.command(&format!("lint a,b --format {format}"));
        Ran::of(command.env("GITHUB_ACTIONS", "true").output().expect("the program starts"))
    };
    let ran = run("github");
    for line in ran.out.lines() {
        assert!(line.starts_with("::error file=a%2Cb/bad.yaml,line="), "{line}");
    }
    assert!(ran.out.contains("%250A"), "{}", ran.out);
    assert_eq!(ran.err, "  1 file looked at: 2 errors\n", "the log says what there is");
    let human = run("human");
    assert!(
        human.out.contains("::error::%0A,x") && human.out.lines().all(|line| !line.starts_with("::")),
        "{}",
        human.out
    );
}

#[test]
fn a_rule_explains_itself() {
    let place = Place::empty();
    let list = place.run("lint --list");
    assert!(list.out.starts_with("ID   NAME") && list.out.contains("\nL9   "), "{}", list.out);
    let rules = place.run("lint --list --json").json();
    assert_eq!(rules["rules"].as_array().expect("a list").len(), list.out.lines().count() - 1);
    for one in rules["rules"].as_array().expect("a list") {
        let (id, name) = (one["rule"].as_str().expect("an id"), one["name"].as_str().expect("a name"));
        let page = place.run(&format!("lint --explain {id}"));
        assert_eq!((page.code, page.out.clone()), (0, place.run(&format!("lint --explain {name}")).out), "{id}");
        assert!(page.out.starts_with(&format!("{id} {name}")), "{id}: {}", page.out);
        assert!(!page.out.contains("```") && !page.out.contains("]("), "{id}: {}", page.out);
    }
    let page = place.run("lint --explain l9 --json").json();
    assert!(page["page"].as_str().is_some_and(|page| page.starts_with("# L9 ")), "{page}");
}

#[test]
fn a_secret_of_this_process_is_not_shown() {
    let secret = "s3cr3t-Value-0123456789";
    let place = with(&[("flows/bad.yaml", &BAD.replace("nobody", secret))]);
    for format in ["human", "json", "sarif", "github"] {
        let mut command = place.command(&format!("lint flows --format {format}"));
        let ran = Ran::of(command.env("MY_API_TOKEN", secret).output().expect("the program starts"));
        assert!(ran.code == 1 && !ran.out.contains(secret), "{format}: {}", ran.out);
    }
}

#[test]
fn a_run_refuses_what_lint_calls_an_error_it_could_not_work_with() {
    let place = Place::with_a_thread();
    place.write("flows/default.yaml", &BAD.replace("bad", "default").replace("nxet", "next"));
    place.write("flows/sub/part.yaml", "name: part\nsteps:\n  - name: x\n    agent: dev\n    next: y\n");
    let line = "run --local demo --model script:answers.json --workflows flows";
    let ran = place.run(line);
    assert_eq!(ran.code, 2, "{}", ran.err);
    for part in
        ["flows/default.yaml:8:12: ", "`nobody`", "flows/agents and .nebuko/agents", "flows/sub/part.yaml:5:11: "]
    {
        assert!(ran.err.contains(part), "{} has no {part:?}", ran.err);
    }
    let shown = place.run("lint flows --json").json();
    let whats: Vec<_> = shown["findings"].as_array().expect("a list").iter().map(|one| one["what"].as_str()).collect();
    assert_eq!(whats.len(), 2);
    for what in whats {
        assert!(ran.err.contains(what.expect("a text")), "{} in other words: {what:?}", ran.err);
    }
    place.write("flows/agents/nobody.md", "Somebody.");
    place.write("flows/sub/part.yaml", "name: part\nsteps:\n  - name: x\n    agent: dev\n    next: null\n");
    assert_eq!(place.run(&format!("{line} --dry-run")).code, 0);
}
