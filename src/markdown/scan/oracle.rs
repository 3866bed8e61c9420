//! The scan against another reader: what the scan calls top level must be top level for pulldown-cmark too.

use std::{format, string::String, vec, vec::Vec};

use pulldown_cmark::{Event, Options, Parser, Tag};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};

use super::Scan;

/// Pieces that meet the rules of markdown at every edge when they are thrown together.
const PIECES: [&str; 62] = [
    "`",
    "`",
    "``",
    "```",
    "```\n",
    "~~~",
    "<!--",
    "-->",
    "<!-- x -->",
    "> ",
    ">",
    "- ",
    "- ",
    "1. ",
    "2) ",
    "    ",
    "  ",
    " ",
    "\t",
    "\n",
    "\n",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\n\n",
    "a",
    "b c",
    "/nebuko x",
    "@@dev",
    "<pre>",
    "</pre>",
    "<div>",
    "<b>",
    "<b",
    "</b>",
    "\"",
    "'",
    "=",
    "](",
    "[",
    ")",
    "(",
    "#",
    "# ",
    "===",
    "---",
    "|",
    "|-|",
    "\\",
    "<?",
    "?>",
    "<details>",
    "<script>",
    "</script>",
    "<https://a",
    "[a]:",
    "](/u \"",
    "<code>",
    "</code>",
    "<blockquote>",
    "*",
];

#[derive(Clone, Debug)]
pub(crate) struct Markdown(pub(crate) String);

impl Arbitrary for Markdown {
    fn arbitrary(g: &mut Gen) -> Self {
        let count = usize::arbitrary(g) % 24;
        Self((0..count).map(|_| *g.choose(&PIECES).unwrap_or(&"a")).collect())
    }

    fn shrink(&self) -> std::boxed::Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        std::boxed::Box::new(ends.into_iter().flat_map(move |at| {
            let rest: String = text[at..].chars().skip(1).collect();
            let longer: String = text[at..].chars().skip(4).collect();
            [Self(format!("{}{longer}", &text[..at])), Self(format!("{}{rest}", &text[..at]))]
        }))
    }
}

/// What pulldown-cmark says of each byte.
struct Truth {
    hidden: Vec<bool>,
    listed: Vec<bool>,
    raw: Vec<bool>,
}

fn truth(text: &str, options: Options) -> Truth {
    let mut truth =
        Truth { hidden: vec![false; text.len()], listed: vec![false; text.len()], raw: vec![false; text.len()] };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let marks = match event {
            Event::Start(Tag::BlockQuote(_) | Tag::CodeBlock(_)) | Event::Code(_) | Event::InlineHtml(_) => {
                &mut truth.hidden
            }
            Event::Start(Tag::HtmlBlock) | Event::Html(_) => &mut truth.raw,
            Event::Start(Tag::Item) => &mut truth.listed,
            _ => continue,
        };
        marks[range].fill(true);
    }
    truth
}

/// Gives what the scan says too much, or nothing.
fn excess(text: &str, options: Options) -> Option<String> {
    let scan = Scan::new(text);
    let truth = truth(text, options);
    let visible = |at: usize| !text.as_bytes()[at].is_ascii_whitespace();
    for prose in scan.prose() {
        let said = &text[prose.range.clone()];
        if prose.range.clone().any(|at| visible(at) && (truth.hidden[at] || truth.raw[at])) {
            return Some(format!("not visible at the top level: {said:?}"));
        }
        if prose.starts_line && truth.listed[prose.range.start] {
            return Some(format!("in a list: {said:?}"));
        }
    }
    let comment = scan.comments().iter().find(|comment| {
        (*comment).clone().any(|at| truth.hidden[at] || truth.listed[at]) || !truth.raw[comment.start]
    })?;
    Some(format!("not a comment at the top level: {:?}", &text[comment.clone()]))
}

/// pulldown-cmark takes a `>` behind a tab for a quotation; CommonMark takes it for code.
fn is_misread(text: &str) -> bool {
    text.lines()
        .any(|line| line.trim_start_matches([' ', '\t']).starts_with('>') && line[..4.min(line.len())].contains('\t'))
}

#[test]
fn what_the_scan_calls_top_level_is_top_level_for_another_reader_too() {
    fn agrees(text: Markdown) -> TestResult {
        if is_misread(&text.0) {
            return TestResult::discard();
        }
        match excess(&text.0, Options::empty()) {
            Some(excess) => TestResult::error(format!("{:?}: {excess}", text.0)),
            None => TestResult::passed(),
        }
    }
    // More of them by hand: `ORACLE=1000000 cargo test oracle`.
    let tests = std::env::var("ORACLE").ok().and_then(|count| count.parse().ok()).unwrap_or(3000);
    QuickCheck::new().tests(tests).max_tests(tests * 2).quickcheck(agrees as fn(Markdown) -> TestResult);
}
