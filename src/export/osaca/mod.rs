//! A machine model and an ISA file for OSACA, of a database.
//!
//! Source: OSACA 0.7.1 (`hw_model.py`, `arch_semantics.py`, `isa_semantics.py`, `kernel_dg.py`), as it
//! behaves when it is run.
//!
//! # Rules
//!
//! * **One form of a key.** OSACA finds forms by mnemonic and kinds of operands; several of LLVM's
//!   opcodes are one to it. Of those counts, in this order: what LLVM prints so before what other
//!   assemblers call so; the unmasked one before merging and those before zeroing; the one that leaves its base alone
//!   before those that write it back, and that without an index before those with one; the shortest encoding
//!   (what assemblers make of the text); the widest operands; the one whose ordinary registers and numbers are
//!   printed so (`mul` is `MADDXrrr@zero`, not any `MADDXrrr`); LLVM's order.
//! * **Memory.** What only loads has a form of its own, with the latency from address to result; so
//!   have stores, addresses (`lea`), gathers, and what reads and writes memory. What computes with a
//!   loaded operand and has a twin with a register has none: OSACA adds the load to the twin, and
//!   charges its latency to the address alone.
//! * **Addressing modes** have forms of their own where they take longer than a base alone, or more operations.
//! * **Cells.** What reads and writes memory at an address with an index is taken to find another cell
//!   each time, and at one without an index the same: OSACA sees no change of an index that is
//!   written as half a register, and would chain a histogram's increments.
//! * **Latency.** One of each form, see [`crate::database::OperandLatency::chosen`] and `latency`.
//! * **Ports.** Those of the database, else by the rule of `ports`. `FE` is the front end: a form
//!   takes its slots over the width there, and where no instruction is split what is lost behind others
//!   on average (which depends on what stands before it: OSACA has no words for that). `BR` is taken
//!   branches, one a cycle.
//! * **No list before a name.** OSACA looks at forms with one name before those with several: all have
//!   a list here, so that their order counts, narrow patterns first.

mod account;
mod file;
mod isa_file;
mod model;
mod operand;
mod row;

pub use account::ExportAccount;
pub use operand::{Inexpressible, Syntax};

use std::collections::BTreeMap;

use crate::database::Database;
use crate::form::InstructionForm;

use super::ports::MachinePorts;
use super::printed::Printer;

/// What OSACA reads.
#[derive(Debug, Clone, PartialEq)]
pub struct OsacaModel {
    /// The machine model: what forms cost.
    pub machine: String,
    /// The ISA file: what they read and write.
    pub isa: String,
    /// OSACA's name of the ISA, which is the name of that file.
    pub isa_name: &'static str,
    /// What is in it, and what is not.
    pub account: ExportAccount,
}

/// Makes a model of a database.
///
/// Forms are those of the target that the database is about; `ports` is what is known of its ports,
/// by LLVM's names.
#[must_use]
pub fn export(
    database: &Database,
    forms: &BTreeMap<String, InstructionForm>,
    ports: &MachinePorts,
    syntax: Syntax,
    printer: &mut Printer<'_>,
) -> OsacaModel {
    let mut account = ExportAccount::default();
    let rows = row::rows(database, forms, syntax, printer, &mut account);
    let model = model::model(database, rows, ports, syntax, &mut account);
    OsacaModel {
        machine: file::machine(database, &model, syntax),
        isa: isa_file::text(&model, syntax, printer.isa),
        isa_name: match syntax {
            Syntax::Att => "x86",
            Syntax::Arm => "aarch64",
            Syntax::RiscV => "riscv",
        },
        account,
    }
}
