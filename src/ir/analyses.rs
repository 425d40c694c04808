//! All analyses of one function, computed together and handed to passes as one value.

use super::cfg::Cfg;
use super::control::ControlDependence;
use super::divergence::{Divergence, Level};
use super::dominators::DominatorTree;
#[cfg(doc)]
use super::effects;
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
    /// For each loop whether it, or one around it, may run for as long as other threads say: see [`effects::waits`].
    pub spinning: Vec<bool>,
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
        let spinning = spinning(&loops, &divergence);
        Analyses {
            cfg,
            dominators,
            post_dominators,
            control,
            loops,
            divergence,
            spinning,
        }
    }
}

/// What other threads or the time change is never uniform: a loop that only uniform branches leave does not depend on it.
fn spinning(loops: &LoopNest, divergence: &Divergence) -> Vec<bool> {
    let left = loops.left_where(|_, _| true);
    let otherwise = loops.left_where(|from, _| divergence.branch(from) != Level::Uniform);
    let mut spinning: Vec<bool> = Vec::with_capacity(loops.loops.len());
    // Outer loops come first.
    for (one, (left, otherwise)) in loops.loops.iter().zip(left.into_iter().zip(otherwise)) {
        let around = one.parent.is_some_and(|id| spinning[id.0 as usize]);
        spinning.push(around || one.irreducible || !left || otherwise);
    }
    spinning
}
