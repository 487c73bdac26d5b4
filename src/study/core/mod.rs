//! The core itself: what a cycle is, and what the front end takes. All other questions go by that.

mod front_end;
mod memory;
mod passages;
mod study;
mod unit;
mod window;

pub use front_end::{FrontEnd, floor_experiments};
pub use study::QUESTION;
pub use unit::{
    NoUnit, UncoveredChains, UnitOfTime, reference_experiments, unit_of_model, unit_of_time,
};

use crate::catalogue::Catalogue;
use crate::infer::Knowledge;
use crate::units::Hertz;

/// The core's frequency as most reference chains and front-end bodies show it.
#[must_use]
pub fn frequency(catalogue: &Catalogue, knowledge: &Knowledge) -> Option<Hertz> {
    let chains = reference_experiments(catalogue.isa.references()).into_iter();
    let asked = chains.chain(floor_experiments(catalogue));
    let seen = asked.filter_map(|asked| knowledge.timing(&asked)?.sample.frequency);
    let mut seen: Vec<f64> = seen.map(Hertz::get).collect();
    seen.sort_by(f64::total_cmp);
    Hertz::new(*seen.get(seen.len() / 2)?).ok()
}
