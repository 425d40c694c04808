//! The schemes: their names, and what `ptxasw explain F` says of them.

use ptxasw_passes::shuffle::plan::{Region, Wrapping};

/// What reports call the scheme of a region.
pub fn scheme_of(region: &Region) -> String {
    let name = region.wrapping.name();
    match region.copy {
        Some(_) => format!("{name} in a clone for whole warps"),
        None => name.to_string(),
    }
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
             nothing is read or tested. Where lanes may diverge, it is the scheme of clones that only whole warps run: the \
             lanes vote in front of the clone and wherever they may diverge in it, and the original stays for all others.",
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
        Wrapping::Paper => (
            "the scheme of the paper, with tests of rows",
            "As in Matsumura et al. (CC 2023), Listing 6, and sound outside of loops by the tests of rows that were added.",
            "activemask.b32  %m;\nshfl.sync.down.b32  %f2|%p9, %f1, 1, 31, %m;\n// corner lanes: lane + 1 > 31, or not in %m\n@%p10 ld.global.nc.f32  %f2, [%rd4+4];",
        ),
        Wrapping::Halo => (
            "one more load serves the corner lanes of all distances",
            "Lanes at one end of the warp load what lies behind the other end; all corner values come from there. Rows must be \
             whole warps.",
            "ld.global.nc.f32  %f1, [%rd4];\n@%edge ld.global.nc.f32  %h, [%rd4+128];\nshfl.sync.idx.b32  %f2, ...",
        ),
    }
}
