//! What is said in a picture, the same in each format: names, details, labels, and the whole in sentences.
//!
//! Every text is one line without signs that nobody sees, and cut where it is too long for a picture; the JSON has
//! it whole. Escaping is for each format.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::{Closed, Edge, Facts, Given, Group, NodeId, Picture, What, WorkKind};
use crate::{
    dispatch::Complexity,
    text::cut,
    workflow::{Binding, GatePolicy, Input, InputKind},
};

/// What stands on a node.
pub(super) struct Face {
    /// Its name.
    pub name: String,
    /// What else is to be known of it, a line each.
    pub lines: Vec<String>,
}

/// Says what stands on a node.
pub(super) fn face(picture: &Picture, id: NodeId) -> Face {
    let node = &picture.nodes[id.0];
    match (&node.what, node.group.map(|group| &picture.groups[group.0])) {
        (What::Step(facts), _) => Face { name: name(&facts.name), lines: details(facts) },
        (What::Start { .. }, Some(group)) => Face { name: "start".into(), lines: few(&group.step.inputs, given) },
        (What::Start { parameters }, None) => Face { name: "start".into(), lines: few(parameters, parameter) },
        (What::End { outputs, reached }, _) => {
            let mut lines = few(outputs, |output| format!("output {output}"));
            lines.extend((!reached).then(|| UNREACHED.into()));
            Face { name: "end".into(), lines }
        }
    }
}

/// Says what a group is: the mounting step, what it mounts, and whether it is a gate.
pub(super) fn group_title(group: &Group) -> String {
    let gate = group.step.gate.as_ref().map_or_else(String::new, |gate| format!(", {}", gate_words(gate)));
    format!("{}: {}{gate}", name(&group.step.name), line(&does(&group.step), LINE_CHARS))
}

/// Says what stands beside an edge.
pub(super) fn label(edge: &Edge) -> String {
    match (edge.label.as_str(), edge.release && !edge.rejection) {
        ("", true) => RELEASE.into(),
        ("", false) => String::new(),
        (label, true) => format!("{} · {RELEASE}", line(label, LABEL_CHARS)),
        (label, false) => line(label, LABEL_CHARS),
    }
}

/// Says the whole picture in sentences, for who cannot see it.
pub(super) fn description(picture: &Picture) -> String {
    let mut routes: Vec<Vec<&Edge>> = picture.nodes.iter().map(|_| Vec::new()).collect();
    picture.edges.iter().for_each(|edge| routes[edge.from.0].push(edge));
    let mut sentences = Vec::new();
    sentences.extend(Some(line(&picture.description, DESCRIPTION_CHARS)).filter(|about| !about.is_empty()));
    for (node, routes) in picture.nodes.iter().zip(routes) {
        if routes.is_empty() && node.step().is_none() {
            continue;
        }
        let Face { lines, .. } = face(picture, node.id);
        let about = if lines.is_empty() { String::new() } else { format!(" ({})", lines.join("; ")) };
        let ways: Vec<_> = routes.iter().map(|edge| way(picture, edge)).collect();
        let ways = if ways.is_empty() { String::new() } else { format!(": {}", ways.join("; ")) };
        sentences.push(format!("{}{about}{ways}.", called(picture, node.id, true)));
    }
    sentences.join(" ")
}

fn way(picture: &Picture, edge: &Edge) -> String {
    let on = if edge.label.is_empty() { String::new() } else { format!("on {}, ", line(&edge.label, LABEL_CHARS)) };
    let release = match (edge.release, edge.rejection) {
        (_, true) => "after a rejection ",
        (true, false) => "after a release ",
        (false, false) => "",
    };
    let back = if edge.back { "back " } else { "" };
    format!("{on}{release}{back}to {}", called(picture, edge.to, false))
}

fn called(picture: &Picture, id: NodeId, is_first: bool) -> String {
    let node = &picture.nodes[id.0];
    let of = node.group.map_or_else(String::new, |group| format!(" of {}", name(&picture.groups[group.0].step.name)));
    let the = if is_first { "The" } else { "the" };
    match &node.what {
        What::Start { .. } => format!("{the} start{of}"),
        What::End { .. } => format!("{the} end{of}"),
        What::Step(facts) => name(&facts.name),
    }
}

fn details(facts: &Facts) -> Vec<String> {
    let mut lines = Vec::from([line(&does(facts), LINE_CHARS)]);
    lines.extend(facts.tier.map(|tier| format!("tier {}", tier_word(tier))));
    lines.extend(facts.gate.as_ref().map(gate_words));
    let mut hook = |kind: &str, command: &Option<String>| {
        lines.extend(command.as_ref().map(|command| line(&format!("{kind} {command}"), LINE_CHARS)));
    };
    hook("pre-hook", &facts.pre_hook);
    hook("post-hook", &facts.post_hook);
    lines.extend(few(&facts.inputs, given));
    lines.extend(facts.closed.map(|closed| closed_words(closed).into()));
    lines.extend((!facts.reached).then(|| UNREACHED.into()));
    lines
}

fn gate_words(gate: &GatePolicy) -> String {
    let people = if gate.approvals > 1 { format!(", {} approvals", gate.approvals) } else { String::new() };
    let others = if gate.not_by_initiator { ", not by who started it" } else { "" };
    format!("human gate{people}{others}")
}

fn does(facts: &Facts) -> String {
    let kind = match facts.work {
        WorkKind::Agent => "agent",
        WorkKind::Script => "script",
        WorkKind::Workflow => "workflow",
        WorkKind::Repo => "repo",
    };
    format!("{kind} {}", facts.does)
}

fn tier_word(tier: Complexity) -> &'static str {
    match tier {
        Complexity::Low => "low",
        Complexity::Medium => "medium",
        Complexity::High => "high",
    }
}

fn given(given: &Given) -> String {
    let name = &given.name;
    match &given.binding {
        Binding::Exec(argv) => format!("{name} = $ {}", argv.join(" ")),
        Binding::Str(text) => format!("{name} = \"{text}\""),
        Binding::Ref(to) => format!("{name} = {to}"),
    }
}

fn parameter(input: &Input) -> String {
    let kind = match input.kind {
        InputKind::Exec => "exec",
        InputKind::Str => "str",
    };
    format!("input {}: {kind}{}", input.name, if input.required { "" } else { ", optional" })
}

fn closed_words(closed: Closed) -> &'static str {
    match closed {
        Closed::NotAtHand => "not at hand",
        Closed::Cycle => "mounts what it is in",
        Closed::Full => "closed: too many steps",
    }
}

/// Says the first of a list, and how many more there are.
fn few<T>(items: &[T], words: impl Fn(&T) -> String) -> Vec<String> {
    let shown = if items.len() > LIST_MAX { LIST_MAX - 1 } else { items.len() };
    let mut lines: Vec<_> = items.iter().take(shown).map(|item| line(&words(item), LINE_CHARS)).collect();
    lines.extend((shown < items.len()).then(|| format!("and {} more", items.len() - shown)));
    lines
}

/// Gives a name as it is shown: there is always something to see.
pub(super) fn name(text: &str) -> String {
    let name = line(text, NAME_CHARS);
    if name.is_empty() { "(no name)".into() } else { name }
}

/// Makes one line of at most so many characters, cut with an ellipsis.
pub(super) fn line(text: &str, chars_max: usize) -> String {
    // What is far beyond the cut need not be looked at.
    let start = text.char_indices().nth(chars_max.saturating_mul(4)).map_or(text, |(end, _)| &text[..end]);
    let is_shortened = start.len() < text.len();
    let plain: String = start.chars().filter_map(seen).collect();
    let words: Vec<_> = plain.split_whitespace().collect();
    let words = words.join(" ");
    let words: Cow<str> = if is_shortened { (words + "…").into() } else { words.into() };
    cut(&words, chars_max)
}

/// Breaks a line into at most two, between words.
pub(super) fn two_lines(text: &str, chars_max: usize) -> Vec<String> {
    let mut first = String::new();
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next_if(|word| first.chars().count() + word.chars().count() < chars_max) {
        first = if first.is_empty() { word.into() } else { format!("{first} {word}") };
    }
    let rest: Vec<_> = words.collect();
    let lines = [first, line(&rest.join(" "), chars_max)];
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// Gives what is seen of a sign: nothing of one that turns the direction or has no width, a space of one that breaks
/// or controls, a mark for what no XML may hold.
fn seen(sign: char) -> Option<char> {
    match sign {
        '\u{2028}' | '\u{2029}' => Some(' '),
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => None,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => None,
        '\u{fffe}' | '\u{ffff}' => Some('\u{fffd}'),
        sign if sign.is_control() => Some(' '),
        sign => Some(sign),
    }
}

const NAME_CHARS: usize = 40;
const LINE_CHARS: usize = 48;
const LABEL_CHARS: usize = 32;
const DESCRIPTION_CHARS: usize = 400;
/// More lines of one kind than these make a node too high to look at.
const LIST_MAX: usize = 5;
const RELEASE: &str = "release";
const UNREACHED: &str = "no route leads here";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_and_has_nothing_unseen_in_it() {
        let check = |text: &str, expected: &str| assert_eq!(line(text, 8), expected, "{text:?}");
        check("plain", "plain");
        check("12345678", "12345678");
        check("123456789", "12345678…");
        check("  a \n\t b\r\nc ", "a b c");
        check("a\u{0}b\u{1b}[1m", "a b [1m");
        check("a\u{202e}b\u{200b}c\u{feff}", "abc");
        check("a\u{2028}b\u{85}c", "a b c");
        check("\u{ffff}", "\u{fffd}");
        check("日本語の名前", "日本語の名前");
        check("", "");
        check(&" ".repeat(1000), "…");
        check(&"\n".repeat(31), "");
    }

    #[test]
    fn a_name_can_always_be_seen() {
        let check = |text: &str, expected: &str| assert_eq!(name(text), expected, "{text:?}");
        check("dev", "dev");
        check("", "(no name)");
        check("\u{202e}\n", "(no name)");
    }

    #[test]
    fn a_text_is_broken_between_words() {
        let check = |text: &str, expected: &[&str]| assert_eq!(two_lines(text, 10), expected, "{text}");
        check("", &[]);
        check("one two", &["one two"]);
        check("one two three", &["one two", "three"]);
        check("one two three four five", &["one two", "three four…"]);
        check("unbreakable", &["unbreakabl…"]);
    }

    #[test]
    fn of_a_long_list_the_first_are_said() {
        let check = |count: usize, expected: &[&str]| {
            let items: Vec<_> = (0..count).collect();
            assert_eq!(few(&items, |item| format!("{item}")), expected, "{count}");
        };
        check(0, &[]);
        check(5, &["0", "1", "2", "3", "4"]);
        check(6, &["0", "1", "2", "3", "and 2 more"]);
    }
}
