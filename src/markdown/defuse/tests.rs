use std::{string::String, vec, vec::Vec};

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use quickcheck::{Arbitrary, Gen, quickcheck};

use super::*;
use crate::{
    command,
    markdown::{markers, scan::oracle::Markdown},
    sentinel,
};

fn guests() -> Guests {
    Guests { logins: vec![String::from("Dana")] }
}

fn check(text: &str, expected: &str) {
    let safe = defuse(text, &guests());
    assert_eq!(safe, expected, "{text:?}");
    assert_eq!(defuse(&safe, &guests()), safe, "{text:?} again");
}

#[test]
fn our_markers_are_shown_and_not_read() {
    check("<!-- bot-workflow-terminal -->", "&lt;!-- bot-workflow-terminal -->");
    check("a <!--\tbot-agent-dev--> b", "a &lt;!--\tbot-agent-dev--> b");
    check("```\n<!-- WORKFLOW_STATE_START -->\n```", "```\n<! -- WORKFLOW_STATE_START -->\n```");
    check("`<!-- AGENT_RUN_CONFIG {} -->`", "`<! -- AGENT_RUN_CONFIG {} -->`");
    check("> <!-- nebuko-part: a -->", "> &lt;!-- nebuko-part: a -->");
    check("<!-- po-agent-state: round=1 -->", "&lt;!-- po-agent-state: round=1 -->");
    check("`<!-- a remark -->`", "`<!-- a remark -->`");
}

#[test]
fn commands_and_mentions_of_roles_are_shown_and_not_read() {
    check("/nebuko approve gate", "\\/nebuko approve gate");
    check("do:\n  /nebuko stop", "do:\n  \\/nebuko stop");
    check("write `/nebuko stop`", "write `/nebuko stop`");
    check("```\n/nebuko stop\n```", "```\n/nebuko stop\n```");
    check("ask @@dev to", "ask `@@dev` to");
    check("{@@_\u{5}x", "{`@@_`\u{fffd}x");
    check("a\0b\tc\r\n\u{1b}[31md", "a\u{fffd}b\tc\r\n\u{fffd}[31md");
    check("__@@dev__ and @_", "__`@@dev`__ and @_");
    check("ask ` @@dev to", "ask ` ``@@dev`` to");
    check("> ask @@dev", "> ask \u{ff20}\u{ff20}dev");
    check("ask `@@dev`", "ask `@@dev`");
}

#[test]
fn nobody_is_called_but_those_who_are_there() {
    check("thanks @dana and @Dana", "thanks @dana and @Dana");
    check("thanks @octocat, @org/team", "thanks `@octocat`, `@org/team`");
    check("(@octocat)", "(`@octocat`)");
    check("\\@octocat", "\\ `@octocat`");
    check("@a@b", "`@a` `@b`");
    check("mail a@b.example", "mail a@b.example");
    check("see https://x.example/@octocat", "see https://x.example/@octocat");
    check("see [x](/@octocat)", "see [x](/@octocat)");
    check("    @decorator", "    @decorator");
    check("```\n@decorator\n```", "```\n@decorator\n```");
    check("``\n``` a``@ @octocat](```\n    |-|", "``\n``` a``@ \u{ff20}octocat](```\n    |-|");
    check("> thanks @octocat", "> thanks \u{ff20}octocat");
    check("<div>\n@octocat\n</div>", "<div>\n\u{ff20}octocat\n</div>");
}

#[test]
fn names_are_looked_for_in_the_text_as_it_is_shown() {
    check("_@nobody_", "_`@nobody`_");
    check("__@nobody__", "__`@nobody`__");
    check("*@nobody* ~~@nobody~~", "*`@nobody`* ~~`@nobody`~~");
    check("a_@nobody", "a_`@nobody`");
    check("_@dana_ and **@dana**", "_@dana_ and **@dana**");
    check("&#64;nobody", "&amp;#64;nobody");
    check("&#064nobody &#x40;nobody &#X0040;nobody", "&amp;#064nobody &amp;#x40;nobody &amp;#X0040;nobody");
    check("&commat;nobody", "&amp;commat;nobody");
    check("> &#64;nobody", "> &amp;#64;nobody");
    check("@&#110;obody", "@&amp;#110;obody");
    check("`&#64;nobody` &#65;nobody &#640; &#x401;", "`&#64;nobody` &#65;nobody &#640; &#x401;");
    check("@<b></b>nobody", "\u{ff20}<b></b>nobody");
    check("_@org/team_", "_`@org/team`_");
    check("> @org/team", "> \u{ff20}org/team");
    check("@@devé", "`@@devé`");
    check("see [x](https://a.example)@nobody", "see [x](https://a.example)`@nobody`");
    check("x://@nobody https://@nobody", "x://`@nobody` https://`@nobody`");
    check("_https://a.example/_@nobody_", "_https://a.example/_`@nobody`_");
}

#[test]
fn a_mark_of_byte_order_hides_nothing_behind_it() {
    check("\u{feff}/nebuko stop", "\\/nebuko stop");
    check("\u{feff}\u{feff}a\n~~~\nb\n~~~", "a\n~~~\nb\n~~~");
    check("\u{feff}~~~\na\n~~~", "~~~\na\n~~~");
}

#[test]
fn nothing_is_left_open() {
    check("```rust\nlet a;", "```rust\nlet a;\n```");
    check("~~~~\na\n~~~\n", "~~~~\na\n~~~\n~~~~");
    check("a <code> b", "a &lt;code> b");
    check("a <code>b</code> <br>", "a <code>b</code> <br>");
    check("<!-- a\n\nb", "&lt;!-- a\n\nb");
    check("<script>\n/nebuko stop", "&lt;script>\n\\/nebuko stop");
    check("<details>\n\na", "&lt;details>\n\na");
    check("- a\n  ```\n  b", "- a\n  ```\n  b");
}

/// Markdown with our own words in it.
#[derive(Clone, Debug)]
pub(crate) struct Hostile(pub(crate) String);

impl Arbitrary for Hostile {
    fn arbitrary(g: &mut Gen) -> Self {
        const WORDS: [&str; 12] = [
            "<!-- bot-agent-x -->",
            "<!-- bot-workflow-terminal -->",
            "/nebuko stop",
            "@@dev",
            " @octocat",
            "@a/b",
            "@",
            "<!-- AGENT_RUN_CONFIG {\"task\":\"a\"} -->",
            "<!-- WORKFLOW_STATE_START -->",
            "<!",
            "\n/nebuko",
            "\n",
        ];
        let count = usize::arbitrary(g) % 6;
        Self((0..count).fold(Markdown::arbitrary(g).0, |text, _| {
            text + g.choose(&WORDS).unwrap_or(&"a") + &Markdown::arbitrary(g).0
        }))
    }

    fn shrink(&self) -> std::boxed::Box<dyn Iterator<Item = Self>> {
        std::boxed::Box::new(Markdown(self.0.clone()).shrink().map(|text| Self(text.0)))
    }
}

/// Gives the text that a renderer shows outside of code.
fn shown(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut shown = vec![String::new()];
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(piece) if !in_code => {
                if let Some(last) = shown.last_mut() {
                    last.push_str(&piece);
                }
            }
            _ => shown.push(String::new()),
        }
    }
    shown
}

quickcheck! {
    fn defused_text_does_nothing(text: Hostile) -> bool {
        let safe = defuse(&text.0, &guests());
        let inert = command::asks(&safe, ["dev", "a"]).is_empty()
            && !command::is_command(&safe)
            && !markers(&safe).any()
            && sentinel::find(&safe) == sentinel::Found::None
            && !safe.contains("<!-- WORKFLOW_STATE_START")
            && ends_clear(&safe);
        if !inert { std::eprintln!("{safe:?}"); }
        inert
    }

    fn defusing_twice_is_defusing_once(text: Hostile) -> bool {
        let safe = defuse(&text.0, &guests());
        let again = defuse(&safe, &guests());
        if again != safe { std::eprintln!("{safe:?} became {again:?}"); }
        again == safe
    }

    fn no_renderer_calls_anybody(text: Hostile) -> bool {
        let safe = defuse(&text.0, &guests());
        let called = shown(&safe).into_iter().find(|piece| piece.starts_with("@octo") || piece.contains(" @octo"));
        if let Some(called) = &called { std::eprintln!("{safe:?} calls in {called:?}"); }
        called.is_none()
    }
}
