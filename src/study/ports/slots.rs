//! Slots of the front end that a form needs, and how long the streams must be that it is put beside.

use super::bench::Mix;
use super::forms::Context;
use super::streams::{SlotLimit, instances, is_as_long, lengths, observation};
use super::subjects::PortSubject;
use crate::infer::ports::{FormObservation, PassingOrder, PassingTimes, TOLERANCE, Usage};
use crate::kernel::Order;

/// Cycles of fillers that a form is put beside, at most, to tell its slots.
const MOST_ROUNDS: u32 = 2;

/// Numbers of slots that a form may have.
pub(super) struct AllowedSlots {
    /// Those that explain what it takes where the front end is full, the likeliest first.
    pub likely: Vec<f64>,
    /// Others, for a form that is too fast elsewhere to have so many.
    pub fewer: Vec<f64>,
}

impl AllowedSlots {
    /// Those of some usages that have likely numbers of slots.
    pub fn among<'u>(&self, usages: &'u [Usage]) -> impl Iterator<Item = &'u Usage> {
        let is_likely =
            |usage: &&Usage| self.likely.iter().any(|it| (usage.slots - it).abs() < 0.25);
        usages.iter().filter(is_likely)
    }
}

impl Context<'_> {
    /// Numbers of slots that the stream which fills the front end allows.
    pub fn slots(&self, subject: &PortSubject) -> AllowedSlots {
        let Some((width, at)) = self.width.zip(self.streams.dispatch) else {
            return AllowedSlots { likely: vec![1.0], fewer: Vec::new() };
        };
        let [first, longer] = self.dispatch_lengths(subject);
        let seen = |length: f64| self.beside_full(subject, at, length);
        let likely = match self.bench.whole {
            Some(_) => {
                let telling = self.telling(subject, at);
                let telling = telling.and_then(|mix| self.beside(subject, &mix));
                whole_slots(subject, &[seen(first), seen(longer), telling])
            }
            None => seen(longer).map_or(vec![1.0], |it| vec![added_slots(subject, &it, width)]),
        };
        // A front end that was full of something else makes slots look too many: there are no more than
        // what the form takes by itself has room for.
        let room = (subject.each * width).floor().max(1.0);
        let least = likely.iter().copied().fold(f64::INFINITY, f64::min);
        let fewer = [least - 1.0, least - 2.0, room, 1.0].into_iter();
        let fewer = fewer.filter(|it| (1.0..least).contains(it)).collect();
        AllowedSlots { likely, fewer }
    }

    /// How long streams of ports take that a form is put beside: longer ones if its slots explain how long it
    /// takes by itself.
    pub fn lengths(&self, subject: &PortSubject) -> [f64; 2] {
        let by_duration = SlotLimit::of_duration(subject.each, self.width);
        lengths(match by_duration {
            SlotLimit::None if self.is_limited_by(&self.first_slots(subject), subject) => {
                SlotLimit::Many
            }
            limit => limit,
        })
    }

    /// ... and those of the stream that fills the front end, which shows slots.
    pub fn dispatch_lengths(&self, subject: &PortSubject) -> [f64; 2] {
        lengths(SlotLimit::of_duration(subject.each, self.width))
    }

    /// What every form is asked for first: itself beside what fills the front end; and, where that splits no
    /// instruction and several numbers of slots explain that and how long the form takes by itself, beside as many
    /// fillers as tell those numbers apart. (Four slots and six take two cycles beside six fillers: behind four two
    /// are left, and the next four do not fit. Beside eight they take two and three.)
    pub fn beside_dispatch(&self, subject: &PortSubject) -> Vec<Mix> {
        let Some(at) = self.streams.fingerprinted_dispatch() else { return Vec::new() };
        let [first, _] = self.dispatch_lengths(subject);
        let first = self.streams.all[at].beside(subject, first);
        let mixes = [Some(first), self.telling(subject, at)].into_iter().flatten();
        mixes.filter(|mix| mix.parts.len() > 1).collect()
    }

    /// The mixture that tells numbers of slots apart which are open after the first one.
    fn telling(&self, subject: &PortSubject, at: usize) -> Option<Mix> {
        let width = self.bench.whole?;
        let mut open = self.first_slots(subject);
        if open.len() < 2 || !self.is_limited_by(&open, subject) {
            return None;
        }
        open.sort_by(f64::total_cmp);
        let alone = f64::from(instances(subject)) * subject.each;
        let mixes = (1..=MOST_ROUNDS * width as u32).map(|fillers| {
            self.streams.all[at].beside(subject, f64::from(fillers) / (width * alone))
        });
        let mixes = mixes.filter(|mix| mix.parts.len() > 1);
        let rated = mixes.map(|mix| (self.told_apart(&mix, subject, &open), mix));
        // (Of equal ones the shortest.)
        let best = rated.reduce(|best, it| if it.0 > best.0 + TOLERANCE { it } else { best });
        best.filter(|(apart, _)| *apart > TOLERANCE).map(|(_, mix)| mix)
    }

    /// By how much the durations of a mixture differ at least for these numbers of slots of a form, as a share.
    fn told_apart(&self, mix: &Mix, subject: &PortSubject, slots: &[f64]) -> f64 {
        let order = self.bench.sequence(mix, Order::Spread);
        let executed = mix.executed();
        let Some(form) = executed.iter().position(|(opcode, _)| *opcode == subject.opcode) else {
            return 0.0;
        };
        let width = self.bench.whole.unwrap_or(f64::INFINITY);
        let times = PassingTimes::of(order, form, &|_| 1.0, width);
        let alone = f64::from(executed[form].1) * subject.each;
        let cycles: Vec<f64> = slots.iter().map(|&it| times.cycles(it).max(alone)).collect();
        cycles.windows(2).map(|pair| pair[1] / pair[0] - 1.0).fold(f64::INFINITY, f64::min)
    }

    /// Numbers of slots that the first mixture of a form leaves open; none before it is measured.
    fn first_slots(&self, subject: &PortSubject) -> Vec<f64> {
        // (A stream beside which only some forms stand would tell lengths after others were asked for.)
        let dispatch = self.streams.fingerprinted_dispatch();
        let Some((width, at)) = self.width.zip(dispatch) else { return Vec::new() };
        let [first, _] = self.dispatch_lengths(subject);
        let Some(seen) = self.beside_full(subject, at, first) else { return Vec::new() };
        match self.bench.whole {
            Some(_) => whole_slots(subject, &[Some(seen)]),
            None => vec![added_slots(subject, &seen, width)],
        }
    }

    /// Whether one of some numbers of slots takes as long as a form does by itself. (Of a Neoverse V2 of LLVM's,
    /// which splits no instruction between cycles, `STRWpost` takes half a cycle for three of six slots, and half a
    /// cycle for each store.)
    fn is_limited_by(&self, slots: &[f64], subject: &PortSubject) -> bool {
        let Some(width) = self.width else { return false };
        let alone = PassingTimes::of(PassingOrder::of_one(), 0, &|_| 1.0, width);
        let cycles = |slots: f64| match self.bench.whole {
            Some(_) => alone.cycles(slots),
            None => slots / width,
        };
        slots.iter().any(|&slots| is_as_long(cycles(slots), subject.each))
    }

    /// What a form takes beside the stream at a place, which fills the front end and takes so many times as long.
    fn beside_full(
        &self,
        subject: &PortSubject,
        at: usize,
        length: f64,
    ) -> Option<FormObservation> {
        self.beside(subject, &self.streams.all[at].beside(subject, length))
    }

    /// What a mixture showed of a form.
    fn beside(&self, subject: &PortSubject, mix: &Mix) -> Option<FormObservation> {
        observation(mix, subject.opcode, self.blockers, &self.bench)
    }
}

/// Slots that explain what a form takes where the front end is full and slots add up.
fn added_slots(subject: &PortSubject, seen: &FormObservation, width: f64) -> f64 {
    // What takes as long alone leaves places free.
    if seen.cycles <= seen.own * subject.each * (1.0 + TOLERANCE) {
        return 1.0;
    }
    let own = (seen.cycles * width - seen.others.slots()) / seen.own;
    // (What it shows is no less than a slot, and half a slot is what pairs of instructions take.)
    if own < 0.75 { (own * 2.0).round().max(1.0) / 2.0 } else { own.round() }
}

/// Slots that explain about as well as any what a form takes where the front end is full and splits no
/// instruction: what is lost may be one more.
fn whole_slots(subject: &PortSubject, seen: &[Option<FormObservation>]) -> Vec<f64> {
    let off = |slots: f64| -> f64 {
        let of_one = |seen: &FormObservation| {
            let passing = seen.passing.as_ref().map_or(0.0, |it| it.cycles(slots));
            (passing.max(seen.own * subject.each) / seen.cycles - 1.0).abs()
        };
        seen.iter().flatten().map(of_one).sum()
    };
    let mut rated: Vec<(f64, f64)> =
        (1..=PassingTimes::MOST_SLOTS).map(|it| (off(it as f64), it as f64)).collect();
    rated.sort_by(|a, b| a.0.total_cmp(&b.0));
    let least = rated[0].0;
    rated.into_iter().filter(|it| it.0 <= least + TOLERANCE).map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::ports::Demand;
    use crate::metadata::OpcodeId;

    #[test]
    fn slots_of_whole_instructions_are_those_that_explain_what_is_lost() {
        // Two of three slots and six of one: half a cycle each alone, and two cycles.
        let order = PassingOrder { forms: vec![0, 0, 1, 1, 1, 1, 1, 1], rounds: 1 };
        let passing = PassingTimes::of(order, 0, &|_| 1.0, 6.0);
        let seen = FormObservation {
            own: 2.0,
            others: Demand::default(),
            cycles: 2.0,
            uncertainty: 0.0,
            passing: Some(passing),
        };
        let subject = PortSubject::of_a_test(OpcodeId(0), 0.5, 1);
        assert_eq!(whole_slots(&subject, &[Some(seen), None]), [3.0]);
    }

    #[test]
    fn slots_that_add_up_are_what_is_left() {
        let filler = crate::infer::ports::Usage::of([], 1.0);
        let seen = |cycles: f64| FormObservation {
            own: 2.0,
            others: Demand::of([(&filler, 6.0)]),
            cycles,
            uncertainty: 0.0,
            passing: None,
        };
        let slots = |each: f64, cycles: f64| {
            added_slots(&PortSubject::of_a_test(OpcodeId(0), each, 1), &seen(cycles), 6.0)
        };
        assert_eq!(slots(0.5, 2.0), 3.0);
        assert_eq!(slots(0.25, 7.0 / 6.0), 0.5);
        // Ports limit it: places are free.
        assert_eq!(slots(1.0, 2.0), 1.0);
    }
}
