//! One random case.

use ptxasw::Options;
use ptxasw::executor::Launch;

/// A module with one kernel, its launches, and the options to rewrite it with.
pub struct Case {
    pub text: String,
    pub launches: Vec<Launch>,
    pub options: Options,
}
