//! The conversation with a model: what is asked, and what an answer means.

pub(crate) mod budget;
mod effective;
pub(crate) mod measure;
mod output;
mod references;
mod reply;
mod request;
mod requirements;
mod stream;
mod talk;
mod tools;
mod workspace;
mod written;

pub(crate) use effective::Effective;
pub(crate) use output::{Accepted, COVERAGE, Demand, REQUIREMENTS, Refusal, figures, ledger_of, names_ledger};
pub(crate) use references::quoted;
pub(crate) use reply::{Call, Fault, FaultKind, Turn, is_visible, read as answer};
pub use reply::{Usage, usage_of};
pub use request::{CacheControl, ChatRequest, ContentPart, FunctionCall, Message, Role, Tool, ToolCall, ToolFunction};
pub(crate) use requirements::{Ledger, listed};
pub use stream::{Heard, Streamed};
pub(crate) use talk::{Said, Spent, Talk, Terms, Verdict, Wanted};
pub use workspace::WORKSPACE_TOOLS;
pub(crate) use written::{LastLine, read as written};
