//! Bodies of several forms side by side, for what they take together.

use serde::{Deserialize, Serialize};

use super::content::{Content, Ingredient, Instance, Mixture, RegisterPolicy, Share};
use super::{Breaking, Cells};
use crate::catalogue::Catalogue;
use crate::form::{EncodingGroup, InstructionForm};
use crate::metadata::OpcodeId;
use crate::random::Random;

/// Forms side by side that wait for each other as little as possible.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MixedBody {
    /// The forms, each once.
    pub parts: Vec<MixedPart>,
    /// What breaks the implicit dependences of some, and how often it stands in a round.
    #[serde(default)]
    pub breaking: Vec<(Breaking, u32)>,
    /// In which order they stand.
    #[serde(default)]
    pub order: Order,
    /// How often all that stands in a body, which is what a kernel's instances count.
    pub rounds: u32,
}

/// A form of a mixture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MixedPart {
    /// The form.
    pub opcode: OpcodeId,
    /// Instances in a round.
    pub count: u32,
    /// How long an instance waits for the one before if both write to the same register, in quarters of a
    /// cycle: what is tied to its result, or keeps a part of it. The results of a form that does not wait
    /// take one register each, so that more are left to those that do.
    pub waits: u32,
}

/// In which order the instances of a round stand. Cores choose ports when instructions are dispatched,
/// so that one order can be slower than another.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Each form evenly spread over the round.
    #[default]
    Spread,
    /// All instances of a form behind each other.
    Grouped,
    /// Several rounds together in an order drawn at random, another one for each number. Where forms compete
    /// for ports, a short round can fall into step with the core, which then makes the same bad choice in
    /// each of them. (Rounds of more than 64 instances are spread: they are no short ones.)
    Shuffled(u8),
    /// Spread, and copies of constants cut the chains of instances that would wait for each other. A core renames most
    /// of those and executes none; where they take ports or places that a mixture needs, another order is better.
    Unchained,
}

impl Order {
    /// Those that are tried where many mixtures are timed.
    pub const FEW: [Self; 2] = [Self::Spread, Self::Grouped];

    /// Those that are tried where it matters what the core can do at best. (Zen 4, 4,000 mixtures: two more
    /// orders bring the mean of what general registers take 10 % nearer to what ports allow, four more
    /// another 3 %.)
    pub const MANY: [Self; 5] =
        [Self::Spread, Self::Grouped, Self::Shuffled(1), Self::Shuffled(2), Self::Unchained];
}

/// Instances that are shuffled together, at most.
const SHUFFLED: u32 = u64::BITS;

impl Order {
    /// How many rounds of so many instances are in one order together.
    fn together(self, round: u32) -> u32 {
        match self {
            Self::Spread | Self::Grouped | Self::Unchained => 1,
            Self::Shuffled(_) => (SHUFFLED / round.max(1)).max(1),
        }
    }

    /// The places of so many instances, those of a form behind each other, if they are drawn.
    fn shuffled(self, instances: u32) -> Option<Vec<u32>> {
        let Self::Shuffled(number) = self else { return None };
        if instances > SHUFFLED {
            return None;
        }
        let mut places: Vec<u32> = (0..instances).collect();
        let mut random = Random::new(number.into());
        for last in (1..places.len()).rev() {
            places.swap(last, random.below(last + 1));
        }
        Some(places)
    }
}

impl MixedBody {
    /// Of at least so many instances.
    #[must_use]
    pub fn of_instances(
        parts: Vec<MixedPart>,
        breaking: Vec<(Breaking, u32)>,
        order: Order,
        instances: u32,
    ) -> Self {
        let round: u32 = parts.iter().map(|part| part.count).sum::<u32>().max(1);
        let together = order.together(round);
        let rounds = (instances.div_ceil(round * together) * together).max(2);
        Self { parts, breaking, order, rounds }
    }

    /// What it holds. Instructions are padded to a length from which on decoding limits nothing, where
    /// the architecture can. Forms of more than one group of vector encodings stand in it as in real
    /// code; those of the group that leaves upper parts alone come first, so that they are clean.
    #[must_use]
    pub fn content(&self, catalogue: &Catalogue) -> Content {
        Content::SideBySide(self.mixture(catalogue))
    }

    /// The forms of the rounds that are in one order together, as they stand, with how many rounds those are.
    #[must_use]
    pub fn sequence(&self, catalogue: &Catalogue) -> (Vec<OpcodeId>, u32) {
        let mixture = self.mixture(catalogue);
        let rounds = self.order.together(self.parts.iter().map(|part| part.count).sum());
        let mut out = Vec::new();
        for turn in 0..mixture.turns * rounds / self.rounds.max(1) {
            for (share, ingredient) in &mixture.ingredients {
                let opcode = match ingredient {
                    Ingredient::Instance(instance) => instance.opcode,
                    Ingredient::Breaker(breaking) => breaking.breaker,
                    _ => continue,
                };
                out.extend((0..share.in_turn(turn)).map(|_| opcode));
            }
        }
        (out, rounds)
    }

    fn mixture(&self, catalogue: &Catalogue) -> Mixture {
        let group = |opcode: OpcodeId| {
            catalogue.form(opcode).map_or(EncodingGroup::COMMON, |form| form.group)
        };
        let mut parts = self.parts.clone();
        parts.sort_by_key(|part| group(part.opcode) != catalogue.isa.group_in_front());
        let groups = parts.iter().map(|part| group(part.opcode));
        let of_all = groups.into_iter().try_fold(EncodingGroup::COMMON, EncodingGroup::with);
        let most = parts.iter().map(|part| part.count).max().unwrap_or(1).max(1);
        let round: u32 = parts.iter().map(|part| part.count).sum();
        let together = self.order.together(round);
        let (turns, per) = match self.order {
            Order::Spread | Order::Unchained => (self.rounds * most, most),
            Order::Grouped => (self.rounds, 1),
            Order::Shuffled(_) => (self.rounds * round, round * together),
        };
        let places = self.order.shuffled(round * together);
        let mut taken = 0;
        // Loads have one cell between them: no two banks of a cache are in each other's way.
        let mut areas = 0;
        let mut instance = |&MixedPart { opcode, count, waits }: &MixedPart| {
            let stores = catalogue.form(opcode).is_some_and(InstructionForm::stores);
            areas += u8::from(stores);
            let cells = Cells::Area(if stores { areas } else { 0 });
            let registers = match self.order {
                Order::Unchained => RegisterPolicy::Unchained(waits * count),
                _ => RegisterPolicy::Waiting(waits * count),
            };
            let instance = Instance { cells, registers, ..Instance::plain(opcode) };
            let share = match &places {
                Some(places) => {
                    let own = places.iter().skip(taken).take((count * together) as usize);
                    Share::chosen(own.map(|place| 1 << place).sum(), per)
                }
                None => Share::new(count, per),
            };
            taken += (count * together) as usize;
            (share, Ingredient::Instance(instance))
        };
        let breakers = self.breaking.iter();
        let breakers = breakers
            .map(|&(it, count)| (Share::new(count * together, per), Ingredient::Breaker(it)));
        let crosses = of_all.is_none()
            && parts.iter().all(|part| group(part.opcode).configuration().is_none());
        Mixture {
            turns,
            ingredients: parts.iter().map(&mut instance).chain(breakers).collect(),
            crosses_encodings: crosses,
            padded: true,
        }
    }
}
