//! Operations in a line.

use super::line::{Line, Parsed};
use super::names::type_of;
use super::words::read;
use crate::opcode::{Access, Opcode, Order, Scope};
use crate::types::Type;

/// The operation, with the name of a callee, up to the operands.
pub(super) fn opcode(cursor: &mut Line) -> Parsed<Opcode> {
    let text = cursor.until(' ');
    let mut words: Vec<&str> = text.split('.').collect();
    let of_words = |words: &[&str]| read::<Opcode>(words).map_err(|error| error.to_string());
    match words.as_slice() {
        ["load", rest @ ..] => access(rest).map(Opcode::Load),
        ["store", rest @ ..] => access(rest).map(Opcode::Store),
        ["call", rest @ ..] => {
            let indirect = rest.first() == Some(&"indirect");
            let effects = &rest[usize::from(indirect)..];
            let Opcode::Opaque { effects } = of_words(&[&["opaque"], effects].concat())? else {
                return Err("no effects".into());
            };
            let callee = match indirect {
                true => None,
                false => Some(cursor.name()?.into()),
            };
            Ok(Opcode::Call { callee, effects })
        }
        // Pure operations are one variant of all.
        [first, ..] if !is_machine(first) => {
            words.insert(0, "op");
            of_words(&words)
        }
        _ => of_words(&words),
    }
}

/// Whether a word is the first of an operation that is not pure.
fn is_machine(word: &str) -> bool {
    matches!(
        word,
        "atomic"
            | "barrier"
            | "fence"
            | "shuffle"
            | "vote"
            | "match"
            | "redux"
            | "activemask"
            | "elect"
            | "nop"
            | "opaque"
    )
}

/// The elements that a store skips, by their numbers: `1_3`.
fn skipped(elements: &str) -> Option<u8> {
    let mut bits = elements
        .split('_')
        .map(|element| 1u8.checked_shl(element.parse().ok()?));
    bits.try_fold(0, |all, bit| Some(all | bit?))
}

/// The words after `load` or `store`.
fn access(words: &[&str]) -> Parsed<Access> {
    let (&space, words) = words.split_first().ok_or("expected a state space")?;
    let mut access = Access {
        space: read(&[space]).map_err(|error| error.to_string())?,
        ty: Type::B32,
        elements: 1,
        order: Order::Weak,
        scope: Scope::System,
        non_coherent: false,
        offset: 0,
        hints: false,
        skipped: 0,
    };
    let (&last, words) = words.split_last().ok_or("expected a type")?;
    let (ty, offset) = last.split_once('[').unwrap_or((last, ""));
    access.ty = type_of(ty).ok_or(format!("unknown type `{ty}`"))?;
    if let Some(number) = offset.strip_suffix(']') {
        access.offset = number.parse().map_err(|_| "the offset is not a number")?;
    }
    for &word in words {
        let elements = word.strip_prefix('v').and_then(|count| count.parse().ok());
        if let Some(elements) = elements {
            access.elements = elements;
        } else if word == "nc" {
            access.non_coherent = true;
        } else if word == "hints" {
            access.hints = true;
        } else if let Some(elements) = word.strip_prefix("skip") {
            access.skipped = skipped(elements).ok_or(format!("unknown elements `{elements}`"))?;
        } else if let Ok(order) = read(&[word]) {
            access.order = order;
        } else {
            access.scope = read(&[word]).map_err(|error| error.to_string())?;
        }
    }
    Ok(access)
}
