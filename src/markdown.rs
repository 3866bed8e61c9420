//! Reading and writing the markdown of comments.

mod scan;

pub use scan::{Prose, Scan};
