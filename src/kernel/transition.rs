//! Bodies that enter a state, do something in it, and leave it.

use serde::{Deserialize, Serialize};

use super::content::{Content, Ingredient, Instance, Mixture, Share};
use crate::catalogue::Catalogue;
use crate::form::{Operand, Placeholder};
use crate::metadata::OpcodeId;

/// An instruction that takes the machine from one state to another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TransitionStep {
    /// Its form.
    pub opcode: OpcodeId,
    /// Values for its immediates other than the headline's.
    pub immediates: Vec<(usize, i64)>,
}

/// Again and again: instructions that enter a state, so many instances of a form, and what leaves it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TransitionBody {
    /// What enters the state, in order; at least one instruction, by which rounds are counted.
    pub enter: Vec<TransitionStep>,
    /// The form that stands in it.
    pub subject: OpcodeId,
    /// How often it stands there.
    pub count: u32,
    /// What leaves the state, in order.
    pub leave: Vec<TransitionStep>,
    /// How often all that stands in a body.
    pub rounds: u32,
}

impl TransitionBody {
    /// What it holds: a round a turn, which is what a kernel's instances count.
    #[must_use]
    pub fn content(&self, catalogue: &Catalogue) -> Content {
        let step = |step: &TransitionStep| (Share::EACH, step.ingredient(catalogue));
        let subject = Ingredient::Instance(Instance::plain(self.subject));
        let mut ingredients: Vec<_> = self.enter.iter().map(step).collect();
        ingredients.push((Share::EACH, Ingredient::Renewed));
        ingredients.push((Share::new(self.count, 1), subject));
        ingredients.extend(self.leave.iter().map(step));
        Content::SideBySide(Mixture {
            turns: self.rounds,
            ingredients,
            crosses_encodings: true,
            padded: false,
        })
    }
}

impl TransitionStep {
    /// An instance where it has registers to name.
    fn ingredient(&self, catalogue: &Catalogue) -> Ingredient {
        let form = catalogue.form(self.opcode);
        let is_register = |operand: &Operand| matches!(operand.kind, Placeholder::Register(_));
        match form.is_some_and(|form| form.operands.iter().any(is_register)) {
            true => {
                let immediate = self.immediates.first().copied();
                Ingredient::Instance(Instance { immediate, ..Instance::plain(self.opcode) })
            }
            false => Ingredient::Bare { opcode: self.opcode, immediates: self.immediates.clone() },
        }
    }
}
