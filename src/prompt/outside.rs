//! The engine's contract with an outside program, which has none of the tools that a model ends its work with.

use super::{Block, CONTRACT, Origin};

/// Tells an outside program how it ends its work, in the place of what models are told.
pub(crate) fn for_a_program(blocks: &mut [Block<'_>]) {
    let shared = CONTRACT.split_once(ENDING_OF_MODELS).map_or(CONTRACT, |(shared, _)| shared);
    for block in blocks.iter_mut().filter(|block| block.origin == Origin::Engine) {
        block.text = alloc::format!("{shared}{ENDING}").into();
    }
}

/// Where the contract begins to speak of tools.
const ENDING_OF_MODELS: &str = "End your work with the tools:";

const ENDING: &str = "\
You are a program, started in the checkout of the repository. What you write to standard output is your report, as \
markdown. It is posted to the thread as it is, so write it for the people who read there, and nothing else with it. \
Where `## Report` lists fields, write each under a heading of its own, in the order of the list: `open_questions` \
stands under `## Open questions`.

The last line of the output may say how the step ended and what should follow. It is then one JSON object on one line, \
and no part of the report:

    {\"dispatch\": {\"status\": \"advance\", \"reason\": \"why, in a sentence\"}, \"result\": \"approved\"}

- `status` is `advance`, `loop` to run the step again, `hold` to wait for a person, or `terminate` to end the workflow.
- `dispatch` also takes `branch`, `task_hint`, `workflow`, `step`, `complexity`, `reasoning` and `pin`; `result` is a \
short key for routing. All of them may be left out.
- Without such a line the step advances. A line that cannot be read holds the workflow.
- Any exit code but 0 says that the step failed.

Do not write engine markers, workflow state, `/nebuko` commands or `@@` mentions into the report: they have no effect there.

";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{agent::Role, prompt::BlockTrust};

    #[test]
    fn a_program_is_told_everything_but_the_tools() {
        let engine = Block::new(Role::System, Origin::Engine, BlockTrust::Engine, CONTRACT);
        let other = Block::user(Origin::Context, BlockTrust::Agent, CONTRACT);
        let mut blocks = [engine, other.clone()];
        for_a_program(&mut blocks);
        let text = &blocks[0].text;
        let (shared, _) = CONTRACT.split_once(ENDING_OF_MODELS).expect("the contract speaks of tools");
        assert!(text.starts_with(shared) && text.contains("standard output") && text.ends_with("\n\n"), "{text}");
        assert!(!text.contains("dispatch_next") && !text.contains("`finish`"), "{text}");
        assert_eq!(blocks[1], other);
    }
}
