//! Store forwarding: how long it takes from what is stored to what is loaded, for stores and loads of
//! all widths, and loads that begin elsewhere than the store did.
//!
//! A loop of a store and a load takes the time from data to data. What a store buffer cannot hand on (a
//! load that begins before the store, or reads more than was stored) waits until the store has reached
//! the cache. Offsets are those where cores differ: the parts of what was stored that a narrower load can
//! read, one byte into it, and across either of its ends.

use crate::catalogue::Catalogue;
use crate::database::ForwardingTime;
use crate::experiment::Experiment;
use crate::form::RegisterFile;
use crate::infer::Knowledge;
use crate::isa::PlainMove;
use crate::kernel::StoreLoad;
use crate::metadata::OpcodeId;

use super::{Answers, Question, Study};
use crate::database::Update;

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "FORWARD",
    key: "storeForwarding",
    counted: "",
    is_of_forms: false,
    forms: |isa| isa.plain_moves().iter().flat_map(|it| [it.store, it.load]).collect(),
    ask: |catalogue, _, _| Box::new(ForwardStudy { catalogue }),
    failed: |subject, _| Update { subject, ..Update::default() },
};

struct ForwardStudy<'a> {
    catalogue: &'a Catalogue,
}

/// A place in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PairOfWidths {
    registers: RegisterFile,
    /// Bits that are stored.
    stored: u32,
    /// Bits that are loaded.
    loaded: u32,
    /// Bytes from where the store begins to where the load does.
    offset: i32,
}

/// Where loads of so many bytes begin, counted from the beginning of a store of so many.
fn offsets(stored: i32, loaded: i32) -> Vec<i32> {
    let mut out: Vec<i32> = (0..=stored - loaded).step_by(loaded as usize).collect();
    // One byte further, and across the ends: by half of the narrower one.
    let half = stored.min(loaded) / 2;
    if stored > loaded {
        out.push(1);
    }
    if half > 0 {
        out.extend([-half, stored - half]);
    }
    // A wider load may begin before what was stored, or with it.
    if loaded > stored {
        out.extend([0, stored - loaded]);
    }
    out.sort_unstable();
    out.dedup();
    out
}

impl ForwardStudy<'_> {
    /// All places of the table, with the experiments that fill them: named otherwise and alike, each with
    /// and without fillers.
    fn places(&self) -> impl Iterator<Item = (PairOfWidths, [[StoreLoad; 2]; 2])> {
        let moves = self.catalogue.isa.plain_moves();
        let opcode = |name: &str| self.catalogue.form_by_name(name).map(|form| form.opcode);
        let beside = move |store: &'static PlainMove| {
            let loads = moves.iter().filter(|load| load.registers == store.registers);
            loads.map(move |load| (store, load))
        };
        let found = moves.iter().flat_map(beside).filter_map(move |(store, load)| {
            Some((store, load, opcode(store.store)?, opcode(load.load)?))
        });
        found.flat_map(|(store, load, of_store, of_load)| {
            let offsets = offsets(store.bits as i32 / 8, load.bits as i32 / 8).into_iter();
            offsets.map(move |offset| {
                let place = PairOfWidths {
                    registers: store.registers,
                    stored: store.bits,
                    loaded: load.bits,
                    offset,
                };
                (place, pair(of_store, of_load, offset))
            })
        })
    }

    fn time(
        &self,
        (place, asked): (PairOfWidths, [[StoreLoad; 2]; 2]),
        knowledge: &Knowledge,
    ) -> ForwardingTime {
        let fastest = |asked: [StoreLoad; 2]| {
            let timings = asked.map(|asked| knowledge.timing(&Experiment::StoreLoad(asked)));
            timings.into_iter().flatten().min_by(|a, b| a.each().0.total_cmp(&b.each().0))
        };
        let [otherwise, alike] = asked.map(fastest);
        ForwardingTime {
            registers: place.registers,
            stored: place.stored,
            loaded: place.loaded,
            offset: place.offset,
            cycles: otherwise.map(|timing| timing.each().0),
            uncertainty: otherwise.map(|timing| timing.uncertainty().0),
            same_address: alike.map(|timing| timing.each().0),
        }
    }
}

/// Fillers behind stores and loads, one of which leaves room in the scheduler and the front end.
const FILLERS: [u32; 2] = [0, 6];

/// The experiments of a place, by how the address is named and by fillers; the fastest counts.
fn pair(store: OpcodeId, load: OpcodeId, offset: i32) -> [[StoreLoad; 2]; 2] {
    let with = |same_address, fillers| StoreLoad { store, load, offset, same_address, fillers };
    [false, true].map(|same_address| FILLERS.map(|fillers| with(same_address, fillers)))
}

impl Study for ForwardStudy<'_> {
    fn next(&self, _: &Knowledge) -> Vec<Experiment> {
        let asked = self.places().flat_map(|(_, asked)| asked).flatten();
        asked.map(Experiment::StoreLoad).collect()
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let forwarding = self.places().map(|place| self.time(place, knowledge)).collect();
        Answers { forwarding: Some(forwarding), ..Answers::default() }
    }

    fn kernels(&self, _: &Knowledge) -> Vec<(String, Experiment)> {
        let name = |(PairOfWidths { registers, stored, loaded, offset }, [[otherwise, _], _]): (
            PairOfWidths,
            [[StoreLoad; 2]; 2],
        )| {
            let name = format!("forward_{}_{stored}_{loaded}_{offset}", registers.name());
            (name.replace('-', "minus"), Experiment::StoreLoad(otherwise))
        };
        self.places().map(name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_begin_in_all_parts_and_across_both_ends() {
        assert_eq!(offsets(8, 8), [-4, 0, 4]);
        assert_eq!(offsets(8, 4), [-2, 0, 1, 4, 6]);
        assert_eq!(offsets(4, 1), [0, 1, 2, 3]);
        assert_eq!(offsets(4, 8), [-4, -2, 0, 2]);
        assert_eq!(offsets(1, 2), [-1, 0]);
        assert_eq!(offsets(32, 16), [-8, 0, 1, 16, 24]);
    }
}
