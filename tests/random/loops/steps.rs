//! The steps of an iteration.

use super::frame::{DOUBLES, SINGLES, SUM_AT};
use super::launches::TABLE;
use super::shape::{Counter, Layout, Shape, Way};
use super::text::Text;
use crate::random::accesses::{Base, Generator, KernelStep, Room};

impl Text<'_> {
    /// Addresses, steps, perhaps another exit and a loop inside.
    pub fn iteration(&mut self) {
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

    /// A step of `accesses` that the shape allows.
    pub fn plain(&mut self) -> KernelStep {
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
