//! The text of one instruction.

use super::WriteError;
use crate::spell;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Access, BarrierKind, Opcode, Order, Scope, ShuffleMode, VoteMode};
use ptxasw_ir::types::{Space, Special};

/// The width of the operation on registers of 8 bits: there are none.
const NARROWEST: u8 = 16;

/// One statement without a guard. Operands and results are names of registers; operands of operations may be numbers, and the
/// address of an access is the text between the brackets.
pub(super) fn statement(
    opcode: &Opcode,
    results: &[String],
    operands: &[String],
) -> Result<String, WriteError> {
    let refused = || WriteError::Opcode(format!("{opcode:?}"));
    let text = match opcode {
        Opcode::Op(op) => operation(op, results, operands),
        Opcode::Load(access) => load(access, results, operands),
        Opcode::Store(access) => store(access, operands),
        Opcode::ActiveMask => one(results).map(|to| format!("activemask.b32 {to};")),
        Opcode::Shuffle { mode, sync: true } => shuffle(*mode, results, operands),
        Opcode::Vote { mode, sync: true } => vote(*mode, results, operands),
        Opcode::Match { all, width } => matched(*all, *width, results, operands),
        Opcode::Barrier {
            kind: BarrierKind::Warp,
            ..
        } => one(operands).map(|mask| format!("bar.warp.sync {mask};")),
        _ => None,
    };
    text.ok_or_else(refused)
}

fn one(list: &[String]) -> Option<&String> {
    list.first().filter(|_| list.len() == 1)
}

/// A pure operation as one statement.
fn operation(op: &Op, results: &[String], operands: &[String]) -> Option<String> {
    let parts = match op {
        Op::Pack { width, .. } | Op::Unpack { width, .. } => *width,
        _ => NARROWEST,
    };
    let mut named: Vec<Option<&str>> = results.iter().map(|name| Some(name.as_str())).collect();
    let alone = matches!(op, Op::Compare { .. }) && results.len() == 1;
    if alone {
        named.push(None);
    } else if spell::opcode(op)?.form == spell::Form::Predicate {
        named[1] = None;
    }
    let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
    spell::instruction(op, &named, &operands).filter(|_| parts >= NARROWEST)
}

/// The words of an access between its name and its registers; none if there is no such access.
fn access_words(access: &Access) -> Option<String> {
    if access.hints {
        return None;
    }
    let scope = match access.scope {
        Scope::Block => ".cta",
        Scope::Cluster => ".cluster",
        Scope::Device => ".gpu",
        Scope::System => ".sys",
    };
    let order = match access.order {
        Order::Weak => String::new(),
        Order::Volatile => ".volatile".to_string(),
        Order::Relaxed => format!(".relaxed{scope}"),
        Order::Acquire => format!(".acquire{scope}"),
        Order::Release => format!(".release{scope}"),
        Order::AcqRel | Order::SeqCst | Order::Mmio => return None,
    };
    let space = match access.space {
        Space::Generic => "",
        Space::Global => ".global",
        Space::Const => ".const",
        Space::Shared => ".shared",
        Space::SharedCluster => ".shared::cluster",
        Space::Local => ".local",
        Space::ParamEntry => ".param",
        // Variables of calls and parameters of device functions have names of a scope of their own.
        Space::ParamFunc => return None,
    };
    let coherent = if access.non_coherent { ".nc" } else { "" };
    let elements = match access.elements {
        1 => String::new(),
        2 | 4 | 8 => format!(".v{}", access.elements),
        _ => return None,
    };
    let bits = access.ty.bits;
    let there = matches!(bits, 8 | 16 | 32 | 64)
        && (!access.non_coherent || access.space == Space::Global && access.order.is_weak());
    there.then(|| format!("{order}{space}{coherent}{elements}.b{bits}"))
}

/// `[%rd1+4]`
fn address(base: &str, offset: i64) -> String {
    format!("[{}]", displaced(base, offset))
}

/// `%rd1+4`, or `%rd1+-4`: there is no difference of addresses. Offsets have all 64 bits: `ptxas` adds what an instruction can't hold.
pub(super) fn displaced(base: &str, offset: i64) -> String {
    match offset {
        0 => base.to_string(),
        _ if active(Mutation::OffsetLost) => base.to_string(),
        _ => format!("{base}+{offset}"),
    }
}

/// One register, or `{a, b}`.
fn vector(names: &[String]) -> String {
    match names {
        [only] => only.clone(),
        _ => format!("{{{}}}", names.join(", ")),
    }
}

fn load(access: &Access, results: &[String], operands: &[String]) -> Option<String> {
    let words = access_words(access).filter(|_| access.order != Order::Release)?;
    let (to, from) = (vector(results), address(one(operands)?, access.offset));
    Some(format!("ld{words} {to}, {from};"))
}

fn store(access: &Access, operands: &[String]) -> Option<String> {
    let words = access_words(access)?;
    let (base, values) = operands.split_first()?;
    let writable = !access.non_coherent
        && access.order != Order::Acquire
        && !matches!(access.space, Space::Const | Space::ParamEntry);
    let skipped = |(number, name): (u8, &String)| match access.skips(number) {
        true => "_".to_string(),
        false => name.clone(),
    };
    let values: Vec<String> = (0..).zip(values).map(skipped).collect();
    let (to, from) = (address(base, access.offset), vector(&values));
    writable.then(|| format!("st{words} {to}, {from};"))
}

fn shuffle(mode: ShuffleMode, results: &[String], operands: &[String]) -> Option<String> {
    let mode = match mode {
        ShuffleMode::Up => "up",
        ShuffleMode::Down => "down",
        ShuffleMode::Butterfly => "bfly",
        ShuffleMode::Index => "idx",
    };
    let to = match results {
        [value] => value.clone(),
        [value, there] => format!("{value}|{there}"),
        _ => return None,
    };
    let operands = Some(operands.join(", ")).filter(|_| operands.len() == 4)?;
    Some(format!("shfl.sync.{mode}.b32 {to}, {operands};"))
}

fn vote(mode: VoteMode, results: &[String], operands: &[String]) -> Option<String> {
    let mode = match mode {
        VoteMode::All => "all.pred",
        VoteMode::Any => "any.pred",
        VoteMode::Uniform => "uni.pred",
        VoteMode::Ballot => "ballot.b32",
    };
    let operands = Some(operands.join(", ")).filter(|_| operands.len() == 2)?;
    Some(format!("vote.sync.{mode} {}, {operands};", one(results)?))
}

fn matched(all: bool, width: u8, results: &[String], operands: &[String]) -> Option<String> {
    let operands = Some(operands.join(", ")).filter(|_| operands.len() == 2)?;
    Some(match (all, results) {
        (true, [mask, there]) => format!("match.all.sync.b{width} {mask}|{there}, {operands};"),
        (false, [mask]) => format!("match.any.sync.b{width} {mask}, {operands};"),
        _ => return None,
    })
}

/// A special register that does not change within a thread, of so many bits.
pub(super) fn special_of(width: u8, special: Special) -> Result<String, WriteError> {
    let own = if special == Special::GridId { 64 } else { 32 };
    match width == own && !special.changes() {
        true => Ok(special.to_string()),
        false => Err(WriteError::Opcode(format!("{special} of {width} bits"))),
    }
}

/// The opcode of a copy of a register: 8 bits are the lower half of 16.
pub(super) fn mov(width: u8) -> &'static str {
    match width {
        1 => "mov.pred",
        8 | 16 => "mov.b16",
        32 => "mov.b32",
        _ => "mov.b64",
    }
}

/// The operation on registers in place of one that has none: 8 bits are the lower half of 16, whose upper half nobody reads.
pub(super) fn widened(op: Op) -> Op {
    let wide = |width: u8| if width == 8 { 16 } else { width };
    match op {
        Op::Copy { width } => Op::Copy { width: wide(width) },
        Op::And { width } => Op::And { width: wide(width) },
        Op::Or { width } => Op::Or { width: wide(width) },
        Op::Xor { width } => Op::Xor { width: wide(width) },
        Op::Not { width } => Op::Not { width: wide(width) },
        Op::Select { width } => Op::Select { width: wide(width) },
        Op::Extend { from: 8, to: 8, .. } => Op::Copy { width: 16 },
        Op::Extend {
            from: 8,
            to,
            signed,
        } if active(Mutation::ByteNotCut) => Op::Extend {
            from: 16,
            to,
            signed,
        },
        Op::Extend {
            from: 1,
            to: 8,
            signed,
        } => Op::Extend {
            from: 1,
            to: 16,
            signed,
        },
        other => other,
    }
}

/// Whether an operand of an instruction may be a number in the text, where others of its operands are so many numbers.
pub(super) fn takes_number(opcode: &Opcode, index: usize, numbers: usize) -> bool {
    match opcode {
        Opcode::Op(Op::Select { .. }) => index < 2,
        Opcode::Op(Op::Prmt(_)) | Opcode::Shuffle { sync: true, .. } => index > 0,
        Opcode::Vote { sync: true, .. } => index == 1,
        Opcode::Barrier {
            kind: BarrierKind::Warp,
            ..
        } => true,
        Opcode::Op(op) => numbers == 0 && calculates(op),
        // Nobody reads it.
        Opcode::Store(access) => index > 0 && access.skips(index as u8 - 1),
        _ => false,
    }
}

/// Whether an operation takes a number for any of its operands, but not for all of them.
fn calculates(op: &Op) -> bool {
    match op {
        Op::Add { .. }
        | Op::Sub { .. }
        | Op::Mul { .. }
        | Op::MulAdd { .. }
        | Op::And { .. }
        | Op::Or { .. }
        | Op::Xor { .. }
        | Op::Shl { .. }
        | Op::Shr { .. }
        | Op::Min { .. }
        | Op::Max { .. } => true,
        Op::Compare { ty, .. } => !ty.float(),
        _ => false,
    }
}
