//! The JSON Schema (draft 2020-12) of a workflow file.
//!
//! It is written from the table that the parser checks files against. That names are unique, that targets are there,
//! what a prompt refers to and that a workflow is named after its file is for the parser alone.

use serde_json::Value;

use super::grammar::WORKFLOW;
use crate::grammar;

/// The schema's identity. It is a name and no address: nothing is fetched.
pub const ID: &str = "urn:nebuko:schema:workflow:1";

/// Writes the schema. It refers to nothing outside itself.
pub fn schema() -> Value {
    grammar::schema::schema(&WORKFLOW, ID, "A workflow of nebuko")
}
