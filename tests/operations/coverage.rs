//! Which test covers which operation. A variant that is added to one of these enumerations does not compile here until
//! it names its test, and the check after all tests fails until that test executes it.

use crate::operations::harness::{Instruction, Seen, Suite};
use ptxasw::ir::op::{Comparison, FloatOp, Logic, Op, Permute, Product, Rounding, TestClass};
use ptxasw::ir::opcode::{AtomicOp, BarrierKind, Opcode, ShuffleMode, VoteMode, VoteOrCount};
use std::collections::BTreeSet;
use std::sync::Mutex;

/// Not a value: nothing to compare.
const NO_VALUE: &str = "";

/// The names of an enumeration's variants, and for each the test that covers it.
macro_rules! covered {
    ($name:ident: $enum:ident { $($variant:ident => $test:expr,)* }) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            /// Enumeration, variant, test.
            pub const TABLE: &[(Seen, &str)] = &[$(((stringify!($enum), stringify!($variant)), $test)),*];
            /// The variant of a value.
            pub fn seen(value: &$enum) -> Seen {
                match value {
                    $($enum::$variant { .. } => (stringify!($enum), stringify!($variant)),)*
                }
            }
        }
    };
}

covered!(op: Op {
    Copy => "movement::moves",
    Add => "integer::sums",
    AddSaturate => "integer::sums",
    SumOfThree => "integer::sums",
    Sub => "integer::sums",
    Mul => "integer::products",
    MulAdd => "integer::products",
    Mul24 => "integer::products",
    Carry => "carry::sums",
    MulAddCarry => "carry::products",
    Sad => "integer::sums",
    Div => "integer::quotients",
    Rem => "integer::quotients",
    Abs => "integer::sums",
    Neg => "integer::sums",
    Min => "integer::extremes",
    Max => "integer::extremes",
    And => "logic::bitwise",
    Or => "logic::bitwise",
    Xor => "logic::bitwise",
    Not => "logic::bitwise",
    LogicalNot => "logic::bitwise",
    Shl => "logic::shifts",
    Shr => "logic::shifts",
    Funnel => "logic::shifts",
    Lop3 => "logic::tables",
    Bfe => "field::fields",
    Bfi => "field::fields",
    Bfind => "field::counts",
    Clz => "field::counts",
    Popc => "field::counts",
    Brev => "field::counts",
    Bmsk => "field::masks",
    Szext => "field::masks",
    Fns => "field::masks",
    Prmt => "field::permutations",
    Dp4a => "integer::dots",
    Dp2a => "integer::dots",
    Select => "compare::selections",
    SelectSign => "compare::selections",
    Compare => "compare::predicates",
    Set => "compare::sets",
    Convert => "convert::integers",
    Extend => "movement::extensions",
    Float => "float::basic",
    Test => "minmax::classes",
    Pack => "movement::moves",
    Unpack => "movement::moves",
    Copies => "movement::moves",
    ToGeneric => "movement::spaces",
    FromGeneric => "movement::spaces",
    IsSpace => "movement::spaces",
});

covered!(float_op: FloatOp {
    Add => "float::basic",
    Sub => "float::basic",
    Mul => "float::basic",
    Fma => "float::basic",
    Div => "float::divisions",
    Rcp => "float::divisions",
    Sqrt => "float::divisions",
    Rsqrt => "approximate::functions",
    Neg => "minmax::signs",
    Abs => "minmax::signs",
    Min => "minmax::extremes",
    Max => "minmax::extremes",
    Min3 => "minmax::extremes",
    Max3 => "minmax::extremes",
    Sin => "approximate::functions",
    Cos => "approximate::functions",
    Lg2 => "approximate::functions",
    Ex2 => "approximate::functions",
    Tanh => "approximate::functions",
    CopySign => "minmax::signs",
});

covered!(product: Product {
    Low => "integer::products",
    High => "integer::products",
    Wide => "integer::products",
});

covered!(comparison: Comparison {
    Eq => "compare::predicates",
    Ne => "compare::predicates",
    Lt => "compare::predicates",
    Le => "compare::predicates",
    Gt => "compare::predicates",
    Ge => "compare::predicates",
    EqU => "compare::predicates",
    NeU => "compare::predicates",
    LtU => "compare::predicates",
    LeU => "compare::predicates",
    GtU => "compare::predicates",
    GeU => "compare::predicates",
    Num => "compare::predicates",
    Nan => "compare::predicates",
});

covered!(logic: Logic {
    And => "compare::predicates",
    Or => "compare::predicates",
    Xor => "compare::predicates",
});

covered!(test_class: TestClass {
    Finite => "minmax::classes",
    Infinite => "minmax::classes",
    Number => "minmax::classes",
    NotANumber => "minmax::classes",
    Normal => "minmax::classes",
    Subnormal => "minmax::classes",
});

covered!(permute: Permute {
    Index => "field::permutations",
    F4e => "field::permutations",
    B4e => "field::permutations",
    Rc8 => "field::permutations",
    Ecl => "field::permutations",
    Ecr => "field::permutations",
    Rc16 => "field::permutations",
});

covered!(rounding: Rounding {
    Nearest => "float::basic",
    Contractible => "float::basic",
    Zero => "float::basic",
    Down => "float::basic",
    Up => "float::basic",
    NearestAway => NO_VALUE,
    Approximate => "approximate::quotients",
    Full => "approximate::quotients",
});

covered!(opcode: Opcode {
    Op => "integer::sums",
    Load => "memory::loads",
    Store => "memory::stores",
    Atomic => "atomics::integers",
    Barrier => "exchange::barriers",
    Fence => NO_VALUE,
    Shuffle => "exchange::shuffles",
    Vote => "exchange::votes",
    Match => "exchange::matches",
    Redux => "exchange::reductions",
    ActiveMask => "exchange::votes",
    Elect => "exchange::elections",
    Call => NO_VALUE,
    Nop => NO_VALUE,
    Opaque => NO_VALUE,
});

covered!(atomic_op: AtomicOp {
    Add => "atomics::integers",
    Min => "atomics::integers",
    Max => "atomics::integers",
    Inc => "atomics::integers",
    Dec => "atomics::integers",
    And => "atomics::integers",
    Or => "atomics::integers",
    Xor => "atomics::integers",
    Exchange => "atomics::exchanges",
    CompareExchange => "atomics::exchanges",
});

covered!(shuffle_mode: ShuffleMode {
    Up => "exchange::shuffles",
    Down => "exchange::shuffles",
    Butterfly => "exchange::shuffles",
    Index => "exchange::shuffles",
});

covered!(vote_mode: VoteMode {
    All => "exchange::votes",
    Any => "exchange::votes",
    Uniform => "exchange::votes",
    Ballot => "exchange::votes",
});

covered!(barrier_kind: BarrierKind {
    Sync => "exchange::barriers",
    Arrive => "exchange::barriers",
    Reduce => "exchange::barriers",
    Warp => "exchange::barriers",
    ClusterArrive => NO_VALUE,
    ClusterWait => NO_VALUE,
});

covered!(vote_or_count: VoteOrCount {
    Popc => "exchange::barriers",
    And => "exchange::barriers",
    Or => "exchange::barriers",
});

/// All tables.
const TABLES: &[&[(Seen, &str)]] = &[
    op::TABLE,
    float_op::TABLE,
    product::TABLE,
    comparison::TABLE,
    logic::TABLE,
    test_class::TABLE,
    permute::TABLE,
    rounding::TABLE,
    opcode::TABLE,
    atomic_op::TABLE,
    shuffle_mode::TABLE,
    vote_mode::TABLE,
    barrier_kind::TABLE,
    vote_or_count::TABLE,
];

/// All that an instruction stands for.
pub fn variants(of: &Opcode) -> Vec<Seen> {
    let mut seen = vec![opcode::seen(of)];
    match of {
        Opcode::Op(of) => seen.extend(of_operation(of)),
        Opcode::Atomic { op, .. } => seen.push(atomic_op::seen(op)),
        Opcode::Shuffle { mode, .. } => seen.push(shuffle_mode::seen(mode)),
        Opcode::Vote { mode, .. } => seen.push(vote_mode::seen(mode)),
        Opcode::Barrier { kind, .. } => {
            seen.push(barrier_kind::seen(kind));
            if let BarrierKind::Reduce(by) = kind {
                seen.push(vote_or_count::seen(by));
            }
        }
        _ => {}
    }
    seen
}

fn of_operation(of: &Op) -> Vec<Seen> {
    let mut seen = vec![op::seen(of)];
    match of {
        Op::Float { op, mode, .. } => {
            seen.push(float_op::seen(op));
            seen.push(rounding::seen(&mode.rounding));
        }
        Op::Mul { product, .. } | Op::MulAdd { product, .. } => seen.push(product::seen(product)),
        Op::Prmt(mode) => seen.push(permute::seen(mode)),
        Op::Test { class, .. } => seen.push(test_class::seen(class)),
        Op::Compare {
            comparison, logic, ..
        } => {
            seen.push(comparison::seen(comparison));
            seen.extend(logic.iter().map(logic::seen));
        }
        _ => {}
    }
    seen
}

/// What the tests have done so far.
#[derive(Default)]
struct Record {
    seen: BTreeSet<(Seen, &'static str)>,
    instructions: Vec<Instruction>,
    kernels: Vec<String>,
    compared: u64,
    groups: usize,
}

static RECORD: Mutex<Option<Record>> = Mutex::new(None);

/// Notes what a test has executed.
pub fn record(test: &'static str, suite: Suite) {
    let mut lock = RECORD.lock().unwrap();
    let record = lock.get_or_insert_default();
    record
        .seen
        .extend(suite.seen.into_iter().map(|seen| (seen, test)));
    record.instructions.extend(suite.instructions);
    record.kernels.extend(suite.kernels);
    record.compared += suite.compared;
    record.groups += 1;
}

/// How many groups have passed.
pub fn groups() -> usize {
    let lock = RECORD.lock().unwrap();
    lock.as_ref().map_or(0, |record| record.groups)
}

/// Everything that was executed, as one list of instructions and one of kernels.
pub fn instructions() -> (Vec<Instruction>, Vec<String>) {
    let lock = RECORD.lock().unwrap();
    lock.as_ref().map_or_else(Default::default, |record| {
        (record.instructions.clone(), record.kernels.clone())
    })
}

/// Whether each operation was executed by the test that it names.
pub fn check() -> Result<String, String> {
    let lock = RECORD.lock().unwrap();
    let record = lock.as_ref().ok_or("no test has run")?;
    let missing = missing(&record.seen);
    match missing.is_empty() {
        true => Ok(format!(
            "{} operations of {} tests, {} results compared",
            TABLES.iter().map(|table| table.len()).sum::<usize>(),
            crate::operations::TESTS.len(),
            record.compared
        )),
        false => Err(missing.join("\n")),
    }
}

/// The operations that their tests have not executed.
fn missing(seen: &BTreeSet<(Seen, &'static str)>) -> Vec<String> {
    let rows = TABLES.iter().copied().flatten();
    rows.filter(|(_, test)| *test != NO_VALUE)
        .filter(|row| !seen.contains(*row))
        .map(|((kind, variant), test)| format!("{kind}::{variant} is not executed by {test}"))
        .collect()
}
