//! Core cycles as the system counts them for one thread: macOS does so for the administrator only, through an
//! interface of its own that is not documented (`kpc`, in a private framework). Each reading calls the
//! system, which takes some two thousand cycles, now more and now less: windows are long beside that.

use std::ffi::c_int;
use std::io;

use super::clock::TickClock;

/// What would be counted.
#[derive(Debug, Clone, Copy)]
pub(in crate::device) struct Event;

impl Event {
    /// Core cycles.
    pub(in crate::device) const CYCLES: Self = Self;
}

/// Where the framework is, which has no file of its own on current systems.
const FRAMEWORK: &std::ffi::CStr = c"/System/Library/PrivateFrameworks/kperf.framework/kperf";
/// The counters that always count the same: cycles first, then instructions.
const FIXED: u32 = 1;
/// How many counters may be read at once.
const MOST: usize = 32;

type Set = unsafe extern "C" fn(u32) -> c_int;
type Count = unsafe extern "C" fn(u32) -> u32;
type Read = unsafe extern "C" fn(u32, u32, *mut u64) -> c_int;

/// A counter of the calling thread.
pub(in crate::device) struct Counter {
    read: Read,
    counters: u32,
}

impl Counter {
    /// Has the system count.
    ///
    /// # Errors
    /// When it does not: for whoever is not the administrator, and where the framework is another.
    pub(in crate::device) fn open(_event: Event) -> io::Result<Self> {
        // SAFETY: the name is a string, and a framework of the system runs nothing when it is loaded.
        let library = unsafe { libc::dlopen(FRAMEWORK.as_ptr(), libc::RTLD_LAZY) };
        if library.is_null() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let find = |name: &std::ffi::CStr| {
            // SAFETY: the library is open, for good, and the name is a string.
            let found = unsafe { libc::dlsym(library, name.as_ptr()) };
            if found.is_null() {
                Err(io::Error::from(io::ErrorKind::Unsupported))
            } else {
                Ok(found)
            }
        };
        let (all, thread) = (find(c"kpc_set_counting")?, find(c"kpc_set_thread_counting")?);
        let (count, read) = (find(c"kpc_get_counter_count")?, find(c"kpc_get_thread_counters")?);
        // SAFETY: these are the functions of those names, which take and return what the types say
        // (XNU, `osfmk/kern/kpc.h`, and its library).
        let counter = unsafe {
            let all = std::mem::transmute::<*mut libc::c_void, Set>(all);
            let thread = std::mem::transmute::<*mut libc::c_void, Set>(thread);
            let count = std::mem::transmute::<*mut libc::c_void, Count>(count);
            let read = std::mem::transmute::<*mut libc::c_void, Read>(read);
            if all(FIXED) != 0 || thread(FIXED) != 0 {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            Self { read, counters: count(FIXED) }
        };
        let is_possible = counter.counters > 0 && counter.counters as usize <= MOST;
        if is_possible && counter.now() > 0 {
            Ok(counter)
        } else {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// There is none: reading is a call of the system.
    pub(super) fn descriptor(&self) -> c_int {
        -1
    }
}

impl TickClock for Counter {
    /// Zero where the system does not say any more.
    fn now(&self) -> u64 {
        let mut values = [0_u64; MOST];
        // SAFETY: the buffer is our own and has room for as many as are asked for.
        let failed = unsafe { (self.read)(0, self.counters, values.as_mut_ptr()) };
        if failed == 0 { values[0] } else { 0 }
    }
}
