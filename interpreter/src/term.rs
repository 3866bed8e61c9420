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
use nebuko::{effect::Level, ids::Identity, snapshot::ThreadSnapshot};

use crate::{
    args::ColorWhen,
    error::{Error, causes},
};

mod progress;
mod waiting;

pub use progress::{Failed, Progress};
pub use waiting::Waiting;

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
    /// Whether a runner of GitHub Actions reads along and obeys what looks like a workflow command.
    pub in_actions: bool,
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

    /// Prints a result on standard output. To a terminal and a job's log it goes without control characters, else byte
    /// for byte.
    ///
    /// # Errors
    /// The output cannot be written, for another reason than that nobody reads it any more.
    pub fn print(self, text: &str) -> Result<(), Error> {
        let shown = if self.in_actions || io::stdout().is_terminal() { visible(text) } else { Cow::Borrowed(text) };
        self.print_styled(&shown)
    }

    /// Prints a text with our own styles in it, which go only where colours are wanted.
    ///
    /// # Errors
    /// As [`Term::print`].
    pub fn print_styled(self, text: &str) -> Result<(), Error> {
        write_out(&self.harmless(text))
    }

    /// Prints a JSON document, which is for scripts: its value is the same everywhere.
    ///
    /// # Errors
    /// As [`Term::print`].
    pub fn document(self, text: &str) -> Result<(), Error> {
        let shown = if io::stdout().is_terminal() { visible(text) } else { Cow::Borrowed(text) };
        write_out(&if self.in_actions { Cow::Owned(shown.replace(OLD_COMMAND, "#\\u0023[")) } else { shown })
    }

    /// Prints annotations for a runner of GitHub Actions: the one thing that it is meant to obey.
    ///
    /// # Errors
    /// As [`Term::print`].
    pub fn annotations(self, text: &str) -> Result<(), Error> {
        write_out(&visible(text))
    }

    fn harmless(self, text: &str) -> Cow<'_, str> {
        if self.in_actions { without_workflow_commands(text) } else { Cow::Borrowed(text) }
    }

    /// Warns where the comment that is to start a run is not in the thread.
    pub fn missing_trigger(self, thread: &ThreadSnapshot, id: u64) {
        if id != 0 && thread.comment(id).is_none() {
            let text = format!("comment {id} is to start this run, and there is no such comment in the thread");
            self.tell(Level::Warning, &text);
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
        let shown = self.harmless(&shown);
        // Where even this cannot be written there is nobody left to tell.
        let _ = writeln!(anstream::stderr(), "{RED}error:{RED:#} {shown}");
    }

    fn line(self, style: Style, mark: &str, text: &str) {
        let text = if style == Style::new() { Cow::Borrowed(text) } else { line(text) };
        // In one piece: the thread that counts the minutes writes lines as well.
        let shown = format!("{style}{mark}{style:#} {}\n", self.harmless(&text));
        let _ = anstream::stderr().lock().write_all(shown.as_bytes());
    }
}

fn write_out(text: &str) -> Result<(), Error> {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::failed("write the output", causes(&error), "free some space, or write it elsewhere"))
        }
        _ => Ok(()),
    }
}

/// Breaks what a runner of GitHub Actions would obey: `::` at the start of a line, after any blanks, and `##[`
/// wherever it stands. What a model or a stranger wrote must not set a variable or hide a line of a job's log.
fn without_workflow_commands(text: &str) -> Cow<'_, str> {
    if !text.contains("::") && !text.contains(OLD_COMMAND) {
        return Cow::Borrowed(text);
    }
    let mut broken = String::with_capacity(text.len() + 8);
    for one in text.split_inclusive(['\n', '\r']) {
        let start = one.len() - after_blanks(one).len();
        let (blanks, rest) = one.split_at(start);
        broken.push_str(blanks);
        if rest.starts_with("::") {
            broken.push('\\');
        }
        broken.push_str(rest);
    }
    Cow::Owned(broken.replace(OLD_COMMAND, "##\\["))
}

/// Gives a line without what stands invisibly before its first sign: blanks, control characters, our own styles.
fn after_blanks(line: &str) -> &str {
    let is_blank = |sign: char| sign.is_whitespace() || is_control(sign) || matches!(sign, '\u{200b}' | '\u{feff}');
    let mut rest = line;
    loop {
        let style = rest.strip_prefix("\u{1b}[").and_then(|style| style.split_once('m'));
        let is_style = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b';');
        rest = match style.filter(|(digits, _)| is_style(digits)) {
            Some((_, after)) => after,
            None => match rest.strip_prefix(is_blank) {
                Some(after) => after,
                None => return rest,
            },
        };
    }
}

/// The older spelling of a workflow command, which is obeyed in the middle of a line too.
const OLD_COMMAND: &str = "##[";

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

/// Shows a text on one line: what breaks or tabs a line becomes one space.
pub fn line(text: &str) -> Cow<'_, str> {
    let breaks = |sign: char| matches!(sign, '\n' | '\r' | '\t' | '\u{85}' | '\u{2028}' | '\u{2029}');
    if !text.contains(breaks) {
        return replaced(text, is_control);
    }
    let words: Vec<_> = text.split(breaks).filter(|words| !words.is_empty()).collect();
    Cow::Owned(replaced(&words.join(" "), is_control).into_owned())
}

/// Shows a text of several paragraphs below each other, with so much before every line but the first.
pub fn indented(text: &str, indent: &str) -> String {
    let shown = visible(text.trim_end());
    let mut lines = shown.lines();
    let mut text = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        text.push('\n');
        if !line.is_empty() {
            text.push_str(indent);
            text.push_str(line);
        }
    }
    text
}

/// Shows an account by what is known of it.
pub fn account(identity: &Identity) -> String {
    match (identity.login.is_empty(), identity.id) {
        (false, 0) => line(&identity.login).into_owned(),
        (false, id) => format!("{} ({id})", line(&identity.login)),
        (true, 0) => "unknown".into(),
        (true, id) => id.to_string(),
    }
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
        check("a\nb\tc", "a\nb\tc", "a b c");
        check("\u{1b}[2J\u{7}", "\u{fffd}[2J\u{fffd}", "\u{fffd}[2J\u{fffd}");
        check("a\u{9b}b\u{202e}c", "a\u{fffd}b\u{fffd}c", "a\u{fffd}b\u{fffd}c");
        check("a\rb", "a\u{fffd}b", "a b");
        check("a\r\n\r\nb\u{2028}", "a\u{fffd}\n\u{fffd}\nb\u{fffd}", "a b");
    }

    #[test]
    fn paragraphs_stand_below_each_other() {
        let check = |text: &str, expected: &str| assert_eq!(indented(text, "  "), expected, "{text:?}");
        check("one", "one");
        check("one\n\ntwo\r\nthree\n", "one\n\n  two\u{fffd}\n  three");
        check("a\u{1b}[2J\nb", "a\u{fffd}[2J\n  b");
        check("", "");
    }

    #[test]
    fn a_runner_of_github_actions_finds_no_command() {
        let check = |text: &str, expected: &str| {
            assert_eq!(without_workflow_commands(text), expected, "{text:?}");
            let term = |in_actions| Term { quiet: false, in_actions };
            assert_eq!(term(true).harmless(text), expected, "{text:?}");
            assert_eq!(term(false).harmless(text), text, "{text:?}");
        };
        check("plain: a::b\nc", "plain: a::b\nc");
        check("::set-env name=A::b", "\\::set-env name=A::b");
        check("a\n  ::add-mask::b\n", "a\n  \\::add-mask::b\n");
        check("a\r\t\u{3000}::error::b", "a\r\t\u{3000}\\::error::b");
        check("\u{feff}\u{b}::error::b", "\u{feff}\u{b}\\::error::b");
        check("\u{1b}[2m::error::b\u{1b}[0m", "\u{1b}[2m\\::error::b\u{1b}[0m");
        check("a ##[group]b\n##[error]c", "a ##\\[group]b\n##\\[error]c");
        check("::::##[", "\\::::##\\[");
        check("C::d()\nx", "C::d()\nx");
    }

    #[test]
    fn an_account_is_shown_by_what_is_known() {
        let check = |id, login: &str, expected: &str| assert_eq!(account(&Identity::new(id, login)), expected);
        check(501, "dana", "dana (501)");
        check(0, "omar", "omar");
        check(501, "", "501");
        check(0, "", "unknown");
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
