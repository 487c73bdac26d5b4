//! The drivers' libraries behind safe functions. CUDA's driver API and HIP's module API have the same calls
//! under other names, and a few that only one of them needs.
#![allow(unsafe_code, reason = "calls of libraries that are opened at run time")]

mod meter;
mod products;

pub use meter::Meter;
pub use products::ProductLibrary;

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::slice;

use libloading::Library;

use super::{GpuChoice, GpuFacts, GpuVendor};
use crate::files::one_line;

/// Why the driver did not do something, in one line: which call, and its own words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GpuError(String);

impl GpuError {
    fn new(text: impl AsRef<str>) -> Self {
        Self(one_line(&text.as_ref().split_whitespace().collect::<Vec<_>>().join(" ")))
    }
}

/// What a vendor calls its functions, and its numbers for attributes.
struct DriverNames {
    api: &'static str,
    files: &'static [&'static str],
    remedy: &'static str,
    init: &'static str,
    version: &'static str,
    count: &'static str,
    name: &'static str,
    attribute: &'static str,
    load: &'static str,
    function: &'static str,
    function_attribute: &'static str,
    alloc: &'static str,
    set: &'static str,
    copy: &'static str,
    put: &'static str,
    launch: &'static str,
    event: &'static str,
    record: &'static str,
    wait: &'static str,
    elapsed: &'static str,
    bus: &'static str,
    /// The number of compute units among a device's attributes.
    units: c_int,
    /// What ends the list of a launch's extras.
    end: usize,
}

const CUDA: DriverNames = DriverNames {
    api: "CUDA",
    files: &["libcuda.so.1"],
    remedy: "install NVIDIA's driver, or name another machine with --runner",
    init: "cuInit",
    version: "cuDriverGetVersion",
    count: "cuDeviceGetCount",
    name: "cuDeviceGetName",
    attribute: "cuDeviceGetAttribute",
    load: "cuModuleLoadData",
    function: "cuModuleGetFunction",
    function_attribute: "cuFuncGetAttribute",
    alloc: "cuMemAlloc_v2",
    set: "cuMemsetD8_v2",
    copy: "cuMemcpyDtoH_v2",
    put: "cuMemcpyHtoD_v2",
    launch: "cuLaunchKernel",
    event: "cuEventCreate",
    record: "cuEventRecord",
    wait: "cuEventSynchronize",
    elapsed: "cuEventElapsedTime",
    bus: "cuDeviceGetPCIBusId",
    units: 16,
    end: 0,
};

const HIP: DriverNames = DriverNames {
    api: "HIP",
    files: &["libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"],
    remedy: "install AMD's ROCm runtime, or name another machine with --runner",
    init: "hipInit",
    version: "hipDriverGetVersion",
    count: "hipGetDeviceCount",
    name: "hipDeviceGetName",
    attribute: "hipDeviceGetAttribute",
    load: "hipModuleLoadData",
    function: "hipModuleGetFunction",
    function_attribute: "hipFuncGetAttribute",
    alloc: "hipMalloc",
    set: "hipMemsetD8",
    copy: "hipMemcpyDtoH",
    put: "hipMemcpyHtoD",
    launch: "hipModuleLaunchKernel",
    event: "hipEventCreateWithFlags",
    record: "hipEventRecord",
    wait: "hipEventSynchronize",
    elapsed: "hipEventElapsedTime",
    bus: "hipDeviceGetPCIBusId",
    units: 63,
    end: 3,
};

/// Compute capability among the attributes of NVIDIA's devices.
const MAJOR: c_int = 75;
const MINOR: c_int = 76;
/// Registers of a thread among the attributes of functions, of both.
const REGISTERS: c_int = 4;
/// Kinds of input to NVIDIA's linker, and its options: buffers for what it says, and their sizes.
const PTX: c_uint = 1;
const INFORMATION: c_int = 3;
const INFORMATION_SIZE: c_int = 4;
const ERRORS: c_int = 5;
const ERRORS_SIZE: c_int = 6;
/// In a launch's extras: the buffer of arguments, and its size.
const ARGUMENTS: usize = 1;
const ARGUMENTS_SIZE: usize = 2;
/// Bytes of a name or a log.
const NAME: usize = 256;
const LOG: usize = 16 << 10;
/// No kernel that is compiled here is larger, whatever a driver says.
const LARGEST_MODULE: usize = 256 << 20;

type Status = c_int;
type Handle = *mut c_void;

/// A GPU with its context, current in this thread.
pub struct Gpu {
    library: Library,
    names: &'static DriverNames,
    vendor: GpuVendor,
    number: c_int,
    events: [Handle; 2],
}

/// A module that was loaded.
pub struct Module(Handle);

/// A kernel of a module.
pub struct DriverKernel {
    handle: Handle,
    /// Registers of a thread.
    pub registers: u32,
}

/// Memory of the GPU. (It ends with the process.)
pub struct Memory {
    address: u64,
    bytes: usize,
}

/// What a compiler made of a text.
pub struct Compilation {
    /// The code.
    pub code: Vec<u8>,
    /// What it said.
    pub log: String,
}

/// A function of a library by its name, called with arguments.
macro_rules! call {
    ($gpu:expr, $name:expr, ($($kind:ty),*), ($($value:expr),*)) => {{
        let name: &str = $name;
        // SAFETY: the vendor documents the function under this name with these parameters; pointers
        // among them are to memory of the callers that outlives the call.
        let status: Status = unsafe {
            let function = $gpu.symbol::<unsafe extern "C" fn($($kind),*) -> Status>(name)?;
            function($($value),*)
        };
        $gpu.check(name, status)
    }};
}

impl Gpu {
    /// Opens the library and the device.
    ///
    /// # Errors
    /// When there is no library or no such device, or the driver fails.
    pub fn open(choice: GpuChoice) -> Result<Self, GpuError> {
        let names = match choice.vendor {
            GpuVendor::Cuda => &CUDA,
            GpuVendor::Hip => &HIP,
        };
        let library = open_library(names)?;
        let number = c_int::try_from(choice.number)
            .map_err(|_| GpuError::new(format!("there is no device {}", choice.number)))?;
        let mut gpu =
            Self { library, names, vendor: choice.vendor, number, events: [ptr::null_mut(); 2] };
        call!(gpu, names.init, (c_uint), (0))?;
        let mut count: c_int = 0;
        call!(gpu, names.count, (*mut c_int), (&raw mut count))?;
        if number >= count {
            let count = count.max(0);
            return Err(GpuError::new(format!(
                "there is no {} device {number}: the driver counts {count}, from 0 on",
                names.api
            )));
        }
        gpu.enter()?;
        let mut events = [ptr::null_mut(); 2];
        for event in &mut events {
            call!(gpu, names.event, (*mut Handle, c_uint), (&raw mut *event, 0))?;
        }
        gpu.events = events;
        Ok(gpu)
    }

    /// Makes the device's context current.
    fn enter(&self) -> Result<(), GpuError> {
        if self.vendor == GpuVendor::Hip {
            return call!(self, "hipSetDevice", (c_int), (self.number));
        }
        let mut context: Handle = ptr::null_mut();
        let retain = "cuDevicePrimaryCtxRetain";
        call!(self, retain, (*mut Handle, c_int), (&raw mut context, self.number))?;
        call!(self, "cuCtxSetCurrent", (Handle), (context))
    }

    /// # Safety
    /// The function of that name has this type.
    unsafe fn symbol<F: Copy>(&self, name: &str) -> Result<F, GpuError> {
        let missing = |_| {
            GpuError::new(format!("the {} driver is too old: it has no {name}", self.names.api))
        };
        // SAFETY: as the caller promises.
        unsafe { self.library.get::<F>(name.as_bytes()) }.map(|symbol| *symbol).map_err(missing)
    }

    fn check(&self, call: &str, status: Status) -> Result<(), GpuError> {
        if status == 0 {
            return Ok(());
        }
        let words = self.words(status).unwrap_or_else(|| "unknown error".to_owned());
        Err(GpuError::new(format!("{call}: error {status} ({words})")))
    }

    /// What the driver calls one of its errors.
    fn words(&self, status: Status) -> Option<String> {
        let text = match self.vendor {
            // SAFETY: the vendor documents the function so; it gives a constant, or null.
            GpuVendor::Hip => unsafe {
                let words = self
                    .symbol::<unsafe extern "C" fn(Status) -> *const c_char>("hipGetErrorString");
                words.ok()?(status)
            },
            GpuVendor::Cuda => {
                let mut text: *const c_char = ptr::null();
                // SAFETY: likewise; the pointer outlives the call.
                unsafe {
                    let words = self
                        .symbol::<unsafe extern "C" fn(Status, *mut *const c_char) -> Status>(
                            "cuGetErrorString",
                        );
                    words.ok()?(status, &raw mut text);
                }
                text
            }
        };
        // SAFETY: a constant of the driver's, which ends with a zero.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    }

    fn attribute(&self, attribute: c_int) -> Result<u32, GpuError> {
        let mut value: c_int = 0;
        let kind = self.names.attribute;
        call!(self, kind, (*mut c_int, c_int, c_int), (&raw mut value, attribute, self.number))?;
        u32::try_from(value)
            .map_err(|_| GpuError::new(format!("{kind}: attribute {attribute} is {value}")))
    }

    /// What the driver says of the device.
    ///
    /// # Errors
    /// When it says nothing.
    pub fn facts(&self) -> Result<GpuFacts, GpuError> {
        let name = self.text(self.names.name)?;
        let mut driver: c_int = 0;
        call!(self, self.names.version, (*mut c_int), (&raw mut driver))?;
        let capability = match self.vendor {
            GpuVendor::Cuda => Some(10 * self.attribute(MAJOR)? + self.attribute(MINOR)?),
            GpuVendor::Hip => None,
        };
        let units = self.attribute(self.names.units)?;
        Ok(GpuFacts { name, units, capability, driver: driver.unsigned_abs() })
    }

    /// Where the device is on the bus, by which the management library knows it.
    ///
    /// # Errors
    /// When the driver does not say.
    pub fn bus(&self) -> Result<String, GpuError> {
        let mut text = [0 as c_char; NAME];
        let size = NAME as c_int - 1;
        let place = (text.as_mut_ptr(), self.number);
        call!(self, self.names.bus, (*mut c_char, c_int, c_int), (place.0, size, place.1))?;
        Ok(text_of(&text))
    }

    /// A text about the device: a buffer, its size, the device.
    fn text(&self, function: &'static str) -> Result<String, GpuError> {
        let mut text = [0 as c_char; NAME];
        let size = NAME as c_int - 1;
        call!(self, function, (*mut c_char, c_int, c_int), (text.as_mut_ptr(), size, self.number))?;
        Ok(text_of(&text))
    }

    /// Has the driver compile PTX, and keeps what it makes of it.
    ///
    /// # Errors
    /// When it refuses the text; with its compiler's words.
    pub fn compile(&self, ptx: &[u8]) -> Result<Compilation, GpuError> {
        let text = CString::new(ptx).map_err(|_| GpuError::new("the PTX text has a zero in it"))?;
        let (mut said, mut errors) = (vec![0 as c_char; LOG], vec![0 as c_char; LOG]);
        let mut options = [INFORMATION, INFORMATION_SIZE, ERRORS, ERRORS_SIZE];
        let mut values: [Handle; 4] = [
            said.as_mut_ptr().cast(),
            ptr::without_provenance_mut(LOG - 1),
            errors.as_mut_ptr().cast(),
            ptr::without_provenance_mut(LOG - 1),
        ];
        let mut state: Handle = ptr::null_mut();
        call!(
            self,
            "cuLinkCreate_v2",
            (c_uint, *mut c_int, *mut Handle, *mut Handle),
            (4, options.as_mut_ptr(), values.as_mut_ptr(), &raw mut state)
        )?;
        let linked = self.link(state, &text);
        said[LOG - 1] = 0;
        errors[LOG - 1] = 0;
        let words = |error: GpuError| match text_of(&errors).as_str() {
            "" => error,
            words => GpuError::new(format!("{error}: {words}")),
        };
        let code = linked.map_err(words)?;
        call!(self, "cuLinkDestroy", (Handle), (state))?;
        Ok(Compilation { code, log: one_line(&text_of(&said)) })
    }

    fn link(&self, state: Handle, text: &CStr) -> Result<Vec<u8>, GpuError> {
        let size = text.to_bytes_with_nul().len();
        let none = (0, ptr::null_mut(), ptr::null_mut());
        call!(
            self,
            "cuLinkAddData_v2",
            (Handle, c_uint, *const c_void, usize, *const c_char, c_uint, *mut c_int, *mut Handle),
            (state, PTX, text.as_ptr().cast(), size, c"winic".as_ptr(), none.0, none.1, none.2)
        )?;
        let (mut code, mut length): (*mut c_void, usize) = (ptr::null_mut(), 0);
        call!(
            self,
            "cuLinkComplete",
            (Handle, *mut *mut c_void, *mut usize),
            (state, &raw mut code, &raw mut length)
        )?;
        if code.is_null() || length == 0 || length > LARGEST_MODULE {
            return Err(GpuError::new(format!("cuLinkComplete: a module of {length} bytes")));
        }
        // SAFETY: the driver owns so many bytes there until the state is destroyed.
        Ok(unsafe { slice::from_raw_parts(code.cast::<u8>(), length) }.to_vec())
    }

    /// Loads compiled code.
    ///
    /// # Errors
    /// When the driver refuses it.
    pub fn load(&self, code: &[u8]) -> Result<Module, GpuError> {
        let mut module: Handle = ptr::null_mut();
        let load = self.names.load;
        call!(self, load, (*mut Handle, *const c_void), (&raw mut module, code.as_ptr().cast()))?;
        Ok(Module(module))
    }

    /// A kernel of a module.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn kernel(&self, module: &Module, symbol: &str) -> Result<DriverKernel, GpuError> {
        let name = CString::new(symbol).map_err(|_| GpuError::new("a symbol with a zero in it"))?;
        let mut handle: Handle = ptr::null_mut();
        let find = self.names.function;
        call!(
            self,
            find,
            (*mut Handle, Handle, *const c_char),
            (&raw mut handle, module.0, name.as_ptr())
        )
        .map_err(|error| GpuError::new(format!("{error}: {symbol}")))?;
        let mut registers: c_int = 0;
        let attribute = self.names.function_attribute;
        call!(
            self,
            attribute,
            (*mut c_int, c_int, Handle),
            (&raw mut registers, REGISTERS, handle)
        )?;
        Ok(DriverKernel { handle, registers: registers.unsigned_abs() })
    }

    /// Memory for what a kernel writes.
    ///
    /// # Errors
    /// When there is not so much.
    pub fn memory(&self, bytes: usize) -> Result<Memory, GpuError> {
        let mut address: u64 = 0;
        call!(self, self.names.alloc, (*mut u64, usize), (&raw mut address, bytes))?;
        Ok(Memory { address, bytes })
    }

    /// Launches a kernel and waits for it: nanoseconds by the driver's events, and what it wrote.
    ///
    /// # Errors
    /// When the driver does not do it, or the kernel faults.
    pub fn run(
        &self,
        kernel: &DriverKernel,
        memory: &Memory,
        (blocks, threads): (u32, u32),
        arguments: &[u8],
    ) -> Result<(f64, Vec<u8>), GpuError> {
        let address = memory.address;
        call!(self, self.names.set, (u64, u8, usize), (address, 0, memory.bytes))?;
        let mut buffer = [&address.to_le_bytes()[..], arguments].concat();
        let mut size = buffer.len();
        let mut extra: [Handle; 5] = [
            ptr::without_provenance_mut(ARGUMENTS),
            buffer.as_mut_ptr().cast(),
            ptr::without_provenance_mut(ARGUMENTS_SIZE),
            (&raw mut size).cast(),
            ptr::without_provenance_mut(self.names.end),
        ];
        let stream: Handle = ptr::null_mut();
        let elapsed = self.timed(|| {
            call!(
                self,
                self.names.launch,
                (
                    Handle,
                    c_uint,
                    c_uint,
                    c_uint,
                    c_uint,
                    c_uint,
                    c_uint,
                    c_uint,
                    Handle,
                    *mut Handle,
                    *mut Handle
                ),
                (
                    kernel.handle,
                    blocks,
                    1,
                    1,
                    threads,
                    1,
                    1,
                    0,
                    stream,
                    ptr::null_mut(),
                    extra.as_mut_ptr()
                )
            )
        })?;
        Ok((elapsed, self.read(memory, memory.bytes)?))
    }

    /// Nanoseconds by the driver's events that what is started takes, once it is done.
    ///
    /// # Errors
    /// When it cannot be started, or fails.
    pub fn timed(&self, start: impl FnOnce() -> Result<(), GpuError>) -> Result<f64, GpuError> {
        let [before, after] = self.events;
        let stream: Handle = ptr::null_mut();
        call!(self, self.names.record, (Handle, Handle), (before, stream))?;
        start()?;
        call!(self, self.names.record, (Handle, Handle), (after, stream))?;
        call!(self, self.names.wait, (Handle), (after))?;
        let mut milliseconds: f32 = 0.0;
        call!(
            self,
            self.names.elapsed,
            (*mut f32, Handle, Handle),
            (&raw mut milliseconds, before, after)
        )?;
        if !milliseconds.is_finite() || milliseconds < 0.0 {
            return Err(GpuError::new(format!("{}: {milliseconds} ms", self.names.elapsed)));
        }
        Ok(f64::from(milliseconds) * 1e6)
    }

    /// So many bytes of memory, from its beginning on.
    ///
    /// # Errors
    /// When the driver does not give them.
    pub fn read(&self, memory: &Memory, bytes: usize) -> Result<Vec<u8>, GpuError> {
        let mut read = vec![0_u8; bytes.min(memory.bytes)];
        call!(
            self,
            self.names.copy,
            (*mut c_void, u64, usize),
            (read.as_mut_ptr().cast(), memory.address, read.len())
        )?;
        Ok(read)
    }

    /// Puts bytes into memory, as many as it has at most.
    ///
    /// # Errors
    /// When the driver does not take them.
    pub fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), GpuError> {
        let size = bytes.len().min(memory.bytes);
        let put = self.names.put;
        call!(self, put, (u64, *const c_void, usize), (memory.address, bytes.as_ptr().cast(), size))
    }
}

fn open_library(names: &DriverNames) -> Result<Library, GpuError> {
    let first = names.files[0];
    let open = |file: &&str| {
        // SAFETY: the library's initializers run; they are the vendor's own, in a process made for that.
        unsafe { Library::new(file) }.ok()
    };
    names.files.iter().find_map(open).ok_or_else(|| {
        GpuError::new(format!("no {} driver: {first} not found; {}", names.api, names.remedy))
    })
}

fn text_of(buffer: &[c_char]) -> String {
    let bytes: Vec<u8> = buffer.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    one_line(String::from_utf8_lossy(&bytes).trim())
}
