use std::{string::String, vec::Vec};

use super::Scan;

fn prose(body: &str) -> Vec<&str> {
    Scan::new(body).prose().iter().map(|prose| &body[prose.range.clone()]).collect()
}

fn lines(body: &str) -> Vec<&str> {
    Scan::new(body).prose().iter().filter(|prose| prose.starts_line).map(|prose| &body[prose.range.clone()]).collect()
}

fn comments(body: &str) -> Vec<&str> {
    Scan::new(body).comments().iter().map(|range| &body[range.clone()]).collect()
}

/// Every row is tried with each kind of line end.
fn check(body: &str, expected: &[&str], read: fn(&str) -> Vec<&str>) {
    for end in ["\n", "\r\n", "\r"] {
        let body = body.replace('\n', end);
        let expected: Vec<String> = expected.iter().map(|text| text.replace('\n', end)).collect();
        assert_eq!(read(&body), expected, "{body:?}");
    }
}

#[test]
fn only_visible_text_outside_of_quotes_and_code_is_prose() {
    let check = |body, expected: &[&str]| check(body, expected, prose);
    check("hello", &["hello"]);
    check("hello\n  world\n", &["hello", "world"]);
    check("# title\ntext\n***\nmore", &["# title", "text", "more"]);
    check("title\n---\ntext", &["title", "text"]);
    check("> quoted\n\nwhy?", &["why?"]);
    check("> quoted\nlazily quoted\n\nwhy?", &["why?"]);
    check("> quoted\n>\nwhy?", &["why?"]);
    check("> quoted\n- item", &["item"]);
    check("```\ncode\n```\ntext", &["text"]);
    check("~~~ rust\ncode\n```\n~~~\ntext", &["text"]);
    check("````\n```\n````\ntext", &["text"]);
    check("```\nnever closed\n\ntext", &[]);
    check("``` a`b\ntext", &["``` a`b", "text"]);
    check("    code\ntext", &["text"]);
    check("text\n    more", &["text", "more"]);
    check("text\n\n\tcode", &["text"]);
    check("- item\n\n      code\n\n  text", &["item", "text"]);
    check("- ```\n  code\n  ```\n- item", &["item"]);
    check("- ```\n  code\ntext", &["text"]);
    check("- > quoted\n- item", &["item"]);
    check("see `code` and ``co`de`` here", &["see ", " and ", " here"]);
    check("see `code\nover lines` here", &["see ", " here"]);
    check("see `this\n\nand` that", &["see `this", "and` that"]);
    check("see \\`this` that", &["see \\`this` that"]);
    check("hi <!-- a\nb\n c --> bye", &["hi ", " bye"]);
    check("hi <!-- a\n\nbye", &["hi <!-- a", "bye"]);
    check("a <b title=\"x\ny\">c</b> d < e", &["a ", "c", " d < e"]);
    check("a <https://x`y> `z`", &["a ", " "]);
    check("a [b](c`d) `e`", &["a [b]"]);
    check("a [b](c) d", &["a [b]", " d"]);
    check("[a]: /url 'title\ntext'", &[]);
    check("<div>\nraw\n\ntext", &["text"]);
    check("<script>\nraw\n\nraw\n</script>\ntext", &["text"]);
    check("<!-- a\n\nb --> c\ntext", &["text"]);
    check("<!-- never closed\n\ntext", &[]);
    check("<blockquote>\n\nquoted\n\n</blockquote>\n\ntext", &["text"]);
    check("a <code>b\n\nc</code> d", &["a ", " d"]);
    check("a <pre> b\n\nnever closed", &["a "]);
    check("<div>\n<!-- a\n\nhidden\n-->\n\ntext", &["text"]);
    check("| a | b |\n|---|---|\n| ` | `c` |\n| d | e |", &["| a | b |", "|---|---|", "| d | e |"]);
}

#[test]
fn commands_may_start_only_at_the_root() {
    let check = |body, expected: &[&str]| check(body, expected, lines);
    check("a\n b\n   c", &["a", "b", "c"]);
    check("\u{feff}a\n\u{feff}b", &["a", "\u{feff}b"]);
    check("\u{feff}> a\n\nb", &["b"]);
    check("\u{feff}```\na\n```\nb", &["b"]);
    check("a\n    b", &["a"]);
    check("- a\nb\n\n  c\n\nd", &["d"]);
    check("1. a\n\n  b", &["b"]);
    check("-\n\n  a", &["a"]);
    check("`a` b\nc `d`", &["c "]);
    check("> a\n\nb", &["b"]);
    check("- > a\nb\n\n  c\n\nd", &["d"]);
}

#[test]
fn comments_count_where_they_start_a_line_at_the_root() {
    let check = |body, expected: &[&str]| check(body, expected, comments);
    check("<!-- a -->\n<!-- b -->\ntext", &["<!-- a -->", "<!-- b -->"]);
    check("text\n   <!-- a -->", &["<!-- a -->"]);
    check("text\n\n    <!-- a -->", &[]);
    check("text <!-- a -->", &[]);
    check("<!-- a -->text", &["<!-- a -->"]);
    check("<!-- a\nb\n\nc -->", &["<!-- a\nb\n\nc -->"]);
    check("<!-- a", &[]);
    check("<!---->\n<!-- a -->", &["<!---->", "<!-- a -->"]);
    check("> <!-- a -->", &[]);
    check("> text\n<!-- a -->", &["<!-- a -->"]);
    check("```\n<!-- a -->\n```\n<!-- b -->", &["<!-- b -->"]);
    check("- <!-- a -->", &[]);
    check("- text\n<!-- a -->", &["<!-- a -->"]);
    check("<details>\n<summary>x</summary>\n<!-- a -->\n</details>\n<!-- b -->", &["<!-- a -->", "<!-- b -->"]);
    check("<details>\n<!-- a\nb -->\n<!-- c -->\n</details>", &["<!-- c -->"]);
    check("<div>\n<!-- a -->\n</div>", &[]);
    check("<pre>\n<!-- a -->\n</pre>\n<!-- b -->", &["<!-- b -->"]);
    check("<blockquote>\n\n<!-- a -->\n\n</blockquote>\n\n<!-- b -->", &["<!-- b -->"]);
    let state = "<!-- WORKFLOW_STATE_START -->\n{\"a\": \"<pre> <!-- `\"}\n<!-- WORKFLOW_STATE_END -->";
    check(state, &["<!-- WORKFLOW_STATE_START -->", "<!-- WORKFLOW_STATE_END -->"]);
}

#[test]
fn whichever_opens_first_owns_the_lines_until_it_closes() {
    let check = |body, expected: &[&str]| check(body, expected, lines);
    check("<!--\n```\n-->\n/nebuko approve gate", &["/nebuko approve gate"]);
    check("```\n<!--\n```\n/nebuko approve gate", &["/nebuko approve gate"]);
    check("~~~\n```\n~~~\n/nebuko approve gate", &["/nebuko approve gate"]);
}

#[test]
fn a_long_body_of_openers_takes_linear_time() {
    for opener in ["`", "``a", "<a ", "<a b=\"", "<!--", "](", "][", "- ", "> ", "<pre>", "\\", "<a@", "*", "<!-- -->"]
    {
        let started = std::time::Instant::now();
        Scan::new(&opener.repeat(400_000 / opener.len()));
        assert!(started.elapsed().as_secs() < 30, "{opener:?} took {:?}", started.elapsed());
    }
}
