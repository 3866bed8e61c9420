//! What people see: results on standard output, moments and warnings on standard error.
//!
//! A reader who has seen enough and closes the pipe is no error. Control characters from a thread do not reach a
//! terminal, where they could move the cursor or change what was written before.

use std::{
    borrow::Cow,
    fmt::Display,
    io::{self, IsTerminal, Write},
};

use anstyle::{AnsiColor, Style};
use nebuko::{
    effect::Level,
    event::{Event, FailureKind, Outcome},
    snapshot::ThreadSnapshot,
};

use crate::{
    args::ColorWhen,
    error::{Error, causes},
    run::Observer,
};

/// Prints a result on standard output. To a terminal it goes without control characters, else byte for byte.
///
/// # Errors
/// The output cannot be written, for another reason than that nobody reads it any more.
pub fn print(text: &str) -> Result<(), Error> {
    let shown = if io::stdout().is_terminal() { visible(text) } else { Cow::Borrowed(text) };
    print_styled(&shown)
}

/// Prints a text with our own styles in it, which go only where colours are wanted.
///
/// # Errors
/// As [`print()`].
pub fn print_styled(text: &str) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::failed("write the output", causes(&error), "free some space, or write it elsewhere"))
        }
        _ => Ok(()),
    }
}

/// Decides about colours for the whole program.
pub fn color(when: ColorWhen) {
    match when {
        ColorWhen::Auto => anstream::ColorChoice::Auto,
        ColorWhen::Always => anstream::ColorChoice::Always,
        ColorWhen::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Shows the moments of a run on standard error.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Whether only warnings are shown.
    pub quiet: bool,
}

impl Term {
    /// Shows a line that somebody tells.
    pub fn tell(self, level: Level, text: &str) {
        match level {
            Level::Warning => self.line(YELLOW, "!", text),
            Level::Stage if !self.quiet => self.line(CYAN, "●", text),
            Level::Info if !self.quiet => self.line(Style::new(), " ", &format!("{DIM}{}{DIM:#}", line(text))),
            Level::Stage | Level::Info => {}
        }
    }

    /// Shows what was done.
    pub fn done(self, text: &str) {
        if !self.quiet {
            self.line(GREEN, "✓", text);
        }
    }

    /// Shows an error with everything it says.
    pub fn error(self, error: &Error) {
        let text = error.to_string();
        let shown = visible(&text);
        // Where even this cannot be written there is nobody left to tell.
        let _ = writeln!(anstream::stderr(), "{RED}error:{RED:#} {shown}");
    }

    fn line(self, style: Style, mark: &str, text: &str) {
        let text = if style == Style::new() { Cow::Borrowed(text) } else { line(text) };
        let _ = writeln!(anstream::stderr(), "{style}{mark}{style:#} {text}");
    }
}

/// Shows what came of the moments of a run, and remembers the last failure. The moments themselves are told by the core.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    term: Term,
    /// Whether the first reading was shown. A run reads again to be sure of things; that is no news.
    read: bool,
    failed: Option<FailureKind>,
}

impl Progress {
    /// Shows the moments of a run.
    pub fn new(term: Term) -> Self {
        Self { term, read: false, failed: None }
    }

    /// Gives what is known of the last effect that failed.
    pub fn last_failure(&self) -> Option<FailureKind> {
        self.failed
    }
}

impl Observer for Progress {
    fn came(&mut self, event: &Event, thread: &ThreadSnapshot) {
        let Event::Answered { outcome, .. } = event else {
            return;
        };
        match outcome {
            Outcome::ThreadRead if self.read => {}
            Outcome::ThreadRead => {
                self.read = true;
                let count = thread.comments.len();
                let many = if count == 1 { "" } else { "s" };
                self.term.done(&format!("read #{} with {count} comment{many}", thread.issue.number));
            }
            Outcome::Completed { took_ms, .. } => self.term.done(&format!("answered after {}", seconds(*took_ms))),
            Outcome::Failed { failure } => self.failed = Some(failure.kind),
            // The core tells about these itself.
            Outcome::CommentPosted { .. }
            | Outcome::CommentEdited { .. }
            | Outcome::ViewerRead { .. }
            | Outcome::Told => {}
        }
    }
}

/// Aligns the columns of a table; the last one is as long as it is.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        for (cell, width) in row.iter().zip(&widths).take(row.len().saturating_sub(1)) {
            text.push_str(&format!("{cell:width$}  "));
        }
        text.push_str(row.last().map_or("", String::as_str));
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

/// Writes milliseconds for people.
fn seconds(ms: u64) -> String {
    if ms < 1_000 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1_000, ms % 1_000 / 100) }
}

/// Writes a value in bold.
pub fn bold(value: impl Display) -> String {
    format!("{BOLD}{value}{BOLD:#}")
}

/// Shows control characters, but line ends and tabs, as a replacement character.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, |sign| is_control(sign) && !matches!(sign, '\n' | '\t'))
}

/// Shows a text on one line.
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, is_control)
}

fn replaced(text: &str, bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&bad) {
        Cow::Owned(text.chars().map(|sign| if bad(sign) { '\u{fffd}' } else { sign }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Control characters, and the ones that turn the direction of a line or end it.
fn is_control(sign: char) -> bool {
    sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const CYAN: Style = AnsiColor::Cyan.on_default();
const RED: Style = AnsiColor::Red.on_default().bold();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_reaches_a_terminal() {
        let check = |text: &str, whole: &str, on_one_line: &str| {
            assert_eq!((visible(text).as_ref(), line(text).as_ref()), (whole, on_one_line), "{text:?}");
        };
        check("plain, 日本", "plain, 日本", "plain, 日本");
        check("a\nb\tc", "a\nb\tc", "a\u{fffd}b\u{fffd}c");
        check("\u{1b}[2J\u{7}", "\u{fffd}[2J\u{fffd}", "\u{fffd}[2J\u{fffd}");
        check("a\u{9b}b\u{202e}c", "a\u{fffd}b\u{fffd}c", "a\u{fffd}b\u{fffd}c");
        check("a\rb", "a\u{fffd}b", "a\u{fffd}b");
    }

    #[test]
    fn columns_stand_below_each_other() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let rows = [row(&["ID", "WHO", "WHY"]), row(&["12345", "é", ""]), row(&["1", "", "long enough"])];
        assert_eq!(table(&rows), "ID     WHO  WHY\n12345  é\n1           long enough\n");
        assert_eq!(table(&[]), "");
    }

    #[test]
    fn times_are_short() {
        let check = |ms: u64, text: &str| assert_eq!(seconds(ms), text);
        check(0, "0 ms");
        check(999, "999 ms");
        check(1_000, "1.0 s");
        check(61_999, "61.9 s");
    }
}
