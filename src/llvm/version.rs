//! The version of LLVM that this is built for.

/// Its major number.
pub const MAJOR: u32 = {
    let [tens, ones] = *env!("BUILT_FOR_LLVM").as_bytes() else {
        panic!("a version of two digits")
    };
    (tens - b'0') as u32 * 10 + (ones - b'0') as u32
};

/// Whether the code generator reads directives of kernels from attributes of functions. Before, it reads `nvvm.annotations`.
pub const DIRECTIVES_ARE_ATTRIBUTES: bool = MAJOR >= 21;
