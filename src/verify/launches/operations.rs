//! Transfer functions of operations, and what operations show about scalars and about the size of a block.

use super::facts::{Fact, Known, VARIABLE};
use super::flow::{Flow, bit};
use ptxasw_ir::op::{Comparison, Op, Product};
use ptxasw_ptx::decode::form::Instruction;

/// Largest number that may be an extent of a block, or of a row of a tile.
const MAX_EXTENT: u64 = 1025;
/// Largest constant that a scalar is given since it is compared with it: a launch has so many iterations, perhaps.
const MAX_CONSTANT: i64 = 1 << 10;

impl Flow {
    /// The fact of a result; records what the operation shows about fields and thread indices.
    pub(super) fn operate(&mut self, op: &Op, instruction: &Instruction) -> Fact {
        let of = |i: usize| self.fact(instruction.operands.get(i));
        let [a, b, c] = [of(0), of(1), of(2)];
        match op {
            Op::Copy { .. } | Op::ToGeneric { .. } | Op::FromGeneric { .. } => return a,
            Op::Extend { .. } => return Fact { base: None, ..a },
            Op::Convert { from, to, .. } if !from.float() && !to.float() => {
                return Fact { base: None, ..a };
            }
            Op::Compare { comparison, .. } | Op::Set { comparison, .. }
                if is_equality(*comparison) && (a.axes, b.axes) != (0, 0) =>
            {
                self.decides(a.loaded | b.loaded);
                self.limit(a, b);
                self.limit(b, a);
            }
            Op::Compare { .. } | Op::Set { .. } | Op::Min { .. } | Op::Max { .. } => {
                for (index, bound) in [(a, b), (b, a)] {
                    self.compare(index, bound);
                    self.limit(index, bound);
                }
            }
            Op::Sub { .. } => {
                if (a.axes, b.axes) == (0, 0) && a.fields != 0 {
                    self.each(b.fields & !a.fields, |field| field.subtracted = true);
                }
                self.limit(b, a);
            }
            Op::And { .. } | Op::Xor { .. } | Op::Div { .. } | Op::Rem { .. } => {
                self.limit(a, b);
                if matches!(op, Op::Div { .. } | Op::Rem { .. }) && a.axes != 0 && b.axes == 0 {
                    self.each(b.fields, |field| field.divides = true);
                }
            }
            Op::Shr { .. } => self.limit(a, power(b)),
            Op::Shl { .. } => self.row(a, power(b)),
            Op::Mul { .. } | Op::MulAdd { .. } | Op::Mul24 { .. } => {
                self.multiply(a, b);
                self.multiply(b, a);
            }
            _ => {}
        }
        self.address(op, [a, b, c], instruction)
    }

    /// The fact of a result, with base and offset where it is an address.
    fn address(&mut self, op: &Op, [a, b, c]: [Fact; 3], instruction: &Instruction) -> Fact {
        let mixed = self.mixed(instruction);
        let product = |a: Fact, b: Fact| match (a.axes, b.axes) {
            (0, 0) => 0,
            (0, _) => a.fields,
            (_, 0) => b.fields,
            _ => 0,
        };
        let at = |base: Option<u8>, offset| Fact {
            base,
            offset,
            ..mixed
        };
        match op {
            Op::Add { width: 64 } => {
                let base = self.sum(a, b);
                let offset = match (a.base, a.offset, a.constant, b.base, b.offset, b.constant) {
                    (Some(_), known, _, None, _, Known::One(n))
                    | (None, _, Known::One(n), Some(_), known, _) => {
                        known.and_then(|offset| offset.checked_add(n as i64))
                    }
                    (_, Known::Nothing, _, _, Known::Nothing, _) => Known::Nothing,
                    _ => Known::Several,
                };
                Fact {
                    factors: a.factors | b.factors,
                    ..at(base, offset)
                }
            }
            Op::Add { .. } | Op::Sub { .. } => Fact {
                factors: a.factors | b.factors,
                ..at(
                    a.base.filter(|_| matches!(op, Op::Sub { width: 64 })),
                    Known::Several,
                )
            },
            Op::Select { .. } => at(a.base.or(b.base), Known::Several),
            Op::Mul { .. } => Fact {
                factors: product(a, b),
                ..mixed
            },
            Op::MulAdd {
                product: Product::Low | Product::Wide,
                ..
            } => {
                let factors = product(a, b);
                let base = match c.base {
                    Some(_) => {
                        let distance = Fact {
                            factors,
                            ..a.mix(b)
                        };
                        self.sum(distance, c)
                    }
                    None => None,
                };
                Fact {
                    factors: factors | c.factors,
                    ..at(base, Known::Several)
                }
            }
            Op::And { width: 64 } => at(a.base, Known::Several),
            _ => mixed,
        }
    }

    /// What the sum of two addresses is made of.
    fn sum(&mut self, a: Fact, b: Fact) -> Option<u8> {
        for (base, distance) in [(a.base, b), (b.base, a)] {
            if let Some(base) = base.filter(|&base| base != VARIABLE && distance.base.is_none()) {
                self.each(distance.factors, |field| field.bytes_of |= bit(base));
                if distance.axes == 0 {
                    self.each(distance.fields, |field| field.steps = true);
                }
            }
        }
        let (Some(one), Some(other)) = (a.base, b.base) else {
            return a.base.or(b.base);
        };
        if one != VARIABLE && other != VARIABLE {
            return a.base;
        }
        for base in [one, other].into_iter().filter(|&base| base != VARIABLE) {
            if let Some(field) = self.usage.fields.get_mut(usize::from(base)) {
                field.displaces = true;
            }
        }
        Some(VARIABLE)
    }

    /// `bound` is compared with `index`.
    fn compare(&mut self, index: Fact, bound: Fact) {
        self.decides(index.loaded);
        self.distinguish(index, bound);
        if bound.axes != 0 || bound.base == Some(VARIABLE) {
            return;
        }
        match index.axes {
            0 => self.each(bound.fields, |field| field.compared = true),
            axes => self.each(bound.fields, |field| field.bounds |= axes),
        }
    }

    /// Records a constant that a scalar is compared with, or what is computed from it alone.
    fn distinguish(&mut self, scalar: Fact, constant: Fact) {
        if let Known::One(number) = constant.constant
            && (scalar.axes, scalar.loaded, scalar.fields.count_ones()) == (0, 0, 1)
            && let Some(field) = self
                .usage
                .fields
                .get_mut(scalar.fields.trailing_zeros() as usize)
        {
            // Constants have the width of what is compared.
            let signed = if field.ty.bits <= 32 {
                i64::from(number as i32)
            } else {
                number as i64
            };
            if signed.abs() <= MAX_CONSTANT {
                field.constants.insert(signed);
            }
        }
    }

    fn multiply(&mut self, index: Fact, factor: Fact) {
        if factor.axes == 0 {
            self.each(factor.fields, |field| field.strides |= index.axes);
        }
        self.row(index, factor);
    }

    /// Records a constant that `%tid` is compared with or split by: an extent of the block, perhaps.
    fn limit(&mut self, index: Fact, constant: Fact) {
        if let (Known::One(axis), Known::One(number)) = (index.thread, constant.constant)
            && number < MAX_EXTENT
            && let Some(limits) = self.usage.limits.get_mut(usize::from(axis))
        {
            limits.insert(number as u32);
        }
    }

    /// Records a constant that `%tid` is multiplied with: the pitch of a tile, perhaps.
    fn row(&mut self, index: Fact, constant: Fact) {
        if let (Known::One(axis), Known::One(number)) = (index.thread, constant.constant)
            && number < 8 * MAX_EXTENT
            && let Some(rows) = self.usage.rows.get_mut(usize::from(axis))
        {
            rows.insert(number as u32);
        }
    }
}

/// Two to the power of a constant.
fn power(exponent: Fact) -> Fact {
    let power = |n: u64| (n < 12).then(|| 1 << n);
    Fact {
        constant: exponent.constant.and_then(power),
        ..exponent
    }
}

/// It distinguishes numbers, and bounds nothing.
fn is_equality(comparison: Comparison) -> bool {
    use Comparison::{Eq, EqU, Ne, NeU};
    matches!(comparison, Eq | Ne | EqU | NeU)
}
