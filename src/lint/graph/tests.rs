use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};

use petgraph::{
    algo::{dominators::simple_fast, tarjan_scc},
    graph::{DiGraph, NodeIndex},
};
use quickcheck::{Arbitrary, Gen};

use super::{brute::Brute, *};
use crate::{
    lint::{self, Around, LintFile},
    workflow,
};

/// How many workflows are tried, and with how many steps at most.
const TRIED: u64 = 6_000;
const STEPS_MAX: usize = 6;

/// A small workflow file: any routes, any gates, scripts among the agents.
fn source(g: &mut Gen) -> String {
    let count = 1 + usize::arbitrary(g) % STEPS_MAX;
    let mut text = String::from("name: small\nsteps:\n");
    for step in 0..count {
        let is_script = u8::arbitrary(g) % 4 == 0;
        let work = if is_script { "script: {command: make}" } else { "agent: dev" };
        text += &format!("  - name: s{step}\n    {work}\n    human_gate: {}\n", u8::arbitrary(g) % 3 == 0);
        let target = |g: &mut Gen| match usize::arbitrary(g) % (count + 1) {
            end if end == count => "null".to_string(),
            step => format!("s{step}"),
        };
        let mut results = BTreeSet::new();
        for _ in 0..usize::arbitrary(g) % 4 {
            results.insert(*g.choose(&["pass", "fail", "default", "approved", "rejected"]).expect("some"));
        }
        if !results.is_empty() {
            text += "    conditions:\n";
        }
        for result in results {
            text += &format!("      - {{on_result: {result}, next: {}}}\n", target(g));
        }
        match u8::arbitrary(g) % 4 {
            0 => {}
            _ => text += &format!("    next: {}\n", target(g)),
        }
    }
    text
}

fn each(what_holds: impl Fn(&Workflow, &Graph, &Brute, &str)) {
    for seed in 0..TRIED {
        let text = source(&mut Gen::from_size_and_seed(30, seed));
        let workflow =
            workflow::parse("small.yaml", &text).unwrap_or_else(|why| panic!("seed {seed}: {why:?}\n{text}"));
        let index = workflow.steps.iter().enumerate().map(|(index, step)| (step.name.as_str(), index)).collect();
        let graph = Graph::of(&workflow, &index);
        what_holds(&workflow, &graph, &Brute::of(&workflow), &format!("seed {seed}\n{text}"));
    }
}

#[test]
fn every_path_says_the_same_of_what_is_reached_and_what_ends() {
    each(|workflow, graph, brute, text| {
        let (reachable, ending) = (graph.reachable(), graph.ending());
        let gated = |step: usize| workflow.steps[step].human_gate;
        let closed: Vec<bool> = (0..graph.len()).map(gated).collect();
        let open = graph.reachable_without_leaving(gated);
        for step in 0..graph.len() {
            assert_eq!(reachable[step], brute.reaches(step), "reached: s{step} of {text}");
            assert_eq!(ending[step], brute.ends_from(step), "ends: s{step} of {text}");
            assert_eq!(open[step], brute.reaches_without_leaving(step, &closed), "no release: s{step} of {text}");
            let before = graph.before(step);
            for (other, is_before) in before.into_iter().enumerate() {
                assert_eq!(is_before, brute.comes_before(other, step), "s{other} before s{step} of {text}");
            }
        }
    });
}

#[test]
fn every_path_says_the_same_of_what_stands_behind_a_gate() {
    each(|_, graph, brute, text| {
        let dominators = graph.dominators();
        for (step, other) in (0..graph.len()).flat_map(|step| (0..graph.len()).map(move |other| (step, other))) {
            let behind = step != other && dominators.dominates(other, step);
            assert_eq!(behind, brute.is_behind(step, other), "s{step} behind s{other} of {text}");
        }
    });
}

/// The findings themselves, from the text of the file to the list.
#[test]
fn the_findings_are_what_every_path_says() {
    each(|workflow, _, brute, text| {
        let source = text.split_once('\n').expect("the seed is a line").1;
        let found = findings(source);
        let at = |rule: &str| -> BTreeSet<usize> {
            let places = found.iter().filter(|finding| finding.rule == rule).flat_map(|finding| {
                core::iter::once(finding.place.start).chain(finding.labels.iter().map(|label| label.place.start))
            });
            let name = |start: usize| source[start..].lines().next().unwrap_or_default().to_string();
            let steps = places.filter_map(|start| workflow.steps.iter().position(|step| step.name == name(start)));
            steps.collect()
        };
        let wanted = |holds: &dyn Fn(usize) -> bool| (0..workflow.steps.len()).filter(|step| holds(*step)).collect();
        let mut unreached: BTreeSet<usize> = wanted(&|step| !brute.reaches(step));
        let lost: BTreeSet<usize> = wanted(&|step| brute.reaches(step) && !brute.ends_from(step));
        // The entry is labelled wherever a step is not reached.
        if !unreached.is_empty() {
            unreached.insert(ENTRY);
        }
        assert_eq!((at("L5"), at("L6")), (unreached, lost), "{text}");
    });
}

fn findings(source: &str) -> Vec<lint::Finding> {
    let parsed = workflow::read("small.yaml", source);
    let workflows = BTreeMap::new();
    let around = Around { roles: BTreeSet::from(["dev"]), skills: BTreeSet::new(), workflows: &workflows };
    lint::check(&[LintFile { file: "small.yaml", text: source, parsed: &parsed }], &around)
}

/// Any graph of some hundred nodes, against another library.
#[test]
fn dominators_and_loops_are_what_another_library_says() {
    for seed in 0..600 {
        let g = &mut Gen::from_size_and_seed(30, seed);
        let nodes = 1 + usize::arbitrary(g) % 120;
        let edges = usize::arbitrary(g) % (3 * nodes);
        let mut routes: Vec<Vec<usize>> = (0..nodes).map(|_| Vec::new()).collect();
        for _ in 0..edges {
            routes[usize::arbitrary(g) % nodes].push(usize::arbitrary(g) % nodes);
        }
        let pairs = routes.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from as u32, *to as u32)));
        let mut theirs = DiGraph::<(), ()>::new();
        for _ in 0..nodes {
            theirs.add_node(());
        }
        theirs.extend_with_edges(pairs);
        let (own, other) = (Dominators::of(&routes, ENTRY), simple_fast(&theirs, NodeIndex::new(ENTRY)));
        for node in 0..nodes {
            let above = other.immediate_dominator(NodeIndex::new(node)).map(NodeIndex::index);
            assert_eq!(own.above(node), above, "seed {seed}, node {node} of {routes:?}");
        }
        let mut loops = components(&routes);
        let mut others: Vec<Vec<usize>> =
            tarjan_scc(&theirs).into_iter().map(|nodes| nodes.into_iter().map(NodeIndex::index).collect()).collect();
        others.iter_mut().for_each(|nodes| nodes.sort_unstable());
        let number = |node: usize| loops.iter().position(|nodes| nodes.contains(&node));
        for (from, to) in routes.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to))) {
            assert!(number(to) <= number(from), "seed {seed}: {to} comes first in {loops:?}");
        }
        loops.sort();
        others.sort();
        assert_eq!(loops, others, "seed {seed}: {routes:?}");
    }
}

/// A file can hold tens of thousands of steps: no walk goes down the stack, and none is quadratic.
#[test]
fn a_graph_of_any_size_is_walked() {
    let nodes = 200_000;
    let ladder: Vec<Vec<usize>> = (0..nodes).map(|node| Vec::from([(node + 1) % nodes, nodes - 1])).collect();
    let dominators = Dominators::of(&ladder, ENTRY);
    assert_eq!((dominators.above(nodes - 1), dominators.above(nodes - 2)), (Some(0), Some(nodes - 3)));
    assert!(dominators.dominates(5, nodes - 2) && !dominators.dominates(5, nodes - 1));
    assert_eq!(components(&ladder).len(), 1);
}
