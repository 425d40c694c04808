use super::parse;
use crate::builder::{FunctionBuilder, target};
use crate::fast_math::FastMath;
use crate::function::{Base, Function, Granted, NoWrap, Param, Promises, Terminator};
use crate::op::{Comparison, FloatMode, FloatOp, Logic, Op, Permute, Product};
use crate::opcode::{
    Access, AtomicOp, BarrierKind, Effects, Opcode, Order, Scope, ShuffleMode, VoteOrCount,
};
use crate::types::{Kind, LaneMask, Space, Special, Type};
use crate::verify::verify;
use proptest::prelude::*;

/// A function with something of everything.
fn function() -> Function {
    let mut builder = FunctionBuilder::new("f", true);
    let (entry, end) = (builder.block(), builder.block());
    let lane = builder.special(Special::Tid(0), 32);
    let eight = builder.constant(32, 8);
    let address = builder.address(Base::Variable(Space::Global, 0), 4, 64);
    builder.function.variables.push("table".into());
    let wide = Op::Mul {
        product: Product::Wide,
        width: 32,
        signed: true,
    };
    let product = builder.single(entry, Opcode::Op(wide), &[lane, eight], 64, 3);
    let guard = builder.undefined(1);
    let load = Opcode::Load(Access {
        space: Space::Global,
        ty: Type::F32,
        elements: 2,
        order: Order::Weak,
        scope: Scope::System,
        non_coherent: true,
        offset: -8,
        hints: false,
        skipped: 0,
    });
    builder.inst(entry, load, &[address], &[32, 32], Some((guard, true)), 4);
    let param = builder.param(end, 64);
    builder.terminate(entry, Terminator::Jump(target(end, &[product])), 5);
    let zero = builder.constant(64, 0);
    let add = Opcode::Op(Op::Add { width: 64 });
    builder.single(end, add, &[param, zero], 64, 6);
    builder.terminate(end, Terminator::Return, 7);
    builder.finish()
}

const TEXT: &str = "kernel f() {
    variable global table
block0:
    v3: b64 = mul.wide.32.signed %tid.x, 8 ; 3
    @!undefined.v4 v5: b32, v6: b32 = load.global.nc.v2.f32[-8] &table+4 ; 4
    jump block1(v3) ; 5
block1(v7: b64):
    v9: b64 = add.64 v7, 0 ; 6
    return ; 7
}
";

/// What is read prints as it was.
fn round(function: &Function) -> Function {
    let text = function.to_string();
    let back = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back.to_string(), text);
    assert_eq!(verify(function), verify(&back));
    back
}

#[test]
fn a_function_reads_like_assembly() {
    assert_eq!(function().to_string(), TEXT);
    round(&function());
}

#[test]
fn the_header_and_promises_come_back() {
    let mut function = function();
    function.name = "a name".into();
    function.entry = false;
    function.callers_may_write = true;
    function.required_threads = Some([32, 4, 1]);
    function.max_threads = Some([256, 1, 1]);
    function.variables.push("param".into());
    function.variables.push("table".into());
    function.dynamic_shared.push(1);
    let param = |name: &str, bytes, pointer| Param {
        name: name.into(),
        ty: Type::B64,
        bytes,
        pointer,
        pointee_align: if bytes == 13 { 16 } else { 1 },
        points_to_global: bytes == 8,
        no_alias: bytes == 13,
    };
    function.params = vec![
        param("param", 8, Some(None)),
        param("of \"bytes\"", 13, Some(Some(Space::Shared))),
        param("plain", 8, None),
    ];
    let product = function.insts[0].results[0];
    let wrap = NoWrap {
        signed: true,
        unsigned: false,
    };
    *function.promises_mut(product) = Promises {
        fast_math: FastMath::CONTRACT.or(FastMath::NSZ),
        no_wrap: wrap,
        widened: Some(5),
        granted: Some((Granted::Disjoint, 9)),
    };
    let last = function.insts[2].results[0];
    function.promises_mut(last).granted = Some((Granted::Range, 0));
    let condition = function.insts[1].guard.unwrap().0;
    function.blocks[1].assumed.push(condition);
    let back = round(&function);
    assert_eq!(back.params[1].bytes, 13);
    assert_eq!(back.required_threads, function.required_threads);
    assert_eq!(back.dynamic_shared, [1]);
    let product = back.insts[0].results[0];
    assert_eq!(back.promises(product), function.promises(product));
    assert_eq!(back.blocks[1].assumed.len(), 1);
}

/// Operations of every form that words have.
fn opcodes() -> Vec<Opcode> {
    let mode = FloatMode {
        ftz: true,
        relu: true,
        ..FloatMode::NEAREST
    };
    let pure = [
        Op::Add { width: 32 },
        Op::MulAdd {
            product: Product::High,
            width: 64,
            signed: false,
            saturate: true,
        },
        Op::Lop3 {
            table: 232,
            predicate: Some(Logic::And),
        },
        Op::Lop3 {
            table: 1,
            predicate: None,
        },
        Op::Prmt(Permute::Rc16),
        Op::Fns,
        Op::Compare {
            comparison: Comparison::LtU,
            ty: Type::new(Kind::Float16x2, 32),
            logic: Some(Logic::Xor),
            ftz: true,
        },
        Op::Float {
            op: FloatOp::Fma,
            ty: Type::F64,
            mode,
        },
        Op::Convert {
            from: Type::new(Kind::BFloat, 16),
            to: Type::new(Kind::Signed, 8),
            mode: FloatMode::NEAREST,
            integral: true,
        },
        Op::IsSpace {
            space: Space::SharedCluster,
        },
    ];
    let access = |space, order, scope, hints| Access {
        space,
        ty: Type::new(Kind::Unsigned, 16),
        elements: 4,
        order,
        scope,
        non_coherent: false,
        offset: 1 << 40,
        hints,
        skipped: 0,
    };
    let machine = [
        Opcode::Load(access(Space::Generic, Order::Acquire, Scope::Block, true)),
        Opcode::Store(access(Space::ParamFunc, Order::Weak, Scope::Device, false)),
        Opcode::Store(Access {
            skipped: 0b1010,
            ..access(Space::Global, Order::Weak, Scope::System, false)
        }),
        Opcode::Atomic {
            op: AtomicOp::CompareExchange,
            ty: Type::B64,
            space: Space::Shared,
            order: Order::Relaxed,
            scope: Scope::Cluster,
            offset: -8,
        },
        Opcode::Barrier {
            kind: BarrierKind::Reduce(VoteOrCount::Popc),
            aligned: true,
        },
        Opcode::Fence(Order::AcqRel, Scope::Device),
        Opcode::Shuffle {
            mode: ShuffleMode::Butterfly,
            sync: true,
        },
        Opcode::ActiveMask,
        Opcode::Nop,
        Opcode::Call {
            callee: Some("other one".into()),
            effects: Effects::ALL,
        },
        Opcode::Call {
            callee: Some("indirect".into()),
            effects: Effects::NONE,
        },
        Opcode::Call {
            callee: None,
            effects: Effects {
                writes: true,
                ..Effects::NONE
            },
        },
        Opcode::Opaque {
            effects: Effects::ALL,
        },
        Opcode::Opaque {
            effects: Effects::NONE,
        },
    ];
    pure.map(Opcode::Op).into_iter().chain(machine).collect()
}

#[test]
fn operations_and_operands_of_any_width_come_back() {
    for opcode in opcodes() {
        let mut builder = FunctionBuilder::new("f", true);
        let block = builder.block();
        let args = [
            builder.constant(16, 0x8000),
            builder.constant(1, 1),
            builder.special(Special::LaneMask(LaneMask::Gt), 32),
            builder.special(Special::Other(7), 64),
            builder.address(Base::Function(3), -4, 32),
        ];
        builder.inst(block, opcode.clone(), &args, &[1, 128], None, 0);
        builder.terminate(block, Terminator::Exit, 0);
        let function = builder.finish();
        let text = function.to_string();
        let back = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(back.insts[0].opcode, opcode, "{text}");
        let widths = |function: &Function| {
            let args = function.insts[0].args.iter();
            let all: Vec<_> = args.map(|&arg| function.value(arg).clone()).collect();
            format!("{all:?}")
        };
        assert_eq!(widths(&function), widths(&back), "{text}");
    }
}

#[test]
fn errors_name_the_line() {
    for (from, to, line, message) in [
        ("add.64", "ad.64", 8, "unknown word `ad`"),
        ("add.64", "add.64.signed", 8, "unexpected `signed`"),
        ("v7, 0", "v8, 0", 8, "v8 is not defined"),
        ("block1(v3)", "block2(v3)", 6, "there is no block2"),
        ("v9: b64", "v7: b64", 8, "v7 is defined twice"),
        ("    return ; 7\n", "", 9, "the block in front has no end"),
        ("&table+4", "&tables+4", 5, "there is no `tables`"),
        ("}\n", "", 9, "the function does not end"),
        ("%tid.x", "%tid.w", 4, "unknown register `%tid.w`"),
        ("; 6", "", 8, "expected `;` and the origin"),
    ] {
        let error = parse(&TEXT.replace(from, to)).unwrap_err();
        assert_eq!((error.line, error.message.as_str()), (line, message));
    }
}

proptest! {
    /// Any line in place of one: an error or a function, never a panic.
    #[test]
    fn broken_lines_are_refused_or_read(line in 0usize..9, at in 0usize..60, text in "[ -~]{0,6}") {
        let mut lines: Vec<String> = TEXT.lines().map(str::to_owned).collect();
        let changed = &mut lines[line];
        let at = at.min(changed.len());
        let end = (at + text.len() / 2).min(changed.len());
        changed.replace_range(at..end, &text);
        if let Ok(function) = parse(&lines.join("\n")) {
            let text = function.to_string();
            prop_assert_eq!(parse(&text).unwrap().to_string(), text);
        }
    }
}
