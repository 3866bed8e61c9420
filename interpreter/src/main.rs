//! The `nebuko` program.
fn main() {}
