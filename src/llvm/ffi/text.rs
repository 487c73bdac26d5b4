//! Text into objects, and intrinsics as text.

use std::ffi::{c_char, c_int};
use std::slice;

use super::{LONGEST_TEXT, Shim, WinicTarget, text_of};

/// The longest type of an intrinsic: a hundred registers in, a hundred out.
const LONGEST_TYPE: usize = 8192;

unsafe extern "C" {
    fn winic_assemble(
        target: *const WinicTarget,
        source: *const u8,
        length: usize,
        size: *mut usize,
        error: *mut c_char,
        error_size: usize,
    ) -> *mut u8;
    fn winic_bytes_delete(bytes: *mut u8);
    fn winic_intrinsic_count() -> u32;
    fn winic_intrinsic_name(id: u32, out: *mut c_char, capacity: usize) -> c_int;
    fn winic_intrinsic_type(id: u32, out: *mut c_char, capacity: usize) -> c_int;
}

impl Shim {
    /// An object file of assembly text, or what is wrong with that.
    pub fn assemble(&self, text: &str) -> Result<Vec<u8>, String> {
        let (mut size, mut error) = (0, [0 as c_char; LONGEST_TEXT]);
        // SAFETY: pointers and lengths belong together, and the target is alive.
        let bytes = unsafe {
            winic_assemble(
                self.raw(),
                text.as_ptr(),
                text.len(),
                &mut size,
                error.as_mut_ptr(),
                error.len(),
            )
        };
        if bytes.is_null() {
            return Err(text_of(&error));
        }
        // SAFETY: the shim gave so many bytes, and they are given back once, after they were copied.
        unsafe {
            let object = slice::from_raw_parts(bytes, size).to_vec();
            winic_bytes_delete(bytes);
            Ok(object)
        }
    }
}

/// Numbers and names of all intrinsics.
pub fn intrinsic_names() -> Vec<(u32, String)> {
    // SAFETY: reads a constant of LLVM's.
    let count = unsafe { winic_intrinsic_count() };
    let named = |id| {
        let mut text = [0 as c_char; LONGEST_TEXT];
        // SAFETY: the number is in range, pointer and length belong together.
        let status = unsafe { winic_intrinsic_name(id, text.as_mut_ptr(), text.len()) };
        (status == 0).then(|| (id, text_of(&text)))
    };
    (1..count).filter_map(named).collect()
}

/// The type of one of them, unless it has several.
pub fn intrinsic_type(id: u32) -> Option<String> {
    let mut text = vec![0 as c_char; LONGEST_TYPE];
    // SAFETY: the number is one of `intrinsic_names`, pointer and length belong together.
    let status = unsafe { winic_intrinsic_type(id, text.as_mut_ptr(), text.len()) };
    (status == 0).then(|| text_of(&text))
}
