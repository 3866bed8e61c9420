//! Which node stands on every way from the entry to which other: dominators, by the algorithm of Lengauer and Tarjan
//! in its simple form.
//!
//! Nodes are numbered in the order of a first walk. A node's semidominator is the lowest number from which it can be
//! come to over higher numbers alone; from those the dominators follow in one pass. `brute` and the petgraph crate
//! hold the result.

use alloc::{vec, vec::Vec};

/// No number: not reached, or no node above.
const NONE: usize = usize::MAX;

/// Which node stands on every way from the entry to which other.
pub(in crate::lint) struct Dominators {
    /// The nearest other node on every way to each; `NONE` for the entry and for what is not reached.
    above: Vec<usize>,
    /// The reached nodes; each stands behind its dominators.
    order: Vec<usize>,
    /// When a walk over the tree of dominators enters and leaves each node.
    span: Vec<(usize, usize)>,
}

impl Dominators {
    pub(super) fn of(routes: &[Vec<usize>], entry: usize) -> Self {
        if routes.is_empty() {
            return Self { above: Vec::new(), order: Vec::new(), span: Vec::new() };
        }
        let walk = Walk::of(routes, entry);
        let numbers = walk.dominators(routes);
        let mut above = vec![NONE; routes.len()];
        for (number, node) in walk.order.iter().enumerate().skip(1) {
            above[*node] = walk.order[numbers[number]];
        }
        let span = spans(&above, entry);
        Self { above, order: walk.order, span }
    }

    /// Gives the reached nodes; each stands behind its dominators.
    pub(in crate::lint) fn order(&self) -> &[usize] {
        &self.order
    }

    /// Gives the nearest other node on every way to one. `None` for the entry and for what is not reached.
    pub(in crate::lint) fn above(&self, node: usize) -> Option<usize> {
        self.above.get(node).copied().filter(|above| *above != NONE)
    }

    /// Tells whether a node is another, or stands on every way to it. Of what is not reached nothing is told.
    pub(in crate::lint) fn dominates(&self, node: usize, other: usize) -> bool {
        let ((enters, leaves), (inside, _)) = (self.span[node], self.span[other]);
        inside != NONE && enters <= inside && inside < leaves
    }
}

/// Walks over the tree of dominators and notes when each node is entered and left.
fn spans(above: &[usize], entry: usize) -> Vec<(usize, usize)> {
    let mut below = vec![Vec::new(); above.len()];
    for (node, above) in above.iter().enumerate().filter(|(_, above)| **above != NONE) {
        below[*above].push(node);
    }
    let (mut span, mut time) = (vec![(NONE, 0); above.len()], 0);
    let mut open = vec![entry];
    while let Some(node) = open.last().copied() {
        if span[node].0 == NONE {
            span[node].0 = time;
            time += 1;
        }
        match below[node].pop() {
            Some(next) => open.push(next),
            None => {
                span[node].1 = time;
                open.pop();
            }
        }
    }
    span
}

/// A first walk from the entry, depth first.
struct Walk {
    /// The reached nodes, in the order in which they were met.
    order: Vec<usize>,
    /// The number of each node in that order.
    number: Vec<usize>,
    /// For each number, the number it was met from.
    parent: Vec<usize>,
}

impl Walk {
    fn of(routes: &[Vec<usize>], entry: usize) -> Self {
        let mut walk = Self { order: Vec::new(), number: vec![NONE; routes.len()], parent: Vec::new() };
        walk.meet(entry, NONE);
        let mut open = vec![(entry, 0)];
        while let Some((node, at)) = open.last_mut() {
            let (from, next) = (walk.number[*node], routes[*node].get(*at).copied());
            *at += 1;
            match next {
                Some(next) if walk.number[next] == NONE => {
                    walk.meet(next, from);
                    open.push((next, 0));
                }
                Some(_) => {}
                None => {
                    open.pop();
                }
            }
        }
        walk
    }

    fn meet(&mut self, node: usize, from: usize) {
        self.number[node] = self.order.len();
        self.order.push(node);
        self.parent.push(from);
    }

    /// Gives the number of each number's dominator; the entry has itself.
    fn dominators(&self, routes: &[Vec<usize>]) -> Vec<usize> {
        let count = self.order.len();
        let before = self.before(routes);
        let mut forest = Forest::new(count);
        let (mut above, mut waiting) = (vec![0; count], vec![Vec::new(); count]);
        for node in (1..count).rev() {
            for from in &before[node] {
                let best = forest.best(*from);
                forest.semi[node] = forest.semi[node].min(forest.semi[best]);
            }
            waiting[forest.semi[node]].push(node);
            let parent = self.parent[node];
            forest.root[node] = parent;
            for other in core::mem::take(&mut waiting[parent]) {
                let best = forest.best(other);
                above[other] = if forest.semi[best] < forest.semi[other] { best } else { parent };
            }
        }
        for node in 1..count {
            if above[node] != forest.semi[node] {
                above[node] = above[above[node]];
            }
        }
        above
    }

    /// Gives for each number those that lead to it.
    fn before(&self, routes: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.order.len()];
        for (from, node) in self.order.iter().enumerate() {
            routes[*node].iter().for_each(|to| before[self.number[*to]].push(from));
        }
        before
    }
}

/// The numbers that were looked at so far, as trees; the way up from a number is shortened as it is gone.
struct Forest {
    semi: Vec<usize>,
    root: Vec<usize>,
    best: Vec<usize>,
}

impl Forest {
    fn new(count: usize) -> Self {
        Self { semi: (0..count).collect(), root: vec![NONE; count], best: (0..count).collect() }
    }

    /// Finds the number of the lowest semidominator on the way up from a number, the top left out.
    fn best(&mut self, number: usize) -> usize {
        let (mut way, mut at) = (Vec::new(), number);
        while self.root[at] != NONE && self.root[self.root[at]] != NONE {
            way.push(at);
            at = self.root[at];
        }
        for node in way.into_iter().rev() {
            let above = self.root[node];
            if self.semi[self.best[above]] < self.semi[self.best[node]] {
                self.best[node] = self.best[above];
            }
            self.root[node] = self.root[above];
        }
        self.best[number]
    }
}
