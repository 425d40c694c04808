//! Logic, shifts and bit fields (PTX ISA, "Logic and Shift Instructions", "Integer Arithmetic Instructions").

use super::spelled::{Form, Spelled};
use super::words::{
    bits, bits_or_predicate, dotted, integer, logic, when, wide_bits, wide_integer,
};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::op::{Logic, Op, Permute};

/// Operations of this file that need nothing but an opcode.
pub(super) fn spell(op: &Op) -> Option<String> {
    Some(match *op {
        Op::And { width } => dotted(["and", bits_or_predicate(width)?]),
        Op::Or { width } => dotted(["or", bits_or_predicate(width)?]),
        Op::Xor { width } => dotted(["xor", bits_or_predicate(width)?]),
        Op::Not { width } => dotted(["not", bits_or_predicate(width)?]),
        Op::LogicalNot { width } => dotted(["cnot", bits(width)?]),
        Op::Shl { width } => dotted(["shl", bits(width)?]),
        Op::Shr { width, signed } => {
            let signed = signed && !active(Mutation::ShiftUnsigned);
            dotted(["shr", integer(signed, width)?])
        }
        Op::Funnel { left, wrap } => {
            let left = left != active(Mutation::FunnelInverted);
            let direction = if left { "l" } else { "r" };
            dotted(["shf", direction, at_the_end(wrap), "b32"])
        }
        Op::Bfe { width, signed } => dotted(["bfe", wide_integer(signed, width)?]),
        Op::Bfi { width } => dotted(["bfi", wide_bits(width)?]),
        Op::Bfind {
            width,
            signed,
            shift,
        } => {
            let ty = wide_integer(signed, width)?;
            dotted(["bfind", when(shift, "shiftamt"), ty])
        }
        Op::Clz { width } => dotted(["clz", wide_bits(width)?]),
        Op::Popc { width } => dotted(["popc", wide_bits(width)?]),
        Op::Brev { width } => dotted(["brev", wide_bits(width)?]),
        Op::Bmsk { wrap } => dotted(["bmsk", at_the_end(wrap), "b32"]),
        Op::Szext { wrap, signed } => dotted(["szext", at_the_end(wrap), integer(signed, 32)?]),
        Op::Fns => dotted(["fns", "b32"]),
        Op::Prmt(mode) => dotted(["prmt", "b32", permutation(mode)]),
        _ => return None,
    })
}

/// `lop3`: the table follows the three values, in front of the predicate.
pub(super) fn lop3(table: u8, predicate: Option<Logic>) -> Spelled {
    let form = match predicate {
        Some(_) => Form::ValueAndPredicate,
        None => Form::Plain,
    };
    let opcode = dotted(["lop3", logic(predicate), "b32"]);
    let table = match active(Mutation::TableReversed) {
        true => table.reverse_bits(),
        false => table,
    };
    Spelled::of(opcode, form).with_constants(3, format!("{table:#04x}"))
}

/// What becomes of positions beyond the last bit.
fn at_the_end(wrap: bool) -> &'static str {
    match wrap && !active(Mutation::ClampForWrap) {
        true => "wrap",
        false => "clamp",
    }
}

/// The mode of `prmt`, which follows the type.
fn permutation(mode: Permute) -> &'static str {
    match mode {
        Permute::Index => "",
        Permute::F4e => "f4e",
        Permute::B4e => "b4e",
        Permute::Rc8 => "rc8",
        Permute::Ecl => "ecl",
        Permute::Ecr => "ecr",
        Permute::Rc16 => "rc16",
    }
}
