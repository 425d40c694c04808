//! Z3's library, loaded at the first question.
//!
//! Most modules need no solver, and linking the library when the process starts takes longer than they do. So the functions of
//! Z3's C interface that the crate `z3` calls for [`super::z3`] are defined here, each handing its call on to the library's
//! own, which [`load`] has found. Rust's linker for Linux (LLD, since 1.90) counts only calls that are kept, and leaves the library
//! out of what the process starts with. Where one calls a function that is missing here, or another linker is used, Z3 is linked
//! as usual: nothing is wrong then, but the start is slow again (`tests/linkage.rs` watches that).

use libloading::Library;
use std::error::Error;
use std::ffi::{OsStr, c_int, c_uint};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use z3_sys::*;

/// The names that the library goes by: that of its binary interface, and the one that it is linked by.
pub const NAMES: &[&str] = if cfg!(target_os = "macos") {
    &["libz3.dylib"]
} else {
    &["libz3.so.4", "libz3.so"]
};

static FUNCTIONS: OnceLock<Result<Functions, Missing>> = OnceLock::new();

/// Finds files: the libraries that Z3 needs, then its own.
type Files = Box<dyn Fn() -> io::Result<Vec<PathBuf>> + Send + Sync>;

/// Where the library is.
pub enum LibrarySource {
    /// In the package that this program is part of, else on the host, where its loader looks.
    Host,
    /// In these files, and nowhere else. They are asked for at the first question.
    Files(Files),
    /// Nowhere: every question stays open, also where the host has a library.
    Nowhere,
}

static SOURCE: OnceLock<LibrarySource> = OnceLock::new();

/// Says where the library is; to be called before the first question. Without it, it is the host's.
pub fn load_from(source: LibrarySource) {
    // What was asked for first holds: the library is loaded once.
    let _ = SOURCE.set(source);
}

/// Why questions stayed open that should not have: the library that [`load_from`] named could not be loaded.
pub fn failure() -> Option<Missing> {
    match (SOURCE.get(), FUNCTIONS.get()) {
        (Some(LibrarySource::Files(_)), Some(Err(missing))) => Some(missing.clone()),
        _ => None,
    }
}

/// Z3's library is not there, or lacks a function.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cannot load Z3's library: {0}")]
pub struct Missing(String);

impl Missing {
    /// What could not be found, in the words of the system, which the error keeps to itself.
    fn of(name: &str, error: &libloading::Error) -> Self {
        Missing(match error.source() {
            Some(source) => source.to_string(),
            None => name.to_string(),
        })
    }
}

/// Loads the library, once for the process, before anything else of it is called.
///
/// # Errors
/// The library is not there, or lacks a function.
pub fn load() -> Result<(), Missing> {
    functions().as_ref().map(drop).map_err(Missing::clone)
}

/// Where Z3's library is and its version, if it can be loaded.
pub fn library() -> Option<(String, String)> {
    let library = open(&candidates()).ok()?;
    let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
    // SAFETY: the signature is that of `z3_sys`, and the library is never unloaded.
    unsafe {
        type Version = unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint, *mut c_uint);
        let version = library.get::<Version>("Z3_get_version").ok()?;
        version(&mut major, &mut minor, &mut build, &mut revision);
    }
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mut paths = maps
        .lines()
        .filter_map(|line| Some(&line[line.find('/')?..]));
    let path = paths.find(|path| path.contains("libz3"));
    let path = path.unwrap_or(NAMES[0]).to_string();
    Some((path, format!("{major}.{minor}.{build}")))
}

fn functions() -> &'static Result<Functions, Missing> {
    FUNCTIONS.get_or_init(|| {
        Functions::of(match SOURCE.get().unwrap_or(&LibrarySource::Host) {
            LibrarySource::Host => open(&candidates())?,
            LibrarySource::Files(files) => open_files(files)?,
            LibrarySource::Nowhere => {
                return Err(Missing("this program is to run without it".into()));
            }
        })
    })
}

/// Candidates for [`LibrarySource::Host`], in order of preference.
fn candidates() -> Vec<PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    packaged(&program)
        .into_iter()
        .chain(NAMES.iter().map(PathBuf::from))
        .collect()
}

/// Libraries that a package installs in `lib/ptxasw` for `bin/ptxasw`.
fn packaged(program: &Path) -> Vec<PathBuf> {
    let root = program.parent().and_then(Path::parent);
    let folder = root.map(|root| root.join("lib").join("ptxasw"));
    let files = folder
        .iter()
        .flat_map(|folder| NAMES.iter().map(|name| folder.join(name)));
    files.filter(|file| file.is_file()).collect()
}

/// Loads files in their order, and gives the last one. One that needs another finds it by its name, as it is loaded already.
fn open_files(files: &Files) -> Result<&'static Library, Missing> {
    let paths = files().map_err(|error| Missing(error.to_string()))?;
    let mut last = None;
    for path in &paths {
        last = Some(open(&[path])?);
    }
    last.ok_or_else(|| Missing("no file".into()))
}

/// The library, which stays loaded as long as the process lives.
fn open<Name: AsRef<OsStr>>(names: &[Name]) -> Result<&'static Library, Missing> {
    let mut first = None;
    for name in names {
        // SAFETY: what runs while Z3 is loaded are the constructors of its own static values; they ask for nothing.
        match unsafe { Library::new(name.as_ref()) } {
            Ok(library) => return Ok(Box::leak(Box::new(library))),
            Err(error) => {
                let name = name.as_ref().to_string_lossy();
                first = first.or_else(|| Some(Missing::of(&name, &error)));
            }
        }
    }
    Err(first.unwrap_or_else(|| Missing(String::new())))
}

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
        struct Functions {
            $($name: unsafe extern "C" fn($($of),*) $(-> $result)?,)*
        }

        impl Functions {
            fn of(library: &'static Library) -> Result<Self, Missing> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_an_error() {
        let missing = open(&["libz3-of-nobody.so", "libz3-of-nobody-else.so"])
            .err()
            .unwrap();
        assert!(
            missing.to_string().contains("libz3-of-nobody.so"),
            "{missing}"
        );
        let found = open(&["libz3-of-nobody.so", NAMES[0]]);
        assert!(found.is_ok_and(|library| Functions::of(library).is_ok()));
    }

    #[test]
    fn a_package_brings_its_library_along() {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("bin").join("ptxasw");
        assert_eq!(packaged(&program), Vec::<PathBuf>::new());
        let folder = root.path().join("lib").join("ptxasw");
        std::fs::create_dir_all(&folder).unwrap();
        let library = folder.join(NAMES[0]);
        std::fs::write(&library, "").unwrap();
        assert_eq!(packaged(&program), [library]);
    }

    #[test]
    fn a_library_without_the_functions_is_an_error() {
        let other = open(&["libc.so.6"]).unwrap();
        let missing = Functions::of(other).err().unwrap();
        assert!(
            missing.to_string().contains("Z3_ast_to_string"),
            "{missing}"
        );
    }
}
