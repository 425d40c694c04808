//! The table of opcodes, in the order of the PTX ISA manual.

use super::modifiers::Spelling;
use super::shape::Shape;
use super::unmodelled::opaque;
use super::{compare, control, convert, floating, integer, memory, warp};
use ptxasw_ir::op::FloatOp;

/// What a spelled-out opcode means for an instruction of that many operands. Never fails: what is not understood is opaque.
pub(super) fn shape(text: &str, operands: usize) -> Shape {
    let mut spelling = Spelling::new(text, operands);
    match understand(&mut spelling) {
        Some(shape) if spelling.finished() => shape,
        _ => opaque(&spelling),
    }
}

fn understand(s: &mut Spelling) -> Option<Shape> {
    let float = s.has_float();
    match s.base {
        // Integer and floating-point arithmetic, half precision.
        "add" if float => floating::arithmetic(s, FloatOp::Add),
        "add" => integer::add(s, false),
        "sub" if float => floating::arithmetic(s, FloatOp::Sub),
        "sub" => integer::add(s, true),
        "mul" if float => floating::arithmetic(s, FloatOp::Mul),
        "mul" => integer::mul(s),
        "mad" | "fma" if float => floating::arithmetic(s, FloatOp::Fma),
        "mad" => integer::mad(s, false),
        "mul24" => integer::mul24(s, false),
        "mad24" => integer::mul24(s, true),
        "sad" => integer::sad(s),
        "vadd" => integer::sum_of_three(s, false),
        "vsub" => integer::sum_of_three(s, true),
        "div" if float => floating::quotient(s, FloatOp::Div),
        "div" => integer::div(s, false),
        "rem" => integer::div(s, true),
        "abs" if float => floating::sign(s, FloatOp::Abs),
        "abs" => integer::abs(s, false),
        "neg" if float => floating::sign(s, FloatOp::Neg),
        "neg" => integer::abs(s, true),
        "min" if float => floating::min(s, false),
        "min" => integer::min(s, false),
        "max" if float => floating::min(s, true),
        "max" => integer::min(s, true),
        "popc" | "clz" | "brev" => integer::count(s),
        "bfind" => integer::bfind(s),
        "fns" => integer::fns(s),
        "bfe" => integer::bfe(s),
        "bfi" => integer::bfi(s),
        "szext" => integer::szext(s),
        "bmsk" => integer::bmsk(s),
        "dp4a" => integer::dp4a(s),
        "dp2a" => integer::dp2a(s),
        "addc" => integer::addc(s, false),
        "subc" => integer::addc(s, true),
        "madc" => integer::mad(s, true),
        "testp" => floating::testp(s),
        "copysign" => floating::sign(s, FloatOp::CopySign),
        "rcp" => floating::quotient(s, FloatOp::Rcp),
        "sqrt" => floating::quotient(s, FloatOp::Sqrt),
        "rsqrt" => floating::approximation(s, FloatOp::Rsqrt),
        "sin" => floating::approximation(s, FloatOp::Sin),
        "cos" => floating::approximation(s, FloatOp::Cos),
        "lg2" => floating::approximation(s, FloatOp::Lg2),
        "ex2" => floating::approximation(s, FloatOp::Ex2),
        "tanh" => floating::approximation(s, FloatOp::Tanh),
        // Comparison and selection.
        "set" => compare::set(s),
        "setp" => compare::setp(s),
        "selp" => compare::selp(s),
        "slct" => compare::slct(s),
        // Logic and shift.
        "and" | "or" | "xor" | "not" | "cnot" => integer::logic(s),
        "lop3" => integer::lop3(s),
        "shf" => integer::shf(s),
        "shl" | "shr" => integer::shift(s),
        "prmt" => integer::prmt(s),
        // Data movement and conversion.
        "mov" => control::mov(s),
        "ld" | "ldu" => memory::ld(s),
        "st" => memory::st(s),
        "isspacep" => convert::isspacep(s),
        "cvta" => convert::cvta(s),
        "cvt" => convert::cvt(s),
        // Control flow.
        "bra" | "brx" => control::branch(s),
        "call" => control::uniform(s, Shape::Call),
        "ret" => control::uniform(s, Shape::Return),
        "exit" => Some(Shape::Exit),
        "trap" => Some(Shape::Trap),
        // Synchronization and communication.
        "bar" | "barrier" => warp::bar(s),
        "membar" | "fence" => memory::fence(s),
        "atom" => memory::atom(s, true),
        "red" => memory::atom(s, false),
        "vote" => warp::vote(s),
        "match" => warp::matches(s),
        "activemask" => warp::activemask(s),
        "redux" => warp::redux(s),
        "elect" => warp::elect(s),
        "shfl" => warp::shfl(s),
        _ => None,
    }
}
