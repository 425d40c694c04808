//! Random loops as PTX. Steps of iterations are those of `accesses`: `%rd7` and `%rd8` point to the elements of an iteration.

use super::launches::{RESULTS, TABLE};
use super::shape::{Counter, Layout, Own, Relation, Shape, Test, Way};
use crate::random::accesses::ptx::{self, Writer};
use crate::random::accesses::{Base, Generator, KernelStep, LONGS, Room, WORDS};
use crate::random::numbers::Random;
use std::fmt::Write;

/// 32-bit floating-point registers, and 64-bit ones.
const SINGLES: u64 = 4;
const DOUBLES: u64 = 2;
/// Where a word of the results is that is added to atomically.
const SUM_AT: u64 = 16;
/// Bytes of each thread in shared memory.
const SHARED: u64 = 64;

/// A kernel of one or two loops, of which one may be in another loop.
pub fn text(random: &mut Random, shape: &Shape) -> String {
    let target = random.pick(&["sm_70", "sm_80", "sm_80", "sm_90"]);
    let mut text = Text {
        writer: Writer::new(head(shape, target)),
        random,
        shape,
        label: 0,
    };
    for _ in 0..1 + text.random.below(6) / 5 {
        text.nest();
    }
    let mut text = text.writer.text;
    if text.contains("[%rd12") {
        text = text.replacen(BEGIN, &(shared() + BEGIN), 1);
    }
    results(&mut text);
    text + "ret;\n}\n"
}

/// What comes in front of the first loop.
const BEGIN: &str = "setp.gt.u32 %p0, %r16, 7;";

/// Fills the thread's bytes of shared memory.
fn shared() -> String {
    let line = |at| format!("st.shared.u64 [%rd12+{at}], %d0;\n");
    (0..SHARED).step_by(8).map(line).collect()
}

/// Stores one number made of all words and singles, and one of all longs and doubles: many stores would make the loop a small part of the
/// kernel.
fn results(text: &mut String) {
    for word in 1..WORDS {
        let _ = writeln!(text, "mad.lo.u32 %r0, %r0, 31, %r{word};");
    }
    for register in 0..SINGLES {
        let _ = writeln!(
            text,
            "mov.b32 %r1, %f{register}; mad.lo.u32 %r0, %r0, 31, %r1;"
        );
    }
    for long in 1..LONGS {
        let _ = writeln!(text, "mad.lo.u64 %d0, %d0, 31, %d{long};");
    }
    for register in 0..DOUBLES {
        let _ = writeln!(
            text,
            "mov.b64 %d1, %g{register}; mad.lo.u64 %d0, %d0, 31, %d1;"
        );
    }
    let _ = writeln!(
        text,
        "st.global.u32 [%rd9], %r0; st.global.u64 [%rd9+8], %d0;"
    );
}

/// Numbers of the thread, addresses of its elements, bounds, and what registers hold first.
fn head(shape: &Shape, target: &str) -> String {
    let mut text = format!(
        ".version 8.0\n.target {target}\n.address_size 64\n.shared .align 16 .b8 own[{}];\n\
         .visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pt, .param .u64 po, .param .u32 first, .param .u32 n, .param .u32 step, .param .u32 bias, .param .u32 m, .param .u32 second)\n{{\n\
         .reg .pred %p<8>; .reg .b16 %h<4>; .reg .b32 %r<40>; .reg .b64 %rd<40>, %d<4>; .reg .b32 %c<80>; .reg .pred %q<80>; .reg .f32 %f<6>; .reg .f64 %g<4>;\n\
         ld.param.u64 %rd1, [pa]; ld.param.u64 %rd2, [pb]; ld.param.u64 %rd29, [pt]; ld.param.u64 %rd3, [po];\n\
         ld.param.u32 %r27, [first]; ld.param.u32 %r10, [n]; ld.param.u32 %r21, [step]; ld.param.u32 %r22, [bias]; ld.param.u32 %r25, [m]; ld.param.u32 %r29, [second];\n\
         mov.u32 %r16, %tid.x; mov.u32 %r12, %ctaid.x; mov.u32 %r13, %ntid.x; mov.u32 %r30, %nctaid.x;\n",
        SHARED * 160
    );
    text.push_str(match shape.flat {
        true => "mov.u32 %r11, %r16; mov.u32 %r19, %r13;\n",
        false => {
            "mov.u32 %r17, %tid.y; mov.u32 %r18, %ntid.y; mov.u32 %r23, %tid.z; mov.u32 %r24, %ntid.z;\n\
             mad.lo.u32 %r23, %r23, %r18, %r17; mad.lo.u32 %r11, %r23, %r13, %r16;\n\
             mul.lo.u32 %r19, %r13, %r18; mul.lo.u32 %r19, %r19, %r24;\n"
        }
    });
    let (unit, [lane, _]) = (shape.unit, shape.strides(0));
    let _ = writeln!(
        text,
        "mad.lo.s32 %r14, %r12, %r19, %r11; mul.lo.s32 %r31, %r30, %r19;\n\
         mul.wide.u32 %rd4, %r14, {RESULTS}; cvta.to.global.u64 %rd9, %rd3; add.s64 %rd9, %rd9, %rd4;\n\
         cvta.to.global.u64 %rd20, %rd1; cvta.to.global.u64 %rd21, %rd2; cvta.to.global.u64 %rd29, %rd29;\n\
         mov.u64 %rd11, own; mul.wide.u32 %rd10, %r11, {SHARED}; add.s64 %rd12, %rd11, %rd10;"
    );
    let _ = match shape.layout {
        Layout::Rows => writeln!(text, "mov.u64 %rd23, {unit};"),
        _ => writeln!(text, "mul.wide.u32 %rd23, %r31, {unit};"),
    };
    if shape.layout != Layout::GridStride {
        let _ = writeln!(
            text,
            "mad.wide.u32 %rd20, %r14, {lane}, %rd20; mad.wide.u32 %rd21, %r14, {lane}, %rd21;"
        );
    }
    ptx::values(&mut text);
    bounds(&mut text, shape);
    for register in 0..SINGLES {
        let _ = writeln!(text, "cvt.rn.f32.u32 %f{register}, %r{register};");
    }
    for register in 0..DOUBLES {
        let _ = writeln!(text, "cvt.rn.f64.u32 %g{register}, %r{register};");
    }
    text + BEGIN + " setp.eq.u32 %p1, %r10, 3; setp.lt.u32 %p2, %r14, 40;\n"
}

/// What of the first counter, the step and the bound is this thread's.
fn bounds(text: &mut String, shape: &Shape) {
    let mut line = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    if let Some(step) = shape.step {
        line(&format!("mov.u32 %r21, {step};"));
    }
    if shape.layout == Layout::GridStride {
        line("mad.lo.s32 %r27, %r27, %r31, %r14; mul.lo.s32 %r21, %r21, %r31;");
        if shape.relation == Relation::Unequal {
            line("add.s32 %r10, %r10, %r14;");
        }
    }
    match shape.own {
        Own::Nothing => {}
        Own::Bound => {
            line("and.b32 %r23, %r11, 3; mul.lo.s32 %r23, %r23, %r21; sub.s32 %r10, %r10, %r23;")
        }
        Own::First => line("and.b32 %r23, %r11, 1; mad.lo.s32 %r27, %r23, %r21, %r27;"),
        Own::Loaded => line(
            "and.b32 %r23, %r11, 15; mul.wide.u32 %rd24, %r23, 4; add.s64 %rd24, %rd29, %rd24; ld.global.u32 %r23, [%rd24];\n\
             and.b32 %r23, %r23, 7; mad.lo.s32 %r10, %r23, %r21, %r27;",
        ),
    }
    let extend = if shape.signed { "s64.s32" } else { "u64.u32" };
    match shape.counter {
        Counter::Word => {}
        Counter::Long => line(&format!(
            "cvt.{extend} %rd17, %r10; cvt.s64.s32 %rd18, %r21;"
        )),
        Counter::Pointer => line(
            "cvt.s64.s32 %rd18, %r21; mul.lo.s64 %rd18, %rd18, %rd23;\n\
             cvt.s64.s32 %rd17, %r10; mad.lo.s64 %rd17, %rd17, %rd23, %rd20;",
        ),
    }
}

struct Text<'r> {
    writer: Writer,
    random: &'r mut Random,
    shape: &'r Shape,
    /// The number of the loop in which the next step is.
    label: u32,
}

impl Text<'_> {
    fn line(&mut self, line: &str) {
        self.writer.line(line);
    }

    /// A loop, perhaps in another one that takes the arrays further by an element.
    fn nest(&mut self) {
        if !self.random.chance(20) {
            return self.looped();
        }
        let label = self.writer.label();
        self.line(&format!("mov.u32 %r34, 0;\nO{label}:"));
        self.looped();
        if self.random.chance(50) {
            let step = self.plain();
            self.line("mov.u64 %rd7, %rd20; mov.u64 %rd8, %rd21;");
            if self.shape.layout == Layout::GridStride {
                let unit = self.shape.unit;
                self.line(&format!(
                    "mad.wide.u32 %rd7, %r14, {unit}, %rd7; mad.wide.u32 %rd8, %r14, {unit}, %rd8;"
                ));
            }
            self.generic();
            self.writer.steps(&[step]);
        }
        let bound = ["2", "%r25"][self.random.below(2) as usize];
        self.line(&format!(
            "add.s64 %rd20, %rd20, %rd23; add.s32 %r34, %r34, 1; min.s32 %r35, {bound}, 3; setp.lt.s32 %p7, %r34, %r35;\n@%p7 bra O{label};"
        ));
    }

    /// The loop of the kernel's shape.
    fn looped(&mut self) {
        let label = self.writer.label();
        self.label = label;
        self.start();
        if self.shape.test == Test::Guarded {
            let holds = self.on();
            self.line(&format!("{holds}\n@!%p3 bra E{label};"));
        }
        self.line(&format!("L{label}:"));
        if self.random.chance(20) {
            self.line(".pragma \"nounroll\";");
        }
        if self.shape.test == Test::Top {
            let holds = self.on();
            self.line(&format!("{holds}\n@!%p3 bra E{label};"));
        }
        self.iteration();
        self.advance();
        let holds = self.on();
        match self.shape.test {
            Test::Top => self.line(&format!("bra L{label};")),
            _ if self.random.chance(15) => {
                self.line(&format!("{holds}\n@!%p3 bra E{label};\nbra L{label};"));
            }
            _ => self.line(&format!("{holds}\n@%p3 bra L{label};")),
        }
        self.line(&format!("E{label}:"));
    }

    /// Counters and pointers as the first iteration has them.
    fn start(&mut self) {
        let extend = if self.shape.signed {
            "s64.s32"
        } else {
            "u64.u32"
        };
        self.line(&match self.shape.counter {
            Counter::Word => "mov.u32 %r20, %r27;".to_owned(),
            Counter::Long => format!("cvt.{extend} %rd16, %r27;"),
            Counter::Pointer => {
                "cvt.s64.s32 %rd24, %r27; mad.lo.s64 %rd7, %rd24, %rd23, %rd20;".to_owned()
            }
        });
        self.line("mov.u32 %r28, 0;");
        for (way, element, base) in self.arrays() {
            match way {
                Way::Counter(_) => {}
                _ if self.shape.layout == Layout::GridStride => {
                    let unit = self.shape.unit;
                    self.line(&format!("mad.wide.u32 {element}, %r14, {unit}, {base};"));
                }
                _ => self.line(&format!("mov.u64 {element}, {base};")),
            }
        }
    }

    /// How the two arrays are stepped through, the pointers to their elements, and to the first of these.
    fn arrays(&self) -> [(Way, &'static str, &'static str); 2] {
        let [first, second] = self.shape.ways;
        [(first, "%rd7", "%rd20"), (second, "%rd8", "%rd21")]
    }

    /// Sets `%p3` where the loop goes on.
    fn on(&self) -> String {
        let relation = match self.shape.relation {
            Relation::Less => "lt",
            Relation::LessEqual => "le",
            Relation::Unequal => "ne",
            Relation::Greater => "gt",
            Relation::GreaterEqual => "ge",
        };
        let sign = if self.shape.signed { 's' } else { 'u' };
        match self.shape.counter {
            Counter::Word => format!("setp.{relation}.{sign}32 %p3, %r20, %r10;"),
            Counter::Long => format!("setp.{relation}.{sign}64 %p3, %rd16, %rd17;"),
            Counter::Pointer => format!("setp.{relation}.{sign}64 %p3, %rd7, %rd17;"),
        }
    }

    /// To the next iteration.
    fn advance(&mut self) {
        self.line(match (self.shape.counter, self.shape.step) {
            (Counter::Word, _) => "add.s32 %r20, %r20, %r21;",
            (Counter::Long, _) => "add.s64 %rd16, %rd16, %rd18;",
            (Counter::Pointer, _) => "add.s64 %rd7, %rd7, %rd18;",
        });
        for (way, element, _) in self.arrays() {
            let Way::Pointer(step) = way else {
                continue;
            };
            match (step, self.shape.layout) {
                (Some(step), Layout::Rows) => {
                    let bytes = step * self.shape.unit as i64;
                    self.line(&format!("add.s64 {element}, {element}, {bytes};"));
                }
                (Some(step), _) => {
                    self.line(&format!(
                        "mul.lo.s64 %rd24, %rd23, {step}; add.s64 {element}, {element}, %rd24;"
                    ));
                }
                (None, _) => self.line(&format!(
                    "cvt.s64.s32 %rd24, %r29; mad.lo.s64 {element}, %rd24, %rd23, {element};"
                )),
            }
        }
        if self.shape.second {
            self.line("add.s32 %r28, %r28, %r29;");
        }
    }

    /// Addresses, steps, perhaps another exit and a loop inside.
    fn iteration(&mut self) {
        for (way, element, base) in self.arrays() {
            if let Way::Counter(how) = way {
                self.address(how, element, base);
            }
        }
        self.generic();
        let count = 1 + self.random.below(5);
        let exit = self.random.below(count);
        for at in 0..count {
            if at == exit && self.shape.second {
                self.exit();
            }
            match self.random.below(100) {
                0..=29 if self.shape.ways[1] == Way::Fixed => self.again(),
                0..=14 if self.shape.branches => {
                    let mut step = self.plain();
                    while !matches!(step, KernelStep::Either(..)) {
                        step = self.plain();
                    }
                    self.writer.steps(&[step]);
                }
                0..=54 => {
                    let step = self.plain();
                    self.writer.steps(&[step]);
                }
                55..=74 => self.float(),
                75..=86 => self.table(),
                87..=89 => self.bounded(),
                90..=91 => self.ordered(),
                92..=95 if self.shape.branches => self.walk(),
                _ => {
                    let (a, b) = (self.random.below(8), self.random.below(8));
                    self.line(&format!("mov.u32 %r{a}, %r{b};"));
                }
            }
        }
    }

    /// An element's address from the counter.
    fn address(&mut self, how: u64, element: &str, base: &str) {
        let Shape {
            counter,
            layout,
            unit,
            ..
        } = *self.shape;
        // In a grid's stride the counter is the index of an element; else it takes the stride of one.
        let scale = match layout {
            Layout::Turns => None,
            _ => Some(unit),
        };
        match counter {
            Counter::Pointer if element == "%rd7" => {}
            Counter::Pointer => self.line(&format!(
                "sub.s64 %rd24, %rd7, %rd20; add.s64 {element}, {base}, %rd24;"
            )),
            Counter::Long => self.line(&match (scale, how % 2) {
                (Some(unit), 0) => format!(
                    "shl.b64 %rd24, %rd16, {}; add.s64 {element}, {base}, %rd24;",
                    unit.trailing_zeros()
                ),
                (Some(unit), _) => format!("mad.lo.s64 {element}, %rd16, {unit}, {base};"),
                (None, _) => format!("mad.lo.s64 {element}, %rd16, %rd23, {base};"),
            }),
            Counter::Word => {
                let index = match self.shape.biased {
                    true => {
                        self.line("add.s32 %r23, %r20, %r22;");
                        "%r23"
                    }
                    false => "%r20",
                };
                let sign = if self.shape.signed || self.shape.goes_down() || how == 3 {
                    's'
                } else {
                    'u'
                };
                self.line(&match (scale, how) {
                    (Some(unit), 0) => format!("mul.wide.{sign}32 %rd24, {index}, {unit}; add.s64 {element}, {base}, %rd24;"),
                    (Some(unit), 1) => format!("mad.wide.{sign}32 {element}, {index}, {unit}, {base};"),
                    (Some(unit), 2) => format!(
                        "shl.b32 %r26, {index}, {}; cvt.{sign}64.{sign}32 %rd24, %r26; add.s64 {element}, {base}, %rd24;",
                        unit.trailing_zeros()
                    ),
                    (Some(unit), _) => format!(
                        "cvt.s64.s32 %rd24, {index}; shl.b64 %rd24, %rd24, {}; add.s64 {element}, %rd24, {base};",
                        unit.trailing_zeros()
                    ),
                    (None, 0 | 1) => format!("cvt.{sign}64.{sign}32 %rd24, {index}; mad.lo.s64 {element}, %rd24, %rd23, {base};"),
                    (None, _) => format!(
                        "mul.lo.s32 %r26, {index}, %r31; mad.wide.{sign}32 {element}, %r26, {unit}, {base};"
                    ),
                });
            }
        }
    }

    /// The pointer to the first array's element as a generic one.
    fn generic(&mut self) {
        self.line("cvta.global.u64 %rd5, %rd7;");
    }

    /// A step of `accesses` that the shape allows.
    fn plain(&mut self) -> KernelStep {
        let Shape {
            layout,
            unit,
            widest,
            ..
        } = *self.shape;
        let room = match layout {
            Layout::Rows => Room {
                window: 3 * unit,
                indexed: unit,
                guarded: 15,
            },
            _ => Room {
                window: unit,
                indexed: unit,
                guarded: 15,
            },
        };
        loop {
            let mut generator = Generator {
                random: self.random,
                widest,
                room,
                // No barriers.
                depth: 1,
            };
            let step = generator.step();
            if permitted(&step, self.shape) {
                return step;
            }
        }
    }

    /// A floating-point number is loaded and added, or stored.
    fn float(&mut self) {
        let random = &mut *self.random;
        let (bytes, name, ty, count) = match random.below(4) {
            0 if self.shape.widest >= 8 => (8, 'g', "f64", DOUBLES),
            _ if self.shape.widest >= 4 => (4, 'f', "f32", SINGLES),
            _ => return,
        };
        let window = match self.shape.layout {
            Layout::Rows => 3 * self.shape.unit,
            _ => self.shape.unit,
        };
        let offset = bytes * random.below(window / bytes);
        let element = random.pick(&["%rd7", "%rd7", "%rd8"]);
        let [a, b] = [0; 2].map(|_| random.below(count));
        if self.shape.stores && random.chance(30) {
            return self.line(&format!("st.global.{ty} [{element}+{offset}], %{name}{a};"));
        }
        let loaded = match name {
            'g' => "%g3",
            _ => "%f5",
        };
        let sum = match random.below(5) {
            0 => format!("fma.rn.{ty} %{name}{a}, {loaded}, %{name}{b}, %{name}{a};"),
            1 => format!(
                "mul.{ty} {loaded}, {loaded}, %{name}{b}; add.{ty} %{name}{a}, %{name}{a}, {loaded};"
            ),
            2 => format!("add.rn.{ty} %{name}{a}, %{name}{a}, {loaded};"),
            3 => format!("max.{ty} %{name}{a}, %{name}{a}, {loaded};"),
            _ => format!("add.{ty} %{name}{a}, {loaded}, %{name}{b};"),
        };
        self.line(&format!(
            "ld.global.{ty} {loaded}, [{element}+{offset}]; {sum}"
        ));
    }

    /// A word of the first array is loaded in front of a store to the second, and behind it.
    fn again(&mut self) {
        let bits = 8 * self.shape.widest.min(4);
        let [a, b, c] = [0; 3].map(|_| self.random.below(8));
        let narrow = if self.random.chance(50) { 8 } else { bits };
        self.line(&format!(
            "ld.global.u{bits} %r{a}, [%rd7]; st.global.u{narrow} [%rd8], %r{b};\n\
             ld.global.u{bits} %r{c}, [%rd7]; xor.b32 %r{b}, %r{a}, %r{c}; add.u32 %r{b}, %r{b}, 1;"
        ));
    }

    /// A number to index the table with: the second one, the counter, or what was loaded before.
    fn index(&mut self) -> String {
        let word = self.random.below(8);
        match (self.random.below(3), self.shape.counter) {
            (0, _) if self.shape.second => "%r28".to_owned(),
            (1, _) => format!("%r{word}"),
            (_, Counter::Word) => "%r20".to_owned(),
            _ => "%r14".to_owned(),
        }
    }

    /// A load that would be outside of the table where it is not executed.
    fn bounded(&mut self) {
        let (index, label) = (self.index(), self.writer.label());
        let register = self.random.below(8);
        let (guard, branch) = match self.shape.branches && self.random.chance(50) {
            true => ("", format!("@!%p5 bra B{label};\n")),
            false => ("@%p5 ", String::new()),
        };
        let bytes = TABLE / 4;
        self.line(&format!(
            "setp.lt.u32 %p5, {index}, 4;\n{branch}mul.wide.u32 %rd28, {index}, {bytes}; add.s64 %rd28, %rd29, %rd28;\n\
             {guard}ld.global.nc.u32 %r{register}, [%rd28];\nB{label}:"
        ));
    }

    /// A load of what is never stored to.
    fn table(&mut self) {
        let index = self.index();
        let random = &mut *self.random;
        let (ty, bytes) = [
            ("u32", 4),
            ("u8", 1),
            ("s16", 2),
            ("v2.u32", 8),
            ("v4.u32", 16),
        ][random.below(5) as usize];
        let path = random.pick(&[".nc", ".nc", ""]);
        let register = random.below(8);
        let registers = match bytes {
            8 => format!("{{%r{register}, %r{}}}", (register + 1) % 8),
            16 => format!(
                "{{%r{register}, %r{}, %r{}, %r32}}",
                (register + 1) % 8,
                (register + 2) % 8
            ),
            _ => format!("%r{register}"),
        };
        self.line(&format!(
            "and.b32 %r26, {index}, 63; mul.wide.u32 %rd28, %r26, {bytes}; add.s64 %rd28, %rd29, %rd28;\n\
             ld.global{path}.{ty} {registers}, [%rd28];"
        ));
    }

    /// What keeps a loop from running in batches.
    fn ordered(&mut self) {
        let word = self.random.below(8);
        match self.random.below(4) {
            0 => self.line(&format!("red.global.add.u32 [%rd9+{SUM_AT}], %r{word};")),
            1 => self.line(&format!(
                "atom.global.add.u32 %r33, [%rd9+{SUM_AT}], %r{word};"
            )),
            2 => self.line("membar.cta;"),
            _ => self.line("bar.sync 0;"),
        }
    }

    /// Another exit: by the second number, or by what was loaded.
    fn exit(&mut self) {
        let (label, word) = (self.label, self.random.below(8));
        match self.random.below(4) {
            0 => self.line(&format!(
                "and.b32 %r26, %r{word}, 15; setp.eq.u32 %p4, %r26, 0;\n@%p4 bra E{label};"
            )),
            1 => self.line(&format!(
                "setp.lt.s32 %p4, %r28, %r25;\n@!%p4 bra E{label};"
            )),
            _ => self.line(&format!("setp.ge.s32 %p4, %r28, %r25;\n@%p4 bra E{label};")),
        }
    }

    /// A loop inside, over the next elements of the first array.
    fn walk(&mut self) {
        let label = self.writer.label();
        self.line(&format!("mov.u64 %rd27, %rd7; mov.u32 %r24, 0;\nW{label}:"));
        let step = self.plain();
        self.writer.steps(&[step]);
        self.table();
        let bound = ["3", "%r25", "%r35"][self.random.below(3) as usize];
        self.line(&format!(
            "add.s64 %rd7, %rd7, %rd23; add.s32 %r24, %r24, 1; and.b32 %r35, %r11, 3; min.s32 %r26, {bound}, 4; setp.lt.s32 %p6, %r24, %r26;\n\
             @%p6 bra W{label};\nmov.u64 %rd7, %rd27;"
        ));
    }
}

/// Whether a step stores or branches only where the shape does.
fn permitted(step: &KernelStep, shape: &Shape) -> bool {
    match step {
        KernelStep::Store(access) => shape.stores || matches!(access.base, Base::Shared),
        KernelStep::Either(_, sides) => {
            shape.branches && sides.iter().flatten().all(|one| permitted(one, shape))
        }
        KernelStep::Repeat(_, steps) => {
            shape.branches && steps.iter().all(|one| permitted(one, shape))
        }
        _ => true,
    }
}
