//! C1, same bytes: the source's address in the neighbour's lane is the destination's address in the own lane.

use super::{ConditionName, Reason};

const C1: Reason = Reason::of(ConditionName::C1);

pub(super) static ALL: &[&Reason] = &[
    &NO_SOURCE,
    &PARTIAL,
    &ORDERED,
    &GENERIC,
    &SHARED,
    &LOCAL,
    &UNKNOWN_ADDRESS,
    &DIFFERENT,
    &OVERFLOW,
    &OVERFLOW_BETWEEN,
    &OVERFLOW_UNCHECKED,
    &QUESTIONS,
    &TOO_LARGE,
    &UNDECIDED,
    &UNDECIDED_LIMIT,
    &CARRIED_OVERFLOW,
    &CARRIED_BACK,
    &CARRIED_FIRST,
];

/// What comes before any proof: nothing to take the value from.
pub static NO_SOURCE: Reason = Reason {
    code: "C1-no-source",
    text: "no earlier load reads these bytes in a lane at most 31 away",
    about: "Nothing is lost here: the first load of a row has to be one. A load is looked up among all loads that precede it \
            in the kernel, in the own lane and in lanes up to 31 away.",
    example: "float first = in[i];          // stays: nobody has loaded it yet\nfloat next = in[i + 1];       // lane i+1 has",
    ..C1
};

/// An earlier load covers some of the bytes.
pub static PARTIAL: Reason = Reason {
    code: "C1-partial",
    text: "earlier loads read only some of these bytes in a lane at most 31 away",
    about: "A wide load (`float4`) is covered only if all its bytes are at one distance. Narrow loads that follow a wide one \
            are covered.",
    example: "float a = in[4 * i];\nfloat4 b = reinterpret_cast<const float4 *>(in)[i + 1];  // stays: three of four floats were not loaded",
    ..C1
};

/// Order matters more than the value.
pub static ORDERED: Reason = Reason {
    code: "C1-ordered",
    text: "the load is volatile or orders memory",
    cuda: "a plain load, where no other thread writes the bytes meanwhile",
    about: "A volatile, relaxed or acquire load must read memory when it runs: another thread may have written since a \
            neighbour read it.",
    example: "float x = *(volatile const float *)&in[i + 1];",
    ..C1
};

/// A pointer of which the memory space is not known.
pub static GENERIC: Reason = Reason {
    code: "C1-generic",
    text: "a generic pointer of unknown origin",
    cuda: "a pointer that is a kernel parameter or the address of a variable",
    openacc: "clang's OpenMP, which passes pointers as kernel parameters (GCC loads each pointer from memory)",
    about: "Two loads can be compared only within one state space. A pointer that was itself loaded from memory may \
            point to global, shared or local memory.",
    example: "struct Field { float *data; };\n__global__ void k(Field *f) { float x = f->data[threadIdx.x + 1]; }",
    ..C1
};

/// Covered on request only.
pub static SHARED: Reason = Reason {
    code: "C1-shared",
    text: "the load reads shared memory through a generic pointer",
    option: "`--space shared`",
    about: "Loads of shared memory cost about as much as a shuffle, so they are covered on request only.",
    example: "__shared__ float tile[256];\nfloat *p = tile;              // generic\nfloat x = p[threadIdx.x + 1];",
    ..C1
};

/// Another lane's local memory is other memory.
pub static LOCAL: Reason = Reason {
    code: "C1-local",
    text: "the load reads local memory through a generic pointer",
    about: "Local memory belongs to one thread: the same address in another lane is another byte.",
    example: "float a[16];\nfloat *p = a;\nfloat x = p[n];",
    ..C1
};

/// The emulator has no term for it.
pub static UNKNOWN_ADDRESS: Reason = Reason {
    code: "C1-address",
    text: "an address is not known",
    about: "The address depends on something that the symbolic emulator does not follow, such as the result of an unknown \
            instruction.",
    example: "float x = in[clock() % 32 + threadIdx.x];",
    ..C1
};

/// The solver has a counterexample.
pub static DIFFERENT: Reason = Reason {
    code: "C1-different",
    text: "the addresses can differ",
    about: "For samples of thread numbers and parameters the addresses are equal; the solver found values for which they are \
            not.",
    example: "float a = in[i];\nfloat b = in[i + (n > 1000 ? 2 : 1)];",
    ..C1
};

/// A wrap of the index between both lanes.
pub static OVERFLOW: Reason = Reason {
    code: "C1-overflow",
    text: "a 32-bit index may overflow",
    cuda: "a 64-bit index (`size_t`, `ptrdiff_t`)",
    openacc: "a 64-bit index (`long`, `integer(8)`)",
    triton: "offsets in `tl.int64`",
    option: "`--assume nowrap`",
    about: "If a 32-bit index overflows between the two lanes, their 64-bit addresses are 4 GiB elements apart. PTX keeps \
            nothing of C's rule that signed overflow does not happen; LLVM IR does (`nsw`).",
    example: "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\nfloat x = in[i * 3u];\nfloat y = in[i * 3u + 3u];",
    ..C1
};

/// No guard excludes it in the lanes between source and destination.
pub static OVERFLOW_BETWEEN: Reason = Reason {
    code: "C1-overflow-between",
    text: "a 32-bit index may overflow in a lane between source and destination",
    cuda: "a bounds check of the index (`if (i < n)`)",
    option: "`--assume nowrap`",
    about: "Each lane computes its own index. Only a bounds check that all lanes in between pass excludes an overflow \
            in one of them.",
    example: "int i = base + threadIdx.x;\nfloat x = in[i], y = in[i + 2];  // no guard on i",
    ..C1
};

/// A check at run time would do, but has nothing to look at.
pub static OVERFLOW_UNCHECKED: Reason = Reason {
    code: "C1-overflow-unchecked",
    text: "a 32-bit index may overflow, and no register holds it where it could be checked",
    cuda: "a bounds check of the index (`if (i < n)`)",
    option: "`--assume nowrap`",
    about: "A run-time check would decide it, but no register holds the value that it has to test at the point where \
            the mask is read.",
    example: "for (int k = 0; k < 4; ++k) { float x = in[j * k + i], y = in[j * k + i + 1]; }",
    ..C1
};

/// The solver was asked for too many pairs.
pub static QUESTIONS: Reason = Reason {
    code: "C1-questions",
    text: "algebra does not decide the addresses, and the kernel's questions to the solver are used up",
    option: "`--solver-queries`",
    about: "Most addresses are compared by algebra. The solver decides a limited number of pairs per kernel, so that \
            ptxasw stays faster than ptxas.",
    example: "// many loads with indices such as (i ^ mask) % n",
    ..C1
};

/// The question would be too large.
pub static TOO_LARGE: Reason = Reason {
    code: "C1-too-large",
    text: "the addresses are too large for the solver",
    option: "`--solver-gates`",
    about: "Products of variables and divisions make large circuits. The size of a query is estimated before the \
            solver gets it.",
    example: "float x = in[(i * n + j) % m];",
    ..C1
};

/// It answered neither yes nor no.
pub static UNDECIDED: Reason = Reason {
    code: "C1-undecided",
    text: "the solver gave up: {}",
    about: "What is not proved is not emitted.",
    example: "float x = in[(i * n + j) % m];",
    ..C1
};

/// It ran out of what it may spend.
pub static UNDECIDED_LIMIT: Reason = Reason {
    code: "C1-undecided-limit",
    text: "the solver gave up: {}",
    option: "`--solver-limit`",
    about: "A question may cost a fixed amount of solver work, and questions without an answer may together cost what is in \
            proportion to the kernel's size. Both are counts, so that the result does not depend on the machine.",
    example: "float x = in[(i * n + j) % m];",
    ..C1
};

/// A 32-bit index may overflow on a loop's back edge.
pub static CARRIED_OVERFLOW: Reason = Reason {
    code: "C1-carried-overflow",
    text: "a 32-bit index may overflow from one iteration to the next",
    cuda: "a 64-bit index (`size_t`, `ptrdiff_t`)",
    openacc: "a 64-bit index (`long`, `integer(8)`)",
    option: "`--assume nowrap`",
    about: "A register that a loop carries holds what the next iteration would load. That holds only if the index of \
            the next iteration is the one of this iteration plus the step, without an overflow.",
    example: "float before = in[i];\nfor (int k = 1; k < n; ++k) { float now = in[i + k]; use(before, now); before = now; }",
    ..C1
};

/// On a back edge.
pub static CARRIED_BACK: Reason = Reason {
    code: "C1-carried-back",
    text: "the loop carries bytes of different addresses on its back edges",
    about: "The register that the loop carries holds one address's bytes after one path through the body and another's after \
            another path.",
    example: "if (flip) before = in[i + k]; else before = in[i - k];",
    ..C1
};

/// On the entry edge.
pub static CARRIED_FIRST: Reason = Reason {
    code: "C1-carried-first",
    text: "in the first iteration the register that the loop carries holds bytes of another address",
    about: "The value that enters the loop was loaded from elsewhere than what later iterations carry.",
    example: "float before = in[0];\nfor (int k = 1; k < n; ++k) { float now = in[i + k]; use(before, now); before = now; }",
    ..C1
};
