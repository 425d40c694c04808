//! Interposition. A program that is linked with the driver binds to the symbols that this library exports. One that looks functions up
//! by `dlsym` or `cuGetProcAddress`, as CUDA's runtime does, is given the hooks of [`calls`].

use super::calls;
use super::driver;
use std::arch::naked_asm;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A hooked function of the driver.
struct Entry {
    /// Its symbol name.
    name: &'static CStr,
    /// Its name for `cuGetProcAddress`.
    base: &'static CStr,
    /// The variant for per-thread default streams, which has the same base name.
    per_thread: bool,
    ours: fn() -> *mut c_void,
    symbol: fn() -> *mut c_void,
    real: AtomicPtr<c_void>,
}

/// Tail jump that preserves all registers and the stack.
macro_rules! jump {
    ($($to:tt)*) => {
        #[cfg(target_arch = "x86_64")]
        naked_asm!("jmp {to}", to = sym $($to)*);
        #[cfg(target_arch = "aarch64")]
        naked_asm!("b {to}", to = sym $($to)*);
    };
}

/// Makes the table, and an exported symbol for each entry. The number is the entry's index, by which its hook finds the original.
macro_rules! entries {
    ($($number:literal $symbol:ident $name:literal = $base:literal, $per_thread:literal, $call:ident;)*) => {
        static ENTRIES: [Entry; 18] = [$(Entry {
            name: $name,
            base: $base,
            per_thread: $per_thread,
            symbol: || $symbol as *const () as *mut c_void,
            ours: || calls::$call::<$number> as *const () as *mut c_void,
            real: AtomicPtr::new(ptr::null_mut()),
        }),*];

        $(
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            #[allow(non_snake_case)]
            unsafe extern "C" fn $symbol() {
                jump!(calls::$call::<$number>);
            }
        )*
    };
}

entries! {
    0 cuModuleLoadData c"cuModuleLoadData" = c"cuModuleLoadData", false, module_load_data;
    1 cuModuleLoadDataEx c"cuModuleLoadDataEx" = c"cuModuleLoadDataEx", false, module_load_data_ex;
    2 cuModuleLoadFatBinary c"cuModuleLoadFatBinary" = c"cuModuleLoadFatBinary", false, module_load_data;
    3 cuModuleLoad c"cuModuleLoad" = c"cuModuleLoad", false, module_load;
    4 cuLibraryLoadData c"cuLibraryLoadData" = c"cuLibraryLoadData", false, library_load_data;
    5 cuLibraryLoadFromFile c"cuLibraryLoadFromFile" = c"cuLibraryLoadFromFile", false, library_load;
    6 cuModuleGetFunction c"cuModuleGetFunction" = c"cuModuleGetFunction", false, module_function;
    7 cuLibraryGetKernel c"cuLibraryGetKernel" = c"cuLibraryGetKernel", false, library_kernel;
    8 cuLibraryGetModule c"cuLibraryGetModule" = c"cuLibraryGetModule", false, library_module;
    9 cuKernelGetFunction c"cuKernelGetFunction" = c"cuKernelGetFunction", false, kernel_function;
    10 cuLaunchKernel c"cuLaunchKernel" = c"cuLaunchKernel", false, launch;
    11 cuLaunchKernel_ptsz c"cuLaunchKernel_ptsz" = c"cuLaunchKernel", true, launch;
    12 cuLaunchKernelEx c"cuLaunchKernelEx" = c"cuLaunchKernelEx", false, launch_ex;
    13 cuLaunchKernelEx_ptsz c"cuLaunchKernelEx_ptsz" = c"cuLaunchKernelEx", true, launch_ex;
    14 cuGetProcAddress c"cuGetProcAddress" = c"cuGetProcAddress", false, address;
    15 cuGetProcAddress_v2 c"cuGetProcAddress_v2" = c"cuGetProcAddress", false, address;
    16 cuLaunchCooperativeKernel c"cuLaunchCooperativeKernel" = c"cuLaunchCooperativeKernel", false, launch_together;
    17 cuLaunchCooperativeKernel_ptsz c"cuLaunchCooperativeKernel_ptsz" = c"cuLaunchCooperativeKernel", true, launch_together;
}

/// The original function of an entry: the next one in load order, else the driver's; null if there is none.
pub fn real(entry: usize) -> *mut c_void {
    let entry = &ENTRIES[entry];
    let known = entry.real.load(Ordering::Relaxed);
    if !known.is_null() {
        return known;
    }
    // Another preloaded library may hook the same function.
    let next = driver::next(entry.name);
    let found = if next.is_null() {
        driver::function(entry.name)
    } else {
        next
    };
    entry.real.store(found, Ordering::Relaxed);
    found
}

/// The hook for a name that `cuGetProcAddress` resolved to `real`, or `real` itself if the name is not hooked.
pub fn in_place_of(name: &CStr, per_thread: bool, real: *mut c_void) -> *mut c_void {
    let all = || ENTRIES.iter().filter(|entry| entry.base == name);
    // The base name does not determine the version.
    let fits = all()
        .find(|entry| driver::function(entry.name) == real)
        .or_else(|| all().rfind(|entry| entry.per_thread == per_thread))
        .or_else(|| all().next());
    match fits {
        Some(entry) if !real.is_null() => {
            let ours = (entry.ours)();
            // Storing our own symbol as the original would recurse without end.
            if real != ours && real != (entry.symbol)() {
                entry.real.store(real, Ordering::Relaxed);
            }
            ours
        }
        _ => real,
    }
}

/// The loader's `dlsym`, resolved at the first call.
static LOADER: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// The hook for a symbol that is looked up in a library; null if the loader is to answer.
unsafe extern "C" fn asked(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    let Some(loader) = driver::loader() else {
        std::process::abort()
    };
    LOADER.store(loader as *mut c_void, Ordering::Relaxed);
    // The loader answers these pseudo-handles itself: its order of search has our exported symbols.
    if name.is_null() || handle == libc::RTLD_DEFAULT || handle == libc::RTLD_NEXT {
        return ptr::null_mut();
    }
    // SAFETY: the caller's name is a text.
    let name = unsafe { CStr::from_ptr(name) };
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name == name) else {
        return ptr::null_mut();
    };
    // SAFETY: these are the caller's arguments.
    let real = unsafe { loader(handle, name.as_ptr()) };
    if real.is_null() || real == (entry.symbol)() {
        return ptr::null_mut();
    }
    entry.real.store(real, Ordering::Relaxed);
    (entry.ours)()
}

/// Replaces the loader's `dlsym`. It ends in a jump and not a call, because `RTLD_NEXT` depends on the return address.
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void {
    #[cfg(target_arch = "x86_64")]
    naked_asm!(
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {asked}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "test rax, rax",
        "je 2f",
        "ret",
        "2:",
        "jmp qword ptr [rip + {loader}]",
        asked = sym asked,
        loader = sym LOADER,
    );
    #[cfg(target_arch = "aarch64")]
    naked_asm!(
        "stp x29, x30, [sp, #-32]!",
        "stp x0, x1, [sp, #16]",
        "bl {asked}",
        "mov x9, x0",
        "ldp x0, x1, [sp, #16]",
        "ldp x29, x30, [sp], #32",
        "cbz x9, 2f",
        "mov x0, x9",
        "ret",
        "2:",
        "adrp x9, {loader}",
        "ldr x9, [x9, :lo12:{loader}]",
        "br x9",
        asked = sym asked,
        loader = sym LOADER,
    );
}
