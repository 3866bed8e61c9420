//! `write_file`: a whole text file, written beside its place first and then moved there, so that nobody ever sees half.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{Ground, file::FILE_BYTES_MAX, place::Target};
use crate::error::causes;

/// Writes a file, with the folders on the way to it.
///
/// # Errors
/// Says why it is not written. Then nothing of it is there.
pub(super) fn write(ground: &Ground, path: &str, text: &str) -> Result<String, String> {
    let target = ground.to_write(path)?;
    put(&target, text.as_bytes(), path)?;
    let (shown, bytes, lines) = (ground.shown(&target.path), text.len(), text.lines().count());
    Ok(match &target.there {
        None => format!("{shown} is new: {bytes} bytes, {lines} lines"),
        Some(before) => {
            format!("{shown} was written anew: {bytes} bytes, {lines} lines; before, {} bytes", before.len())
        }
    })
}

/// Puts bytes in the place of a file. What was there keeps its mode.
///
/// # Errors
/// Says why they are not there; what was there before still is.
pub(super) fn put(target: &Target, bytes: &[u8], shown: &str) -> Result<(), String> {
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(format!("`{shown}` would have {} bytes, and {FILE_BYTES_MAX} is the most", bytes.len()));
    }
    let failed = |error: io::Error| format!("`{shown}` could not be written: {}", causes(&error));
    let folder = target.path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let (beside, mut file) = beside(folder).map_err(failed)?;
    let mode = target.there.as_ref().map(mode);
    let written = file
        .write_all(bytes)
        .and_then(|()| mode.map_or(Ok(()), |mode| file.set_permissions(mode)))
        .and_then(|()| fs::rename(&beside, &target.path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written.map_err(failed)
}

/// Makes a file that nobody else has, in a folder.
fn beside(folder: &Path) -> io::Result<(PathBuf, File)> {
    let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
    for number in 0..NAMES_TRIED {
        let path = folder.join(format!(".nebuko-{}-{number}.tmp", std::process::id()));
        match File::options().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

/// The bits that say who may do what; none that lend somebody's rights.
#[cfg(unix)]
fn mode(about: &fs::Metadata) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;

    fs::Permissions::from_mode(about.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn mode(about: &fs::Metadata) -> fs::Permissions {
    about.permissions()
}

/// What an earlier run left behind takes a name each.
const NAMES_TRIED: u32 = 1_000;
