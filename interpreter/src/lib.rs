//! The interpreter.

pub mod clock;
pub mod secret;
pub mod surroundings;
pub mod world;
