//! The control-plane tools (decision 8): how an agent says how it ended and what should come next.
//!
//! They are declared here once; the request lists them and the conversation reads their arguments.

use alloc::{string::String, vec::Vec};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    agent::{Tool, ToolFunction, workspace},
    dispatch::{Complexity, Dispatch, Reasoning, Status},
    text::cut,
};

/// The tool that ends a step with its report.
pub(crate) const FINISH: &str = "finish";
/// The tool that says what should come next.
pub(crate) const DISPATCH_NEXT: &str = "dispatch_next";

/// The tool that calls another agent, which comes back.
pub(crate) const CALL_AGENT: &str = "call_agent";

/// The tool that reads a skill of the step.
pub(crate) const READ_SKILL: &str = "read_skill";

/// What `finish` was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Finish {
    /// Free text, which stands before the fields.
    pub(crate) report: String,
    /// The fields, by name.
    pub(crate) fields: Map<String, Value>,
    pub(crate) result: Option<String>,
}

/// What `dispatch_next` was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DispatchNext {
    pub(crate) dispatch: Dispatch,
    pub(crate) result: Option<String>,
}

/// Gives the list of tools, the same for every agent, so that all share the head of the cached prefix.
pub(crate) fn all() -> Vec<Tool> {
    let mut tools = Vec::from([finish_tool(), dispatch_next_tool(), call_agent_tool(), read_skill_tool()]);
    tools.extend(workspace::all());
    tools
}

fn finish_tool() -> Tool {
    tool(
        FINISH,
        "End this step with its report. The report is posted in the thread as it is.",
        json!({
            "type": "object",
            "properties": {
                "report": {"type": "string", "description": REPORT},
                "fields": {"type": "object", "additionalProperties": true, "description": FIELDS},
                "result": {"type": "string", "description": RESULT},
            },
            "additionalProperties": false,
        }),
    )
}

fn dispatch_next_tool() -> Tool {
    let text = |description: &str| json!({"type": "string", "description": description});
    let one_of =
        |words: &[&str], description: &str| json!({"type": "string", "enum": words, "description": description});
    let status = "advance: go on; loop: this step again; hold: wait for a person; terminate: end the workflow.";
    let reasoning = "How much the next agent should think.";
    tool(
        DISPATCH_NEXT,
        "Say how this step ends and what should come next. Call it before finish, or together with the report.",
        json!({
            "type": "object",
            "properties": {
                "status": one_of(&["advance", "loop", "hold", "terminate"], status),
                "result": text(RESULT),
                "branch": text("Another key for the step's conditions."),
                "task_hint": text("The agent that should go on."),
                "workflow": text("Another workflow to go on in."),
                "step": text("The step to go on with."),
                "complexity": one_of(&["low", "medium", "high"], "How hard the next step is."),
                "reasoning": one_of(&["none", "low", "medium", "xhigh"], reasoning),
                "pin": {"type": "boolean", "description": "Keep this report in full for every later agent."},
                "reason": text("Why, in a sentence."),
            },
            "additionalProperties": false,
        }),
    )
}

fn read_skill_tool() -> Tool {
    tool(
        READ_SKILL,
        "Read one of the skills that this step lists.",
        json!({
            "type": "object",
            "properties": {"name": {"type": "string", "description": "The skill's name."}},
            "required": ["name"],
            "additionalProperties": false,
        }),
    )
}

fn call_agent_tool() -> Tool {
    tool(
        CALL_AGENT,
        "Let another agent of this workflow work on your report; then this step runs again with its answer in the thread.",
        json!({
            "type": "object",
            "properties": {"agent": {"type": "string", "description": "The agent, or the step, to call."}},
            "required": ["agent"],
            "additionalProperties": false,
        }),
    )
}

pub(super) fn tool(name: &str, description: &str, parameters: Value) -> Tool {
    Tool {
        kind: "function".into(),
        function: ToolFunction { name: name.into(), description: description.into(), parameters },
    }
}

/// The fields of `dispatch_next`, as the tool declares them.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Wished {
    status: Option<Status>,
    result: Option<String>,
    branch: Option<String>,
    task_hint: Option<String>,
    workflow: Option<String>,
    step: Option<String>,
    complexity: Option<Complexity>,
    reasoning: Option<Reasoning>,
    pin: Option<bool>,
    reason: Option<String>,
}

/// Reads the arguments of `finish`, or says what is wrong with them, for the model to repair. Whether the report is what
/// the step demands is for `output`.
pub(crate) fn finish(arguments: &Map<String, Value>) -> Result<Finish, String> {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Given {
        report: Option<String>,
        fields: Option<Map<String, Value>>,
        result: Option<String>,
    }
    let Given { report, fields, result } = read(arguments.clone())?;
    let (report, fields) = (report.unwrap_or_default(), fields.unwrap_or_default());
    Ok(Finish { report, fields, result: result.map(name) })
}

/// Reads the arguments of `dispatch_next`, or says what is wrong with them, for the model to repair.
pub(crate) fn dispatch_next(arguments: &Map<String, Value>) -> Result<DispatchNext, String> {
    let wishes: Wished = read(arguments.clone())?;
    let dispatch = Dispatch {
        status: wishes.status.unwrap_or_default(),
        branch: wishes.branch.map(name),
        task_hint: wishes.task_hint.map(name),
        workflow: wishes.workflow.map(name),
        step: wishes.step.map(name),
        complexity: wishes.complexity,
        reasoning: wishes.reasoning.unwrap_or_default(),
        pin: wishes.pin.unwrap_or_default(),
        reason: wishes.reason.map(|reason| cut(&reason, REASON_CHARS)),
        ..Dispatch::default()
    };
    Ok(DispatchNext { dispatch, result: wishes.result.map(name) })
}

/// Reads the arguments of `read_skill`, or says what is wrong with them, for the model to repair.
pub(crate) fn read_skill(arguments: &Map<String, Value>) -> Result<String, String> {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Read {
        name: String,
    }
    let Read { name: wanted } = read(arguments.clone())?;
    if wanted.trim().is_empty() {
        return Err("name is empty: say which skill".into());
    }
    Ok(name(wanted))
}

/// Reads the arguments of `call_agent`, or says what is wrong with them, for the model to repair.
pub(crate) fn call_agent(arguments: &Map<String, Value>) -> Result<String, String> {
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Call {
        agent: String,
    }
    let Call { agent } = read(arguments.clone())?;
    if agent.trim().is_empty() {
        return Err("agent is empty: name the agent to call".into());
    }
    Ok(name(agent))
}

/// Holds a name that goes into the state within bounds.
fn name(name: String) -> String {
    cut(&name, NAME_CHARS)
}

pub(super) fn read<T: for<'de> Deserialize<'de>>(arguments: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| alloc::format!("{error}"))
}

const REPORT: &str =
    "The whole report, as markdown. Where the step lists fields under `## Report`, only what comes before them.";
const FIELDS: &str =
    "The fields that the step lists under `## Report`, by name: markdown text, or JSON where it says so.";
const RESULT: &str = "A short result key for routing, such as approved or rejected.";
/// A name of a step, a role or a result, at most; longer ones name nothing.
const NAME_CHARS: usize = 100;
/// A reason is a sentence or a few.
const REASON_CHARS: usize = 1_000;

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn only_what_the_tool_declares_is_taken() {
        let check = |arguments: Value, taken: bool| {
            let found = dispatch_next(arguments.as_object().expect("the row is an object"));
            assert_eq!(found.is_ok(), taken, "{arguments}: {found:?}");
        };
        check(json!({}), true);
        check(json!({"status": "hold", "reason": "why", "result": "approved", "pin": true}), true);
        check(json!({"status": null, "result": null, "branch": null, "pin": null}), true);
        check(json!({"status": "leap"}), false);
        check(json!({"top_k": 9_007_199_254_740_993_u64}), false);
        check(json!({"model": "another"}), false);
        check(json!({"parent_workflow": "x"}), false);
        check(json!({"result": 7}), false);
        check(json!({"pin": "yes"}), false);
    }

    #[test]
    fn what_goes_into_the_state_is_bounded() {
        let long = "x".repeat(70_000);
        let arguments = json!({"reason": long, "result": long, "step": long, "task_hint": long, "branch": long});
        let next = dispatch_next(arguments.as_object().expect("it is an object")).expect("it is taken");
        let written = serde_json::to_string(&next.dispatch).expect("it is JSON") + &next.result.unwrap_or_default();
        assert!(written.len() < 2_000, "{}", written.len());
        let finished = finish(json!({"report": "r", "result": long}).as_object().expect("it is an object"));
        assert_eq!(finished.map(|finish| finish.result.map(|result| result.chars().count())), Ok(Some(101)));
        assert_eq!(name("dev".to_string()), "dev");
    }
}
