//! The executor computes from a spelled instruction what the operation means.

use super::ops;
use super::statements::HEADER;
use ptxasw::executor::{Buffer, Launch, Schedule, run};
use ptxasw::ir::op::Op;
use ptxasw::ir::semantics::concrete::cut;
use ptxasw::ir::semantics::{fold, operand_widths, result_widths};
use ptxasw::ptx;
use ptxasw::ptx::decode::decode;
use ptxasw::ptx::spell::{Form, instruction, opcode};
use std::fmt::Write;

/// Threads, each with operands of its own.
const THREADS: usize = 32;
/// Words of 64 bits that a thread has for operands, and for the results of one operation.
const SLOTS: usize = 8;
/// Operations of one kernel.
const KERNEL: usize = 500;
/// Of the operations with many modifiers one in so many is executed: a prime, so that all modifiers occur.
const STEP: usize = 13;

/// A register of a width. 8 bits are the lower ones of 16, so that those above can be anything.
fn register(width: u8, number: usize) -> String {
    let letter = match width {
        1 => 'p',
        8 | 16 => 'h',
        32 => 'r',
        _ => 'd',
    };
    format!("%{letter}{number}")
}

/// Loads the operands, computes, stores the results in their slots from `first` on.
fn statements(op: &Op, first: usize) -> Option<String> {
    let (operands, results) = (operand_widths(op), result_widths(op));
    let names = |widths: &[u8], from: usize| -> Vec<String> {
        let name = |(i, width): (usize, &u8)| register(*width, from + i);
        widths.iter().enumerate().map(name).collect()
    };
    let (sources, destinations) = (names(&operands, 10), names(&results, 0));
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let mut named: Vec<Option<&str>> = destinations.iter().map(|d| Some(d.as_str())).collect();
    if opcode(op)?.form == Form::Predicate {
        named[1] = None;
    }
    let computed = instruction(op, &named, &sources)?;
    let mut text = String::new();
    for (i, (width, name)) in operands.iter().zip(&sources).enumerate() {
        let at = format!("[%d18+{}]", 8 * i);
        match width {
            1 => write!(
                text,
                "ld.global.b32 %r18, {at}; and.b32 %r18, %r18, 1; setp.ne.b32 {name}, %r18, 0;"
            ),
            8 => write!(text, "ld.global.b16 {name}, {at};"),
            _ => write!(text, "ld.global.b{width} {name}, {at};"),
        }
        .ok()?;
    }
    text += &computed;
    for (i, (width, name)) in results.iter().zip(&named).enumerate() {
        let Some(name) = name else { continue };
        let at = format!("[%d19+{}]", 8 * (first + i));
        match width {
            1 => write!(
                text,
                "selp.b32 %r18, 1, 0, {name}; st.global.b32 {at}, %r18;"
            ),
            _ => write!(text, "st.global.b{width} {at}, {name};"),
        }
        .ok()?;
    }
    text.push('\n');
    Some(text)
}

/// What the executor can be asked: the addresses of its spaces are its own, and a remainder by zero is what the hardware
/// gives, where the semantics follow the solvers.
fn executed(op: &Op) -> bool {
    !matches!(
        op,
        Op::ToGeneric { .. } | Op::FromGeneric { .. } | Op::IsSpace { .. }
    )
}

/// Random bits, among them small numbers and such with many equal bits.
fn values(seed: u64, count: usize) -> Vec<u64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    let mut value = || {
        let (bits, kind) = (next(), next() >> 60);
        match kind {
            0 => bits % 70,
            1 => (bits % 70).wrapping_neg(),
            2 => 1 << (bits % 64),
            3 => (1u64 << (bits % 64)).wrapping_sub(1),
            // Floats of moderate size.
            4 | 5 => bits & 0x000F_FFFF_007F_FFFF | 0x3FF0_0000_3F80_0000,
            _ => bits,
        }
    };
    (0..count).map(|_| value()).collect()
}

fn bytes(words: &[u64]) -> Buffer {
    Buffer {
        bytes: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        initialised: true,
        element: 8,
    }
}

/// Runs the statements of all operations of a kernel; the words of each thread, one after the other.
fn execute(text: &str, inputs: &[u64], slots: usize) -> Vec<u64> {
    let body = format!(
        "{HEADER}.visible .entry k(.param .u64 in, .param .u64 out)\n{{\n\
         .reg .pred %p<20>;\n.reg .b16 %h<20>;\n.reg .b32 %r<20>;\n.reg .b64 %d<20>;\n\
         ld.param.u64 %d18, [in]; ld.param.u64 %d19, [out]; mov.u32 %r19, %tid.x;\n\
         mad.wide.u32 %d18, %r19, {}, %d18; mad.wide.u32 %d19, %r19, {}, %d19;\n{text}}}\n",
        8 * SLOTS,
        8 * slots,
    );
    let tree = ptx::parse(body.as_bytes()).expect("it parses");
    let module = decode(&tree).expect("it decodes");
    let launch = Launch::new([1; 3], [THREADS as u32, 1, 1])
        .with_buffer(bytes(inputs))
        .with_buffer(bytes(&vec![0; slots * THREADS]));
    let outcome = run(&module, &module.functions[0], &launch, Schedule::Lockstep).expect("it runs");
    let words = outcome.buffers[1].bytes.chunks(8);
    words
        .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
        .collect()
}

/// What an operation leaves in a thread's words, which are zero before.
fn expected(op: &Op, inputs: &[u64]) -> Vec<u64> {
    let widths = operand_widths(op);
    let args = widths
        .iter()
        .zip(inputs)
        .map(|(&width, &bits)| cut(width, bits));
    let args: Vec<u64> = args.collect();
    if let Op::Rem { width, .. } = *op
        && args[1] == 0
    {
        return vec![cut(width, u64::MAX)];
    }
    let mut results = fold(op, &args).to_vec();
    if opcode(op).is_some_and(|spelled| spelled.form == Form::Predicate) {
        results[1] = 0;
    }
    results
}

/// An operation and operands of which the executor computes something else.
pub(super) fn difference(ops: &[&Op], seed: u64) -> Option<String> {
    let inputs = values(seed, SLOTS * THREADS);
    let (mut text, mut slots) = (String::new(), 0);
    for op in ops {
        text += &statements(op, slots).expect("a spelled operation");
        slots += result_widths(op).len();
    }
    let outputs = execute(&text, &inputs, slots);
    for (inputs, outputs) in inputs.chunks(SLOTS).zip(outputs.chunks(slots)) {
        let mut rest = outputs;
        for op in ops {
            let (found, after) = rest.split_at(result_widths(op).len());
            let expected = expected(op, inputs);
            if found != expected {
                return Some(format!(
                    "{op:?} of {inputs:x?}: {found:x?}, not {expected:x?}"
                ));
            }
            rest = after;
        }
    }
    None
}

#[test]
fn the_executor_computes_what_an_operation_means() {
    let many = |op: &Op| {
        matches!(
            op,
            Op::Float { .. } | Op::Convert { .. } | Op::Set { .. } | Op::Lop3 { .. }
        )
    };
    let all = ops::all();
    let spelled: Vec<&Op> = all
        .iter()
        .filter(|op| executed(op) && statements(op, 0).is_some())
        .collect();
    let (seldom, always): (Vec<&Op>, Vec<&Op>) = spelled.into_iter().partition(|op| many(op));
    let chosen: Vec<&Op> = always
        .into_iter()
        .chain(seldom.into_iter().step_by(STEP))
        .collect();
    for (seed, ops) in chosen.chunks(KERNEL).enumerate() {
        assert_eq!(difference(ops, seed as u64 + 1), None);
    }
}
