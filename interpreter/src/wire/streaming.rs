//! Reading an answer that comes piece by piece. What the pieces come to is for the core.

use std::io::{ErrorKind, Read};

use nebuko::agent::{Heard, Streamed};
use ureq::Error as HttpError;

/// Reads a stream to its end and gives the body that it comes to; the listener hears how many pieces there are so far.
///
/// # Errors
/// The connection broke before there was anything of an answer. Later, what there is says itself that it broke off: an
/// answer that is half there was paid for, so whether to ask again is for the core.
pub(super) fn read(mut body: impl Read, listener: &dyn Fn(u64)) -> Result<Vec<u8>, HttpError> {
    let (mut streamed, mut heard) = (Streamed::default(), Heard::default());
    let mut bytes = vec![0; PIECE_BYTES];
    while !heard.is_done {
        match body.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => {
                heard = streamed.push(&bytes[..count]);
                listener(heard.pieces);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if heard.pieces == 0 => return Err(error.into()),
            Err(_) => break,
        }
    }
    Ok(streamed.finish())
}

/// Larger than what a service sends at once.
const PIECE_BYTES: usize = 16 * 1024;
