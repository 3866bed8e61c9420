//! A folder for a test, which goes with it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A folder that nobody else uses.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes a folder with these files in it.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let name = |number: u32| std::env::temp_dir().join(format!("nebuko-{}-{number}", std::process::id()));
        // Tests run side by side: whoever makes the folder has it.
        let folder = (0..).map(name).find(|folder| fs::create_dir(folder).is_ok());
        let scratch = Self(folder.expect("some number is free"));
        files.iter().for_each(|(name, text)| scratch.write(name, text));
        scratch
    }

    /// Writes a file, with the folders on the way to it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder takes a folder");
        fs::write(path, text).expect("the folder takes a file");
    }

    /// Gives its path.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
