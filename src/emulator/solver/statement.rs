//! Claims as certificates state them: what is claimed is written out over its terms, not simplified, with comments that say
//! what the terms are in the program.
//!
//! The last assertion of a text is the negated claim, all before it are hypotheses and what is known of declared names.

use super::Reading;
use super::operations::literal;
use super::smtlib::{self, Printer};
use crate::term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

/// A claim over an arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// Two terms of one width are equal.
    Equal(TermId, TermId),
    /// `ext(index + delta) = ext(index) + delta`, extended to 64 bits.
    NoWrap {
        /// The narrow index.
        index: TermId,
        /// Added to it.
        delta: i64,
        /// Sign extension, else zero extension.
        signed: bool,
    },
    /// `[address, address + bytes)` and `[other, other + other_bytes)` share no byte.
    Apart {
        /// An address.
        address: TermId,
        /// Bytes from there.
        bytes: u32,
        /// Another address, as wide.
        other: TermId,
        /// Bytes from there.
        other_bytes: u32,
    },
    /// A one-bit term is true.
    Holds(TermId),
    /// What the arena knows of the bits and the range of a term.
    Known(TermId),
}

/// A one-bit term that is taken as true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hypothesis {
    /// The term.
    pub term: TermId,
    /// What guarantees it, for a comment.
    pub why: String,
}

/// A claim under its hypotheses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What is claimed, in words; a comment line each.
    pub title: Vec<String>,
    /// What it rests on.
    pub hypotheses: Vec<Hypothesis>,
    /// What is claimed: all of it.
    pub claims: Vec<Claim>,
}

/// What a term is in the program, for a comment.
pub type Notes<'a> = dyn Fn(TermId) -> Option<String> + 'a;

/// A printed statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// SMT-LIB 2: unsatisfiable if and only if the claim holds in the reading.
    pub smt: String,
    /// Terms that the reading leaves open, but for what the arena knows of their bits and ranges: each of these is a claim
    /// of its own, [`Claim::Known`].
    pub known: Vec<TermId>,
}

/// Prints a statement.
pub fn print(terms: &Terms, statement: &Statement, reading: Reading, notes: &Notes) -> Printed {
    let mut printer = Printer::with_notes(terms, reading, notes);
    let hypotheses = distinct(&statement.hypotheses);
    let mut roots: Vec<TermId> = hypotheses.iter().map(|one| one.term).collect();
    roots.extend(statement.claims.iter().flat_map(|&claim| operands(claim)));
    printer.unasserted = cancelled(terms, &printer, statement);
    printer.define_all(&roots);
    for hypothesis in hypotheses {
        let _ = writeln!(printer.body, "; {}", smtlib::comment(&hypothesis.why));
        let name = printer.name(hypothesis.term).to_owned();
        printer.assert(&format!("(= {name} #b1)"));
    }
    let mut negated: Vec<String> = statement
        .claims
        .iter()
        .map(|&claim| negated(terms, &printer, claim))
        .collect();
    let negated = match negated.len() {
        1 => negated.remove(0),
        _ => format!("(or false {})", negated.join(" ")),
    };
    printer.body.push_str("; the claim, negated\n");
    printer.assert(&negated);
    let mut smt = String::new();
    for line in &statement.title {
        let _ = writeln!(smt, "; {}", smtlib::comment(line));
    }
    let _ = write!(
        smt,
        "; proved if this is unsatisfiable\n(set-logic {})\n(set-info :status unsat)\n{}(check-sat)\n",
        printer.logic(),
        printer.body
    );
    Printed {
        smt,
        known: printer.known,
    }
}

/// Terms left open that occur on both sides of all equations, as often, and nowhere else: whatever they are, they cancel. To
/// prove their ranges takes a solver long, for products of 64 bits.
fn cancelled(terms: &Terms, printer: &Printer, statement: &Statement) -> FxHashSet<TermId> {
    let mut found: FxHashSet<TermId> = FxHashSet::default();
    let mut others: Vec<TermId> = statement.hypotheses.iter().map(|one| one.term).collect();
    for &claim in &statement.claims {
        let Claim::Equal(a, b) = claim else {
            others.extend(operands(claim));
            continue;
        };
        let [left, right] = [a, b]
            .map(|side| -> FxHashMap<TermId, u64> { terms.affine(side).1.into_iter().collect() });
        for (atom, times) in left.iter().chain(&right) {
            let alike = left.get(atom) == Some(times) && right.get(atom) == Some(times);
            match alike && printer.left_open(*atom) {
                true => found.insert(*atom),
                false => {
                    others.push(*atom);
                    false
                }
            };
        }
    }
    for other in printer.walk(&others) {
        found.remove(&other);
    }
    found
}

/// Each hypothesis once.
fn distinct(hypotheses: &[Hypothesis]) -> Vec<&Hypothesis> {
    let mut seen = FxHashSet::default();
    hypotheses
        .iter()
        .filter(|one| seen.insert(one.term))
        .collect()
}

fn operands(claim: Claim) -> Vec<TermId> {
    match claim {
        Claim::Equal(a, b) => vec![a, b],
        Claim::Apart { address, other, .. } => vec![address, other],
        Claim::NoWrap { index: term, .. } | Claim::Holds(term) | Claim::Known(term) => vec![term],
    }
}

fn negated(terms: &Terms, printer: &Printer, claim: Claim) -> String {
    match claim {
        Claim::Equal(a, b) => format!("(not (= {} {}))", printer.name(a), printer.name(b)),
        Claim::NoWrap {
            index,
            delta,
            signed,
        } => {
            let width = terms.width(index).min(63);
            let extension = if signed { "sign_extend" } else { "zero_extend" };
            let extend = |inner: &str| format!("((_ {extension} {}) {inner})", 64 - width);
            let index = printer.name(index);
            let narrow = literal(width, delta as u64 & ((1 << width) - 1));
            let sum = extend(&format!("(bvadd {index} {narrow})"));
            let wide = literal(64, delta as u64);
            format!("(not (= {sum} (bvadd {} {wide})))", extend(index))
        }
        Claim::Apart {
            address,
            bytes,
            other,
            other_bytes,
        } => {
            let width = terms.width(address);
            let (a, b) = (printer.name(address), printer.name(other));
            let inside = |from: &str, to: &str, bytes: u32| {
                let bytes = literal(width, u64::from(bytes));
                format!("(bvult (bvsub {to} {from}) {bytes})")
            };
            format!("(or {} {})", inside(a, b, bytes), inside(b, a, other_bytes))
        }
        Claim::Holds(term) => format!("(= {} #b0)", printer.name(term)),
        Claim::Known(term) => {
            let claims = smtlib::known(printer.name(term), terms.width(term), terms.facts(term));
            format!("(not (and true {}))", claims.join(" "))
        }
    }
}
