//! The conversation with a model: what is asked, and what an answer means.

mod reply;
mod request;
mod talk;
mod tools;

pub(crate) use reply::{Call, Fault, Turn, is_visible};
pub use request::{ChatRequest, ContentPart, FunctionCall, Message, Role, Tool, ToolCall, ToolFunction};
pub(crate) use talk::{Said, Spent, Talk, Verdict};
