//! The markers at the top of a comment that say a bot wrote it (reference: Bot Marker Conventions).
//!
//! The words of all our markers stand here once. Whether the account may be believed is for `thread`: anybody can write a marker.

use memchr::memmem;

use super::{Scan, scan::BYTE_ORDER_MARK};

/// What the comment says that opens a state block.
pub(crate) const STATE_START: &str = "WORKFLOW_STATE_START";
/// What the comment says that closes it.
pub(crate) const STATE_END: &str = "WORKFLOW_STATE_END";
/// What a sentinel starts with.
pub(crate) const SENTINEL: &str = "AGENT_RUN_CONFIG";
/// What the engine's comments start with, the state's aside.
pub(super) const MARKS: [&str; 5] = [TERMINAL, AGENT, "nebuko-part", SENTINEL, PO_STATE];
/// The whole of the marker that says a bot wrote a comment.
pub(super) const TERMINAL: &str = "bot-workflow-terminal";
/// What stands before the round and status of a refinement.
pub(crate) const PO_STATE: &str = "po-agent-state: ";
/// What stands before the agent's name.
const AGENT: &str = "bot-agent-";

/// The markers a body carries at top level, each at the start of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Markers<'a> {
    /// Whether `<!-- bot-workflow-terminal -->` is there.
    pub terminal: bool,
    /// The name in the first `<!-- bot-agent-NAME -->`.
    pub agent: Option<&'a str>,
    /// What stands in the first `<!-- po-agent-state: … -->`: `round=N,status=S`.
    pub po_state: Option<&'a str>,
}

/// Finds the markers of a body.
///
/// Comments on the first lines decide where a marker is among them: that is where it is written, and the
/// rest need not be read. Else the whole body is scanned, if it has a marker's first letters at all.
pub fn markers(body: &str) -> Markers<'_> {
    if memmem::find(body.as_bytes(), b"<!--").is_none() || !has_mark(body) {
        return Markers::default();
    }
    let mut found = Markers::default();
    for comment in head(body) {
        found.take(comment);
    }
    if !found.any() {
        for range in Scan::new(body).comments() {
            found.take(&body[range.clone()]);
        }
    }
    found
}

impl<'a> Markers<'a> {
    /// Tells whether there is any.
    pub fn any(&self) -> bool {
        self.terminal || self.agent.is_some()
    }

    fn take(&mut self, comment: &'a str) {
        let inside = comment.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")).unwrap_or_default();
        let inside = inside.trim_matches([' ', '\t']);
        self.terminal |= inside == TERMINAL;
        if let Some(name) = inside.strip_prefix(AGENT).filter(|name| is_name(name)) {
            self.agent = self.agent.or(Some(name));
        }
        if let Some(state) = inside.strip_prefix(PO_STATE) {
            self.po_state = self.po_state.or(Some(state));
        }
    }
}

/// Gives the comments that stand alone on the first lines, which nothing before them can put in doubt.
fn head(body: &str) -> impl Iterator<Item = &str> {
    body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body).split(['\n', '\r']).map_while(|line| {
        let text = line.trim_start_matches(' ');
        let text = if line.len() - text.len() < 4 { text.trim_end_matches([' ', '\t']) } else { line };
        let end = text.get(2..).filter(|_| text.starts_with("<!--")).and_then(|rest| rest.find("-->"));
        (text.is_empty() || end.is_some_and(|end| end + 5 == text.len())).then_some(text)
    })
}

fn has_mark(body: &str) -> bool {
    ["bot-", PO_STATE].iter().any(|mark| memmem::find(body.as_bytes(), mark.as_bytes()).is_some())
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_count_at_the_start_of_a_top_level_line() {
        let check = |body: &str, terminal: bool, agent: Option<&str>| {
            for end in ["\n", "\r\n", "\r"] {
                let body = body.replace('\n', end);
                assert_eq!(markers(&body), Markers { terminal, agent, po_state: None }, "{body:?}");
            }
        };
        check("<!-- bot-workflow-terminal -->\n<!-- bot-agent-dev -->", true, Some("dev"));
        check(
            "<!-- bot-workflow-terminal -->\n<!-- nebuko-part: a -->\n<!-- bot-agent-a_B-9 -->\ntext",
            true,
            Some("a_B-9"),
        );
        check("<!-- bot-workflow-terminal -->\n\ntext `", true, None);
        check("text\n<!-- bot-workflow-terminal -->", true, None);
        check("<!-- x -->\ntext\n\n  <!-- bot-agent-dev -->", false, Some("dev"));
        check("<!-- bot-agent-one -->\n<!-- bot-agent-two -->", false, Some("one"));
        check("\u{feff}<!-- bot-workflow-terminal -->\ntext", true, None);
        check("\u{feff}text\n\n<!-- bot-agent-dev -->", false, Some("dev"));
        check("\u{feff}> <!-- bot-agent-dev -->", false, None);
        check("> <!-- bot-workflow-terminal -->\n> <!-- bot-agent-dev -->\n\nplease redo this", false, None);
        check("```\n<!-- bot-agent-dev -->\n```\nis this the right marker?", false, None);
        check("    <!-- bot-agent-dev -->", false, None);
        check("`<!-- bot-agent-dev -->`", false, None);
        check("text <!-- bot-agent-dev -->", false, None);
        check("<!-- x\n<!-- bot-agent-dev -->", false, None);
        check("<!-- bot-agent-dev", false, None);
        check("<!-- bot-agent- -->", false, None);
        check("<!-- bot-agent-a b -->", false, None);
        check("bot-agent-dev", false, None);
        check("", false, None);
    }
}
