//! Arithmetic that says whether its result is the true one, and arithmetic that stops at the bounds of its type.

use super::{Lowering, Pieces};
use ptxasw_ir::function::Value;
use ptxasw_ir::op::{Comparison, Op, Product};

/// `llvm.uadd.with.overflow` and its like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    Add,
    Sub,
    Mul,
}

impl Lowering<'_> {
    /// `llvm.STEM.with.overflow`: all results, then for each whether it wraps.
    pub(super) fn with_overflow(&mut self, stem: &str, operands: &[Pieces]) -> Option<Pieces> {
        let (signed, operation) = named(stem)?;
        let [left, right] = operands else { return None };
        let (mut results, mut wraps) = (Pieces::new(), Pieces::new());
        for (&left, &right) in left.iter().zip(right) {
            let result = self.wrapped(operation, left, right);
            results.push(result);
            wraps.push(match operation {
                Operation::Mul => self.product_wraps(signed, left, right, result),
                _ => self.sum_wraps(signed, operation, [left, right, result]),
            });
        }
        results.extend(wraps);
        Some(results)
    }

    /// `llvm.uadd.sat` and `llvm.usub.sat`.
    pub(super) fn saturating(&mut self, stem: &str, operands: &[Pieces]) -> Option<Pieces> {
        let (false, operation) = named(stem)? else {
            return None;
        };
        let [left, right] = operands else { return None };
        let mut results = Pieces::new();
        for (&left, &right) in left.iter().zip(right) {
            let width = self.width_of(left);
            let (signed, relu) = (false, false);
            let (bound, other) = match operation {
                // The greatest that can be added to.
                Operation::Add => {
                    let ones = self.constant(width, u64::MAX >> (64 - width));
                    let most = self.op(Op::Xor { width }, &[right, ones]);
                    let least = Op::Min {
                        width,
                        signed,
                        relu,
                    };
                    (self.op(least, &[left, most]), right)
                }
                Operation::Sub => {
                    let greatest = Op::Max {
                        width,
                        signed,
                        relu,
                    };
                    (self.op(greatest, &[left, right]), right)
                }
                Operation::Mul => return None,
            };
            results.push(self.wrapped(operation, bound, other));
        }
        Some(results)
    }

    fn wrapped(&mut self, operation: Operation, left: Value, right: Value) -> Value {
        let width = self.width_of(left);
        let op = match operation {
            Operation::Add => Op::Add { width },
            Operation::Sub => Op::Sub { width },
            Operation::Mul => Op::Mul {
                product: Product::Low,
                width,
                signed: true,
            },
        };
        self.op(op, &[left, right])
    }

    /// An unsigned sum wraps if it is less than a summand, a difference if it takes more than there is. A signed result wraps
    /// if it moves against the sign of what is added, or taken away.
    fn sum_wraps(
        &mut self,
        signed: bool,
        operation: Operation,
        [left, right, result]: [Value; 3],
    ) -> Value {
        let less = Comparison::Lt;
        match (signed, operation) {
            (false, Operation::Sub) => self.compared(less, false, left, right),
            (false, _) => self.compared(less, false, result, left),
            (true, _) => {
                let zero = self.constant(self.width_of(right), 0);
                let moves_down = match operation {
                    Operation::Sub => self.compared(less, true, zero, right),
                    _ => self.compared(less, true, right, zero),
                };
                let is_less = self.compared(less, true, result, left);
                self.op(Op::Xor { width: 1 }, &[moves_down, is_less])
            }
        }
    }

    /// A product fits if its upper half is what the lower half extends to.
    fn product_wraps(&mut self, signed: bool, left: Value, right: Value, result: Value) -> Value {
        let width = self.width_of(left);
        let product = Product::High;
        let high = Op::Mul {
            product,
            width,
            signed,
        };
        let high = self.op(high, &[left, right]);
        let expected = match signed {
            true => {
                let amount = self.constant(32, u64::from(width) - 1);
                self.op(Op::Shr { width, signed }, &[result, amount])
            }
            false => self.constant(width, 0),
        };
        self.compared(Comparison::Ne, false, high, expected)
    }
}

/// Whether it is signed, and which.
fn named(stem: &str) -> Option<(bool, Operation)> {
    Some(match stem {
        "sadd" => (true, Operation::Add),
        "ssub" => (true, Operation::Sub),
        "smul" => (true, Operation::Mul),
        "uadd" => (false, Operation::Add),
        "usub" => (false, Operation::Sub),
        "umul" => (false, Operation::Mul),
        _ => return None,
    })
}
