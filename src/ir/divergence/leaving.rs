//! What reads values outside the loops that they are of.
//!
//! Where threads leave a loop in different iterations, its values differ outside. A value can be read outside any number of
//! loops, and reads of values of the innermost one are outside all of them: so each read is noted once, and found by the
//! first of its loops that threads leave one by one.

use super::Level;
use crate::function::{BlockId, Function, InstId, Terminator, Value};
use crate::loops::{LoopId, LoopNest};
use crate::range_min::RangeMin;

/// Something that reads a value outside a loop.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    /// An instruction.
    Inst(InstId),
    /// The end of a block.
    End(BlockId),
    /// A block parameter that the value is passed to.
    Param(Value),
}

/// Reads of values outside their loops, before they are sorted.
struct Collector<'a> {
    nest: &'a LoopNest,
    /// By the innermost loop around the value; the depth of the innermost loop around both.
    reads: Vec<(LoopId, u32, Reader)>,
}

impl<'a> Collector<'a> {
    fn new(nest: &'a LoopNest) -> Self {
        Collector {
            nest,
            reads: Vec::new(),
        }
    }

    /// Notes a read in `block` of a value whose innermost loop is `value_loop`.
    fn note(&mut self, value_loop: Option<LoopId>, block: BlockId, reader: Reader) {
        if let Some(value_loop) = value_loop
            && let Some(left) = self.nest.outermost_left(value_loop, block)
        {
            let common = self.nest.get(left).depth - 1;
            self.reads.push((value_loop, common, reader));
        }
    }
}

/// Reads of values outside their loops, each as long as no loop that it is outside of is left by threads one by one.
pub(super) struct Leaving {
    /// The innermost loop around each value, ascending.
    value_loops: Vec<LoopId>,
    readers: Vec<Reader>,
    /// Depths of the innermost loops around both value and reader, of reads not yet known to differ between rows.
    rows: RangeMin,
    /// Depths of the innermost loops around both value and reader, of reads not yet known to differ in a row.
    all: RangeMin,
}

impl Leaving {
    /// Of a function, where `value_loops` are the innermost loops around its values.
    pub(super) fn new(
        function: &Function,
        nest: &LoopNest,
        value_loops: &[Option<LoopId>],
    ) -> Self {
        let mut reads = Collector::new(nest);
        let value_loop = |value: Value| value_loops[value.index()];
        for (id, inst) in (0..).map(InstId).zip(&function.insts) {
            for value in inst.args.iter().copied().chain(inst.guard.map(|g| g.0)) {
                reads.note(value_loop(value), inst.block, Reader::Inst(id));
            }
        }
        for id in function.block_ids() {
            let terminator = &function.block(id).terminator;
            match *terminator {
                Terminator::Branch {
                    condition: read, ..
                }
                | Terminator::Switch { index: read, .. } => {
                    reads.note(value_loop(read), id, Reader::End(id));
                }
                _ => {}
            }
            for target in terminator.targets() {
                for (&param, &value) in function.block(target.block).params.iter().zip(&target.args)
                {
                    reads.note(value_loop(value), target.block, Reader::Param(param));
                }
            }
        }
        let mut reads = reads.reads;
        reads.sort_by_key(|&(value_loop, ..)| value_loop);
        let common = RangeMin::new(reads.iter().map(|&(_, common, _)| common));
        Leaving {
            value_loops: reads.iter().map(|&(value_loop, ..)| value_loop).collect(),
            readers: reads.iter().map(|&(.., reader)| reader).collect(),
            rows: common.clone(),
            all: common,
        }
    }

    /// Threads leave a loop in different iterations: what reads its values outside, and was not yet known to be at this level.
    pub(super) fn take(&mut self, nest: &LoopNest, id: LoopId, level: Level) -> Vec<Reader> {
        let first = self
            .value_loops
            .partition_point(|&value_loop| value_loop < id);
        let inside =
            self.value_loops[first..].partition_point(|&value_loop| nest.encloses(id, value_loop));
        let reads = match level {
            Level::Uniform => return Vec::new(),
            Level::Row => &mut self.rows,
            Level::Divergent => &mut self.all,
        };
        let mut found = Vec::new();
        reads.below(first..first + inside, nest.get(id).depth, |index| {
            found.push(index);
            true
        });
        for &index in &found {
            reads.remove(index);
        }
        found.into_iter().map(|index| self.readers[index]).collect()
    }
}
