//! The settings of a repository: `.nebuko/config.yaml`, read into what a run is set up with.
//!
//! A file is held against a table first, as workflow files are, then it is looked at as a whole. What it says comes
//! over what is built in; flags and the environment come over it, and that is for the edge. A key of a service is
//! never in here, only the name of the variable that holds one.

use alloc::{string::String, vec::Vec};

use crate::{
    grammar::check,
    problem::Problem,
    yaml::{self, Node, Place, Problems, Value},
};

mod convert;
mod form;
mod of_agent;
mod providers;
mod rows;
pub mod schema;
mod table;
mod whole;

pub use convert::Prompt;
pub use form::holds_a_key;
pub use of_agent::rows_of;
pub use providers::built_in;
pub use rows::{Row, rows};
#[cfg(test)]
pub(crate) use table::CONFIG;

/// What reading the settings came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// What can be understood; where there are problems, only part of it holds.
    pub config: Config,
    /// Every mistake that was found, each with line and column, in the order of the file.
    pub problems: Vec<Problem>,
}

/// The settings of a file. The default one sets nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The file, as it was named.
    file: String,
    /// What it says, with every place.
    root: Node,
}

/// Reads settings, whatever is wrong with them. `file` names them in problems.
///
/// A file that says nothing, or has comments only, sets nothing.
pub fn read(file: &str, text: &str) -> Parsed {
    let mut problems = Problems::new(file);
    let root = yaml::read(text, &mut problems);
    if let Some(root) = root.as_ref().filter(|root| !root.is_null()) {
        check(root, &table::CONFIG, &mut problems);
        whole::look(root, &mut problems);
    }
    let root = root.unwrap_or_else(nothing);
    Parsed { config: Config { file: file.into(), root }, problems: problems.into_list() }
}

impl Config {
    /// Gives the file's name.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Gives the place of what stands behind a way of keys: `["agents", "dev", "model"]`.
    pub fn place(&self, way: &[&str]) -> Option<Place> {
        way.iter().try_fold(&self.root, |node, key| node.get(key)).map(|node| node.place)
    }
}

impl Default for Config {
    fn default() -> Self {
        Self { file: String::new(), root: nothing() }
    }
}

fn nothing() -> Node {
    Node { place: Place::default(), value: Value::Map(Vec::new()) }
}

#[cfg(test)]
mod tests;
