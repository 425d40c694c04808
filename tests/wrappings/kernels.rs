//! The kernels, in the style of nvcc's output, and plans for them made by hand.

use ptxasw::ir::function::{Function, InstId, Value};
use ptxasw::ir::lanes::LaneMap;
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::{Point, Target, verify};
use ptxasw::passes::shuffle::lower::{Variant, lower};
use ptxasw::passes::shuffle::plan::{Check, Halo, Part, Plan, Region, Shuffle, Source, Wrapping};
use ptxasw::pipeline::Reading;
use ptxasw::ptx::ast::{Body, Item, Module, Statement, StatementKind};
use ptxasw::ptx::text::edit;
use ptxasw::ptx::write::{Signature, Stem, View};
use ptxasw::ptx::{self, decode, write};

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
    /// All lanes vote on the guard of every source.
    pub vote: bool,
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
            vote: false,
            error: 0,
        }
    }
}

/// `register + offset <= limit`; the register's value is filled in with the plan.
pub fn check(register: &str, width: u8, offset: i64, limit: u64) -> Check {
    Check {
        register: register.into(),
        minus: None,
        values: (Value(0), None),
        width,
        offset: offset as u64,
        limit,
        uniform: false,
        meaning: String::new(),
    }
}

/// The only function of a text.
pub struct Subject<'t> {
    pub module: Module<'t>,
    pub reading: Reading,
}

impl<'t> Subject<'t> {
    pub fn new(text: &'t [u8]) -> Self {
        let module = ptx::parse(text).unwrap();
        let headers = decode::headers(&module);
        let index = headers
            .functions
            .iter()
            .position(|one| one.defined)
            .unwrap();
        let reading = Reading::read(&module, &headers, index).unwrap();
        Subject { module, reading }
    }

    fn function(&self) -> &Function {
        self.reading.function()
    }

    /// The text with a plan carried out.
    ///
    /// # Errors
    /// What of the plan does not fit.
    pub fn with(&self, plan: &Plan, variant: Variant) -> Result<Vec<u8>, String> {
        let (body, target) = (&self.reading.body, Target::default());
        let view = View::new(&self.module, &body.form, &body.lowered);
        let patch = lower(self.function(), plan, target, variant);
        let patch = patch.map_err(|error| error.to_string())?;
        let verified = verify(self.function(), &patch).map_err(|error| error.to_string())?;
        let signature = Signature {
            stem: Stem::Shuffle,
            mark: None,
        };
        let written = write::write(&view, &verified, signature);
        let written = written.map_err(|error| error.to_string())?;
        let edits = write::together(&self.module, [&written]);
        Ok(edit::apply(self.module.text(), &edits).unwrap())
    }

    /// The load of a statement, and what that gives, element by element.
    fn load(&self, statement: u32) -> (InstId, Vec<Option<Value>>) {
        let function = self.function();
        let ids = (0..function.insts.len() as u32).map(InstId);
        let of_statement: Vec<InstId> = ids
            .filter(|&id| function.inst(id).origin == statement)
            .collect();
        let is_load = |id: &InstId| matches!(function.inst(*id).opcode, Opcode::Load(_));
        let load = of_statement.iter().copied().find(is_load).unwrap();
        let completed = |mut value: Value| {
            for &id in &of_statement {
                let inst = function.inst(id);
                if inst.args.contains(&value) && matches!(inst.opcode, Opcode::Op(_)) {
                    value = inst.results[0];
                }
            }
            Some(value)
        };
        let results = function.inst(load).results.iter();
        (load, results.map(|&value| completed(value)).collect())
    }

    /// In front of a statement.
    fn point(&self, statement: u32) -> Point {
        let function = self.function();
        let insts = || function.blocks.iter().flat_map(|block| &block.insts);
        let origin = |id: &InstId| function.inst(*id).origin;
        let first = *insts().find(|id| origin(id) >= statement).unwrap();
        let before = insts().rfind(|id| origin(id) < statement);
        let before = before.map(|&id| function.inst(id).block);
        // In front of a label is the end of the block before it.
        match before.filter(|&block| block != function.inst(first).block) {
            Some(block) if self.is_label(statement) => Point::End(block),
            _ => Point::Before(first),
        }
    }

    fn is_label(&self, statement: u32) -> bool {
        let (_, body) = function(&self.module);
        let statement = &body.statements[statement as usize];
        matches!(statement.kind, StatementKind::Label(_))
    }

    /// Checks with the values that their registers hold.
    fn valued(&self, checks: &[Check]) -> Vec<Check> {
        let body = &self.reading.body;
        let held = |value: &u32| {
            let reg = body
                .lowered
                .registers
                .get(*value as usize)
                .copied()
                .flatten();
            reg.map(|reg| &*body.form.registers[reg.0 as usize].name)
        };
        let value = |name: &str| {
            let mut values = (0..self.function().values.len() as u32).rev();
            Value(values.find(|value| held(value) == Some(name)).unwrap())
        };
        let with = |check: &Check| Check {
            values: (value(&check.register), check.minus.as_deref().map(value)),
            ..check.clone()
        };
        checks.iter().map(with).collect()
    }
}

/// The plan that carries out all shuffles of `kernel` in one region.
pub fn plan(subject: &Subject, kernel: &Kernel, options: &Options) -> Plan {
    let module = &subject.module;
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
            let destination = load(destination);
            let (inst, elements) = subject.load(destination);
            plan.shuffles.push(Shuffle {
                destination,
                inst,
                elements,
                parts: vec![Part {
                    source: plan.sources.len() as u32,
                    byte: 0,
                    at: 0,
                    bytes: kernel.bytes,
                }],
                lanes: LaneMap::Shift(delta),
                upward: halo && delta != 0 && (-up..=down).contains(&delta),
                checks: Vec::new(),
                within: None,
                conditions: Default::default(),
                certificate: None,
            });
        }
        let (inst, elements) = subject.load(load(source));
        plan.sources.push(Source {
            statement: load(source),
            inst,
            elements,
            carried: None,
            region: 0,
            copy: false,
            halo: halo.then_some(Halo {
                down: down as u8,
                up: up as u8,
                stride: 4,
            }),
            checks: subject.valued(&options.source_checks),
            within: None,
            vote: options.vote,
        });
    }
    let before = find(body, |statement| {
        module.str(statement.span).starts_with(kernel.before)
    });
    plan.regions.push(Region {
        before,
        at: subject.point(before),
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
        checks: subject.valued(&options.checks),
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
