//! C3, same memory: nothing writes the bytes, and nothing orders memory, between source and destination.

use super::{ConditionName, Reason};

const C3: Reason = Reason::of(ConditionName::C3);
/// What makes loads immune to stores.
const RESTRICT: &str =
    "`const ... *__restrict__` parameters, which make the load read-only (`ld.global.nc`)";
const LOAD_BEFORE: &str = "the load in front of it";

pub(super) static ALL: &[&Reason] = &[
    &STORE,
    &ORDERED_STORE,
    &ORDERED_LOAD,
    &ATOMIC,
    &BARRIER,
    &FENCE,
    &CALL,
    &BEFORE,
    &BEFORE_CALL,
    &BEFORE_ORDERED,
    &BLOCKS,
    &EVENTS,
    &WRITES,
];

/// A plain store that may overlap.
pub static STORE: Reason = Reason {
    code: "C3-store",
    text: "a store that may write the same bytes runs between source and destination",
    cuda: RESTRICT,
    openacc: "`restrict` pointers in C, `intent(in)` arguments in Fortran",
    triton: "loads in front of the store",
    option: "`--assume noalias`",
    about: "If this thread's own store changes the bytes in between, the neighbour's value is the old one. Stores through \
            another parameter count unless the load is read-only: two parameters may point to the same array.",
    example: "out[i] = in[i];               // out may be in + 1\nfloat y = in[i + 1];",
    ..C3
};

/// A release store.
pub static ORDERED_STORE: Reason = Reason {
    code: "C3-ordered-store",
    text: "a store that orders memory runs between source and destination",
    cuda: LOAD_BEFORE,
    about: "A release or volatile store may let another thread write the bytes before the destination's load.",
    example: "float x = in[i];\n*(volatile int *)flag = 1;\nfloat y = in[i + 1];",
    ..C3
};

/// An acquire load.
pub static ORDERED_LOAD: Reason = Reason {
    code: "C3-ordered-load",
    text: "a volatile or ordering load runs between source and destination",
    cuda: LOAD_BEFORE,
    about: "An acquire load may make another thread's writes visible: the destination's load must see them.",
    example: "float x = in[i];\nwhile (*(volatile int *)flag == 0);\nfloat y = in[i + 1];",
    ..C3
};

/// An atomic.
pub static ATOMIC: Reason = Reason {
    code: "C3-atomic",
    text: "an atomic operation runs between source and destination",
    cuda: LOAD_BEFORE,
    about: "An atomic operation may write the bytes, and other threads may synchronize through it.",
    example: "float x = in[i];\natomicAdd(counter, 1);\nfloat y = in[i + 1];",
    ..C3
};

/// A barrier.
pub static BARRIER: Reason = Reason {
    code: "C3-barrier",
    text: "a barrier runs between source and destination",
    cuda: "read-only data (`const ... *__restrict__`), or the load in front of the barrier",
    about: "Behind a barrier a load must see what other threads of the block wrote in front of it.",
    example: "float x = buf[i];\n__syncthreads();\nfloat y = buf[i + 1];",
    ..C3
};

/// A fence.
pub static FENCE: Reason = Reason {
    code: "C3-fence",
    text: "a fence runs between source and destination",
    cuda: "read-only data (`const ... *__restrict__`), or the load in front of the fence",
    about: "A fence orders the destination's load behind what other threads wrote.",
    example: "float x = buf[i];\n__threadfence();\nfloat y = buf[i + 1];",
    ..C3
};

/// An unknown effect.
pub static CALL: Reason = Reason {
    code: "C3-call",
    text: "a call or an unknown instruction runs between source and destination",
    cuda: "an inlined function (`__forceinline__`), or the load in front of the call",
    about: "What a function that is not in the module does to memory is unknown.",
    example: "float x = in[i];\nprintf(\"%f\", x);\nfloat y = in[i + 1];",
    ..C3
};

/// A store of the thread itself before the source.
pub static BEFORE: Reason = Reason {
    code: "C3-store-before",
    text: "the thread may have stored to these bytes before the source ran",
    cuda: "`__syncthreads()` between the store and the loads",
    about: "A thread always sees its own stores; the neighbour that gives the value need not. A barrier makes both see the \
            same.",
    example: "buf[i + 1] = 0;\nfloat x = buf[i], y = buf[i + 1];",
    ..C3
};

/// A store that may have run in a caller.
pub static BEFORE_CALL: Reason = Reason {
    code: "C3-caller",
    text: "the thread may have written these bytes before it called this function",
    cuda: "`const ... *__restrict__` parameters, `__forceinline__`, or a barrier in front of the loads",
    about: "This is a device function that is not inlined: what its callers stored is not known here.",
    example: "__noinline__ __device__ float f(float *buf, int i) { return buf[i] + buf[i + 1]; }",
    ..C3
};

/// Order that only some lanes made.
pub static BEFORE_ORDERED: Reason = Reason {
    code: "C3-ordered-before",
    text: "only some of the lanes order memory before the source runs",
    cuda: "the fence or atomic operation outside of the branch",
    about: "A lane that has passed a fence must see what it orders; a neighbour that has not may give an older value.",
    example: "if (threadIdx.x == 0) __threadfence();\nfloat x = buf[i], y = buf[i + 1];",
    ..C3
};

/// A limit.
pub static BLOCKS: Reason = Reason {
    code: "C3-blocks",
    text: "too many basic blocks lie between source and destination",
    about: "Paths between the two loads are searched up to a fixed number of blocks.",
    example: "// two loads at both ends of a very large kernel",
    ..C3
};

/// A limit.
pub static EVENTS: Reason = Reason {
    code: "C3-events",
    text: "too many memory accesses lie between source and destination",
    about: "Stores between the two loads are compared with both up to a fixed number.",
    example: "// thousands of stores between two loads",
    ..C3
};

/// A limit.
pub static WRITES: Reason = Reason {
    code: "C3-writes",
    text: "the kernel has too many writes to follow them all",
    about: "What a thread wrote before the source is followed up to a fixed number of writes.",
    example: "// thousands of stores in front of the loads",
    ..C3
};
