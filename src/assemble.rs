//! From kernels to one shared object: one assembling in process, one link.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;
use std::process::Command;

use nix::sys::memfd::{MFdFlags, memfd_create};

use crate::artifact::{Artifact, KernelFunctions, ReferenceFunction, Sentinel};
use crate::codec::{Assembler, AssemblyError};
use crate::isa::{Isa, SENTINEL};

/// Linkers in the order in which they are looked for.
const LINKERS: [&str; 3] = ["ld.lld-22", "ld.lld", "rust-lld"];

/// A linker that was found.
#[derive(Debug, Clone)]
pub struct Linker {
    program: PathBuf,
    /// `rust-lld` is all of LLD's faces in one and must be told which.
    flavor: bool,
}

/// Why no shared object could be made.
#[derive(Debug, thiserror::Error)]
pub enum AssembleError {
    /// None of the linkers is installed.
    #[error(
        "no linker found (looked for {} in PATH and in the Rust toolchain); install one with `apt-get install lld-22`",
        LINKERS.join(", ")
    )]
    NoLinker,
    /// The text is not valid.
    #[error("the assembler refuses {what}: {error}")]
    Assembly {
        /// Which text.
        what: String,
        /// The assembler's message.
        error: AssemblyError,
    },
    /// The linker failed.
    #[error("{linker} failed: {reason}")]
    Link {
        /// The program.
        linker: String,
        /// Its first message.
        reason: String,
    },
    /// The system has no memory for an object file.
    #[error("cannot hand object files to the linker: {0}")]
    Memory(#[from] std::io::Error),
}

impl Linker {
    /// Finds one.
    ///
    /// # Errors
    /// When none is installed.
    pub fn find() -> Result<Self, AssembleError> {
        let in_path = |name: &str| {
            let path = std::env::var_os("PATH")?;
            std::env::split_paths(&path).map(|place| place.join(name)).find(|file| file.is_file())
        };
        for name in LINKERS {
            if let Some(program) = in_path(name).or_else(|| in_toolchain(name)) {
                return Ok(Self { program, flavor: name == "rust-lld" });
            }
        }
        Err(AssembleError::NoLinker)
    }

    /// Links object files into a shared object and returns its bytes. Where several define a
    /// symbol the first counts: a file that was dumped brings the template along.
    ///
    /// Nothing of it has a name in any directory, so nothing is left when winic is killed.
    ///
    /// # Errors
    /// When the linker fails or the system has no memory for the objects.
    pub fn link(&self, objects: &[Vec<u8>]) -> Result<Vec<u8>, AssembleError> {
        let inputs: Vec<File> =
            objects.iter().map(|object| in_memory(object)).collect::<Result<_, _>>()?;
        let mut command = Command::new(&self.program);
        if self.flavor {
            command.args(["-flavor", "gnu"]);
        }
        let linked = command
            .args(["-shared", "--strip-all", "--allow-multiple-definition", "-o", "-"])
            .args(inputs.iter().map(|input| format!("/proc/self/fd/{}", input.as_raw_fd())))
            .output()
            .map_err(|error| self.failure(&error.to_string()))?;
        if !linked.status.success() {
            return Err(self.failure(&String::from_utf8_lossy(&linked.stderr)));
        }
        Ok(linked.stdout)
    }

    fn failure(&self, reason: &str) -> AssembleError {
        AssembleError::Link {
            linker: self.program.display().to_string(),
            reason: reason.lines().next().unwrap_or("no message").to_owned(),
        }
    }
}

/// `rust-lld` lies in the toolchain, not in PATH.
fn in_toolchain(name: &str) -> Option<PathBuf> {
    if name != "rust-lld" {
        return None;
    }
    let output = Command::new("rustc").args(["--print", "target-libdir"]).output().ok()?;
    let libraries = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let program = libraries.parent()?.join("bin").join(name);
    program.is_file().then_some(program)
}

/// A file without a name, which the processes started from here can open by its number.
fn in_memory(bytes: &[u8]) -> std::io::Result<File> {
    let mut file = File::from(memfd_create("winic-object", MFdFlags::empty())?);
    file.write_all(bytes)?;
    Ok(file)
}

/// Assembles the template and the kernels' texts behind it, and links them.
///
/// # Errors
/// When the assembler or the linker fails.
pub fn assemble(
    texts: &[String],
    kernels: Vec<KernelFunctions>,
    reference: ReferenceFunction,
    isa: &dyn Isa,
    assembler: &dyn Assembler,
    linker: &Linker,
) -> Result<Artifact, AssembleError> {
    let mut text =
        String::with_capacity(texts.iter().map(String::len).sum::<usize>() + isa.template().len());
    text.push_str(isa.template());
    texts.iter().for_each(|kernel| text.push_str(kernel));
    let object = assembler.assemble(&text).map_err(|error| AssembleError::Assembly {
        what: format!("{} kernels", texts.len()),
        error,
    })?;
    Ok(Artifact {
        image: linker.link(&[object])?.into(),
        reference,
        sentinel: Some(Sentinel::unknown(SENTINEL)),
        kernels,
    })
}

/// Links the object of a text that a person wrote with the template.
///
/// # Errors
/// When the linker fails.
pub fn link_file(
    object: Vec<u8>,
    functions: KernelFunctions,
    reference: ReferenceFunction,
    isa: &dyn Isa,
    assembler: &dyn Assembler,
    linker: &Linker,
) -> Result<Artifact, AssembleError> {
    let template = assembler
        .assemble(isa.template())
        .map_err(|error| AssembleError::Assembly { what: "the template".to_owned(), error })?;
    Ok(Artifact {
        image: linker.link(&[object, template])?.into(),
        reference,
        sentinel: Some(Sentinel::unknown(SENTINEL)),
        kernels: vec![functions],
    })
}
