//! The JSON Schema (draft 2020-12) of the settings.
//!
//! It is written from the table that the parser checks files against. That what is named is there, and that tools and
//! commands belong together, is for the parser alone.

use serde_json::{Value, json};

use super::table::CONFIG;
use crate::grammar;

/// The schema's identity. It is a name and no address: nothing is fetched.
pub const ID: &str = "urn:nebuko:schema:config:1";

/// Writes the schema. It refers to nothing outside itself.
pub fn schema() -> Value {
    let mut schema = grammar::schema::schema(&CONFIG, ID, "The settings of nebuko");
    // A file of comments sets nothing.
    schema["type"] = json!(["object", "null"]);
    schema
}
