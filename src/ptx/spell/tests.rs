//! Spelled operations, decoded again.

mod ops;
mod statements;
mod written;

use super::{Form, opcode};
use crate as ptx;
use crate::decode::decode;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample;
use proptest::test_runner::TestRunner;
use ptxasw_ir::op::Op;
use ptxasw_ir::semantics::{operand_widths, result_widths};
use statements::{operation, statement, try_decoded};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::mem::discriminant;
use std::path::Path;

/// Whether the module's documentation says that the decoder's operation is not spelled.
fn documented(op: &Op) -> bool {
    match op {
        Op::Carry { .. } | Op::MulAddCarry { .. } | Op::Copies { .. } => true,
        Op::Set { to, .. } => super::words::name(*to).is_none(),
        _ => false,
    }
}

/// Checks that the spelling of an operation that the decoder made is decoded to the same.
fn check_decoded(op: &Op, from: &str) {
    if documented(op) {
        assert_eq!(opcode(op), None, "{from}: {op:?}");
        return;
    }
    let text = statement(op).unwrap_or_else(|| panic!("{from}: {op:?} is not spelled"));
    let decoded = try_decoded(&text).unwrap_or_else(|| panic!("{from}: {op:?}: {text}"));
    let found: Vec<Option<Op>> = decoded.iter().map(operation).collect();
    assert_eq!(found, [Some(*op)], "{from}: {text}");
}

#[test]
fn a_spelling_is_decoded_to_its_operation() {
    let all = ops::all();
    let spelled: Vec<(&Op, String)> = all
        .iter()
        .filter(|op| !matches!(op, Op::Extend { .. }))
        .filter_map(|op| Some((op, statement(op)?)))
        .collect();
    let lines: Vec<&str> = spelled.iter().map(|(_, text)| text.as_str()).collect();
    let decoded = try_decoded(&lines.join("\n")).expect("all statements decode");
    assert_eq!(decoded.len(), spelled.len());
    for ((op, text), instruction) in spelled.iter().zip(&decoded) {
        assert_eq!(operation(instruction), Some(**op), "{text}");
        assert_eq!(instruction.results.len(), result_widths(op).len(), "{text}");
        let named = instruction.results.iter().flatten().count();
        let unnamed = usize::from(opcode(op).is_some_and(|s| s.form == Form::Predicate));
        assert_eq!(named + unnamed, instruction.results.len(), "{text}");
        let operands = operand_widths(op).len();
        assert_eq!(instruction.operands.len(), operands, "{text}");
    }
    // Each kind of operation is among them.
    let kinds =
        |ops: &mut dyn Iterator<Item = &Op>| -> HashSet<_> { ops.map(discriminant).collect() };
    let unspelled = kinds(&mut all.iter())
        .difference(&kinds(&mut spelled.iter().map(|s| s.0)))
        .count();
    assert_eq!(
        unspelled, 4,
        "Carry, MulAddCarry, Copies; Extend, left out here"
    );
}

#[test]
fn what_has_no_instruction_is_not_spelled() {
    for op in ops::all() {
        let condition_code = matches!(op, Op::Carry { .. } | Op::MulAddCarry { .. });
        let select = matches!(op, Op::Select { width: 1 | 8 });
        let bit = matches!(op, Op::Extend { from, to, .. } if to == 1 && from > 1);
        let byte = matches!(op, Op::Extend { from, to, .. } if from == to && to == 8);
        let predicate = matches!(op, Op::Extend { from, to, .. } if from == 1 && to == 8);
        if condition_code || select || bit || byte || predicate || matches!(op, Op::Copies { .. }) {
            assert_eq!(opcode(&op), None, "{op:?}");
        } else if matches!(op, Op::Extend { from, .. } if from != 24) {
            assert!(opcode(&op).is_some(), "{op:?}");
        }
    }
}

#[test]
fn operations_of_real_programs_are_spelled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ptx-tests");
    let mut found = HashSet::new();
    for entry in walkdir::WalkDir::new(folder).into_iter().flatten() {
        if entry
            .path()
            .extension()
            .is_none_or(|extension| extension != "ptx")
        {
            continue;
        }
        let text = std::fs::read(entry.path()).expect("a file that can be read");
        // Some are wrong on purpose.
        let Ok(tree) = ptx::parse(&text) else {
            continue;
        };
        let Ok(module) = decode(&tree) else { continue };
        let instructions = module.functions.iter().flat_map(|f| &f.instructions);
        for op in instructions.filter_map(operation) {
            if found.insert(op) {
                check_decoded(&op, &entry.path().display().to_string());
            }
        }
    }
    assert!(found.len() > 100, "{} operations", found.len());
}

/// An opcode that is like one of an operation: its modifiers in another order, some left out, some put in. Each word before
/// the first dot is as likely as any other.
fn like_an_opcode() -> impl Strategy<Value = String> {
    let opcodes: BTreeSet<String> = ops::all()
        .iter()
        .filter_map(|op| Some(opcode(op)?.opcode))
        .collect();
    let mut by_base: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    let mut words = BTreeSet::from(["ls", "hs", "cc", "tf32", "b128"].map(str::to_owned));
    for opcode in &opcodes {
        let mut parts = opcode.split('.');
        let base = parts.next().unwrap_or_default();
        let modifiers: Vec<String> = parts.map(str::to_owned).collect();
        words.extend(modifiers.iter().cloned());
        by_base.entry(base).or_default().push(modifiers);
    }
    let by_base: Vec<(String, Vec<Vec<String>>)> = by_base
        .into_iter()
        .map(|(base, all)| (base.to_owned(), all))
        .collect();
    let words: Vec<String> = words.into_iter().collect();
    let opcode =
        sample::select(by_base).prop_flat_map(|(base, all)| (Just(base), sample::select(all)));
    (opcode, vec(sample::select(words), 0..2), 0..2usize)
        .prop_flat_map(|((base, modifiers), added, left_out)| {
            let kept = modifiers.into_iter().skip(left_out);
            let modifiers: Vec<String> = kept.chain(added).collect();
            (Just(base), Just(modifiers).prop_shuffle())
        })
        .prop_map(|(base, modifiers)| [&[base][..], &modifiers[..]].concat().join("."))
}

/// The operation that a line means, if it means one.
fn meaning(line: &str) -> Option<Op> {
    try_decoded(line)?.first().and_then(operation)
}

/// Also what the decoder makes of spellings that nobody writes.
#[test]
fn whatever_is_decoded_is_spelled() {
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let kinds = RefCell::new(HashSet::new());
    let result = runner.run(&like_an_opcode(), |text| {
        for operands in 2..7 {
            // The fifth can be the table of `lop3`.
            let sources = ["%r1", "%r2", "%r3", "%r4", "7", "%r6"];
            let line = format!("{text} {};", sources[..operands].join(", "));
            if let Some(op) = meaning(&line) {
                check_decoded(&op, &line);
                kinds.borrow_mut().insert(discriminant(&op));
            }
        }
        Ok(())
    });
    result.expect("every operation has its spelling");
    // There are some 50, of which vectors of `mov` and those with an opcode of many words are seldom hit.
    let kinds = kinds.borrow().len();
    assert!(kinds > 30, "{kinds} kinds of operations");
}
