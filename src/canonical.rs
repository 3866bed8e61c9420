//! Canonical JSON (RFC 8785) and digests over it.

use alloc::{format, string::String};

use sha2::{Digest, Sha256};

/// Gives the SHA-256 of some bytes in lowercase hex.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |hex, byte| hex + &format!("{byte:02x}"))
}
