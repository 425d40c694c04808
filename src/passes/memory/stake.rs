//! What a second copy of code is worth: the accesses that it saves, by how often they are executed.

use super::accesses::{AccessId, Accesses};
use super::plan::Plan;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::cfg::Cfg;
use ptxasw_ir::function::BlockId;
use ptxasw_ir::loops::LoopNest;

/// Times that a loop is taken to go round.
const TRIPS: f64 = 8.0;

/// Most executions that are counted.
const MOST: f64 = 1e9;

/// What a plan saves more than another one, each time that the function is executed: accesses that go, stores that loads are moved over, and
/// accesses that name their state space.
pub fn gained(analyses: &Analyses, accesses: &Accesses, plan: &Plan, other: &Plan) -> f64 {
    let block = |id: AccessId| accesses.get(id).block;
    let changed = [plan, other].map(|plan| plan.changed().map(block));
    let reach = before(&analyses.cfg, changed.into_iter().flatten());
    let often = executions(&analyses.cfg, &analyses.loops, &reach);
    let of = |plan| Stake::new(|id| often[block(id).index()], plan);
    let (own, other) = (of(plan), of(other));
    let crossed = (own.crossed - other.crossed).max(0.0);
    own.saved - other.saved + crossed + own.named - other.named
}

/// How often a function executes what a plan changes.
struct Stake {
    /// Accesses that go.
    saved: f64,
    /// Stores that loads are moved over.
    crossed: f64,
    /// Accesses that name their state space.
    named: f64,
}

impl Stake {
    fn new(often: impl Fn(AccessId) -> f64, plan: &Plan) -> Self {
        let decisions = &plan.decisions;
        let served = decisions.served.iter().map(|one| one.load);
        let single = served.chain(decisions.dead.iter().map(|one| one.0));
        let mut stake = Stake {
            saved: single.map(&often).sum(),
            crossed: 0.0,
            named: plan.named.iter().map(|&id| often(id)).sum(),
        };
        for wide in &decisions.wide {
            let often = often(wide.place);
            stake.saved += (wide.members.len() - 1) as f64 * often;
            stake.crossed += wide.crossed as f64 * often;
        }
        stake
    }
}

/// The blocks from which some of these are reached.
fn before(cfg: &Cfg, blocks: impl Iterator<Item = BlockId>) -> Vec<bool> {
    let mut reach = vec![false; cfg.blocks()];
    let mut work: Vec<BlockId> = blocks.collect();
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut reach[block.index()], true) {
            work.extend(cfg.predecessors(block));
        }
    }
    reach
}

/// How often each block is executed for each time that the function is: a loop goes round [`TRIPS`] times and is left once, edges of a
/// branch are taken alike, but for those past all that is changed (`reach`): guards and checks are passed.
fn executions(cfg: &Cfg, loops: &LoopNest, reach: &[bool]) -> Vec<f64> {
    let edges = |block: BlockId| {
        let goes_on = |to: &BlockId| reach[to.index()];
        let any = cfg.successors(block).any(|to| goes_on(&to));
        cfg.successors(block).filter(move |to| !any || goes_on(to))
    };
    let left = |block, to| loops.outermost_left(loops.innermost(block)?, to);
    let heads = |block: BlockId| {
        let inner = loops.innermost(block)?;
        (loops.get(inner).header == block).then_some(inner)
    };
    let (mut exits, mut entered) = (vec![0.0; loops.loops.len()], vec![0.0; loops.loops.len()]);
    for &block in cfg.reverse_post_order() {
        let left = edges(block).filter_map(|to| left(block, to));
        left.for_each(|one| exits[one.0 as usize] += 1.0);
    }
    let mut often = vec![0.0; cfg.blocks()];
    often[0] = 1.0;
    for &block in cfg.reverse_post_order() {
        let own = &mut often[block.index()];
        if let Some(one) = heads(block) {
            entered[one.0 as usize] = *own;
            *own = (*own * TRIPS).min(MOST);
        }
        let own = *own;
        let stays = edges(block).filter(|&to| left(block, to).is_none());
        let stays = stays.count() as f64;
        for to in edges(block) {
            let goes_round = heads(to).is_some_and(|one| loops.contains(one, block));
            often[to.index()] += match left(block, to) {
                _ if goes_round => 0.0,
                None => own / stays,
                Some(one) => entered[one.0 as usize] / exits[one.0 as usize],
            };
        }
    }
    // What goes round in a cycle of several entries is no loop here.
    for &block in cfg.reverse_post_order() {
        if loops.irreducible(block) {
            often[block.index()] *= TRIPS;
        }
    }
    often
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ir::text::parse;

    /// How often the blocks of a text are executed, of which these have what is changed.
    fn of(text: &str, changed: &[u32]) -> Vec<f64> {
        let function = parse(text).unwrap();
        let analyses = Analyses::new(&function);
        let changed = changed.iter().map(|&block| BlockId(block));
        let reach = before(&analyses.cfg, changed);
        executions(&analyses.cfg, &analyses.loops, &reach)
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
        assert_eq!(of(NEST, &[2]), [1.0, 8.0, 64.0, 8.0, 0.0, 0.0]);
        // What is skipped may be worth as much as what is not.
        assert_eq!(of(NEST, &[2, 5]), [1.0, 4.0, 32.0, 4.0, 0.5, 1.0]);
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
        assert_eq!(of(text, &[4]), [1.0, 0.25, 0.25, 0.25, 1.0]);
        assert_eq!(of(text, &[1, 2]), [1.0, 0.5, 0.5, 0.0, 1.0]);
    }

    #[test]
    fn a_loop_that_is_left_from_within_an_inner_one() {
        let text = "kernel f() {
block0:
    v1: b32 = and.32 %tid.x, 7 ; 0
    v2: pred, v3: pred = compare.lt.u32 v1, 3 ; 1
    jump block1 ; 2
block1:
    jump block2 ; 3
block2:
    branch v2, block3, block6 ; 4
block3:
    branch v2, block2, block4 ; 5
block4:
    branch v3, block1, block5 ; 6
block5:
    jump block6 ; 7
block6:
    return ; 8
}
";
        let often = of(text, &[6]);
        assert_eq!(often, [1.0, 8.0, 64.0, 64.0, 8.0, 0.5, 1.0]);
    }

    #[test]
    fn cycles_of_several_entries_go_round() {
        let text = "kernel f() {
block0:
    v1: b32 = and.32 %tid.x, 7 ; 0
    v2: pred, v3: pred = compare.lt.u32 v1, 3 ; 1
    branch v2, block1, block2 ; 2
block1:
    jump block2 ; 3
block2:
    branch v2, block1, block3 ; 4
block3:
    return ; 5
}
";
        let often = of(text, &[3]);
        assert!(often[1] >= 4.0 && often[2] >= 4.0, "{often:?}");
        assert!(often[3] > 0.0 && often[3] <= 1.0, "{often:?}");
    }
}
