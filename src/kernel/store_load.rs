//! A store and a load that reads what was stored, or a part of it, again and again.

use serde::{Deserialize, Serialize};

use super::chain::{Chain, Link, Style};
use super::{Content, ValueClass};
use crate::catalogue::Catalogue;
use crate::form::{Edge, InstructionForm, Site};
use crate::metadata::OpcodeId;

/// A store and a load in a loop: the load waits for the store, and the next store for what was loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StoreLoad {
    /// The form that stores a register.
    pub store: OpcodeId,
    /// The form that loads one.
    pub load: OpcodeId,
    /// Bytes from where the store begins to where the load does.
    pub offset: i32,
    /// Whether the load names the address as the store does, with the same base and displacement but
    /// for the offset.
    pub same_address: bool,
    /// Fillers behind each of the two: without them the scheduler fills up with stores that wait, and
    /// with them the front end may be too slow.
    pub fillers: u32,
}

/// Store and load pairs in a body: some cores find out only after a dozen that an address is another
/// one's (Zen 4 takes what it stored for its own in shorter bodies).
const PAIRS: u32 = 30;

impl StoreLoad {
    /// What it holds, if there are such forms, and the store stores a register and the load loads one.
    #[must_use]
    pub fn content(&self, catalogue: &Catalogue) -> Option<Content> {
        let (store, load) = (catalogue.form(self.store)?, catalogue.form(self.load)?);
        let stored = store.uses().find(|&site| is_data(store, site))?;
        let loaded = load.defs().find(|&site| is_data(load, site))?;
        let over = |opcode, source, target| Link::over(Edge { opcode, source, target });
        let chain = Chain {
            links: vec![
                over(self.store, stored, Site::Memory),
                over(self.load, Site::Memory, loaded),
            ],
            style: if self.same_address { Style::SameAddress } else { Style::Rotating },
            fillers: self.fillers,
            least_links: 2 * PAIRS,
            values: ValueClass::default(),
        };
        match chain.content() {
            Content::InSequence(mut sequence) => {
                sequence.load_offset = self.offset;
                Some(Content::InSequence(sequence))
            }
            Content::SideBySide(_)
            | Content::Walking(_)
            | Content::Chasing(_)
            | Content::Sharing(_) => None,
        }
    }
}

/// Whether a site is an operand that is no part of the address.
fn is_data(form: &InstructionForm, site: Site) -> bool {
    match site {
        Site::Operand(operand) => form.part_held(operand).is_none(),
        Site::Implicit(_) | Site::Memory => false,
    }
}
