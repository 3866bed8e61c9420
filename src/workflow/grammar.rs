//! The grammar of a workflow file as data: which keys a map may have, and what may stand behind each.
//!
//! The parser checks files against it and the JSON Schema is written from it, so the two cannot drift apart. What
//! no table can say (that names are unique, that targets are there) is for `parse`.

mod form;
mod table;

pub(super) use form::{ARGUMENT, COMMAND, Form, PARAMETER, VARIABLE};
pub(super) use table::{STEP, WORKFLOW};

/// A kind of map: a workflow, a step, a script.
#[derive(Debug)]
pub(super) struct Scope {
    /// What it is, for messages: `a step`.
    pub(super) of: &'static str,
    /// Its name among the schema's definitions: `step`.
    pub(super) name: &'static str,
    /// What it may hold, in the order in which people write it.
    pub(super) keys: &'static [Key],
    /// Of these exactly one is there. Empty where there is no such choice.
    pub(super) exactly_one: &'static [&'static str],
    /// What the language has and this version cannot run yet.
    pub(super) later: &'static [&'static str],
}

/// A key, and what may stand behind it.
#[derive(Debug)]
pub(super) struct Key {
    /// As it is written.
    pub(super) name: &'static str,
    /// What may stand behind it.
    pub(super) kind: Kind,
    /// Whether it must be there.
    pub(super) required: bool,
    /// What holds where it is not there.
    pub(super) preset: Preset,
    /// With which works of a step it may stand.
    pub(super) with: With,
    /// What it is for, as a sentence.
    pub(super) words: &'static str,
}

/// What may stand behind a key.
#[derive(Debug)]
pub(super) enum Kind {
    /// A text.
    Text(&'static Form),
    /// One of some words.
    Word(&'static [&'static str]),
    /// The name of a step, or null for the end.
    Target,
    /// `true` or `false`.
    Flag,
    /// A whole number.
    Number {
        /// The least.
        least: u32,
        /// The most, where more is a mistake.
        most: Option<u32>,
    },
    /// A program's arguments, each as it is written.
    Arguments,
    /// A program and its arguments.
    Command,
    /// Variables of a program, by name.
    Variables,
    /// A map of a kind.
    Map(&'static Scope),
    /// A list of items of one kind, at least so many.
    List(&'static Kind, usize),
    /// A map from the names of parameters.
    Named(&'static Kind),
    /// One of several kinds that are written in different shapes: a text, a list, a map.
    Either(&'static [Kind]),
    /// Whatever: it is passed over.
    Anything,
}

/// What holds where a key is not there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Preset {
    /// Nothing in particular.
    Nothing,
    /// A flag.
    Flag(bool),
    /// A number.
    Number(u32),
}

/// With which works of a step a key may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum With {
    /// With all.
    Any,
    /// With an agent.
    Agent,
    /// With all but a script.
    AgentOrMount,
}

impl Scope {
    /// Finds a key by name.
    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Gives the names of its keys.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }
}

impl Key {
    const fn new(name: &'static str, kind: Kind, words: &'static str) -> Self {
        Self { name, kind, required: false, preset: Preset::Nothing, with: With::Any, words }
    }

    const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    const fn preset(mut self, preset: Preset) -> Self {
        self.preset = preset;
        self
    }

    const fn with(mut self, with: With) -> Self {
        self.with = with;
        self
    }
}
