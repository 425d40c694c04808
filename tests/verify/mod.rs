//! `ptxasw verify` and `ptxasw opt --verify`, with the real binary.
//!
//! Reports are compared with the files in `golden/`; `PTXASW_BLESS=1` writes them anew.

mod differences;
mod folder;
mod kernelgen;
mod loops;
mod misuse;
mod opt;
mod reports;
mod wrong;

/// A stencil of two points after a guard.
const GUARD: &str = include_str!("kernels/guard.ptx");
/// That stencil with a shuffle.
const SHUFFLED: &str = include_str!("kernels/guard-shuffled.ptx");
/// All threads store to one word.
const RACE: &str = include_str!("kernels/race.ptx");
/// A kernel that spins for ever under some schedules.
const SPIN: &str = include_str!("kernels/spin.ptx");
/// A structure with pointers, a variable of the module.
const POINTERS: &str = include_str!("kernels/pointers.ptx");
/// Arrays that only asynchronous copies read.
const COPIES: &str = include_str!("kernels/copies.ptx");
/// A launch of [`GUARD`] with a partial warp.
const PARTIAL: &str = "guard grid=1 block=40 args=f32[300]@16,f32[300],33";

/// The shuffle, broken: it takes from two lanes on.
fn wrong_delta() -> String {
    changed(SHUFFLED, "%f1, 1,", "%f1, 2,")
}

/// The shuffle with a member mask that names nobody.
fn empty_mask() -> String {
    changed(SHUFFLED, "%ptxasw_r8, %ptxasw_r0;", "%ptxasw_r8, 0;")
}

/// A text with one place changed.
fn changed(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from}");
    text.replace(from, to)
}
