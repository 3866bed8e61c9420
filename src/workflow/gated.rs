//! Which gate stands before a step: the one that every way from the entry has to pass.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{Step, Workflow, ways};

/// Gives the first gate on the ways to a step, where no way from the entry leads around all gates.
///
/// `None` for the entry, for a step in front of every gate, and for one that no route leads to: nobody closed a gate
/// before that.
pub(crate) fn gate_before<'w>(workflow: &'w Workflow, step: &str) -> Option<&'w Step> {
    let (free, gates) = walk(workflow, false);
    if free.contains(step) || !walk(workflow, true).0.contains(step) {
        return None;
    }
    gates.first().copied()
}

/// Walks the routes from the entry, through gates or up to them. Gives the steps that are come to, and the gates in
/// the order in which they are met.
fn walk(workflow: &Workflow, through: bool) -> (BTreeSet<&str>, Vec<&Step>) {
    let (mut met, mut gates) = (BTreeSet::new(), Vec::new());
    let mut open: Vec<&Step> = workflow.steps.first().into_iter().collect();
    while let Some(step) = open.pop() {
        if !met.insert(step.name.as_str()) {
            continue;
        }
        if step.human_gate {
            gates.push(step);
            if !through {
                continue;
            }
        }
        open.extend(ways(step).iter().filter_map(|way| workflow.step(way.next?)));
    }
    (met, gates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workflow;

    #[test]
    fn a_gate_stands_before_what_no_other_way_leads_to() {
        const FLOW: &str = "\
name: w
steps:
  - {name: a, agent: dev, conditions: [{on_result: small, next: d}], next: b}
  - {name: b, agent: dev, human_gate: true, next: c}
  - {name: c, agent: dev, next: d}
  - {name: d, agent: dev, human_gate: true, next: e}
  - {name: e, agent: dev, next: b}
  - {name: alone, agent: dev, next: null}
";
        let flow = workflow::parse("w.yaml", FLOW).expect("the workflow is sound");
        let check = |step: &str, gate: Option<&str>| {
            assert_eq!(gate_before(&flow, step).map(|gate| gate.name.as_str()), gate, "{step}");
        };
        check("a", None);
        check("b", None);
        check("c", Some("b"));
        check("d", None);
        check("e", Some("b"));
        check("alone", None);
        check("gone", None);
        // No result takes the `next` of the first step, so it is no way around the gate.
        const DEAD: &str = "\
name: w
steps:
  - {name: a, agent: dev, conditions: [{on_result: default, next: b}], next: c}
  - {name: b, agent: dev, human_gate: true, next: c}
  - {name: c, agent: dev, next: null}
";
        let flow = workflow::parse("w.yaml", DEAD).expect("the workflow is sound");
        assert_eq!(gate_before(&flow, "c").map(|gate| gate.name.as_str()), Some("b"));
    }
}
