//! The conversation with a model: what is asked, and what an answer means.

mod request;

pub use request::{ChatRequest, ContentPart, FunctionCall, Message, Role, Tool, ToolCall, ToolFunction};
