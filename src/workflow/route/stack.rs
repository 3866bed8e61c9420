//! The stack of mounts: going into a workflow with its parameters bound, down to a step that somebody does.

use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

use super::{Needed, place};
use crate::{
    state::StepRef,
    text,
    workflow::{Binding, Callee, Library, Step, mismatches},
};

/// How many workflows may be mounted in one another below the one that a run begins with (decision 6).
pub const DEPTH_MAX: usize = 16;

/// What entering a step came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Entered {
    /// A step that an agent or a script does.
    At {
        /// The stack down to it.
        position: Vec<StepRef>,
        /// Its role.
        agent: String,
    },
    /// Something on the way cannot be mounted.
    Refused {
        /// What was to be mounted, or run.
        asked: String,
        /// Why not.
        why: String,
    },
}

/// Goes from the last frame down through mounts until a step is reached that somebody does.
///
/// Each mount appends one frame, with the callee's parameters bound as the step binds them and frozen from here
/// on. A workflow that is on the stack already is refused, and so is a mount beyond [`DEPTH_MAX`]. So is
/// one whose inputs are not what the callee declares.
///
/// # Errors
/// A workflow of another repository that nobody has asked for yet.
pub fn enter(library: Library<'_>, mut position: Vec<StepRef>) -> Result<Entered, Needed> {
    loop {
        let Some(leaf) = position.last() else {
            return Ok(refused("nothing", &text::no_step()));
        };
        let workflow = library.get(&leaf.workflow);
        let Some(step) = workflow.and_then(|workflow| workflow.step(&leaf.step)) else {
            return Ok(refused(&place(&leaf.workflow, &leaf.step), &text::stands_nowhere()));
        };
        match library.callee(&leaf.workflow, &step.work) {
            None => return Ok(Entered::At { agent: step.role().into(), position }),
            Some(Callee::Needed(reference)) => return Err(Needed(reference)),
            Some(Callee::Unusable(why)) => return Ok(refused(&place(&leaf.workflow, &leaf.step), &why)),
            Some(Callee::Found(key, callee)) => {
                let misfit = workflow.and_then(|caller| mismatches(caller, step, callee).first().map(text::misfit));
                if let Some(why) = unmountable(&position, &key).or(misfit) {
                    return Ok(refused(&key, &why));
                }
                let Some(entry) = callee.steps.first() else { return Ok(refused(&key, &text::has_no_step())) };
                let inputs = frozen(leaf, step);
                position.push(StepRef { workflow: key, step: entry.name.clone(), inputs, ..StepRef::default() });
            }
        }
    }
}

fn unmountable(position: &[StepRef], key: &str) -> Option<String> {
    if position.iter().any(|frame| frame.workflow == key) {
        return Some(text::is_on_the_stack());
    }
    (position.len() > DEPTH_MAX).then(text::too_many_mounts)
}

/// Binds a callee's parameters as a mounting step says, so that no later edit of a file changes them: a reference to
/// a parameter of the caller becomes what that is bound to, a reference to a step says whose step it is.
fn frozen(caller: &StepRef, mounting: &Step) -> BTreeMap<String, Binding> {
    let bind = |(name, binding): (&String, &Binding)| {
        let bound = match binding {
            Binding::Exec(_) | Binding::Str(_) => binding.clone(),
            Binding::Ref(to) => match to.strip_prefix(PARAMETER) {
                Some(parameter) => caller.inputs.get(parameter)?.clone(),
                None => Binding::Ref(place(&caller.workflow, to)),
            },
        };
        Some((name.clone(), bound))
    };
    mounting.inputs.iter().filter_map(bind).collect()
}

fn refused(asked: &str, why: &str) -> Entered {
    Entered::Refused { asked: asked.to_string(), why: why.to_string() }
}

/// What stands before a parameter's name in a reference.
pub(crate) const PARAMETER: &str = "input.";
