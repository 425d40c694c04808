//! The rules: what may be computed in place of what. Rules are data; a test proves each of them at each width at which it is used
//! (`tests/proofs`), so a rule that does not hold cannot be added.
//!
//! `?a`, `?b`, `?c` are any values. `?k` and `?m` are numbers: see [`When`]. Operations are those of a [`Flavour`](super::flavour::Flavour).
//!
//! A rule on floating-point numbers names the permissions that it needs. They are those that LLVM's own passes ask for. All operations
//! that it matches must have them, and what it makes has the permissions that all of these have. A value that is not one of these
//! operations is never computed as one of them, since its author may have given fewer permissions.

use ptxasw_ir::fast_math::FastMath;

/// What a rule is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// Arithmetic modulo a power of two.
    Integers,
    /// Products that are twice as wide as their factors.
    Wide,
    /// Arithmetic on single bits.
    Logic,
    /// `select`, and the negation of its condition.
    Choices,
    /// The larger or smaller of two integers.
    Extremes,
    /// Sums, products, quotients and `fma` of floating-point numbers.
    Floats,
}

/// Where a rule holds, and what the numbers are that its right side has besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// No condition.
    Always,
    /// `?k` is a number below the width; `?m` is 2^k.
    Shift,
    /// `?m` is a power of two above 1; `?k` is its logarithm.
    Power,
    /// `?m` is a number: it may be used twice, for it is the same each time (what LLVM leaves undefined is not).
    Number,
    /// `?k` is a number, and 2^k is one of the type of the narrower factor; `?m` is that.
    NarrowShift,
    /// `?b` is a number whose reciprocal is neither subnormal nor infinite; or no number, and the operation has no `.ftz`, by which a
    /// reciprocal of a large one is zero.
    Invertible,
    /// The operation has no `.ftz`, by which it makes a zero of a subnormal operand.
    Unflushed,
}

/// A rewriting rule: its left side may be computed as its right side.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name, for remarks; those of the paper (ACC Saturator, table 1) have the paper's.
    pub name: &'static str,
    /// What it is about.
    pub over: Over,
    /// The pattern that is matched, as an S-expression.
    pub left: &'static str,
    /// The equal expression that a match adds.
    pub right: &'static str,
    /// The condition on constants.
    pub when: When,
    /// The permissions that each matched operation must have.
    pub needs: FastMath,
}

pub(super) const fn rule(
    name: &'static str,
    over: Over,
    left: &'static str,
    right: &'static str,
) -> Rule {
    Rule {
        name,
        over,
        left,
        right,
        when: When::Always,
        needs: FastMath::NONE,
    }
}

impl Rule {
    const fn when(self, when: When) -> Rule {
        Rule { when, ..self }
    }

    pub(super) const fn needs(self, needs: FastMath) -> Rule {
        Rule { needs, ..self }
    }
}

/// All rules, in the order in which they are applied.
pub const RULES: &[Rule] = {
    use Over::{Choices, Extremes, Floats, Integers, Logic, Wide};
    use When::{Invertible, NarrowShift, Number, Power, Shift, Unflushed};
    const ARCP: FastMath = FastMath::ARCP;
    const CONTRACT: FastMath = FastMath::CONTRACT;
    const NINF: FastMath = FastMath::NINF;
    const NNAN: FastMath = FastMath::NNAN;
    const NSZ: FastMath = FastMath::NSZ;
    const REASSOC: FastMath = FastMath::REASSOC;
    &[
        rule("comm-add", Integers, "(add ?a ?b)", "(add ?b ?a)"),
        rule("comm-mul", Integers, "(mul ?a ?b)", "(mul ?b ?a)"),
        rule(
            "assoc-add1",
            Integers,
            "(add ?a (add ?b ?c))",
            "(add (add ?a ?b) ?c)",
        ),
        rule(
            "assoc-add2",
            Integers,
            "(add (add ?a ?b) ?c)",
            "(add ?a (add ?b ?c))",
        ),
        rule(
            "assoc-mul1",
            Integers,
            "(mul ?a (mul ?b ?c))",
            "(mul (mul ?a ?b) ?c)",
        ),
        rule(
            "assoc-mul2",
            Integers,
            "(mul (mul ?a ?b) ?c)",
            "(mul ?a (mul ?b ?c))",
        ),
        rule(
            "factor",
            Integers,
            "(add (mul ?a ?b) (mul ?a ?c))",
            "(mul ?a (add ?b ?c))",
        ),
        rule(
            "factor-one",
            Integers,
            "(add ?a (mul ?a ?b))",
            "(mul ?a (add ?b 1))",
        ),
        rule(
            "distribute",
            Integers,
            "(mul ?m (add ?b ?c))",
            "(add (mul ?m ?b) (mul ?m ?c))",
        )
        .when(Number),
        rule("double", Integers, "(add ?a ?a)", "(mul ?a 2)"),
        rule("shift-to-product", Integers, "(shl ?a ?k)", "(mul ?a ?m)").when(Shift),
        rule("product-to-shift", Integers, "(mul ?a ?m)", "(shl ?a ?k)").when(Power),
        rule("sub-to-add", Integers, "(sub ?a ?b)", "(add ?a (neg ?b))"),
        rule("add-to-sub", Integers, "(add ?a (neg ?b))", "(sub ?a ?b)"),
        rule(
            "neg-of-product",
            Integers,
            "(neg (mul ?a ?b))",
            "(mul ?a (neg ?b))",
        ),
        rule(
            "neg-of-sum",
            Integers,
            "(neg (add ?a ?b))",
            "(add (neg ?a) (neg ?b))",
        ),
        rule("neg-of-neg", Integers, "(neg (neg ?a))", "?a"),
        rule("sub-same", Integers, "(sub ?a ?a)", "0"),
        rule("add-zero", Integers, "(add ?a 0)", "?a"),
        rule("add-neg", Integers, "(add ?a (neg ?a))", "0"),
        rule("mul-zero", Integers, "(mul ?a 0)", "0"),
        rule("mul-one", Integers, "(mul ?a 1)", "?a"),
        rule("comm-mul-wide", Wide, "(mulw ?a ?b)", "(mulw ?b ?a)"),
        rule(
            "narrow-factors",
            Wide,
            "(mul (ext ?a) (ext ?b))",
            "(mulw ?a ?b)",
        ),
        rule("narrow-shift", Wide, "(shl (ext ?a) ?k)", "(mulw ?a ?m)").when(NarrowShift),
        rule("comm-and", Logic, "(and ?a ?b)", "(and ?b ?a)"),
        rule("comm-or", Logic, "(or ?a ?b)", "(or ?b ?a)"),
        rule("comm-xor", Logic, "(xor ?a ?b)", "(xor ?b ?a)"),
        rule(
            "assoc-and",
            Logic,
            "(and ?a (and ?b ?c))",
            "(and (and ?a ?b) ?c)",
        ),
        rule(
            "assoc-or",
            Logic,
            "(or ?a (or ?b ?c))",
            "(or (or ?a ?b) ?c)",
        ),
        rule(
            "assoc-xor",
            Logic,
            "(xor ?a (xor ?b ?c))",
            "(xor (xor ?a ?b) ?c)",
        ),
        rule(
            "factor-and",
            Logic,
            "(or (and ?a ?b) (and ?a ?c))",
            "(and ?a (or ?b ?c))",
        ),
        rule(
            "factor-or",
            Logic,
            "(and (or ?a ?b) (or ?a ?c))",
            "(or ?a (and ?b ?c))",
        ),
        rule("absorb-and", Logic, "(and ?a (or ?a ?b))", "?a"),
        rule("absorb-or", Logic, "(or ?a (and ?a ?b))", "?a"),
        rule("and-same", Logic, "(and ?a ?a)", "?a"),
        rule("or-same", Logic, "(or ?a ?a)", "?a"),
        rule("xor-same", Logic, "(xor ?a ?a)", "0"),
        rule("and-zero", Logic, "(and ?a 0)", "0"),
        rule("and-ones", Logic, "(and ?a -1)", "?a"),
        rule("or-zero", Logic, "(or ?a 0)", "?a"),
        rule("xor-zero", Logic, "(xor ?a 0)", "?a"),
        rule("not-of-not", Logic, "(not (not ?a))", "?a"),
        rule(
            "not-of-and",
            Logic,
            "(or (not ?a) (not ?b))",
            "(not (and ?a ?b))",
        ),
        rule(
            "not-of-or",
            Logic,
            "(and (not ?a) (not ?b))",
            "(not (or ?a ?b))",
        ),
        rule("choice-of-same", Choices, "(select ?a ?a ?b)", "?a"),
        rule(
            "choice-by-not",
            Choices,
            "(select ?a ?b (not ?c))",
            "(select ?b ?a ?c)",
        ),
        rule("comm-min", Extremes, "(min ?a ?b)", "(min ?b ?a)"),
        rule("comm-max", Extremes, "(max ?a ?b)", "(max ?b ?a)"),
        rule(
            "assoc-min",
            Extremes,
            "(min ?a (min ?b ?c))",
            "(min (min ?a ?b) ?c)",
        ),
        rule(
            "assoc-max",
            Extremes,
            "(max ?a (max ?b ?c))",
            "(max (max ?a ?b) ?c)",
        ),
        rule("min-same", Extremes, "(min ?a ?a)", "?a"),
        rule("max-same", Extremes, "(max ?a ?a)", "?a"),
        rule("min-of-max", Extremes, "(min ?a (max ?a ?b))", "?a"),
        rule("max-of-min", Extremes, "(max ?a (min ?a ?b))", "?a"),
        rule("comm-fadd", Floats, "(add ?a ?b)", "(add ?b ?a)"),
        rule("comm-fmul", Floats, "(mul ?a ?b)", "(mul ?b ?a)"),
        rule("comm-fma", Floats, "(fma ?a ?b ?c)", "(fma ?b ?a ?c)"),
        rule("fsub-to-fadd", Floats, "(sub ?a ?b)", "(add ?a (neg ?b))"),
        rule("fadd-to-fsub", Floats, "(add ?a (neg ?b))", "(sub ?a ?b)"),
        rule("fneg-of-fneg", Floats, "(neg (neg ?a))", "?a"),
        rule(
            "fneg-of-fmul",
            Floats,
            "(mul (neg ?a) ?b)",
            "(neg (mul ?a ?b))",
        ),
        // The product is not rounded.
        rule("fma1", Floats, "(add ?a (mul ?b ?c))", "(fma ?b ?c ?a)").needs(CONTRACT),
        rule(
            "fma2",
            Floats,
            "(sub ?a (mul ?b ?c))",
            "(fma (neg ?b) ?c ?a)",
        )
        .needs(CONTRACT),
        rule(
            "fma3",
            Floats,
            "(sub (mul ?b ?c) ?a)",
            "(fma ?b ?c (neg ?a))",
        )
        .needs(CONTRACT),
        // Other sums are rounded; with `.ftz` one of them may be -0.0 where the other order has 0.0.
        rule(
            "assoc-fadd1",
            Floats,
            "(add ?a (add ?b ?c))",
            "(add (add ?a ?b) ?c)",
        )
        .needs(REASSOC.or(NSZ)),
        rule(
            "assoc-fadd2",
            Floats,
            "(add (add ?a ?b) ?c)",
            "(add ?a (add ?b ?c))",
        )
        .needs(REASSOC.or(NSZ)),
        // Other products are rounded; the sign of a product does not depend on the order, so LLVM 22 and later do not ask for `nsz`.
        rule(
            "assoc-fmul1",
            Floats,
            "(mul ?a (mul ?b ?c))",
            "(mul (mul ?a ?b) ?c)",
        )
        .needs(REASSOC),
        rule(
            "assoc-fmul2",
            Floats,
            "(mul (mul ?a ?b) ?c)",
            "(mul ?a (mul ?b ?c))",
        )
        .needs(REASSOC),
        // The sum is rounded before the product; -1 * 0 + -1 * -0.0 is 0.0, -1 * (0 + -0.0) is -0.0.
        rule(
            "ffactor",
            Floats,
            "(add (mul ?a ?b) (mul ?a ?c))",
            "(mul ?a (add ?b ?c))",
        )
        .needs(REASSOC.or(NSZ)),
        // As above; -0.0 + -0.0 * -1 is 0.0, -0.0 * (-1 + 1) is -0.0.
        rule(
            "ffactor-one",
            Floats,
            "(add ?a (mul ?a ?b))",
            "(mul ?a (add ?b 1))",
        )
        .needs(REASSOC.or(NSZ)),
        // -0.0 + 0.0 is 0.0.
        rule("fadd-zero", Floats, "(add ?a 0)", "?a")
            .when(Unflushed)
            .needs(NSZ),
        // The difference of two infinities of one sign is a NaN.
        rule("fsub-same", Floats, "(sub ?a ?a)", "0").needs(NNAN),
        // -1 * 0.0 is -0.0; the product of an infinity and zero is a NaN.
        rule("fmul-zero", Floats, "(mul ?a 0)", "0").needs(NNAN.or(NSZ)),
        // The reciprocal is rounded. That of a divisor below 2^-128 is infinite where the quotient may be finite: `arcp` permits it.
        rule("reciprocal", Floats, "(div ?a ?b)", "(mul ?a (rcp ?b))")
            .when(Invertible)
            .needs(ARCP),
        // 0 / 0 is a NaN, as is the quotient of infinities.
        rule("fdiv-same", Floats, "(div ?a ?a)", "1").needs(NNAN),
        // As above. LLVM asks for `ninf` here, which `nnan` implies.
        rule("fdiv-abs", Floats, "(div ?a (abs ?a))", "(copysign ?a 1)").needs(NNAN.or(NINF)),
    ]
};
