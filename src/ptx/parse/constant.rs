//! Constant expressions (PTX ISA, "Constant Expressions"): parsed and folded at once.

use super::super::{ast::Span, error::SyntaxError, lex::Kind};
use super::{MAX_NESTING, Parser, number::number};

/// The value of a literal or of a constant expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Constant {
    /// A `.s64` or `.u64`.
    Integer { bits: u64, unsigned: bool },
    /// A `.f64`, or the exact bits of a `.f32`.
    Float { bits: u64, width: u8 },
}

/// The number of threads of a warp, which `WARP_SZ` stands for.
const WARP_SIZE: u64 = 32;

/// The name of that constant.
pub(super) const WARP_SZ: &[u8] = b"WARP_SZ";

impl Constant {
    fn signed(value: i64) -> Self {
        Constant::Integer {
            bits: value as u64,
            unsigned: false,
        }
    }

    fn truth(value: bool) -> Self {
        Constant::signed(i64::from(value))
    }

    fn f64(value: f64) -> Self {
        Constant::Float {
            bits: value.to_bits(),
            width: 64,
        }
    }

    fn as_f64(self) -> Option<f64> {
        match self {
            Constant::Float { bits, width: 64 } => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    fn is_true(self) -> bool {
        match self {
            Constant::Integer { bits, .. } => bits != 0,
            Constant::Float { bits, width } => {
                let sign = 1u64 << (width - 1);
                bits & !sign != 0
            }
        }
    }
}

/// How tightly a binary operator binds; 0 for what is none.
fn precedence(kind: Kind) -> u8 {
    match kind {
        Kind::OrOr => 1,
        Kind::AndAnd => 2,
        Kind::Bar => 3,
        Kind::Caret => 4,
        Kind::Ampersand => 5,
        Kind::EqualEqual | Kind::BangEqual => 6,
        Kind::Less | Kind::Greater | Kind::LessEqual | Kind::GreaterEqual => 7,
        Kind::ShiftLeft | Kind::ShiftRight => 8,
        Kind::Plus | Kind::Minus => 9,
        Kind::Star | Kind::Slash | Kind::Percent => 10,
        _ => 0,
    }
}

impl Parser<'_> {
    /// A constant expression.
    pub(super) fn constant(&mut self) -> Result<Constant, Box<SyntaxError>> {
        self.conditional(0)
    }

    /// An integer constant expression.
    pub(super) fn integer(&mut self) -> Result<u64, Box<SyntaxError>> {
        let start = self.token.span.start;
        let value = self.constant()?;
        self.require_integer(value, start)
    }

    fn require_integer(&self, value: Constant, start: u32) -> Result<u64, Box<SyntaxError>> {
        match value {
            Constant::Integer { bits, .. } => Ok(bits),
            Constant::Float { .. } => Err(SyntaxError::new(
                Span::new(start, self.previous_end),
                "expected an integer, found a float",
            )),
        }
    }

    fn conditional(&mut self, depth: u32) -> Result<Constant, Box<SyntaxError>> {
        let condition = self.binary(1, depth)?;
        if !self.eat(Kind::Question) {
            return Ok(condition);
        }
        let depth = self.deeper(depth)?;
        let yes = self.conditional(depth)?;
        self.expect(Kind::Colon, "`:`")?;
        let no = self.conditional(depth)?;
        Ok(if condition.is_true() { yes } else { no })
    }

    /// Precedence climbing: operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8, depth: u32) -> Result<Constant, Box<SyntaxError>> {
        let start = self.token.span.start;
        let mut left = self.unary(depth)?;
        loop {
            let operator = self.token.kind;
            let binds = precedence(operator);
            if binds == 0 || binds < least {
                return Ok(left);
            }
            self.advance();
            let right = self.binary(binds + 1, self.deeper(depth)?)?;
            left = fold(operator, left, right).map_err(|message| {
                SyntaxError::new(Span::new(start, self.previous_end), message)
            })?;
        }
    }

    fn unary(&mut self, depth: u32) -> Result<Constant, Box<SyntaxError>> {
        let token = self.token;
        match token.kind {
            Kind::Number => {
                self.advance();
                number(self.bytes(token.span))
                    .ok_or_else(|| SyntaxError::new(token.span, "malformed number"))
            }
            Kind::Word if self.bytes(token.span) == WARP_SZ => {
                self.advance();
                Ok(Constant::signed(WARP_SIZE as i64))
            }
            Kind::Plus | Kind::Minus | Kind::Bang | Kind::Tilde => {
                self.advance();
                let value = self.unary(self.deeper(depth)?)?;
                apply(token.kind, value).map_err(|message| {
                    SyntaxError::new(Span::new(token.span.start, self.previous_end), message)
                })
            }
            Kind::OpenParen => {
                self.advance();
                let depth = self.deeper(depth)?;
                if self.token.kind == Kind::Dotted {
                    return self.cast(depth);
                }
                let value = self.conditional(depth)?;
                self.expect(Kind::CloseParen, "`)`")?;
                Ok(value)
            }
            _ => Err(self.unexpected("a constant")),
        }
    }

    /// `(.s64)value` and `(.u64)value`, the only casts there are.
    fn cast(&mut self, depth: u32) -> Result<Constant, Box<SyntaxError>> {
        let to = self.advance();
        let unsigned = match self.bytes(to.span) {
            b".s64" => false,
            b".u64" => true,
            _ => return Err(SyntaxError::new(to.span, "expected `.s64` or `.u64`")),
        };
        self.expect(Kind::CloseParen, "`)`")?;
        let start = self.token.span.start;
        let value = self.unary(depth)?;
        let bits = self.require_integer(value, start)?;
        Ok(Constant::Integer { bits, unsigned })
    }

    /// One level further down an expression or a nest of lists.
    pub(super) fn deeper(&self, depth: u32) -> Result<u32, Box<SyntaxError>> {
        if depth >= MAX_NESTING {
            return Err(SyntaxError::new(
                self.token.span,
                format!("nested more than {MAX_NESTING} levels deep"),
            ));
        }
        Ok(depth + 1)
    }
}

/// A unary operator applied to a constant.
fn apply(operator: Kind, value: Constant) -> Result<Constant, &'static str> {
    Ok(match (operator, value) {
        (Kind::Plus, value) => value,
        (Kind::Minus, Constant::Integer { bits, unsigned }) => Constant::Integer {
            bits: bits.wrapping_neg(),
            unsigned,
        },
        (Kind::Minus, Constant::Float { bits, width }) => Constant::Float {
            bits: bits ^ 1 << (width - 1),
            width,
        },
        (Kind::Tilde, Constant::Integer { bits, .. }) => Constant::Integer {
            bits: !bits,
            unsigned: true,
        },
        (Kind::Bang, value @ Constant::Integer { .. }) => Constant::truth(!value.is_true()),
        _ => return Err("this operator takes an integer"),
    })
}

/// A binary operator applied to constants.
fn fold(operator: Kind, left: Constant, right: Constant) -> Result<Constant, &'static str> {
    match (left, right) {
        (
            Constant::Integer { bits: a, unsigned },
            Constant::Integer {
                bits: b,
                unsigned: other,
            },
        ) => fold_integers(operator, a, b, unsigned, unsigned || other),
        _ => match (left.as_f64(), right.as_f64()) {
            (Some(a), Some(b)) => fold_floats(operator, a, b),
            _ => Err("both sides of this operator must be integers or `.f64` values"),
        },
    }
}

/// The usual conversions: unsigned if either side is (`unsigned`); a shift keeps the type of its left side (`shifted`).
/// As `ptxas` has it, a remainder is unsigned always, and a shift takes its amount modulo 64.
fn fold_integers(
    operator: Kind,
    a: u64,
    b: u64,
    shifted: bool,
    unsigned: bool,
) -> Result<Constant, &'static str> {
    let integer = |bits| Constant::Integer { bits, unsigned };
    let less = |a: u64, b: u64| {
        if unsigned {
            a < b
        } else {
            (a as i64) < (b as i64)
        }
    };
    let shift = |bits| Constant::Integer {
        bits,
        unsigned: shifted,
    };
    Ok(match operator {
        Kind::Plus => integer(a.wrapping_add(b)),
        Kind::Minus => integer(a.wrapping_sub(b)),
        Kind::Star => integer(a.wrapping_mul(b)),
        Kind::Slash | Kind::Percent if b == 0 => return Err("division by zero"),
        Kind::Slash if unsigned => integer(a / b),
        Kind::Slash => integer((a as i64).wrapping_div(b as i64) as u64),
        Kind::Percent => Constant::Integer {
            bits: a % b,
            unsigned: true,
        },
        Kind::ShiftLeft => shift(a.wrapping_shl(b as u32)),
        Kind::ShiftRight if shifted => shift(a.wrapping_shr(b as u32)),
        Kind::ShiftRight => shift((a as i64).wrapping_shr(b as u32) as u64),
        Kind::Less => Constant::truth(less(a, b)),
        Kind::Greater => Constant::truth(less(b, a)),
        Kind::LessEqual => Constant::truth(!less(b, a)),
        Kind::GreaterEqual => Constant::truth(!less(a, b)),
        Kind::EqualEqual => Constant::truth(a == b),
        Kind::BangEqual => Constant::truth(a != b),
        Kind::AndAnd => Constant::truth(a != 0 && b != 0),
        Kind::OrOr => Constant::truth(a != 0 || b != 0),
        Kind::Ampersand => integer(a & b),
        Kind::Bar => integer(a | b),
        Kind::Caret => integer(a ^ b),
        _ => return Err("not an operator of integers"),
    })
}

fn fold_floats(operator: Kind, a: f64, b: f64) -> Result<Constant, &'static str> {
    Ok(match operator {
        Kind::Plus => Constant::f64(a + b),
        Kind::Minus => Constant::f64(a - b),
        Kind::Star => Constant::f64(a * b),
        Kind::Slash => Constant::f64(a / b),
        Kind::Less => Constant::truth(a < b),
        Kind::Greater => Constant::truth(a > b),
        Kind::LessEqual => Constant::truth(a <= b),
        Kind::GreaterEqual => Constant::truth(a >= b),
        Kind::EqualEqual => Constant::truth(a == b),
        Kind::BangEqual => Constant::truth(a != b),
        _ => return Err("this operator takes integers"),
    })
}
