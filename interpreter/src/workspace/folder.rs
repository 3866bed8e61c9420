//! What is in a folder, in an order that never changes, and without git's own.

use std::{collections::BTreeMap, ffi::OsString, fs, path::Path};

use super::{Bounds, Ground};
use crate::error::causes;

/// What a name in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A folder.
    Folder,
    /// A regular file.
    File,
    /// A link, wherever it leads.
    Link,
    /// A device, a socket, a pipe.
    Other,
}

/// The names of a folder.
pub(super) struct Entries {
    /// Sorted by their bytes.
    pub(super) names: BTreeMap<OsString, Kind>,
    /// How many that come later in the order are not among them.
    pub(super) left_out: u64,
    /// Whether the time was over before all were seen.
    pub(super) is_cut: bool,
}

/// Reads the first names of a folder, at most so many.
///
/// # Errors
/// As reading a folder does.
pub(super) fn entries(real: &Path, shown: &str, most: usize, bounds: &Bounds<'_>) -> Result<Entries, String> {
    let failed = |error: std::io::Error| format!("`{shown}` cannot be listed: {}", causes(&error));
    let mut found = Entries { names: BTreeMap::new(), left_out: 0, is_cut: false };
    for entry in fs::read_dir(real).map_err(failed)? {
        if bounds.is_over() {
            found.is_cut = true;
            break;
        }
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_or(Kind::Other, |kind| match kind {
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_file() => Kind::File,
            kind if kind.is_symlink() => Kind::Link,
            _ => Kind::Other,
        });
        if !Ground::is_git(&entry.file_name()) {
            found.names.insert(entry.file_name(), kind);
        }
        if found.names.len() > most {
            found.names.pop_last();
            found.left_out += 1;
        }
    }
    Ok(found)
}
