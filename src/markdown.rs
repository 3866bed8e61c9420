//! Reading and writing the markdown of comments.
//!
//! Everything that looks for syntax in a body goes through the one scan here (decision 2.1), and everything
//! that is posted is made safe, and made to fit, here. What commands and sentinels mean is for `command`
//! and `sentinel`.

mod defuse;
mod json;
mod marker;
mod outline;
mod pieces;
mod plain;
mod scan;
mod split;
mod table;
mod visible;

pub use defuse::{Guests, defuse};
pub use json::comment_json;
pub use marker::{Markers, markers};
pub(crate) use marker::{PO_STATE, SENTINEL, STATE_END, STATE_START};
pub(crate) use outline::Outline;
pub use pieces::pieces;
pub use plain::{unix_lines, without_engine_text};
pub(crate) use scan::BYTE_ORDER_MARK;
pub use scan::{Prose, Scan};
pub use split::{split, units};
pub(crate) use table::{Table, plain, tables};
pub(crate) use visible::{with_controls_shown, without_sequences};
