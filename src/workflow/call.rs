//! A workflow that is mounted: whether what the mounting step binds is what the callee declares.
//!
//! Lint tells it with places (L8, L9); a run asks again before it goes in, because a workflow of another repository was
//! looked at by nobody.

use alloc::vec::Vec;

use super::{Binding, Input, InputKind, PARAMETER, Step, Workflow};

/// What does not fit between a mounting step and what it mounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mismatch<'w> {
    /// The callee declares an input that nothing is bound to.
    Unbound(&'w Input),
    /// The step binds an input that the callee does not declare.
    Undeclared(&'w str),
    /// An input is bound to the other kind.
    Kind {
        /// The input, as the callee declares it.
        input: &'w Input,
        /// The kind it is bound to.
        found: InputKind,
    },
}

/// Gives what does not fit: what is not bound first, in the order of the declarations.
pub(crate) fn mismatches<'w>(caller: &Workflow, step: &'w Step, callee: &'w Workflow) -> Vec<Mismatch<'w>> {
    let declared = || callee.inputs.iter().filter(|input| !input.name.is_empty());
    let unbound = declared().filter(|input| !step.inputs.contains_key(&input.name)).map(Mismatch::Unbound);
    let bound = step.inputs.iter().filter_map(|(name, binding)| match declared().find(|input| input.name == *name) {
        None => Some(Mismatch::Undeclared(name.as_str())),
        Some(input) => {
            let found = kind_of(binding, caller).filter(|found| *found != input.kind)?;
            Some(Mismatch::Kind { input, found })
        }
    });
    unbound.chain(bound).collect()
}

/// Tells what a binding gives: a parameter has its own kind, a step's comment is a text. `None`: nobody knows it.
fn kind_of(binding: &Binding, workflow: &Workflow) -> Option<InputKind> {
    match binding {
        Binding::Exec(_) => Some(InputKind::Exec),
        Binding::Str(_) => Some(InputKind::Str),
        Binding::Ref(name) => match name.strip_prefix(PARAMETER) {
            None => Some(InputKind::Str),
            Some(name) => workflow.inputs.iter().find(|input| input.name == name).map(|input| input.kind),
        },
    }
}

#[cfg(test)]
mod tests {
    use alloc::{
        collections::BTreeMap,
        string::{String, ToString},
        vec,
    };

    use super::*;
    use crate::text;

    #[test]
    fn what_a_step_binds_is_what_its_callee_declares() {
        let input = |name: &str, kind| Input { name: name.into(), kind, required: true };
        let caller = Workflow { inputs: vec![input("run", InputKind::Exec)], ..Workflow::default() };
        let callee = Workflow {
            inputs: vec![input("test", InputKind::Exec), input("goal", InputKind::Str)],
            ..Workflow::default()
        };
        let check = |bound: &[(&str, Binding)], wanted: &[&str]| {
            let inputs: BTreeMap<String, Binding> =
                bound.iter().map(|(name, binding)| (name.to_string(), binding.clone())).collect();
            let step = Step { inputs, ..Step::default() };
            let found: Vec<_> = mismatches(&caller, &step, &callee).iter().map(text::misfit).collect();
            assert_eq!(found, wanted, "{bound:?}");
        };
        let (exec, text) = (Binding::Exec(vec!["make".into()]), Binding::Str("x".into()));
        let reference = |to: &str| Binding::Ref(to.into());
        check(&[("test", exec.clone()), ("goal", text.clone())], &[]);
        check(&[("test", reference("input.run")), ("goal", reference("plan"))], &[]);
        check(&[("test", reference("input.gone")), ("goal", text.clone())], &[]);
        check(
            &[("test", text.clone()), ("more", text.clone())],
            &[
                "it declares the input goal, and nothing is bound to it",
                "it declares no input more, and one is bound",
                "its input test is of the kind exec, and str is bound",
            ],
        );
        let kind = "its input goal is of the kind str, and exec is bound";
        check(&[("test", exec.clone()), ("goal", reference("input.run"))], &[kind]);
    }
}
