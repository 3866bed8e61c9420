//! Writing a mended file: beside the old one first, then in its place in one move.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::error::causes;

/// Puts a new text in the place of an old one; rights stay as they are, and a link goes on leading where it led.
///
/// # Errors
/// Says why the file is as it was.
pub(super) fn replace(path: &Path, old: &str, new: &str) -> Result<(), String> {
    let failed = |error: io::Error| causes(&error);
    let target = fs::canonicalize(path).map_err(failed)?;
    let about = fs::metadata(&target).map_err(failed)?;
    if about.permissions().readonly() {
        return Err("it is read-only".into());
    }
    if fs::read(&target).map_err(failed)? != old.as_bytes() {
        return Err("somebody changed it in the meantime".into());
    }
    let aside = Aside::beside(&target).map_err(failed)?;
    aside.write(new).and_then(|()| fs::set_permissions(&aside.0, about.permissions())).map_err(failed)?;
    fs::rename(&aside.0, &target).map_err(failed)
}

/// A file that goes again, unless it was moved to where it belongs.
struct Aside(PathBuf);

impl Aside {
    fn beside(target: &Path) -> io::Result<Self> {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        // It starts with a dot, so that no run reads it.
        let path = target.with_file_name(format!(".{name}.{}.part", std::process::id()));
        File::create_new(&path)?;
        Ok(Self(path))
    }

    fn write(&self, text: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).open(&self.0)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let temp = Scratch::with(&[("a.yaml", "old")]);
        let path = temp.path().join("a.yaml");
        assert_eq!(replace(&path, "old", "new"), Ok(()));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "new");
        assert_eq!(replace(&path, "old", "newer"), Err("somebody changed it in the meantime".into()));
        assert!(replace(&temp.path().join("b.yaml"), "", "new").is_err());
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "new");
        assert_eq!(fs::read_dir(temp.path()).expect("the folder").count(), 1, "nothing is left beside it");
    }

    #[cfg(unix)]
    #[test]
    fn rights_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let temp = Scratch::with(&[("a.yaml", "old")]);
        let (path, link) = (temp.path().join("a.yaml"), temp.path().join("b.yaml"));
        let mode = |mode| fs::set_permissions(&path, PermissionsExt::from_mode(mode)).expect("it is ours");
        mode(0o640);
        symlink("a.yaml", &link).expect("a link");
        assert_eq!(replace(&link, "old", "new"), Ok(()));
        assert!(link.is_symlink(), "the link stays one");
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o640);
        mode(0o440);
        assert_eq!(replace(&path, "new", "newer"), Err("it is read-only".into()));
    }
}
