//! The skills of a step: texts that go into its prompt, or that its agent may ask for.
//!
//! The agent, the step and the dispatch that led here each may name some (reference: `steps[].skill`); who names one
//! later in that order says how it is used. All texts are part of the setup, so nothing is read from outside while an
//! agent is at work.

use alloc::{format, string::String, vec::Vec};

use crate::{
    dispatch::Dispatch,
    nearest::{did_you_mean, nearest},
    setup::{Agent, Runtime, Setup},
    stage::{Known, Scene, Start, spending::led_here},
    workflow::{SkillUse, Step},
};

/// The skills of a step by name, and how each is used.
pub(crate) struct Skills<'s> {
    setup: &'s Setup,
    named: Vec<(&'s str, Mode)>,
    /// Names that the dispatch gives and that are no skills here.
    unknown: Vec<&'s str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Its text goes into the prompt.
    Inject,
    /// The agent may ask for it.
    Discover,
}

impl<'s> Skills<'s> {
    /// Gathers the skills of a step that is to run.
    pub(crate) fn of(scene: Scene<'s>, known: &'s Known, start: &Start) -> Self {
        let agent = scene.setup.agents.get(&start.agent);
        Self::gathered(scene.setup, agent, known.step_of(scene, start), led_here(known, start))
    }

    fn gathered(
        setup: &'s Setup,
        agent: Option<&'s Agent>,
        step: Option<&'s Step>,
        dispatch: Option<&'s Dispatch>,
    ) -> Self {
        let mut skills = Self { setup, named: Vec::new(), unknown: Vec::new() };
        agent.into_iter().flat_map(|agent| &agent.skills).for_each(|used| skills.add(used));
        step.into_iter().flat_map(|step| &step.skills).for_each(|used| skills.add(used));
        // One text may name several.
        let asked = dispatch.into_iter().flat_map(|dispatch| &dispatch.skills.0).flat_map(|names| names.split(','));
        for name in asked.map(str::trim).filter(|name| !name.is_empty()) {
            if setup.skills.contains_key(name) {
                skills.name(name, Mode::Inject);
            } else if !skills.unknown.contains(&name) {
                skills.unknown.push(name);
            }
        }
        // A program has no tool to ask with.
        if agent.is_some_and(|agent| matches!(agent.runtime, Runtime::Command { .. })) {
            skills.named.iter_mut().for_each(|(_, mode)| *mode = Mode::Inject);
        }
        skills
    }

    fn add(&mut self, used: &'s SkillUse) {
        let (names, mode) = match used {
            SkillUse::Inject(names) => (names, Mode::Inject),
            SkillUse::Discover(names) => (names, Mode::Discover),
        };
        names.iter().for_each(|name| self.name(name, mode));
    }

    /// Names one. It keeps the place it has, so that what comes before it stays as it is.
    fn name(&mut self, name: &'s str, mode: Mode) {
        match self.named.iter_mut().find(|(known, _)| *known == name) {
            Some(known) => known.1 = mode,
            None => self.named.push((name, mode)),
        }
    }

    fn used(&self, wanted: Mode) -> impl Iterator<Item = &'s str> {
        self.named.iter().filter(move |(_, mode)| *mode == wanted).map(|(name, _)| *name)
    }

    /// Gives those whose texts go into the prompt: name and text.
    pub(crate) fn injected(&self) -> Vec<(&'s str, &'s str)> {
        self.used(Mode::Inject).filter_map(|name| Some((name, self.setup.skills.get(name)?.text.as_str()))).collect()
    }

    /// Gives those that the agent may ask for.
    pub(crate) fn discoverable(&self) -> Vec<&'s str> {
        self.used(Mode::Discover).collect()
    }

    /// Gives the names in the dispatch that are no skills here.
    pub(crate) fn unknown(&self) -> &[&'s str] {
        &self.unknown
    }

    /// Gives the text that an agent asked for, or says which there are.
    pub(crate) fn read(&self, name: &str) -> Result<String, String> {
        let there = self.discoverable();
        let found = there.iter().find(|known| **known == name).and_then(|known| self.setup.skills.get(*known));
        found.map(|skill| skill.text.clone()).ok_or_else(|| match there.as_slice() {
            [] => "this step has no skills to read".into(),
            all => {
                let near = did_you_mean(&nearest(name, all.iter().copied()));
                let near = if near.is_empty() { near } else { format!(" ({near})") };
                format!("this step lists no skill {name}{near}; it lists {}", all.join(", "))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::{dispatch, setup::Skill};

    fn setup() -> Setup {
        let skill = |name: &str| (name.to_string(), Skill { text: format!("text of {name}"), ..Skill::default() });
        Setup { skills: ["a", "b", "c", "d"].map(skill).into(), ..Setup::default() }
    }

    fn uses(rows: &[(char, &str)]) -> Vec<SkillUse> {
        let names = |names: &str| names.split_whitespace().map(ToString::to_string).collect();
        let one = |(mode, text): &(char, &str)| match mode {
            'i' => SkillUse::Inject(names(text)),
            _ => SkillUse::Discover(names(text)),
        };
        rows.iter().map(one).collect()
    }

    #[test]
    fn who_names_a_skill_last_says_how_it_is_used() {
        let check = |agent: &[(char, &str)], step: &[(char, &str)], dispatch: &[&str], shown: &str| {
            let setup = setup();
            let agent = Agent { skills: uses(agent), ..Agent::default() };
            let step = Step { skills: uses(step), ..Step::default() };
            let names = dispatch.iter().map(ToString::to_string).collect();
            let dispatch = Dispatch { skills: dispatch::Skills(names), ..Dispatch::default() };
            let skills = Skills::gathered(&setup, Some(&agent), Some(&step), Some(&dispatch));
            let injected: Vec<_> = skills.injected().into_iter().map(|(name, _)| name).collect();
            let found = format!(
                "{} | {} | {}",
                injected.join(" "),
                skills.discoverable().join(" "),
                skills.unknown().join(" ")
            );
            assert_eq!(found, shown);
        };
        check(&[], &[], &[], " |  | ");
        check(&[('i', "a"), ('d', "b")], &[], &[], "a | b | ");
        check(&[], &[('i', "a"), ('d', "b")], &[], "a | b | ");
        check(&[('i', "a b")], &[('i', "c")], &[], "a b c |  | ");
        check(&[('i', "a"), ('d', "b")], &[('d', "a"), ('i', "b")], &[], "b | a | ");
        check(&[('d', "a b")], &[('i', "b c")], &["a"], "a b c |  | ");
        check(&[('i', "a")], &[('i', "a")], &["a", "a"], "a |  | ");
        check(&[], &[], &["c, a", " ", "nope,,nope"], "c a |  | nope");
        // A workflow that names one which is not there was linted; it has no text.
        check(&[('i', "x")], &[('d', "y")], &[], " | y | ");
    }

    #[test]
    fn a_program_is_given_what_it_could_not_ask_for() {
        let setup = setup();
        let runtime = Runtime::Command { argv: Vec::from(["coder".into()]), timeout_minutes: 1 };
        let agent = Agent { skills: uses(&[('d', "a"), ('i', "b")]), runtime, ..Agent::default() };
        let skills = Skills::gathered(&setup, Some(&agent), None, None);
        assert_eq!(skills.injected(), [("a", "text of a"), ("b", "text of b")]);
        assert!(skills.discoverable().is_empty());
    }

    #[test]
    fn only_what_may_be_asked_for_is_read() {
        let setup = setup();
        let step = Step { skills: uses(&[('d', "a nowhere"), ('i', "b")]), ..Step::default() };
        let skills = Skills::gathered(&setup, None, Some(&step), None);
        assert_eq!(skills.read("a"), Ok("text of a".into()));
        let check = |name: &str| {
            let why = skills.read(name).expect_err("it is not listed");
            assert!(why.contains("it lists a, nowhere"), "{name}: {why}");
        };
        ["b", "nowhere", "A", "", "../a"].into_iter().for_each(check);
        let none = Skills::gathered(&setup, None, None, None).read("a");
        assert_eq!(none, Err("this step has no skills to read".into()));
    }
}
