//! Which nodes of a graph lie on loops together: its strongly connected components, by Tarjan's algorithm.

use alloc::{vec, vec::Vec};

/// Not met yet.
const NEW: usize = usize::MAX;

/// Gives the components, each after all that its nodes lead to, its nodes in ascending order.
///
/// `routes` are the targets of each node; each target is a node.
pub(in crate::lint) fn components(routes: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let nodes = routes.len();
    let mut search =
        Search { routes, met: vec![NEW; nodes], low: vec![NEW; nodes], stack: Vec::new(), found: Vec::new() };
    let mut count = 0;
    for node in 0..nodes {
        search.from(node, &mut count);
    }
    search.found
}

struct Search<'g> {
    routes: &'g [Vec<usize>],
    /// When each node was met.
    met: Vec<usize>,
    /// The earliest node on the stack that each can come back to; `NEW` again once its component is known.
    low: Vec<usize>,
    /// The nodes whose component is not known yet.
    stack: Vec<usize>,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn from(&mut self, root: usize, count: &mut usize) {
        let mut open: Vec<(usize, usize)> = Vec::new();
        if self.met[root] == NEW {
            open.push((root, 0));
        }
        while let Some((node, at)) = open.last_mut() {
            let node = *node;
            if *at == 0 && self.met[node] == NEW {
                (self.met[node], self.low[node]) = (*count, *count);
                *count += 1;
                self.stack.push(node);
            }
            if let Some(&next) = self.routes[node].get(*at) {
                *at += 1;
                if self.met[next] == NEW {
                    open.push((next, 0));
                } else if self.low[next] != NEW {
                    self.low[node] = self.low[node].min(self.met[next]);
                }
            } else {
                open.pop();
                self.leave(node);
                if let Some((above, _)) = open.last() {
                    self.low[*above] = self.low[*above].min(self.low[node]);
                }
            }
        }
    }

    /// Where a node can come back to none before it, it and all above it on the stack are a component.
    fn leave(&mut self, node: usize) {
        if self.low[node] != self.met[node] {
            return;
        }
        let start = self.stack.iter().rposition(|other| *other == node).unwrap_or_default();
        let mut component = self.stack.split_off(start);
        component.iter().for_each(|node| self.low[*node] = NEW);
        component.sort_unstable();
        self.found.push(component);
    }
}
