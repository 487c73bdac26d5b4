//! Walks through working sets, as sweeps make them of forms.

use super::Grid;
use super::point::Rate;
use crate::catalogue::Catalogue;
use crate::experiment::Experiment;
use crate::form::{InstructionForm, MemoryAccess};
use crate::infer::Knowledge;
use crate::kernel::{WalkBody, walked_operand};
use crate::metadata::OpcodeId;

/// What a walk does with what it passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WalkKind {
    /// It loads or stores, as the form does.
    Single,
    /// It stores what it loads.
    Copy,
}

/// Why a form does not walk.
const NO_WALK: &str = "it is no load or store of one register at a base and a displacement";
/// Why a form does not copy.
const NO_COPY: &str = "no plain store is known for what it loads";

/// A walk through working sets of any size.
#[derive(Debug, Clone)]
pub(super) struct Walker {
    load: Option<OpcodeId>,
    store: Option<OpcodeId>,
    /// Bytes of an access.
    width: u32,
    streams: u32,
    offset: u32,
}

impl Walker {
    /// Of a form, over a grid; or why not.
    pub fn of(
        catalogue: &Catalogue,
        form: &InstructionForm,
        grid: &Grid,
        walk: WalkKind,
    ) -> Result<Self, &'static str> {
        walked_operand(catalogue, form).ok_or(NO_WALK)?;
        let own = Some(form.opcode);
        let (load, store) = match (form.memory, walk) {
            (MemoryAccess::Load, WalkKind::Single) => (own, None),
            (MemoryAccess::Load, WalkKind::Copy) => {
                let store = catalogue.isa.store_of(&form.name).ok_or(NO_COPY)?;
                let store = catalogue.form_by_name(store).ok_or(NO_COPY)?;
                (own, Some(store.opcode))
            }
            (_, WalkKind::Single) => (None, own),
            (_, WalkKind::Copy) => return Err(NO_COPY),
        };
        let width = form.access_bits / u8::BITS;
        let (streams, offset) = (grid.streams.unwrap_or(1), grid.offset.unwrap_or(0));
        Ok(Self { load, store, width, streams, offset })
    }

    /// The walk through so many bytes on each of so many cores.
    pub fn through(&self, bytes: u64, cores: u32) -> Experiment {
        let Self { load, store, streams, offset, .. } = *self;
        Experiment::Walk(WalkBody { load, store, streams, bytes, offset, cores })
    }

    /// LLVM's names of its forms.
    pub fn forms(&self, catalogue: &Catalogue) -> Vec<String> {
        let forms = [self.load, self.store].into_iter().flatten();
        forms.map(|opcode| super::name(catalogue, opcode)).collect()
    }

    /// Its forms in one word.
    pub fn name(&self, catalogue: &Catalogue) -> String {
        self.forms(catalogue).join("_")
    }

    /// What is the same at all points.
    pub fn setting(&self, bytes: Option<u64>, cores: Option<u32>) -> String {
        let kind = match (self.load, self.store) {
            (Some(_), Some(_)) => "copy",
            (Some(_), None) => "load",
            _ => "store",
        };
        let plural = |count: Option<u32>, what: &str| {
            count.filter(|count| *count != 1).map(|count| format!("{count} {what}"))
        };
        let others = [
            bytes.map(|bytes| bytesize::ByteSize(bytes).to_string()),
            plural(Some(self.streams), "streams"),
            (self.offset != 0).then(|| format!("offset {}", self.offset)),
            plural(cores, "threads"),
        ];
        let words = std::iter::once(kind.to_owned()).chain(others.into_iter().flatten());
        words.collect::<Vec<_>>().join(", ")
    }

    /// Bytes that an instruction moves, as a rate on a core whose clock is known.
    pub fn rate(&self, catalogue: &Catalogue, knowledge: &Knowledge) -> Option<Rate> {
        Rate::of_bytes(self.width, catalogue, knowledge)
    }

    /// Bytes of an access.
    pub fn width(&self) -> u32 {
        self.width
    }
}
