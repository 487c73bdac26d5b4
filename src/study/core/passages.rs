//! What a core does between instructions: which neighbours it takes as one, and what a wrong guess takes.
//!
//! **Pairs.** Fillers beside them keep the front end busy: a turn of an instruction and so many fillers takes
//! as long as the front end needs for all of them. What is left of it without the fillers are the places
//! that the instruction takes. Neighbours that are taken as one have one place less than each by itself.
//!
//! **Guesses.** A chain of numbers that no predictor learns, each with a branch on its sign. The next
//! number is computed meanwhile, unless the guess was wrong: then the core fetches it anew. Half of all guesses
//! are wrong, so twice what the branches take more than those of the same chain that never branch is
//! one.

use super::FrontEnd;
use crate::catalogue::Catalogue;
use crate::database::{GuessTime, PairPlaces};
use crate::experiment::{CorePassage, Experiment};
use crate::infer::Knowledge;

/// Fillers in a turn: more than what waits for itself hides in a cycle.
const FILLERS: u32 = 23;
/// Turns of a body.
const TURNS: u32 = 24;
/// Places that must be saved at least for two to be one.
const SAVED: f64 = 0.5;
/// The share of wrong guesses about what nobody can know.
const WRONG: f64 = 0.5;

/// The experiments on the passages of an ISA.
pub(super) fn experiments(catalogue: &Catalogue) -> Vec<Experiment> {
    let pairs = 0..catalogue.isa.adjacent_pairs().len();
    let of_pairs = pairs.flat_map(|pair| parts(pair).map(beside_fillers));
    let branches = catalogue.isa.random_branch().is_some().then(|| guesses().map(alone));
    of_pairs.chain(branches.into_iter().flatten()).collect()
}

fn parts(pair: usize) -> [CorePassage; 3] {
    [CorePassage::First { pair }, CorePassage::Second { pair }, CorePassage::Both { pair }]
}

fn guesses() -> [CorePassage; 2] {
    [CorePassage::Guessed, CorePassage::Known]
}

fn beside_fillers(passage: CorePassage) -> Experiment {
    Experiment::Passage { passage, turns: TURNS, fillers: FILLERS }
}

fn alone(passage: CorePassage) -> Experiment {
    Experiment::Passage { passage, turns: TURNS, fillers: 0 }
}

/// The experiments that show the most, with what their kernels are called.
pub(super) fn kernels(catalogue: &Catalogue) -> Vec<(String, Experiment)> {
    let pairs = catalogue.isa.adjacent_pairs().iter().enumerate().map(|(pair, known)| {
        let word = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let name: String = known.name.replace(", ", "_").chars().map(word).collect();
        (format!("pair_{name}"), beside_fillers(CorePassage::Both { pair }))
    });
    let guessed = catalogue.isa.random_branch().is_some();
    let guess = guessed.then(|| ("wrong_guess".to_owned(), alone(CorePassage::Guessed)));
    pairs.chain(guess).collect()
}

/// The pairs that were timed, of which all places are counts.
pub(super) fn pairs(catalogue: &Catalogue, knowledge: &Knowledge) -> Vec<PairPlaces> {
    let filler = FrontEnd::of(catalogue, knowledge).filler.0;
    if !(filler > 0.0 && filler.is_finite()) {
        return Vec::new();
    }
    let places = |passage: CorePassage| {
        let turn = knowledge.timing(&beside_fillers(passage))?.each().0;
        Some(turn / filler - f64::from(FILLERS)).filter(|&places| is_count(places))
    };
    let pairs = catalogue.isa.adjacent_pairs().iter().enumerate();
    let known = pairs.filter_map(|(number, pair)| {
        let [first, second, both] = parts(number).map(places);
        let (first, second, both) = (first?, second?, both?);
        Some(PairPlaces {
            pair: pair.name.to_owned(),
            first: Some(first),
            second: Some(second),
            both: Some(both),
            fused: both < first + second - SAVED,
        })
    });
    known.collect()
}

/// Whether so many places can be: they are counted, and where a core did other work meanwhile they come out
/// as anything.
fn is_count(places: f64) -> bool {
    places > SAVED && (places - places.round()).abs() <= SAVED / 2.0
}

/// What a wrong guess takes, if that was timed.
pub(super) fn guess(catalogue: &Catalogue, knowledge: &Knowledge) -> Option<GuessTime> {
    catalogue.isa.random_branch()?;
    let [guessed, known] = guesses().map(|passage| knowledge.timing(&alone(passage)));
    let (guessed, known) = (guessed?, known?);
    let penalty = (guessed.each().0 - known.each().0) / WRONG;
    let uncertainty = (guessed.uncertainty().0 + known.uncertainty().0) / WRONG;
    // (Simulated cores guess right, always.)
    (penalty > uncertainty).then_some(GuessTime {
        penalty: Some(penalty),
        uncertainty: Some(uncertainty),
        guessed: Some(guessed.each().0),
        known: Some(known.each().0),
    })
}
