//! Loops of random functions, whose iterations follow each other, each in a copy of its own.

use super::super::*;
use super::random::{instruction, program, trace};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use ptxasw_ir::cfg::Cfg;
use ptxasw_ir::dominators::DominatorTree;
use ptxasw_ir::function::Function;
use ptxasw_ir::loops::LoopNest;
use ptxasw_ir::patch::{CloneId, Cursor, Exit, Patch, PatchError, Point, Ref, RegionClone, verify};

/// The header of each loop, and its other blocks.
fn loops(function: &Function) -> Vec<(BlockId, Vec<BlockId>)> {
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &DominatorTree::dominators(&cfg));
    let all = nest.ids().map(|id| {
        let header = nest.get(id).header;
        let blocks = nest.blocks(id).iter().copied();
        (header, blocks.filter(|&block| block != header).collect())
    });
    all.collect()
}

/// Loops of random functions that had a chain.
const CHAINS: u32 = 300;

/// Iterations of any loop, each in a copy of its own, which may be left anywhere, compute what the loop does; entered where a value of
/// the header is odd, or always.
#[test]
fn chains_compute_the_same() {
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let strategy = (
        prop::collection::vec(instruction(), 1..20),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        1..4u32,
        any::<[bool; 2]>(),
        any::<bool>(),
    );
    let tried = std::cell::Cell::new(0);
    let result = runner.run(
        &strategy,
        |(instructions, which, leave, copies, bits, asked)| {
            let function = program(instructions);
            let function = lower(&form::Module::default(), &function)
                .expect("lowers")
                .function;
            let loops = loops(&function);
            if loops.is_empty() {
                return Ok(());
            }
            let (header, blocks) = which.get(&loops);
            let enter = Point::Start(*header);
            let bit = |bit: bool| Ref::Constant(1, u64::from(bit));
            let mut patch = Patch::default();
            let mut condition = bit(true);
            let params = function.block(*header).params.iter();
            let mut words = params.filter(|&&value| function.value(value).width == 32);
            if let Some(&word) = words.next().filter(|_| asked) {
                let mut next = 0;
                // What is inserted is not in the trace: it is the only code of this statement.
                let mut cursor = Cursor::new(&mut next, u32::MAX);
                let low = Op::Extend {
                    from: 32,
                    to: 1,
                    signed: false,
                };
                condition = cursor.single(low, &[word.into()]);
                cursor.done(&mut patch, enter);
            }
            for number in 0..copies {
                let points = blocks
                    .iter()
                    .chain([header])
                    .map(|&block| Point::End(block));
                let points: Vec<Point> = points.collect();
                let exit = Exit {
                    at: *leave.get(&points),
                    stay: Some(bit(bits[1])),
                };
                patch.clones.push(RegionClone {
                    id: CloneId(number),
                    enter,
                    condition,
                    after: number.checked_sub(1).map(CloneId),
                    blocks: blocks.clone(),
                    exits: if bits[0] && number + 1 == copies {
                        vec![exit]
                    } else {
                        vec![]
                    },
                    settled: Vec::new(),
                    together: false,
                });
            }
            let changed = match verify(&function, &patch) {
                Ok(verified) => verified.applied.function,
                // A place in the middle of a statement.
                Err(PatchError::InsideStatement(_)) => return Ok(()),
                Err(error) => {
                    return Err(TestCaseError::fail(format!(
                        "{error}
{function}
{patch:?}"
                    )));
                }
            };
            let own = |function| {
                let all = trace(function).into_iter();
                all.filter(|one| one.0 != u32::MAX).collect::<Vec<_>>()
            };
            let (before, after) = (own(&function), own(&changed));
            // Blocks are counted differently where a run is cut off.
            let common = before.len().min(after.len());
            prop_assert_eq!(
                &before[..common],
                &after[..common],
                "{}
{}",
                function,
                changed
            );
            tried.set(tried.get() + 1);
            Ok(())
        },
    );
    result.expect("a chain computes the same");
    assert!(tried.get() > CHAINS, "{} chains", tried.get());
}
