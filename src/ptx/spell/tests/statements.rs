//! Operations as statements of a kernel, and kernels as the operations that they mean.

use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::semantics::{operand_widths, result_widths};
use ptxasw_ptx::decode::decode;
use ptxasw_ptx::decode::form::{Action, Instruction};
use ptxasw_ptx::spell::{Form, instruction, opcode};

pub const HEADER: &str = ".version 8.6\n.target sm_100a\n.address_size 64\n";
const REGISTERS: &str = ".reg .pred %p<20>;\n.reg .b8 %c<20>;\n.reg .b16 %h<20>;\n.reg .b32 %r<20>;\n.reg .b64 %d<20>;\n";

/// A register of a width.
fn register(width: u8, number: usize) -> String {
    let letter = match width {
        1 => 'p',
        8 => 'c',
        16 => 'h',
        32 => 'r',
        _ => 'd',
    };
    format!("%{letter}{number}")
}

/// Registers for the results of an operation, and for its operands.
fn registers(op: &Op) -> (Vec<String>, Vec<String>) {
    let name = |from: usize| move |(i, width): (usize, &u8)| register(*width, from + i);
    let results = result_widths(op).iter().enumerate().map(name(0)).collect();
    let operands = operand_widths(op)
        .iter()
        .enumerate()
        .map(name(10))
        .collect();
    (results, operands)
}

/// A statement that names all results that can have a name.
pub fn statement(op: &Op) -> Option<String> {
    let (results, operands) = registers(op);
    let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
    let mut results: Vec<Option<&str>> = results.iter().map(|name| Some(name.as_str())).collect();
    if opcode(op)?.form == Form::Predicate {
        results[1] = None;
    }
    instruction(op, &results, &operands)
}

/// The instructions of a kernel of these statements; none if it does not decode.
pub fn try_decoded(statements: &str) -> Option<Vec<Instruction>> {
    let text = format!("{HEADER}.visible .entry k()\n{{\n{REGISTERS}{statements}\n}}\n");
    let tree = ptxasw_ptx::parse(text.as_bytes()).ok()?;
    let mut module = decode(&tree).ok()?;
    Some(module.functions.pop()?.instructions)
}

/// The operation of an instruction that is one.
pub fn operation(instruction: &Instruction) -> Option<Op> {
    match instruction.action {
        Action::Do(Opcode::Op(op)) => Some(op),
        _ => None,
    }
}
