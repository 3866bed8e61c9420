//! A comment as it goes into the thread: markers on top, then the words, the sentinel, the state (decision 10).
//!
//! It lays a draft out in parts that GitHub takes. What the words say is for `text` and the agents.

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde::{Deserialize, Serialize};

use crate::{
    canonical,
    ids::Identity,
    markdown::{self, Guests},
    sentinel,
    snapshot::{Comment, ThreadSnapshot},
    stage::Draft,
    state::{self, Compacted, TooLarge, WorkflowState},
    text,
};

/// The universal bot marker: line 1 of every comment the engine posts.
pub const BOT_MARKER: &str = "<!-- bot-workflow-terminal -->";

/// What GitHub takes in one comment, counted in UTF-16 code units, the safe way to count.
pub const COMMENT_UNITS: usize = 65_536;

/// A draft laid out in parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// The words of each part, in order; never empty.
    pieces: Vec<String>,
    /// The state as it is posted, compacted where it had to be.
    state: Option<Box<WorkflowState>>,
    /// A fixed part mark, for a notice without a state.
    mark: Option<String>,
}

/// Why a draft cannot become a comment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unpostable {
    /// The state would not fit a comment of its own, whatever is left out.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The state could not be read back: it holds a number that JSON readers round.
    #[error("{0}")]
    Unwritable(String),
}

/// Lays a draft out.
///
/// The last part carries the sentinel and the state. `held_history` is how many history entries, from the
/// front, older comments hold readably, so that they may be left out.
pub(crate) fn plan(draft: &Draft, held_history: usize, guests: &Guests) -> Result<Plan, Unpostable> {
    let room = COMMENT_UNITS - HEAD_UNITS;
    let sentinel_units = draft.sentinel.as_ref().map_or(0, |config| markdown::units(&sentinel::render(config)) + 2);
    let mut tail = sentinel_units;
    let mut words = draft.words.clone();
    let mut state = draft.state.clone();
    if let Some(state) = state.as_mut() {
        let around = sentinel_units + PARTS_MAX * ID_UNITS + 2;
        let left = fit(state, room.saturating_sub(around), held_history)?;
        words.push_str(&text::left_out_for_good(left.values, left.deleted));
        tail = around + markdown::units(&state::render_block(state));
    }
    let mut pieces = markdown::pieces(&words, room, tail, guests);
    // The state stands alone where the last words leave no room for it.
    pieces.iter_mut().filter(|piece| piece.is_empty()).for_each(|piece| *piece = text::state_follows());
    Ok(Plan { pieces, state, mark: None })
}

/// Tells whether a state could be posted at all, before anything is paid for that would go with it.
pub(crate) fn would_fit(state: &WorkflowState, held_history: usize) -> Result<(), Unpostable> {
    let room = COMMENT_UNITS - HEAD_UNITS - PARTS_MAX * ID_UNITS - ENTRY_UNITS;
    fit(&mut state.clone(), room, held_history).map(|_| ())
}

fn fit(state: &mut WorkflowState, limit: usize, held_history: usize) -> Result<Compacted, Unpostable> {
    let left = state::compact(state, limit, held_history)?;
    canonical::digest(state).map_err(|refusal| Unpostable::Unwritable(refusal.to_string()))?;
    Ok(left)
}

impl Plan {
    /// Lays out a notice that carries no state and is known by a fixed part mark.
    pub(crate) fn bare(draft: &Draft, mark: String) -> Self {
        Self { pieces: Vec::from([draft.words.clone()]), state: None, mark: Some(mark) }
    }

    /// Gives how many comments it takes.
    pub(crate) fn parts(&self) -> usize {
        self.pieces.len()
    }

    /// Gives the mark and the body of the part after those that are posted.
    pub(crate) fn part(&self, draft: &Draft, posted: &[u64]) -> (String, String) {
        let place = posted.len().min(self.pieces.len().saturating_sub(1));
        let piece = self.pieces.get(place).map(String::as_str).unwrap_or_default();
        let mark = match (&self.mark, &self.state) {
            (Some(mark), _) => mark.clone(),
            (None, Some(state)) => {
                let label = draft.agent.as_deref().map_or("notice", |_| step_label(state));
                part_mark(&state.run_id.to_string(), label, place + 1, piece)
            }
            (None, None) => part_mark("0", "notice", place + 1, piece),
        };
        let mut body = head(draft.agent.as_deref(), draft.mark.as_deref(), &mark);
        body.push_str(piece);
        if place + 1 == self.pieces.len() {
            self.push_tail(&mut body, draft, posted);
        }
        (mark, body)
    }

    fn push_tail(&self, body: &mut String, draft: &Draft, posted: &[u64]) {
        if let Some(config) = &draft.sentinel {
            body.push_str("\n\n");
            body.push_str(&sentinel::render(config));
        }
        if let Some(state) = self.state_with(draft, posted) {
            body.push_str("\n\n");
            body.push_str(&state::render_block(&state));
        }
    }

    /// Gives the digest of the state as it was posted, `posted` being all ids of the comment's parts.
    pub(crate) fn carried(&self, draft: &Draft, posted: &[u64]) -> Option<String> {
        let earlier = posted.split_last().map(|(_, earlier)| earlier).unwrap_or_default();
        let state = self.state_with(draft, earlier)?;
        canonical::digest(&*state).ok()
    }

    /// Gives the state with the ids of the parts before the one that carries it.
    fn state_with(&self, draft: &Draft, earlier: &[u64]) -> Option<Box<WorkflowState>> {
        let mut state = self.state.clone()?;
        if draft.agent.is_some() {
            state.name_output(earlier);
        }
        Some(state)
    }
}

/// Gives the step whose output a state's newest entry is.
fn step_label(state: &WorkflowState) -> &str {
    state.history.last().map(|entry| entry.step.as_str()).unwrap_or("step")
}

/// Gives the first lines of a comment: the markers that say whose it is, and the part mark.
fn head(agent: Option<&str>, own: Option<&str>, mark: &str) -> String {
    let agent_line = agent.map(|agent| format!("<!-- bot-agent-{agent} -->\n")).unwrap_or_default();
    let own_line = own.map(|own| format!("<!-- {own} -->\n")).unwrap_or_default();
    format!("{BOT_MARKER}\n{agent_line}{own_line}<!-- nebuko-part: {mark} -->\n\n")
}

/// Makes a mark by which a part is found again in the thread: `RUN/STEP/PART/DIGEST` (decision 9.4).
pub(crate) fn part_mark(run: &str, step: &str, part: usize, words: &str) -> String {
    let plain: String = step.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')).collect();
    let plain = plain.get(..STEP_UNITS.min(plain.len())).unwrap_or_default();
    format!("{run}/{plain}/{part}/{}", &canonical::sha256_hex(words.as_bytes())[..16])
}

/// Tells whether a body has the head of one of our parts.
pub(crate) fn looks_like_part(body: &str) -> bool {
    let is_mark = |line: &str| line.starts_with("<!-- nebuko-part: ");
    body.starts_with(BOT_MARKER) && body.lines().take(HEAD_LINES).any(is_mark)
}

/// Finds a part that is in the thread already: by its mark, newer than `after`, and the engine's own where its
/// account is known. The lowest id counts; later ones can only be copies.
pub(crate) fn find_part<'a>(
    thread: &'a ThreadSnapshot,
    mark: &str,
    actor: Option<&Identity>,
    after: u64,
) -> Option<&'a Comment> {
    let line = format!("<!-- nebuko-part: {mark} -->");
    let is_ours = |comment: &&Comment| actor.is_none_or(|actor| actor.is_same_as(comment.user.id, &comment.user.login));
    thread
        .comments
        .iter()
        .filter(|comment| comment.id > after && comment.body.starts_with(BOT_MARKER))
        .filter(is_ours)
        .filter(|comment| comment.body.lines().take(HEAD_LINES).any(|found| found == line))
        .min_by_key(|comment| comment.id)
}

/// Gives the newest comment that a run's state of a number was posted in, or 0.
pub(crate) fn newest_of_run(thread: &ThreadSnapshot, run_id: u64, actor: Option<&Identity>) -> u64 {
    let mark = format!("<!-- nebuko-part: {run_id}/");
    let is_ours = |comment: &&Comment| actor.is_some_and(|own| own.is_same_as(comment.user.id, &comment.user.login));
    let has_mark = |comment: &&Comment| comment.body.lines().take(HEAD_LINES).any(|line| line.starts_with(&mark));
    let posted = thread.comments.iter().filter(|comment| comment.body.starts_with(BOT_MARKER));
    posted.filter(is_ours).filter(has_mark).map(|comment| comment.id).max().unwrap_or(0)
}

/// Gives the body of a comment that lost to another: its words stay for people, as a notice that no agent is
/// shown; its state and sentinel go.
pub(crate) fn superseded(body: &str, note: &str) -> String {
    let words = markdown::without_engine_text(body);
    format!("{BOT_MARKER}\n\n{note}\n\n{words}")
}

/// Gives the body of one of our comments with other words between its head and its tail, which stay as they are.
///
/// Words that would not fit are cut with a note: the comment is one, and stays one.
pub(crate) fn rewritten(body: &str, words: &str, guests: &Guests) -> String {
    let (head, rest) = body.split_at(head_end(body));
    let tail = &rest[tail_start(rest)..];
    let room = COMMENT_UNITS.saturating_sub(markdown::units(head) + markdown::units(tail) + NOTE_UNITS).max(200);
    let mut pieces = markdown::pieces(words, room, 0, guests).into_iter();
    let mut text = pieces.next().unwrap_or_default();
    if pieces.next().is_some() {
        text.push_str(&text::words_cut());
    }
    let between = if tail.is_empty() { "" } else { "\n\n" };
    format!("{head}{text}{between}{tail}")
}

/// Finds the end of the markers on a body's first lines.
fn head_end(body: &str) -> usize {
    let lines = body.split_inclusive('\n').take(HEAD_LINES + 1);
    lines.take_while(|line| line.starts_with("<!--") || line.trim().is_empty()).map(str::len).sum()
}

/// Finds where the sentinel and the state begin, or the end. What is posted holds neither word anywhere else.
fn tail_start(text: &str) -> usize {
    let sentinel = text.find(&format!("<!-- {} ", markdown::SENTINEL));
    let state = text.find(&format!("<!-- {} -->", markdown::STATE_START));
    let folded = state.map(|at| text[..at].rfind("<details>").unwrap_or(at));
    sentinel.into_iter().chain(folded).min().unwrap_or(text.len())
}

/// Tells whether a body came back as it was sent, line ends and outer white space aside.
pub(crate) fn is_same_text(sent: &str, got: &str) -> bool {
    sent.trim().lines().eq(got.trim().lines())
}

/// The head's lines at most: three markers and the part mark.
const HEAD_LINES: usize = 4;
/// The head's size at most: three marker lines with a role and a step of bounded length.
const HEAD_UNITS: usize = 512;
/// The note on words that were cut, and white space, at most.
const NOTE_UNITS: usize = 200;
/// A step's name in a part mark, at most.
const STEP_UNITS: usize = 64;
/// A report is cut before it takes more parts than this; see `settle`.
const PARTS_MAX: usize = 32;
/// What a step adds to the state and the sentinel, at most: its texts are bounded where they come in.
const ENTRY_UNITS: usize = 8_000;
/// A comment id and its comma, at most.
const ID_UNITS: usize = 21;
