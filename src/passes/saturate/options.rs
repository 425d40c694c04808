//! What the user lets saturation do, and what it may spend.

use super::cost::Cost;
use ptxasw_base::named::named;
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::function::{Function, Value};

/// How the nodes that are computed are chosen (`--extract`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Extraction {
    /// For each class the cheapest node by itself.
    #[default]
    Greedy,
    /// All together, by an integer program where a region is small; as [`Extraction::Greedy`] elsewhere.
    Exact,
}

named!(Extraction {
    "greedy" = Extraction::Greedy, "For each value the cheapest form by itself";
    "exact" = Extraction::Exact, "All values of a small region together, by an integer program";
});

/// What the user chose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SaturationOptions {
    /// What extraction makes small (`--cost`).
    pub cost: Cost,
    /// How extraction chooses (`--extract`).
    pub extraction: Extraction,
    /// What is allowed with all operations on floating-point numbers (`--assume contract,nsz`).
    pub assumed: FastMath,
    /// No permission counts, so that results are the same to the last bit: for whoever compares them.
    pub exact: bool,
    /// Nodes of a region's e-graph, above which no rule is applied any more.
    pub nodes: usize,
    /// How often all rules are applied.
    pub iterations: usize,
}

impl Default for SaturationOptions {
    /// The limit of nodes is the paper's. It applies all rules ten times; here the fifth time and later ones take a third of the pass's
    /// time, and one of 28 kernels gained an instruction by them.
    fn default() -> Self {
        SaturationOptions {
            cost: Cost::default(),
            extraction: Extraction::default(),
            assumed: FastMath::NONE,
            exact: false,
            nodes: 10_000,
            iterations: 4,
        }
    }
}

/// What is allowed with the operations of one function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Permissions {
    /// No permission is used: every result keeps all its bits.
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
            return FastMath::NONE;
        }
        let own = match unmarked && self.unmarked_contract {
            true => FastMath::CONTRACT,
            false => FastMath::NONE,
        };
        let promised = function.promises(value).fast_math;
        own.or(promised).or(self.assumed)
    }
}
