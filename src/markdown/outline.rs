//! The outline of a text: its headings, what stands below each, and its fenced code.
//!
//! Only what the one scan sees at top level counts (decision 2.1). What a heading means is for others.

use alloc::vec::Vec;
use core::ops::Range;

use super::scan::{Layout, Prose, Scan};

/// The headings and fences of a text, in order.
#[derive(Clone, Debug)]
pub(crate) struct Outline<'t> {
    text: &'t str,
    /// The headings at top level.
    pub(crate) headings: Vec<Heading<'t>>,
    /// The fenced code, in lists too.
    pub(crate) fences: Vec<Fenced<'t>>,
    /// Fences and raw HTML.
    hidden: Vec<Range<usize>>,
}

/// A heading at top level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading<'t> {
    /// From 1, the highest, to 6.
    pub(crate) level: usize,
    /// What it says, without the marks that make it one. Lines of an underlined one are still apart.
    pub(crate) words: &'t str,
    /// Where it starts, behind its indentation.
    pub(crate) start: usize,
    /// Where its last line ends.
    pub(crate) end: usize,
}

/// A fenced code block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fenced<'t> {
    /// What stands behind the marks that open it: `json`.
    pub(crate) info: &'t str,
    /// Its lines.
    pub(crate) code: &'t str,
    /// Where it starts.
    pub(crate) start: usize,
}

impl<'t> Outline<'t> {
    /// Reads a text in time linear in its length.
    pub(crate) fn new(text: &'t str) -> Self {
        let (scan, layout) = Scan::with_layout(text);
        let Layout { fences, raw, .. } = layout;
        let mut hidden: Vec<_> = fences.iter().map(|fence| fence.open.start..fence.end).chain(raw).collect();
        hidden.sort_unstable_by_key(|range| range.start);
        let fences = fences.iter().map(|fence| {
            let open = &text[fence.open.clone()];
            let code = text.get(after_line(text, fence.open.end)..fence.close).unwrap_or_default();
            Fenced { info: open[fence.length..].trim(), code, start: fence.open.start }
        });
        Self { text, headings: headings(text, scan.prose()), fences: fences.collect(), hidden }
    }

    /// Gives the place and the text below each heading that is wanted, up to the next that stands as high.
    pub(crate) fn below(&self, wanted: impl Fn(&Heading<'t>) -> bool) -> Vec<Range<usize>> {
        let at = self.headings.iter().enumerate().filter(|(_, heading)| wanted(heading));
        at.map(|(at, heading)| {
            let next = self.headings[at + 1..].iter().find(|next| next.level <= heading.level);
            heading.end..next.map_or(self.text.len(), |next| line_start(self.text, next.start))
        })
        .collect()
    }

    /// Gives the lines outside of fences and raw HTML, as runs of lines without a gap.
    pub(crate) fn runs(&self) -> impl Iterator<Item = &'t str> {
        let size = self.text.len();
        let ends = self.hidden.iter().map(|range| (line_start(self.text, range.start), range.end));
        let mut from = 0;
        ends.chain([(size, size)]).filter_map(move |(start, end)| {
            let run = self.text.get(from..start.max(from));
            from = from.max(end);
            run.filter(|run| !run.is_empty())
        })
    }
}

/// Finds the headings: lines that start with `#`, and paragraphs that a line of `=` or `-` underlines.
fn headings<'t>(text: &'t str, prose: &[Prose]) -> Vec<Heading<'t>> {
    let mut found = Vec::new();
    // Where the paragraph that the line at hand goes on with started, and where its line before this one ended.
    let mut paragraph: Option<(usize, usize)> = None;
    for line in prose.iter().filter(|line| line.starts_line) {
        let start = line.range.start;
        let end = line_end(text, start);
        if let Some(level) = level(&text[start..end]) {
            found.push(Heading { level, words: unmarked(&text[start + level..end]), start, end });
            paragraph = None;
            continue;
        }
        let first = match paragraph {
            Some((first, before)) if after_line(text, before) == line_start(text, start) => first,
            _ => start,
        };
        paragraph = Some((first, end));
        let rule = after_line(text, end)..line_end(text, after_line(text, end));
        if let Some(level) = underline(&text[rule.clone()]) {
            found.push(Heading { level, words: text[first..end].trim(), start: first, end: rule.end });
            paragraph = None;
        }
    }
    found
}

/// Gives the level of a line that starts with the marks of a heading.
fn level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_one = (1..=6).contains(&level) && matches!(line.as_bytes().get(level), None | Some(b' ' | b'\t'));
    is_one.then_some(level)
}

/// Takes the marks away that close a heading.
fn unmarked(words: &str) -> &str {
    let words = words.trim();
    let open = words.trim_end_matches('#');
    if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { words }
}

fn underline(line: &str) -> Option<usize> {
    let rule = line.trim_end_matches([' ', '\t']);
    let rule = rule.trim_start_matches(' ');
    let is_of = |mark: char| !rule.is_empty() && rule.chars().all(|c| c == mark);
    let indent = line.bytes().take_while(|byte| *byte == b' ').count();
    let level = if is_of('=') { 1 } else { 2 };
    (indent < 4 && (is_of('=') || is_of('-'))).then_some(level)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(['\n', '\r']).map_or(text.len(), |found| at + found)
}

/// Gives where the line after one that ends here starts.
fn after_line(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    end + if rest.starts_with("\r\n") { 2 } else { usize::from(!rest.is_empty()) }
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;
    use crate::props;

    #[test]
    fn a_heading_counts_at_top_level_only() {
        let check = |text: &str, wanted: &[(usize, &str)]| {
            for end in ["\n", "\r\n", "\r"] {
                let text = text.replace('\n', end);
                let found = Outline::new(&text).headings;
                let found: Vec<_> = found.iter().map(|heading| (heading.level, heading.words)).collect();
                assert_eq!(found, wanted, "{text:?}");
            }
        };
        check("# a\n## b ##\n####### c\n#d\n#", &[(1, "a"), (2, "b"), (1, "")]);
        check("   ### a\n    # code", &[(3, "a")]);
        check("> # quoted\n\n- # listed\n\n```\n# code\n```\n", &[]);
        check("<!--\n# hidden\n-->\n# b", &[(1, "b")]);
        check("a\n===\nb\n---\n\n---\n", &[(1, "a"), (2, "b")]);
        check("| a |\n|---|\n| b |\n---\n", &[]);
        check("text\n# a\n---\n", &[(1, "a")]);
        check("## C#\n## `code` b", &[(2, "C#"), (2, "`code` b")]);
    }

    #[test]
    fn what_stands_below_a_heading_ends_at_the_next_as_high() {
        let check = |text: &str, wanted: &[&str]| {
            let outline = Outline::new(text);
            let below: Vec<_> = outline.below(|heading| heading.words == "a").into_iter().collect();
            assert_eq!(below.into_iter().map(|range| text[range].trim()).collect::<Vec<_>>(), wanted, "{text:?}");
        };
        check("## a\none\n### b\ntwo\n## c\nthree", &["one\n### b\ntwo"]);
        check("## a\none\n# b", &["one"]);
        check("### a\none\n### a\ntwo", &["one", "two"]);
        check("## a\n```\n## c\n```\n", &["```\n## c\n```"]);
        check("## b\none", &[]);
        check("## a", &[""]);
    }

    #[test]
    fn a_fence_has_its_info_and_its_code() {
        let check = |text: &str, info: &str, code: &str| {
            let fences = Outline::new(text).fences;
            assert_eq!(fences.first().map(|fence| (fence.info, fence.code)), Some((info, code)), "{text:?}");
        };
        check("```json\n[1]\n```\n", "json", "[1]\n");
        check("~~~~ json x\n[1]\n~~~\n~~~~", "json x", "[1]\n~~~\n");
        check("```\nopen", "", "open");
        check("```", "", "");
    }

    #[test]
    fn runs_leave_out_code_and_raw_html() {
        let check = |text: &str, wanted: &[&str]| {
            assert_eq!(Outline::new(text).runs().collect::<Vec<_>>(), wanted, "{text:?}");
        };
        check("a\n```\nb\n```\nc", &["a\n", "\nc"]);
        check("<!--\nb\n-->\nc", &["\nc"]);
        check("a\nb", &["a\nb"]);
        check("", &[]);
    }

    #[test]
    fn any_text_has_an_outline_within_itself() {
        let holds = |text: String| {
            let outline = Outline::new(&text);
            let within =
                outline.headings.iter().all(|heading| heading.start <= heading.end && heading.end <= text.len());
            let below = outline.below(|_| true).into_iter().all(|range| text.get(range).is_some());
            within && below && outline.runs().all(|run| text.contains(run))
        };
        let mut g = quickcheck::Gen::new(20);
        for _ in 0..2_000 {
            let text = (0..4).map(|_| props::text(&mut g) + "\n# a\n").collect::<String>();
            assert!(holds(text.to_string()), "{text:?}");
        }
    }
}
