//! The same questions answered the long way: every path of a small workflow is walked.
//!
//! Where a step leads is found here by trying results one after the other, as a run would, and not by the code under
//! test. With six steps there are at most some thousand paths.

use alloc::{collections::BTreeSet, string::String, vec, vec::Vec};

use crate::workflow::{Step, Work, Workflow};

/// All routes of a workflow, each as the step and where it leads; `None` is the end.
pub(in crate::lint) struct Brute {
    routes: Vec<BTreeSet<Option<usize>>>,
    /// Every path from the entry that comes to no step twice.
    paths: Vec<Vec<usize>>,
}

impl Brute {
    pub(in crate::lint) fn of(workflow: &Workflow) -> Self {
        let place = |name: &str| workflow.steps.iter().position(|step| step.name == name).expect("targets are there");
        let lead =
            |step: &Step| results(step).iter().map(|result| lead(step, result).map(|name| place(&name))).collect();
        let routes: Vec<BTreeSet<Option<usize>>> = workflow.steps.iter().map(lead).collect();
        let mut brute = Self { routes, paths: Vec::new() };
        brute.paths = brute.paths_from(0);
        brute
    }

    pub(in crate::lint) fn reaches(&self, step: usize) -> bool {
        self.paths.iter().any(|path| path.contains(&step))
    }

    pub(in crate::lint) fn ends_from(&self, step: usize) -> bool {
        self.paths_from(step).iter().any(|path| self.routes[path[path.len() - 1]].contains(&None))
    }

    /// Tells whether every path from the entry to a step has another step before it.
    pub(in crate::lint) fn is_behind(&self, step: usize, other: usize) -> bool {
        let mut to = self.paths.iter().filter(|path| path.last() == Some(&step));
        self.reaches(step) && step != other && to.all(|path| path.contains(&other))
    }

    /// Tells whether some path leads to a step and leaves none of some others on its way.
    pub(in crate::lint) fn reaches_without_leaving(&self, step: usize, closed: &[bool]) -> bool {
        let mut to = self.paths.iter().filter(|path| path.last() == Some(&step));
        to.any(|path| path[..path.len() - 1].iter().all(|on_the_way| !closed[*on_the_way]))
    }

    /// Tells whether some way of one route or more leads from one step to another.
    pub(in crate::lint) fn comes_before(&self, step: usize, other: usize) -> bool {
        self.paths_from(step).iter().any(|path| self.routes[path[path.len() - 1]].contains(&Some(other)))
    }

    fn paths_from(&self, step: usize) -> Vec<Vec<usize>> {
        let (mut paths, mut open) = (Vec::new(), vec![vec![step]]);
        while let Some(path) = open.pop() {
            let here = path[path.len() - 1];
            for next in self.routes[here].iter().flatten().filter(|next| !path.contains(next)) {
                let mut longer = path.clone();
                longer.push(*next);
                open.push(longer);
            }
            paths.push(path);
        }
        paths
    }
}

/// Every result that a step can report, as far as the workflow tells them apart.
fn results(step: &Step) -> Vec<String> {
    let own = step.conditions.iter().map(|condition| condition.on_result.clone());
    let rejected = own.clone().filter(|on| step.human_gate && on == "rejected");
    match step.work {
        Work::Script(_) => ["pass", "fail"].map(String::from).into_iter().chain(rejected).collect(),
        Work::Agent(_) | Work::Workflow(_) | Work::Repo(_) => own.chain([String::from("whatever")]).collect(),
    }
}

/// Where one result leads (decision 6, rules 5 to 7).
fn lead(step: &Step, result: &str) -> Option<String> {
    for wanted in [result, "default"] {
        for condition in &step.conditions {
            if condition.on_result == wanted {
                return condition.next.clone();
            }
        }
    }
    step.next.clone()
}
