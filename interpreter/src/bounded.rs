//! Reading a file that somebody named, up to a bound: a device or a mistyped path must not fill the memory.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// A recording. The longest thread with fifty steps makes some 60 MB.
pub(crate) const RECORDING_BYTES_MAX: u64 = 512 * 1024 * 1024;
/// A JSON dump of a thread. GitHub closes an issue at 2,500 comments, which are some 12 MB as a rule.
pub(crate) const DUMP_BYTES_MAX: u64 = 512 * 1024 * 1024;
/// The written answers of a model.
pub(crate) const SCRIPT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// A webhook's JSON. GitHub sends 25 MB at most.
pub(crate) const EVENT_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// The text of one comment. GitHub takes 65,536 characters.
pub(crate) const COMMENT_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// A workflow or a prompt: as much as the core's YAML reader takes.
pub(crate) const SETUP_BYTES_MAX: u64 = 1024 * 1024;

/// Reads a file of at most so many bytes. Pipes are read as well.
///
/// # Errors
/// As reading does, or `FileTooLarge` that says the bound; no more than that was read.
pub(crate) fn read_bounded(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    bounded(File::open(path)?, bytes_max)
}

/// As [`read_bounded`], for what must be text.
///
/// # Errors
/// As [`read_bounded`], or `InvalidData` that says where the text ends to be UTF-8.
pub(crate) fn read_bounded_text(path: &Path, bytes_max: u64) -> io::Result<String> {
    bounded_text(File::open(path)?, bytes_max)
}

/// As [`read_bounded_text`], from what is open already.
///
/// # Errors
/// As [`read_bounded_text`].
pub(crate) fn bounded_text(reader: impl Read, bytes_max: u64) -> io::Result<String> {
    text(bounded(reader, bytes_max)?).map_err(|(line, column)| {
        let why = format!("at {line}:{column} it is not UTF-8: save it as UTF-8");
        io::Error::new(io::ErrorKind::InvalidData, why)
    })
}

/// Takes bytes as text, or gives line and column of the first that are none.
pub(crate) fn text(bytes: Vec<u8>) -> Result<String, (usize, usize)> {
    String::from_utf8(bytes).map_err(|error| {
        let good = String::from_utf8_lossy(&error.as_bytes()[..error.utf8_error().valid_up_to()]).into_owned();
        let line_start = good.rfind('\n').map_or(0, |end| end + 1);
        (good.matches('\n').count() + 1, good[line_start..].chars().count() + 1)
    })
}

fn bounded(reader: impl Read, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        let why = format!("it has more than {bytes_max} bytes, the most that is read here");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_the_bound() {
        let check = |length: usize, bytes_max: u64, read: bool| {
            let found = bounded(&vec![b'x'; length][..], bytes_max);
            assert_eq!(found.is_ok(), read, "{length} bytes, at most {bytes_max}");
        };
        check(0, 0, true);
        check(5, 5, true);
        check(6, 5, false);
        let endless = bounded(io::repeat(0), 1000).expect_err("it never ends");
        assert!(endless.to_string().contains("more than 1000 bytes"), "{endless}");
    }

    #[test]
    fn where_a_text_is_no_text_is_told() {
        let check = |bytes: &[u8], place: Result<&str, (usize, usize)>| {
            assert_eq!(text(bytes.to_vec()).as_deref().map_err(|place| *place), place, "{bytes:?}");
        };
        check("日本\n".as_bytes(), Ok("日本\n"));
        check(b"\xff", Err((1, 1)));
        check(b"a\nb\xc3\xa9\xff", Err((2, 3)));
        check(b"a\n\xc3", Err((2, 1)));
    }
}
