//! The hot path: the instructions that a full warp goes through whose threads all lie inside of the field.
//!
//! Such a warp is whole and stays together, passes every guard, and in some of its lanes needs every corner load. Its path is
//! read off the control flow of the machine code, without executing it:
//! 1. branches for diverged warps (`BRA.DIV`) are not taken, exits under a predicate neither;
//! 2. of the paths that are left it is the one with the most shuffles, then the most global loads, then the most
//!    instructions: it goes through the copy with shuffles rather than through the original's, into the `if` rather than
//!    around it, and through a corner load that follows a branch;
//! 3. where a loop reads global memory or shuffles, and no loop inside of it does, the hot path is one iteration of it, of
//!    the one that is first by the same order; else it is the path from the start to an exit. Other loops are gone through
//!    once: lanes wait for each other in some.
//!
//! Predicated instructions count in full. What is elsewhere (slow copies, the code after `BRA.DIV`, set-up in front
//! of a loop) is seen in the count of all instructions.

use super::flow::{Block, blocks};
use super::{Counts, Listing};
use ptxasw::cost::sass::order::depth_first;

/// The counts of a function's hot path.
pub fn counts(listing: &Listing) -> Counts {
    let blocks = blocks(listing);
    let walk = Walk::new(&blocks);
    walk.best_loop()
        .or_else(|| walk.best_path(0, &vec![true; blocks.len()], None))
        .unwrap_or_default()
}

/// What a path is chosen by.
fn rank(counts: Counts) -> (u32, u32, u32) {
    (counts.shuffles, counts.global_loads, counts.instructions)
}

struct Walk<'b> {
    blocks: &'b [Block],
    /// Blocks that can be reached, each before those that it leads to, back edges aside.
    order: Vec<usize>,
    /// Edges to a block that is still being walked from: latch and head of a loop.
    back: Vec<(usize, usize)>,
}

impl<'b> Walk<'b> {
    fn new(blocks: &'b [Block]) -> Self {
        let (order, back) = depth_first(blocks.len(), |block| &blocks[block].next);
        Walk {
            blocks,
            order,
            back,
        }
    }

    /// One iteration of the best loop.
    fn best_loop(&self) -> Option<Counts> {
        let loops = self.back.iter().filter_map(|&(latch, head)| {
            let body = self.body((latch, head));
            let path = self.best_path(head, &body, Some(latch))?;
            (path.shuffles + path.global_loads > 0).then_some((head, body, path))
        });
        let loops: Vec<(usize, Vec<bool>, Counts)> = loops.collect();
        let innermost = loops.iter().filter(|(head, body, _)| {
            let mut heads = loops.iter().map(|&(other, ..)| other);
            heads.all(|other| other == *head || !body[other])
        });
        innermost
            .map(|&(.., path)| path)
            .max_by_key(|&path| rank(path))
    }

    /// The blocks of the loop of a back edge.
    fn body(&self, (latch, head): (usize, usize)) -> Vec<bool> {
        let mut inside = vec![false; self.blocks.len()];
        inside[head] = true;
        inside[latch] = true;
        // Against the order, each block comes after those that it leads to.
        for &block in self.order.iter().rev() {
            if self.forward(block).any(|next| inside[next] && next != head) {
                inside[block] = true;
            }
        }
        // What leads to the head from outside is not in the loop.
        let mut reached = vec![false; self.blocks.len()];
        reached[head] = true;
        for &block in &self.order {
            if reached[block] {
                self.forward(block).for_each(|next| reached[next] = true);
            }
        }
        inside.iter().zip(reached).map(|(&a, b)| a && b).collect()
    }

    /// Edges that are no back edges.
    fn forward(&self, block: usize) -> impl Iterator<Item = usize> {
        let next = self.blocks[block].next.iter().copied();
        next.filter(move |&next| !self.back.contains(&(block, next)))
    }

    /// The best path from a block to `end`, or to any end, within `inside`.
    fn best_path(&self, from: usize, inside: &[bool], end: Option<usize>) -> Option<Counts> {
        let mut best: Vec<Option<Counts>> = vec![None; self.blocks.len()];
        for &block in self.order.iter().rev().filter(|&&block| inside[block]) {
            let following = self.forward(block).filter(|&next| inside[next]);
            let on = match end {
                Some(end) if end == block => Some(Counts::default()),
                _ => following
                    .filter_map(|next| best[next])
                    .max_by_key(|&path| rank(path)),
            };
            let on = match end {
                None => Some(on.unwrap_or_default()),
                Some(_) => on,
            };
            best[block] = on.map(|mut path| {
                path.add(self.blocks[block].counts);
                path
            });
        }
        best.get(from).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Counts, parse};

    fn hot(body: &str) -> Counts {
        let lines = body
            .lines()
            .map(str::trim)
            .map(|line| match line.strip_suffix(':') {
                Some(_) => format!("{line}\n"),
                None => format!("/*0000*/ {line} ;\n"),
            });
        let text: String = lines.collect();
        parse(&format!(".text.k:\n{text}"))[0].hot
    }

    fn counts(instructions: u32, global_loads: u32, shuffles: u32) -> Counts {
        Counts {
            instructions,
            global_loads,
            shuffles,
            votes: 0,
        }
    }

    #[test]
    fn guards_are_passed_and_diverged_lanes_left_out() {
        let text = "S2R R0, SR_TID.X
            @P0 EXIT
            LDG.E R1, [R2.64]
            BRA.DIV UR4, `(.L_x_1)
            SHFL.DOWN PT, R3, R1, 0x1, R4
            .L_x_2:
            @!P1 LDG.E R3, [R2.64+0x4]
            EXIT
            .L_x_1:
            WARPSYNC.COLLECTIVE R5, `(.L_x_3)
            SHFL.DOWN PT, R3, R1, 0x1, R4
            .L_x_3:
            BRA `(.L_x_2)";
        assert_eq!(hot(text), counts(7, 2, 1));
    }

    #[test]
    fn the_copy_with_shuffles_counts_and_corner_loads_after_a_branch_do() {
        let text = "@P0 BRA `(.L_x_slow)
            LDG.E R1, [R2.64]
            SHFL.DOWN PT, R3, R1, 0x1, R4
            @P1 BRA `(.L_x_0)
            LDG.E R3, [R2.64+0x4]
            .L_x_0:
            BRA `(.L_x_join)
            .L_x_slow:
            LDG.E R1, [R2.64]
            LDG.E R3, [R2.64+0x4]
            IADD3 R5, R5, R5, R5
            IADD3 R5, R5, R5, R5
            .L_x_join:
            STG.E [R6.64], R1
            EXIT";
        assert_eq!(hot(text), counts(8, 2, 1));
    }

    #[test]
    fn of_a_loop_one_iteration_counts_and_the_one_with_shuffles() {
        let text = "@P0 EXIT
            @P5 BRA `(.L_x_original)
            .L_x_fast:
            LDG.E R1, [R2.64]
            SHFL.DOWN PT, R3, R1, 0x1, R4
            @!P1 LDG.E R3, [R2.64+0x4]
            @UP0 BRA `(.L_x_fast)
            @!P2 EXIT
            .L_x_original:
            LDG.E R1, [R2.64]
            LDG.E R3, [R2.64+0x4]
            IADD3 R5, R5, R5, R5
            @P3 BRA `(.L_x_original)
            EXIT";
        assert_eq!(hot(text), counts(4, 2, 1));
    }

    #[test]
    fn of_nested_loops_the_inner_one_counts() {
        let text = ".L_x_0:
            IADD3 R0, R0, R0, R0
            .L_x_1:
            LDG.E R1, [R2.64]
            @P0 BRA `(.L_x_1)
            STG.E [R2.64], R1
            @P1 BRA `(.L_x_0)
            EXIT";
        assert_eq!(hot(text), counts(2, 1, 0));
    }

    #[test]
    fn a_loop_in_which_lanes_wait_is_gone_through_once() {
        let text = "@P0 EXIT
            .L_x_0:
            LDG.E R1, [R2.64]
            SHFL.DOWN PT, R3, R1, 0x1, R4
            @P1 EXIT
            .L_x_1:
            VOTE.ANY R5, PT, PT
            @!P2 BRA.U `(.L_x_0)
            BRA `(.L_x_1)";
        assert_eq!(hot(text).instructions, 5);
    }

    #[test]
    fn a_loop_without_memory_is_gone_through_once() {
        let text = "LDG.E R1, [R2.64]
            .L_x_0:
            IADD3 R0, R0, R0, R0
            @P0 BRA `(.L_x_0)
            BRA.U !UP1, `(.L_x_1)
            FADD R1, R1, R1
            .L_x_1:
            EXIT";
        assert_eq!(hot(text), counts(6, 1, 0));
    }
}
