//! The workflows and agents that are compiled in, for a repository that brings none of its own.
//!
//! They are files like any other: `workflows/` in this repository holds their text.

/// The workflows: file name and text.
pub const WORKFLOWS: &[(&str, &str)] = &[
    ("default.yaml", include_str!("../workflows/default.yaml")),
    ("bugfix.yaml", include_str!("../workflows/bugfix.yaml")),
    ("refine.yaml", include_str!("../workflows/refine.yaml")),
    ("review-only.yaml", include_str!("../workflows/review-only.yaml")),
    ("spec-driven.yaml", include_str!("../workflows/spec-driven.yaml")),
    ("spec-driven-impl.yaml", include_str!("../workflows/spec-driven-impl.yaml")),
];

/// The agents: file name and prompt. A role is the file's stem.
pub const AGENTS: &[(&str, &str)] = &[
    ("agents/architect.md", include_str!("../workflows/agents/architect.md")),
    ("agents/context.md", include_str!("../workflows/agents/context.md")),
    ("agents/dev.md", include_str!("../workflows/agents/dev.md")),
    ("agents/po.md", include_str!("../workflows/agents/po.md")),
    ("agents/review.md", include_str!("../workflows/agents/review.md")),
];

/// What stands before a shipped file's name in a location.
pub const LOCATION: &str = "built-in:";

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString, vec::Vec};

    use super::*;
    use crate::workflow;

    #[test]
    fn every_shipped_workflow_reads_and_every_role_in_it_has_a_prompt() {
        for (file, text) in WORKFLOWS {
            let read = workflow::parse(&format!("{LOCATION}{file}"), text).expect("a shipped workflow has no mistakes");
            for step in read.steps.iter().filter(|step| step.agent().is_some()) {
                let prompt = format!("agents/{}.md", step.role());
                assert!(AGENTS.iter().any(|(name, _)| *name == prompt), "{file}: {} has no {prompt}", step.name);
            }
        }
    }

    #[test]
    fn a_prompt_holds_nothing_that_the_engine_would_act_on() {
        for (file, text) in AGENTS {
            assert!(text.lines().count() >= 20, "{file} says too little");
            for active in ["<!--", "{{", "\n/nebuko", "\n@@"] {
                assert!(!text.contains(active), "{file} holds {active:?}");
            }
        }
    }

    #[test]
    fn only_an_approval_ends_the_default_workflow() {
        let (file, text) = WORKFLOWS[0];
        let read = workflow::parse(file, text).expect("a shipped workflow has no mistakes");
        let names: Vec<_> = read.steps.iter().map(|step| step.name.to_string()).collect();
        assert_eq!(names, ["analyze", "context", "plan", "dev", "review"]);
        let ends: Vec<_> = read.steps.iter().flat_map(|step| &step.conditions).filter(|c| c.next.is_none()).collect();
        assert_eq!(ends.len(), 1);
        assert_eq!(ends[0].on_result, "approved");
    }
}
