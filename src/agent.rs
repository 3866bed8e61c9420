//! The conversation with a model: what is asked, and what an answer means.

mod effective;
mod reply;
mod request;
mod talk;
mod tools;
mod workspace;

pub(crate) use effective::Effective;
pub(crate) use reply::{Call, Fault, Turn, is_visible};
pub use request::{CacheControl, ChatRequest, ContentPart, FunctionCall, Message, Role, Tool, ToolCall, ToolFunction};
pub(crate) use talk::{Said, Spent, Talk, Terms, Verdict, Wanted};
pub use workspace::WORKSPACE_TOOLS;
