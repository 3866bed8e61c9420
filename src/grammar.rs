//! Grammars of YAML files as data: which keys a map may have, and what may stand behind each.
//!
//! There are two tables, of workflow files and of the settings. The parser checks files against a table and the JSON
//! Schema is written from it, so the two cannot drift apart. What no table can say (that names are unique, that what
//! is named is there) is for whoever owns the table.

mod check;
pub(crate) mod form;
pub(crate) mod read;
pub(crate) mod scalar;
pub(crate) mod schema;
pub(crate) mod shared;
mod spot;
pub(crate) mod unique;

pub(crate) use check::check;
pub(crate) use form::Form;

/// A kind of map: a workflow, a step, a model.
#[derive(Debug)]
pub(crate) struct Scope {
    /// What it is, for messages: `a step`.
    pub(crate) of: &'static str,
    /// Its name among the schema's definitions: `step`.
    pub(crate) name: &'static str,
    /// What it may hold, in the order in which people write it.
    pub(crate) keys: &'static [Key],
    /// Of these exactly one is there. Empty where there is no such choice.
    pub(crate) exactly_one: &'static [&'static str],
    /// The lint rule that is broken where none of these is there, or several.
    pub(crate) choice_rule: &'static str,
    /// Whether messages name the map by its own `name`, and not by the way from the top of the file.
    pub(crate) has_name: bool,
}

/// A key, and what may stand behind it.
#[derive(Debug)]
pub(crate) struct Key {
    /// As it is written.
    pub(crate) name: &'static str,
    /// What may stand behind it.
    pub(crate) kind: Kind,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What holds where it is not there.
    pub(crate) preset: Preset,
    /// With which works of a step it may stand.
    pub(crate) with: With,
    /// What it is for, as a sentence.
    pub(crate) words: &'static str,
}

/// What may stand behind a key.
#[derive(Debug)]
pub(crate) enum Kind {
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
        least: u64,
        /// The most, where more is a mistake.
        most: Option<u64>,
    },
    /// A number in decimal digits, with a point or without.
    Decimal(Bounds),
    /// An amount of dollars, in digits.
    Dollars,
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
    /// A map from names of a form.
    Named(&'static Form, &'static Kind),
    /// One of several kinds that are written in different shapes: a text, a list, a map.
    Either(&'static [Kind]),
    /// Whatever: it is passed over.
    Anything,
}

/// What holds where a key is not there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Preset {
    /// Nothing in particular.
    Nothing,
    /// A flag.
    Flag(bool),
    /// A number.
    Number(u64),
    /// A number with a point.
    Decimal(f64),
    /// A word.
    Word(&'static str),
}

/// Between what a number lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The least.
    pub(crate) least: i32,
    /// Whether the least is itself too little.
    pub(crate) above: bool,
    /// The most.
    pub(crate) most: i32,
}

/// With which works of a step a key may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum With {
    /// With all.
    Any,
    /// With an agent.
    Agent,
    /// With all but a script.
    AgentOrMount,
}

impl Scope {
    /// Makes one that is a choice of no keys.
    pub(crate) const fn new(of: &'static str, name: &'static str, keys: &'static [Key]) -> Self {
        Self { of, name, keys, exactly_one: &[], choice_rule: "L20", has_name: false }
    }

    /// Says that exactly one of some keys is there.
    pub(crate) const fn exactly_one(mut self, keys: &'static [&'static str]) -> Self {
        self.exactly_one = keys;
        self
    }

    /// Names the lint rule that a wrong choice breaks.
    pub(crate) const fn choice_rule(mut self, rule: &'static str) -> Self {
        self.choice_rule = rule;
        self
    }

    /// Says that messages name the map by its own name.
    pub(crate) const fn has_name(mut self) -> Self {
        self.has_name = true;
        self
    }

    /// Finds a key by name.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Gives the names of its keys.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys.iter().map(|key| key.name)
    }
}

impl Key {
    pub(crate) const fn new(name: &'static str, kind: Kind, words: &'static str) -> Self {
        Self { name, kind, required: false, preset: Preset::Nothing, with: With::Any, words }
    }

    pub(crate) const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    pub(crate) const fn preset(mut self, preset: Preset) -> Self {
        self.preset = preset;
        self
    }

    pub(crate) const fn with(mut self, with: With) -> Self {
        self.with = with;
        self
    }
}

impl Bounds {
    /// Makes bounds that both count as inside.
    pub(crate) const fn of(least: i32, most: i32) -> Self {
        Self { least, above: false, most }
    }

    /// Tells whether a number lies between.
    pub(crate) fn hold(self, number: f64) -> bool {
        let least = f64::from(self.least);
        number <= f64::from(self.most) && (number > least || !self.above && number >= least)
    }
}

/// The largest whole number that every reader of JSON keeps exactly.
pub(crate) const COUNT_MAX: u64 = 9_007_199_254_740_991;
/// The most that an amount of dollars may be: exact in millionths for every reader of JSON.
pub(crate) const DOLLARS_MAX: u64 = 9_000_000_000;
