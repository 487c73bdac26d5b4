//! The libraries that multiply matrices: cuBLAS and rocBLAS.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;

use libloading::Library;

use super::{GpuError, Handle, Memory, Status};
use crate::device::gpu::GpuVendor;
use crate::device::gpu::product::{LibraryProduct, NumberType, SCALE};

/// A library with a handle of its own, of the device that is current.
pub struct ProductLibrary {
    library: Library,
    vendor: GpuVendor,
    handle: Handle,
}

const CUBLAS: [&str; 4] = ["libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"];
const ROCBLAS: [&str; 4] =
    ["librocblas.so.5", "librocblas.so.4", "librocblas.so.3", "librocblas.so"];

/// `CUBLAS_OP_N` and `CUBLAS_GEMM_DEFAULT` of cublas_api.h.
const CUBLAS_PLAIN: c_int = 0;
const CUBLAS_DEFAULT: c_int = -1;
/// `rocblas_operation_none` and `rocblas_gemm_algo_standard` of rocblas-types.h.
const ROCBLAS_PLAIN: c_int = 111;
const ROCBLAS_STANDARD: c_int = 0;

impl ProductLibrary {
    /// Opens it.
    ///
    /// # Errors
    /// When there is none, or it does not start.
    pub fn open(vendor: GpuVendor) -> Result<Self, GpuError> {
        let (files, create) = match vendor {
            GpuVendor::Cuda => (&CUBLAS, "cublasCreate_v2"),
            GpuVendor::Hip => (&ROCBLAS, "rocblas_create_handle"),
        };
        // SAFETY: the library's initializers run; they are the vendor's own, in a process made for that.
        let open = |file: &&str| unsafe { Library::new(file) }.ok();
        let library = files.iter().find_map(open).ok_or_else(|| {
            GpuError::new(format!("no library multiplies matrices here: {} not found", files[3]))
        })?;
        let mut opened = Self { library, vendor, handle: ptr::null_mut() };
        let mut handle: Handle = ptr::null_mut();
        // SAFETY: documented so: where the handle goes.
        let status = unsafe {
            opened.symbol::<unsafe extern "C" fn(*mut Handle) -> Status>(create)?(&raw mut handle)
        };
        opened.handle = handle;
        check(create, status)?;
        Ok(opened)
    }

    /// # Safety
    /// The function of that name has this type.
    unsafe fn symbol<F: Copy>(&self, name: &str) -> Result<F, GpuError> {
        // SAFETY: as the caller promises.
        unsafe { self.library.get::<F>(name.as_bytes()) }
            .map(|symbol| *symbol)
            .map_err(|_| GpuError::new(format!("the library of products has no {name}")))
    }

    /// Starts a product into C.
    ///
    /// # Errors
    /// When the library does not do it.
    pub fn multiply(
        &self,
        product: LibraryProduct,
        [a, b, c]: [&Memory; 3],
    ) -> Result<(), GpuError> {
        let [factor, result, computed] = product.routine.types();
        let (single, double) = (SCALE as f32, SCALE);
        // (A tenth in half, rounded to even.)
        let half: u16 = 0x2e66;
        let scale: *const c_void = match computed {
            NumberType::F16 => (&raw const half).cast(),
            NumberType::F32 => (&raw const single).cast(),
            NumberType::F64 => (&raw const double).cast(),
        };
        let n = c_int::try_from(product.n).unwrap_or(c_int::MAX);
        let [a, b, c] = [a, b, c].map(|memory| memory.address);
        match self.vendor {
            GpuVendor::Cuda => {
                type Multiply = unsafe extern "C" fn(
                    Handle,
                    c_int,
                    c_int,
                    c_int,
                    c_int,
                    c_int,
                    *const c_void,
                    u64,
                    c_int,
                    c_int,
                    u64,
                    c_int,
                    c_int,
                    *const c_void,
                    u64,
                    c_int,
                    c_int,
                    c_int,
                    c_int,
                ) -> Status;
                let (of, into) = (cuda_type(factor), cuda_type(result));
                let plain = CUBLAS_PLAIN;
                // SAFETY: cublas_api.h declares it so; the scale outlives the call, which reads it.
                let status = unsafe {
                    self.symbol::<Multiply>("cublasGemmEx")?(
                        self.handle,
                        plain,
                        plain,
                        n,
                        n,
                        n,
                        scale,
                        a,
                        of,
                        n,
                        b,
                        of,
                        n,
                        scale,
                        c,
                        into,
                        n,
                        cuda_compute(computed),
                        CUBLAS_DEFAULT,
                    )
                };
                check("cublasGemmEx", status)
            }
            GpuVendor::Hip => {
                type Multiply = unsafe extern "C" fn(
                    Handle,
                    c_int,
                    c_int,
                    c_int,
                    c_int,
                    c_int,
                    *const c_void,
                    u64,
                    c_int,
                    c_int,
                    u64,
                    c_int,
                    c_int,
                    *const c_void,
                    u64,
                    c_int,
                    c_int,
                    u64,
                    c_int,
                    c_int,
                    c_int,
                    c_int,
                    c_int,
                    c_uint,
                ) -> Status;
                let (of, into) = (roc_type(factor), roc_type(result));
                let plain = ROCBLAS_PLAIN;
                // SAFETY: rocblas-functions.h declares it so; the scale outlives the call, which reads it.
                let status = unsafe {
                    self.symbol::<Multiply>("rocblas_gemm_ex")?(
                        self.handle,
                        plain,
                        plain,
                        n,
                        n,
                        n,
                        scale,
                        a,
                        of,
                        n,
                        b,
                        of,
                        n,
                        scale,
                        c,
                        into,
                        n,
                        c,
                        into,
                        n,
                        roc_type(computed),
                        ROCBLAS_STANDARD,
                        0,
                        0,
                    )
                };
                check("rocblas_gemm_ex", status)
            }
        }
    }
}

fn check(call: &str, status: Status) -> Result<(), GpuError> {
    match status {
        0 => Ok(()),
        status => Err(GpuError::new(format!("{call}: error {status}"))),
    }
}

/// `cudaDataType` of library_types.h.
fn cuda_type(kind: NumberType) -> c_int {
    match kind {
        NumberType::F16 => 2,
        NumberType::F32 => 0,
        NumberType::F64 => 1,
    }
}

/// `cublasComputeType_t` of cublas_api.h.
fn cuda_compute(kind: NumberType) -> c_int {
    match kind {
        NumberType::F16 => 64,
        NumberType::F32 => 68,
        NumberType::F64 => 70,
    }
}

/// `rocblas_datatype` of rocblas-types.h.
fn roc_type(kind: NumberType) -> c_int {
    match kind {
        NumberType::F16 => 150,
        NumberType::F32 => 151,
        NumberType::F64 => 152,
    }
}
