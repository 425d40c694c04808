//! The kernels, in the style of nvcc's output, and plans for them made by hand.

use ptxasw::ir::lanes::LaneMap;
use ptxasw::ptx::ast::{Body, Item, Module, Statement, StatementKind};
use ptxasw::shuffle::plan::{Check, Halo, Part, Plan, Region, Shuffle, Source, Wrapping};

/// A kernel whose loads are known to cover each other.
pub struct Kernel {
    /// Of the entry.
    pub name: &'static str,
    /// The module.
    pub text: &'static str,
    /// Registers of sources, and the registers of their destinations with the deltas.
    pub loads: &'static [(&'static str, &'static [(&'static str, i8)])],
    /// How the statement begins before which the region is set up.
    pub before: &'static str,
    /// Of each load.
    pub bytes: u8,
}

/// Nine points of a row: deltas 1 to 8.
pub const K1: Kernel = Kernel {
    name: "k1",
    text: include_str!("k1.ptx"),
    loads: &[(
        "%f1",
        &[
            ("%f2", 1),
            ("%f3", 2),
            ("%f4", 3),
            ("%f5", 4),
            ("%f6", 5),
            ("%f7", 6),
            ("%f8", 7),
            ("%f9", 8),
        ],
    )],
    before: "ld.global.nc.f32 \t%f1,",
    bytes: 4,
};

/// Nine points of a row: deltas -4 to 4.
pub const K1C: Kernel = Kernel {
    name: "k1c",
    text: include_str!("k1c.ptx"),
    loads: &[(
        "%f1",
        &[
            ("%f2", -4),
            ("%f3", -3),
            ("%f4", -2),
            ("%f5", -1),
            ("%f6", 1),
            ("%f7", 2),
            ("%f8", 3),
            ("%f9", 4),
        ],
    )],
    before: "ld.global.nc.f32 \t%f1,",
    bytes: 4,
};

/// Three rows of three points.
pub const K2: Kernel = Kernel {
    name: "k2",
    text: include_str!("k2.ptx"),
    loads: &[
        ("%f1", &[("%f2", -1), ("%f3", 1)]),
        ("%f4", &[("%f5", -1), ("%f6", 1)]),
        ("%f7", &[("%f8", -1), ("%f9", 1)]),
    ],
    before: "ld.global.nc.f32 \t%f1,",
    bytes: 4,
};

/// Doubles of a row: deltas -2, 1 and 3.
pub const K4: Kernel = Kernel {
    name: "k4",
    text: include_str!("k4.ptx"),
    loads: &[("%fd1", &[("%fd2", -2), ("%fd3", 1), ("%fd4", 3)])],
    before: "ld.global.nc.f64 \t%fd1,",
    bytes: 8,
};

/// Bytes of a row in registers of 16, 32 and 64 bits: deltas -1, 1 and 3.
pub const K5: Kernel = Kernel {
    name: "k5",
    text: include_str!("k5.ptx"),
    loads: &[("%rs1", &[("%r31", -1), ("%rs2", 1), ("%rd10", 3)])],
    before: "ld.global.nc.u8 \t%rs1,",
    bytes: 1,
};

/// Pairs of words: deltas -1 and 2.
pub const K8: Kernel = Kernel {
    name: "k8",
    text: include_str!("k8.ptx"),
    loads: &[("{%r22, %r23}", &[("{%r24, %r25}", -1), ("{%r26, %r27}", 2)])],
    before: "ld.global.nc.v2.u32 \t{%r22, %r23},",
    bytes: 8,
};

/// Predicated words: deltas 1 and -2. The source asks for a vote.
pub const K9: Kernel = Kernel {
    name: "k9",
    text: include_str!("k9.ptx"),
    loads: &[("%r22", &[("%r23", 1), ("%r24", -2)])],
    before: "@%p2 ld.global.nc.u32 \t%r22,",
    bytes: 4,
};

/// Three points of a row in a loop; the region begins before the loop.
pub const K7: Kernel = Kernel {
    name: "k7",
    text: include_str!("k7.ptx"),
    loads: &[("%f1", &[("%f2", -1), ("%f3", 1)])],
    before: "$L__BB0_2:",
    bytes: 4,
};

/// One point on each side: the smallest kernel that shows all of a wrapping.
pub const THREE: Kernel = Kernel {
    name: "three",
    text: include_str!("three.ptx"),
    loads: &[("%f1", &[("%f2", 2), ("%f3", -1)])],
    before: "ld.global.f32 \t%f1,",
    bytes: 4,
};

/// As [`THREE`], to the right only.
pub const RIGHT: Kernel = Kernel {
    loads: &[("%f1", &[("%f2", 2)])],
    ..THREE
};

/// As [`THREE`], to the left only.
pub const LEFT: Kernel = Kernel {
    loads: &[("%f1", &[("%f3", -1)])],
    ..THREE
};

/// Unusual layout; the values mean nothing.
pub const EDGES: Kernel = Kernel {
    name: "edges",
    text: include_str!("edges.ptx"),
    loads: &[
        ("%u2", &[("%f1", 1), ("%f2", 2), ("%s1", -1), ("%b1", 3)]),
        ("inner", &[("%s2", 0)]),
        ("%b2", &[("addr", 1)]),
    ],
    before: "ld.global.u32 %u2,",
    bytes: 4,
};

/// How a plan by hand is made.
#[derive(Clone)]
pub struct Options {
    /// Of the only region.
    pub wrapping: Wrapping,
    /// See [`Region::whole_rows`].
    pub whole_rows: bool,
    /// Of the region.
    pub checks: Vec<Check>,
    /// Of every source.
    pub source_checks: Vec<Check>,
    /// Copy every source.
    pub copy: bool,
    /// All lanes vote on the guard of every source.
    pub vote: bool,
    /// Shuffle through temporaries.
    pub through_temporary: bool,
    /// Added to all deltas: a broken plan.
    pub error: i8,
}

impl Options {
    /// The plain form of a wrapping.
    pub fn new(wrapping: Wrapping) -> Self {
        Options {
            wrapping,
            whole_rows: false,
            checks: Vec::new(),
            source_checks: Vec::new(),
            copy: false,
            vote: false,
            through_temporary: false,
            error: 0,
        }
    }
}

/// `register + offset <= limit`.
pub fn check(register: &str, width: u8, offset: i64, limit: u64) -> Check {
    Check {
        register: register.into(),
        minus: None,
        width,
        offset: offset as u64,
        limit,
        uniform: false,
        meaning: String::new(),
    }
}

/// The plan that carries out all shuffles of `kernel` in one region.
pub fn plan(module: &Module, kernel: &Kernel, options: &Options) -> Plan {
    let (item, body) = function(module);
    let load = |register| find(body, |statement| sets(module, statement, register));
    let mut plan = Plan {
        kernel: kernel.name.into(),
        item,
        ..Plan::default()
    };
    for (source, destinations) in kernel.loads {
        let there = |delta: i8| {
            destinations
                .iter()
                .any(|(_, one)| one + options.error == delta)
        };
        let run = |sign: i8| (1..=31).take_while(|&n| there(sign * n)).count() as i8;
        let (up, down) = (run(-1), run(1));
        // A halo is of words without guards.
        let halo = options.wrapping == Wrapping::Halo
            && kernel.bytes == 4
            && !options.vote
            && options.source_checks.is_empty()
            && up + down > 0;
        for (destination, delta) in *destinations {
            let delta = delta + options.error;
            plan.shuffles.push(Shuffle {
                destination: load(destination),
                parts: vec![Part {
                    source: plan.sources.len() as u32,
                    byte: 0,
                    at: 0,
                    bytes: kernel.bytes,
                }],
                lanes: LaneMap::Shift(delta),
                through_temporary: options.through_temporary,
                upward: halo && delta != 0 && (-up..=down).contains(&delta),
                checks: Vec::new(),
                within: None,
                conditions: Default::default(),
                certificate: None,
            });
        }
        plan.sources.push(Source {
            statement: load(source),
            carried: None,
            region: 0,
            copy: options.copy,
            halo: halo.then_some(Halo {
                down: down as u8,
                up: up as u8,
                stride: 4,
            }),
            checks: options.source_checks.clone(),
            within: None,
            vote: options.vote,
        });
    }
    plan.regions.push(Region {
        before: find(body, |statement| {
            module.str(statement.span).starts_with(kernel.before)
        }),
        wrapping: options.wrapping,
        whole_rows: options.whole_rows,
        down: plan
            .shuffles
            .iter()
            .any(|shuffle| shuffle.lanes.steps() > 0),
        up: plan
            .shuffles
            .iter()
            .any(|shuffle| shuffle.lanes.steps() < 0),
        group: None,
        checks: options.checks.clone(),
        copy: None,
        mask: None,
    });
    plan
}

/// The number and the body of the only function.
fn function<'m>(module: &'m Module) -> (u32, &'m Body) {
    let mut functions = module
        .items
        .iter()
        .zip(0..)
        .filter_map(|(item, index)| match item {
            Item::Function(function) => Some((index, function.body.as_ref()?)),
            _ => None,
        });
    functions.next().unwrap()
}

/// The number of the first statement that fits.
fn find(body: &Body, fits: impl Fn(&Statement) -> bool) -> u32 {
    body.statements.iter().position(fits).unwrap() as u32
}

/// Whether the statement loads `register` from memory.
fn sets(module: &Module, statement: &Statement, register: &str) -> bool {
    let StatementKind::Instruction(instruction) = &statement.kind else {
        return false;
    };
    let opcode = module.str(instruction.opcode);
    let target = module.operands(instruction).first();
    let target = target.is_some_and(|operand| module.str(operand.span()) == register);
    target && opcode.starts_with("ld.") && !opcode.starts_with("ld.param")
}
