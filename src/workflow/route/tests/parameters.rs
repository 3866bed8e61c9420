//! What the parameters of a mounted workflow are bound to.

use super::*;
use crate::workflow::{Binding, Input, InputKind};

#[test]
fn parameters_are_frozen_where_they_are_bound() {
    let exec = Binding::Exec(vec!["make".into(), "test".into()]);
    let inputs = |rows: &[(&str, Binding)]| rows.iter().map(|(name, bound)| ((*name).into(), bound.clone())).collect();
    let reference = |to: &str| Binding::Ref(to.into());
    let low = Step { inputs: inputs(&[("t", reference("input.run"))]), ..agent("write", None) };
    let inner = Step {
        inputs: inputs(&[
            ("run", reference("input.test")),
            ("plan", reference("sketch")),
            ("x", reference("input.gone")),
        ]),
        ..mount("inner", "low", None)
    };
    let build = Step {
        inputs: inputs(&[("test", exec.clone()), ("s", Binding::Str("s".into()))]),
        ..mount("build", "mid", None)
    };
    let mut own = BTreeMap::from([
        workflow("top", vec![agent("plan", Some("build")), build]),
        workflow("mid", vec![inner, agent("sketch", None)]),
        workflow("low", vec![low]),
    ]);
    let declared = |name: &str, kind| Input { name: name.into(), kind, required: true };
    let (exec_kind, str_kind) = (InputKind::Exec, InputKind::Str);
    for (name, inputs) in [
        ("mid", vec![declared("test", exec_kind), declared("s", str_kind)]),
        ("low", vec![declared("run", exec_kind), declared("plan", str_kind), declared("x", str_kind)]),
    ] {
        own.entry(name.into()).and_modify(|workflow| workflow.inputs = inputs);
    }
    let entered = enter(Library::of(&own), vec![frame("top", "build")]).expect("all are here");
    let Entered::At { position, .. } = entered else { panic!("{entered:?}") };
    assert_eq!(position[1].inputs, inputs(&[("s", Binding::Str("s".into())), ("test", exec.clone())]));
    assert_eq!(position[2].inputs, inputs(&[("plan", reference("workflow:mid/step:sketch")), ("run", exec)]));
    own.entry("low".into()).and_modify(|workflow| workflow.inputs.clear());
    let entered = enter(Library::of(&own), vec![frame("top", "build")]).expect("all are here");
    let wanted = "Refused { asked: \"low\", why: \"it declares no input plan, and one is bound\" }";
    assert_eq!(format!("{entered:?}"), wanted);
}
