use std::string::String;

use quickcheck::{Arbitrary, Gen, quickcheck};

use crate::markdown::{Guests, defuse, defuse::tests::Hostile};

fn check(text: &str, expected: &str) {
    let safe = defuse(text, &Guests::default());
    assert_eq!(safe, expected, "{text:?}");
    assert_eq!(defuse(&safe, &Guests::default()), safe, "{text:?} again");
}

#[test]
fn nothing_is_hidden_outside_of_code() {
    check("<!-- a remark -->", "&lt;!-- a remark -->");
    check("> <!-- x\n\nimportant later", "> &lt;!-- x\n\nimportant later");
    check("- a\n  <!-- x", "- a\n  &lt;!-- x");
    check("1. <!-- x", "1. &lt;!-- x");
    check("> </p x='\n\nlater", "> &lt;/p x='\n\nlater");
    check("> </div", "> &lt;/div");
    check("> <b>a</b>", "> <b>a</b>");
    check("install @<details> now", "install @&lt;details> now");
    check("> > <!-- x", "> > &lt;!-- x");
    check("<div>\n<!-- x\n</div>", "<div>\n&lt;!-- x\n</div>");
    check("| a |\n|---|\n| <!-- x |", "| a |\n|---|\n| &lt;!-- x |");
    check("see `<!-- x -->`", "see `<!-- x -->`");
    check("```\n<!-- x -->\n```", "```\n<!-- x -->\n```");
    check("a\n\n    <!-- x -->", "a\n\n    <!-- x -->");
    check("<!DOCTYPE html", "&lt;!DOCTYPE html");
    check("<? a\n\nb", "&lt;? a\n\nb");
    check("a <![CDATA[ b", "a &lt;![CDATA[ b");
    check("<div>\n</ x\n</div>", "<div>\n&lt;/ x\n</div>");
    check("<!-- `a --> `<!-- b -->`", "&lt;!-- `a --> `&lt;!-- b -->`");
}

#[test]
fn elements_that_are_not_closed_are_shown_as_text() {
    check("<details>\n\na", "&lt;details>\n\na");
    check("<details>\n<summary>a</summary>\n\nb\n\n</details>", "<details>\n<summary>a</summary>\n\nb\n\n</details>");
    check("<details>\n<summary>a\n\n</details>", "<details>\n&lt;summary>a\n\n</details>");
    check("<div>\n\na", "&lt;div>\n\na");
    check("<div/>\n\na", "&lt;div/>\n\na");
    check("a <b>b", "a &lt;b>b");
    check("a <b>b</B>", "a <b>b</B>");
    check("a <b><i>b</b></i>", "a <b>&lt;i>b</b></i>");
    check("- a <b>b", "- a &lt;b>b");
    check("- <div>\n\na\n\n</div>", "- <div>\n\na\n\n</div>");
    check("<ul><li>a<li>b</ul>", "<ul><li>a<li>b</ul>");
    check("<p>a", "&lt;p>a");
    check("<pre>\na\n\nb", "&lt;pre>\na\n\nb");
    check("<table><tr><td>a</table>", "<table><tr><td>a</table>");
    check("<script>a</script>", "&lt;script>a</script>");
    check("<div title=\"a\n\nb\"></div>", "&lt;div title=\"a\n\nb\"></div>");
    check("<div>\n<span a\n</div>", "<div>\n&lt;span a\n</div>");
    check("a <br> b<hr>", "a <br> b<hr>");
    check("a < b, a <c", "a < b, a <c");
    check("see <https://a.example>", "see <https://a.example>");
    check("use `Vec<String>` and `<div>`", "use `Vec<String>` and `<div>`");
}

#[test]
fn where_code_is_uncertain_only_elements_of_one_line_stay() {
    check("> a <b>b</b> <br> <https://a.example>", "> a <b>b</b> <br> <https://a.example>");
    check("> a <b>b", "> a &lt;b>b");
    check("> a <b>`</b>`", "> a &lt;b>`</b>`");
    check("> <div>\n> a\n> </div>", "> &lt;div>\n> a\n> </div>");
    check("<div>\n\n> `</div>`", "&lt;div>\n\n> `</div>`");
    check("<div>\n\n| a |\n|---|\n| </div> |", "&lt;div>\n\n| a |\n|---|\n| </div> |");
    check("| a |\n|---|\n| b<br>c <b>d</b> |", "| a |\n|---|\n| b<br>c <b>d</b> |");
}

/// Tags of every kind, between other text.
#[derive(Clone, Debug)]
struct Tags(String);

impl Arbitrary for Tags {
    fn arbitrary(g: &mut Gen) -> Self {
        const TAGS: [&str; 16] = [
            "<b>",
            "</b>",
            "<i>",
            "</i>",
            "<div>",
            "</div>",
            "<details>",
            "</details>",
            "<p>",
            "<br>",
            "\n",
            "\n\n",
            "a",
            "`",
            "> ",
            "- ",
        ];
        let count = usize::arbitrary(g) % 24;
        Self((0..count).map(|_| *g.choose(&TAGS).unwrap_or(&"a")).collect())
    }
}

/// Counts what a renderer leaves open of some elements, each closed by its own closing tag only.
fn open_at_the_end(markdown: &str) -> usize {
    let events = pulldown_cmark::Parser::new_ext(markdown, pulldown_cmark::Options::ENABLE_TABLES);
    let mut html = String::new();
    for event in events {
        if let pulldown_cmark::Event::Html(raw) | pulldown_cmark::Event::InlineHtml(raw) = event {
            html.push_str(&raw);
        }
    }
    ["b", "i", "div", "details"].iter().map(|name| still_open(&html, name)).sum()
}

fn still_open(html: &str, name: &str) -> usize {
    let mut depth = 0_usize;
    for tag in html.split('<').filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag) {
        if tag == name {
            depth += 1;
        } else if tag.strip_prefix('/') == Some(name) {
            depth = depth.saturating_sub(1);
        }
    }
    depth
}

quickcheck! {
    fn no_renderer_has_an_element_open_at_the_end(text: Tags) -> bool {
        let safe = defuse(&text.0, &Guests::default());
        let open = open_at_the_end(&safe);
        if open > 0 { std::eprintln!("{:?} became {safe:?}", text.0); }
        open == 0
    }

    fn no_renderer_reads_a_comment(text: Hostile) -> bool {
        let safe = defuse(&text.0, &Guests::default());
        let hides = |event: pulldown_cmark::Event<'_>| {
            let (pulldown_cmark::Event::Html(raw) | pulldown_cmark::Event::InlineHtml(raw)) = event else { return false };
            raw.contains("<!") || raw.contains("<?")
        };
        let hidden = pulldown_cmark::Parser::new(&safe).any(hides);
        if hidden { std::eprintln!("{:?} became {safe:?}", text.0); }
        !hidden
    }
}
