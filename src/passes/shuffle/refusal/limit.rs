//! Limits of this version, and choices of the user.

use super::{ConditionName, Reason};

const LIMIT: Reason = Reason::of(ConditionName::Limit);

pub(super) static ALL: &[&Reason] = &[
    &PASS,
    &DEBUG,
    &VERSION,
    &OLD_VERSION,
    &IR_VERSION,
    &IR_NO_VERSION,
    &TARGET,
    &UNKNOWN_INSTRUCTION,
    &REWRITTEN,
    &TOKENS,
    &BFLOAT,
    &FAULT,
    &INSTRUCTIONS,
    &TERMS,
    &STEPS,
    &SHUFFLES,
    &REWRITINGS,
    &NO_LOAD,
    &CORNER,
    &WIDE_ADDRESS,
    &IRREDUCIBLE,
    &OPERANDS,
    &VALUE,
    &DROPPED,
    &UNNAMED,
    &CHAIN,
    &MASKS_SHIFT,
    &MASKS_CARRIED,
    &COPY_SIZE,
];

/// The user switched it off.
pub static PASS: Reason = Reason {
    code: "limit-pass",
    text: "the pass `shuffle` does not run",
    option: "`--passes`",
    about: "Which passes run is a choice of the user's.",
    example: "ptxasw opt k.ptx --passes -shuffle",
    ..LIMIT
};

/// A debug build.
pub static DEBUG: Reason = Reason {
    code: "limit-debug",
    text: "`.target {}, debug`: a debug build",
    cuda: "a build without `-G`",
    about: "A debugger shows registers and memory as the source has them, and ptxas optimizes nothing in such a module.",
    example: "nvcc -G -arch=sm_80 k.cu",
    ..LIMIT
};

/// An old `.version`.
pub static VERSION: Reason = Reason {
    code: "limit-version",
    text: "`.version {}`: `activemask` needs PTX 6.2",
    option: "`--raise-version`",
    about: "The instructions that shuffles need are younger than the module's version of PTX. A version is raised on request \
            only, because an older tool behind ptxasw might not take it.",
    example: ".version 6.0\n.target sm_70",
    ..LIMIT
};

/// A `.version` that is never raised.
pub static OLD_VERSION: Reason = Reason {
    code: "limit-old-version",
    text: "`.version {}`: PTX before 3.0 is not raised",
    cuda: "a newer compiler",
    about: "Since PTX 3.0 the grammar has only grown; older text may mean something else in a later version.",
    example: ".version 2.3\n.target sm_30",
    ..LIMIT
};

/// LLVM IR for a version of PTX without `activemask`.
pub static IR_VERSION: Reason = Reason {
    code: "limit-ir-version",
    text: "`+ptx{}`: `activemask` needs PTX 6.2",
    cuda: "`--cuda-feature=+ptx62` or later for clang",
    about: "The module's functions ask for a version of PTX in which the instructions that shuffles need do not exist.",
    example: "clang++ --cuda-gpu-arch=sm_70 --cuda-feature=+ptx60 ...",
    ..LIMIT
};

/// IR that names no version.
pub static IR_NO_VERSION: Reason = Reason {
    code: "limit-ir-no-version",
    text: "`sm_{}` without a PTX version: `activemask` needs PTX 6.2",
    cuda: "`--cuda-feature=+ptx62` or later for clang",
    option: "`--arch`",
    about: "Without a feature that names a version, LLVM takes the oldest one that has the target.",
    example: "target-cpu=\"sm_70\" and no +ptx feature",
    ..LIMIT
};

/// Before Kepler.
pub static TARGET: Reason = Reason {
    code: "limit-target",
    text: "`sm_{}` has no warp shuffles",
    about: "Warp shuffles exist since sm_30.",
    example: ".target sm_20",
    ..LIMIT
};

/// A misspelled instruction, or one of a later version of PTX.
pub static UNKNOWN_INSTRUCTION: Reason = Reason {
    code: "limit-unknown",
    text: "the kernel has an instruction that ptxasw does not know: {}",
    about: "ptxas refuses a kernel with a misspelled instruction; nothing is known of an instruction that is newer than this version. \
            The kernel comes out as it went in.",
    example: "ld.globl.u32 %r1, [%rd1];",
    ..LIMIT
};

/// An earlier run.
pub static REWRITTEN: Reason = Reason {
    code: "limit-rewritten",
    text: "already rewritten by ptxasw ({})",
    about: "What an earlier run left is for threads that need it: its fallback copies and the loads of lanes without a neighbour. \
            So a pass runs once on a kernel.",
    example: "ptxasw opt k.ptx -o a.ptx && ptxasw opt a.ptx",
    ..LIMIT
};

/// Tokens in IR.
pub static TOKENS: Reason = Reason {
    code: "limit-tokens",
    text: "convergence is controlled by tokens, which ptxasw does not write",
    about: "LLVM forbids convergent calls without tokens in a function that has calls with them.",
    example: "%t = call token @llvm.experimental.convergence.entry()",
    ..LIMIT
};

/// Numbers that an old version of LLVM can't make of other bits.
pub static BFLOAT: Reason = Reason {
    code: "limit-bfloat",
    text: "`bfloat` in LLVM {}, whose code generator makes none of other bits",
    cuda: "clang 18 or later",
    about: "LLVM 15 to 17 end a compilation at a `bfloat` that is not loaded as one, and a load that is removed leaves such a number.",
    example: "%y = bitcast i16 %x to bfloat",
    ..LIMIT
};

/// A panic that was caught.
pub static FAULT: Reason = Reason {
    code: "limit-fault",
    text: "internal error of ptxasw",
    cuda: "a report: `ptxasw bug` packs what it needs",
    about: "The analysis failed; the kernel comes out as it went in.",
    example: "// none is known",
    ..LIMIT
};

/// A very large kernel.
pub static INSTRUCTIONS: Reason = Reason {
    code: "limit-instructions",
    text: "the kernel has more than {} instructions",
    option: "`--max-instructions`",
    about: "The limit bounds the memory that the analysis takes, about 2 kB for each instruction.",
    example: "// a fully unrolled kernel of millions of instructions",
    ..LIMIT
};

/// Values that are made of very many terms.
pub static TERMS: Reason = Reason {
    code: "limit-terms",
    text: "addresses consist of more than {} terms",
    option: "`--max-terms`",
    about: "The limit bounds the memory that symbolic addresses take, about 400 bytes for each term.",
    example: "// indices by long chains of xor and rotate",
    ..LIMIT
};

/// Proofs that take long.
pub static STEPS: Reason = Reason {
    code: "limit-steps",
    text: "the proofs of this kernel took as many steps as they may",
    option: "`--max-steps`",
    about: "The number of steps is in proportion to the kernel's size, so that ptxasw stays faster than ptxas.",
    example: "// table lookups whose indices are thousands of operations long",
    ..LIMIT
};

/// `--max-shuffles`.
pub static SHUFFLES: Reason = Reason {
    code: "limit-shuffles",
    text: "the kernel may have no more shuffles",
    option: "`--max-shuffles`",
    about: "The option bounds the number of shuffles in a kernel.",
    example: "ptxasw opt --max-shuffles 4 k.ptx",
    ..LIMIT
};

/// `--limit`.
pub static REWRITINGS: Reason = Reason {
    code: "limit-rewritings",
    text: "the module may have no more rewritings",
    option: "`--limit`",
    about: "The option bounds the number of rewritings in a module, in the order of its text: `ptxasw bisect` finds by it the one \
            that makes a program fail.",
    example: "ptxasw opt --limit 4 k.ptx",
    ..LIMIT
};

/// Not a load.
pub static NO_LOAD: Reason = Reason {
    code: "limit-no-load",
    text: "not a load",
    about: "Only `ld` and `ldu` are covered.",
    example: "atomicAdd(p, 0)",
    ..LIMIT
};

/// A corner load that is there already.
pub static CORNER: Reason = Reason {
    code: "limit-corner",
    text: "a shuffle covers the load already, except for corner lanes",
    about: "The load is guarded by the predicate of a shuffle: it is the load for lanes without a neighbour.",
    example: "v = __shfl_down_sync(mask, v, 1);\nif (lane == 31) v = in[i + 1];",
    ..LIMIT
};

/// An address of 128 bits.
pub static WIDE_ADDRESS: Reason = Reason {
    code: "limit-address",
    text: "the address has more than 64 bits",
    about: "Addresses are 64-bit numbers.",
    example: "// none in practice",
    ..LIMIT
};

/// A loop with two entries.
pub static IRREDUCIBLE: Reason = Reason {
    code: "limit-irreducible",
    text: "the control flow is irreducible here",
    cuda: "loops with a single entry",
    about: "A loop with several entries has no first iteration in common.",
    example: "goto into_the_middle_of_a_loop;",
    ..LIMIT
};

/// Operands the front end cannot name.
pub static OPERANDS: Reason = Reason {
    code: "limit-operands",
    text: "ptxasw cannot take apart the load's registers or its address",
    about: "The operands have a form that the writer does not know.",
    example: "ld.global.f32 %f1, [table+%r1];",
    ..LIMIT
};

/// A value that is no plain bytes in its register.
pub static VALUE: Reason = Reason {
    code: "limit-value",
    text: "the value does not fit its register as plain bytes",
    about: "A load that converts, or extends to a wider register other than by zeros or by the sign, is not rewritten.",
    example: "ld.global.b128 into a register of another width",
    ..LIMIT
};

/// An unused result.
pub static DROPPED: Reason = Reason {
    code: "limit-dropped",
    text: "nothing uses the value",
    about: "ptxas removes the load.",
    example: "ld.global.f32 _, [%rd1];",
    ..LIMIT
};

/// A loop-carried value without a register.
pub static UNNAMED: Reason = Reason {
    code: "limit-unnamed",
    text: "the register that the loop carries has no name",
    about: "The value is in no single register at the start of an iteration.",
    example: "// a value that the compiler splits over registers",
    ..LIMIT
};

/// A long chain of loop-carried values.
pub static CHAIN: Reason = Reason {
    code: "limit-chain",
    text: "the loop carries the value from register to register too often",
    about: "Chains of registers that a loop shifts by one are followed up to a fixed length.",
    example: "a = b; b = c; c = d; ...       // over dozens of registers",
    ..LIMIT
};

/// A lane map that tracked masks do not know.
pub static MASKS_SHIFT: Reason = Reason {
    code: "limit-masks-shift",
    text: "lanes may diverge here, and tracked masks are for shifts only",
    option: "another `--scheme`",
    about: "Where lanes may diverge, the schemes R, F and F31 follow the lanes by ballots; partner and fixed lanes are \
            covered in clones for whole warps (`--scheme auto`).",
    example: "if (lane_dependent) { x = in[base + tid]; y = in[base + (tid ^ 1)]; }",
    ..LIMIT
};

/// A carried value under tracked masks.
pub static MASKS_CARRIED: Reason = Reason {
    code: "limit-masks-carried",
    text: "lanes may diverge here, and tracked masks do not cover values that a loop carries",
    option: "another `--scheme`",
    about: "Where lanes may diverge, the schemes R, F and F31 follow the lanes by ballots, in one iteration.",
    example: "while (lane_dependent) { now = in[i + k]; use(before, now); before = now; ++k; }",
    ..LIMIT
};

/// A copy that would be too long.
pub static COPY_SIZE: Reason = Reason {
    code: "limit-copy",
    text: "lanes may diverge here, and a copy for whole warps would repeat {} statements",
    about: "Whole warps run a copy of the region; the size of the copy is bounded.",
    example: "if (lane_dependent) { /* thousands of statements */ }",
    ..LIMIT
};
