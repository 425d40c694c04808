//! What is seen in the text alone, and what is refused; a module of which something is refused stays as it is.

use super::cases::*;
use super::guarded::guarded;
use super::regions::SWITCH;
use super::{Names, module, patched};
use crate::outputs::Kind;
use ptxasw::ir::function::BlockId;
use ptxasw::ir::op::{FloatMode, FloatOp, Op, Rounding};
use ptxasw::ir::opcode::{Access, Opcode, Order};
use ptxasw::ir::patch::{
    Amend, Amendment, CloneId, Directives, Insertion, NewResult, NewValue, Patch, Point, Ref,
    RegionClone, Relocation, Step,
};
use ptxasw::ir::types::{Space, Special, Type};

fn step(opcode: Opcode, args: &[Ref], results: &[NewResult], keep: bool) -> Step {
    Step::Inst {
        opcode,
        args: args.to_vec(),
        results: results.to_vec(),
        guard: None,
        origin: 8,
        keep,
    }
}

fn at_end(steps: Vec<Step>) -> Patch {
    let insertion = Insertion {
        at: Point::End(BlockId(0)).into(),
        steps,
    };
    Patch {
        insert: vec![insertion],
        ..Patch::default()
    }
}

const RESULT: NewResult = NewResult {
    value: NewValue(0),
    width: 32,
};

fn ir(body: &str, make: &dyn Fn(&Names) -> Patch) -> String {
    patched(&kernel(body), make, Kind::Ir).expect("it is written")
}

#[test]
fn an_unread_activemask_stays() {
    let text = patched(
        &kernel("  ret void\n"),
        &|_| at_end(vec![step(Opcode::ActiveMask, &[], &[RESULT], true)]),
        Kind::Ptx,
    );
    assert!(text.unwrap().contains("activemask"));
}

#[test]
fn amended_accesses() {
    let amended = |amend| {
        ir("  ret void\n", &|names| Patch {
            amend: vec![Amendment {
                clone: None,
                inst: names.inst("%a"),
                amend,
            }],
            ..Patch::default()
        })
    };
    let text = amended(Amend::NonCoherent);
    assert!(
        text.contains("load i32, ptr addrspace(1) %0, align 16, !invariant.load"),
        "{text}"
    );
    // A generic access, of a pointer of which nothing is known.
    let text = module(
        "define void @f(ptr %p) {\n  %a = load i32, ptr %p, align 4\n  store i32 %a, ptr %p, align 4\n  ret void\n}\n",
    );
    let amend = |names: &Names| Patch {
        amend: vec![
            Amendment {
                clone: None,
                inst: names.inst("%a"),
                amend: Amend::Space(Space::Global),
            },
            Amendment {
                clone: None,
                inst: names.store(0),
                amend: Amend::Space(Space::Global),
            },
        ],
        ..Patch::default()
    };
    let text = patched(&text, &amend, Kind::Ir).unwrap();
    for line in [
        "load i32, ptr addrspace(1)",
        "store i32 %a, ptr addrspace(1)",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

#[test]
fn directives_are_annotations() {
    let directives = Directives {
        max_registers: Some(64),
        required_threads: Some([128, 2, 1]),
        version: Some((6, 2)),
    };
    let patch = Patch {
        directives,
        ..Patch::default()
    };
    let text = kernel("  ret void\n");
    let ptx = patched(&text, &|_| patch.clone(), Kind::Ptx).unwrap();
    for line in [".maxnreg 64", ".reqntid 128, 2, 1"] {
        assert!(ptx.contains(line), "no `{line}` in\n{ptx}");
    }
    // Earlier annotations are removed.
    let annotated = text
        + "!nvvm.annotations = !{!0}\n!0 = !{ptr @k, !\"reqntidx\", i32 32, !\"maxnreg\", i32 9}\n";
    let ptx = patched(&annotated, &|_| patch.clone(), Kind::Ptx).unwrap();
    for line in [".maxnreg 64", ".reqntid 128, 2, 1"] {
        assert!(ptx.contains(line), "no `{line}` in\n{ptx}");
    }
}

/// A step has the line of the statement whose place it takes, or else that of the function.
#[test]
fn steps_have_source_lines() {
    let text = module(
        "define ptx_kernel void @k(ptr %p) !dbg !5 {
  %a = load i32, ptr %p, align 4, !dbg !7
  %b = add i32 %a, 1
  store i32 %b, ptr %p, align 4, !dbg !8
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"k.c\", directory: \"/\")
!2 = !DISubroutineType(types: !6)
!3 = !{i32 2, !\"Debug Info Version\", i32 3}
!4 = !{i32 7, !\"Dwarf Version\", i32 4}
!5 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 11, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!6 = !{null}
!7 = !DILocation(line: 12, column: 3, scope: !5)
!8 = !DILocation(line: 14, column: 5, scope: !5)
",
    );
    for (origin, line) in [
        (1, "line: 12, column: 3"),
        (2, "line: 11"),
        (3, "line: 14, column: 5"),
    ] {
        let make = |names: &Names| {
            let args = [names.value("%p").into(), Ref::Constant(32, 7)];
            let mut one = step(Opcode::Store(access(Type::B32, 1, 4)), &args, &[], false);
            if let Step::Inst { origin: own, .. } = &mut one {
                *own = origin;
            }
            at_end(vec![one])
        };
        let text = patched(&text, &make, Kind::Ir).unwrap();
        let store = text
            .lines()
            .find(|line| line.contains("store i32 7"))
            .unwrap();
        let node = store.rsplit("!dbg ").next().unwrap();
        let location = text
            .lines()
            .find(|line| line.starts_with(&format!("{node} = ")));
        assert!(location.unwrap().contains(line), "{line}: {text}");
    }
}

/// What made a value poison where it was unread is forgotten where a step reads it; what is undefined behaviour is not.
#[test]
fn promises_that_no_longer_hold() {
    let body = "  %poison = add nsw i32 %a, 1
  %p = getelementptr inbounds i32, ptr %src, i64 2
  %b = load i32, ptr %p, align 4, !range !0, !noundef !1
  %c = load i32, ptr %src1, align 4
  store i32 %c, ptr %dst, align 4
  store i32 %b, ptr %dst1, align 4
  ret void\n";
    let metadata = "!0 = !{i32 0, i32 100}\n!1 = !{}\n";
    let make = |names: &Names| {
        let mut patch = Patch::default();
        at(&mut patch, Point::Before(names.store(0)), |cursor| {
            let sum = add(cursor, names.value("%poison").into(), word(1));
            store(cursor, names.value("%p").into(), 0, sum);
            sum
        });
        let inst = names.inst("%b");
        let to = Point::Before(names.inst("%c")).into();
        patch.relocate = vec![Relocation { inst, to }];
        patch
    };
    let text = patched(&(kernel(body) + metadata), &make, Kind::Ir).unwrap();
    assert!(text.contains("%poison = add i32"), "{text}");
    assert!(text.contains("%p = getelementptr inbounds"), "{text}");
    let load = text
        .lines()
        .find(|line| line.contains("%b = load"))
        .unwrap();
    assert!(!load.contains('!'), "{load}");
}

#[test]
fn what_llvm_cannot_have_is_an_error() {
    let tanh = FloatMode {
        rounding: Rounding::Approximate,
        ..FloatMode::NEAREST
    };
    let ordered = Access {
        order: Order::Acquire,
        ..access(Type::B32, 1, 0)
    };
    #[rustfmt::skip]
    let float = Op::Float { op: FloatOp::Tanh, ty: Type::F32, mode: tanh };
    let op = |op: Op| step(Opcode::Op(op), &[word(1)], &[RESULT], false);
    let address = Ref::Constant(64, 64);
    let copied = || {
        step(
            Opcode::Op(Op::Copy { width: 32 }),
            &[word(1)],
            &[RESULT],
            true,
        )
    };
    for (steps, words) in [
        (
            vec![op(float)],
            "LLVM has no exact form for Float { op: Tanh",
        ),
        (
            vec![step(Opcode::Load(ordered), &[address], &[RESULT], false)],
            "no exact form for Load",
        ),
        (
            vec![step(Opcode::Elect, &[word(9)], &[RESULT], false)],
            "no exact form for Elect",
        ),
        (
            vec![step(
                Opcode::Op(Op::Copy { width: 32 }),
                &[Ref::Special(32, Special::GridId)],
                &[RESULT],
                false,
            )],
            "no exact form for GridId",
        ),
        (vec![copied()], "LLVM does not keep Copy"),
    ] {
        let error = patched(
            &kernel("  ret void\n"),
            &|_| at_end(steps.clone()),
            Kind::Ir,
        );
        let error = error.unwrap_err();
        assert!(error.contains(words), "no `{words}` in {error}");
    }
}

#[test]
fn values_and_places_that_llvm_does_not_have() {
    let refused = |body: &str, make: &dyn Fn(&Names) -> Patch, words: &str| {
        let error = patched(&kernel(body), make, Kind::Ir).unwrap_err();
        assert!(error.contains(words), "no `{words}` in {error}");
    };
    // A quotient of numbers is no operation of the IR, which does not see that it reads the load.
    let hidden = "  %f = load float, ptr %src1, align 4
  %q = fdiv float %f, 3.0
  store float %q, ptr %dst, align 4
  ret void\n";
    let gone = |names: &Names| {
        let mut patch = Patch::default();
        remove(&mut patch, names.inst("%f"));
        patch
    };
    refused(hidden, &gone, "LLVM still uses its result");
    let late = |names: &Names| {
        let mut patch = Patch::default();
        let to = Point::Before(names.store(0)).into();
        let inst = names.inst("%f");
        patch.relocate.push(Relocation { inst, to });
        patch
    };
    refused(hidden, &late, "before its new place");
    let undefined = "  %u = add i32 undef, 1\n  ret void\n";
    let reads = |names: &Names| {
        let undefined = names.0.function.inst(names.inst("%u")).args[0];
        at_end(vec![step(
            Opcode::Op(Op::Copy { width: 32 }),
            &[undefined.into()],
            &[RESULT],
            false,
        )])
    };
    refused(undefined, &reads, "no LLVM value holds");
    let part = |names: &Names| {
        let part = names.0.parts.iter().position(|part| part.is_none());
        BlockId(part.expect("a part") as u32)
    };
    let inner = |names: &Names| {
        let mut patch = at_end(Vec::new());
        patch.insert[0].at = Point::Start(part(names)).into();
        patch
    };
    refused(SWITCH, &inner, "is a part of a `switch`");
    let some = |names: &Names| Patch {
        clones: vec![RegionClone {
            id: CloneId(0),
            enter: Point::End(BlockId(0)),
            condition: Ref::Constant(1, 1),
            after: None,
            blocks: vec![part(names)],
            exits: Vec::new(),
            settled: Vec::new(),
            together: false,
        }],
        ..Patch::default()
    };
    refused(SWITCH, &some, "not all of its `switch`");
    // The pointer of the load is an operand in LLVM; in the IR the address is one of the variable.
    let late = "  %p = getelementptr [64 x i32], ptr addrspace(3) @buffer, i64 0, i64 5
  %b = load i32, ptr addrspace(3) %p, align 4
  store i32 %b, ptr %dst, align 4
  ret void\n";
    let early = |names: &Names| {
        let mut patch = Patch::default();
        let to = Point::Before(names.inst("%a")).into();
        let inst = names.inst("%b");
        patch.relocate.push(Relocation { inst, to });
        patch
    };
    refused(late, &early, "is not there at its new place");
}

#[test]
fn what_is_not_chosen_must_not_be_read() {
    let some = |names: &Names| {
        let mut patch = Patch::default();
        let mut part = guarded(names, "%v", (Ref::Constant(1, 0), false), &[word(1); 4]);
        part.otherwise.truncate(3);
        patch.guard = vec![part];
        patch
    };
    let hidden = "  %v = load <4 x float>, ptr %src, align 16
  %q = fdiv <4 x float> %v, <float 3.0, float 3.0, float 3.0, float 3.0>
  store <4 x float> %q, ptr %dst, align 16
  ret void\n";
    let error = patched(&kernel(hidden), &some, Kind::Ir).unwrap_err();
    assert!(error.contains("LLVM uses its result as a whole"), "{error}");
}
