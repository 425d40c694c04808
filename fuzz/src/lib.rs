//! What the fuzz targets share.
//!
//! | file | what |
//! | --- | --- |
//! | `mutate` | changes of valid texts that leave many of them valid |
//! | `words` | which words of PTX, of LLVM IR and of patches may stand for each other, and statements to put in |
//! | `judge` | rewritten kernels beside their originals, under the executor |
//! | `promises` | what LLVM IR promises, checked by traps |

pub mod judge;
pub mod mutate;
pub mod promises;
pub mod words;
