use std::{format, string::String, vec::Vec};

use super::*;

const ROLES: [&str; 4] = ["dev", "dev-review", "review", "architect"];

/// Writes an ask down in short.
fn short(ask: &Ask) -> String {
    match ask {
        Ask::Command(verb) => {
            serde_json::to_string(verb).expect("a verb is JSON").replace('"', "").replace("\\n", "\n")
        }
        Ask::Mention { role, request } => format!("@{role}: {request}"),
        Ask::UnknownRole { word, near } => format!("?{word} {near:?}"),
        Ask::WrongVerb { line, column, text, why, near: None } => format!("{line}:{column} {text} ! {why}"),
        Ask::WrongVerb { line, column, text, near: Some(near), .. } => format!("{line}:{column} {text} ~ {near}"),
    }
}

/// Every row is tried with each kind of line end.
fn check(body: &str, expected: &[&str]) {
    for end in ["\n", "\r\n", "\r"] {
        let body = body.replace('\n', end);
        let found: Vec<String> = asks(&body, ROLES).iter().map(short).collect();
        assert_eq!(found, expected, "{body:?}");
        let commands = expected.iter().filter(|ask| !ask.starts_with(['@', '?'])).count();
        assert_eq!(is_command(&body), commands > 0, "{body:?}");
    }
}

#[test]
fn every_verb_is_read() {
    check("/nebuko approve gate", &["{approve_gate:{feedback:}}"]);
    check("  /nebuko\tapprove   gate  ship it", &["{approve_gate:{feedback:ship it}}"]);
    check("/nebuko approve gate, ship it", &["{approve_gate:{feedback:ship it}}"]);
    check("/nebuko reject gate too slow", &["{reject_gate:{feedback:too slow}}"]);
    check("/nebuko run default", &["{run:{workflow:default,step:null}}"]);
    check("/nebuko run default review", &["{run:{workflow:default,step:review}}"]);
    check("/nebuko retry", &["retry"]);
    check("/nebuko stop", &["stop"]);
    check("/nebuko status ", &["status"]);
    check("/nebuko pin 5794187059", &["{pin:{id:5794187059}}"]);
    check("/nebuko unpin #7", &["{unpin:{id:7}}"]);
    check("/nebuko recover", &["recover"]);
    check("/nebuko help", &["help"]);
}

#[test]
fn the_table_and_the_parser_agree() {
    for verb in VERBS {
        let arguments = match verb.arguments {
            "ID" => "7",
            "WORKFLOW [STEP]" => "default review",
            other => other,
        };
        let asked = asks(&format!("/nebuko {} {arguments}", verb.name), []);
        assert!(matches!(asked.as_slice(), [Ask::Command(_)]), "{}: {asked:?}", verb.name);
    }
}

#[test]
fn no_line_end_gets_into_an_argument() {
    check("/nebuko approve gate\n\nThanks, ship it.\n", &["{approve_gate:{feedback:Thanks, ship it.}}"]);
    check("@@dev\nfix the null check\n", &["@dev: fix the null check"]);
    check("@@dev a\nb", &["@dev: a\nb"]);
    check("/nebuko run default\n", &["{run:{workflow:default,step:null}}"]);
}

#[test]
fn only_visible_top_level_text_asks() {
    let commands = ["/nebuko approve gate", "@@dev fix it"];
    for (command, expected) in commands.iter().zip(["{approve_gate:{feedback:}}", "@dev: fix it"]) {
        check(command, &[expected]);
        check(&format!("> {command}\n\nwhy?"), &[]);
        check(&format!("> quoted\n{command}"), &[]);
        check(&format!("```\n{command}\n```"), &[]);
        check(&format!("~~~\n{command}\n~~~"), &[]);
        check(&format!("```\n{command}"), &[]);
        check(&format!("text\n\n    {command}"), &[]);
        check(&format!("<!-- \n{command}\n-->\nhello"), &[]);
        check(&format!("hi <!-- a\n{command}\nb --> bye"), &[]);
        check(&format!("<!--\n```\n-->\n{command}"), &[expected]);
        check(&format!("```\n<!--\n```\n{command}"), &[expected]);
        check(&format!("say `{command}` for it"), &[]);
        check(&format!("say `a\n{command}\nb` for it"), &[]);
        check(&format!("<pre>\n{command}\n</pre>"), &[]);
    }
    check("\u{feff}/nebuko stop", &["stop"]);
    check("\u{feff}@@dev go", &["@dev: go"]);
    check("- /nebuko stop", &[]);
    check("- a\n\n  /nebuko stop", &[]);
    check("please /nebuko stop", &[]);
    check("/nebuko/docs is a folder", &[]);
    check("/nebukofoo stop", &[]);
    check("- @@dev fix it", &["@dev: fix it"]);
    check("# @@dev fix it", &["@dev: fix it"]);
}

#[test]
fn a_mention_has_edges() {
    check("(@@dev) look", &["@dev: look"]);
    check("cc:@@dev", &["@dev: "]);
    check("\"@@dev\"", &["@dev: "]);
    check("@@dev, look", &["@dev: look"]);
    check("@@dev.", &["@dev: "]);
    check("['@@dev'", &["@dev: "]);
    check("a,@@dev \"b\" c", &["@dev: \"b\" c"]);
    check("a@@dev.example", &[]);
    check("`a`@@dev", &[]);
    check("\\@@dev", &[]);
    check("@@@dev", &[]);
    check("@@ dev", &[]);
    check("@dev", &[]);
    check("@@developer", &["?developer [\"dev\"]"]);
    check("@@devé look", &["?devé [\"dev\"]"]);
    check("@@dev你", &["?dev你 [\"dev\"]"]);
    check("@@ñu", &["?ñu []"]);
    check("@@dev。", &["@dev: 。"]);
    check("@@dev-review look", &["@dev-review: look"]);
    check("@@dev-reviews look", &["?dev-reviews [\"dev-review\", \"dev\"]"]);
    check("Mail sec@@dev.example first. @@dev review the auth module", &["@dev: review the auth module"]);
}

#[test]
fn one_mention_a_comment_is_taken() {
    check("@@dev do this\n@@review and this", &["@dev: do this\n@@review and this"]);
    check("@@deb and @@dev do this", &["@dev: do this"]);
    check("@@deb and @@reviw", &["?deb [\"dev\"]"]);
    check("@@Review this", &["?Review [\"review\", \"dev-review\"]"]);
    check("@@zzzzzzzz", &["?zzzzzzzz []"]);
    check("> @@deb\n\n@@dev `@@review` go", &["@dev: `@@review` go"]);
}

#[test]
fn commands_and_a_mention_come_in_order() {
    check("@@dev fix it\n\n/nebuko pin 7\n", &["@dev: fix it", "{pin:{id:7}}"]);
    check("/nebuko pin 7\n@@dev fix it\n> said", &["{pin:{id:7}}", "@dev: fix it\n> said"]);
    check("/nebuko approve gate a\nb\n/nebuko status\nc", &["{approve_gate:{feedback:a\nb}}", "status"]);
    check("/nebuko reject gate\n@@dev was too slow", &["{reject_gate:{feedback:@@dev was too slow}}"]);
    check("/nebuko approve gate\n```\n/nebuko stop\n```", &["{approve_gate:{feedback:```\n/nebuko stop\n```}}"]);
}

#[test]
fn a_wrong_verb_is_quoted_with_its_place() {
    check("/nebuko", &["1:8 /nebuko ! there is no verb"]);
    check("hi\n\n /nebuko aprove gate now", &["3:10 /nebuko aprove gate now ~ approve gate"]);
    check("/nebuko approve", &["1:9 /nebuko approve ~ approve gate"]);
    check("/nebuko approve gateway", &["1:9 /nebuko approve gateway ~ approve gate"]);
    check("/nebuko Stop", &["1:9 /nebuko Stop ~ stop"]);
    check("/nebuko stat", &["1:9 /nebuko stat ~ status"]);
    check("/nebuko pin abc", &["1:13 /nebuko pin abc ! it takes the id of one comment, as in /nebuko pin ID"]);
    check("/nebuko xyzzyxyzzy", &["1:9 /nebuko xyzzyxyzzy ! there is no such verb"]);
    check("/nebuko stop it now", &["1:14 /nebuko stop it now ! it takes no argument, as in /nebuko stop"]);
    check("/nebuko pin", &["1:12 /nebuko pin ! it takes the id of one comment, as in /nebuko pin ID"]);
    check("/nebuko pin é 7", &["1:13 /nebuko pin é 7 ! it takes the id of one comment, as in /nebuko pin ID"]);
    check("/nebuko pin -7", &["1:13 /nebuko pin -7 ! it takes the id of one comment, as in /nebuko pin ID"]);
    check(
        "/nebuko pin 99999999999999999999",
        &["1:13 /nebuko pin 99999999999999999999 ! it takes the id of one comment, as in /nebuko pin ID"],
    );
    check(
        "/nebuko run",
        &[
            "1:12 /nebuko run ! it takes the name of a workflow, and of a step if need be, as in /nebuko run WORKFLOW [STEP]",
        ],
    );
    check(
        "/nebuko run a b c",
        &[
            "1:13 /nebuko run a b c ! it takes the name of a workflow, and of a step if need be, as in /nebuko run WORKFLOW [STEP]",
        ],
    );
    check(
        "/nebuko run `a`",
        &[
            "1:13 /nebuko run `a` ! it takes the name of a workflow, and of a step if need be, as in /nebuko run WORKFLOW [STEP]",
        ],
    );
    check("/nebuko retri\n@@dev go", &["1:9 /nebuko retri ~ retry", "@dev: go"]);
}

#[test]
fn a_comment_without_the_words_asks_nothing() {
    check("", &[]);
    check("nothing to see", &[]);
    check("/nebuk", &[]);
    check("@", &[]);
}

quickcheck::quickcheck! {
    fn a_command_on_the_first_line_is_one_for_the_scan_too(picks: Vec<u8>) -> bool {
        const PIECES: [&str; 20] = [
            "/nebuko stop", "/nebuko", "\n", "\n\n", "\r\n", "\r", " ", "\t", "    ", "`", "<pre>", "<!--", "-->", "]",
            "](", "|---|", "===", "- ", "> ", "2. ",
        ];
        let rest: String = picks.iter().map(|pick| PIECES[usize::from(*pick) % PIECES.len()]).collect();
        [String::from("/nebuko ") + &rest, String::from("/nebuko stop\n\n") + &rest, rest]
            .iter()
            .all(|body| is_command(body) != command_lines(body, &Scan::new(body)).is_empty())
    }
}
