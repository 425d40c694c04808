//! Which value a register has where.
//!
//! After Braun et al., "Simple and Efficient Construction of Static Single Assignment Form" (CC 2013), with block
//! parameters for phis. Blocks are filled in reverse post-order, so the only predecessor of a block is filled before it.
//! A register that is read in a block of several predecessors before it is written there becomes a parameter of that
//! block at once; what the predecessors pass is looked up when all blocks are filled, which can make more parameters.
//! Nothing recurses. Loops that write nothing to a register are jumped over ([`Writers`]): in a nest of loops each counter
//! would else become a parameter of all loops in its own, which is quadratic. The other redundant parameters are removed afterwards ([`ptxasw_ir::prune`]).

use crate::decode::form::{Reg, Register};
use ptxasw_ir::ancestors::Ancestors;
use ptxasw_ir::builder::FunctionBuilder;
use ptxasw_ir::cfg::{Adjacency, Cfg};
use ptxasw_ir::dominators::DominatorTree;
use ptxasw_ir::function::{BlockId, Value};
use ptxasw_ir::loops::{LoopId, LoopNest};
use rustc_hash::FxHashMap;

/// Which loops write to which registers.
pub(super) struct Writers {
    nest: LoopNest,
    /// For each loop the innermost one around it with one block in front of it.
    out: Vec<Option<u32>>,
    /// By these.
    around: Ancestors,
    /// For each register the innermost loops of the blocks that write to it, ascending.
    loops: Adjacency,
}

impl Writers {
    /// Of a graph of reachable blocks, and what each of them writes to.
    pub(super) fn new(
        (successors, predecessors): (&Adjacency, &Adjacency),
        registers: usize,
        written: impl Iterator<Item = (u32, Reg)>,
    ) -> Self {
        let cfg = Cfg::of(successors.clone(), predecessors.clone());
        let nest = LoopNest::new(&cfg, &DominatorTree::dominators(&cfg));
        let mut edges = Vec::new();
        if !nest.loops.is_empty() {
            let inside =
                |(block, reg): (u32, Reg)| Some((reg.0, nest.innermost(BlockId(block))?.0));
            edges.extend(written.filter_map(inside));
            edges.sort_unstable();
            edges.dedup();
        }
        let out = enclosing_with_one_entry(&nest);
        Writers {
            loops: Adjacency::new(registers, &edges),
            around: Ancestors::new(out.iter().copied()),
            out,
            nest,
        }
    }

    fn writes(&self, id: LoopId, reg: Reg) -> bool {
        let writers = self.loops.of(reg.0);
        let first = writers.partition_point(|&writer| writer < id.0);
        writers
            .get(first)
            .is_some_and(|&writer| self.nest.encloses(id, LoopId(writer)))
    }

    /// Where a register has the value that it has throughout all of the largest loop around `block` that does not write
    /// to it, and which `outside` is not in: at the end of the one block in front of that loop.
    fn in_front(&self, block: u32, outside: Option<u32>, reg: Reg) -> Option<u32> {
        // What holds for a loop holds for the loops in it.
        let passes = |id: u32| {
            let id = LoopId(id);
            let over = outside.is_some_and(|outside| self.nest.contains(id, BlockId(outside)));
            !over && !self.writes(id, reg)
        };
        let inner = self.nest.innermost(BlockId(block))?;
        let first = match entry(&self.nest, inner) {
            Some(_) => inner.0,
            None => self.out[inner.0 as usize]?,
        };
        entry(&self.nest, LoopId(self.around.last(first, passes)?))
    }
}

/// The one block in front of a loop. From there the loop is entered at its header alone, and from there on only by its own
/// blocks.
fn entry(nest: &LoopNest, id: LoopId) -> Option<u32> {
    match nest.get(id).entries.as_slice() {
        &[entry] => Some(entry.0),
        _ => None,
    }
}

/// For each loop the innermost one around it with one block in front of it.
fn enclosing_with_one_entry(nest: &LoopNest) -> Vec<Option<u32>> {
    let mut out: Vec<Option<u32>> = Vec::with_capacity(nest.loops.len());
    // Outer loops come first.
    for one in &nest.loops {
        out.push(one.parent.and_then(|parent| {
            let single = entry(nest, parent).is_some();
            if single {
                Some(parent.0)
            } else {
                out[parent.0 as usize]
            }
        }));
    }
    out
}

pub(super) struct Ssa<'a> {
    registers: &'a [Register],
    predecessors: &'a Adjacency,
    writers: Writers,
    /// The value at the end of a block (so far), by block and register.
    current: FxHashMap<(u32, u32), Value>,
    /// The registers that the parameters of each block stand for.
    params: Vec<Vec<Reg>>,
    /// Blocks passed on the path to a definition.
    path: Vec<u32>,
}

impl<'a> Ssa<'a> {
    pub(super) fn new(
        registers: &'a [Register],
        predecessors: &'a Adjacency,
        writers: Writers,
    ) -> Self {
        Ssa {
            registers,
            predecessors,
            writers,
            current: FxHashMap::default(),
            params: vec![Vec::new(); predecessors.nodes()],
            path: Vec::new(),
        }
    }

    /// Width of a register.
    pub(super) fn width(&self, reg: Reg) -> u8 {
        self.registers[reg.0 as usize].ty.bits
    }

    /// The registers that the parameters of a block stand for, in their order.
    pub(super) fn parameters(&self, block: u32) -> impl Iterator<Item = Reg> + '_ {
        self.params[block as usize].iter().copied()
    }

    pub(super) fn write(&mut self, block: u32, reg: Reg, value: Value) {
        self.current.insert((block, reg.0), value);
    }

    /// The value of `reg` at the end of what is filled of `block`.
    pub(super) fn read(&mut self, builder: &mut FunctionBuilder, block: u32, reg: Reg) -> Value {
        let mut node = block;
        let value = loop {
            if let Some(&value) = self.current.get(&(node, reg.0)) {
                break value;
            }
            self.path.push(node);
            if let Some(front) = self.writers.in_front(node, None, reg) {
                node = front;
                continue;
            }
            match *self.predecessors.of(node) {
                [only] => {
                    let front = self.writers.in_front(only, Some(node), reg);
                    node = front.unwrap_or(only);
                }
                [] => break builder.undefined(self.width(reg)),
                _ => {
                    self.params[node as usize].push(reg);
                    break builder.param(BlockId(node), self.width(reg));
                }
            }
        };
        while let Some(node) = self.path.pop() {
            self.current.insert((node, reg.0), value);
        }
        value
    }

    /// What every block passes to the parameters of a successor, by (source, target). Call when all blocks are filled.
    pub(super) fn arguments(
        &mut self,
        builder: &mut FunctionBuilder,
    ) -> FxHashMap<(u32, u32), Vec<Value>> {
        let mut arguments: FxHashMap<(u32, u32), Vec<Value>> = FxHashMap::default();
        let blocks = self.params.len() as u32;
        let mut done = vec![0usize; self.params.len()];
        let mut work: Vec<u32> = (0..blocks).rev().collect();
        let predecessors = self.predecessors;
        while let Some(block) = work.pop() {
            while let Some(&reg) = self.params[block as usize].get(done[block as usize]) {
                done[block as usize] += 1;
                for &from in predecessors.of(block) {
                    let value = self.read(builder, from, reg);
                    arguments.entry((from, block)).or_default().push(value);
                    // The parameter that this may have made is in a block above.
                    if let Some(above) = self.parameter_block(builder, value)
                        && done[above as usize] < self.params[above as usize].len()
                    {
                        work.push(above);
                    }
                }
            }
        }
        arguments
    }

    fn parameter_block(&self, builder: &FunctionBuilder, value: Value) -> Option<u32> {
        match builder.function.value(value).def {
            ptxasw_ir::function::ValueDef::Parameter(block, _) => Some(block.0),
            _ => None,
        }
    }
}
