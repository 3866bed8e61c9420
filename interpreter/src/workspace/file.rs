//! A file as text: regular, of a bounded size, and with its secrets masked before anything is cut out of it.

use std::{
    borrow::Cow,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

use crate::{
    error::causes,
    secret::{MASK, Masker},
};

/// Reads the bytes of a regular file.
///
/// # Errors
/// Says why it is none that is read, and what to do.
pub(super) fn bytes(real: &Path, shown: &str) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| format!("`{shown}` cannot be read: {}", causes(&error));
    // The kind is looked at before the file is opened, as opening a device can do something, and again once it is open.
    is_regular(&fs::symlink_metadata(real).map_err(failed)?, shown)?;
    let file = open(real).map_err(failed)?;
    let about = file.metadata().map_err(failed)?;
    is_regular(&about, shown)?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let size = about.len().max(bytes.len() as u64);
        return Err(format!("`{shown}` has {size} bytes, and files of more than {FILE_BYTES_MAX} are not opened"));
    }
    Ok(bytes)
}

/// Tells whether bytes are those of a text: no zero stands near their beginning.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    !bytes[..bytes.len().min(LOOKED_AT_BYTES)].contains(&0)
}

/// A text, as it may be shown.
pub(super) struct Shown<'b> {
    /// Without secrets, line for line as the file has it.
    pub(super) text: Cow<'b, str>,
    /// Whether bytes that are no UTF-8 show as U+FFFD.
    pub(super) replaced: bool,
}

/// Makes bytes a text that may be shown.
pub(super) fn shown<'b>(bytes: &'b [u8], masker: &Masker) -> Shown<'b> {
    let text = String::from_utf8_lossy(bytes);
    let replaced = matches!(text, Cow::Owned(_));
    let found = masker.find(&text);
    if found.is_empty() {
        return Shown { text, replaced };
    }
    let (mut masked, mut done) = (String::with_capacity(text.len()), 0);
    for secret in found {
        masked.push_str(&text[done..secret.start]);
        masked.push_str(MASK);
        // One of several lines leaves the numbers of the lines behind it as they are.
        masked.extend(text[secret.clone()].chars().filter(|letter| *letter == '\n'));
        done = secret.end;
    }
    masked.push_str(&text[done..]);
    Shown { text: Cow::Owned(masked), replaced }
}

/// How the lines of a text end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// All with `\n`, or there is none.
    Lf,
    /// All with `\r\n`.
    Crlf,
    /// Some with this and some with that.
    Mixed,
}

impl LineEnds {
    /// Looks at all of them.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let all = bytes.iter().filter(|byte| **byte == b'\n').count();
        let with_return = bytes.windows(2).filter(|pair| *pair == b"\r\n").count();
        match with_return {
            0 => Self::Lf,
            count if count == all => Self::Crlf,
            _ => Self::Mixed,
        }
    }
}

fn is_regular(about: &fs::Metadata, shown: &str) -> Result<(), String> {
    match about.file_type() {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_dir() => Err(format!("`{shown}` is a folder; list_files shows what is in it")),
        _ => Err(format!("`{shown}` is no regular file, so it is not opened")),
    }
}

/// Opens a file in a way that waits for nobody and follows no link that came in between.
#[cfg(unix)]
fn open(real: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    File::options().read(true).custom_flags(flags.bits().cast_signed()).open(real)
}

#[cfg(not(unix))]
fn open(real: &Path) -> io::Result<File> {
    File::open(real)
}

/// Larger files are no source text, and one is held in memory as a whole.
pub(super) const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// As far as git looks for a zero byte.
const LOOKED_AT_BYTES: usize = 8_000;
