//! The rules: what may be computed in place of what. Rules are data; a test proves each of them at each width at which it is used
//! (`tests/proofs`), so a rule that does not hold cannot be added.
//!
//! `?a`, `?b`, `?c` are any values. `?k` and `?m` are numbers: see [`When`]. Operations are those of a [`Flavour`](super::flavour::Flavour).

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
    /// Sums, products and `fma` of floating-point numbers.
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
}

/// What the author of the operations must have allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Nothing: the result is the same to the last bit.
    Nothing,
    /// One rounding in place of two.
    Contract,
    /// Another order of operations.
    Reassoc,
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
    /// The permission that all matched operations must have.
    pub needs: Needs,
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
        needs: Needs::Nothing,
    }
}

impl Rule {
    const fn when(self, when: When) -> Rule {
        Rule { when, ..self }
    }

    const fn needs(self, needs: Needs) -> Rule {
        Rule { needs, ..self }
    }
}

/// All rules, in the order in which they are applied.
pub const RULES: &[Rule] = {
    use Needs::{Contract, Reassoc};
    use Over::{Choices, Extremes, Floats, Integers, Logic, Wide};
    use When::{NarrowShift, Number, Power, Shift};
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
        rule("fma1", Floats, "(add ?a (mul ?b ?c))", "(fma ?b ?c ?a)").needs(Contract),
        rule(
            "fma2",
            Floats,
            "(sub ?a (mul ?b ?c))",
            "(fma (neg ?b) ?c ?a)",
        )
        .needs(Contract),
        rule(
            "fma3",
            Floats,
            "(sub (mul ?b ?c) ?a)",
            "(fma ?b ?c (neg ?a))",
        )
        .needs(Contract),
        rule(
            "assoc-fadd1",
            Floats,
            "(add ?a (add ?b ?c))",
            "(add (add ?a ?b) ?c)",
        )
        .needs(Reassoc),
        rule(
            "assoc-fadd2",
            Floats,
            "(add (add ?a ?b) ?c)",
            "(add ?a (add ?b ?c))",
        )
        .needs(Reassoc),
        rule(
            "assoc-fmul1",
            Floats,
            "(mul ?a (mul ?b ?c))",
            "(mul (mul ?a ?b) ?c)",
        )
        .needs(Reassoc),
        rule(
            "assoc-fmul2",
            Floats,
            "(mul (mul ?a ?b) ?c)",
            "(mul ?a (mul ?b ?c))",
        )
        .needs(Reassoc),
        rule(
            "ffactor",
            Floats,
            "(add (mul ?a ?b) (mul ?a ?c))",
            "(mul ?a (add ?b ?c))",
        )
        .needs(Reassoc),
    ]
};
