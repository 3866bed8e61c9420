//! The JSON Schema of a workflow file.
