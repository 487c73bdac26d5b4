//! The core itself: what a cycle is, and what the front end takes.

mod front_end;
mod unit;

pub use front_end::{FrontEnd, floor_experiments};
pub use unit::{
    NoUnit, UncoveredChains, UnitOfTime, reference_experiments, unit_of_model, unit_of_time,
};
