//! The routes of one workflow, followed from its entry: which steps are reached, and which routes go back.

use alloc::{collections::BTreeMap, vec, vec::Vec};

use crate::workflow::{Opened, Step, Way, Workflow, ways};

/// A route out of a step.
pub(super) struct Route<'w> {
    /// As [`super::Edge::label`].
    pub label: &'w str,
    /// The place of the step it leads to; `None` is the end.
    pub to: Option<usize>,
    /// Whether it closes a loop.
    pub back: bool,
    /// Who opens it.
    pub opened: Opened,
}

/// The routes of a workflow, by step.
pub(super) struct Walk<'w> {
    /// The routes out of each step, in the order in which they are tried.
    pub routes: Vec<Vec<Route<'w>>>,
    /// Whether a route leads to the step from the entry.
    pub reached: Vec<bool>,
}

impl<'w> Walk<'w> {
    /// Follows the routes. One to a step that is not there is left out: a workflow that was parsed has none.
    pub(super) fn of(workflow: &'w Workflow) -> Self {
        let mut places = BTreeMap::new();
        for (place, step) in workflow.steps.iter().enumerate() {
            places.entry(step.name.as_str()).or_insert(place);
        }
        let routes: Vec<_> = workflow.steps.iter().map(|step| routes_of(step, &places)).collect();
        let mut walk = Self { reached: vec![false; routes.len()], routes };
        let mut moments = vec![Moment::Unseen; walk.routes.len()];
        for start in 0..walk.routes.len() {
            walk.follow(start, &mut moments);
            if start == 0 {
                walk.reached = moments.iter().map(|moment| *moment == Moment::Left).collect();
            }
        }
        walk
    }

    /// Tells whether a step that is reached leads to the end.
    pub(super) fn ends(&self) -> bool {
        let mut routes = self.routes.iter().zip(&self.reached).filter(|(_, reached)| **reached);
        routes.any(|(routes, _)| routes.iter().any(|route| route.to.is_none()))
    }

    /// Goes down from a step, depth first. A route to a step on the way down to it closes a loop.
    fn follow(&mut self, start: usize, moments: &mut [Moment]) {
        if moments[start] != Moment::Unseen {
            return;
        }
        moments[start] = Moment::Open;
        let mut way = vec![(start, 0)];
        while let Some((at, taken)) = way.last_mut() {
            let (at, route) = (*at, *taken);
            *taken += 1;
            let Some(route) = self.routes[at].get_mut(route) else {
                moments[at] = Moment::Left;
                way.pop();
                continue;
            };
            match route.to.map(|to| (to, moments[to])) {
                Some((to, Moment::Unseen)) => {
                    moments[to] = Moment::Open;
                    way.push((to, 0));
                }
                Some((_, Moment::Open)) => route.back = true,
                Some((_, Moment::Left)) | None => {}
            }
        }
    }
}

/// Where the walk stands with a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    Unseen,
    /// On the way down.
    Open,
    Left,
}

/// Gives the ways out of a step. The only one needs no label.
fn routes_of<'w>(step: &'w Step, places: &BTreeMap<&str, usize>) -> Vec<Route<'w>> {
    let next = if step.conditions.is_empty() { "" } else { "next" };
    let route = |way: Way<'w>| {
        let to = match way.next {
            None => None,
            Some(name) => Some(*places.get(name)?),
        };
        Some(Route { label: way.on.unwrap_or(next), to, back: false, opened: way.opened })
    };
    ways(step).into_iter().filter_map(route).collect()
}
