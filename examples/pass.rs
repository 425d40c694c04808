//! Two passes through both back ends: `cargo run -p ptxasw-llvm --example pass -- k.ptx` (or `k.ll`) prints the new text.

use ptxasw::ir::op::{Op, Product};
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::{Cursor, Ref};
use ptxasw::ir::types::Space;
use ptxasw::passes::{Pass, Rewrite, Session, replace};
use std::io::{Write, stdout};

/// `x * 2` and `x << 1` become `x + x`.
pub struct Double;
impl Pass for Double {
    fn name(&self) -> &'static str {
        "double"
    }
    fn run(&self, session: &Session) -> Rewrite {
        replace(session, "it is a sum", |one, at| {
            let is_double = match (one.opcode, one.constant(1)?) {
                (Opcode::Op(Op::Mul { product, .. }), 2) => *product == Product::Low,
                (Opcode::Op(Op::Shl { .. }), 1) => true,
                _ => false,
            };
            let (x, width) = (one.read(0).filter(|_| is_double)?, one.width);
            Some(at.single(Op::Add { width }, &[x, x]))
        })
    }
}

/// A load of global memory becomes two, of which the address decides at run time: the second is the fallback.
pub struct Tested;
impl Pass for Tested {
    fn name(&self) -> &'static str {
        "tested"
    }
    fn run(&self, session: &Session) -> Rewrite {
        replace(session, "the address decides", |load, at| {
            let (address, width) = (load.read(0)?, load.operand_width(0));
            match *load.opcode {
                // What says more than another load would, as an alignment of its own, stays.
                Opcode::Load(access)
                    if access.space == Space::Global && access.order.is_weak() && !access.hints =>
                {
                    let low = at.single(Op::And { width }, &[address, Ref::Constant(width, 15)]);
                    let aligned = at.equal(width, low, Ref::Constant(width, 0));
                    let again = |at: &mut Cursor| at.load(access, address, load.width);
                    Some(at.either(aligned, load.width, again, again))
                }
                _ => None,
            }
        })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("no file is named")?;
    let options = ptxasw::Options::of_passes(&[&Double, &Tested]);
    let text = std::fs::read(&path)?;
    let new = match path.ends_with(".ptx") {
        true => ptxasw::optimize(&text, &options)?.text,
        false => ptxasw_llvm::stage::optimize(&text, &options)?,
    };
    Ok(stdout().write_all(&new)?)
}
