//! The libraries that manage GPUs: NVML and ROCm SMI.

use std::ffi::{CString, c_char, c_int, c_uint};
use std::ptr;

use libloading::Library;

use super::{Handle, Status};
use crate::device::gpu::{GpuChoice, GpuVendor};

/// The library that tells power and clocks.
pub struct Meter {
    library: Library,
    vendor: GpuVendor,
    device: Handle,
    number: u32,
}

/// Of NVIDIA's clocks that of the multiprocessors.
const UNITS_CLOCK: c_uint = 1;
/// Power at the moment, among the fields of NVIDIA's devices (`NVML_FI_DEV_POWER_INSTANT` of nvml.h).
const INSTANT_POWER: c_uint = 186;

/// `nvmlFieldValue_t` of nvml.h.
#[repr(C)]
#[derive(Default)]
struct FieldValue {
    field: c_uint,
    scope: c_uint,
    timestamp: i64,
    latency: i64,
    kind: c_uint,
    status: Status,
    /// An unsigned number in its lower half, for the field that is asked here.
    value: u64,
}

impl Meter {
    /// Opens it for a device; none where there is no such library, or it does not know the device.
    #[must_use]
    pub fn open(choice: GpuChoice, bus: &str) -> Option<Self> {
        let file = match choice.vendor {
            GpuVendor::Cuda => "libnvidia-ml.so.1",
            GpuVendor::Hip => "librocm_smi64.so",
        };
        // SAFETY: as above.
        let library = unsafe { Library::new(file) }.ok()?;
        let (vendor, number) = (choice.vendor, choice.number);
        let mut meter = Self { library, vendor, device: ptr::null_mut(), number };
        if vendor == GpuVendor::Hip {
            // SAFETY: documented so: flags.
            let status =
                unsafe { meter.symbol::<unsafe extern "C" fn(u64) -> Status>("rsmi_init")?(0) };
            return (status == 0).then_some(meter);
        }
        let bus = CString::new(bus).ok()?;
        let mut device: Handle = ptr::null_mut();
        // SAFETY: documented so; the text and the handle outlive the calls.
        let found = unsafe {
            let find = meter.symbol::<unsafe extern "C" fn(*const c_char, *mut Handle) -> Status>(
                "nvmlDeviceGetHandleByPciBusId_v2",
            )?;
            meter.symbol::<unsafe extern "C" fn() -> Status>("nvmlInit_v2")?() == 0
                && find(bus.as_ptr(), &raw mut device) == 0
        };
        meter.device = device;
        found.then_some(meter)
    }

    /// # Safety
    /// The function of that name has this type.
    unsafe fn symbol<F: Copy>(&self, name: &str) -> Option<F> {
        // SAFETY: as the caller promises.
        unsafe { self.library.get::<F>(name.as_bytes()) }.ok().map(|symbol| *symbol)
    }

    /// Watts now.
    #[must_use]
    pub fn watts(&self) -> Option<f64> {
        match self.vendor {
            GpuVendor::Cuda => {
                let milliwatts = self.instant_milliwatts().or_else(|| self.average_milliwatts())?;
                Some(f64::from(milliwatts) / 1e3)
            }
            GpuVendor::Hip => {
                let mut microwatts: u64 = 0;
                // SAFETY: documented so: the device, the sensor, the number.
                let status = unsafe {
                    self.symbol::<unsafe extern "C" fn(u32, u32, *mut u64) -> Status>(
                        "rsmi_dev_power_ave_get",
                    )?(self.number, 0, &raw mut microwatts)
                };
                (status == 0).then(|| microwatts as f64 / 1e6)
            }
        }
    }

    /// What an NVIDIA GPU draws at the moment; older drivers do not say.
    fn instant_milliwatts(&self) -> Option<c_uint> {
        let mut field = FieldValue { field: INSTANT_POWER, ..FieldValue::default() };
        // SAFETY: documented so: the device, how many fields, the fields, which outlive the call.
        let status = unsafe {
            self.symbol::<unsafe extern "C" fn(Handle, c_int, *mut FieldValue) -> Status>(
                "nvmlDeviceGetFieldValues",
            )?(self.device, 1, &raw mut field)
        };
        (status == 0 && field.status == 0).then_some(field.value as c_uint)
    }

    /// What it draws, which since Ampere is the mean of the last second (reference of NVML).
    fn average_milliwatts(&self) -> Option<c_uint> {
        let mut milliwatts: c_uint = 0;
        // SAFETY: documented so; the number outlives the call.
        let status = unsafe {
            self.symbol::<unsafe extern "C" fn(Handle, *mut c_uint) -> Status>(
                "nvmlDeviceGetPowerUsage",
            )?(self.device, &raw mut milliwatts)
        };
        (status == 0).then_some(milliwatts)
    }

    /// The clock of the units in MHz.
    #[must_use]
    pub fn clock(&self) -> Option<f64> {
        if self.vendor == GpuVendor::Hip {
            return None;
        }
        let mut megahertz: c_uint = 0;
        // SAFETY: documented so; the number outlives the call.
        let status = unsafe {
            self.symbol::<unsafe extern "C" fn(Handle, c_uint, *mut c_uint) -> Status>(
                "nvmlDeviceGetClockInfo",
            )?(self.device, UNITS_CLOCK, &raw mut megahertz)
        };
        (status == 0).then(|| f64::from(megahertz))
    }

    /// Joules since the driver was loaded.
    #[must_use]
    pub fn energy(&self) -> Option<f64> {
        if self.vendor == GpuVendor::Hip {
            return None;
        }
        let mut millijoules: u64 = 0;
        // SAFETY: documented so; the number outlives the call.
        let status = unsafe {
            self.symbol::<unsafe extern "C" fn(Handle, *mut u64) -> Status>(
                "nvmlDeviceGetTotalEnergyConsumption",
            )?(self.device, &raw mut millijoules)
        };
        (status == 0).then(|| millijoules as f64 / 1e3)
    }
}
