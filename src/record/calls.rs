//! The hooks. Each forwards its arguments to the original: lookups and loads are recorded after it, launches before it.

use super::driver::{self, LaunchConfig};
use super::snapshot::{self, Kind, Launch};
use super::{entry, folder, images, state};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// An opaque handle of the driver.
type Handle = *mut c_void;

/// Defines hooks, generic over the index of their entry.
macro_rules! calls {
    ($(fn $rust:ident($call:ident, $($argument:ident: $of:ty),*) $body:block)*) => {
        $(
            /// Hook for the functions of the driver with this signature.
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

    fn module_function(call, function: *mut Handle, module: Handle, name: *const c_char) {
        found(call(), function, module, name, false)
    }

    fn library_kernel(call, kernel: *mut Handle, library: Handle, name: *const c_char) {
        found(call(), kernel, library, name, true)
    }

    fn library_module(call, module: *mut Handle, library: Handle) {
        let code = call();
        if code == 0 {
            // SAFETY: the driver has written the handle.
            state::module_of(unsafe { *module } as usize, library as usize);
        }
        code
    }

    fn kernel_function(call, function: *mut Handle, kernel: Handle) {
        let code = call();
        if code == 0 {
            // SAFETY: the driver has written the handle.
            state::function_of(unsafe { *function } as usize, kernel as usize);
        }
        code
    }

    fn launch(call, function: Handle, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint,
              stream: Handle, parameters: *mut *mut c_void, extra: *mut *mut c_void) {
        let (grid, block) = ([gx, gy, gz], [bx, by, bz]);
        let launch = Launch { function, grid, block, shared, stream, parameters, extra, kind: Kind::Usual };
        // SAFETY: the driver reads the same.
        unsafe { snapshot::take(&launch) };
        call()
    }

    fn launch_together(call, function: Handle, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint,
                       shared: c_uint, stream: Handle, parameters: *mut *mut c_void) {
        let (grid, block, extra) = ([gx, gy, gz], [bx, by, bz], std::ptr::null_mut());
        let launch = Launch { function, grid, block, shared, stream, parameters, extra, kind: Kind::Cooperative };
        // SAFETY: the driver reads the same.
        unsafe { snapshot::take(&launch) };
        call()
    }

    fn launch_ex(call, config: *const LaunchConfig, function: Handle, parameters: *mut *mut c_void, extra: *mut *mut c_void) {
        // SAFETY: the driver reads the same.
        unsafe {
            if let Some(config) = config.as_ref() {
                let &LaunchConfig { grid, block, shared, stream, .. } = config;
                let launch = Launch { function, grid, block, shared, stream, parameters, extra, kind: kind(config) };
                snapshot::take(&launch);
            }
        }
        call()
    }

    // Also for the older version, which has no `status`: callee and caller of the C ABI ignore an extra register argument.
    fn address(call, name: *const c_char, to: *mut *mut c_void, version: c_int, flags: u64, status: *mut c_int) {
        addressed(call(), name, to, flags)
    }
}

fn file(path: *const c_char) -> Option<Vec<u8>> {
    // SAFETY: the driver reads the same text.
    let path = (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) })?;
    std::fs::read(path.to_str().ok()?).ok()
}

/// # Safety
/// The driver reads the same attributes.
unsafe fn kind(config: &LaunchConfig) -> Kind {
    if config.attributes.is_null() {
        return Kind::Usual;
    }
    // SAFETY: as the caller says.
    let all = unsafe { std::slice::from_raw_parts(config.attributes, config.count as usize) };
    let has = |id| all.iter().any(|attribute| attribute.id == id);
    match (has(driver::COOPERATIVE), has(driver::CLUSTER)) {
        (true, _) => Kind::Cooperative,
        (_, true) => Kind::Clusters,
        _ => Kind::Usual,
    }
}

fn loaded<'a>(code: c_int, handle: *mut Handle, bytes: impl FnOnce() -> Option<&'a [u8]>) -> c_int {
    if code == 0 && folder::root().is_some() {
        let name = bytes().and_then(|bytes| images::keep(bytes).ok());
        // SAFETY: the driver has written it.
        state::loaded(unsafe { *handle } as usize, name);
    }
    code
}

fn found(
    code: c_int,
    handle: *mut Handle,
    module: Handle,
    name: *const c_char,
    of_library: bool,
) -> c_int {
    if code == 0 {
        // SAFETY: the driver has read the name and written the handle.
        let (name, handle) = unsafe { (CStr::from_ptr(name), *handle) };
        let name = name.to_string_lossy().into_owned();
        state::found(handle as usize, module as usize, name, of_library);
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
