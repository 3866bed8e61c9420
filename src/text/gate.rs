//! What is said at human gates, in the thread and to whoever runs the engine.

use alloc::{format, string::String};

use crate::{event::Permission, text::code};

/// A gate waits: how people release it, word for word.
pub(crate) fn gate_waits(step: &str) -> String {
    format!(
        "The gate of {} waits: somebody with write access releases it with `/nebuko approve gate`, or sends the work \
         back with `/nebuko reject gate` and what to do better.",
        code(step)
    )
}

/// Why the workflow holds, for the state.
pub(crate) fn gate_reason() -> String {
    "a human gate waits".into()
}

/// A gate waits, for whoever runs the engine.
pub(crate) fn gate_holds(step: &str) -> String {
    format!("the gate of step {step} waits for `/nebuko approve gate` or `/nebuko reject gate`")
}

/// Nothing is due because a gate waits.
pub(crate) fn waiting_at_gate(workflow: &str, step: &str) -> String {
    format!("nothing was decided, and the gate of step {step} of {workflow} waits")
}

/// One of several people has approved.
pub(crate) fn gate_approved_by_one(login: &str, have: usize, wanted: usize) -> String {
    format!("{} approves: {have} of {wanted} approvals. The gate waits for the others.", code(login))
}

/// A gate was released, or the work was sent another way.
pub(crate) fn gate_decided(approved: bool, step: &str, login: &str, where_to: &str) -> String {
    let done = if approved { "released the gate of" } else { "rejected at the gate of" };
    format!("{} {done} {}. {where_to}", code(login), code(step))
}

/// The work was sent back to the same step.
pub(crate) fn gate_sent_back(step: &str, login: &str) -> String {
    format!("{} rejected at the gate of {}. The same step runs again with that feedback.", code(login), code(step))
}

/// The work was sent back often enough.
pub(crate) fn gate_rework_used_up(step: &str, times: usize) -> String {
    format!(
        "The step {} was sent back {times} times at its gate, so it is not run again by itself. The gate still waits; \
         `/nebuko retry` runs the step once more.",
        code(step)
    )
}

/// A decision is older than the gate, or was used before.
pub(crate) fn gate_decided_too_early(comment_id: u64) -> String {
    let place = if comment_id == 0 { "The issue's text".into() } else { format!("Comment {comment_id}") };
    format!("{place} is older than this gate, or was used at it before, so it decides nothing here.")
}

/// A person may not decide.
pub(crate) fn gate_not_permitted(login: &str, trouble: Option<&str>) -> String {
    match trouble {
        None => format!("{} has no write access here, so the gate stays closed.", code(login)),
        Some(why) => format!("What {} may do is not known ({why}), so the gate stays closed.", code(login)),
    }
}

/// Somebody wants to start a step behind a gate.
pub(crate) fn gate_stands_before(login: &str, step: &str, gate: &str, trouble: Option<&str>) -> String {
    let why = match trouble {
        None => format!("{} has no write access here", code(login)),
        Some(why) => format!("what {} may do is not known ({why})", code(login)),
    };
    format!(
        "The step {} stands behind the gate of {}. Starting it takes write access, as releasing the gate does, and {why}. \
         Nothing was started.",
        code(step),
        code(gate)
    )
}

/// The repository did not answer, for the thread.
pub(crate) fn unanswered() -> String {
    "the repository did not say; the job's log has the details".into()
}

/// The person who started the run may not decide.
pub(crate) fn gate_not_by_initiator(login: &str) -> String {
    format!("{} started this run, and this workflow wants another person to decide.", code(login))
}

/// What is behind the gate cannot be read.
pub(crate) fn gate_leads_nowhere(reference: &str) -> String {
    format!("The workflow {} behind this gate was not read, so the gate stays closed.", code(reference))
}

/// Another step was asked for while a gate waits.
pub(crate) fn gate_is_in_the_way(step: &str) -> String {
    format!(
        "The gate of {} waits, so no other step is started. Write `/nebuko approve gate`, `/nebuko reject gate` or \
         `/nebuko stop` first.",
        code(step)
    )
}

/// What the repository said about a person.
pub(crate) fn may_do(login: &str, permission: Permission, how: &str) -> String {
    let word = match permission {
        Permission::None => "nothing",
        Permission::Read => "read",
        Permission::Write => "write",
        Permission::Admin => "administer",
    };
    format!("{login} may {word} here ({how})")
}

/// What a person may do could not be found out.
pub(crate) fn permission_unknown(login: &str, why: &str) -> String {
    format!("what {login} may do is not known, which counts as nothing: {why}")
}
