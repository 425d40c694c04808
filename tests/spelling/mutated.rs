//! Every way to break a spelling: it is decoded to another operation, or the executor computes something else from it.

use super::executed;
use super::statements::{operation, statement, try_decoded};
use ptxasw::ir::op::{Comparison, FloatMode, FloatOp, Logic, Op, Product, Rounding};
use ptxasw::ir::types::Type;
use ptxasw::support::mutation::{Mutation, SPELLING, with};

fn product(product: Product) -> Op {
    let (width, signed) = (32, false);
    Op::Mul {
        product,
        width,
        signed,
    }
}

fn compare(comparison: Comparison, ty: Type, logic: Option<Logic>) -> Op {
    let ftz = false;
    Op::Compare {
        comparison,
        ty,
        logic,
        ftz,
    }
}

fn sum(mode: FloatMode) -> Op {
    let (op, ty) = (FloatOp::Add, Type::F32);
    Op::Float { op, ty, mode }
}

/// A mutation, and an operation that shows it.
fn cases() -> Vec<(Mutation, Op)> {
    let (width, signed, wrap) = (32, true, true);
    let less = compare(Comparison::Lt, Type::S32, None);
    let both = compare(Comparison::Lt, Type::S32, Some(Logic::And));
    let (left, nearest) = (true, FloatMode::NEAREST);
    let to_zero = FloatMode {
        rounding: Rounding::Zero,
        ..nearest
    };
    let ftz = FloatMode {
        ftz: true,
        ..nearest
    };
    let saturated = FloatMode {
        saturate: true,
        ..nearest
    };
    let table = Op::Lop3 {
        table: 0x1b,
        predicate: None,
    };
    let of_predicate = Op::Extend {
        from: 1,
        to: 32,
        signed,
    };
    let to_float = Op::Convert {
        from: Type::S32,
        to: Type::F32,
        mode: nearest,
        integral: false,
    };
    vec![
        (Mutation::SignLost, Op::Div { width, signed }),
        (Mutation::HighForLow, product(Product::Low)),
        (Mutation::WideLost, product(Product::Wide)),
        (Mutation::BoundIncluded, less),
        (
            Mutation::UnorderedLost,
            compare(Comparison::LtU, Type::F32, None),
        ),
        (Mutation::LogicMixed, both),
        (Mutation::ClampForWrap, Op::Funnel { left, wrap }),
        (Mutation::FunnelInverted, Op::Funnel { left, wrap }),
        (Mutation::ShiftUnsigned, Op::Shr { width, signed }),
        (Mutation::RoundingLost, sum(to_zero)),
        (Mutation::FtzLost, sum(ftz)),
        (Mutation::SaturationLost, sum(saturated)),
        (Mutation::PredicateUnsigned, of_predicate),
        (Mutation::ConversionInverted, to_float),
        (Mutation::TableReversed, table),
        (Mutation::PredicatesSwapped, less),
        (Mutation::OperandsSwapped, Op::Sub { width }),
    ]
}

/// What is wrong with the spelling of an operation.
fn wrong(op: &Op) -> Option<String> {
    let text = statement(op).expect("the operation is spelled");
    let Some(decoded) = try_decoded(&text) else {
        return Some(format!("{text}: is not decoded"));
    };
    let found = decoded.first().and_then(operation);
    // A predicate that is extended is decoded as the choice that it is.
    match found == Some(*op) || matches!(op, Op::Extend { .. }) {
        true => executed::difference(&[op], 1),
        false => Some(format!("{text}: is decoded as {found:?}")),
    }
}

#[test]
fn every_mutation_is_reported() {
    let mut missed = Vec::new();
    for (mutation, op) in cases() {
        assert_eq!(wrong(&op), None, "{mutation:?}, unbroken");
        if with(mutation, || wrong(&op)).is_none() {
            missed.push((mutation, op));
        }
    }
    assert_eq!(missed, []);
}

#[test]
fn every_mutation_has_a_case() {
    for mutation in SPELLING {
        let tried = cases().iter().any(|case| case.0 == *mutation);
        assert!(tried, "{mutation:?}");
    }
}
