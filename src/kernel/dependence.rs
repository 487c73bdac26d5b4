//! Dependences of finished instruction sequences, checked on the parts of registers that
//! instructions really read and write.

use crate::catalogue::Catalogue;
use crate::form::{InstructionForm, Part, Role, Site};
use crate::maps::Map;
use crate::metadata::{Instruction, RegisterId};

/// An instruction of a sequence with what it touches.
pub(super) struct Access {
    /// What it reads: at which site, which register (none for memory), which parts.
    pub reads: Vec<(Site, RegisterId, Vec<Part>)>,
    /// What it writes.
    pub writes: Vec<(Site, Vec<Part>)>,
    /// What it leaves undefined: nothing can be passed through it, but it may be waited for.
    pub undefined: Vec<(Site, Vec<Part>)>,
    /// Registers of which an operand writes a part, and the rest stays.
    pub merged: Vec<(RegisterId, Vec<Part>)>,
}

impl Access {
    pub fn of(catalogue: &Catalogue, form: &InstructionForm, instruction: &Instruction) -> Self {
        let parts =
            |register, role| catalogue.isa.parts(&catalogue.set, form, instruction, register, role);
        let reads = form
            .uses()
            .filter_map(|site| form.register_at(site, instruction).map(|register| (site, register)))
            .map(|(site, register)| (site, register, parts(register, Role::Use)))
            .collect();
        let writes = form
            .defs()
            .filter_map(|site| form.register_at(site, instruction).map(|register| (site, register)))
            .map(|(site, register)| (site, parts(register, Role::Def)))
            .collect();
        let undefined = form
            .defs()
            .filter_map(|site| form.register_at(site, instruction).map(|register| (site, register)))
            .map(|(site, register)| (site, parts(register, Role::Undefined)))
            .collect();
        let merged = form
            .defs()
            .filter(|site| matches!(site, Site::Operand(_)))
            .filter_map(|site| form.register_at(site, instruction))
            .filter_map(|register| catalogue.isa.merged(&catalogue.set, register))
            .map(|whole| (whole, parts(whole, Role::Use)))
            .collect();
        Self { reads, writes, undefined, merged }
    }

    /// Notes the cell that the instruction accesses.
    pub fn reach(&mut self, form: &InstructionForm, cell: u32) {
        let part = vec![Part::Cell(cell)];
        if form.uses().any(|site| site == Site::Memory) {
            self.reads.push((Site::Memory, RegisterId::NONE, part.clone()));
        }
        if form.defs().any(|site| site == Site::Memory) {
            self.writes.push((Site::Memory, part));
        }
    }

    pub fn writes_part(&self, part: Part) -> bool {
        self.writes.iter().any(|(_, parts)| parts.contains(&part))
    }
}

/// For each instruction of a loop, who wrote last what it reads: `writer(i, part)` looks
/// backwards from instruction `i`, around the loop's edge, up to `i` itself.
pub(super) struct LastWriters {
    writers: Map<Part, Vec<usize>>,
    length: usize,
}

impl LastWriters {
    pub fn of(sequence: &[Access]) -> Self {
        let mut writers: Map<Part, Vec<usize>> = Map::default();
        for (index, access) in sequence.iter().enumerate() {
            for &part in access.writes.iter().chain(&access.undefined).flat_map(|(_, parts)| parts)
            {
                writers.entry(part).or_default().push(index);
            }
        }
        Self { writers, length: sequence.len() }
    }

    /// The last instruction before `reader` that writes `part`, and how many instructions ago.
    pub fn before(&self, reader: usize, part: Part) -> Option<(usize, usize)> {
        let writers = self.writers.get(&part)?;
        let earlier = writers.iter().rev().find(|&&writer| writer < reader);
        match earlier {
            Some(&writer) => Some((writer, reader - writer)),
            None => writers.last().map(|&writer| (writer, reader + self.length - writer)),
        }
    }
}
