//! The system-call filter: once it is armed, a child can do nothing but compute and end.

use std::io;

use libc::{BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

use super::machine::AUDIT_ARCH;

/// What kind of filter this system offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::device) enum Filter {
    /// A filter that leaves the speculation settings of the process alone. Without that,
    /// older kernels slow down every load of a filtered process.
    Swift,
    /// A filter, on a kernel that does not know how to do so.
    Plain,
    /// None: only the watchdog and the resource limits stand between kernels and the system.
    Absent,
}

/// One system call that a child needs to read its clock, with its first argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Permit {
    /// The number of the system call.
    call: libc::c_long,
    /// Its first argument: a file descriptor or a clock.
    argument: u32,
}

impl Permit {
    /// Reading `CLOCK_MONOTONIC_RAW` is a system call on machines whose time stamps are unreliable.
    pub(super) const MONOTONIC: Self =
        Self { call: libc::SYS_clock_gettime, argument: libc::CLOCK_MONOTONIC_RAW.cast_unsigned() };

    /// Reading a file.
    pub(super) fn read(descriptor: libc::c_int) -> Self {
        Self { call: libc::SYS_read, argument: descriptor.cast_unsigned() }
    }
}

impl Filter {
    /// What a system may offer, the best first.
    pub(super) const OFFERED: [Self; 2] = [Self::Swift, Self::Plain];

    /// Arms the filter for the calling thread, for good. The process must have given up gaining
    /// privileges (`PR_SET_NO_NEW_PRIVS`).
    ///
    /// # Errors
    /// When the system has no such filter.
    pub(super) fn arm(self, permit: Option<Permit>) -> io::Result<()> {
        let flags = match self {
            Self::Swift => libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
            Self::Plain => 0,
            Self::Absent => return Ok(()),
        };
        let mut program = program(permit);
        let description =
            libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
        // SAFETY: the description and the program outlive the call, which copies them.
        let failed = unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                flags,
                &raw const description,
            )
        };
        if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

// Offsets in `struct seccomp_data`; the argument's is that of its lower half.
const CALL: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;

/// Kills unless the call is of this architecture (others number their calls differently) and
/// ends the process or is the permitted one. Jumps count the instructions they skip.
fn program(permit: Option<Permit>) -> [sock_filter; 10] {
    // Without a permit the comparison repeats the one before it and can never hold.
    let permit = permit.unwrap_or(Permit { call: libc::SYS_exit_group, argument: 0 });
    [
        load(ARCHITECTURE),
        skip_unless(AUDIT_ARCH, 0, 6),
        load(CALL),
        skip_unless(libc::SYS_exit_group as u32, 5, 0),
        skip_unless(libc::SYS_exit as u32, 4, 0),
        skip_unless(permit.call as u32, 0, 2),
        load(FIRST_ARGUMENT),
        skip_unless(permit.argument, 1, 0),
        answer(libc::SECCOMP_RET_KILL_PROCESS),
        answer(libc::SECCOMP_RET_ALLOW),
    ]
}

const fn load(offset: u32) -> sock_filter {
    sock_filter { code: (BPF_LD | BPF_W | BPF_ABS) as u16, jt: 0, jf: 0, k: offset }
}

const fn skip_unless(value: u32, if_equal: u8, otherwise: u8) -> sock_filter {
    sock_filter { code: (BPF_JMP | BPF_JEQ | BPF_K) as u16, jt: if_equal, jf: otherwise, k: value }
}

const fn answer(action: u32) -> sock_filter {
    sock_filter { code: (BPF_RET | BPF_K) as u16, jt: 0, jf: 0, k: action }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the program as the system would, on the four kinds of instruction it uses.
    fn verdict(permit: Option<Permit>, architecture: u32, call: libc::c_long, first: u32) -> bool {
        let program = program(permit);
        let (mut at, mut loaded) = (0, 0);
        loop {
            let step = &program[at];
            at += 1;
            match u32::from(step.code) & 7 {
                BPF_LD => {
                    loaded = match step.k {
                        CALL => call as u32,
                        ARCHITECTURE => architecture,
                        FIRST_ARGUMENT => first,
                        other => panic!("offset {other}"),
                    }
                }
                BPF_JMP => at += usize::from(if loaded == step.k { step.jt } else { step.jf }),
                BPF_RET => return step.k == libc::SECCOMP_RET_ALLOW,
                other => panic!("code {other}"),
            }
        }
    }

    #[test]
    fn only_the_end_is_permitted() {
        for (call, permitted) in [
            (libc::SYS_exit, true),
            (libc::SYS_exit_group, true),
            (libc::SYS_read, false),
            (libc::SYS_kill, false),
            (libc::SYS_clone, false),
        ] {
            assert_eq!(verdict(None, AUDIT_ARCH, call, 0), permitted, "{call}");
            assert!(!verdict(None, AUDIT_ARCH ^ 1, call, 0), "{call} of another architecture");
        }
    }

    #[test]
    fn a_permit_is_for_one_call_with_one_argument() {
        let permit = Some(Permit { call: libc::SYS_read, argument: 7 });
        assert!(verdict(permit, AUDIT_ARCH, libc::SYS_read, 7));
        assert!(!verdict(permit, AUDIT_ARCH, libc::SYS_read, 0));
        assert!(!verdict(permit, AUDIT_ARCH, libc::SYS_write, 7));
        assert!(verdict(permit, AUDIT_ARCH, libc::SYS_exit, 0));
    }
}
