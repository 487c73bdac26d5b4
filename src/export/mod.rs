//! Models of a machine for programs that predict code: functions of a database, of the forms that it is
//! about, and of what a codec prints of those.
//!
//! * `printed` writes forms in all ways that compilers and assemblers do.
//! * `latency` says which of a form's latencies counts where a reader knows no operands.
//! * `ports` says which ports a form uses, and how without a study of ports.
//! * `header` says where figures come from.
//! * `losses` counts what a model has no place for.
//! * [`osaca`] makes of it a machine model and an ISA file of OSACA.
//! * [`llvm`] makes of it a scheduling model of LLVM's.

mod header;
mod latency;
pub mod llvm;
mod losses;
pub mod osaca;
mod ports;
mod printed;

pub use latency::FormLatency;
pub use losses::ExportLosses;
pub use ports::{FormPorts, MachinePorts, PortPool};
pub use printed::{PrintedForm, Printer, Spelled, split as split_operands};
