//! A file system of its own, as small as a test wants it.

use std::path::Path;
use std::process::Command;

/// Unmounted when dropped.
pub struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// None, with the reason on stderr, where mounting is not allowed.
    pub fn mount(size: &str) -> Option<Self> {
        let disk = Self(tempfile::tempdir().unwrap());
        let mounted = disk.run("mount", &["-t", "tmpfs", "-o", &format!("size={size}"), "none"]);
        assert!(mounted || std::env::var_os("CI").is_none(), "CI runs as root and skips nothing");
        if !mounted {
            eprintln!("skipped: only root can mount a small file system");
        }
        mounted.then_some(disk)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Gives it another size, or makes it read-only, or writable again.
    pub fn remount(&self, options: &str) {
        assert!(self.run("mount", &["-o", &format!("remount,{options}")]), "cannot remount");
    }

    fn run(&self, program: &str, options: &[&str]) -> bool {
        let output = Command::new(program).args(options).arg(self.0.path()).output();
        output.is_ok_and(|output| output.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        self.run("umount", &[]);
    }
}
