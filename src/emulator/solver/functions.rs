//! The functions of Z3's C interface that the crate `z3` calls for [`super::session`]: each is defined here and hands its call on to
//! the library's own, which [`super::load`] has found. Rust's linker for Linux (LLD, since 1.90) counts only calls that are kept, and
//! leaves the library out of what the process starts with. Where one calls a function that is missing here, or another linker is
//! used, Z3 is linked as usual: nothing is wrong then, but the start is slow again (`tests/linkage.rs` watches that).

use super::library::{Missing, functions};
use libloading::Library;
use std::ffi::{c_int, c_uint};
use z3_sys::*;

/// Where Z3 is called all the same, as by another user of the crate `z3` in this process, there is no answer.
fn lost(missing: &Missing) -> ! {
    ptxasw_base::say!("ptxasw: {missing}");
    std::process::abort()
}

/// Defines each function of the interface, and the table of those of the library.
macro_rules! functions {
    ($($name:ident($($argument:ident: $of:ty),*) $(-> $result:ty)?;)*) => {
        /// The library's functions, by their exported names.
        #[allow(non_snake_case)]
        pub struct Functions {
            $($name: unsafe extern "C" fn($($of),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Those of a library.
            ///
            /// # Errors
            /// It lacks one.
            pub fn of(library: &'static Library) -> Result<Self, Missing> {
                Ok(Functions {
                    $($name: {
                        // SAFETY: the library exports its functions under these names with the signatures that `z3_sys`
                        // declares, which are compared below; it is never unloaded.
                        *unsafe { library.get(stringify!($name)) }.map_err(|error| Missing::of(stringify!($name), &error))?
                    },)*
                })
            }
        }

        $(
            // The signature is the one that callers know.
            const _: unsafe extern "C" fn($($of),*) $(-> $result)? = z3_sys::$name;

            /// The library's function of this name.
            ///
            /// # Safety
            /// As the library's.
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($argument: $of),*) $(-> $result)? {
                match functions() {
                    // SAFETY: the arguments are the caller's.
                    Ok(functions) => unsafe { (functions.$name)($($argument),*) },
                    Err(missing) => lost(missing),
                }
            }
        )*
    };
}

functions! {
    Z3_ast_to_string(c: Z3_context, a: Z3_ast) -> Z3_string;
    Z3_ast_vector_dec_ref(c: Z3_context, v: Z3_ast_vector);
    Z3_ast_vector_get(c: Z3_context, v: Z3_ast_vector, i: c_uint) -> Option<Z3_ast>;
    Z3_ast_vector_inc_ref(c: Z3_context, v: Z3_ast_vector);
    Z3_ast_vector_size(c: Z3_context, v: Z3_ast_vector) -> c_uint;
    Z3_dec_ref(c: Z3_context, a: Z3_ast);
    Z3_del_config(c: Z3_config);
    Z3_del_context(c: Z3_context);
    Z3_get_ast_id(c: Z3_context, a: Z3_ast) -> c_uint;
    Z3_get_numeral_uint64(c: Z3_context, a: Z3_ast, value: *mut u64) -> bool;
    Z3_get_sort(c: Z3_context, a: Z3_ast) -> Option<Z3_sort>;
    Z3_get_sort_kind(c: Z3_context, s: Z3_sort) -> Z3_sort_kind;
    Z3_inc_ref(c: Z3_context, a: Z3_ast);
    Z3_mk_bv_sort(c: Z3_context, width: c_uint) -> Option<Z3_sort>;
    Z3_mk_config() -> Option<Z3_config>;
    Z3_mk_const(c: Z3_context, name: Z3_symbol, s: Z3_sort) -> Option<Z3_ast>;
    Z3_mk_context_rc(config: Z3_config) -> Option<Z3_context>;
    Z3_mk_int_symbol(c: Z3_context, i: c_int) -> Option<Z3_symbol>;
    Z3_mk_params(c: Z3_context) -> Option<Z3_params>;
    Z3_mk_solver(c: Z3_context) -> Option<Z3_solver>;
    Z3_mk_solver_for_logic(c: Z3_context, logic: Z3_symbol) -> Option<Z3_solver>;
    Z3_mk_string_symbol(c: Z3_context, s: Z3_string) -> Option<Z3_symbol>;
    Z3_model_dec_ref(c: Z3_context, m: Z3_model);
    Z3_model_eval(c: Z3_context, m: Z3_model, a: Z3_ast, completion: bool, value: *mut Z3_ast) -> bool;
    Z3_model_inc_ref(c: Z3_context, m: Z3_model);
    Z3_params_dec_ref(c: Z3_context, p: Z3_params);
    Z3_params_inc_ref(c: Z3_context, p: Z3_params);
    Z3_params_set_bool(c: Z3_context, p: Z3_params, name: Z3_symbol, value: bool);
    Z3_params_set_uint(c: Z3_context, p: Z3_params, name: Z3_symbol, value: c_uint);
    Z3_set_error_handler(c: Z3_context, handler: Z3_error_handler);
    Z3_solver_check(c: Z3_context, s: Z3_solver) -> Z3_lbool;
    Z3_solver_dec_ref(c: Z3_context, s: Z3_solver);
    Z3_solver_from_string(c: Z3_context, s: Z3_solver, text: Z3_string);
    Z3_solver_get_assertions(c: Z3_context, s: Z3_solver) -> Option<Z3_ast_vector>;
    Z3_solver_get_model(c: Z3_context, s: Z3_solver) -> Option<Z3_model>;
    Z3_solver_get_reason_unknown(c: Z3_context, s: Z3_solver) -> Z3_string;
    Z3_solver_get_statistics(c: Z3_context, s: Z3_solver) -> Option<Z3_stats>;
    Z3_solver_inc_ref(c: Z3_context, s: Z3_solver);
    Z3_solver_set_params(c: Z3_context, s: Z3_solver, p: Z3_params);
    Z3_sort_to_ast(c: Z3_context, s: Z3_sort) -> Option<Z3_ast>;
    Z3_stats_dec_ref(c: Z3_context, s: Z3_stats);
    Z3_stats_get_double_value(c: Z3_context, s: Z3_stats, i: c_uint) -> f64;
    Z3_stats_get_key(c: Z3_context, s: Z3_stats, i: c_uint) -> Z3_string;
    Z3_stats_get_uint_value(c: Z3_context, s: Z3_stats, i: c_uint) -> c_uint;
    Z3_stats_inc_ref(c: Z3_context, s: Z3_stats);
    Z3_stats_is_uint(c: Z3_context, s: Z3_stats, i: c_uint) -> bool;
    Z3_stats_size(c: Z3_context, s: Z3_stats) -> c_uint;
}
