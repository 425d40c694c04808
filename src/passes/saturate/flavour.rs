//! Flavours: the operand types at which a rule is instantiated. A flavour maps each word of the table to an operation.

use super::language::{Head, Node, Rounded, plain, rounded};
use super::table::{Over, Rule, When};
use half::f16;
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::op::{FloatMode, FloatOp, Op, Product};
use ptxasw_ir::types::{Kind, Type};
use std::collections::BTreeSet;

/// The types of a rule's operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Flavour {
    /// Integers of so many bits.
    Integers(u8),
    /// Factors of so many bits, products of twice as many.
    Wide {
        /// Bits of a factor.
        from: u8,
        /// Two's complement.
        signed: bool,
    },
    /// So many single bits.
    Logic(u8),
    /// `select` between values of so many bits.
    Choices(u8),
    /// Integers that are compared.
    Extremes {
        /// Bits of both operands.
        width: u8,
        /// Two's complement.
        signed: bool,
    },
    /// Floating-point arithmetic of one type; sums and products may differ in rounding and permissions.
    Floats {
        /// The type of all operands and of the result.
        ty: Type,
        /// Rounding and permissions of sums and differences.
        sum: Rounded,
        /// Rounding and permissions of products and quotients.
        product: Rounded,
    },
}

impl Flavour {
    /// The rules that it serves.
    pub fn over(self) -> Over {
        match self {
            Flavour::Integers(_) => Over::Integers,
            Flavour::Wide { .. } => Over::Wide,
            Flavour::Logic(_) => Over::Logic,
            Flavour::Choices(_) => Over::Choices,
            Flavour::Extremes { .. } => Over::Extremes,
            Flavour::Floats { .. } => Over::Floats,
        }
    }

    /// Whether its operations have what a rule needs.
    pub fn allows(self, rule: &Rule) -> bool {
        let Flavour::Floats { sum, product, .. } = self else {
            return true;
        };
        let has = |words: &[&str]| words.iter().any(|word| rule.left.contains(word));
        // What has only one of them is a rule of the flavour in which both are alike.
        let served = sum == product || has(&["(add", "(sub"]) && has(&["(mul"]);
        let flushed = rule.when == When::Unflushed && self.flushes();
        served && !flushed && sum.allowed.and(product.allowed).has(rule.needs)
    }

    /// Whether subnormal numbers are zeros (`.ftz`).
    pub fn flushes(self) -> bool {
        matches!(self, Flavour::Floats { sum, .. } if sum.mode.ftz)
    }

    /// The operations that a rule makes of those that it matches: they have the permissions that all of these have.
    pub fn made(self) -> Flavour {
        match self {
            Flavour::Floats { ty, sum, product } => {
                let both = sum.and(product);
                let (sum, product) = (both, both);
                Flavour::Floats { ty, sum, product }
            }
            other => other,
        }
    }

    /// The number that a word of the table denotes; none if it is no number.
    pub fn number(self, word: &str) -> Option<u64> {
        let Flavour::Floats { ty, .. } = self else {
            let number = word.parse::<i64>().ok()? as u64;
            return Some(number & (u64::MAX >> (64 - u32::from(self.width()))));
        };
        let number: f64 = word.parse().ok()?;
        Some(match ty.bits {
            16 => f16::from_f64(number).to_bits().into(),
            32 => (number as f32).to_bits().into(),
            _ => number.to_bits(),
        })
    }

    /// Bits of the numbers in a rule.
    pub fn width(self) -> u8 {
        match self {
            Flavour::Integers(width) | Flavour::Logic(width) | Flavour::Choices(width) => width,
            Flavour::Wide { from, .. } => from,
            Flavour::Extremes { width, .. } => width,
            Flavour::Floats { ty, .. } => ty.bits,
        }
    }

    /// The operation that a word of the table denotes at these types, and the permissions of its nodes; none for an unknown word.
    pub fn op(self, word: &str) -> Option<(Op, FastMath)> {
        let op = match self {
            Flavour::Integers(width) => integer(word, width),
            Flavour::Wide { from, signed } => wide(word, from, signed),
            Flavour::Logic(width) => logic(word, width),
            Flavour::Choices(width) => match word {
                "select" => Some(Op::Select { width }),
                _ => logic(word, 1),
            },
            Flavour::Extremes { width, signed } => extreme(word, width, signed),
            Flavour::Floats { ty, sum, product } => return float(word, ty, sum, product),
        };
        op.map(|op| (op, FastMath::NONE))
    }
}

fn integer(word: &str, width: u8) -> Option<Op> {
    let product = Product::Low;
    let signed = true;
    Some(match word {
        "add" => Op::Add { width },
        "sub" => Op::Sub { width },
        "neg" => Op::Neg { width },
        "shl" => Op::Shl { width },
        "mul" => Op::Mul {
            product,
            width,
            signed,
        },
        "mad" => Op::MulAdd {
            product,
            width,
            signed,
            saturate: false,
        },
        _ => return None,
    })
}

fn wide(word: &str, from: u8, signed: bool) -> Option<Op> {
    let product = Product::Wide;
    let width = from;
    Some(match word {
        "mulw" => Op::Mul {
            product,
            width,
            signed,
        },
        "madw" => Op::MulAdd {
            product,
            width,
            signed,
            saturate: false,
        },
        "ext" => Op::Extend {
            from,
            to: 2 * from,
            signed,
        },
        _ => return integer(word, 2 * from),
    })
}

fn logic(word: &str, width: u8) -> Option<Op> {
    Some(match word {
        "and" => Op::And { width },
        "or" => Op::Or { width },
        "xor" => Op::Xor { width },
        "not" => Op::Not { width },
        _ => return None,
    })
}

fn extreme(word: &str, width: u8, signed: bool) -> Option<Op> {
    let relu = false;
    Some(match word {
        "min" => Op::Min {
            width,
            signed,
            relu,
        },
        "max" => Op::Max {
            width,
            signed,
            relu,
        },
        _ => return None,
    })
}

fn float(word: &str, ty: Type, sum: Rounded, product: Rounded) -> Option<(Op, FastMath)> {
    let nearest = FloatMode {
        ftz: sum.mode.ftz,
        ..FloatMode::NEAREST
    };
    let (op, mode, allowed) = match word {
        "add" => (FloatOp::Add, sum.mode, sum.allowed),
        "sub" => (FloatOp::Sub, sum.mode, sum.allowed),
        "mul" => (FloatOp::Mul, product.mode, product.allowed),
        "div" => (FloatOp::Div, product.mode, product.allowed),
        // Nothing is computed in place of these, whatever their authors permit.
        "fma" => (FloatOp::Fma, nearest, FastMath::NONE),
        "rcp" => (FloatOp::Rcp, nearest, FastMath::NONE),
        "copysign" => (FloatOp::CopySign, FloatMode::NEAREST, FastMath::NONE),
        "neg" => (FloatOp::Neg, FloatMode::NEAREST, FastMath::NONE),
        "abs" => (FloatOp::Abs, FloatMode::NEAREST, FastMath::NONE),
        _ => return None,
    };
    Some((Op::Float { op, ty, mode }, allowed))
}

/// Distinct pairs of rounding mode and fast-math flags in a region, above which no rule matches operations that differ in them: each
/// combination of two is a flavour with rules of its own.
const WAYS: usize = 6;

/// The flavours of what a region computes, in a fixed order.
pub fn flavours<'a>(nodes: impl Iterator<Item = &'a Head>) -> Vec<Flavour> {
    let (mut all, mut floats) = (BTreeSet::new(), BTreeSet::new());
    for node in nodes {
        let Head::Op(op, allowed) = *node else {
            continue;
        };
        all.extend(of_integer(&op));
        let found = rounded(&op).or_else(|| plain(&op, &[FloatOp::Fma]));
        if let Some((ty, mode)) = found.filter(|(ty, _)| ty.kind == Kind::Float) {
            floats.insert((ty, Rounded { mode, allowed }));
        }
    }
    let mixed = floats.len() <= WAYS;
    let pairs = floats.iter().flat_map(|&(ty, sum)| {
        let alike = floats.iter().filter(move |(other, product)| {
            let pairs = *other == ty && product.mode.ftz == sum.mode.ftz;
            pairs && (mixed || *product == sum)
        });
        alike.map(move |&(_, product)| Flavour::Floats { ty, sum, product })
    });
    all.extend(pairs);
    all.into_iter().collect()
}

fn of_integer(op: &Op) -> Vec<Flavour> {
    match *op {
        Op::Mul {
            product: Product::Wide,
            width,
            signed,
        }
        | Op::MulAdd {
            product: Product::Wide,
            width,
            signed,
            saturate: false,
        } => vec![
            Flavour::Wide {
                from: width,
                signed,
            },
            Flavour::Integers(2 * width),
        ],
        Op::Extend { from, to, signed } if to == 2 * from && from >= 16 => {
            vec![Flavour::Wide { from, signed }]
        }
        Op::Mul {
            product: Product::Low,
            width,
            ..
        }
        | Op::MulAdd {
            product: Product::Low,
            width,
            saturate: false,
            ..
        }
        | Op::Add { width }
        | Op::Sub { width }
        | Op::Neg { width }
        | Op::Shl { width } => vec![Flavour::Integers(width)],
        Op::And { width } | Op::Or { width } | Op::Xor { width } | Op::Not { width } => {
            vec![Flavour::Logic(width)]
        }
        Op::Select { width } => vec![Flavour::Choices(width)],
        Op::Min {
            width,
            signed,
            relu: false,
        }
        | Op::Max {
            width,
            signed,
            relu: false,
        } => vec![Flavour::Extremes { width, signed }],
        _ => Vec::new(),
    }
}

/// The canonical form of an operation: low products of signed and of unsigned factors are equal, so both become the signed one.
pub fn canonical(op: Op) -> Op {
    match op {
        Op::Mul {
            product: Product::Low,
            width,
            ..
        } => Op::Mul {
            product: Product::Low,
            width,
            signed: true,
        },
        Op::MulAdd {
            product: Product::Low,
            width,
            saturate: false,
            ..
        } => Op::MulAdd {
            product: Product::Low,
            width,
            signed: true,
            saturate: false,
        },
        _ => op,
    }
}

/// A node of the canonical operation.
pub fn of_op(op: Op, allowed: FastMath, args: impl IntoIterator<Item = egg::Id>) -> Node {
    Node::Op(canonical(op), allowed, args.into_iter().collect())
}
