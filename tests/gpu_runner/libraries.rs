//! Drivers' libraries without a GPU behind them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with the libraries of a vendor.
pub struct Libraries {
    pub folder: tempfile::TempDir,
}

impl Libraries {
    /// Compiles them.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (source, library, flags) in [
            ("stub.c", "libcuda.so.1", &[][..]),
            ("stub.c", "libamdhip64.so", &["-DHIP"][..]),
            ("meter.c", "libnvidia-ml.so.1", &[][..]),
            ("meter.c", "librocm_smi64.so", &[][..]),
            ("blas.c", "libcublas.so", &[][..]),
            ("blas.c", "librocblas.so", &[][..]),
        ] {
            let source =
                Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gpu_runner").join(source);
            let mut compiler = Command::new("cc");
            compiler.args(["-shared", "-fPIC", "-O1", "-w"]).args(flags).arg(source);
            let done = compiler.arg("-o").arg(folder.path().join(library)).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        }
        Self { folder }
    }

    /// How often a function has been called.
    #[allow(dead_code, reason = "not all tests that share this file ask")]
    pub fn count(&self, function: &str) -> usize {
        let calls = std::fs::read_to_string(self.log()).unwrap_or_default();
        calls.lines().filter(|line| line.contains(function)).count()
    }

    /// Where calls are noted.
    pub fn log(&self) -> PathBuf {
        self.folder.path().join("calls")
    }
}
