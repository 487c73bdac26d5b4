//! Which ports forms use, from what mixtures take.
//!
//! In rounds, each planned from what is known: the throughput of all forms, and whether instances wait for
//! each other where they write to one register (`waits`); balanced pairs of the ISA's
//! candidates, which show the classes of forms of one micro-operation and their ports
//! (`blockers`); mixtures that tell structures apart which explain those as well; every form in registers
//! beside streams of known ones (`fingerprints`, `forms`), where microcode shows (`microcode`); plain loads and
//! stores, with the resources that they hold between them (`resources`); what else accesses
//! memory by its twin in registers and by its access (`twins`), beside the streams that tell what else it might use
//! (`telling`), or like the others; every form in mixtures
//! that chose nothing, where it may turn out to be another one (`verification`); pairs of forms that stand for many (`class_pairs`)
//! and random mixtures, by which all usages are refined together and what they hold besides ports is found (`training`,
//! `refinement`, `usage_classes`); and others that nothing was fitted to, which say how good all that is.
//!
//! # What ports do not say
//!
//! Ports are a bound. A core that chooses a scheduler for an instruction before a port is free takes longer where
//! several sets of ports are full at once. (Zen 4, measured beside a loop that shows whether the core is free: two
//! `vmulps` and one `vpshufb` take 1.16 to 1.21 cycles in five orders, where three ports, one of them common, allow
//! 1.0; one `vmulps` and two `vpshufb` take 1.0. Other forms of the same ports take about the same, whatever their
//! latencies. Of 250 random mixtures of five such forms the best of four orders takes 3.6 % more than the bound on
//! average, and one in ten more than 9.7 %. Two queues with two ports each, of which an instruction takes the one
//! with less in it, explain about half of that.)
//!
//! So do forms that read three registers of one file, beside each other. (`vfmadd` and `vpblendvb` take 1.0
//! together where ports allow 0.67, as if they had one unit; `vfmadd` and a merging `vpandd` 0.9 where they allow 0.5,
//! one and four of them 1.6 where they allow 1.25; two merging forms at most a tenth more than ports allow. That is no
//! sum, either: four merging `vaddps` take 2.0, with two `vfmadd` 2.15, and with four 3.65. Stores have part in that:
//! one of 64 bytes takes 2.0, with two `vmulps` of as many 2.0, with two `vfmadd` 3.58, and with four 5.5. On a Zen 1
//! `vfmadd` takes part of a port of additions for its third register: two and one `vcvtdq2ps`, which has that port
//! alone, take 1.87 where ports allow 1.0, one of each 1.0; two and three `vpand` 1.73 where they allow 1.25. A form of that port
//! that reads one register can start beside one `vfmadd`: one and one `vpabsb` take 0.76, two and two 1.51. One that
//! reads two cannot: one and one `vpsubusb` take 1.08, two and two 2.15.)
//!
//! And a front end may have more than one width. (The Zen 1 takes five instructions a cycle, and six
//! micro-operations: one `vpaddb ymm`, of two, and four moves take 1.0. What microcode executes fills a cycle by
//! itself, and another one cannot follow in the next: `vpermq` takes 2.0 alone, and 2.0 with five moves.) What is left
//! of all that is in the resources that [`crate::infer::ports::conjunctive_resources`] finds, as far as a sum of
//! weights expresses it.

mod bench;
mod blockers;
mod class_pairs;
mod dispatch;
mod fingerprints;
mod forms;
mod held;
mod inquiry;
mod microcode;
mod reach;
mod record;
mod refinement;
mod resources;
mod slots;
mod streams;
mod subjects;
mod telling;
mod training;
mod twins;
mod usage_classes;
mod verification;
mod waits;

use super::{Answers, Known, Question, Study, subject};
use crate::answer::ValueStatus;
use crate::catalogue::Catalogue;
use crate::database::{PortUsage, Throughput, Update};
use crate::experiment::Experiment;
use crate::infer::Knowledge;
use crate::kernel::Order;
use crate::maps::Map;
use crate::metadata::OpcodeId;
use crate::study::Grid;
use crate::study::throughput::ThroughputStudy;
use bench::MixtureBench;
use forms::Memo;
use inquiry::Inquiry;

/// What is asked.
pub static QUESTION: Question = Question {
    mode: "PORTS",
    key: "ports",
    counted: "forms have ports",
    is_of_forms: true,
    forms: |isa| [isa.blocker_candidates(), isa.front_end_candidates()].concat(),
    ask: |catalogue, subjects, grid| {
        Box::new(PortStudy { catalogue, subjects, grid, memo: Memo::default() })
    },
    failed: |subject, status| {
        let ports = Some(PortUsage { status: Some(status), ..PortUsage::default() });
        Update { subject, ports, ..Update::default() }
    },
};

struct PortStudy<'a> {
    catalogue: &'a Catalogue,
    subjects: &'a [OpcodeId],
    grid: &'a Grid,
    memo: Memo,
}

impl PortStudy<'_> {
    fn inquire(&self, knowledge: &Knowledge, is_over: bool) -> Inquiry {
        let knowledge = (knowledge, is_over);
        Inquiry::of(self.catalogue, self.subjects, self.grid, knowledge, &self.memo)
    }
}

impl PortStudy<'_> {
    /// Throughputs that breakers left open, by LLVM's names, where ports say what they are: what the
    /// breakers use is known.
    fn closed_throughputs(
        &self,
        inquiry: &Inquiry,
        knowledge: &Knowledge,
    ) -> Map<String, Throughput> {
        let broken = &inquiry.broken;
        let found = ThroughputStudy::new(self.catalogue, broken).conclude(knowledge);
        let closed = found.updates.into_iter().filter_map(|update| {
            let throughput = update.throughput?;
            let opcode = self.catalogue.set.by_name(&update.subject.llvm_name)?;
            let usage = inquiry.usages.get(&opcode)?;
            let closed = record::closed(throughput, usage, inquiry.width)?;
            Some((update.subject.llvm_name, closed))
        });
        closed.collect()
    }
}

impl Study for PortStudy<'_> {
    fn next(&self, knowledge: &Knowledge) -> Vec<Experiment> {
        self.inquire(knowledge, false).next
    }

    fn conclude(&self, knowledge: &Knowledge) -> Answers {
        let inquiry = self.inquire(knowledge, true);
        let mut closed = self.closed_throughputs(&inquiry, knowledge);
        let updates = self.subjects.iter().filter_map(|&opcode| {
            let form = self.catalogue.form(opcode)?;
            let ports = record::of(&inquiry, opcode)?;
            let subject = subject(form, &self.catalogue.set);
            let throughput = closed.remove(&subject.llvm_name);
            Some(Update { subject, ports: Some(ports), throughput, ..Update::default() })
        });
        Answers {
            updates: updates.collect(),
            execution: Some(record::of_core(&inquiry, self.catalogue)),
            ..Answers::default()
        }
    }

    fn kernels(&self, knowledge: &Knowledge) -> Vec<(String, Experiment)> {
        let inquiry = self.inquire(knowledge, true);
        let known = Known::of(self.catalogue, knowledge);
        let bench = MixtureBench {
            catalogue: self.catalogue,
            known,
            waits: &inquiry.waits,
            whole: inquiry.whole(),
        };
        let named = inquiry.named.iter();
        let named = named.flat_map(|(mix, _)| bench.experiments(mix, &[Order::Spread]));
        named.map(|experiment| ("mixture".to_owned(), experiment)).collect()
    }
}

/// A text as a reason.
fn reason(text: &str) -> ValueStatus {
    ValueStatus::Failed(crate::answer::Cause::InWords(text.to_owned()))
}

/// Real forms for tests.
#[cfg(feature = "llvm")]
#[cfg(test)]
mod of_a_test {
    use std::sync::Arc;

    use crate::catalogue::{Canonical, Catalogue, list};
    use crate::isa::{Isa, for_architecture};
    use crate::llvm::{Llvm, TargetChoice};

    /// All forms of a CPU by LLVM's names of both.
    pub(super) fn catalogue(triple: &str, cpu: &str) -> Catalogue {
        let choice =
            TargetChoice { triple: triple.into(), cpu: cpu.into(), features: String::new() };
        let mut llvm = Llvm::new(choice).unwrap();
        let mut set = llvm.instruction_set();
        let isa = for_architecture(&set, |feature| llvm.has_feature(feature)).unwrap();
        let isa: Arc<dyn Isa> = Arc::from(isa);
        isa.complete(&mut set);
        let set = Arc::new(set);
        let listings = list(&set, &*isa, &mut llvm);
        let forms = listings.into_iter().filter_map(|listing| match listing.canonical {
            Canonical::Form(form) => Some(*form),
            Canonical::Alias(_) | Canonical::Excluded(_) => None,
        });
        Catalogue::new(set, isa, forms, &Default::default())
    }
}
