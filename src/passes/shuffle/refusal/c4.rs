//! C4, participation: all lanes that the member mask names run the shuffle together, with this very mask.

use super::{ConditionName, Reason};

const C4: Reason = Reason::of(ConditionName::C4);
const APART: &str = "the loads on one side of it";

pub(super) static ALL: &[&Reason] = &[
    &NO_PLACE,
    &LOOP,
    &DIVERGENT_IF,
    &SOURCE_DIVERGENT,
    &IRREDUCIBLE,
    &EXIT,
    &WAITS,
    &WHOLE_WARP,
    &NARROW_BLOCK,
    &NO_BALLOT,
    &NO_CLAMP,
    &SOURCE_COPIED,
    &MASK_COPIED,
    &NO_ENTRY,
    &NO_BRANCH,
    &TABLE,
    &WAITS_INSIDE,
    &BARRIER_INSIDE,
    &CALL_INSIDE,
    &EXCHANGE_INSIDE,
    &UNKNOWN_INSIDE,
    &UNCOPYABLE,
];

/// No block outside of loops.
pub static NO_PLACE: Reason = Reason {
    code: "C4-place",
    text: "no point outside loops is on the path of all lanes",
    about: "The mask is read once, outside loops, at a point that all its lanes pass before source and destination.",
    example: "// loads in sibling loops that diverge",
    ..C4
};

/// A loop that lanes leave in different iterations.
pub static LOOP: Reason = Reason {
    code: "C4-loop",
    text: "lanes may be in different iterations of a loop, or on different paths in it",
    cuda: "a loop whose trip count is the same in all lanes",
    about: "A shuffle in a loop needs a mask whose lanes are all in the same iteration.",
    example: "for (int k = 0; k < count[i]; ++k) sum += in[i + k] + in[i + k + 1];",
    ..C4
};

/// A divergent if.
pub static DIVERGENT_IF: Reason = Reason {
    code: "C4-if",
    text: "the load is in a divergent `if` that joins again",
    cuda: "`if (...) return;` instead of the `if`",
    openacc: "a loop bound that covers exactly the points that are computed, instead of the `if`",
    triton: "a mask on the load instead of a branch",
    about: "Inside a divergent `if` only some lanes run the shuffle, and data decides which. A guard that ends the \
            thread is not a problem.",
    example: "if (i < n) out[i] = in[i] + in[i + 1];\nmore(i);                      // joins again",
    ..C4
};

/// The source in a divergent region.
pub static SOURCE_DIVERGENT: Reason = Reason {
    code: "C4-source-divergent",
    text: "lanes may diverge where the source is",
    cuda: "the source's load outside of the divergent branch or loop",
    about: "Source and destination must be in one divergent region, or both outside.",
    example: "if (lane_dependent) x = in[i];\ny = in[i + 1];",
    ..C4
};

/// Irreducible control flow.
pub static IRREDUCIBLE: Reason = Reason {
    code: "C4-irreducible",
    text: "the control flow is irreducible here",
    cuda: "loops with a single entry",
    about: "Which lanes are together in a loop with several entries is not known.",
    example: "goto into_the_middle_of_a_loop;",
    ..C4
};

/// A call that may exit.
pub static EXIT: Reason = Reason {
    code: "C4-exit",
    text: "a call may end some lanes of the mask",
    cuda: "an inlined function (`__forceinline__`)",
    about: "A shuffle must not name a lane that has exited, and an unknown function may exit.",
    example: "check(i);                     // may call asm(\"exit;\")\nfloat x = in[i], y = in[i + 1];",
    ..C4
};

/// Something that waits for other threads.
pub static WAITS: Reason = Reason {
    code: "C4-waits",
    text: "lanes of the mask may wait for each other before they get here",
    cuda: APART,
    about: "An added shuffle makes lanes wait for each other; if one of them waits for another in turn, the warp hangs.",
    example: "float x = in[i];\nwhile (atomicAdd(lock, 0));   // spins\nfloat y = in[i + 1];",
    ..C4
};

/// `full`, asked for by name.
pub static WHOLE_WARP: Reason = Reason {
    code: "C4-whole-warp",
    text: "scheme `full`: the whole warp is not proved to be here",
    cuda: "a kernel without guards, and a fixed block size (`.reqntid`) that is a multiple of 32",
    option: "another `--scheme`",
    about: "The scheme has no mask: it needs a proof that all 32 lanes run the shuffle.",
    example: "ptxasw opt --scheme full k.ptx  # k has a guard",
    ..C4
};

/// No place for a ballot.
pub static NO_BALLOT: Reason = Reason {
    code: "C4-ballot",
    text: "lanes may diverge here in a form that ballots do not follow",
    cuda: "loops with one entry and one back edge, and branches by conditions",
    about: "Where lanes may diverge, the schemes R, F, F31 and C follow the lanes by a ballot at each branch.",
    example: "switch (lane_dependent) { ... }",
    ..C4
};

/// No place for a clamp.
pub static NO_CLAMP: Reason = Reason {
    code: "C4-clamp",
    text: "the clamp cannot be placed after the ballot of its mask",
    about: "The clamp is computed from the mask, in front of the first shuffle.",
    example: "// a load right at a branch of a divergent region",
    ..C4
};

/// The source in a copied region.
pub static SOURCE_COPIED: Reason = Reason {
    code: "C4-source-copied",
    text: "whole warps run a copy of the region that the source is in",
    about: "The value exists in two places, the copy and the original.",
    example: "if (lane_dependent) x = in[i];\ny = in[i + 1];",
    ..C4
};

/// The mask in a copied region.
pub static MASK_COPIED: Reason = Reason {
    code: "C4-mask-copied",
    text: "the mask would be read in a region of which whole warps run a copy",
    about: "A mask that is read in a copy names other lanes than one that is read in the original.",
    example: "// two regions, one in the other",
    ..C4
};

/// No entry in front of a divergent region.
pub static NO_ENTRY: Reason = Reason {
    code: "C4-entry",
    text: "lanes may diverge here, and at no earlier point is the whole warp known to be converged",
    about: "Whether the whole warp enters a copy is decided by a vote in front of it.",
    example: "// a divergent `if` in a loop with several back edges",
    ..C4
};

/// Divergence other than by a branch.
pub static NO_BRANCH: Reason = Reason {
    code: "C4-branch",
    text: "lanes may diverge here other than by a conditional branch",
    cuda: "branches by conditions",
    about: "A warp leaves a copy by a vote in front of a conditional branch.",
    example: "goto *table[lane_dependent];",
    ..C4
};

/// A branch by a table.
pub static TABLE: Reason = Reason {
    code: "C4-table",
    text: "lanes may diverge here, and a branch by a table cannot be in {}",
    cuda: "`if` statements instead of the `switch`",
    about: "A ballot follows two-way branches.",
    example: "switch (lane_dependent) { ... }",
    ..C4
};

/// A wait in a divergent region.
pub static WAITS_INSIDE: Reason = Reason {
    code: "C4-waits-inside",
    text: "lanes may diverge here, and what waits for other threads cannot be in {}",
    cuda: APART,
    about: "An added vote makes lanes wait for each other; if one of them waits for another in turn, the warp hangs.",
    example: "if (lane_dependent) { while (*flag == 0); x = in[i]; y = in[i + 1]; }",
    ..C4
};

/// A barrier in a divergent region.
pub static BARRIER_INSIDE: Reason = Reason {
    code: "C4-barrier-inside",
    text: "lanes may diverge here, and a barrier cannot be in {}",
    cuda: APART,
    about: "A warp that runs a copy would wait at another barrier instruction than the others.",
    example: "while (lane_dependent) { x = in[i]; __syncthreads(); y = in[i + 1]; }",
    ..C4
};

/// A call in a divergent region.
pub static CALL_INSIDE: Reason = Reason {
    code: "C4-call-inside",
    text: "lanes may diverge here, and a call cannot be in {}",
    cuda: "an inlined function (`__forceinline__`)",
    about: "The function may wait for other threads or end the thread.",
    example: "if (lane_dependent) { x = in[i]; unknown(x); y = in[i + 1]; }",
    ..C4
};

/// A shuffle or vote in a divergent region.
pub static EXCHANGE_INSIDE: Reason = Reason {
    code: "C4-exchange-inside",
    text: "lanes may diverge here, and an exchange between lanes cannot be in {}",
    cuda: APART,
    about: "A shuffle or a vote of the kernel itself involves lanes that would be split between the clone and the original.",
    example: "if (lane_dependent) { x = in[i]; v = __ballot_sync(m, x > 0); y = in[i + 1]; }",
    ..C4
};

/// An unknown instruction in a divergent region.
pub static UNKNOWN_INSIDE: Reason = Reason {
    code: "C4-unknown-inside",
    text: "lanes may diverge here, and an instruction that ptxasw does not model cannot be in {}",
    cuda: APART,
    about: "The instruction may wait for other threads or end the thread.",
    example: "if (lane_dependent) { x = in[i]; asm volatile(\"...\"); y = in[i + 1]; }",
    ..C4
};

/// No warp of the block has 32 threads.
pub static NARROW_BLOCK: Reason = Reason {
    code: "C4-narrow-block",
    text: "a block of {} threads has no whole warp",
    cuda: "a block of at least 32 threads",
    about: "Every scheme shuffles in warps whose 32 lanes are all there; in a smaller block all lanes would load for \
            themselves behind their shuffles.",
    example: "__global__ __block_size__((16, 1, 1)) void k(...) { out[i] = in[i] + in[i + 1]; }",
    ..C4
};

/// Text that cannot be repeated.
pub static UNCOPYABLE: Reason = Reason {
    code: "C4-uncopyable",
    text: "lanes may diverge here, and these statements cannot be in a copy for whole warps",
    about: "Labels and variables in memory that are declared inside of braces, as inline assembly has them, cannot be repeated as \
            text, nor a name that means something else in front of its declaration.",
    example: "if (lane_dependent) { asm(\"{ L: ... @p bra L; }\"); }",
    ..C4
};
