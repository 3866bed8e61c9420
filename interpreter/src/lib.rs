//! The interpreter.

pub mod clock;
pub mod live;
pub mod model;
pub mod secret;
pub mod surroundings;
mod wire;
pub mod world;
