//! What a form holds besides ports: what others hold too, as far as streams of those show it, and what is its own.

use super::subjects::PortSubject;
use crate::infer::ports::{FormObservation, TOLERANCE, Usage, cycles};

/// A form that takes longer by itself than its ports explain by more than this has a resource of its own.
pub(super) const UNEXPLAINED: f64 = 0.04;
/// What a form takes by itself beyond what its usage explains, as a share, is a resource of its own, once its usage is
/// settled.
const UNEXPLAINED_ALONE: f64 = 0.03;
/// A form holds a resource for this share of what it takes by itself at least.
const LEAST_HELD: f64 = 0.5;
/// Private resources have numbers from here on.
pub(super) const PRIVATE: usize = 1 << 16;

/// Resources that a form may hold together.
pub(super) struct HeldResources {
    /// The one that others hold too, if one is.
    shared: Option<usize>,
    /// All, with the cycles.
    pub cycles: Vec<(usize, f64)>,
}

impl HeldResources {
    /// A resource that has a stream, for as long as mixtures with that allow; and one of the form's own where that is
    /// less than what it takes by itself. (What adds to 16 bits in memory takes 1.44 cycles on a Zen 1, and beside any
    /// store one more than that.) Nothing where no stream shows it, or where it is hardly held.
    pub fn shared(
        resource: usize,
        seen: &[FormObservation],
        subject: &PortSubject,
    ) -> Option<Self> {
        let own = own_time(seen, subject);
        let beside = beside_holders(resource, seen);
        let held = beside.map(|it| (it.cycles - it.others.held(resource)) / it.own);
        let held = held.reduce(f64::min)?.min(own);
        let both = [(resource, held), (own_resource(subject), own)];
        let all = if held >= own * (1.0 - UNEXPLAINED) { &both[..1] } else { &both[..] };
        (held >= own * LEAST_HELD).then(|| Self::of(Some(resource), all))
    }

    /// One of the form's own.
    pub fn own(seen: &[FormObservation], subject: &PortSubject) -> Self {
        Self::of(None, &[(own_resource(subject), own_time(seen, subject))])
    }

    /// As long as was seen, less what durations that agree may differ by: what takes longer contradicts what was seen.
    fn of(shared: Option<usize>, seen: &[(usize, f64)]) -> Self {
        let shorter =
            |&(resource, cycles): &(usize, f64)| (resource, cycles * (1.0 - TOLERANCE / 2.0));
        Self { shared, cycles: seen.iter().map(shorter).collect() }
    }

    /// What was seen beside others that hold the shared one.
    pub fn streams<'s>(
        &self,
        seen: &'s [FormObservation],
    ) -> impl Iterator<Item = &'s FormObservation> {
        self.shared.into_iter().flat_map(|resource| beside_holders(resource, seen))
    }
}

/// What was seen beside others that hold a resource.
fn beside_holders(
    resource: usize,
    seen: &[FormObservation],
) -> impl Iterator<Item = &FormObservation> {
    seen.iter().filter(move |it| it.others.held(resource) > 0.0)
}

/// What an instance takes by itself at least: no more than beside anything else.
pub(super) fn own_time(seen: &[FormObservation], subject: &PortSubject) -> f64 {
    seen.iter().map(|it| it.cycles / it.own).fold(subject.each, f64::min)
}

fn own_resource(subject: &PortSubject) -> usize {
    PRIVATE + subject.opcode.0 as usize
}

/// A usage with a resource of a form's own that it holds for as long as it takes by itself (a divider, a sequencer of
/// microcode), where it takes longer than the usage explains; else none.
pub(super) fn with_own_time(
    usage: &Usage,
    subject: &PortSubject,
    single: &FormObservation,
    width: Option<f64>,
) -> Option<Usage> {
    let is_unexplained = single.off(usage, width) < -(UNEXPLAINED_ALONE + single.uncertainty);
    is_unexplained.then(|| {
        let mut out = without_own_time(usage);
        out.extra.push((own_resource(subject), single.cycles / single.own));
        out
    })
}

/// A usage without a resource of a form's own.
pub(super) fn without_own_time(usage: &Usage) -> Usage {
    let mut out = usage.clone();
    out.extra.retain(|&(resource, _)| resource < PRIVATE);
    out
}

/// A usage without what it holds alone for no longer than all else of it takes: that can slow nothing. (What became of a
/// form's ports later explains what it takes by itself.)
pub(super) fn without_idle_own_time(usage: &Usage, width: Option<f64>) -> Usage {
    let without = without_own_time(usage);
    let explained = cycles(&[(&without, 1.0)], width);
    let is_idle = held_alone(usage).is_some_and(|(_, held)| held <= explained);
    if is_idle { without } else { usage.clone() }
}

/// The resource of a form's own that a usage holds, with the cycles.
pub(super) fn held_alone(usage: &Usage) -> Option<(usize, f64)> {
    usage.extra.iter().find(|&&(resource, _)| resource >= PRIVATE).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::{Demand, Ports};
    use crate::metadata::OpcodeId;

    /// What an instance of a usage takes with others.
    fn beside(truth: &Usage, others: &Usage, times: f64) -> FormObservation {
        FormObservation {
            own: 1.0,
            others: Demand::of([(others, times)]),
            cycles: cycles(&[(truth, 1.0), (others, times)], None),
            uncertainty: 0.0,
            passing: None,
        }
    }

    fn holding(extra: &[(usize, f64)]) -> Usage {
        Usage { extra: extra.to_vec(), ..Usage::default() }
    }

    #[test]
    fn a_resource_is_held_for_as_long_as_its_stream_shows() {
        let subject = PortSubject::of_a_test(OpcodeId(7), 1.5, 2);
        let own = PRIVATE + 7;
        let (divider, store) = (holding(&[(0, 4.0)]), holding(&[(1, 1.0)]));
        let held = |truth: &[(usize, f64)], resource: usize| {
            let truth = holding(truth);
            let alone = beside(&truth, &Usage::default(), 1.0);
            let seen = [alone, beside(&truth, &divider, 1.0), beside(&truth, &store, 3.0)];
            let held = HeldResources::shared(resource, &seen, &subject)?;
            assert_eq!(held.streams(&seen).count(), 1);
            let rounded =
                held.cycles.iter().map(|(it, cycles)| (*it, (cycles * 20.0).round() / 20.0));
            Some(rounded.collect::<Vec<_>>())
        };
        // One that adds in memory stores, which explains a part of what it takes.
        let adds = [(1, 1.0), (own, 1.5)];
        assert_eq!(held(&adds, 1), Some(adds.to_vec()));
        assert_eq!(held(&adds, 0), None, "it does not divide");
        assert_eq!(held(&adds, 2), None, "nothing was seen beside it");
        assert_eq!(held(&[(0, 1.5)], 0), Some(vec![(0, 1.5)]));
    }

    #[test]
    fn what_a_usage_leaves_unexplained_is_held_by_the_form_alone() {
        let subject = PortSubject::of_a_test(OpcodeId(7), 1.5, 2);
        let single = beside(&holding(&[(0, 1.5)]), &Usage::default(), 1.0);
        let store = holding(&[(1, 1.0)]);
        let with = with_own_time(&store, &subject, &single, None).unwrap();
        assert_eq!(with.extra, [(1, 1.0), (PRIVATE + 7, 1.5)]);
        assert_eq!(without_own_time(&with), store);
        assert_eq!((held_alone(&with), held_alone(&store)), (Some((PRIVATE + 7, 1.5)), None));
        // It is given once, and not to what needs none.
        assert_eq!(with_own_time(&with, &subject, &single, None), None);
        assert_eq!(with_own_time(&holding(&[(1, 1.49)]), &subject, &single, None), None);
        // Beside something else it took less than by itself.
        let quicker = FormObservation { cycles: 1.25, ..single.clone() };
        assert_eq!(own_time(&[single, quicker], &subject), 1.25);
    }

    #[test]
    fn what_all_else_explains_is_not_held_alone() {
        let own = (PRIVATE + 7, 0.5);
        let with = |count: u32, ports: &[u32], slots: f64| Usage {
            extra: vec![own],
            ..Usage::of([(count, Ports::of(ports.iter().copied()))], slots)
        };
        let sheds = |usage: &Usage| {
            let left = without_idle_own_time(usage, Some(6.0));
            assert!(left == *usage || left == without_own_time(usage));
            left != *usage
        };
        assert!(sheds(&with(1, &[0, 1], 1.0)), "two ports take as long");
        assert!(!sheds(&with(1, &[0, 1, 2], 1.0)), "three do not");
        assert!(sheds(&with(1, &[0, 1, 2], 3.0)), "the front end takes as long");
        let shared = Usage { extra: vec![(0, 0.75), own], ..with(1, &[0, 1, 2], 1.0) };
        assert!(sheds(&shared), "what others hold too takes longer");
        assert!(!sheds(&holding(&[])));
    }
}
