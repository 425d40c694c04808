//! Terms as text, for reports and tests.

use super::{Binary, Node, TermId, Terms, Unary, signed};
use std::cell::Cell;
use std::fmt;

/// Levels of operands that are printed; what is below prints as `...`.
const MAX_PRINTED_DEPTH: u32 = 16;
/// Operands that are printed in all; those that follow print as `...`. Shared operands print each time.
const MAX_PRINTED_OPERANDS: u32 = 200;

/// A term that prints itself.
pub struct Printed<'a> {
    terms: &'a Terms,
    term: TermId,
}

/// What is left to print: levels below, and operands in all.
#[derive(Clone, Copy)]
struct Budget<'a> {
    depth: u32,
    operands: &'a Cell<u32>,
}

impl Budget<'_> {
    /// The budget of a term's operands.
    fn below(self) -> Option<Self> {
        self.operands.set(self.operands.get().checked_sub(1)?);
        let depth = self.depth.checked_sub(1)?;
        Some(Budget { depth, ..self })
    }
}

impl Terms {
    /// A term for printing, as in `4*sext64(v) + a + 8`.
    pub fn display(&self, term: TermId) -> Printed<'_> {
        Printed { terms: self, term }
    }
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operands = Cell::new(MAX_PRINTED_OPERANDS);
        let budget = Budget {
            depth: MAX_PRINTED_DEPTH,
            operands: &operands,
        };
        self.terms.print(f, self.term, budget, false)
    }
}

impl Terms {
    fn print(
        &self,
        f: &mut fmt::Formatter<'_>,
        t: TermId,
        budget: Budget<'_>,
        nested: bool,
    ) -> fmt::Result {
        let Some(budget) = budget.below() else {
            return f.write_str("...");
        };
        let width = self.width(t);
        let inner = |f: &mut fmt::Formatter<'_>, t| self.print(f, t, budget, true);
        let open = |f: &mut fmt::Formatter<'_>| f.write_str(if nested { "(" } else { "" });
        let close = |f: &mut fmt::Formatter<'_>| f.write_str(if nested { ")" } else { "" });
        match self.node(t) {
            Node::Const(bits) if width == 1 => write!(f, "{}", *bits == 1),
            Node::Const(bits) => write!(f, "{}", signed(width, *bits)),
            Node::Symbol(id) => f.write_str(&self.symbol_data(*id).name),
            Node::Affine { constant, terms } => {
                open(f)?;
                self.print_sum(f, width, *constant, terms, budget)?;
                close(f)
            }
            Node::Product(factors) => self.print_list(f, factors, "*", budget),
            Node::Unary(Unary::Not, a) => {
                f.write_str("!")?;
                inner(f, *a)
            }
            Node::Unary(Unary::Extract(low), a) => {
                inner(f, *a)?;
                write!(f, "[{}:{low}]", low + width - 1)
            }
            Node::Unary(op, a) => {
                match op {
                    Unary::Zext => write!(f, "zext{width}(")?,
                    Unary::Sext => write!(f, "sext{width}(")?,
                    Unary::Popc => f.write_str("popc(")?,
                    Unary::Clz => f.write_str("clz(")?,
                    _ => f.write_str("brev(")?,
                }
                self.print(f, *a, budget, false)?;
                f.write_str(")")
            }
            Node::Binary(op, a, b) => {
                open(f)?;
                inner(f, *a)?;
                write!(f, " {} ", symbol_of(*op))?;
                inner(f, *b)?;
                close(f)
            }
            Node::Ite(condition, a, b) => {
                open(f)?;
                inner(f, *condition)?;
                f.write_str(" ? ")?;
                inner(f, *a)?;
                f.write_str(" : ")?;
                inner(f, *b)?;
                close(f)
            }
            Node::Uninterpreted { function, args } => {
                write!(f, "{}(", self.function_data(*function))?;
                self.print_separated(f, args, ", ", budget, false)?;
                f.write_str(")")
            }
        }
    }

    fn print_sum(
        &self,
        f: &mut fmt::Formatter<'_>,
        width: u8,
        constant: u64,
        terms: &[(TermId, u64)],
        budget: Budget<'_>,
    ) -> fmt::Result {
        for (position, &(atom, coefficient)) in terms.iter().enumerate() {
            let coefficient = signed(width, coefficient);
            match (position, coefficient < 0) {
                (0, true) => f.write_str("-")?,
                (0, false) => {}
                (_, true) => f.write_str(" - ")?,
                (_, false) => f.write_str(" + ")?,
            }
            if coefficient.unsigned_abs() != 1 {
                write!(f, "{}*", coefficient.unsigned_abs())?;
            }
            self.print(f, atom, budget, true)?;
        }
        match signed(width, constant) {
            0 => Ok(()),
            c if c < 0 => write!(f, " - {}", c.unsigned_abs()),
            c => write!(f, " + {c}"),
        }
    }

    fn print_list(
        &self,
        f: &mut fmt::Formatter<'_>,
        list: &[TermId],
        separator: &str,
        budget: Budget<'_>,
    ) -> fmt::Result {
        self.print_separated(f, list, separator, budget, true)
    }

    fn print_separated(
        &self,
        f: &mut fmt::Formatter<'_>,
        list: &[TermId],
        separator: &str,
        budget: Budget<'_>,
        nested: bool,
    ) -> fmt::Result {
        for (position, &t) in list.iter().enumerate() {
            if position > 0 {
                f.write_str(separator)?;
            }
            self.print(f, t, budget, nested)?;
        }
        Ok(())
    }
}

fn symbol_of(op: Binary) -> &'static str {
    match op {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::Shl => "<<",
        Binary::Lshr => ">>u",
        Binary::Ashr => ">>s",
        Binary::UDiv => "/u",
        Binary::URem => "%u",
        Binary::SDiv => "/s",
        Binary::SRem => "%s",
        Binary::UMulHigh => "*hi_u",
        Binary::SMulHigh => "*hi_s",
        Binary::Equal => "==",
        Binary::ULess => "<u",
        Binary::SLess => "<s",
    }
}
