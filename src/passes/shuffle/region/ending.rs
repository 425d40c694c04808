//! Branches at which some lanes leave for good: one edge leads to the end of the thread, and no path comes back from there.

use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::{BlockId, Function, Terminator};

/// Of each block, whether one side of its branch only ends the thread: at once, as `if (...) return;` does, or by blocks that
/// only this side reaches and that reach no others.
pub(super) fn exit_guards(function: &Function, analyses: &Analyses) -> Vec<bool> {
    let ends = only_ends(function, analyses);
    let enclosed = enclosed(function, analyses, &ends);
    let guards = function.block_ids().map(|block| {
        let targets = function.block(block).terminator.targets();
        let ending =
            |to: BlockId| ends[to.index()] || enclosed[to.index()] && is_side(analyses, block, to);
        targets.len() > 1 && targets.iter().any(|target| ending(target.block))
    });
    guards.collect()
}

/// Blocks that do nothing but end the thread.
fn only_ends(function: &Function, analyses: &Analyses) -> Vec<bool> {
    let mut ends = vec![false; function.blocks.len()];
    // Successors first; a cycle never ends.
    for &block in analyses.cfg.reverse_post_order().iter().rev() {
        let data = function.block(block);
        ends[block.index()] = data.insts.is_empty()
            && match &data.terminator {
                Terminator::Return | Terminator::Exit => true,
                Terminator::Jump(target) => ends[target.block.index()],
                _ => false,
            };
    }
    ends
}

/// Whether all predecessors of a block are that branch, or blocks that it dominates itself.
fn is_side(analyses: &Analyses, branch: BlockId, block: BlockId) -> bool {
    let mut before = analyses.cfg.predecessors(block);
    before.all(|from| from == branch || analyses.dominators.dominates(block, from))
}

/// Blocks from which no path leads out of what they dominate, but to blocks that only end the thread.
fn enclosed(function: &Function, analyses: &Analyses, ends: &[bool]) -> Vec<bool> {
    let dominators = &analyses.dominators;
    // By block: the least depth of a block above it, or itself, which a path from below it leaves.
    let mut left = vec![u32::MAX; function.blocks.len()];
    for &block in analyses.cfg.reverse_post_order().iter().rev() {
        for target in function.block(block).terminator.targets() {
            let to = target.block;
            if ends[to.index()] {
                continue;
            }
            // All between the immediate dominator of `to` and here are left, but `to` itself.
            let itself = u32::from(dominators.dominates(to, block));
            left[block.index()] = left[block.index()].min(dominators.depth(to) + itself);
        }
        if let Some(above) = dominators.immediate(block) {
            left[above.index()] = left[above.index()].min(left[block.index()]);
        }
    }
    let stays = |block: BlockId| left[block.index()] > dominators.depth(block);
    function.block_ids().map(stays).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ir::text::parse;

    /// The blocks that [`exit_guards`] names. `blocks` follow the first one; `work` is an instruction.
    fn guards(blocks: &str) -> Vec<u32> {
        let head = "kernel f(a: u64) {\nblock0:\n    v0: b64 = load.paramentry.u64 &a ; 1\n    v1: pred, v2: pred = compare.lt.s32 %tid.x, 7 ; 1\n";
        let blocks = blocks.replace("work", "    store.global.u32 v0, 1 ; 1");
        let function = parse(&format!("{head}{blocks}}}\n")).unwrap();
        let named = (0..).zip(exit_guards(&function, &Analyses::new(&function)));
        named.filter(|one| one.1).map(|one| one.0).collect()
    }

    /// Either side may go on to a `return` of its own or to the same one, but not to work that both do.
    #[test]
    fn a_side_that_ends() {
        let branch = "branch v1, block1, block2 ; 1\n";
        let own = "block1:\nwork\nreturn ; 1\nblock2:\nwork\nreturn ; 1\n";
        let shared =
            "block1:\nwork\njump block3 ; 1\nblock2:\nwork\njump block3 ; 1\nblock3:\nreturn ; 1\n";
        let joined = shared.replace("block3:\n", "block3:\nwork\n");
        assert_eq!(guards(&format!("{branch}{own}")), [0]);
        assert_eq!(guards(&format!("{branch}{shared}")), [0]);
        assert!(guards(&format!("{branch}{joined}")).is_empty());
    }

    /// A side with a loop ends all the same; one that jumps back does not, nor one that is run from elsewhere.
    #[test]
    fn what_leads_back_is_no_end() {
        let text = |to: u32| {
            format!(
                "jump block1 ; 1
block1:
work
branch v1, block2, block4 ; 1
block2:
work
branch v1, block2, block3 ; 1
block3:
work
return ; 1
block4:
work
branch v2, block5, block{to} ; 1
block5:
work
return ; 1
block6:
work
return ; 1
"
            )
        };
        // 1: 2 and 3 end. 2: 3 does. 4: both sides do.
        assert_eq!(guards(&text(6)), [1, 2, 4]);
        // 1 is begun again from 4, but not from 2.
        assert_eq!(guards(&text(1)), [1, 2, 4]);
        // 3 is run by others than those of 2, and 4 leads to it.
        assert_eq!(guards(&text(3)), [4]);
    }
}
