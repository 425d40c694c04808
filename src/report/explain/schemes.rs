//! The schemes: their names, and what `ptxasw explain F` says of them.

use crate::shuffle::plan::Wrapping;

/// The name that `--scheme` takes.
pub fn scheme_name(scheme: Wrapping) -> &'static str {
    match scheme {
        Wrapping::Full => "full",
        Wrapping::Row => "R",
        Wrapping::AnyRow => "F",
        Wrapping::WholeRows => "F31",
        Wrapping::Contiguous => "C",
        Wrapping::Paper => "paper",
        Wrapping::Early => "early",
        Wrapping::Halo => "halo",
        Wrapping::Hoist => "hoist",
        Wrapping::FastLoop => "fastloop",
        Wrapping::Versioned => "versioned",
    }
}

/// The scheme of a name, in any case of letters.
pub fn by_name(name: &str) -> Option<Wrapping> {
    let mut all = Wrapping::ALL.into_iter();
    all.find(|scheme| scheme_name(*scheme).eq_ignore_ascii_case(name))
}

/// A clamp per lane, and the load of the lanes for which the shuffle fails.
const CLAMP: &str =
    "shfl.sync.down.b32  %f2|%p9, %f1, 1, %clamp, %mask;\n@!%p9 ld.global.nc.f32  %f2, [%rd4+4];";

/// A scheme in one line, when it is used, and PTX with it.
pub fn page(scheme: Wrapping) -> (&'static str, &'static str, &'static str) {
    match scheme {
        Wrapping::Full => (
            "the whole warp is proved to be here",
            "Chosen where no guard precedes the loads and the block size is known to be a multiple of 32: the mask is -1 and \
             nothing is read or tested.",
            "shfl.sync.down.b32  %f2|%p9, %f1, 1, 31, -1;\n@!%p9 ld.global.nc.f32  %f2, [%rd4+4];",
        ),
        Wrapping::Row => (
            "a full warp whose row reaches the warp's end",
            "The cheapest test of rows: the clamp is the warp's end if all 32 lanes are here and the own row reaches it, else \
             the own lane, so that the lane loads for itself.",
            CLAMP,
        ),
        Wrapping::AnyRow => (
            "a full warp, rows of any shape",
            "The default where nothing is known of the block: the clamp is the end of the own row.",
            CLAMP,
        ),
        Wrapping::WholeRows => (
            "a full warp, rows proved to be whole warps",
            "As F where the block size along x is known to be a multiple of 32: the clamp needs no test of rows.",
            CLAMP,
        ),
        Wrapping::Contiguous => (
            "the contiguous lanes around the own lane",
            "Partial warps gain, too: the clamp is the last lane of the run of active lanes that the own lane is in.",
            CLAMP,
        ),
        Wrapping::Paper => (
            "the scheme of the paper, with tests of rows",
            "As in Matsumura et al. (CC 2023), Listing 6, and sound outside of loops by the tests of rows that were added.",
            "activemask.b32  %m;\nshfl.sync.down.b32  %f2|%p9, %f1, 1, 31, %m;\n// corner lanes: lane + 1 > 31, or not in %m\n@%p10 ld.global.nc.f32  %f2, [%rd4+4];",
        ),
        Wrapping::Early => (
            "corner loads behind the source",
            "What corner lanes need is loaded right behind the source, so that its latency is hidden.",
            "ld.global.nc.f32  %f1, [%rd4];\n@%corner ld.global.nc.f32  %f2, [%rd4+4];\n...\nshfl.sync.down.b32  %t|%p9, %f1, 1, %clamp, %mask;\n@%p9 mov.b32  %f2, %t;",
        ),
        Wrapping::Halo => (
            "one more load serves the corner lanes of all distances",
            "Lanes at one end of the warp load what lies behind the other end; all corner values come from there. Rows must be \
             whole warps.",
            "ld.global.nc.f32  %f1, [%rd4];\n@%edge ld.global.nc.f32  %h, [%rd4+128];\nshfl.sync.idx.b32  %f2, ...",
        ),
        Wrapping::Hoist => (
            "a copy of a divergent branch for whole warps",
            "Where all 32 lanes take the same branch they run a copy with shuffles; the original stays for all others.",
            "vote.sync.all.pred  %p, %cond, -1;\n@%p bra  $copy;",
        ),
        Wrapping::FastLoop => (
            "a copy of a loop for whole warps",
            "As long as all 32 lanes stay in the loop they run a copy with shuffles; the first lane that leaves takes the warp \
             back to the original.",
            "$copy: ...\nvote.sync.all.pred  %p, %stay, -1;\n@%p bra  $copy;",
        ),
        Wrapping::Versioned => (
            "a copy of all that follows a guard",
            "A warp that passes the guard as a whole runs a copy without corner loads for missing lanes.",
            "vote.sync.all.pred  %p, %inside, -1;\n@%p bra  $copy;",
        ),
    }
}
