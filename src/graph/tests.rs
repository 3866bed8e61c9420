//! What must hold of every picture, and the pictures of small workflows.

use std::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use regex::Regex;

use super::*;
use crate::workflow::{Condition, Step, Work, Workflow};

mod properties;

/// Writes a workflow in short: `a: x>b else c; b: >-` has the steps `a` and `b`; `-` is the end. A name in capitals
/// mounts the workflow of that name.
fn workflow(name: &str, text: &str) -> Workflow {
    let to = |target: &str| (target != "-").then(|| target.to_string());
    let steps = text.split("; ").map(|step| {
        let (name, routes) = step.split_once(": ").expect("a step has routes");
        let mut step = Step { name: name.into(), work: Work::Agent("dev".into()), ..Step::default() };
        if name.chars().all(char::is_uppercase) {
            step.work = Work::Workflow(name.into());
        }
        for route in routes.split(' ') {
            match route.split_once('>').expect("a route leads somewhere") {
                ("", target) => step.next = to(target),
                (result, target) => step.conditions.push(Condition { on_result: result.into(), next: to(target) }),
            }
        }
        step
    });
    Workflow { name: name.into(), steps: steps.collect(), location: format!("{name}.yaml"), ..Workflow::default() }
}

fn pictured(text: &str, mounted: &[(&str, &str)], depth: u32) -> Picture {
    let top = workflow("TOP", text);
    let others: Vec<_> = mounted.iter().map(|(name, text)| workflow(name, text)).chain([top.clone()]).collect();
    draw(&top, depth, &|_, work| match work {
        Work::Workflow(name) => others.iter().find(|other| other.name == *name),
        Work::Agent(_) | Work::Script(_) | Work::Repo(_) => None,
    })
}

/// Writes each edge in short, with `^` where it goes back.
fn edges(picture: &Picture) -> String {
    let name = |id: NodeId| {
        let node = &picture.nodes[id.0];
        let of = node.group.map_or_else(String::new, |group| format!("{}/", picture.groups[group.0].step.name));
        match &node.what {
            What::Start { .. } => of + "start",
            What::End { .. } => of + "end",
            What::Step(facts) => of + &facts.name,
        }
    };
    let edge = |edge: &Edge| {
        let back = if edge.back { "^" } else { "" };
        format!("{} {}>{back} {}", name(edge.from), edge.label, name(edge.to))
    };
    picture.edges.iter().map(edge).collect::<Vec<_>>().join(", ")
}

#[test]
fn routes_become_edges_and_those_that_close_a_loop_go_back() {
    let check = |text: &str, expected: &str| assert_eq!(edges(&pictured(text, &[], 1)), expected, "{text}");
    check("a: >-", "start > a, a > end");
    check("a: >b; b: >-", "start > a, a > b, b > end");
    check("a: >a", "start > a, a >^ a");
    check("a: >b; b: >a", "start > a, a > b, b >^ a");
    check("a: ok>- >b; b: >a", "start > a, a ok> end, a next> b, b >^ a");
    check("a: ok>- default>b >a; b: >-", "start > a, a ok> end, a default> b, b > end");
    check("a: ok>- Default>b >a; b: >-", "start > a, a ok> end, a Default> b, b > end");
    check("a: >c; b: >-; c: >b", "start > a, a > c, b > end, c > b");
    check("a: >-; b: >a", "start > a, a > end, b > a");
    check("a: >gone", "start > a");
}

#[test]
fn a_script_ends_in_one_of_two_ways() {
    let check = |results: &[&str], labels: &[&str]| {
        let mut drawn = workflow("TOP", "a: >-");
        drawn.steps[0].work = Work::Script(crate::workflow::Script::default());
        let condition = |result: &&str| Condition { on_result: (*result).into(), next: None };
        drawn.steps[0].conditions = results.iter().map(condition).collect();
        let picture = draw(&drawn, 1, &|_, _| None);
        let found: Vec<_> = picture.edges.iter().skip(1).map(|edge| edge.label.as_str()).collect();
        assert_eq!(found, labels, "{results:?}");
    };
    check(&[], &[""]);
    check(&["pass"], &["pass", "next"]);
    check(&["fail", "other"], &["fail", "next"]);
    check(&["pass", "FAIL"], &["pass", "FAIL"]);
    check(&["default"], &["default"]);
}

#[test]
fn mounts_open_as_deep_as_is_asked() {
    let mounted = [("PART", "x: no>x >DEEP; DEEP: >-"), ("DEEP", "y: >-")];
    let check = |depth: u32, expected: &str| {
        assert_eq!(edges(&pictured("a: >PART; PART: no>a >-", &mounted, depth)), expected, "{depth}");
    };
    let flat = "start > a, a > PART, PART no>^ a, PART next> end";
    let around = "start > a, a > PART/start, PART/end no>^ a, PART/end next> end";
    let part = "PART/start > PART/x, PART/x no>^ PART/x, PART/x next> PART/DEEP, PART/DEEP > PART/end";
    check(0, flat);
    check(1, flat);
    check(2, &format!("{part}, {around}"));
    let deep = "DEEP/start > DEEP/y, DEEP/y > DEEP/end";
    let part = "PART/start > PART/x, PART/x no>^ PART/x, PART/x next> DEEP/start, DEEP/end > PART/end";
    check(3, &format!("{deep}, {part}, {around}"));
    check(DEPTH_MAX + 1, &format!("{deep}, {part}, {around}"));
}

#[test]
fn why_a_mount_stays_closed_is_told() {
    let check = |text: &str, mounted: &[(&str, &str)], depth: u32, expected: &[Option<Closed>]| {
        let picture = pictured(text, mounted, depth);
        let is_mount = |facts: &&Facts| facts.work == WorkKind::Workflow;
        let found: Vec<_> =
            picture.nodes.iter().filter_map(Node::step).filter(is_mount).map(|facts| facts.closed).collect();
        assert_eq!(found, expected, "{text} {depth}");
    };
    check("GONE: >-", &[], 1, &[None]);
    check("GONE: >-", &[], 2, &[Some(Closed::NotAtHand)]);
    check("TOP: >-", &[], 2, &[Some(Closed::Cycle)]);
    check("PART: >-", &[("PART", "TOP: >-")], 2, &[None]);
    check("PART: >-", &[("PART", "TOP: >-")], 3, &[Some(Closed::Cycle)]);
    check("PART: >PART", &[("PART", "a: >-")], 2, &[]);
}

#[test]
fn mounts_that_multiply_stop_at_a_bound() {
    let wide = |name: &str| (0..9).map(|_| format!("{name}: >-")).collect::<Vec<_>>().join("; ");
    let mounted = ["A", "B", "C", "D", "E", "F"].map(|name| {
        let next = char::from(name.as_bytes()[0] + 1);
        (name, wide(&next.to_string()))
    });
    let mounted: Vec<_> = mounted.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let picture = pictured(&wide("A"), &mounted, DEPTH_MAX);
    assert!((NODES_MAX - 100..NODES_MAX + 100).contains(&picture.nodes.len()), "{} nodes", picture.nodes.len());
    assert!(picture.nodes.iter().filter_map(Node::step).any(|facts| facts.closed == Some(Closed::Full)));
    dot(&picture);
    mermaid(&picture);
    svg(&picture).expect("2,000 nodes in groups are laid out");
}

#[test]
fn what_is_too_large_to_look_at_is_not_laid_out() {
    let check = |steps: usize, expected: bool| {
        let step = |at: usize| format!("s{at}: no>- >s{}", at + 1);
        let text = (0..steps).map(step).chain([format!("s{steps}: >-")]).collect::<Vec<_>>().join("; ");
        assert_eq!(svg(&pictured(&text, &[], 1)).is_ok(), expected, "{steps}");
    };
    check(100, true);
    check(1_000, false);
}

#[test]
fn a_gate_marks_every_way_out() {
    let mut drawn = workflow("TOP", "a: no>a >b; b: >-");
    drawn.steps[0].human_gate = true;
    drawn.gate.approvals = 2;
    let picture = draw(&drawn, 1, &|_, _| None);
    let released: Vec<_> = picture.edges.iter().map(|edge| edge.release).collect();
    assert_eq!(released, [false, true, true, false]);
    let check = |text: String, parts: &[&str]| parts.iter().for_each(|part| assert!(text.contains(part), "{text}"));
    check(
        mermaid(&picture),
        &["\"🔒 a<br/>", "human gate, 2 approvals", "s1 -.->|\"🔒 no · release\"| s1", "class s1 gate"],
    );
    check(dot(&picture), &["peripheries=2", "label=\"next · release\", style=dashed"]);
    check(svg(&picture).expect("it is small"), &["step agent gate", "way release", "class=\"lock\"", "next · release"]);
    let mut drawn = workflow("TOP", "a: rejected>a >b; b: >-");
    drawn.steps[0].human_gate = true;
    let picture = draw(&drawn, 1, &|_, _| None);
    check(mermaid(&picture), &["s1 -.->|\"🔒 rejected\"| s1", "s1 -.->|\"🔒 next · release\"| s2"]);
    check(
        svg(&picture).expect("it is small"),
        &["on rejected, after a rejection back to a", "on next, after a release to b"],
    );
}
