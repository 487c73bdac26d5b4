//! How far throughputs may be off because of what holds a core up besides its ports.
//!
//! What is no share of ports is held up by something that fills: registers of a file, entries of a
//! queue. How much of it is left for a program differs from minute to minute, as where another thread
//! of the same core holds some of it, and no program sees that. On Zen 4, compares of a vector with
//! memory take 0.50, 0.555, 0.585 or 0.61 cycles: all of them the same for seconds or minutes, then
//! another of these.
//!
//! **Givens.** Throughputs of forms that fill the same (they write the same files of registers, and all
//! or none of them loads). **Result.** An uncertainty for each that covers what it may be next time.
//!
//! **Rule.** Neighbours in ascending order that are within [`REACH`] of each other form a cluster. It
//! sways if at least a third of it ([`SWAYING`]) is no share of ports, and those differ from each other
//! by more than [`ALIKE`]. Each value of such a cluster may be all that lies between the share of ports
//! below its least unexplained value, which the core reaches when nothing else holds it up, and its
//! greatest value. Values above one cycle are left alone: so few are in flight that they fill nothing.

use super::scatter::is_explained;
use super::throughput::share_below;
use crate::units::Cycles;

/// How far the next value of a cluster may be from the last, as a part of that.
const REACH: f64 = 0.12;
/// The part of a cluster that no share of ports explains, at least.
const SWAYING: f64 = 1.0 / 3.0;
/// How far values may be from each other that are the same.
const ALIKE: f64 = 0.02;

/// The least uncertainty of each of some throughputs of one kind; 0 for those that do not sway.
#[must_use]
pub fn sway(values: &[Cycles]) -> Vec<Cycles> {
    let mut order: Vec<usize> = (0..values.len()).filter(|&at| values[at].0 < 1.0).collect();
    order.sort_by(|&a, &b| values[a].0.total_cmp(&values[b].0));
    let mut out = vec![Cycles(0.0); values.len()];
    for cluster in order.chunk_by(|&a, &b| values[b].0 <= values[a].0 * (1.0 + REACH)) {
        let Some((least, greatest)) = range(cluster.iter().map(|&at| values[at])) else { continue };
        for &at in cluster {
            out[at] = (values[at] - least).max(greatest - values[at]);
        }
    }
    out
}

/// Between what the values of an ascending cluster may be next time, if it sways.
fn range(cluster: impl ExactSizeIterator<Item = Cycles> + Clone) -> Option<(Cycles, Cycles)> {
    let greatest = cluster.clone().last()?;
    let size = cluster.len();
    let unexplained: Vec<Cycles> = cluster.filter(|value| !is_explained(*value)).collect();
    let (least, most) = (*unexplained.first()?, *unexplained.last()?);
    let sways =
        unexplained.len() as f64 >= size as f64 * SWAYING && most.0 > least.0 * (1.0 + ALIKE);
    sways.then(|| (share_below(least), greatest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Vec<f64> {
        let values: Vec<Cycles> = values.iter().copied().map(Cycles).collect();
        sway(&values).into_iter().map(|cycles| (cycles.0 * 1e3).round() / 1e3).collect()
    }

    #[test]
    fn what_was_seen_in_two_states_may_be_in_any_of_them() {
        assert_eq!(of(&[0.585, 0.555, 1.0, 0.585]), [0.085, 0.055, 0.0, 0.085]);
        assert_eq!(of(&[0.5, 0.5, 0.555, 0.57]), [0.07, 0.07, 0.055, 0.07]);
    }

    #[test]
    fn what_is_always_the_same_does_not_sway() {
        assert_eq!(of(&[0.583, 0.585, 0.586]), [0.0; 3]);
        assert_eq!(of(&[]), [0.0; 0]);
    }

    #[test]
    fn shares_of_ports_do_not_sway_because_a_few_of_their_kind_do() {
        assert_eq!(of(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.535, 0.555]), [0.0; 7]);
        // Nor what is far from what does.
        assert_eq!(of(&[0.25, 0.535, 0.555])[0], 0.0);
    }

    #[test]
    fn long_instructions_fill_nothing() {
        assert_eq!(of(&[1.23, 1.28, 1.37]), [0.0; 3]);
    }
}
