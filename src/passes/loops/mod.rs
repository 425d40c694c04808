//! Batches of iterations: a loop that waits for memory once for each element waits once for several.
//!
//! Where the exit conditions of the next iterations all say that the loop goes on, these iterations follow each other in
//! straight-line code, so that the assembler, and the memory pass after this one, see the loads of all of them at once; else an
//! iteration of the original loop runs. No instruction of the loop moves here, none is executed that was not, and none is left out: the
//! contract in this folder says what that takes. L1 and the like in comments are its sections.
//!
//! ```text
//! header: c1 = on after the first iteration, c2 = on after the second, ...
//!         if c1 and c2 and ...:  iteration; iteration; ...; iteration, then on to the header or out
//!         else:                  iteration, then on to the header or out
//! ```
//!
//! | file | what |
//! | --- | --- |
//! | `shape` | which loops may run in batches |
//! | `loads` | what an iteration loads, and how much of it may be in flight at once |
//! | `trips` | loops that are never as long as a batch |
//! | `conditions` | the exit conditions of later iterations, as steps at the header |
//! | `products` | what the assembler would contract in a batch alone |
//! | `first` | loads of all iterations in front of their branches |
//! | `unrolled` | loops that the assembler unrolls by itself |
//! | `refusal` | why a loop stays as it is |

mod conditions;
mod first;
mod loads;
mod products;
mod refusal;
mod shape;
mod trips;
mod unrolled;

use crate::memory::{Loads, MemoryOptions};
use crate::rules::rules;
use crate::{Claim, Fate, Pass, Remark, Rewrite, Session};
use conditions::Later;
use loads::LoopLoads;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, InstId};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::patch::{CloneId, Cursor, Patch, Point, Ref, RegionClone, Settled};
use refusal::Refusal;
use shape::Shape;

/// Loops of a function that may become batches; more stay as they are.
const MAX_LOOPS: usize = 64;

/// Batches of iterations ("Loops: what the memory pass should do over iterations", stage U).
#[derive(Clone, Copy, Debug)]
pub struct Batches;

impl Pass for Batches {
    fn name(&self) -> &'static str {
        "loops"
    }

    fn run(&self, session: &Session) -> Rewrite {
        let target = session.target.architecture;
        let rule = &rules().loops;
        let mut sizes = rule.iterations.iter();
        let any = sizes.any(|&size| session.memory.batches(size));
        if !any || target.is_some_and(|target| target < rule.target) {
            return Rewrite::default();
        }
        let mut batches = Writer {
            session,
            rewrite: Rewrite::default(),
            least: Loads::Pairs,
            next: 0,
            clones: 0,
        };
        let loops = &session.analyses().loops;
        let is_inner = |&id: &LoopId| {
            loops
                .blocks(id)
                .iter()
                .all(|&block| loops.innermost(block) == Some(id))
        };
        let mut inner = loops.ids().filter(is_inner);
        for id in inner.by_ref().take(MAX_LOOPS) {
            batches.one(id);
        }
        let firsts = inner.filter_map(|id| loads::first(session, id));
        for first in firsts.filter(|&first| session.may_change(first)) {
            let remark = Refusal::Many(MAX_LOOPS).remark(first);
            batches.rewrite.remarks.push(remark);
        }
        if !batches.rewrite.patch.is_empty() {
            batches.rewrite.least = Some(batches.least);
        }
        batches.rewrite
    }
}

/// Writes the batches of a function.
struct Writer<'a> {
    session: &'a Session<'a>,
    rewrite: Rewrite,
    /// The lowest level that makes the same batches.
    least: Loads,
    /// The number of the next new value of the patch.
    next: u32,
    clones: u32,
}

impl Writer<'_> {
    /// Rewrites one loop into batches, or remarks why it is left unchanged. A loop without loads gets no remark.
    fn one(&mut self, id: LoopId) {
        let session = self.session;
        let mut loads = LoopLoads::of(session, id);
        let Some(first) = loads.all.first().copied() else {
            return;
        };
        let changed = |load: &InstId| session.may_change(*load);
        if !changed(&first) || !loads.direct.iter().all(changed) {
            return;
        }
        match self.batch(id, &mut loads) {
            Ok(iterations) => {
                let what = format!("batched, {iterations} iterations at once");
                for &load in &loads.direct {
                    let remark = Remark::new(load, Fate::Batched, what.clone());
                    self.rewrite.remarks.push(remark);
                }
                let evidence = format!(
                    "the exit conditions of {iterations} iterations are computed at the header"
                );
                let claim = Claim {
                    condition: Some("L7"),
                    ..Claim::new(first, evidence)
                };
                self.rewrite.claims.push(claim);
            }
            Err(refusal) => self.rewrite.remarks.push(refusal.remark(first)),
        }
    }

    /// Puts the chain of a loop into the patch: how many iterations are in a batch.
    fn batch(&mut self, id: LoopId, loads: &mut LoopLoads) -> Result<u32, Refusal> {
        let session = self.session;
        let shape = Shape::of(session, id)?;
        if shape.branches && loads.are_stored() && !active(Mutation::LoopStoresIgnored) {
            return Err(Refusal::Branches);
        }
        let iterations = loads.iterations(session, &rules().loops)?;
        trips::long_enough(session, &shape, iterations)?;
        let header = shape.header;
        if let Some(sum) = products::contracted(session, &shape) {
            return Err(Refusal::Contracted(sum));
        }
        let mut next = self.next;
        let mut at = Cursor::new(&mut next, session.function.block(header).origin);
        let mut later = Later::new(session, &shape);
        let condition = later.all(iterations, &mut at)?;
        if unrolled::by_assembler(session, id, &shape, loads) {
            return Err(Refusal::Unrolled);
        }
        loads.pass_stores(session, &shape.blocks, iterations - 1)?;
        let chain = chain(&shape, condition, iterations, self.clones);
        session.text.clonable(&chain[0]).map_err(Refusal::Text)?;
        let mut patch = Patch::default();
        at.done(&mut patch, Point::Start(header));
        // Else the assembler, or the memory pass, sees all of them in one block.
        if shape.branches || shape.expands && !loads.are_stored() {
            let ids: Vec<CloneId> = chain.iter().map(|clone| clone.id).collect();
            loads.direct = first::load(&mut later, &loads.direct, &ids, &mut next, &mut patch);
            if loads.direct.is_empty() {
                return Err(Refusal::InPlace);
            }
        }
        let is_pair = MemoryOptions {
            loads: Loads::Pairs,
            ..session.memory
        }
        .batches(iterations);
        if !is_pair {
            self.least = Loads::Batches;
        }
        self.next = next;
        self.clones += iterations;
        let all = &mut self.rewrite.patch;
        all.insert.extend(patch.insert);
        all.remove.extend(patch.remove);
        all.redirect.extend(patch.redirect);
        all.clones.extend(chain);
        Ok(iterations)
    }
}

/// The copies of a loop's iterations. All but the last go on to the next one without being asked; the last one asks what the loop asks at its end.
fn chain(shape: &Shape, condition: Ref, iterations: u32, first: u32) -> Vec<RegionClone> {
    let others = shape
        .blocks
        .iter()
        .copied()
        .filter(|&block| block != shape.header);
    let others: Vec<BlockId> = others.collect();
    let copies = (0..iterations).map(|number| {
        let is_last = number + 1 == iterations;
        let exits = shape.exits.iter().filter(|exit| !is_last || !exit.at_end);
        let settled = exits.map(|exit| Settled {
            block: exit.block,
            then: exit.on_where,
        });
        RegionClone {
            id: CloneId(first + number),
            enter: Point::Start(shape.header),
            condition,
            after: number.checked_sub(1).map(|before| CloneId(first + before)),
            blocks: others.clone(),
            exits: Vec::new(),
            settled: settled.collect(),
            together: false,
        }
    });
    copies.collect()
}

/// Whether an instruction is in a block.
fn is_in(session: &Session, inst: InstId, blocks: &[BlockId]) -> bool {
    blocks.contains(&session.function.inst(inst).block)
}
