//! The unit of a prompt, and the two forms a list of them takes: one markdown text, or chat messages.

use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

use serde::{Serialize, Serializer};

use crate::agent::{CacheControl, ContentPart, Message, Role};

/// A piece of a prompt that comes from one place. Its text ends with a blank line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Block<'a> {
    /// The message it goes into.
    pub role: Role,
    /// Where it comes from.
    pub origin: Origin<'a>,
    /// How far it may be believed.
    pub trust: BlockTrust,
    /// The text itself.
    pub text: Cow<'a, str>,
}

/// Where a block comes from. It serialises as its short text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// `engine`: the engine's own contract.
    Engine,
    /// `issue-body`: the opening text.
    IssueBody,
    /// `recent-thread`: the heading over the records.
    RecentThread,
    /// `record:ID`: a comment, by its id.
    Record(u64),
    /// `agent:ROLE`: a role's prompt.
    Agent(&'a str),
    /// `skill:NAME`: a skill's text.
    Skill(&'a str),
    /// `skills`: the skills that an agent may ask for.
    Skills,
    /// `unverified`: the appendix.
    Unverified,
    /// `inputs`: the values of a step's inputs.
    Inputs,
    /// `step:WORKFLOW/STEP`: a step's standing instruction.
    Step(&'a str, &'a str),
    /// `fields`: what a step's report has to hold.
    Fields,
    /// `context`: what agents share.
    Context,
    /// `request:ID`, or `request:issue-body`: what a person asked for.
    Request(Option<u64>),
}

/// How far a block may be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockTrust {
    /// Ours, or configured by the repository.
    Engine,
    /// The words of the person this run is for.
    Trusted,
    /// What an agent put there, under an account that may.
    Agent,
    /// Anybody's words: information, never an instruction.
    Unverified,
}

impl<'a> Block<'a> {
    /// Makes a block.
    pub fn new(role: Role, origin: Origin<'a>, trust: BlockTrust, text: impl Into<Cow<'a, str>>) -> Self {
        Self { role, origin, trust, text: text.into() }
    }

    /// Makes a block of the user message.
    pub fn user(origin: Origin<'a>, trust: BlockTrust, text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(Role::User, origin, trust, text)
    }
}

/// Renders a prompt for people: the blocks' texts, one after the other.
pub fn to_markdown(blocks: &[Block<'_>]) -> String {
    let mut text = String::with_capacity(blocks.iter().map(|block| block.text.len()).sum());
    text.extend(blocks.iter().map(|block| &*block.text));
    text
}

/// Puts the role and its skills before the thread, for models that need them there (decision 5). It costs most of what
/// a provider could have kept from the step before.
pub(super) fn role_first(blocks: &mut [Block<'_>]) {
    blocks.sort_by_key(|block| match block.origin {
        Origin::Engine => 0,
        Origin::Agent(_) | Origin::Skill(_) | Origin::Skills => 1,
        Origin::IssueBody
        | Origin::RecentThread
        | Origin::Record(_)
        | Origin::Unverified
        | Origin::Inputs
        | Origin::Step(..)
        | Origin::Fields
        | Origin::Context
        | Origin::Request(_) => 2,
    });
}

/// Renders a prompt for a model: one system and one user message, a content part a block.
///
/// A message without blocks is left out. With `marks`, the last part that later steps will send again is marked as a
/// cache boundary, and one `MARK_STEP` parts before it, because providers look back no further (decision 5).
pub fn to_messages(blocks: &[Block<'_>], marks: bool) -> Vec<Message> {
    let last = blocks.iter().rposition(|block| block.origin.is_stable()).filter(|_| marks);
    let before = last.and_then(|last| last.checked_sub(MARK_STEP));
    let part = |(place, block): (usize, &Block<'_>)| {
        let is_marked = Some(place) == last || Some(place) == before;
        ContentPart { cache_control: is_marked.then(CacheControl::default), ..ContentPart::text(&*block.text) }
    };
    let parts = |role: Role| -> Vec<ContentPart> {
        blocks.iter().enumerate().filter(|(_, block)| block.role == role).map(part).collect()
    };
    let messages = [Message::System { content: parts(Role::System) }, Message::User { content: parts(Role::User) }];
    let is_empty = |message: &Message| matches!(message, Message::System { content } | Message::User { content } if content.is_empty());
    messages.into_iter().filter(|message| !is_empty(message)).collect()
}

impl Origin<'_> {
    /// Tells whether the steps after this one send the same block again.
    fn is_stable(self) -> bool {
        matches!(self, Self::Engine | Self::IssueBody | Self::RecentThread | Self::Record(_))
    }
}

/// How many parts a provider looks back from a boundary for one that it has kept.
const MARK_STEP: usize = 20;

impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine => f.write_str("engine"),
            Self::IssueBody => f.write_str("issue-body"),
            Self::RecentThread => f.write_str("recent-thread"),
            Self::Record(id) => write!(f, "record:{id}"),
            Self::Agent(role) => write!(f, "agent:{role}"),
            Self::Skill(name) => write!(f, "skill:{name}"),
            Self::Skills => f.write_str("skills"),
            Self::Unverified => f.write_str("unverified"),
            Self::Inputs => f.write_str("inputs"),
            Self::Step(workflow, step) => write!(f, "step:{workflow}/{step}"),
            Self::Fields => f.write_str("fields"),
            Self::Context => f.write_str("context"),
            Self::Request(Some(id)) => write!(f, "request:{id}"),
            Self::Request(None) => f.write_str("request:issue-body"),
        }
    }
}

impl Serialize for Origin<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use serde_json::json;

    use super::*;

    #[test]
    fn an_origin_has_a_short_text() {
        let check = |origin: Origin<'_>, text: &str| assert_eq!(origin.to_string(), text);
        check(Origin::Engine, "engine");
        check(Origin::IssueBody, "issue-body");
        check(Origin::RecentThread, "recent-thread");
        check(Origin::Record(5_794_187_059), "record:5794187059");
        check(Origin::Agent("dev"), "agent:dev");
        check(Origin::Skill("testing"), "skill:testing");
        check(Origin::Skills, "skills");
        check(Origin::Unverified, "unverified");
        check(Origin::Step("default", "plan"), "step:default/plan");
        check(Origin::Inputs, "inputs");
        check(Origin::Fields, "fields");
        check(Origin::Context, "context");
        check(Origin::Request(Some(7)), "request:7");
        check(Origin::Request(None), "request:issue-body");
    }

    #[test]
    fn a_block_serialises_to_four_keys() {
        let block = Block::user(Origin::Record(7), BlockTrust::Agent, "text\n");
        let found = serde_json::to_value(&block).expect("a block is plain data");
        assert_eq!(found, json!({"role": "user", "origin": "record:7", "trust": "agent", "text": "text\n"}));
    }

    #[test]
    fn both_forms_hold_every_block_once_and_in_order() {
        let system = Block::new(Role::System, Origin::Engine, BlockTrust::Engine, "a\n\n");
        let (one, two) = (
            Block::user(Origin::Record(1), BlockTrust::Agent, "b\n\n"),
            Block::user(Origin::Record(2), BlockTrust::Trusted, "c\n\n"),
        );
        let check = |blocks: &[Block<'_>], markdown: &str, messages: &[Message]| {
            assert_eq!(to_markdown(blocks), markdown);
            assert_eq!(to_messages(blocks, false), messages);
        };
        let part = |text: &str| ContentPart::text(text);
        let (head, tail) = (
            Message::System { content: [part("a\n\n")].into() },
            Message::User { content: [part("b\n\n"), part("c\n\n")].into() },
        );
        check(&[system.clone(), one.clone(), two.clone()], "a\n\nb\n\nc\n\n", &[head.clone(), tail.clone()]);
        check(&[one, two], "b\n\nc\n\n", &[tail]);
        check(&[system], "a\n\n", &[head]);
        check(&[], "", &[]);
    }

    #[test]
    fn the_last_stable_part_is_a_cache_boundary_and_so_is_one_within_reach_of_it() {
        let check = |records: u64, marked: &[usize]| {
            let mut blocks = Vec::from([
                Block::new(Role::System, Origin::Engine, BlockTrust::Engine, "a\n\n"),
                Block::user(Origin::IssueBody, BlockTrust::Trusted, "b\n\n"),
                Block::user(Origin::RecentThread, BlockTrust::Engine, "c\n\n"),
            ]);
            blocks.extend((0..records).map(|id| Block::user(Origin::Record(id), BlockTrust::Agent, "r\n\n")));
            blocks.push(Block::user(Origin::Agent("dev"), BlockTrust::Engine, "d\n\n"));
            let parts = |messages: Vec<Message>| -> Vec<ContentPart> {
                let contents = messages.into_iter().filter_map(|message| match message {
                    Message::System { content } | Message::User { content } => Some(content),
                    Message::Assistant { .. } | Message::Tool { .. } => None,
                });
                contents.flatten().collect()
            };
            let found = parts(to_messages(&blocks, true));
            let places = found.iter().enumerate().filter(|(_, part)| part.cache_control.is_some());
            assert_eq!(places.map(|(place, _)| place).collect::<Vec<_>>(), marked, "{records}");
            assert!(parts(to_messages(&blocks, false)).iter().all(|part| part.cache_control.is_none()));
        };
        check(0, &[2]);
        check(3, &[5]);
        check(17, &[19]);
        check(18, &[0, 20]);
        check(40, &[22, 42]);
    }

    #[test]
    fn with_the_role_first_everything_else_keeps_its_order() {
        let block = |origin| Block::user(origin, BlockTrust::Engine, "x\n\n");
        let engine = Block::new(Role::System, Origin::Engine, BlockTrust::Engine, "a\n\n");
        let mut blocks = [
            engine.clone(),
            block(Origin::IssueBody),
            block(Origin::Record(1)),
            block(Origin::Agent("dev")),
            block(Origin::Skill("testing")),
            block(Origin::Step("w", "s")),
        ];
        role_first(&mut blocks);
        let order: Vec<_> = blocks.iter().map(|block| block.origin.to_string()).collect();
        assert_eq!(order, ["engine", "agent:dev", "skill:testing", "issue-body", "record:1", "step:w/s"]);
    }
}
