//! The prompt of an outside agent as a file that nobody else can read, and that goes when the agent has ended.

use std::{
    env, fs,
    fs::File,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::PathBuf,
};

/// The variable that tells an outside agent where its prompt is (decision 8).
pub(super) const VARIABLE: &str = "NEBUKO_PROMPT_FILE";

/// A file that is removed in the end.
pub(super) struct PromptFile(PathBuf);

impl PromptFile {
    /// Writes a prompt to a new file of the system's folder for such.
    ///
    /// # Errors
    /// As writing a file does. Then nothing stays behind.
    pub(super) fn write(text: &str) -> io::Result<Self> {
        let folder = env::temp_dir();
        let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
        for number in 0..NAMES_TRIED {
            let path = folder.join(format!("nebuko-prompt-{}-{number}.md", std::process::id()));
            match File::options().write(true).create_new(true).mode(0o600).open(&path) {
                Ok(mut file) => {
                    let prompt = Self(path);
                    return file.write_all(text.as_bytes()).map(|()| prompt);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
                Err(error) => return Err(error),
            }
        }
        Err(taken)
    }

    /// Gives its path, where that is a text.
    pub(super) fn path(&self) -> Option<&str> {
        self.0.to_str()
    }
}

impl Drop for PromptFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Names that others took, by accident or to be in the way.
const NAMES_TRIED: u32 = 1_000;
