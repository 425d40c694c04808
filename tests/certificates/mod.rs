//! Certificates of the kernels in `ptx-tests`, by the command itself: every claim is written, both solvers agree with each,
//! and a claim that is wrong is found out.

mod claims;
mod complete;
mod folder;
mod replay;
mod run;
