//! Why a workflow cannot be mounted. Each is the end of a sentence that names the mount.

use alloc::{format, string::String};

use crate::workflow::{DEPTH_MAX, Mismatch};

/// The mount comes back to a workflow that is on the stack.
pub(crate) fn is_on_the_stack() -> String {
    "it is running already, further up: a workflow cannot mount itself".into()
}

/// The stack is as high as it may be (decision 6).
pub(crate) fn too_many_mounts() -> String {
    format!("{DEPTH_MAX} workflows are mounted in one another already")
}

/// The workflow says nothing that could run.
pub(crate) fn has_no_step() -> String {
    "it has no step".into()
}

/// A stack without a frame leads nowhere.
pub(crate) fn no_step() -> String {
    "there is no step".into()
}

/// The stack names a step that its workflow does not have.
pub(crate) fn stands_nowhere() -> String {
    "there is no such step".into()
}

/// The mount names a workflow that is not there.
pub(crate) fn no_such_workflow(name: &str) -> String {
    format!("there is no workflow {name}")
}

/// What a step binds is not what its callee declares.
pub(crate) fn misfit(mismatch: &Mismatch<'_>) -> String {
    match mismatch {
        Mismatch::Unbound(input) => format!("it declares the input {}, and nothing is bound to it", input.name),
        Mismatch::Undeclared(name) => format!("it declares no input {name}, and one is bound"),
        Mismatch::Kind { input, found } => {
            format!("its input {} is of the kind {}, and {} is bound", input.name, input.kind.word(), found.word())
        }
    }
}
