//! Streams that tell what a form uses from what else it may use.

use super::forms::Context;
use super::streams::beside;
use super::subjects::PortSubject;
use crate::infer::ports::Usage;

/// Streams that a form is put beside to tell, at most.
const MOST: usize = 2;
/// A stream tells usages apart beside which they take times that differ by this share.
const TOLD_APART: f64 = 0.05;

impl Context<'_> {
    /// Streams beside which a form would take longer or less long that used one of some rivals instead of a
    /// usage, by their places: first that which tells most of them from it, then that which tells most others.
    pub(super) fn telling_apart(
        &self,
        subject: &PortSubject,
        usage: &Usage,
        rivals: &[&Usage],
    ) -> Vec<usize> {
        let [length, _] = self.lengths(subject);
        let places = (0..self.streams.all.len()).filter(|at| self.streams.dispatch != Some(*at));
        let gaps_of = |at: usize| {
            let mix = self.streams.all[at].beside(subject, length);
            let (own, demand) =
                beside(&mix, subject.opcode, self.blockers).filter(|_| mix.parts.len() > 1)?;
            let cycles = |usage: &Usage| {
                let mut all = demand.clone();
                all.add(usage, own);
                all.cycles(self.width)
            };
            let expected = cycles(usage);
            let gap = |rival: &&Usage| (cycles(rival) / expected).ln().abs();
            Some((at, rivals.iter().map(gap).collect()))
        };
        fewest_telling(places.filter_map(gaps_of).collect())
    }
}

/// Which of some streams are chosen, each with how far it tells every rival apart.
fn fewest_telling(mut streams: Vec<(usize, Vec<f64>)>) -> Vec<usize> {
    let mut out = Vec::new();
    while out.len() < MOST {
        let told = |gaps: &[f64]| gaps.iter().filter(|&&gap| gap > TOLD_APART).count();
        let rated = |gaps: &[f64]| (told(gaps), gaps.iter().sum::<f64>());
        let best = streams.iter().max_by(|(_, one), (_, other)| {
            let ((one, of_one), (other, of_other)) = (rated(one), rated(other));
            one.cmp(&other).then_with(|| of_one.total_cmp(&of_other))
        });
        let Some((at, gaps)) = best.filter(|(_, gaps)| told(gaps) > 0).cloned() else { break };
        out.push(at);
        for (_, others) in &mut streams {
            let is_told = gaps.iter().map(|&gap| gap > TOLD_APART);
            others.iter_mut().zip(is_told).filter(|it| it.1).for_each(|(gap, _)| *gap = 0.0);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_chosen_that_tell_most_rivals() {
        // The second tells two of three rivals, the third what is left; the first is not needed.
        let streams =
            vec![(4, vec![0.5, 0.0, 0.0]), (5, vec![0.2, 0.3, 0.0]), (6, vec![0.0, 0.3, 0.1])];
        assert_eq!(fewest_telling(streams), [5, 6]);
        // What no stream tells apart asks for none.
        assert!(fewest_telling(vec![(4, vec![0.0, 0.04])]).is_empty());
        assert!(fewest_telling(Vec::new()).is_empty());
        // Of those that tell as many, what tells them better.
        assert_eq!(fewest_telling(vec![(4, vec![0.1, 0.1]), (5, vec![0.3, 0.1])]), [5]);
    }
}
