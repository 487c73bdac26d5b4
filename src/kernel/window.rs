//! Two chains that pass nothing to each other, with fillers between them: whether the second begins before
//! the first has ended shows whether all that stands between fits into the core.

use serde::{Deserialize, Serialize};

use super::Accumulators;
use super::content::{Content, Ingredient, Instance, Mixture, RegisterPolicy, Share};
use crate::metadata::OpcodeId;

/// A round of two chains, each with fillers behind it. Each goes on in the next round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WindowBody {
    /// The form of the links.
    pub link: OpcodeId,
    /// The operands through which links wait for each other.
    pub chain: Accumulators,
    /// Links of each chain in a round. So many are a kernel's instances: those of one chain.
    pub links: u32,
    /// Fillers behind each chain.
    pub fillers: u32,
    /// The form that fillers are of, if they are no fillers of the instruction set: of a core that keeps several of
    /// those as one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filler: Option<OpcodeId>,
}

impl WindowBody {
    /// What it holds.
    #[must_use]
    pub fn content(&self) -> Content {
        let chain = Ingredient::Instance(Instance {
            registers: RegisterPolicy::Accumulators(Accumulators { count: 1, ..self.chain }),
            ..Instance::plain(self.link)
        });
        let links = (Share::new(self.links, 1), chain);
        let fillers = match self.filler {
            Some(form) => {
                (Share::new(self.fillers, 1), Ingredient::Instance(Instance::plain(form)))
            }
            None => (Share::EACH, Ingredient::Fillers(self.fillers)),
        };
        Content::SideBySide(Mixture {
            turns: 1,
            ingredients: vec![links.clone(), fillers.clone(), links, fillers],
            crosses_encodings: false,
            padded: false,
        })
    }
}
