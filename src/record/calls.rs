//! The calls that are seen. Each goes on to the driver with the arguments as they are: a load first, a launch last.

use super::driver::{self, LaunchConfig};
use super::snapshot::{self, Launch};
use super::{entry, folder, images, state};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// A handle of the driver.
type Handle = *mut c_void;

/// Defines what takes the place of functions of the driver. Its number is that of its entry.
macro_rules! calls {
    ($(fn $rust:ident($call:ident, $($argument:ident: $of:ty),*) $body:block)*) => {
        $(
            /// In the place of functions of the driver with these arguments.
            ///
            /// # Safety
            /// As the driver's.
            pub unsafe extern "C" fn $rust<const ENTRY: usize>($($argument: $of),*) -> c_int {
                let function = entry::real(ENTRY);
                if function.is_null() {
                    return driver::NOT_FOUND;
                }
                // SAFETY: this is its type.
                let function = unsafe {
                    std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($of),*) -> c_int>(function)
                };
                // SAFETY: the arguments are the caller's.
                let $call = || unsafe { function($($argument),*) };
                $body
            }
        )*
    };
}

calls! {
    fn module_load_data(call, module: *mut Handle, image: *const c_void) {
        // SAFETY: the driver reads the same.
        loaded(call(), module, || unsafe { images::bytes(image) })
    }

    fn module_load_data_ex(call, module: *mut Handle, image: *const c_void, count: c_uint, options: *mut c_int,
                           values: *mut *mut c_void) {
        // SAFETY: the driver reads the same.
        loaded(call(), module, || unsafe { images::bytes(image) })
    }

    fn module_load(call, module: *mut Handle, path: *const c_char) {
        let bytes = file(path);
        loaded(call(), module, || bytes.as_deref())
    }

    fn library_load_data(call, library: *mut Handle, image: *const c_void, jit: *mut c_int, jit_values: *mut *mut c_void,
                         jit_count: c_uint, options: *mut c_int, values: *mut *mut c_void, count: c_uint) {
        // SAFETY: the driver reads the same.
        loaded(call(), library, || unsafe { images::bytes(image) })
    }

    fn library_load(call, library: *mut Handle, path: *const c_char, jit: *mut c_int, jit_values: *mut *mut c_void,
                    jit_count: c_uint, options: *mut c_int, values: *mut *mut c_void, count: c_uint) {
        let bytes = file(path);
        loaded(call(), library, || bytes.as_deref())
    }

    fn look_up(call, function: *mut Handle, module: Handle, name: *const c_char) {
        found(call(), function, module, name)
    }

    fn convert(call, to: *mut Handle, from: Handle) {
        same(call(), to, from)
    }

    fn launch(call, function: Handle, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint,
              stream: Handle, parameters: *mut *mut c_void, extra: *mut *mut c_void) {
        let launch = Launch { function, grid: [gx, gy, gz], block: [bx, by, bz], shared, stream, parameters, extra };
        // SAFETY: the driver reads the same.
        unsafe { snapshot::take(&launch) };
        call()
    }

    fn launch_ex(call, config: *const LaunchConfig, function: Handle, parameters: *mut *mut c_void, extra: *mut *mut c_void) {
        // SAFETY: the driver reads the same.
        if let Some(&LaunchConfig { grid, block, shared, stream }) = unsafe { config.as_ref() } {
            let launch = Launch { function, grid, block, shared, stream, parameters, extra };
            // SAFETY: the driver reads the same.
            unsafe { snapshot::take(&launch) };
        }
        call()
    }

    // The older of the two has no `status`: it does not look at what is there in its place.
    fn address(call, name: *const c_char, to: *mut *mut c_void, version: c_int, flags: u64, status: *mut c_int) {
        addressed(call(), name, to, flags)
    }
}

fn file(path: *const c_char) -> Option<Vec<u8>> {
    // SAFETY: the driver reads the same text.
    let path = (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) })?;
    std::fs::read(path.to_str().ok()?).ok()
}

fn loaded<'a>(code: c_int, handle: *mut Handle, bytes: impl FnOnce() -> Option<&'a [u8]>) -> c_int {
    if code == 0
        && folder::root().is_some()
        && let Some(name) = bytes().and_then(images::keep)
    {
        // SAFETY: the driver has written it.
        state::loaded(unsafe { *handle } as usize, name);
    }
    code
}

fn found(code: c_int, handle: *mut Handle, module: Handle, name: *const c_char) -> c_int {
    if code == 0 {
        // SAFETY: the driver has read the name and written the handle.
        let (name, handle) = unsafe { (CStr::from_ptr(name), *handle) };
        state::found(
            handle as usize,
            module as usize,
            name.to_string_lossy().into_owned(),
        );
    }
    code
}

fn same(code: c_int, handle: *mut Handle, as_other: Handle) -> c_int {
    if code == 0 {
        // SAFETY: the driver has written the handle.
        state::same(unsafe { *handle } as usize, as_other as usize);
    }
    code
}

/// `CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM`
const PER_THREAD: u64 = 2;

fn addressed(code: c_int, name: *const c_char, to: *mut *mut c_void, flags: u64) -> c_int {
    if code == 0 && !to.is_null() {
        // SAFETY: the driver has read the name and written the address.
        unsafe {
            *to = entry::in_place_of(CStr::from_ptr(name), flags & PER_THREAD != 0, *to);
        }
    }
    code
}
