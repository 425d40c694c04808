//! Barriers and communication between the lanes of a warp (PTX ISA, "Parallel Synchronization and Communication").

use super::memory::ATOMICS;
use super::modifiers::Spelling;
use super::shape::{Plain, Results, Shape, Types};
use ptxasw_ir::opcode::{AtomicOp, BarrierKind, Opcode, ShuffleMode, VoteMode, VoteOrCount};
use ptxasw_ir::types::{Kind, Type};

fn barrier(kind: BarrierKind, aligned: bool, sources: &[Type]) -> Plain {
    Plain::new(Opcode::Barrier { kind, aligned }, sources).results(Results::None)
}

/// `bar`, `barrier`
pub(super) fn bar(s: &mut Spelling) -> Option<Shape> {
    if s.take("warp") {
        return s
            .take("sync")
            .then(|| barrier(BarrierKind::Warp, false, &[Type::B32]).into());
    }
    let aligned = s.take("aligned") || s.base == "bar";
    if s.take("cluster") {
        return cluster(s, aligned);
    }
    s.take("cta");
    if s.take("sync") {
        let sources = [Type::U32; 2].get(..s.operands.clamp(1, 2))?.to_vec();
        return Some(barrier(BarrierKind::Sync, aligned, &sources).into());
    }
    if s.take("arrive") {
        return Some(barrier(BarrierKind::Arrive, aligned, &[Type::U32; 2]).into());
    }
    reduction(s, aligned)
}

fn cluster(s: &mut Spelling, aligned: bool) -> Option<Shape> {
    let kind = s.choose(&[
        ("arrive", BarrierKind::ClusterArrive),
        ("wait", BarrierKind::ClusterWait),
    ])?;
    s.choose(&[("release", ()), ("relaxed", ()), ("acquire", ())]);
    Some(barrier(kind, aligned, &[]).into())
}

/// `bar.red.popc.u32 d, a{, b}, c`, `bar.red.and.pred p, a{, b}, c`
fn reduction(s: &mut Spelling, aligned: bool) -> Option<Shape> {
    if !s.take("red") {
        return None;
    }
    let by = s.choose(&[
        ("popc", VoteOrCount::Popc),
        ("and", VoteOrCount::And),
        ("or", VoteOrCount::Or),
    ])?;
    s.ty()?;
    let mut sources = Types::from_elem(Type::U32, s.operands.checked_sub(2)?.clamp(1, 2));
    sources.push(Type::PRED);
    let plain = barrier(BarrierKind::Reduce(by), aligned, &sources);
    Some(plain.results(Results::One).into())
}

/// `shfl`, `shfl.sync`
pub(super) fn shfl(s: &mut Spelling) -> Option<Shape> {
    let sync = s.take("sync");
    let mode = s.choose(&[
        ("up", ShuffleMode::Up),
        ("down", ShuffleMode::Down),
        ("bfly", ShuffleMode::Butterfly),
        ("idx", ShuffleMode::Index),
    ])?;
    s.ty().filter(|t| t.bits == 32)?;
    let sources = &[Type::B32; 4][..if sync { 4 } else { 3 }];
    let plain = Plain::new(Opcode::Shuffle { mode, sync }, sources);
    Some(plain.results(Results::Two).into())
}

/// `vote`, `vote.sync`
pub(super) fn vote(s: &mut Spelling) -> Option<Shape> {
    let sync = s.take("sync");
    let mode = s.choose(&[
        ("all", VoteMode::All),
        ("any", VoteMode::Any),
        ("uni", VoteMode::Uniform),
        ("ballot", VoteMode::Ballot),
    ])?;
    let ty = s.ty()?;
    if (mode == VoteMode::Ballot) != (ty.bits == 32) {
        return None;
    }
    let sources = &[Type::PRED, Type::B32][..if sync { 2 } else { 1 }];
    Some(Plain::new(Opcode::Vote { mode, sync }, sources).into())
}

/// `match.sync`
pub(super) fn matches(s: &mut Spelling) -> Option<Shape> {
    let all = s.choose(&[("all", true), ("any", false)])?;
    if !s.take("sync") {
        return None;
    }
    let ty = s.bits().filter(|t| t.bits >= 32)?;
    let plain = Plain::new(
        Opcode::Match {
            all,
            width: ty.bits,
        },
        &[ty, Type::B32],
    );
    let results = if all { Results::Two } else { Results::One };
    Some(plain.results(results).into())
}

/// `redux.sync`: of integers, and the least or greatest of floats.
pub(super) fn redux(s: &mut Spelling) -> Option<Shape> {
    if !s.take("sync") {
        return None;
    }
    let op = s.choose(ATOMICS)?;
    let float = s.has_float();
    let abs = float && s.take("abs");
    let nan = float && s.take("NaN");
    let ty = s.ty().filter(|t| t.bits == 32)?;
    let known = match ty.kind {
        Kind::Bits | Kind::Unsigned | Kind::Signed => true,
        Kind::Float => matches!(op, AtomicOp::Min | AtomicOp::Max),
        _ => false,
    };
    let opcode = Opcode::Redux { op, ty, abs, nan };
    known.then(|| Plain::new(opcode, &[ty, Type::B32]).into())
}

/// `activemask`
pub(super) fn activemask(s: &mut Spelling) -> Option<Shape> {
    s.ty().filter(|t| t.bits == 32)?;
    Some(Plain::new(Opcode::ActiveMask, &[]).into())
}

/// `elect.sync`
pub(super) fn elect(s: &mut Spelling) -> Option<Shape> {
    if !s.take("sync") {
        return None;
    }
    let plain = Plain::new(Opcode::Elect, &[Type::B32]);
    Some(plain.results(Results::Two).into())
}
