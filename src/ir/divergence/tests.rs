use super::*;
use crate::builder::{FunctionBuilder, target};
use crate::op::Op;
use crate::opcode::{Access, Opcode, Order, Scope};
use crate::types::{Space, Special, Type};
use proptest::prelude::*;
use rustc_hash::FxHashMap;

const ADD: Opcode = Opcode::Op(Op::Add { width: 32 });
const BIT: Opcode = Opcode::Op(Op::Extend {
    from: 32,
    to: 1,
    signed: false,
});

fn analyse(function: &Function) -> (LoopNest, Divergence) {
    let cfg = Cfg::new(function);
    let nest = LoopNest::new(&cfg, &DominatorTree::dominators(&cfg));
    let post = DominatorTree::post_dominators(function, &cfg);
    let divergence = Divergence::new(function, &cfg, &post, &nest);
    (nest, divergence)
}

fn branch(condition: Value, then: (BlockId, &[Value]), other: (BlockId, &[Value])) -> Terminator {
    Terminator::Branch {
        condition,
        then: target(then.0, then.1),
        otherwise: target(other.0, other.1),
        uniform: false,
    }
}

/// A diamond that is decided by a bit of `special` and joins two constants.
fn diamond(special: Special) -> Level {
    let mut builder = FunctionBuilder::new("diamond", true);
    let blocks: Vec<_> = (0..4).map(|_| builder.block()).collect();
    let value = builder.special(special, 32);
    let bit = builder.single(blocks[0], BIT, &[value], 1, 0);
    let (one, two) = (builder.constant(32, 1), builder.constant(32, 2));
    let joined = builder.param(blocks[3], 32);
    builder.terminate(
        blocks[0],
        branch(bit, (blocks[1], &[]), (blocks[2], &[])),
        0,
    );
    builder.terminate(blocks[1], Terminator::Jump(target(blocks[3], &[one])), 0);
    builder.terminate(blocks[2], Terminator::Jump(target(blocks[3], &[two])), 0);
    builder.terminate(blocks[3], Terminator::Return, 0);
    let function = builder.finish();
    let (_, divergence) = analyse(&function);
    assert_eq!(divergence.branch(blocks[0]), divergence.value(bit));
    divergence.value(joined)
}

#[test]
fn a_join_has_the_level_of_the_branch() {
    assert_eq!(diamond(Special::Ctaid(0)), Level::Uniform);
    assert_eq!(diamond(Special::Tid(1)), Level::Row);
    assert_eq!(diamond(Special::Tid(0)), Level::Divergent);
}

#[test]
fn both_edges_to_one_block_are_a_join() {
    let mut builder = FunctionBuilder::new("f", true);
    let (entry, end) = (builder.block(), builder.block());
    let lane = builder.special(Special::LaneId, 32);
    let bit = builder.single(entry, BIT, &[lane], 1, 0);
    let (one, two) = (builder.constant(32, 1), builder.constant(32, 2));
    let joined = builder.param(end, 32);
    builder.terminate(entry, branch(bit, (end, &[one]), (end, &[two])), 0);
    builder.terminate(end, Terminator::Return, 0);
    assert_eq!(analyse(&builder.finish()).1.value(joined), Level::Divergent);
}

/// A loop that counts from 0 and goes on while a bit of (counter + `special`) is set, after a check that returns.
fn counted(special: Special) -> (Level, Level, Level) {
    let mut builder = FunctionBuilder::new("loop", true);
    let [entry, header, after, ret] = std::array::from_fn(|_| builder.block());
    let bound = builder.special(special, 32);
    let lane = builder.special(Special::LaneId, 32);
    let (zero, one) = (builder.constant(32, 0), builder.constant(32, 1));
    let early = builder.single(entry, BIT, &[lane], 1, 0);
    builder.terminate(entry, branch(early, (ret, &[]), (header, &[zero])), 0);
    let counter = builder.param(header, 32);
    let next = builder.single(header, ADD, &[counter, one], 32, 0);
    let sum = builder.single(header, ADD, &[next, bound], 32, 0);
    let more = builder.single(header, BIT, &[sum], 1, 0);
    builder.terminate(header, branch(more, (header, &[next]), (after, &[])), 0);
    let outside = builder.single(after, ADD, &[next, one], 32, 0);
    builder.terminate(after, Terminator::Jump(target(ret, &[])), 0);
    builder.terminate(ret, Terminator::Return, 0);
    let function = builder.finish();
    let (nest, divergence) = analyse(&function);
    assert_eq!(
        divergence.value_at(&nest, next, after),
        divergence.value(outside)
    );
    (
        divergence.value(counter),
        divergence.value(outside),
        divergence.loop_exits(LoopId(0)),
    )
}

#[test]
fn a_counter_is_uniform_in_each_iteration_and_after_the_loop_if_all_leave_together() {
    use Level::*;
    assert_eq!(counted(Special::Ntid(0)), (Uniform, Uniform, Uniform));
    assert_eq!(counted(Special::Tid(2)), (Uniform, Row, Row));
    assert_eq!(counted(Special::Tid(0)), (Uniform, Divergent, Divergent));
}

#[test]
fn a_long_ladder_of_divergent_branches_is_given_up_on() {
    // Each block goes to the next or skips one; a parameter that nothing but equal arguments reach is at the end.
    let count = 4000u32;
    let mut builder = FunctionBuilder::new("ladder", true);
    let blocks: Vec<_> = (0..count).map(|_| builder.block()).collect();
    let lane = builder.special(Special::LaneId, 32);
    let bit = builder.single(blocks[0], BIT, &[lane], 1, 0);
    for pair in blocks.windows(3) {
        builder.terminate(pair[0], branch(bit, (pair[1], &[]), (pair[2], &[])), 0);
    }
    let end = builder.block();
    let alone = builder.param(end, 32);
    let last = blocks[blocks.len() - 1];
    let one = builder.constant(32, 1);
    builder.terminate(
        blocks[blocks.len() - 2],
        Terminator::Jump(target(last, &[])),
        0,
    );
    builder.terminate(last, Terminator::Jump(target(end, &[one])), 0);
    builder.terminate(end, Terminator::Return, 0);
    let (_, divergence) = analyse(&builder.finish());
    assert_eq!(divergence.value(alone), Level::Divergent);
    assert_eq!(divergence.value(one), Level::Uniform);
}

fn load(space: Space, order: Order, non_coherent: bool) -> Opcode {
    Opcode::Load(Access {
        space,
        ty: Type::B32,
        elements: 1,
        order,
        scope: Scope::System,
        non_coherent,
        offset: 0,
        hints: false,
        skipped: 0,
    })
}

#[test]
fn loads_are_uniform_only_from_memory_that_stays() {
    let level = |opcode: Opcode, store: bool| {
        let mut builder = FunctionBuilder::new("f", true);
        let block = builder.block();
        let address = builder.constant(64, 4096);
        let value = builder.single(block, opcode, &[address], 32, 0);
        if store {
            let Opcode::Load(access) = load(Space::Global, Order::Weak, false) else {
                unreachable!("load gives a load")
            };
            builder.inst(
                block,
                Opcode::Store(access),
                &[address, value],
                &[],
                None,
                1,
            );
        }
        builder.terminate(block, Terminator::Return, 2);
        analyse(&builder.finish()).1.value(value)
    };
    let weak = |space| load(space, Order::Weak, false);
    assert_eq!(level(weak(Space::Global), false), Level::Uniform);
    assert_eq!(level(weak(Space::Global), true), Level::Divergent);
    assert_eq!(level(weak(Space::Generic), true), Level::Divergent);
    assert_eq!(level(weak(Space::ParamEntry), true), Level::Uniform);
    assert_eq!(level(weak(Space::Const), true), Level::Uniform);
    assert_eq!(level(weak(Space::Local), false), Level::Divergent);
    assert_eq!(
        level(load(Space::Global, Order::Weak, true), true),
        Level::Uniform
    );
    assert_eq!(
        level(load(Space::Global, Order::Volatile, false), false),
        Level::Divergent
    );
    assert_eq!(level(Opcode::ActiveMask, false), Level::Divergent);
}

/// One block of a random function: which values its sum adds, how it ends, what it passes on. Numbers are taken modulo
/// what there is to choose from.
#[derive(Clone, Debug)]
struct Recipe {
    addends: (usize, usize),
    condition: usize,
    targets: Vec<(usize, usize)>,
}

fn recipe() -> impl Strategy<Value = Recipe> {
    (
        (0usize..64, 0usize..64),
        0usize..64,
        prop::collection::vec((0usize..64, 0usize..64), 0..3),
    )
        .prop_map(|(addends, condition, targets)| Recipe {
            addends,
            condition,
            targets,
        })
}

/// A function of one block for each recipe; every block has one parameter (but the entry), a sum and a bit.
fn build(recipes: &[Recipe]) -> Function {
    let next = |target: usize| 1 + target % (recipes.len() - 1);
    let lists: Vec<Vec<u32>> = recipes
        .iter()
        .map(|r| r.targets.iter().map(|t| next(t.0) as u32).collect())
        .collect();
    let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
    let cfg = Cfg::new(&crate::builder::graph(&lists));
    let dominators = DominatorTree::dominators(&cfg);
    let mut builder = FunctionBuilder::new("random", true);
    let leaves = [
        builder.constant(32, 1),
        builder.constant(32, 2),
        builder.special(Special::Tid(0), 32),
        builder.special(Special::Tid(1), 32),
        builder.special(Special::Ctaid(0), 32),
    ];
    let blocks: Vec<_> = recipes.iter().map(|_| builder.block()).collect();
    let params: Vec<_> = blocks[1..].iter().map(|&b| builder.param(b, 32)).collect();
    let mut sums = vec![None; recipes.len()];
    for &block in cfg.reverse_post_order() {
        let recipe = &recipes[block.index()];
        let mut seen = leaves.to_vec();
        for &other in cfg.reverse_post_order() {
            if dominators.dominates(other, block) {
                seen.extend(other.index().checked_sub(1).map(|index| params[index]));
                seen.extend(sums[other.index()]);
            }
        }
        let addends = [recipe.addends.0, recipe.addends.1].map(|n| seen[n % seen.len()]);
        let sum = builder.single(block, ADD, &addends, 32, 0);
        sums[block.index()] = Some(sum);
        seen.push(sum);
        let bit = builder.single(block, BIT, &[seen[recipe.condition % seen.len()]], 1, 0);
        let targets: Vec<_> = recipe
            .targets
            .iter()
            .map(|t| (blocks[next(t.0)], [seen[t.1 % seen.len()]]))
            .collect();
        let terminator = match &targets[..] {
            [] => Terminator::Return,
            [one] => Terminator::Jump(target(one.0, &one.1)),
            [one, two, ..] => branch(bit, (one.0, &one.1), (two.0, &two.1)),
        };
        builder.terminate(block, terminator, 0);
    }
    builder.finish()
}

/// What a thread does: for each instance of a block the values that it reads or defines.
type Trace = FxHashMap<(BlockId, Vec<u32>), Vec<(Value, u64)>>;

/// Runs one thread for a bounded number of blocks.
fn execute(function: &Function, nest: &LoopNest, tid: [u64; 2]) -> Trace {
    let mut values: Vec<u64> = function
        .values
        .iter()
        .map(|data| match data.def {
            ValueDef::Constant(bits) => bits,
            ValueDef::Special(Special::Tid(axis)) => tid[usize::from(axis)],
            _ => 5,
        })
        .collect();
    let mut trace = Trace::default();
    // Iteration of each loop; only those of loops around the current block count.
    let mut iteration = vec![0u32; nest.loops.len()];
    let mut block = BlockId(0);
    for _ in 0..60 {
        let body = function.block(block);
        let mut record: Vec<_> = body
            .params
            .iter()
            .map(|&v| (v, values[v.index()]))
            .collect();
        for &id in &body.insts {
            let inst = function.inst(id);
            let args: Vec<u64> = inst.args.iter().map(|a| values[a.index()]).collect();
            record.extend(inst.args.iter().copied().zip(args.iter().copied()));
            let result = match args[..] {
                [a] => a & 1,
                [a, b] => (a + b) & 0xffff_ffff,
                _ => unreachable!("sums and bits"),
            };
            values[inst.results[0].index()] = result;
            record.push((inst.results[0], result));
        }
        let key = nest
            .around(block)
            .map(|id| iteration[id.0 as usize])
            .collect();
        trace.insert((block, key), record);
        let next = match &body.terminator {
            Terminator::Jump(target) => target,
            Terminator::Branch {
                condition,
                then,
                otherwise,
                ..
            } => {
                if values[condition.index()] == 1 {
                    then
                } else {
                    otherwise
                }
            }
            _ => break,
        };
        let args: Vec<u64> = next.args.iter().map(|a| values[a.index()]).collect();
        for (param, arg) in function.block(next.block).params.iter().zip(args) {
            values[param.index()] = arg;
        }
        for id in nest.ids().filter(|&id| nest.get(id).header == next.block) {
            let count = &mut iteration[id.0 as usize];
            *count = if nest.contains(id, block) {
                *count + 1
            } else {
                0
            };
        }
        block = next.block;
    }
    trace
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn threads_agree_on_what_is_called_uniform(recipes in prop::collection::vec(recipe(), 3..9)) {
        let function = build(&recipes);
        let (nest, divergence) = analyse(&function);
        let tids = [[0, 0], [1, 0], [2, 0], [0, 1], [3, 1], [2, 2]];
        let traces: Vec<_> = tids.iter().map(|&tid| execute(&function, &nest, tid)).collect();
        for (a, first) in traces.iter().enumerate() {
            for (b, second) in traces.iter().enumerate().skip(a + 1) {
                let limit = if tids[a][1] == tids[b][1] { Level::Row } else { Level::Uniform };
                for (instance, record) in first {
                    let Some(other) = second.get(instance) else { continue };
                    for (&(value, bits), &(same, others)) in record.iter().zip(other) {
                        prop_assert_eq!(value, same);
                        let level = divergence.value_at(&nest, value, instance.0);
                        prop_assert!(
                            level > limit || bits == others,
                            "{} is {:?} in {} but {} and {}", value, level, instance.0, bits, others
                        );
                    }
                }
            }
        }
    }
}
