//! Quotients and remainders as terms have them.

use ptxasw_emulator::term::{Binary, Node, TermId, Terms, Unary};

/// What is divided by what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::shuffle) struct Division {
    pub dividend: TermId,
    pub divisor: Divisor,
    pub signed: bool,
    /// The remainder, else the quotient.
    pub remainder: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::shuffle) enum Divisor {
    Term(TermId),
    /// The quotient is what lies above so many bits.
    Bits(u8),
}

impl Division {
    /// A quotient or remainder of a number that differs between lanes.
    pub fn of(terms: &Terms, t: TermId) -> Option<Division> {
        let division = match *terms.node(t) {
            Node::Binary(op, dividend, divisor) => {
                let (signed, remainder) = match op {
                    Binary::UDiv => (false, false),
                    Binary::URem => (false, true),
                    Binary::SDiv => (true, false),
                    Binary::SRem => (true, true),
                    _ => return None,
                };
                Division {
                    dividend,
                    divisor: Divisor::Term(divisor),
                    signed,
                    remainder,
                }
            }
            Node::Unary(Unary::Extract(low), dividend)
                if low > 0 && low + terms.width(t) == terms.width(dividend) =>
            {
                Division {
                    dividend,
                    divisor: Divisor::Bits(low),
                    signed: false,
                    remainder: false,
                }
            }
            _ => return None,
        };
        (!terms.is_row_uniform(division.dividend)).then_some(division)
    }

    /// The remainder of another dividend.
    pub fn remainder_of(&self, terms: &mut Terms, dividend: TermId) -> TermId {
        match self.divisor {
            Divisor::Term(divisor) => terms.rem(self.signed, dividend, divisor),
            Divisor::Bits(bits) => {
                let low = terms.extract(dividend, 0, bits);
                terms.zext(low, terms.width(dividend))
            }
        }
    }

    /// The divisor as a number, if it is constant.
    pub fn constant(&self, terms: &Terms) -> Option<u64> {
        match self.divisor {
            Divisor::Term(divisor) => terms.as_const(divisor),
            Divisor::Bits(bits) => Some(1 << bits),
        }
    }
}
