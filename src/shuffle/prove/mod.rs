//! The proofs of the conditions of CONTRACT.md, "The claim".
//!
//! | condition | files |
//! | --- | --- |
//! | C1 | `same_bytes`: [`address`], [`wrap`], `cases`, `rows`, `uniform`, `promised` |
//! | C2 | `instance`, `carried` |
//! | C3 | [`memory`], `callers` |
//! | C4 | `participation`; regions are those of [`region`](super::region) |
//! | C5 | `lanes` |
//! | C6 | `hole` |

pub mod address;
mod callers;
pub(super) mod carried;
pub(super) mod cases;
mod hole;
pub(super) mod instance;
pub(super) mod lanes;
pub mod memory;
mod participation;
mod promised;
pub(super) mod rows;
pub(super) mod same_bytes;
mod uniform;
pub mod wrap;
