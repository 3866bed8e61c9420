use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use std::time::Instant;

use super::*;

/// Writes a tree on one line: plain text bare, quoted text in quotes.
fn shown(node: &Node) -> String {
    match &node.value {
        Value::Scalar { text, style: Style::Plain } => text.clone(),
        Value::Scalar { text, style: Style::Quoted } => format!("{text:?}"),
        Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(" ")),
        Value::Map(entries) => {
            let pairs: Vec<_> = entries.iter().map(|(key, value)| format!("{}: {}", key.text, shown(value))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

/// Reads a source and gives the tree, or the problems as `line:column: what`.
fn read_back(source: &str) -> String {
    match parse("f", source) {
        Ok(node) => shown(&node),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
    }
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(read_back(source), expected, "{source:?}");
}

/// Fault kinds 4.1 and 4.4: nothing is guessed from how a word looks.
#[test]
fn plain_words_and_numbers_stay_as_written() {
    check("[no, yes, on, off, y, n, true, False]", "[no yes on off y n true False]");
    check("[--port, 8080, 1.10, 007, 1e3, 0x1F, 1_000]", "[--port 8080 1.10 007 1e3 0x1F 1_000]");
    check("[2024-01-01, 12:30:00, .5, +1, .nan]", "[2024-01-01 12:30:00 .5 +1 .nan]");
    check("no: on\n", "{no: on}");
    check("a: 'no'\nb: \"1.10\"\n", r#"{a: "no", b: "1.10"}"#);
    check("a: |\n  x\n  y\nb: >-\n  x\n  y\n", r#"{a: "x\ny\n", b: "x y"}"#);
}

#[test]
fn a_null_is_plain_and_absent_differs_from_a_tilde() {
    let check = |value: &str, null: bool, text: Option<&str>| {
        let root = parse("f", &format!("a: {value}\n")).expect("a map of one key");
        let node = root.get("a").expect("the key is there");
        assert_eq!((node.is_null(), node.text()), (null, text), "{value:?}");
    };
    check("", true, None);
    check("~", true, None);
    check("null", true, None);
    check("NULL", true, None);
    check("nULL", false, Some("nULL"));
    check("nil", false, Some("nil"));
    check("'null'", false, Some("null"));
    check("\"~\"", false, Some("~"));
    check("''", false, Some(""));
    check("[null]", false, None);
    super::tests::check("a: ~\nb:\nc: ''\n", "{a: ~, b: , c: \"\"}");
}

#[test]
fn an_empty_file_is_a_null() {
    for source in ["", "\n", "# only a comment\n", "---\n", "\u{feff}"] {
        let root = parse("f", source).expect("nothing is wrong with nothing");
        assert!(root.is_null(), "{source:?}");
        assert_eq!(root.place.line, 1, "{source:?}");
    }
}

#[test]
fn places_count_characters_and_every_line_end() {
    let check = |source: &str, key: &str, line: usize, column: usize, written: &str| {
        let root = parse("f", source).expect("the source is well-formed");
        let place = root.get(key).expect("the key is there").place;
        assert_eq!((place.line, place.column), (line, column), "{key} in {source:?}");
        assert_eq!(&source[place.start..place.end], written, "{key} in {source:?}");
    };
    check("a: 1\nbb: two\n", "bb", 2, 5, "two");
    check("a: 1\r\nbb: two\r\n", "bb", 2, 5, "two");
    check("a: 1\rbb: two\r", "bb", 2, 5, "two");
    check("\u{feff}a: 1\nb: 2", "a", 1, 4, "1");
    check("é: ü\nb: [x,\n  y]\n", "é", 1, 4, "ü");
    check("é: ü\nb: [x,\n  y]\n", "b", 2, 4, "[x,\n  y]");
    check("{é: 'ü', b: \"q\"}", "b", 1, 13, "\"q\"");
}

/// Fault kind 4.2 (a), and everything wrong in one pass.
#[test]
fn repeated_keys_name_both_places_and_all_are_found() {
    check("a: 1\nb: 2\na: 3\n", "f:3:1: the key `a` stands here and at 1:1 (keep one of them)");
    check("'on': 1\non: 2\n", "f:2:1: the key `on` stands here and at 1:1 (keep one of them)");
    check(
        "x: {a: 1, a: 2}\ny: !t 1\n<<: {z: 1}\n? [k]\n: 1\nb: *gone\n",
        "f:1:11: the key `a` stands here and at 1:5 (keep one of them); \
         f:2:4: the tag `!t` is not read here (quote what is meant as text); \
         f:3:1: the merge key `<<` is not read here (write the keys out); \
         f:4:3: a key must be a text (quote it, or put a space after the `:`); \
         f:6:4: no anchor `gone` stands before this alias",
    );
    check("a: 1\n---\nb: 2\n", "f:2:1: a second document starts here (one file holds one document)");
    check("a: 1\n...\n", "{a: 1}");
}

#[test]
fn broken_syntax_has_a_place_and_a_hint() {
    let check = |source: &str, start: &str, hint: &str| {
        let found = read_back(source);
        assert!(found.starts_with(start) && found.contains(hint), "{source:?}: {found}");
    };
    check("a: b: c\n", "f:1:5:", "quote a text that holds `: `");
    check("a: 1\n\tb: 2\n", "f:1:4:", "indent with spaces");
    check("a: 'x\n", "f:1:4: unclosed quote", "");
    check("a: 1\nb: [1, 2\n", "f:2:4:", "");
    check("a: @x\n", "f:1:4:", "quote a text that starts with it");
    check("a\0: 1\n", "f:1:2:", "");
    check("a: 1\na: 2\nb: 'x\n", "f:2:1: the key `a`", "f:3:4: unclosed quote");
}

/// Fault kind 4.3.
#[test]
fn aliases_are_copied_within_a_bound() {
    check("a: &a x\nb: *a\nc: [*a, *a]\n", "{a: x, b: x, c: [x x]}");
    let three_anchors = "a: &a [x, y]\nb: &b {k: *a}\nc: &c text\nd: [*a, *b, *c]\ne: *b\n";
    check(three_anchors, "{a: [x y], b: {k: [x y]}, c: text, d: [[x y] {k: [x y]} text], e: {k: [x y]}}");
    check("a: &a 1\nb: &a 2\nc: *a\n", "{a: 1, b: 2, c: 2}");
    check("a: &a k\n*a : v\n", "{a: k, k: v}");
    check("a: &a [*a]\n", "f:1:8: this alias stands inside what it stands for");

    let before = Instant::now();
    let found = read_back(&format!("{}name: x\nsteps: []\n", bomb()));
    assert!(found.contains("copy more than 262144 nodes and bytes"), "{found}");
    assert!(before.elapsed().as_millis() < 1_000, "the bomb took {:?}", before.elapsed());

    // Large texts count by their length, not as one node.
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(10_000), "*a, ".repeat(100));
    assert!(read_back(&long).contains("copy more than"));
}

/// The 26 lines of fault kind 4.3.
pub(crate) fn bomb() -> String {
    let line = |n: usize| match n {
        1 => "a1: &a1 [x, x]\n".to_string(),
        _ => format!("a{n}: &a{n} [*a{0}, *a{0}]\n", n - 1),
    };
    (1..=26).map(line).collect()
}

#[test]
fn an_alias_shows_where_it_stands() {
    let root = parse("f", "a: &a {k: v}\nb: *a\n").expect("aliases may be used");
    let copy = root.get("b").expect("the key is there");
    assert_eq!((copy.place.line, copy.place.column), (2, 4));
    assert_eq!(copy.get("k").map(|inner| inner.place.line), Some(1));
}

#[test]
fn depth_size_and_number_of_problems_are_bounded() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(parse("f", &nested(DEPTH_MAX)).is_ok());
    assert!(read_back(&nested(DEPTH_MAX + 1)).contains("nest deeper than 64 levels"));
    let mixed = format!("{}{}", "- ".repeat(40), nested(40));
    assert!(read_back(&mixed).starts_with("f:1:105: lists and maps nest deeper"), "{}", read_back(&mixed));
    let by_alias = format!("a: &a {0}\nb: &b {1}*a{2}\n", nested(40), "[".repeat(40), "]".repeat(40));
    assert!(read_back(&by_alias).starts_with("f:2:47: lists and maps nest deeper"), "{}", read_back(&by_alias));

    let full = format!("a: {}", "x".repeat(SOURCE_MAX_BYTES - 3));
    assert!(parse("f", &full).is_ok());
    assert_eq!(read_back(&format!("{full}x")), "f:1:1: the file has 1048577 bytes; at most 1048576 are read");

    let problems = parse("f", &"a: 1\n".repeat(5_000)).expect_err("one key, many times");
    assert_eq!(problems.len(), 101);
    assert_eq!(problems[100].what, "there are more mistakes");
}

#[test]
fn hostile_files_are_refused_at_once() {
    for part in ["[", "{", "- ", "? ", "[a: ", "&a ", "!", "[[x],", "a: &a [*a, "] {
        let source = part.repeat(200_000 / part.len());
        let before = Instant::now();
        assert!(parse("f", &source).is_err(), "{part:?}");
        assert!(before.elapsed().as_millis() < 5_000, "{part:?} took {:?}", before.elapsed());
    }
}

#[test]
fn front_matter_is_split_from_the_body() {
    let check = |source: &str, expected: Result<(Option<&str>, &str), &str>| {
        let found = front_matter("f", source);
        let found = found.as_ref().map(|(node, body)| (node.as_ref().map(shown), *body));
        let found = found.map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
        let expected = expected.map(|(node, body)| (node.map(String::from), body)).map_err(String::from);
        assert_eq!(found, expected, "{source:?}");
    };
    check("just text\n", Ok((None, "just text\n")));
    check("", Ok((None, "")));
    check("\n---\na: 1\n---\n", Ok((None, "\n---\na: 1\n---\n")));
    check("----\na\n", Ok((None, "----\na\n")));
    check("---\na: no\n---\nbody\n---\n", Ok((Some("{a: no}"), "body\n---\n")));
    check("\u{feff}---\r\na: 1\r\n---\r\nbody", Ok((Some("{a: 1}"), "body")));
    check("---\ra: 1\r...\rbody", Ok((Some("{a: 1}"), "body")));
    check("--- \na: 1\n---\t\n", Ok((Some("{a: 1}"), "")));
    check("---\na: 1\n---", Ok((Some("{a: 1}"), "")));
    check("---\n---\nbody", Ok((Some(""), "body")));
    check("\u{feff}text", Ok((None, "text")));
    check(
        "---\na: 1\n",
        Err("f:1:1: the front matter never ends (close it with a line `---`, or start the file otherwise)"),
    );
    check("---\na: 1\na: 2\n---\nx", Err("f:3:1: the key `a` stands here and at 2:1 (keep one of them)"));
}

#[test]
fn front_matter_places_count_from_the_top_of_the_file() {
    let source = "\u{feff}---\r\na: 1\r\nb: two\r\n---\r\nbody";
    let (node, _) = front_matter("f", source).expect("the front matter is well-formed");
    let place = node.as_ref().and_then(|node| node.get("b")).expect("the key is there").place;
    assert_eq!((place.line, place.column, &source[place.start..place.end]), (3, 4, "two"));
}

#[test]
fn whatever_comes_is_a_tree_or_problems_with_places() {
    fn holds(bytes: Vec<u8>, picks: Vec<u8>) -> bool {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let parts =
            ["a: ", "- ", "[", "]", "{", "}", "\n", "  ", "&a ", "*a", "'", "\"", "|\n", "? ", "!x ", "é", "\r", "---"];
        let built: String = picks.iter().map(|pick| parts[usize::from(*pick) % parts.len()]).collect();
        [text, built].iter().all(|source| {
            let whole = match parse("f", source) {
                Ok(root) => placed(&root, source),
                Err(problems) => !problems.is_empty() && problems.iter().all(|p| p.line > 0 && p.column > 0),
            };
            let split = match front_matter("f", source) {
                Ok((_, body)) => source.ends_with(body),
                Err(problems) => !problems.is_empty() && source.trim_start_matches('\u{feff}').starts_with("---"),
            };
            whole && split
        })
    }
    fn placed(node: &Node, source: &str) -> bool {
        let inside = source.get(node.place.start..node.place.end).is_some() && node.place.line > 0;
        let children: Vec<&Node> = match &node.value {
            Value::Scalar { .. } => vec![],
            Value::List(items) => items.iter().collect(),
            Value::Map(entries) => entries.iter().map(|(_, value)| value).collect(),
        };
        inside && children.into_iter().all(|child| placed(child, source))
    }
    quickcheck::QuickCheck::new().tests(500).quickcheck(holds as fn(Vec<u8>, Vec<u8>) -> bool);
}
