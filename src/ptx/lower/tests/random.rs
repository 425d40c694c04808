//! Random programs over a few registers of two widths: the register form run directly against the SSA form.

use super::super::*;
use crate::decode::form::{Register, Source};
use proptest::prelude::*;
use ptxasw_ir::function::{Inst, InstId, ValueDef};
use ptxasw_ir::semantics::{fold, operand_widths};
use ptxasw_ir::types::Type;
use ptxasw_ir::verify::verify;

/// Registers: four of 32 bits, two of 64, two predicates.
const WIDTHS: [u8; 8] = [32, 32, 32, 32, 64, 64, 1, 1];
/// Blocks or instructions after which a run is cut off.
const STEPS: usize = 500;

fn operations() -> Vec<Op> {
    vec![
        Op::Add { width: 32 },
        Op::Sub { width: 64 },
        Op::Xor { width: 32 },
        Op::Copy { width: 16 },
        Op::Select { width: 32 },
        Op::Not { width: 1 },
        Op::Compare {
            comparison: ptxasw_ir::op::Comparison::Lt,
            ty: Type::S32,
            logic: None,
            ftz: false,
        },
        Op::Convert {
            from: Type::new(ptxasw_ir::types::Kind::Signed, 16),
            to: Type::S32,
            mode: ptxasw_ir::op::FloatMode {
                rounding: ptxasw_ir::op::Rounding::Approximate,
                ..ptxasw_ir::op::FloatMode::NEAREST
            },
            integral: false,
        },
        Op::Unpack {
            parts: 2,
            width: 32,
        },
    ]
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        (0u32..8).prop_map(|reg| Source::Reg(Reg(reg))),
        (6u32..8).prop_map(|reg| Source::NotReg(Reg(reg))),
        any::<u64>().prop_map(Source::Imm),
        (0u32..4, 0u8..4, any::<bool>()).prop_map(|(reg, byte, signed)| Source::Part {
            reg: Reg(reg),
            bit: byte * 8,
            width: 8,
            signed,
        }),
    ]
}

pub(super) fn instruction() -> impl Strategy<Value = Instruction> {
    let operation = (
        prop::sample::select(operations()),
        prop::collection::vec(source(), 3),
        prop::collection::vec(prop::option::of((0u32..8).prop_map(Reg)), 2),
    )
        .prop_map(|(op, mut operands, mut results)| {
            operands.truncate(operand_widths(&op).len());
            results.truncate(ptxasw_ir::semantics::result_widths(&op).len());
            // Two destinations are two registers.
            if results.len() == 2 && results[0] == results[1] {
                results[1] = None;
            }
            (Action::Do(Opcode::Op(op)), operands, results)
        });
    let control = prop_oneof![
        4 => (0u32..20).prop_map(|target| Action::Branch { target, uniform: false }),
        1 => Just(Action::Return),
        1 => Just(Action::Exit),
    ]
    .prop_map(|action| (action, Vec::new(), Vec::new()));
    let guard = prop::option::of((6u32..8, any::<bool>()));
    (
        prop_oneof![3 => operation.boxed(), 1 => control.boxed()],
        guard,
    )
        .prop_map(|((action, operands, results), guard)| Instruction {
            statement: 0,
            span: crate::ast::Span::default(),
            spelling: 0,
            location: None,
            guard: guard.map(|(reg, negated)| (Reg(reg), negated)),
            action,
            results: results.into_iter().collect(),
            operands: operands.into_iter().collect(),
            used_bytes: None,
            offsets: None,
        })
}

/// A kernel that first gives every register a value, then does as `instructions` say.
pub(super) fn program(mut instructions: Vec<Instruction>) -> form::Function {
    let prologue = WIDTHS.iter().zip(0u32..).map(|(&width, reg)| Instruction {
        statement: 0,
        span: crate::ast::Span::default(),
        spelling: 0,
        location: None,
        guard: None,
        action: Action::Do(Opcode::Op(Op::Copy { width })),
        results: SmallVec::from_slice(&[Some(Reg(reg))]),
        operands: SmallVec::from_slice(&[Source::Imm(0x1234_5678_9abc_def1 << reg)]),
        used_bytes: None,
        offsets: None,
    });
    let offset = WIDTHS.len() as u32;
    let end = instructions.len() as u32;
    for instruction in &mut instructions {
        if let Action::Branch { target, .. } = &mut instruction.action {
            *target = offset + (*target).min(end);
        }
    }
    let mut all: Vec<Instruction> = prologue.chain(instructions).collect();
    for (index, instruction) in (0u32..).zip(&mut all) {
        instruction.statement = index;
    }
    form::Function {
        entry: true,
        defined: true,
        registers: WIDTHS
            .iter()
            .map(|&bits| Register {
                name: "%r".into(),
                ty: Type::new(ptxasw_ir::types::Kind::Bits, bits),
                depth: 0,
                half: false,
            })
            .collect(),
        instructions: all,
        ..form::Function::default()
    }
}

fn cut(bits: u64, width: u8) -> u64 {
    if width >= 64 {
        bits
    } else {
        bits & ((1 << width) - 1)
    }
}

/// Sign or zero extends the lower `from` bits to `to` bits.
fn extend(bits: u64, from: u8, to: u8, signed: bool) -> u64 {
    let low = cut(bits, from);
    let negative = signed && from < 64 && low >> (from - 1) & 1 == 1;
    cut(
        if negative {
            low | u64::MAX << from
        } else {
            low
        },
        to,
    )
}

/// One write: statement, register, value; those of one statement by register. What both forms are compared by.
type Write = (u32, Reg, u64);

/// The writes, and whether the program came to its end.
fn run_registers(function: &form::Function) -> (Vec<Write>, bool) {
    let mut registers = [0u64; 8];
    let mut writes = Vec::new();
    let mut next = 0;
    for _ in 0..STEPS {
        let Some(instruction) = function.instructions.get(next) else {
            return (writes, true);
        };
        next += 1;
        let holds = instruction
            .guard
            .is_none_or(|(reg, negated)| (registers[reg.0 as usize] == 1) != negated);
        match &instruction.action {
            Action::Branch { target, .. } if holds => next = *target as usize,
            Action::Return | Action::Exit if holds => return (writes, true),
            Action::Do(Opcode::Op(op)) => {
                let widths = operand_widths(op);
                let args: Vec<u64> = instruction
                    .operands
                    .iter()
                    .zip(widths)
                    .map(|(source, width)| match *source {
                        Source::Reg(reg) => cut(registers[reg.0 as usize], width),
                        Source::NotReg(reg) => cut(registers[reg.0 as usize] ^ 1, width),
                        Source::Imm(bits) => cut(bits, width),
                        Source::Part {
                            reg,
                            bit,
                            width: part,
                            signed,
                        } => extend(registers[reg.0 as usize] >> bit, part, width, signed),
                        _ => unreachable!("no other sources are generated"),
                    })
                    .collect();
                let first = writes.len();
                let signed = matches!(op, Op::Convert { to, .. } if to.signed());
                let widths = ptxasw_ir::semantics::result_widths(op);
                for ((result, reg), width) in fold(op, &args)
                    .into_iter()
                    .zip(&instruction.results)
                    .zip(widths)
                {
                    let Some(reg) = reg else { continue };
                    if holds {
                        registers[reg.0 as usize] =
                            extend(result, width, WIDTHS[reg.0 as usize], signed);
                    }
                    writes.push((instruction.statement, *reg, registers[reg.0 as usize]));
                }
                writes[first..].sort_unstable();
            }
            _ => {}
        }
    }
    (writes, false)
}

/// Runs the SSA form: its writes, and whether it came to its end.
fn run_values(lowered: &Lowered) -> (Vec<Write>, bool) {
    let function = &lowered.function;
    let mut values: Vec<u64> = function
        .values
        .iter()
        .map(|data| match data.def {
            ValueDef::Constant(bits) => bits,
            _ => 0,
        })
        .collect();
    let mut writes: Vec<Write> = Vec::new();
    let mut block = BlockId(0);
    for _ in 0..STEPS {
        let mut first = writes.len();
        for &id in &function.block(block).insts {
            let inst = function.inst(id);
            if writes
                .get(first)
                .is_some_and(|write| write.0 != inst.origin)
            {
                first = writes.len();
            }
            let Opcode::Op(op) = &inst.opcode else {
                unreachable!("only pure operations")
            };
            let args: Vec<u64> = inst.args.iter().map(|a| values[a.index()]).collect();
            for (value, bits) in inst.results.iter().zip(fold(op, &args)) {
                values[value.index()] = bits;
                if let Some(reg) = lowered.registers[value.index()]
                    && completes(lowered, id, reg)
                {
                    writes.push((inst.origin, reg, bits));
                    writes[first..].sort_unstable();
                }
            }
        }
        let next = match &function.block(block).terminator {
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
            _ => return (writes, true),
        };
        let args: Vec<u64> = next.args.iter().map(|a| values[a.index()]).collect();
        for (param, arg) in function.block(next.block).params.iter().zip(args) {
            values[param.index()] = arg;
        }
        block = next.block;
    }
    (writes, false)
}

/// Whether no later instruction of the same statement gives `reg` a value.
fn completes(lowered: &Lowered, id: InstId, reg: Reg) -> bool {
    let (function, registers) = (&lowered.function, &lowered.registers);
    let inst = function.inst(id);
    let same = |other: &&Inst| other.origin == inst.origin;
    let mut later = function.insts[id.index() + 1..].iter().take_while(same);
    !later.any(|other| {
        other
            .results
            .iter()
            .any(|v| registers[v.index()] == Some(reg))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn both_forms_write_the_same(instructions in prop::collection::vec(instruction(), 1..20)) {
        let function = program(instructions);
        let lowered = lower(&form::Module::default(), &function).expect("lowers");
        prop_assert_eq!(verify(&lowered.function), []);
        let text = lowered.function.to_string();
        prop_assert_eq!(ptxasw_ir::text::parse(&text).map(|f| f.to_string()), Ok(text));
        let (direct, ssa) = (run_registers(&function), run_values(&lowered));
        // Steps are counted differently; what both did agrees.
        let common = direct.0.len().min(ssa.0.len());
        prop_assert_eq!(&direct.0[..common], &ssa.0[..common], "{}", lowered.function);
        if direct.1 && ssa.1 {
            prop_assert_eq!(direct.0.len(), ssa.0.len(), "{}", lowered.function);
        }
        // Only endless loops are cut off.
        prop_assert!(direct.1 == ssa.1, "{}", lowered.function);
    }
}

/// What a function of pure operations computes: the origin and the results of each instruction that runs.
pub(super) fn trace(function: &ptxasw_ir::function::Function) -> Vec<(u32, Vec<u64>)> {
    let constants = function.values.iter().map(|data| match data.def {
        ValueDef::Constant(bits) => bits,
        _ => 0,
    });
    let mut values: Vec<u64> = constants.collect();
    let (mut block, mut out) = (BlockId(0), Vec::new());
    for _ in 0..STEPS {
        for &id in &function.block(block).insts {
            let inst = function.inst(id);
            let Opcode::Op(op) = &inst.opcode else {
                unreachable!("only pure operations")
            };
            let args: Vec<u64> = inst.args.iter().map(|a| values[a.index()]).collect();
            let results: Vec<u64> = fold(op, &args).into_iter().collect();
            for (value, &bits) in inst.results.iter().zip(&results) {
                values[value.index()] = bits;
            }
            out.push((inst.origin, results));
        }
        let next = match &function.block(block).terminator {
            Terminator::Jump(target) => target,
            Terminator::Branch {
                condition,
                then,
                otherwise,
                ..
            } => match values[condition.index()] {
                1 => then,
                _ => otherwise,
            },
            _ => break,
        };
        let args: Vec<u64> = next.args.iter().map(|a| values[a.index()]).collect();
        for (param, arg) in function.block(next.block).params.iter().zip(args) {
            values[param.index()] = arg;
        }
        block = next.block;
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    /// A clone of any region, entered anywhere and left anywhere, computes what the original does.
    #[test]
    fn clones_compute_the_same(
        instructions in prop::collection::vec(instruction(), 1..20),
        enter in any::<prop::sample::Index>(),
        leave in any::<prop::sample::Index>(),
        blocks in any::<u32>(),
        conditions in any::<[bool; 2]>(),
    ) {
        use ptxasw_ir::patch::{CloneId, Exit, Patch, PatchError, Point, Ref, RegionClone, verify};
        let function = program(instructions);
        let function = lower(&form::Module::default(), &function).expect("lowers").function;
        let mut points: Vec<Point> = function.block_ids().map(Point::End).collect();
        points.extend((0..function.insts.len() as u32).map(|id| Point::Before(InstId(id))));
        let (enter, leave) = (*enter.get(&points), *leave.get(&points));
        let bit = |bit: bool| Ref::Constant(1, u64::from(bit));
        let clone = |exits| RegionClone {
            id: CloneId(0),
            enter,
            condition: bit(conditions[0]),
            after: None,
            blocks: function.block_ids().filter(|b| b.0 > 0 && blocks >> (b.0 % 32) & 1 == 1).collect(),
            exits,
 settled: Vec::new(),
 together: false,
};
        let exit = Exit { at: leave, stay: Some(bit(conditions[1])) };
        for exits in [vec![], vec![exit]] {
            let patch = Patch { clones: vec![clone(exits)], ..Patch::default() };
            match verify(&function, &patch) {
                Ok(verified) => {
                    let changed = verified.applied.function;
                    let (before, after) = (trace(&function), trace(&changed));
                    // Blocks are counted differently where a run is cut off.
                    let common = before.len().min(after.len());
                    prop_assert_eq!(&before[..common], &after[..common], "{}\n{}", function, changed);
                    let cut = trace_is_cut(&function);
                    prop_assert!(cut || before.len() == after.len(), "{}\n{}", function, changed);
                }
                // Statements of several instructions, regions without the exit, blocks that the clone does not come to.
                Err(PatchError::InsideStatement(_) | PatchError::NotCloned(..) | PatchError::Twice(_)) => {}
                Err(PatchError::Violation(ptxasw_ir::verify::Violation::Unreachable(_))) => {}
                Err(error) => prop_assert!(false, "{error}\n{function}\n{patch:?}"),
            }
        }
    }
}

/// Whether a run may be cut off: the function has a cycle.
fn trace_is_cut(function: &ptxasw_ir::function::Function) -> bool {
    let cfg = ptxasw_ir::cfg::Cfg::new(function);
    // A function without a cycle ends.
    function.block_ids().any(|block| {
        let position = cfg.position(block);
        let mut successors = cfg.successors(block);
        successors.any(|successor| cfg.position(successor) <= position)
    })
}
