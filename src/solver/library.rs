//! Z3's library, loaded at run time: linking and relocating it costs more than most kernels need, and most need no solver.
//!
//! The entry points are those of Z3's C API, and this is the only file with `unsafe` code of the solver. What makes the
//! interface safe:
//! - the library is never unloaded, and each context belongs to one thread;
//! - a [`Session`] borrows its context, owns its solver, and counts references to all that it asks for;
//! - errors are codes, never handlers: without a handler Z3 would end the process.

use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// The names by which the library is looked for, in this order.
const NAMES: &[&str] = if cfg!(windows) {
    &["libz3.dll"]
} else if cfg!(target_os = "macos") {
    &["libz3.4.dylib", "libz3.dylib"]
} else {
    &["libz3.so.4", "libz3.so"]
};

/// The first version whose truth values are `bool`.
const LEAST_VERSION: (c_uint, c_uint) = (4, 8);

type Handle = *mut c_void;

/// Declares the table of entry points and how it is read from the library.
macro_rules! entry_points {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case)]
        struct EntryPoints {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl EntryPoints {
            /// Looks every name up; none if one is missing.
            fn load(library: &Library) -> Option<Self> {
                Some(EntryPoints {
                    $($name: {
                        let name = stringify!($name);
                        // SAFETY: Z3 exports its functions under these names with these signatures (z3_api.h); the library
                        // is never unloaded.
                        *unsafe { library.get(name.as_bytes()) }.ok()?
                    },)*
                })
            }
        }
    };
}

entry_points! {
    Z3_get_version(*mut c_uint, *mut c_uint, *mut c_uint, *mut c_uint);
    Z3_mk_config() -> Handle;
    Z3_del_config(Handle);
    Z3_mk_context_rc(Handle) -> Handle;
    Z3_del_context(Handle);
    Z3_set_error_handler(Handle, Option<unsafe extern "C" fn(Handle, c_int)>);
    Z3_mk_string_symbol(Handle, *const c_char) -> Handle;
    Z3_mk_solver(Handle) -> Handle;
    Z3_mk_solver_for_logic(Handle, Handle) -> Handle;
    Z3_solver_inc_ref(Handle, Handle);
    Z3_solver_dec_ref(Handle, Handle);
    Z3_mk_params(Handle) -> Handle;
    Z3_params_inc_ref(Handle, Handle);
    Z3_params_dec_ref(Handle, Handle);
    Z3_params_set_uint(Handle, Handle, Handle, c_uint);
    Z3_solver_set_params(Handle, Handle, Handle);
    Z3_solver_from_string(Handle, Handle, *const c_char);
    Z3_solver_get_assertions(Handle, Handle) -> Handle;
    Z3_ast_vector_inc_ref(Handle, Handle);
    Z3_ast_vector_dec_ref(Handle, Handle);
    Z3_ast_vector_size(Handle, Handle) -> c_uint;
    Z3_solver_check(Handle, Handle) -> c_int;
    Z3_solver_get_reason_unknown(Handle, Handle) -> *const c_char;
    Z3_solver_get_model(Handle, Handle) -> Handle;
    Z3_model_inc_ref(Handle, Handle);
    Z3_model_dec_ref(Handle, Handle);
    Z3_mk_bv_sort(Handle, c_uint) -> Handle;
    Z3_mk_const(Handle, Handle, Handle) -> Handle;
    Z3_inc_ref(Handle, Handle);
    Z3_dec_ref(Handle, Handle);
    Z3_model_eval(Handle, Handle, Handle, bool, *mut Handle) -> bool;
    Z3_get_numeral_uint64(Handle, Handle, *mut u64) -> bool;
}

/// Calls an entry point: `call!(context, Z3_mk_solver())` has the context as its first argument.
macro_rules! call {
    ($context:expr, $name:ident($($argument:expr),*)) => {{
        let context: &Context = $context;
        // SAFETY: each use passes objects of this context that are referenced, and pointers to live places and strings of
        // the types that the function's signature names.
        unsafe { (context.calls.$name)(context.handle $(, $argument)*) }
    }};
}

/// The library, if there is one that can be used. It is looked for once.
fn library() -> Option<&'static EntryPoints> {
    static LIBRARY: OnceLock<Option<EntryPoints>> = OnceLock::new();
    LIBRARY
        .get_or_init(|| NAMES.iter().find_map(|name| load(name)))
        .as_ref()
}

fn load(name: &str) -> Option<EntryPoints> {
    // SAFETY: loading Z3 runs the initialisers of it and of the C++ library, which ask nothing of us.
    let library = unsafe { Library::new(name) }.ok()?;
    let calls = EntryPoints::load(&library)?;
    // It stays for as long as the process does.
    std::mem::forget(library);
    let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
    // SAFETY: four live places for numbers.
    unsafe {
        (calls.Z3_get_version)(
            &raw mut major,
            &raw mut minor,
            &raw mut build,
            &raw mut revision,
        )
    };
    ((major, minor) >= LEAST_VERSION).then_some(calls)
}

/// What all objects of Z3 on a thread belong to.
pub(super) struct Context {
    calls: &'static EntryPoints,
    handle: Handle,
}

impl Context {
    fn new() -> Option<Self> {
        let calls = library()?;
        // SAFETY: the configuration lives until the context is made of it.
        let handle = unsafe {
            let config = (calls.Z3_mk_config)();
            let handle = (calls.Z3_mk_context_rc)(config);
            (calls.Z3_del_config)(config);
            handle
        };
        if handle.is_null() {
            return None;
        }
        let context = Context { calls, handle };
        call!(&context, Z3_set_error_handler(None));
        Some(context)
    }

    /// Runs `work` with the context of this thread, which is made at the first call; none without a library.
    pub fn with<T>(work: impl FnOnce(&Context) -> T) -> Option<T> {
        thread_local! {
            static CONTEXT: Option<Context> = Context::new();
        }
        CONTEXT.with(|context| context.as_ref().map(work))
    }

    fn symbol(&self, name: &CStr) -> Handle {
        call!(self, Z3_mk_string_symbol(name.as_ptr()))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: sessions borrow the context, so that none is left.
        unsafe { (self.calls.Z3_del_context)(self.handle) };
    }
}

/// A solver with the assertions of a text.
pub(super) struct Session<'c> {
    context: &'c Context,
    solver: Handle,
}

impl<'c> Session<'c> {
    /// Reads `smt`, what of it is understood; a check may spend `rlimit`. None where Z3 gives no solver, or the text has a
    /// zero byte.
    pub fn new(
        context: &'c Context,
        logic: Option<&CStr>,
        smt: &str,
        rlimit: c_uint,
    ) -> Option<Self> {
        let text = CString::new(smt).ok()?;
        let solver = match logic {
            None => call!(context, Z3_mk_solver()),
            Some(logic) => {
                let logic = context.symbol(logic);
                call!(context, Z3_mk_solver_for_logic(logic))
            }
        };
        if solver.is_null() {
            return None;
        }
        call!(context, Z3_solver_inc_ref(solver));
        let session = Session { context, solver };
        let params = call!(context, Z3_mk_params());
        call!(context, Z3_params_inc_ref(params));
        let name = context.symbol(c"rlimit");
        call!(context, Z3_params_set_uint(params, name, rlimit));
        call!(context, Z3_solver_set_params(solver, params));
        call!(context, Z3_params_dec_ref(params));
        call!(context, Z3_solver_from_string(solver, text.as_ptr()));
        Some(session)
    }

    /// How many assertions were understood.
    pub fn assertions(&self) -> usize {
        let all = call!(self.context, Z3_solver_get_assertions(self.solver));
        if all.is_null() {
            return 0;
        }
        call!(self.context, Z3_ast_vector_inc_ref(all));
        let size = call!(self.context, Z3_ast_vector_size(all));
        call!(self.context, Z3_ast_vector_dec_ref(all));
        size as usize
    }

    /// Whether the assertions can hold together, if that is decided within the limit.
    pub fn satisfiable(&self) -> Option<bool> {
        match call!(self.context, Z3_solver_check(self.solver)) {
            0 => None,
            answer => Some(answer > 0),
        }
    }

    /// Why a check did not decide, in Z3's words.
    pub fn reason(&self) -> String {
        let words = call!(self.context, Z3_solver_get_reason_unknown(self.solver));
        if words.is_null() {
            return String::new();
        }
        // SAFETY: a string that ends, and that Z3 keeps until it is called again.
        let words = unsafe { CStr::from_ptr(words) };
        words.to_string_lossy().into_owned()
    }

    /// The values of bit-vector constants, by name and width, in the model that a check found.
    pub fn values<'n>(&self, constants: impl Iterator<Item = (&'n str, u8)>) -> Vec<Option<u64>> {
        let model = call!(self.context, Z3_solver_get_model(self.solver));
        if model.is_null() {
            return constants.map(|_| None).collect();
        }
        call!(self.context, Z3_model_inc_ref(model));
        let values = constants
            .map(|(name, width)| self.value(model, name, width))
            .collect();
        call!(self.context, Z3_model_dec_ref(model));
        values
    }

    fn value(&self, model: Handle, name: &str, width: u8) -> Option<u64> {
        let context = self.context;
        let name = CString::new(name).ok()?;
        let sort = call!(context, Z3_mk_bv_sort(width.into()));
        call!(context, Z3_inc_ref(sort));
        let symbol = context.symbol(&name);
        let constant = call!(context, Z3_mk_const(symbol, sort));
        call!(context, Z3_inc_ref(constant));
        let mut result = std::ptr::null_mut();
        let found = call!(
            context,
            Z3_model_eval(model, constant, true, &raw mut result)
        );
        let mut bits = 0;
        let mut known = false;
        if found && !result.is_null() {
            call!(context, Z3_inc_ref(result));
            known = call!(context, Z3_get_numeral_uint64(result, &raw mut bits));
            call!(context, Z3_dec_ref(result));
        }
        call!(context, Z3_dec_ref(constant));
        call!(context, Z3_dec_ref(sort));
        known.then_some(bits)
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        call!(self.context, Z3_solver_dec_ref(self.solver));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_none() {
        assert!(load("libz3-of-nobody.so").is_none());
        // There, but another.
        assert!(load("libc.so.6").is_none());
    }

    #[test]
    fn a_session_checks_and_has_a_model() {
        let text = "(declare-const x (_ BitVec 8)) (assert (= (bvmul x #x03) #x09)) (assert (bvult x #x10))";
        let found = Context::with(|context| {
            let session = Session::new(context, Some(c"QF_BV"), text, 1_000_000)?;
            assert_eq!(session.assertions(), 2);
            assert_eq!(session.satisfiable(), Some(true));
            let names = [("x", 8), ("free", 64)];
            Some(session.values(names.into_iter()))
        });
        assert_eq!(found.flatten(), Some(vec![Some(3), Some(0)]));
        let refused = Context::with(|context| Session::new(context, None, "\0", 1).is_none());
        assert_eq!(refused, Some(true));
    }
}
