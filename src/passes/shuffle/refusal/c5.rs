//! C5, neighbour: the other lane is in the same row of the block, so that its thread number is the own one plus N.

use super::{ConditionName, Reason};

const C5: Reason = Reason::of(ConditionName::C5);
const LAUNCH_BOUNDS: &str = "a fixed block size: `.reqntid` in PTX, `__block_size__((128, 1, 1))` in CUDA C++ \
                             (`__launch_bounds__` is only an upper bound)";

pub(super) static ALL: &[&Reason] = &[&GROUPS, &WHOLE_ROWS, &HALO];

/// xor and fixed lanes need whole groups.
pub static GROUPS: Reason = Reason {
    code: "C5-groups",
    text: "rows of the block are not multiples of {} lanes",
    cuda: "a block size that is a multiple of {} along x",
    about: "A partner's lane (`tid ^ k`) and a fixed lane (`tid & ~31`) are in the own row only if rows consist of whole \
            groups of lanes.",
    example: "__global__ __block_size__((48, 1, 1)) void k(...) { float x = in[base + threadIdx.x], y = in[base + (threadIdx.x ^ 31)]; }",
    ..C5
};

/// Asked for by name.
pub static WHOLE_ROWS: Reason = Reason {
    code: "C5-whole-rows",
    text: "scheme `F31`: rows are not proved to be whole warps",
    cuda: LAUNCH_BOUNDS,
    option: "another `--scheme`",
    about: "The scheme has no test of rows: it needs a proof that `blockDim.x` is a multiple of 32.",
    example: "ptxasw opt --scheme F31 k.ptx   # k has no .reqntid",
    ..C5
};

/// Asked for by name.
pub static HALO: Reason = Reason {
    code: "C5-halo",
    text: "scheme `halo`: rows are not whole warps",
    cuda: "a block size that is a multiple of 32 along x",
    option: "another `--scheme`",
    about: "One more load serves the corner lanes of a whole warp: it needs rows of whole warps.",
    example: "ptxasw opt --scheme halo k.ptx  # k has .reqntid 48",
    ..C5
};
