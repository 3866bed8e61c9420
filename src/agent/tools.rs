//! The control-plane tools (decision 8): how an agent says how it ended and what should come next.
//!
//! They are declared here once; the request lists them and the conversation reads their arguments.

use alloc::{string::String, vec::Vec};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    agent::{Tool, ToolFunction},
    dispatch::Dispatch,
};

/// The tool that ends a step with its report.
pub(crate) const FINISH: &str = "finish";
/// The tool that says what should come next.
pub(crate) const DISPATCH_NEXT: &str = "dispatch_next";

/// What `finish` was given.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Finish {
    pub(crate) report: String,
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
    Vec::from([
        tool(
            FINISH,
            "End this step with its report. The report is posted in the thread as it is.",
            json!({
                "type": "object",
                "properties": {
                    "report": {"type": "string", "description": "The whole report, as markdown."},
                    "result": {"type": "string", "description": "A short result key for routing, such as approved or rejected."},
                },
                "required": ["report"],
                "additionalProperties": false,
            }),
        ),
        tool(
            DISPATCH_NEXT,
            "Say how this step ends and what should come next. Call it before finish, or together with the report.",
            json!({
                "type": "object",
                "properties": {
                    "status": {"type": "string", "enum": ["advance", "loop", "hold", "terminate"],
                        "description": "advance: go on; loop: this step again; hold: wait for a person; terminate: end the workflow."},
                    "result": {"type": "string", "description": "A short result key for routing, such as approved or rejected."},
                    "branch": {"type": "string", "description": "Another key for the step's conditions."},
                    "task_hint": {"type": "string", "description": "The agent that should go on."},
                    "workflow": {"type": "string", "description": "Another workflow to go on in."},
                    "step": {"type": "string", "description": "The step to go on with."},
                    "complexity": {"type": "string", "enum": ["low", "medium", "high"],
                        "description": "How hard the next step is."},
                    "reasoning": {"type": "string", "enum": ["none", "low", "medium", "xhigh"],
                        "description": "How much the next agent should think."},
                    "pin": {"type": "boolean", "description": "Keep this report in full for every later agent."},
                    "reason": {"type": "string", "description": "Why, in a sentence."},
                },
                "additionalProperties": false,
            }),
        ),
    ])
}

fn tool(name: &str, description: &str, parameters: Value) -> Tool {
    Tool {
        kind: "function".into(),
        function: ToolFunction { name: name.into(), description: description.into(), parameters },
    }
}

/// Reads the arguments of `finish`, or says what is wrong with them, for the model to repair.
pub(crate) fn finish(arguments: &Map<String, Value>) -> Result<Finish, String> {
    let finish: Finish = read(arguments.clone())?;
    if finish.report.trim().is_empty() {
        return Err("report is empty: finish needs the whole report as markdown".into());
    }
    Ok(finish)
}

/// Reads the arguments of `dispatch_next`, or says what is wrong with them, for the model to repair.
pub(crate) fn dispatch_next(arguments: &Map<String, Value>) -> Result<DispatchNext, String> {
    let mut arguments = arguments.clone();
    let result = match arguments.remove("result") {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text),
        Some(other) => return Err(alloc::format!("result must be a text, not {other}")),
    };
    let dispatch: Dispatch = read(arguments)?;
    match dispatch.unknown.keys().next() {
        Some(key) => Err(alloc::format!("there is no field {key}")),
        None => Ok(DispatchNext { dispatch, result }),
    }
}

fn read<T: for<'de> Deserialize<'de>>(arguments: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments)).map_err(|error| alloc::format!("{error}"))
}
