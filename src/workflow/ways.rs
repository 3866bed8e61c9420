//! Where a step can lead by what its file says: what the linter walks, a picture draws and a gate's reach is told from.
//!
//! Only declared ways count: what an agent asks for, and a person who starts a step, lead anywhere. Which way one
//! result takes is for `route`; a test holds the two to each other.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{CATCH_ALL, Condition, Step, Work, condition_on};

/// The result of a script that exits with 0 (reference: Workflow YAML Grammar).
pub(crate) const PASS: &str = "pass";
/// The result of a script that does not.
pub(crate) const FAIL: &str = "fail";
/// What scripts report.
const SCRIPT_RESULTS: [&str; 2] = [PASS, FAIL];
/// The decision that releases a gate (reference: GateDecision).
pub(crate) const APPROVED: &str = "approved";
/// The decision that does not, and the result whose route it takes where the step has one (decision 4).
pub(crate) const REJECTED: &str = "rejected";

/// A way out of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way<'w> {
    /// The result that takes it; `None` for `next`.
    pub on: Option<&'w str>,
    /// The step it leads to; `None` is the end of the workflow.
    pub next: Option<&'w str>,
    /// Who opens it.
    pub opened: Opened,
}

/// Who opens a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// Nobody has to.
    Free,
    /// A person who releases the step's gate.
    ByRelease,
    /// A person who rejects at the step's gate.
    ByRejection,
}

/// Gives the ways out of a step in the order of its file, without those that no result can take.
///
/// A script has two results; an agent and a workflow can report what they like.
pub(crate) fn ways(step: &Step) -> Vec<Way<'_>> {
    let open = |opened: Opened| if step.human_gate { opened } else { Opened::Free };
    let conditions = taken(step).into_iter().map(|condition| Way {
        on: Some(&condition.on_result),
        next: condition.next.as_deref(),
        opened: open(if is_rejection(condition) { Opened::ByRejection } else { Opened::ByRelease }),
    });
    let next = Way { on: None, next: step.next.as_deref(), opened: open(Opened::ByRelease) };
    conditions.chain((!leaves_nothing(step)).then_some(next)).collect()
}

/// Gives the conditions of a step that some result takes, in their order.
pub(crate) fn taken(step: &Step) -> Vec<&Condition> {
    let conditions = step.conditions.iter();
    if !matches!(step.work, Work::Script(_)) {
        // Of two that are written alike the first takes everything.
        let mut seen = BTreeSet::new();
        return conditions.filter(|condition| seen.insert(condition.on_result.as_str())).collect();
    }
    let rejected = step.human_gate.then_some(REJECTED);
    let rest = (!takes_both_results(step)).then_some(CATCH_ALL);
    let results = SCRIPT_RESULTS.into_iter().chain(rejected).chain(rest);
    let found: Vec<_> = results.filter_map(|result| condition_on(&step.conditions, result)).collect();
    conditions.filter(|condition| found.iter().any(|one| core::ptr::eq(*one, *condition))).collect()
}

/// Tells whether the conditions of a step take every result, so that nothing is left for its `next`.
pub(crate) fn leaves_nothing(step: &Step) -> bool {
    condition_on(&step.conditions, CATCH_ALL).is_some() || takes_both_results(step)
}

/// Tells whether a step is a script with a condition on either of its results.
fn takes_both_results(step: &Step) -> bool {
    let takes = |result: &&str| condition_on(&step.conditions, result).is_some();
    matches!(step.work, Work::Script(_)) && SCRIPT_RESULTS.iter().all(takes)
}

fn is_rejection(condition: &Condition) -> bool {
    condition.on_result.eq_ignore_ascii_case(REJECTED)
}

#[cfg(test)]
mod tests {
    use alloc::{collections::BTreeMap, format, string::String};

    use super::*;
    use crate::{
        dispatch::Dispatch,
        state::StepRef,
        workflow::{self, Ask, Library, Move, Workflow, route},
    };

    const AGENT: &str = "agent: dev";
    const SCRIPT: &str = "script: {command: ls}";
    const GATE: &str = "agent: dev, human_gate: true";
    const GATED_SCRIPT: &str = "script: {command: ls}, human_gate: true";

    fn parsed(work: &str, routes: &str) -> Workflow {
        let others = ["b", "c", "d"].map(|name| format!("{{name: {name}, agent: dev, next: null}}")).join(", ");
        let text = format!("name: w\nsteps: [{{name: a, {work}, {routes}}}, {others}]\n");
        workflow::parse("w.yaml", &text).expect("the workflow is sound")
    }

    fn shown(way: &Way<'_>) -> String {
        let lock = match way.opened {
            Opened::Free => "",
            Opened::ByRelease => "+",
            Opened::ByRejection => "-",
        };
        format!("{}{lock}>{}", way.on.unwrap_or("next"), way.next.unwrap_or("end"))
    }

    /// Where one result leads once every gate is open, by the cascade itself.
    fn led(workflow: &Workflow, result: &str) -> Option<String> {
        let own = BTreeMap::from([(String::from("w"), workflow.clone())]);
        let position = [StepRef { workflow: "w".into(), step: "a".into(), ..StepRef::default() }];
        let dispatch = Dispatch::default();
        let ask = Ask { position: &position, dispatch: &dispatch, result: Some(result), released: true, call: None };
        match route(Library::of(&own), &ask).expect("nothing is fetched").go {
            Move::To { position, .. } => position.last().map(|leaf| leaf.step.clone()),
            Move::End => None,
            other => panic!("{result} leads to {other:?}"),
        }
    }

    #[test]
    fn the_ways_of_a_step_are_those_that_its_results_take() {
        let check = |work: &str, routes: &str, wanted: &str| {
            let workflow = parsed(work, routes);
            let step = &workflow.steps[0];
            let ways = ways(step);
            assert_eq!(ways.iter().map(shown).collect::<Vec<_>>().join(" "), wanted, "{work}, {routes}");
            // The cascade takes each of them, and no other.
            let mut results: Vec<&str> = match step.work {
                Work::Script(_) => SCRIPT_RESULTS.to_vec(),
                _ => step.conditions.iter().map(|one| one.on_result.as_str()).chain(["whatever"]).collect(),
            };
            results
                .extend(step.human_gate.then_some(REJECTED).filter(|on| condition_on(&step.conditions, on).is_some()));
            let mut led: Vec<_> = results.into_iter().map(|result| led(&workflow, result)).collect();
            let mut told: Vec<_> = ways.iter().map(|way| way.next.map(String::from)).collect();
            [&mut led, &mut told].into_iter().for_each(|all| {
                all.sort_unstable();
                all.dedup();
            });
            assert_eq!(told, led, "{work}, {routes}");
        };
        check(AGENT, "next: b", "next>b");
        check(AGENT, "next: null", "next>end");
        check(AGENT, "conditions: [{on_result: ok, next: b}], next: c", "ok>b next>c");
        check(
            AGENT,
            "conditions: [{on_result: ok, next: b}, {on_result: default, next: d}], next: c",
            "ok>b default>d",
        );
        check(AGENT, "conditions: [{on_result: rejected, next: b}], next: c", "rejected>b next>c");
        check(GATE, "conditions: [{on_result: rejected, next: b}], next: c", "rejected->b next+>c");
        check(
            GATE,
            "conditions: [{on_result: Rejected, next: a}, {on_result: ok, next: null}], next: c",
            "Rejected->a ok+>end next+>c",
        );
        check(SCRIPT, "next: b", "next>b");
        check(SCRIPT, "conditions: [{on_result: fail, next: b}], next: c", "fail>b next>c");
        check(SCRIPT, "conditions: [{on_result: pass, next: b}, {on_result: FAIL, next: c}], next: d", "pass>b FAIL>c");
        check(SCRIPT, "conditions: [{on_result: ok, next: b}], next: c", "next>c");
        check(SCRIPT, "conditions: [{on_result: rejected, next: b}], next: c", "next>c");
        check(
            SCRIPT,
            "conditions: [{on_result: pass, next: b}, {on_result: default, next: c}], next: d",
            "pass>b default>c",
        );
        check(
            SCRIPT,
            "conditions: [{on_result: pass, next: b}, {on_result: fail, next: c}, {on_result: default, next: d}]",
            "pass>b fail>c",
        );
        check(
            GATED_SCRIPT,
            "conditions: [{on_result: fail, next: b}, {on_result: rejected, next: c}], next: d",
            "fail+>b rejected->c next+>d",
        );
    }
}
