//! The proofs of the conditions of CONTRACT.md, "The claim".
//!
//! | condition | files |
//! | --- | --- |
//! | C1 | `c1_address`: [`address`], [`wrap`], `case_split`, `div_rem`, `uniform`, `assumptions` |
//! | C2 | `c2_instance`, `carried` |
//! | C3 | [`memory`], `c3_callers` |
//! | C4 | `participation`; regions are those of [`region`](super::region) |
//! | C5 | `lanes` |
//! | C6 | `c6_active_source` |

pub mod address;
mod assumptions;
pub(super) mod c1_address;
pub(super) mod c2_instance;
mod c3_callers;
mod c6_active_source;
pub(super) mod carried;
pub(super) mod case_split;
pub(super) mod div_rem;
pub(super) mod lanes;
pub mod memory;
mod participation;
mod uniform;
pub mod wrap;
