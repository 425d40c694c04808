//! Whole bodies: operands, names in their scopes, calls, branches.

use crate::decode::form::{Action, Function, Initial, Instruction, Module, Reg, Source, Symbol};
use crate::decode::{body, decode, headers};
use crate::parse;
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Effects, Opcode};
use ptxasw_ir::types::{Space, Special, Type};

fn module(text: &str) -> Module {
    let tree = parse(text.as_bytes()).expect("parses");
    decode(&tree).expect("decodes")
}

/// The only function of a module whose kernel has that body.
fn kernel(text: &str) -> Function {
    let text = format!(
        ".version 8.5\n.target sm_90a\n.address_size 64\n.global .align 4 .b32 g[8];\n\
         .entry k(.param .u64 p, .param .u32 n)\n{{\n{text}\n}}\n"
    );
    module(&text).functions.remove(0)
}

fn name(function: &Function, reg: Reg) -> &str {
    &function.registers[reg.0 as usize].name
}

fn results(function: &Function, index: usize) -> Vec<&str> {
    let results = &function.instructions[index].results;
    results
        .iter()
        .map(|reg| reg.map_or("_", |reg| name(function, reg)))
        .collect()
}

fn source(function: &Function, index: usize, operand: usize) -> Source {
    function.instructions[index].operands[operand]
}

fn opcode(instruction: &Instruction) -> &Opcode {
    match &instruction.action {
        Action::Do(opcode) => opcode,
        other => panic!("{other:?}"),
    }
}

#[test]
fn header() {
    let form = module(
        ".version 7.1\n.target sm_86, debug\n.address_size 64\n\
         .extern .shared .align 16 .b8 dynamic[];\n\
         .const .align 4 .b8 table[] = {1,2,3};\n\
         .func (.reg .u32 %out) f(.reg .f32 %in) ;\n\
         .entry k(.param .u8 a, .param .align 8 .b8 b[12], .param .u64 .ptr .global .align 4 c)\n\
         .reqntid 32, 4\n{ ret; }\n",
    );
    assert_eq!(form.version, (7, 1));
    assert_eq!(form.target.sm, 86);
    assert!(form.target.debug);
    assert_eq!(form.address_size, 64);
    let dynamic = &form.variables[0];
    assert_eq!(
        (dynamic.space, dynamic.bytes, dynamic.align),
        (Space::Shared, 0, 16)
    );
    assert!(dynamic.external);
    assert_eq!(form.variables[1].bytes, 3);
    let f = &form.functions[0];
    assert!(!f.defined && !f.entry);
    assert_eq!(name(f, f.parameters[0].register.unwrap()), "%in");
    assert_eq!(name(f, f.returns[0].register.unwrap()), "%out");
    let k = &form.functions[1];
    let layout: Vec<_> = k.parameters.iter().map(|p| (p.offset, p.bytes)).collect();
    assert_eq!(layout, [(0, 1), (8, 12), (24, 8)]);
    assert_eq!(k.parameters[2].pointer, Some(Some(Space::Global)));
    assert_eq!(k.required_threads, Some([32, 4, 1]));
    assert_eq!(k.max_threads, None);
}

#[test]
fn several_modules_in_one_text() {
    let form = module(
        ".version 6.0\n.target sm_70\n.address_size 64\n.global .u32 x;\n\
         .entry a() { .reg .u64 %a; mov.u64 %a, x; ret; }\n\
         .version 8.0\n.target sm_90\n.address_size 32\n.global .u32 y; .global .u32 x;\n\
         .entry b() { .reg .u32 %a; mov.u32 %a, x; ret; }\n",
    );
    assert_eq!(form.version, (6, 0));
    assert_eq!(form.units.len(), 2);
    assert_eq!(form.units[1].target.sm, 90);
    let address = |index| Source::Address(Symbol::Global(index), 0);
    assert_eq!(source(&form.functions[0], 0, 0), address(0));
    assert_eq!(source(&form.functions[1], 0, 0), address(2));
    assert_eq!(form.functions[1].unit, 1);
}

#[test]
fn ranges_are_not_materialised() {
    let f = kernel(".reg .b32 %r<1000000>; add.s32 %r999999, %r7, %r7;");
    let names: Vec<_> = f.registers.iter().map(|r| &*r.name).collect();
    assert_eq!(names, ["%r999999", "%r7"]);
    assert_eq!(
        f.instructions[0].operands.as_slice(),
        [Source::Reg(Reg(1)), Source::Reg(Reg(1))]
    );
}

#[test]
fn ranges_with_digits_in_their_prefix() {
    let f = kernel(".reg .b32 %r1<3>, %r<5>; mov.u32 %r12, %r1; mov.u32 %r4, %r10;");
    let names: Vec<_> = f.registers.iter().map(|r| &*r.name).collect();
    assert_eq!(names, ["%r12", "%r1", "%r4", "%r10"]);
}

#[test]
fn inner_scopes_shadow() {
    let f = kernel(
        ".reg .b32 %r<4>, x;\n mov.b32 %r1, x;\n\
         { .reg .f32 %r<2>; .reg .b32 x; mov.b32 %r1, x; mov.b32 %r3, 0; { mov.b32 %r1, 0; } }\n\
         mov.b32 %r1, x;",
    );
    let result = |index: usize| f.instructions[index].results[0].unwrap();
    assert_eq!(result(0), result(4));
    assert_ne!(result(0), result(1));
    assert_eq!(result(1), result(3));
    assert_eq!(f.registers[result(1).0 as usize].ty, Type::F32);
    assert_eq!(f.registers[result(1).0 as usize].depth, 1);
    assert_eq!(f.registers[result(2).0 as usize].depth, 0);
    assert_eq!(source(&f, 0, 0), source(&f, 4, 0));
    assert_ne!(source(&f, 0, 0), source(&f, 1, 0));
}

#[test]
fn vector_registers() {
    let f = kernel(
        ".reg .v4 .f32 %v; .reg .b64 %a; .reg .f32 %f;\n\
         ld.global.v4.f32 %v, [%a+16];\n mov.f32 %f, %v.z;\n st.global.v4.f32 [%a], %v;",
    );
    assert_eq!(results(&f, 0), ["%v.x", "%v.y", "%v.z", "%v.w"]);
    assert_eq!(source(&f, 1, 0), Source::Reg(Reg(2)));
    assert_eq!(f.instructions[2].operands.len(), 5);
}

#[test]
fn vector_registers_in_moves_and_parameters() {
    let form = module(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .func (.reg .v2 .b32 o) f(.reg .v2 .b32 i, .reg .b32 n)\n\
         { .reg .b64 %d; mov.b64 %d, i; mov.b64 o, %d; mov.b32 o.x, n; call (o), f, (i, n); ret; }\n",
    );
    let f = &form.functions[0];
    assert_eq!(source(f, 0, 1), Source::Reg(Reg(3)));
    assert_eq!(results(f, 1), ["o.x", "o.y"]);
    assert_eq!(results(f, 2), ["o.x"]);
    assert_eq!(f.calls[0].arguments.len(), 3);
    assert_eq!(results(f, 3), ["o.x", "o.y"]);
}

#[test]
fn addresses() {
    let f = kernel(
        ".reg .b64 %a; .reg .f32 %f; .shared .f32 s[4]; .local .b64 l;\n\
         ld.global.f32 %f, [%a+-8];\n ld.global.f32 %f, [g+4];\n ld.shared.f32 %f, s[3];\n\
         ld.global.f32 %f, [4096];\n ld.param.u64 %a, [p];\n mov.u64 %a, g+12;\n\
         cvta.local.u64 %a, l;\n ld.param.u64 %a, [%a];",
    );
    let access = |index: usize| match opcode(&f.instructions[index]) {
        Opcode::Load(access) => *access,
        other => panic!("{other:?}"),
    };
    assert_eq!(access(0).offset, -8);
    assert_eq!(access(1).offset, 4);
    assert_eq!(source(&f, 1, 0), Source::Address(Symbol::Global(0), 0));
    assert_eq!(access(2).offset, 12);
    assert_eq!(source(&f, 2, 0), Source::Address(Symbol::Local(0), 0));
    assert_eq!((source(&f, 3, 0), access(3).offset), (Source::Imm(4096), 0));
    assert_eq!(access(4).space, Space::ParamEntry);
    assert_eq!(source(&f, 4, 0), Source::Address(Symbol::Parameter(0), 0));
    assert_eq!(source(&f, 5, 0), Source::Address(Symbol::Global(0), 12));
    assert_eq!(source(&f, 6, 0), Source::Address(Symbol::Local(1), 0));
    assert_eq!(access(7).space, Space::ParamEntry);
}

#[test]
fn immediates_have_the_type_of_the_instruction() {
    let f = kernel(
        ".reg .b32 %r; .reg .b64 %d; .reg .b16 %h; .reg .pred %p;\n\
         add.s32 %r, %r, -1;\n mov.f64 %d, 0f3F800000;\n mov.f32 %r, 0d3FF0000000000000;\n\
         mov.b16 %h, 65537;\n selp.b32 %r, 1, 0, %p;\n shl.b64 %d, %d, 3;\n mov.b32 %r, WARP_SZ;",
    );
    assert_eq!(source(&f, 0, 1), Source::Imm(0xffff_ffff));
    assert_eq!(source(&f, 1, 0), Source::Imm(1f64.to_bits()));
    assert_eq!(source(&f, 2, 0), Source::Imm(u64::from(1f32.to_bits())));
    assert_eq!(source(&f, 3, 0), Source::Imm(1));
    assert_eq!(source(&f, 4, 0), Source::Imm(1));
    assert_eq!(source(&f, 5, 1), Source::Imm(3));
    assert_eq!(source(&f, 6, 0), Source::Imm(32));
}

#[test]
fn moves() {
    let f = kernel(
        ".reg .b32 %r<3>; .reg .b64 %d; .reg .b16 %h; .reg .pred %p;\n\
         mov.b64 %d, {%r0, 7};\n mov.b64 {%r1, _}, %d;\n mov.u32 %r0, %tid.x;\n mov.pred %p, 1;\n\
         mov.u64 %d, %clock64;\n mov.u64 %d, k;\n mov.b32 %r0, %envreg7;",
    );
    let op = |index: usize| match opcode(&f.instructions[index]) {
        Opcode::Op(op) => *op,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        op(0),
        Op::Pack {
            parts: 2,
            width: 32
        }
    );
    assert_eq!(source(&f, 0, 1), Source::Imm(7));
    assert_eq!(
        op(1),
        Op::Unpack {
            parts: 2,
            width: 32
        }
    );
    assert_eq!(results(&f, 1), ["%r1", "_"]);
    assert_eq!(source(&f, 2, 0), Source::Special(Special::Tid(0)));
    assert_eq!(op(3), Op::Copy { width: 1 });
    assert_eq!(source(&f, 4, 0), Source::Special(Special::Clock));
    assert_eq!(source(&f, 5, 0), Source::Address(Symbol::Function(0), 0));
    assert!(matches!(
        source(&f, 6, 0),
        Source::Special(Special::Other(_))
    ));
}

#[test]
fn pairs_and_guards() {
    let f = kernel(
        ".reg .b32 %r<3>; .reg .pred %p, %q;\n\
         setp.lt.s32 %p|%q, %r1, 5;\n setp.eq.and.s32 %p, %r1, 5, !%q;\n\
         shfl.sync.up.b32 %r2|%p, %r1, 1, 0, -1;\n shfl.sync.up.b32 %r2, %r1, 1, 0, -1;\n\
         @!%p lop3.or.b32 _|%q, %r0, %r1, %r2, 0x96, %p;\n elect.sync _|%p, -1;",
    );
    assert_eq!(results(&f, 0), ["%p", "%q"]);
    assert_eq!(results(&f, 1), ["%p", "_"]);
    let q = f.instructions[0].results[1].unwrap();
    assert_eq!(source(&f, 1, 2), Source::NotReg(q));
    assert_eq!(results(&f, 2), ["%r2", "%p"]);
    assert_eq!(results(&f, 3), ["%r2", "_"]);
    let p = f.instructions[0].results[0].unwrap();
    assert_eq!(f.instructions[4].guard, Some((p, true)));
    assert!(matches!(
        opcode(&f.instructions[4]),
        Opcode::Op(Op::Lop3 { table: 0x96, .. })
    ));
    assert_eq!(f.instructions[4].operands.len(), 4);
    assert_eq!(results(&f, 4), ["_", "%q"]);
    assert_eq!(results(&f, 5), ["_", "%p"]);
}

#[test]
fn carry_is_a_register() {
    let f = kernel(
        ".reg .b32 %r<3>; add.cc.u32 %r0, %r1, %r2; addc.u32 %r0, %r1, 0; subc.cc.u32 %r0, %r1, 0;",
    );
    assert_eq!(results(&f, 0), ["%r0", "CC.CF", "CC.CF.sub"]);
    assert_eq!(results(&f, 2), ["%r0", "CC.CF.sub", "CC.CF"]);
    let borrow = f.instructions[0].results[2].unwrap();
    assert_eq!(source(&f, 2, 2), Source::Reg(borrow));
    let carry = f.instructions[0].results[1].unwrap();
    assert_eq!(f.registers[carry.0 as usize].ty, Type::PRED);
    assert_eq!(source(&f, 1, 2), Source::Reg(carry));
    assert_eq!(results(&f, 1), ["%r0"]);
}

#[test]
fn branches() {
    let f = kernel(
        ".reg .pred %p; .reg .b32 %r;\nTop:\n @%p bra End;\n\
         { Top: bra Top; bra End; }\n bra.uni Top;\n\
         T: .branchtargets End, Top;\n brx.idx %r, T;\nEnd:",
    );
    let target = |index: usize| match f.instructions[index].action {
        Action::Branch { target, uniform } => (target, uniform),
        ref other => panic!("{other:?}"),
    };
    assert_eq!(target(0), (5, false));
    assert_eq!(target(1), (1, false));
    assert_eq!(target(2), (5, false));
    assert_eq!(target(3), (0, true));
    match &f.instructions[4].action {
        Action::BranchIndexed { targets, .. } => assert_eq!(**targets, [5, 0]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn calls() {
    let form = module(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .func (.param .b32 r) f(.param .b32 a, .param .b64 b);\n\
         .func g(.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; ret; }\n\
         .entry k() { .reg .b32 %r; .reg .b64 %t;\n\
         { .param .b32 a0; .param .b64 a1; .param .b32 r0; st.param.b32 [a0], %r;\n\
         call.uni (r0), f, (a0, a1); ld.param.b32 %r, [r0]; }\n\
         { .param .b32 a0; P: .callprototype _ (.param .b32 _); call _, %t, (a0), P; }\n\
         call (%r), f, (%r, 5); call h; ret; }\n",
    );
    let loaded = |f: &Function, index: usize| match opcode(&f.instructions[index]) {
        Opcode::Load(access) => access.space,
        other => panic!("{other:?}"),
    };
    assert_eq!(loaded(&form.functions[1], 0), Space::ParamFunc);
    let k = &form.functions[2];
    assert_eq!(loaded(k, 2), Space::ParamFunc);
    let callee = |index: usize| match opcode(&k.instructions[index]) {
        Opcode::Call { callee, effects } => {
            assert_eq!(*effects, Effects::ALL);
            callee.as_deref()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(callee(1), Some("f"));
    assert_eq!(k.calls[0].instruction, 1);
    let local = |index| Source::Address(Symbol::Local(index), 0);
    assert_eq!(k.calls[0].returns.as_slice(), [Some(local(2))]);
    assert_eq!(k.calls[0].arguments.as_slice(), [local(0), local(1)]);
    assert!(k.instructions[1].operands.is_empty());
    assert_eq!(callee(3), None);
    assert_eq!(k.instructions[3].operands.len(), 1);
    assert_eq!(callee(4), Some("f"));
    assert_eq!(results(k, 4), ["%r"]);
    assert_eq!(source(k, 4, 1), Source::Imm(5));
    assert_eq!(callee(5), Some("h"));
}

#[test]
fn opaque_instructions_list_all_that_they_may_write() {
    let f = kernel(
        ".reg .b32 %r<9>; .reg .b64 %a; .reg .pred %p; .reg .f32 %f<4>;\n\
         tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [g, {%r0, %r1}];\n\
         frob.u32 %r2, {%r3, _}, [%a+4], 7, WORD;\n\
         cp.async.ca.shared.global [%r4], [%a], 16;\n\
         add.f32x2 %a, %a, %a;\n nanosleep.u32 %r5;\n vadd.s32.s32.s32 %r6, %r7.b1, %r8.h1;",
    );
    assert_eq!(results(&f, 0), ["%f0", "%f1", "%f2", "%f3"]);
    assert_eq!(f.instructions[0].operands.len(), 3);
    assert_eq!(results(&f, 1), ["%r2", "%r3"]);
    assert_eq!(f.instructions[1].operands.len(), 4);
    assert!(results(&f, 2).is_empty());
    assert_eq!(f.instructions[2].operands.len(), 3);
    assert_eq!(results(&f, 3), ["%a"]);
    assert_eq!(*opcode(&f.instructions[4]), Opcode::Nop);
    assert_eq!(results(&f, 5), ["%r6"]);
    assert!(matches!(
        f.instructions[5].operands.as_slice(),
        [
            Source::Part {
                bit: 8,
                width: 8,
                ..
            },
            Source::Part {
                bit: 16,
                width: 16,
                ..
            }
        ]
    ));
}

#[test]
fn used_bytes_and_locations() {
    let f = kernel(
        ".reg .b32 %r<5>; .reg .b64 %a;\n.loc 1 7 0\n\
         .pragma \"used_bytes_mask 0xfff\";\n ld.global.v4.u32 {%r0, %r1, %r2, _}, [%a];\n\
         mov.u32 %r4, 0;",
    );
    assert_eq!(f.instructions[0].used_bytes, Some(0xfff));
    assert_eq!(f.instructions[1].used_bytes, None);
    assert!(f.instructions[0].location.is_some());
    assert_eq!(f.instructions[0].location, f.instructions[1].location);
}

#[test]
fn registers_of_the_module() {
    let form = module(
        ".version 2.0\n.target sm_20\n.reg .u32 shared_by_all;\n\
         .entry k() { mov.u32 shared_by_all, 1; ret; }\n",
    );
    assert_eq!(results(&form.functions[0], 0), ["shared_by_all"]);
    assert_eq!(form.address_size, 32);
}

#[test]
fn an_error_leaves_the_other_functions_alone() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n\
         .entry a() { bra nowhere; }\n.entry b() { ret; }\n";
    let tree = parse(text.as_bytes()).unwrap();
    let form = headers(&tree);
    assert!(body(&tree, &form, 0).is_err());
    assert_eq!(body(&tree, &form, 1).unwrap().instructions.len(), 1);
    assert!(body(&tree, &form, 2).is_err());
    assert_eq!(decode(&tree).unwrap_err().0.len(), 1);
}

/// `.param .b64 p<2>` declares `p0` and `p1`; a name with a number too high, or of an inner scope, is none of them.
#[test]
fn numbered_variables() {
    let function = kernel(
        ".reg .b64 %rd; .local .b32 l<2>, x; .shared .b32 s<3>;\n\
         mov.b64 %rd, l1; mov.b64 %rd, s0; mov.b64 %rd, s2; mov.b64 %rd, x; { .local .b32 s<1>; mov.b64 %rd, s0; mov.b64 %rd, s1; }",
    );
    let names: Vec<&str> = (0..6)
        .map(|index| match source(&function, index, 0) {
            Source::Address(Symbol::Local(variable), 0) => {
                &*function.variables[variable as usize].name
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, ["l1", "s0", "s2", "x", "s0", "s1"]);
    let spaces = function.variables.iter().map(|variable| variable.space);
    let of = |space| spaces.clone().filter(|&found| found == space).count();
    assert_eq!((of(Space::Local), of(Space::Shared)), (4, 3));
}

#[test]
fn numbered_module_variables() {
    let form = module(
        ".version 7.0\n.target sm_80\n.address_size 64\n\
         .global .b32 g<2>, h = 5;\n.entry k() { .reg .b32 %r; ld.global.b32 %r, [g1]; ld.global.b32 %r, [h]; ret; }\n",
    );
    let names: Vec<&str> = form.variables.iter().map(|v| &*v.name).collect();
    assert_eq!(names, ["g0", "g1", "h"]);
    assert!(matches!(form.variables[1].initial, Initial::None));
    assert!(!matches!(form.variables[2].initial, Initial::None));
}

#[test]
fn stores_that_skip_elements() {
    let body =
        ".reg .b32 %r<3>; .reg .b64 %rd<3>; st.global.v8.b32 [%rd1], {%r1,_,%r1,_,_,_,_,%r1};
        st.global.v4.b64 [%rd1], {%rd2,_,_,%rd2};";
    let function = kernel(body);
    for (index, elements, skipped) in [(0, 8, 0b0111_1010), (1, 4, 0b0110)] {
        let Opcode::Store(access) = opcode(&function.instructions[index]) else {
            panic!("a store")
        };
        assert_eq!((access.elements, access.skipped), (elements, skipped));
        // One operand for each element, of which nobody reads those that are skipped.
        let operands = &function.instructions[index].operands;
        assert_eq!(operands.len(), 1 + usize::from(elements));
        assert_eq!(operands[2], Source::Imm(0));
    }
}

#[test]
fn addresses_of_unified_memory() {
    let function = kernel(
        ".reg .f32 %f<9>; .reg .b64 %rd<9>; ld.global.f32 %f5,[%rd1].unified; ld.global.f32 %f5,[g+4] .unified;
         ld.global.L2::cache_hint.f32 %f5,[%rd1].unified, %rd2; ld.global.f32 %f5,[%rd1];",
    );
    let hints = function.instructions.iter().map(|one| match opcode(one) {
        Opcode::Load(access) => (access.hints, access.offset),
        other => panic!("{other:?}"),
    });
    let hints: Vec<(bool, i64)> = hints.collect();
    assert_eq!(hints, [(true, 0), (true, 4), (true, 0), (false, 0)]);
}
