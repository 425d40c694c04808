//! All analyses of one function, computed together and handed to passes as one value.

use super::cfg::Cfg;
use super::control::ControlDependence;
use super::divergence::Divergence;
use super::dominators::DominatorTree;
use super::function::Function;
use super::loops::LoopNest;

/// The analyses of a function; they hold as long as it does not change.
#[derive(Debug)]
pub struct Analyses {
    /// Predecessors, successors, reverse post-order.
    pub cfg: Cfg,
    /// Dominators.
    pub dominators: DominatorTree,
    /// Post-dominators, from a virtual exit.
    pub post_dominators: DominatorTree,
    /// Control dependence.
    pub control: ControlDependence,
    /// Loops.
    pub loops: LoopNest,
    /// Uniform and divergent values and branches.
    pub divergence: Divergence,
}

impl Analyses {
    /// Analyses a function.
    pub fn new(function: &Function) -> Self {
        let cfg = Cfg::new(function);
        let dominators = DominatorTree::dominators(&cfg);
        let post_dominators = DominatorTree::post_dominators(function, &cfg);
        let control = ControlDependence::new(function, &cfg, &post_dominators);
        let loops = LoopNest::new(&cfg, &dominators);
        let divergence = Divergence::new(function, &cfg, &post_dominators, &loops);
        Analyses {
            cfg,
            dominators,
            post_dominators,
            control,
            loops,
            divergence,
        }
    }
}
