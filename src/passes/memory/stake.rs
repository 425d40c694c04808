//! What a second copy of code is worth: the accesses that it saves, by how often they are executed.

use super::accesses::{AccessId, Accesses};
use super::plan::Plan;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::cfg::Cfg;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::loops::LoopNest;

/// Times that a loop is taken to go round.
const TRIPS: f64 = 8.0;

/// How often a function executes what a plan changes, for each time that it is executed itself.
pub struct Stake {
    /// Accesses that go.
    saved: f64,
    /// Stores that loads are moved over.
    crossed: f64,
    /// Accesses that name their state space.
    named: f64,
}

impl Stake {
    /// Of a plan. `often`: how often blocks are executed.
    pub fn new(often: &[f64], accesses: &Accesses, plan: &Plan) -> Self {
        let of = |id: AccessId| often[accesses.get(id).block.index()];
        let decisions = &plan.decisions;
        let served = decisions.served.iter().map(|one| one.load);
        let dead = decisions.dead.iter().map(|one| one.0);
        let wide = decisions.wide.iter();
        let joined = wide.map(|wide| (wide.members.len() - 1) as f64 * of(wide.place));
        let wide = decisions.wide.iter();
        Stake {
            saved: served.chain(dead).map(of).sum::<f64>() + joined.sum::<f64>(),
            crossed: wide.map(|wide| wide.crossed as f64 * of(wide.place)).sum(),
            named: plan.named.iter().map(|&id| of(id)).sum(),
        }
    }

    /// What it has more than that of another plan.
    pub fn over(&self, other: &Stake) -> f64 {
        let crossed = (self.crossed - other.crossed).max(0.0);
        self.saved - other.saved + crossed + self.named - other.named
    }
}

/// The blocks from which an access can be reached.
fn with_accesses(cfg: &Cfg, accesses: impl Iterator<Item = BlockId>) -> Vec<bool> {
    let mut reach = vec![false; cfg.blocks()];
    let mut work: Vec<BlockId> = accesses.collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut reach[block.index()], true) {
            work.extend(cfg.predecessors(block));
        }
    }
    reach
}

/// How often each block is executed for each time that the function is: a loop goes round [`TRIPS`] times and is left once, edges of a
/// branch are taken alike, but for those to where nothing is accessed any more: guards are passed.
pub fn frequencies(analyses: &Analyses, accesses: &Accesses) -> Vec<f64> {
    let blocks = accesses.ids().map(|id| accesses.get(id).block);
    let with_accesses = with_accesses(&analyses.cfg, blocks);
    executions(&analyses.cfg, &analyses.loops, &with_accesses)
}

fn executions(cfg: &Cfg, loops: &LoopNest, with_accesses: &[bool]) -> Vec<f64> {
    let edges = |block: BlockId| {
        let works = |to: &BlockId| with_accesses[to.index()];
        let any = cfg.successors(block).any(|to| works(&to));
        cfg.successors(block).filter(move |to| !any || works(to))
    };
    let left = |block: BlockId, to: BlockId| {
        let around = loops.around(block);
        around.filter(move |&one| !loops.contains(one, to))
    };
    let heads = |block: BlockId| {
        let inner = loops.innermost(block)?;
        (loops.get(inner).header == block).then_some(inner)
    };
    let mut exits = vec![0.0; loops.loops.len()];
    for &block in cfg.reverse_post_order() {
        let all = edges(block).flat_map(|to| left(block, to));
        all.for_each(|one| exits[one.0 as usize] += 1.0);
    }
    let mut often = vec![0.0; cfg.blocks()];
    often[0] = 1.0;
    for &block in cfg.reverse_post_order() {
        if heads(block).is_some() {
            often[block.index()] *= TRIPS;
        }
        let stays = edges(block).filter(|&to| left(block, to).next().is_none());
        let stays = stays.count() as f64;
        for to in edges(block) {
            if heads(to).is_some_and(|one| loops.contains(one, block)) {
                continue;
            }
            often[to.index()] += match left(block, to).last() {
                None => often[block.index()] / stays,
                Some(one) => {
                    let once = often[loops.get(one).header.index()] / TRIPS;
                    once / exits[one.0 as usize]
                }
            };
        }
    }
    often
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ir::text::parse;

    /// The blocks of a text, all of which have accesses but those that are listed.
    fn of(text: &str, without: &[u32]) -> Vec<f64> {
        let function = parse(text).unwrap();
        let analyses = Analyses::new(&function);
        let blocks = function.block_ids();
        let blocks = blocks.filter(|block| !without.contains(&block.0));
        let with = with_accesses(&analyses.cfg, blocks);
        executions(&analyses.cfg, &analyses.loops, &with)
    }

    const NEST: &str = "kernel f() {
block0:
    v1: b32 = and.32 %tid.x, 7 ; 0
    v2: pred, v3: pred = compare.lt.u32 v1, 3 ; 1
    branch v2, block1, block5 ; 2
block1:
    jump block2 ; 3
block2:
    branch v2, block2, block3 ; 4
block3:
    branch v3, block1, block4 ; 5
block4:
    jump block5 ; 6
block5:
    return ; 7
}
";

    #[test]
    fn loops_go_round_and_are_left_once() {
        assert_eq!(of(NEST, &[5]), [1.0, 8.0, 64.0, 8.0, 1.0, 1.0]);
        // What is skipped may be worth as much as what is not.
        assert_eq!(of(NEST, &[]), [1.0, 4.0, 32.0, 4.0, 0.5, 1.0]);
    }

    #[test]
    fn cases_share_what_comes_in() {
        let text = "kernel f() {
block0:
    v1: b32 = and.32 %tid.x, 3 ; 0
    switch v1, block1, block2, block3, block4 ; 1
block1:
    jump block4 ; 2
block2:
    jump block4 ; 3
block3:
    jump block4 ; 4
block4:
    return ; 5
}
";
        assert_eq!(of(text, &[]), [1.0, 0.25, 0.25, 0.25, 1.0]);
        assert_eq!(of(text, &[4, 3]), [1.0, 0.5, 0.5, 0.0, 1.0]);
    }
}
