//! `search_text`: the lines that hold a text, file by file in the order of their names.
//!
//! Secrets are masked before a line is looked at, so that nobody can ask for one piece by piece.

use std::path::{Path, PathBuf};

use memchr::memmem::Finder;

use super::{
    Bounds, Ground,
    bounds::floor,
    file,
    folder::{Kind, entries},
};
use crate::secret::Masker;

/// Looks for a text below a folder, or in one file.
///
/// # Errors
/// Says why nothing can be looked for.
pub(super) fn search(
    ground: &Ground,
    text: &str,
    path: &str,
    bounds: &Bounds<'_>,
    masker: &Masker,
) -> Result<String, String> {
    if text.contains(['\n', '\r']) {
        return Err("search_text looks at one line at a time; give a text without a line end".into());
    }
    let real = ground.to_read(if path.is_empty() { "." } else { path })?;
    let mut hunt = Hunt { ground, needle: Finder::new(text), bounds, masker, found: Found::default() };
    hunt.walk(real);
    Ok(hunt.found.told(bounds))
}

struct Hunt<'a> {
    ground: &'a Ground,
    needle: Finder<'a>,
    bounds: &'a Bounds<'a>,
    masker: &'a Masker,
    found: Found,
}

#[derive(Default)]
struct Found {
    lines: String,
    hits: u64,
    files: u64,
    looked_at: u64,
    /// Files that are too large or cannot be read, and folders that cannot.
    passed_over: u64,
    stopped: Option<Stopped>,
}

/// Why a search came to its end early.
enum Stopped {
    /// There is no room for another line.
    Full,
    /// The time was over before this was looked at.
    Late(String),
}

impl Hunt<'_> {
    fn walk(&mut self, from: PathBuf) {
        let kind = if from.is_dir() { Kind::Folder } else { Kind::File };
        let mut ahead = vec![(from, kind)];
        while let Some((real, kind)) = ahead.pop() {
            if self.bounds.is_over() {
                self.found.stopped = Some(Stopped::Late(self.ground.shown(&real)));
            }
            if self.found.stopped.is_some() {
                return;
            }
            match kind {
                Kind::File => self.look_into(&real),
                Kind::Folder => match entries(&real, "", NAMES_MAX, self.bounds) {
                    Ok(entries) => {
                        self.found.passed_over += entries.left_out;
                        // The next one is taken from the end.
                        ahead.extend(entries.names.into_iter().rev().map(|(name, kind)| (real.join(name), kind)));
                    }
                    Err(_) => self.found.passed_over += 1,
                },
                // A link leads to what is found under its own name, or outside.
                Kind::Link | Kind::Other => {}
            }
        }
    }

    fn look_into(&mut self, real: &Path) {
        let shown = self.ground.shown(real);
        let Ok(bytes) = file::bytes(real, &shown) else {
            self.found.passed_over += 1;
            return;
        };
        self.found.looked_at += 1;
        if !file::is_text(&bytes) || self.needle.find(&bytes).is_none() {
            return;
        }
        let text = file::shown(&bytes, self.masker).text;
        let before = self.found.hits;
        for (number, line) in (1_u64..).zip(text.lines()) {
            let Some(at) = self.needle.find(line.as_bytes()) else { continue };
            let line = format!("{shown}:{number}: {}\n", around(line, at, at + self.needle.needle().len()));
            if self.found.lines.len() + line.len() > self.bounds.room() {
                self.found.stopped = Some(Stopped::Full);
                break;
            }
            self.found.lines.push_str(&line);
            self.found.hits += 1;
        }
        self.found.files += u64::from(self.found.hits > before);
    }
}

impl Found {
    fn told(self, bounds: &Bounds<'_>) -> String {
        let Self { lines, hits, files, looked_at, passed_over, stopped } = self;
        let mut said = match hits {
            0 => format!("no line holds it, of {looked_at} files that were looked at\n"),
            1 => format!("1 line holds it:\n{lines}"),
            hits => format!("{hits} lines in {files} files hold it:\n{lines}"),
        };
        match stopped {
            None => {}
            Some(Stopped::Full) => {
                said.push_str("[there is no room for more; search a folder below, or for a longer text]\n");
            }
            Some(Stopped::Late(next)) => said.push_str(&format!(
                "[the time of {} s is over; {next} and what comes after it was not looked at; search a folder below]\n",
                bounds.seconds
            )),
        }
        if passed_over > 0 {
            said.push_str(&format!("[{passed_over} files or folders were passed over: too large, or not readable]\n"));
        }
        said
    }
}

/// Shows what stands around a hit in a line that is long.
fn around(line: &str, start: usize, end: usize) -> String {
    if line.len() <= LINE_BYTES {
        return line.into();
    }
    let from = floor(line, start.saturating_sub(LINE_BYTES / 4));
    let to = floor(line, (from + LINE_BYTES).max(end));
    let (before, after) = (if from > 0 { "…" } else { "" }, if to < line.len() { "…" } else { "" });
    format!("{before}{}{after}", &line[from..to])
}

/// Enough of a line to know it by.
const LINE_BYTES: usize = 400;
/// As many names of one folder are looked at.
const NAMES_MAX: usize = 100_000;
