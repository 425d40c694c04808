//! Loads, stores, atomics and fences (PTX ISA, "Data Movement", "Parallel Synchronization").

use super::modifiers::Spelling;
use super::shape::{Atomic, Memory, Plain, Results, Shape};
use ptxasw_ir::opcode::{Access, AtomicOp, Opcode, Order, Scope};
use ptxasw_ir::types::{Kind, Space, Type};

/// The state space of a word without its dot, and whether it is a bare `.param`.
pub(super) fn space_of(word: &str) -> Option<(Space, bool)> {
    Some(match word {
        "global" => (Space::Global, false),
        "const" => (Space::Const, false),
        "shared" | "shared::cta" => (Space::Shared, false),
        "shared::cluster" => (Space::SharedCluster, false),
        "local" => (Space::Local, false),
        "param" => (Space::ParamFunc, true),
        "param::entry" => (Space::ParamEntry, false),
        "param::func" => (Space::ParamFunc, false),
        // Constant banks (PTX ISA, "Banked Constant State Space (deprecated)").
        _ if word.starts_with("const[") => (Space::Const, false),
        _ => return None,
    })
}

/// Takes the state space; generic without one. The second: a bare `.param`.
pub(super) fn space(s: &mut Spelling) -> (Space, bool) {
    s.read(space_of).unwrap_or((Space::Generic, false))
}

/// Takes the scope of an ordering.
fn scope(s: &mut Spelling) -> Option<Scope> {
    s.choose(&[
        ("cta", Scope::Block),
        ("cluster", Scope::Cluster),
        ("gpu", Scope::Device),
        ("gl", Scope::Device),
        ("sys", Scope::System),
    ])
}

/// Takes cache operators' and eviction hints' words. Results: something was there, a cache policy operand follows.
fn hints(s: &mut Spelling, operators: &[&str]) -> (bool, bool) {
    let mut any = s.take("unified");
    let policy = s.take("L2::cache_hint");
    any |= s.read(|w| operators.contains(&w).then_some(())).is_some();
    while s
        .read(|w| (w.starts_with("L1::") || w.starts_with("L2::")).then_some(()))
        .is_some()
    {
        any = true;
    }
    (any || policy, policy)
}

/// What `ld` and `st` have in common, once the ordering is known.
fn access(s: &mut Spelling, (order, scope): (Order, Scope), operators: &[&str]) -> Option<Memory> {
    let (space, bare_param) = space(s);
    let non_coherent = s.take("nc");
    let (hints, policy) = hints(s, operators);
    let elements = s.choose(&[("v2", 2), ("v4", 4), ("v8", 8)]).unwrap_or(1);
    let ty = s
        .ty()
        .filter(|t| !matches!(t.kind, Kind::Predicate | Kind::Other))?;
    // A register of 128 bits is two halves here; there are no vectors of them.
    let (ty, elements) = match (ty.bits, elements) {
        (128, 1) => (Type::B64, 2),
        (128, _) => return None,
        _ => (ty, elements),
    };
    Some(Memory {
        access: Access {
            space,
            ty,
            elements,
            order,
            scope,
            non_coherent,
            offset: 0,
            hints,
            skipped: 0,
        },
        bare_param,
        policy,
    })
}

/// Takes the ordering and its scope. `.volatile` is as strong as `.relaxed.sys`.
fn order(s: &mut Spelling, strong: &[(&str, Order)]) -> Option<(Order, Scope)> {
    if s.take("weak") {
        return Some((Order::Weak, Scope::System));
    }
    if s.take("volatile") {
        return Some((Order::Volatile, Scope::System));
    }
    let mmio = s.take("mmio");
    match (mmio, s.choose(strong)) {
        (true, Some(Order::Relaxed)) => Some((Order::Mmio, scope(s)?)),
        (false, Some(order)) => Some((order, scope(s)?)),
        (false, None) => Some((Order::Weak, Scope::System)),
        _ => None,
    }
}

/// `ld`, `ldu`
pub(super) fn ld(s: &mut Spelling) -> Option<Shape> {
    let mut order = order(
        s,
        &[("relaxed", Order::Relaxed), ("acquire", Order::Acquire)],
    )?;
    // `.cv` asks for what is in memory now, as `.volatile` does.
    if s.take("cv") && order.0 == Order::Weak {
        order.0 = Order::Volatile;
    }
    let memory = access(s, order, &["ca", "cg", "cs", "lu"])?;
    Some(Shape::Load(memory))
}

/// `st`
pub(super) fn st(s: &mut Spelling) -> Option<Shape> {
    let order = order(
        s,
        &[("relaxed", Order::Relaxed), ("release", Order::Release)],
    )?;
    let memory = access(s, order, &["wb", "cg", "cs", "wt"])?;
    if memory.access.non_coherent {
        return None;
    }
    Some(Shape::Store(memory))
}

/// The operations of `atom`, `red` and `redux`.
pub(super) const ATOMICS: &[(&str, AtomicOp)] = &[
    ("add", AtomicOp::Add),
    ("min", AtomicOp::Min),
    ("max", AtomicOp::Max),
    ("inc", AtomicOp::Inc),
    ("dec", AtomicOp::Dec),
    ("and", AtomicOp::And),
    ("or", AtomicOp::Or),
    ("xor", AtomicOp::Xor),
    ("exch", AtomicOp::Exchange),
    ("cas", AtomicOp::CompareExchange),
];

/// `atom`, `red`; those of vectors and of 128 bits are opaque.
pub(super) fn atom(s: &mut Spelling, result: bool) -> Option<Shape> {
    let order = s
        .choose(&[
            ("relaxed", Order::Relaxed),
            ("acquire", Order::Acquire),
            ("release", Order::Release),
            ("acq_rel", Order::AcqRel),
        ])
        .unwrap_or(Order::Relaxed);
    let scope = scope(s).unwrap_or(Scope::Device);
    let (space, _) = space(s);
    let op = s.choose(ATOMICS)?;
    let ty = s
        .ty()
        .filter(|t| matches!(t.bits, 16 | 32 | 64) && t.kind != Kind::Other)?;
    s.take("noftz");
    let policy = s.take("L2::cache_hint");
    Some(Shape::Atomic(Atomic {
        op,
        ty,
        space,
        order,
        scope,
        result,
        policy,
    }))
}

/// `membar`, `fence`. All orderings are as strong as they can be read: `membar`, proxy fences and unknown ones count as
/// sequentially consistent, those without a scope for the whole system.
pub(super) fn fence(s: &mut Spelling) -> Option<Shape> {
    if s.operands > 0 {
        return None;
    }
    let order = s
        .choose(&[
            ("acq_rel", Order::AcqRel),
            ("acquire", Order::Acquire),
            ("release", Order::Release),
        ])
        .unwrap_or(Order::SeqCst);
    let scope = scope(s).unwrap_or(Scope::System);
    while s.read(Some).is_some() {}
    let plain = Plain::new(Opcode::Fence(order, scope), &[]);
    Some(plain.results(Results::None).into())
}
