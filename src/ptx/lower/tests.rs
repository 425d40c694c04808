//! Lowering of written kernels, and of random programs against a direct interpretation of the register form.

use super::*;
use ptxasw_ir::function::ValueDef;
use ptxasw_ir::verify::verify;

/// Lowers the only function of `body`, wrapped into a kernel with one pointer parameter.
fn lowered(body: &str) -> Lowered {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n\
         .reg .pred %p<4>;\n.reg .b16 %h<4>;\n.reg .b32 %r<10>;\n.reg .b64 %d<10>;\n{body}\n}}\n"
    );
    let module = crate::parse(text.as_bytes()).expect("the text parses");
    let form = crate::decode::decode(&module).expect("the text decodes");
    let lowered = lower(&form, &form.functions[0]).expect("lowers");
    assert_eq!(verify(&lowered.function), [], "{}", lowered.function);
    lowered
}

/// The instructions of all blocks, printed without the origins.
fn printed(body: &str) -> String {
    lowered(body).function.to_string()
}

#[test]
fn a_load_over_its_own_address_register() {
    let lowered = lowered(
        "ld.param.u64 %d1, [p];\nld.global.u64 %d1, [%d1+8];\nst.global.u64 [%d1], %d1;\nret;",
    );
    let insts = &lowered.function.insts;
    assert_eq!(insts.len(), 3);
    assert_eq!(insts[1].args[0], insts[0].results[0]);
    assert_eq!(insts[2].args[0], insts[1].results[0]);
    let address = lowered.function.value(insts[0].args[0]);
    assert!(matches!(
        address.def,
        ValueDef::Address(ptxasw_ir::function::Base::Parameter(0), 0)
    ));
    let register = lowered.registers[insts[1].results[0].index()].expect("is in a register");
    assert_eq!(lowered.definitions[register.0 as usize], 2);
}

#[test]
fn a_narrow_load_is_extended_by_its_type() {
    let lowered = lowered(
        "ld.global.s8 %r1, [%d1];\nld.global.u8 %r2, [%d1];\nst.global.u8 [%d1], %r1;\nret;",
    );
    let signs: Vec<_> = lowered
        .function
        .insts
        .iter()
        .filter_map(|inst| match inst.opcode {
            Opcode::Op(Op::Extend { from, to, signed }) => Some((from, to, signed)),
            _ => None,
        })
        .collect();
    assert_eq!(signs, [(8, 32, true), (8, 32, false), (32, 8, false)]);
}

#[test]
fn guards_of_pure_operations_become_selects_and_loads_keep_theirs() {
    let lowered = lowered(
        "setp.eq.u32 %p1, %r1, 0;\nmov.u32 %r2, 7;\n@!%p1 add.u32 %r2, %r2, 1;\n\
         @%p1 ld.global.u32 %r2, [%d1];\n@%p1 st.global.u32 [%d1], %r2;\nret;",
    );
    let insts = &lowered.function.insts;
    let selects: Vec<_> = insts
        .iter()
        .filter(|inst| inst.opcode == Opcode::Op(Op::Select { width: 32 }))
        .collect();
    assert_eq!(selects.len(), 2);
    let condition = insts[0].results[0];
    // `@!`: the old value where the predicate is true.
    assert_eq!(selects[0].args[0], insts[1].results[0]);
    assert_eq!(selects[0].args[2], condition);
    assert!(
        insts
            .iter()
            .filter(|i| i.guard == Some((condition, false)))
            .count()
            == 2
    );
    assert_eq!(
        lowered.registers[selects[1].results[0].index()],
        lowered.registers[insts[1].results[0].index()]
    );
}

#[test]
fn a_loop_counter_is_the_only_block_parameter() {
    let lowered = lowered(
        "mov.u32 %r1, 0;\nmov.u32 %r2, 9;\nL:\nadd.u32 %r1, %r1, 1;\nadd.u32 %r3, %r2, %r1;\n\
         setp.lt.u32 %p1, %r1, 10;\n@%p1 bra L;\nst.global.u32 [%d1], %r3;\nst.global.u32 [%d1], %r2;\nret;",
    );
    let params: usize = lowered.function.blocks.iter().map(|b| b.params.len()).sum();
    assert_eq!(params, 1, "{}", lowered.function);
}

#[test]
fn guarded_ends_get_blocks_and_unreachable_code_goes() {
    let text = printed("@%p1 ret;\n@%p2 exit;\nbra END;\nadd.u32 %r1, %r1, 1;\nEND:");
    assert!(!text.contains("add"), "{text}");
    assert_eq!(text.matches("return").count(), 2, "{text}");
    assert_eq!(text.matches("exit").count(), 1, "{text}");
}

#[test]
fn a_branch_to_the_first_statement_leaves_the_entry_alone() {
    let lowered = lowered("L:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 10;\n@%p1 bra L;");
    assert_eq!(lowered.function.blocks.len(), 3);
    assert!(lowered.function.blocks[0].insts.is_empty());
}

#[test]
fn an_indexed_branch_passes_arguments_to_each_target() {
    let lowered = lowered(
        "mov.u32 %r1, 3;\nts: .branchtargets A, B, A;\nbrx.idx %r2, ts;\nA:\nmov.u32 %r1, 4;\nB:\n\
         st.global.u32 [%d1], %r1;\nret;",
    );
    let Terminator::Switch { targets, .. } = &lowered.function.blocks[0].terminator else {
        panic!("no switch: {}", lowered.function)
    };
    assert_eq!(targets.len(), 3);
    assert_eq!(targets[1].args.len(), 1);
}

/// The assembler refuses it; here the parameter is one register, and what is written of an array does not count.
#[test]
fn a_register_parameter_with_dimensions_is_one_register() {
    let text =
        ".version 8.0\n.target sm_80\n.address_size 64\n.func f(.reg .b8 s[16])\n{\nret;\n}\n";
    let module = crate::parse(text.as_bytes()).expect("the text parses");
    let form = crate::decode::decode(&module).expect("the text decodes");
    let function = &form.functions[0];
    assert_eq!(function.parameters[0].registers().count(), 1);
    let lowered = lower(&form, function).expect("lowers");
    assert_eq!(verify(&lowered.function), []);
}

#[test]
fn declarations_and_broken_forms_are_errors() {
    let module = form::Module::default();
    let mut function = form::Function::default();
    assert_eq!(lower(&module, &function).err(), Some(LowerError::NoBody));
    function.defined = true;
    function.instructions.push(Instruction {
        statement: 5,
        span: crate::ast::Span::default(),
        spelling: 0,
        location: None,
        guard: None,
        action: Action::Branch {
            target: 9,
            uniform: false,
        },
        results: SmallVec::new(),
        operands: SmallVec::new(),
        used_bytes: None,
        offsets: None,
    });
    let error = lower(&module, &function).expect_err("a wild branch");
    assert_eq!(
        error.to_string(),
        "statement 5: a branch out of the function"
    );
}

/// The PTX files of the file tests.
fn files() -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    let mut folders =
        vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ptx-tests")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ptx") {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn every_test_module_that_decodes_lowers_to_a_well_formed_function() {
    let mut functions = 0;
    for path in files() {
        let text = std::fs::read(&path).expect("the file is readable");
        let Ok(module) = crate::parse(&text) else {
            continue;
        };
        let Ok(form) = crate::decode::decode(&module) else {
            continue;
        };
        for function in form.functions.iter().filter(|function| function.defined) {
            let lowered = lower(&form, function)
                .unwrap_or_else(|error| panic!("{}: {}: {error}", path.display(), function.name));
            let violations = verify(&lowered.function);
            assert_eq!(violations, [], "{}\n{}", path.display(), lowered.function);
            functions += 1;
        }
    }
    assert!(functions > 50, "only {functions} functions");
}

mod chains;
mod random;
