//! What the user lets saturation do, and what it may spend.

use super::cost::Cost;
use crate::ir::function::{FastMath, Function, Value};

/// What the user chose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SaturationOptions {
    /// What extraction makes small (`--cost`).
    pub cost: Cost,
    /// What is allowed with all operations on floating-point numbers (`--assume contract,reassoc`).
    pub assumed: FastMath,
    /// No permission counts, so that results are the same to the last bit: for whoever compares them.
    pub exact: bool,
    /// Nodes of a region's e-graph, above which no rule is applied any more.
    pub nodes: usize,
    /// How often all rules are applied.
    pub iterations: usize,
}

impl Default for SaturationOptions {
    /// The limits are the paper's (ACC Saturator, section 5.3).
    fn default() -> Self {
        SaturationOptions {
            cost: Cost::default(),
            assumed: FastMath::default(),
            exact: false,
            nodes: 10_000,
            iterations: 10,
        }
    }
}

/// What is allowed with the operations of one function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Permissions {
    /// None counts.
    pub exact: bool,
    /// By the user, with all.
    pub assumed: FastMath,
    /// An operation without a rounding modifier may be contracted: in PTX it says so.
    pub unmarked_contract: bool,
}

impl Permissions {
    /// What is allowed with the operation that computes a value; `unmarked`: it has no rounding modifier.
    pub fn of(&self, function: &Function, value: Value, unmarked: bool) -> FastMath {
        if self.exact {
            return FastMath::default();
        }
        let promised = function.promises(value).fast_math;
        let unmarked = unmarked && self.unmarked_contract;
        FastMath {
            contract: promised.contract || self.assumed.contract || unmarked,
            reassoc: promised.reassoc || self.assumed.reassoc,
        }
    }
}
