//! Where a value stands, in words: `next`, or `script.args[2]` of a step.

use alloc::{format, string::String};

/// Where a value stands: a key of the map at hand, or a part of what stands behind one.
#[derive(Clone, Copy)]
pub(crate) struct Spot<'n> {
    pub(crate) key: &'n str,
    pub(crate) part: Part<'n>,
}

#[derive(Clone, Copy)]
pub(crate) enum Part<'n> {
    Whole,
    /// An item of a list, from 0.
    Item(usize),
    /// A value of a map.
    Named(&'n str),
}

/// The way from a step, or from the top of the file, to the map at hand.
#[derive(Default)]
pub(crate) struct Trail<'n> {
    /// The step's name, where there is one.
    pub(crate) step: Option<&'n str>,
    pub(crate) keys: alloc::vec::Vec<&'n str>,
}

impl<'n> Spot<'n> {
    pub(crate) fn of(key: &'n str) -> Self {
        Self { key, part: Part::Whole }
    }

    pub(crate) fn item(self, index: usize) -> Self {
        Self { part: Part::Item(index), ..self }
    }

    pub(crate) fn named(self, name: &'n str) -> Self {
        Self { part: Part::Named(name), ..self }
    }
}

impl Trail<'_> {
    /// Names a spot: a key alone where its place says enough, else the whole way to it.
    pub(crate) fn name(&self, spot: Spot<'_>) -> String {
        let mut way: String = self.keys.iter().map(|key| format!("{key}.")).collect();
        match spot.part {
            Part::Whole => return format!("`{}`", spot.key),
            Part::Item(index) => way += &format!("{}[{index}]", spot.key),
            Part::Named(name) => way += &format!("{}.{name}", spot.key),
        }
        let way = crate::yaml::quoted(&way);
        self.step.map_or(way.clone(), |step| format!("{way} of step {}", crate::yaml::quoted(step)))
    }
}
