//! Both sides of a rule on floating-point numbers, computed with the error that each rounding may have (Higham, "Accuracy and Stability
//! of Numerical Algorithms", section 3.3: running error analysis).

use super::super::language::Node;
use egg::{ENodeOrVar, PatternAst};
use half::f16;
use ptxasw_ir::fast_math::FastMath;
use ptxasw_ir::op::{FloatMode, FloatOp, Op, Rounding};
use ptxasw_ir::semantics::fold;
use ptxasw_ir::types::{Kind, Type};

/// `.f16`
pub const F16: Type = Type::new(Kind::Float, 16);

/// A number as the reference computes with it.
fn number(ty: Type, bits: u64) -> f64 {
    match ty.bits {
        16 => f16::from_bits(bits as u16).to_f64(),
        32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// Bits of the fraction.
fn fraction(ty: Type) -> u32 {
    match ty.bits {
        16 => 10,
        32 => 23,
        _ => 52,
    }
}

/// The least normal number.
fn least(ty: Type) -> f64 {
    number(ty, 1 << fraction(ty))
}

/// What a side gives.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    bits: u64,
    value: f64,
    /// What the number is off at most from the same without rounding.
    error: f64,
    /// An operation has rounded, or has flushed a number to zero.
    rounds: bool,
    /// An operation on finite numbers had no finite result.
    overflows: bool,
    /// An operand or a result was a NaN.
    nan: bool,
    /// An operand or a result was infinite.
    infinite: bool,
}

/// A side of a rule at one type.
pub struct Side {
    nodes: PatternAst<Node>,
    ty: Type,
    ftz: bool,
}

impl Side {
    pub fn new(nodes: PatternAst<Node>, ty: Type, ftz: bool) -> Self {
        Side { nodes, ty, ftz }
    }

    /// The side where `?a`, `?b` and `?c` are these numbers.
    pub fn run(&self, numbers: [u64; 3]) -> Run {
        let mut all: Vec<Run> = Vec::new();
        for node in self.nodes.as_ref() {
            all.push(match node {
                ENodeOrVar::Var(var) => {
                    let names = ["?a", "?b", "?c"];
                    let index = names.iter().position(|name| var.to_string() == **name);
                    self.leaf(numbers[index.expect("a variable")])
                }
                ENodeOrVar::ENode(Node::Constant(_, bits)) => self.leaf(*bits),
                ENodeOrVar::ENode(Node::Op(op, _, args)) => {
                    let args: Vec<Run> = args.iter().map(|&id| all[usize::from(id)]).collect();
                    self.operation(op, &args)
                }
                ENodeOrVar::ENode(_) => panic!("no node of a rule"),
            });
        }
        all[all.len() - 1]
    }

    fn leaf(&self, bits: u64) -> Run {
        let value = number(self.ty, bits);
        Run {
            bits,
            value,
            error: 0.0,
            rounds: false,
            overflows: false,
            nan: value.is_nan(),
            infinite: value.is_infinite(),
        }
    }

    fn operation(&self, op: &Op, args: &[Run]) -> Run {
        let Op::Float { op, ty, mode } = *op else {
            panic!("rules on floats have no other operations")
        };
        let bits: Vec<u64> = args.iter().map(|arg| arg.bits).collect();
        let computed = |mode| fold(&Op::Float { op, ty, mode }, &bits)[0];
        let result = computed(mode);
        let value = number(ty, result);
        // Rounding up and down gives the same number where there is nothing to round.
        let exact = [Rounding::Down, Rounding::Up].map(|rounding| {
            let mode = FloatMode {
                rounding,
                ..FloatMode::NEAREST
            };
            number(ty, computed(mode)) == value
        });
        let signs = matches!(op, FloatOp::Neg | FloatOp::Abs | FloatOp::CopySign);
        let rounds = !signs && exact != [true; 2] && !value.is_nan();
        let finite = args.iter().all(|arg| arg.value.is_finite());
        Run {
            bits: result,
            value,
            error: self.error(op, args, value, rounds),
            rounds: rounds || args.iter().any(|arg| arg.rounds),
            overflows: finite && rounds && value.is_infinite()
                || args.iter().any(|arg| arg.overflows),
            nan: value.is_nan() || args.iter().any(|arg| arg.nan),
            infinite: value.is_infinite() || args.iter().any(|arg| arg.infinite),
        }
    }

    /// What a result is off.
    fn error(&self, op: FloatOp, args: &[Run], value: f64, rounds: bool) -> f64 {
        let flushed = |arg: &Run| self.ftz && arg.value != 0.0 && arg.value.abs() < least(self.ty);
        let seen = |arg: &Run| if flushed(arg) { 0.0 } else { arg.value.abs() };
        let off = |arg: &Run| arg.error + if flushed(arg) { arg.value.abs() } else { 0.0 };
        let product = |a: &Run, b: &Run| seen(a) * off(b) + seen(b) * off(a) + off(a) * off(b);
        let inherited = match op {
            FloatOp::Add | FloatOp::Sub => off(&args[0]) + off(&args[1]),
            FloatOp::Mul => product(&args[0], &args[1]),
            FloatOp::Fma => product(&args[0], &args[1]) + off(&args[2]),
            FloatOp::Neg | FloatOp::Abs => args[0].error,
            _ => 0.0,
        };
        let unit = 2f64.powi(-(fraction(self.ty) as i32));
        let gap = if self.ftz { 1.0 } else { unit } * least(self.ty);
        match rounds {
            true => inherited + unit * value.abs() + gap,
            false => inherited,
        }
    }
}

/// Whether two results differ by more than permissions allow.
pub fn differ(ty: Type, allowed: FastMath, one: &Run, other: &Run) -> bool {
    use FastMath as F;
    let nan = |run: &Run| run.value.is_nan();
    if one.bits == other.bits || nan(one) && nan(other) {
        return false;
    }
    if allowed.has(F::NNAN) && one.nan || allowed.has(F::NINF) && one.infinite {
        return false;
    }
    // Algebra has no infinities: LLVM's passes do not ask for `ninf` where they reorder or invert.
    let algebra = allowed.has(F::REASSOC) || allowed.has(F::ARCP);
    if algebra && (one.infinite || other.infinite) {
        return false;
    }
    let rounds = one.rounds || other.rounds;
    if one.value == 0.0 && other.value == 0.0 {
        // A product that is rounded to zero keeps its sign, and is no zero before that.
        return !(allowed.has(F::NSZ) || allowed.has(F::CONTRACT) && rounds);
    }
    let other_roundings = [F::CONTRACT, F::REASSOC, F::ARCP];
    if !(rounds && other_roundings.iter().any(|one| allowed.has(*one))) {
        return true;
    }
    if one.overflows || other.overflows {
        return false;
    }
    let bound = 2.0 * (one.error + other.error) + number(ty, 1);
    // A bound that is no number is none.
    bound.is_nan() || (one.value - other.value).abs() > bound
}

/// Numbers at which operations are peculiar.
fn peculiar(ty: Type) -> Vec<u64> {
    let bits = fraction(ty);
    let sign = 1 << (ty.bits - 1);
    let one = (sign >> 1) - (1 << bits);
    let infinity = (sign - 1) & !((1 << bits) - 1);
    let half = 1 << (bits - 1);
    let positive = [
        0,
        1,
        (1 << bits) - 1,
        1 << bits,
        (1 << bits) + 1,
        one,
        one + 1,
        one + half,
        one - (3 << bits) + half / 5,
        infinity - 1,
        infinity,
    ];
    let negative = positive.iter().map(|bits| bits | sign);
    let nan = infinity | half | 1;
    positive
        .iter()
        .copied()
        .chain(negative)
        .chain([nan])
        .collect()
}

/// Numbers that look random (Marsaglia, "Xorshift RNGs", 2003), every second one near 1.
fn random(ty: Type) -> impl Iterator<Item = u64> {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let bits = fraction(ty);
    let sign: u64 = 1 << (ty.bits - 1);
    let one = (sign >> 1) - (1 << bits);
    std::iter::from_fn(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let taken = state >> 8;
        let near = (one - (2 << bits) + taken % (4 << bits)) | ((taken >> 60 & 1) * sign);
        let any = taken.rotate_left(32) & (sign | (sign - 1));
        Some(if state & 1 == 0 { near } else { any })
    })
}

/// Triples of numbers for a rule that has these variables: all peculiar ones, and random ones.
pub fn samples(ty: Type, used: [bool; 3]) -> Vec<[u64; 3]> {
    let peculiar = peculiar(ty);
    let of = |used: bool| if used { &peculiar[..] } else { &peculiar[..1] };
    let mut all = Vec::new();
    for &a in of(used[0]) {
        for &b in of(used[1]) {
            all.extend(of(used[2]).iter().map(|&c| [a, b, c]));
        }
    }
    let mut random = random(ty);
    for _ in 0..400 {
        all.extend((|| Some([random.next()?, random.next()?, random.next()?]))());
    }
    all
}
