//! The pass plugin: `clang++ -Xarch_device -fpass-plugin=libptxasw_llvm.so`, `opt -load-pass-plugin=... -passes=ptxasw`.
//!
//! It works on the compiler's own module, in the compiler's process. Whatever goes wrong with us, the module stays as it was,
//! and one line says so; with `strict` it is an error of the compiler's.

use crate::host;
use crate::record;
use crate::stage::{self, Done};
use crate::version::MAJOR;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::module::Module;
use ptxasw_driver::pipeline::settings::Settings;
use ptxasw_driver::pipeline::settings::config;
use ptxasw_driver::pipeline::settings::words::BadSetting;
use ptxasw_driver::pipeline::ssa::Report;
use ptxasw_driver::pipeline::ssa::panic_message;
use std::env;
use std::ffi::{CString, c_char, c_void};
use std::mem::ManuallyDrop;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Instant;

/// The version of the interface between this LLVM and plugins (`native.cpp` compares it with LLVM's header).
const INTERFACE: u32 = if MAJOR >= 22 { 2 } else { 1 };
/// No version: a compiler does not load the plugin.
const REFUSED: u32 = 0;
/// How the triple of modules for NVIDIA's GPUs begins.
const TRIPLE: &str = "nvptx64";
/// A compiler's thread may have little stack left.
const STACK: usize = 256 << 20;

/// What LLVM asks of a plugin (`llvm::PassPluginLibraryInfo`).
#[repr(C)]
pub struct Information {
    common: Common,
    /// What generates code in LLVM's place: nothing.
    generate: [*const c_void; INTERFACE as usize - 1],
}

/// What it has been in all versions.
#[repr(C)]
struct Common {
    interface: u32,
    name: *const c_char,
    version: *const c_char,
    register: unsafe extern "C" fn(*mut c_void),
}

unsafe extern "C" {
    /// In C++: registers the position of our pass with LLVM.
    fn ptxasw_register(builder: *mut c_void);
    /// In C++: an error that the host compiler reports as its own, and fails by.
    fn ptxasw_fail(module: LLVMModuleRef, message: *const c_char);
}

/// What LLVM looks for in a plugin. Nothing of LLVM may be called where the compiler has another one: it reports an error then.
///
/// A compiler that is refused may have no room for all of the struct. So it is written part by part through the pointer by which
/// C++ returns a struct of this size: the first argument, which is the result as well (System V ABI for x86-64, 3.2.3).
///
/// # Safety
/// The pointer leads to as much memory as the compiler's own version of the struct has.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn llvmGetPassPluginInfo(result: *mut Information) -> *mut Information {
    let common = common();
    unsafe {
        if common.interface == INTERFACE {
            (&raw mut (*result).generate).write(GENERATE);
        }
        (&raw mut (*result).common).write(common);
    }
    result
}

/// What LLVM looks for in a plugin.
#[cfg(not(target_arch = "x86_64"))]
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub extern "C" fn llvmGetPassPluginInfo() -> Information {
    Information {
        common: common(),
        generate: GENERATE,
    }
}

const GENERATE: [*const c_void; INTERFACE as usize - 1] =
    [std::ptr::null(); INTERFACE as usize - 1];

fn common() -> Common {
    let interface = match host::check() {
        Ok(()) => INTERFACE,
        Err(error) => {
            ptxasw_base::say!("ptxasw: error: {error}");
            REFUSED
        }
    };
    Common {
        interface,
        name: c"ptxasw".as_ptr(),
        version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register: ptxasw_register,
    }
}

/// Rewrites a module of the host compiler's; says whether anything was changed.
///
/// # Safety
/// The module is valid, and nobody else uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptxasw_rewrite(module: LLVMModuleRef) -> bool {
    // It stays the compiler's.
    let module = ManuallyDrop::new(unsafe { Module::new(module) });
    if !module
        .get_triple()
        .as_str()
        .to_bytes()
        .starts_with(TRIPLE.as_bytes())
    {
        return false;
    }
    let taken = config::variables(&[]).map_err(BadSetting::from);
    let settings = match taken.and_then(|variables| Settings::take(Vec::new(), variables)) {
        Ok((settings, _)) => settings,
        Err(error) => {
            complain(&module, &error, false);
            return false;
        }
    };
    ptxasw_machine::cache::switch(!settings.no_cache);
    !settings.off && rewritten(&module, &settings)
}

fn rewritten(module: &Module, settings: &Settings) -> bool {
    let before = match record::wants_figures(settings) {
        true => module.write_bitcode_to_memory().as_slice().to_vec(),
        false => Vec::new(),
    };
    let name = record::name(module);
    let text = record::text(settings, module);
    let start = Instant::now();
    let result = guarded(module, settings, &name);
    record::leave(settings, &before, result.as_ref().ok(), start.elapsed());
    let changed = result.as_ref().is_ok_and(Done::is_rewritten);
    if let Some(text) = text {
        record::keep(settings, module, &name, &text, changed);
    }
    match result {
        Ok(done) => {
            let faults = done.passes.iter().filter(|one| one.fault().is_some());
            for line in faults.filter_map(Report::refusal) {
                ptxasw_base::say!("ptxasw: warning: `{name}`: {line}");
            }
            for line in done.found.checked.failures() {
                ptxasw_base::say!("ptxasw: warning: `{name}`: {line}");
            }
        }
        Err(error) => complain(module, &error, settings.strict),
    }
    changed
}

/// Our work, of which no panic gets out. The only thread that uses the module is the one that is waited for.
fn guarded(module: &Module, settings: &Settings, name: &str) -> Result<Done, String> {
    struct Lent<'a, 'c>(&'a Module<'c>);
    // SAFETY: the thread that lends it does nothing until it is given back.
    unsafe impl Send for Lent<'_, '_> {}
    impl Lent<'_, '_> {
        fn rewrite(self, settings: &Settings, name: &str) -> Result<Done, stage::Error> {
            stage::rewrite_by(self.0, settings, name)
        }
    }
    let lent = Lent(module);
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = thread::scope(|scope| {
        let work = move || catch_unwind(AssertUnwindSafe(|| lent.rewrite(settings, name)));
        let thread = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work);
        match thread.map(|thread| thread.join()) {
            Ok(Ok(Ok(result))) => result.map_err(|error| error.to_string()),
            Ok(Ok(Err(panic)) | Err(panic)) => {
                Err(format!("internal error: {}", panic_message(&*panic)))
            }
            Err(error) => Err(error.to_string()),
        }
    });
    panic::set_hook(hook);
    result
}

fn complain(module: &Module, error: &dyn std::fmt::Display, strict: bool) {
    let name = record::name(module);
    if !strict {
        ptxasw_base::say!(
            "ptxasw: warning: `{name}`: {error}; it is compiled as it was, or as examined passes left it"
        );
        return;
    }
    let message = format!("ptxasw: `{name}`: {error}").replace('\0', " ");
    if let Ok(message) = CString::new(message) {
        // SAFETY: LLVM copies the message.
        unsafe { ptxasw_fail(module.as_mut_ptr(), message.as_ptr()) };
    }
}
