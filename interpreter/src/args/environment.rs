//! The environment, read once and handed on as a value.

use std::{collections::BTreeMap, env};

/// What the environment said at the start. A variable that is empty or white space counts as not set.
#[derive(Clone, Default)]
pub struct Environment {
    variables: BTreeMap<String, String>,
}

impl Environment {
    /// Reads the process's own. Names and values that are no text are left out.
    pub fn own() -> Self {
        let texts =
            env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Self { variables: texts.collect() }
    }

    /// Makes one of given variables.
    pub fn of(variables: &[(&str, &str)]) -> Self {
        let owned = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Self { variables: owned.collect() }
    }

    /// Gives a variable that is set.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// Gives the first of several that is set.
    pub fn first(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.value(name))
    }

    /// Gives all variables, for whoever looks for secrets.
    pub fn all(&self) -> impl Iterator<Item = (String, String)> {
        self.variables.iter().map(|(name, value)| (name.clone(), value.clone()))
    }
}
