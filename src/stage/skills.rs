//! The skills of a step: texts that go into its prompt, or that its agent may ask for.
//!
//! The step says which and how (reference: `steps[].skill`). All texts are part of the setup, so nothing is read from
//! outside while an agent is at work.

use alloc::{format, string::String, vec::Vec};

use crate::{
    nearest::{did_you_mean, nearest},
    setup::Setup,
    workflow::{SkillUse, Step},
};

/// Gives the skills whose texts go into the prompt, in the order of the file.
pub(crate) fn injected<'s>(setup: &'s Setup, step: Option<&'s Step>) -> Vec<(&'s str, &'s str)> {
    let names = named(step, |used| matches!(used, SkillUse::Inject(_)));
    names.filter_map(|name| Some((name, setup.skills.get(name)?.text.as_str()))).collect()
}

/// Gives the skills that the agent may ask for.
pub(crate) fn discoverable(step: Option<&Step>) -> Vec<&str> {
    named(step, |used| matches!(used, SkillUse::Discover(_))).collect()
}

/// Gives the text that an agent asked for, or says which there are.
pub(crate) fn read(setup: &Setup, step: Option<&Step>, name: &str) -> Result<String, String> {
    let there = discoverable(step);
    let found = there.iter().find(|known| **known == name).and_then(|known| setup.skills.get(*known));
    found.map(|skill| skill.text.clone()).ok_or_else(|| match there.as_slice() {
        [] => "this step has no skills to read".into(),
        all => {
            let near = did_you_mean(&nearest(name, all.iter().copied()));
            let near = if near.is_empty() { near } else { format!(" ({near})") };
            format!("this step lists no skill {name}{near}; it lists {}", all.join(", "))
        }
    })
}

fn named(step: Option<&Step>, wanted: impl Fn(&SkillUse) -> bool) -> impl Iterator<Item = &str> {
    let uses = step.into_iter().flat_map(|step| &step.skills).filter(move |used| wanted(used));
    uses.flat_map(|(SkillUse::Inject(names) | SkillUse::Discover(names))| names).map(String::as_str)
}
