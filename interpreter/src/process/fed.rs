//! What a program is given on standard input, handed over as fast as it reads and never waited for.
//!
//! A program that reads nothing, or closes its input early, misses what it did not want; that is no failure.

use std::{
    fs::File,
    io::{ErrorKind, Write},
    os::fd::OwnedFd,
};

/// A text on its way into a program.
pub(super) struct Fed<'t> {
    /// `None` once everything was written, or nobody reads any more.
    open: Option<File>,
    left: &'t [u8],
}

impl<'t> Fed<'t> {
    /// Begins with the whole text.
    pub(super) fn new(end: Option<OwnedFd>, text: &'t str) -> Self {
        // A pipe that would wait could hold up the reading of the outputs, so one that cannot be told not to is closed.
        let open = end.filter(|end| !text.is_empty() && rustix::io::ioctl_fionbio(end, true).is_ok());
        Self { open: open.map(File::from), left: text.as_bytes() }
    }

    /// Gives the pipe, while there is something to write into it.
    pub(super) fn open(&self) -> Option<&File> {
        self.open.as_ref()
    }

    /// Writes what there is room for; at the end of the text the pipe is closed.
    pub(super) fn write(&mut self) {
        match self.open.as_mut().map(|file| file.write(self.left)) {
            Some(Ok(count)) if count > 0 && count < self.left.len() => self.left = &self.left[count..],
            Some(Err(error)) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Some(Ok(_) | Err(_)) | None => self.open = None,
        }
    }
}
