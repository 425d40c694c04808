//! The generator of kernels: statements at random, each on a line of its own so that a failure can be shrunk.
//!
//! Every thread mixes what it loads into `%acc` and stores that into a cell of its own. Registers are not SSA: variables
//! of the pool are written again anywhere. Whatever faults, does not end, or depends on the schedule is left out later.

macro_rules! line {
    ($g:expr, $($text:tt)*) => {{ let _ = writeln!($g.lines, "\t{}", format!($($text)*)); }};
}

mod control;
mod loads;
mod loops;
mod memory;

use crate::random::case::OWN_WORDS;
use crate::random::numbers::Random;
use std::fmt::Write as _;

/// What a kernel has to be like.
pub struct Style {
    /// Indices near the end of the signed (or unsigned) number line.
    pub wrap: Option<bool>,
    /// The block size, if the kernel states it.
    pub block: Option<[u32; 3]>,
}

/// Nesting of loops and branches.
const MAX_DEPTH: u32 = 3;

/// A random kernel.
pub fn kernel(random: &mut Random, style: &Style) -> String {
    let mut generator = Generator {
        random,
        wrap: style.wrap,
        lines: String::new(),
        next: 10,
        indices: Vec::new(),
        uniforms: Vec::new(),
        small: Vec::new(),
        pointers: Vec::new(),
        exits: 0,
        diverged: false,
    };
    generator.prologue();
    let statements = generator.random.within(4, 12);
    generator.statements(statements, 0);
    generator.whole(style)
}

struct Generator<'r> {
    random: &'r mut Random,
    wrap: Option<bool>,
    lines: String,
    /// Number of the next register or label.
    next: u32,
    /// Registers of 32 bits that index the arrays.
    indices: Vec<String>,
    /// Registers that are, mostly, equal in all threads.
    uniforms: Vec<String>,
    /// Registers with small values, from 0.
    small: Vec<String>,
    /// Registers of 64 bits that point into the arrays, near an index.
    pointers: Vec<String>,
    /// Branches to the end.
    exits: u32,
    /// Some threads may be gone or elsewhere.
    diverged: bool,
}

impl Generator<'_> {
    fn whole(self, style: &Style) -> String {
        let required = style.block.map_or(String::new(), |[x, y, z]| {
            format!(".reqntid {x}, {y}, {z}\n")
        });
        let count = self.next + 1;
        let end = if self.exits % 2 == 1 {
            "\tst.global.u32 [%out], %acc;\nEXIT:\n\tret;"
        } else {
            "EXIT:\n\tst.global.u32 [%out], %acc;\n\tret;"
        };
        format!(
            ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(\n\t.param .u64 pa,\n\t.param .u64 pb,\n\t.param .u64 pw,\n\t.param .u64 po,\n\t.param .u32 pn,\n\t.param .u32 pm,\n\t.param .u32 pk\n)\n{required}{{\n\t.reg .pred %p<{count}>;\n\t.reg .b16 %h<{count}>;\n\t.reg .b32 %r<{count}>;\n\t.reg .b32 %acc;\n\t.reg .f32 %f<{count}>;\n\t.reg .b64 %rd<{count}>;\n\t.reg .f64 %fd<{count}>;\n\t.reg .b64 %a, %b, %own, %out;\n{}{}{end}\n}}\n",
            Self::pieces(),
            self.lines
        )
    }

    fn fresh(&mut self, class: &str) -> String {
        self.next += 1;
        format!("%{class}{}", self.next)
    }

    fn label(&mut self) -> String {
        self.next += 1;
        format!("L{}", self.next)
    }

    fn one_of(&mut self, which: fn(&Self) -> &Vec<String>) -> String {
        let count = which(self).len() as u64;
        // The last ones are likelier: they are what was just computed.
        let at = self.random.below(count).max(self.random.below(count));
        which(self)[at as usize].clone()
    }

    fn index(&mut self) -> String {
        self.one_of(|g| &g.indices)
    }

    /// A destination: a new register, or sometimes an old one.
    fn target(&mut self) -> (String, bool) {
        if self.random.chance(15) && self.indices.len() > 1 {
            (self.index(), false)
        } else {
            (self.fresh("r"), true)
        }
    }

    fn prologue(&mut self) {
        line!(self, "ld.param.u64 %a, [pa];");
        line!(self, "ld.param.u64 %b, [pb];");
        line!(self, "ld.param.u64 %own, [pw];");
        line!(self, "ld.param.u64 %out, [po];");
        line!(self, "ld.param.u32 %r1, [pn];");
        line!(self, "ld.param.u32 %r2, [pm];");
        line!(self, "ld.param.u32 %r3, [pk];");
        if self.random.chance(50) {
            for pointer in ["%a", "%b", "%own", "%out"] {
                line!(self, "cvta.to.global.u64 {pointer}, {pointer};");
            }
        }
        line!(self, "mov.u32 %r4, %tid.x;");
        line!(self, "mov.u32 %r5, %ntid.x;");
        line!(self, "mov.u32 %r6, %ctaid.x;");
        // The number of the thread in the grid.
        line!(self, "mov.u32 %r7, %tid.z;");
        line!(self, "mov.u32 %r8, %ntid.y;");
        line!(self, "mov.u32 %r9, %tid.y;");
        line!(self, "mad.lo.u32 %r7, %r7, %r8, %r9;");
        line!(self, "mad.lo.u32 %r7, %r7, %r5, %r4;");
        line!(self, "mov.u32 %r9, %ntid.z;");
        line!(self, "mul.lo.u32 %r8, %r8, %r9;");
        line!(self, "mul.lo.u32 %r8, %r8, %r5;");
        line!(self, "mov.u32 %r9, %nctaid.x;");
        line!(self, "mov.u32 %r10, %ctaid.y;");
        line!(self, "mad.lo.u32 %r9, %r9, %r10, %r6;");
        line!(self, "mad.lo.u32 %r7, %r9, %r8, %r7;");
        line!(self, "mul.wide.u32 %rd1, %r7, {};", OWN_WORDS * 4);
        line!(self, "add.s64 %own, %own, %rd1;");
        line!(self, "mul.wide.u32 %rd1, %r7, 4;");
        line!(self, "add.s64 %out, %out, %rd1;");
        line!(self, "mov.u32 %acc, %r7;");
        self.point_to_pieces();
        line!(self, "mov.u32 %r9, %tid.y;");
        self.next = 12;
        self.uniforms = vec!["%r2".into()];
        self.small = vec!["%r4".into(), "%r9".into()];
        line!(self, "and.b32 %r11, %r2, 3;");
        self.uniforms.push("%r11".into());
        for _ in 0..self.random.within(1, 2) {
            self.root_index();
        }
    }

    /// An index as kernels begin with.
    fn root_index(&mut self) {
        let i = self.fresh("r");
        match self.random.below(9) {
            0..=2 => line!(self, "mad.lo.s32 {i}, %r6, %r5, %r4;"),
            3 => line!(self, "mov.u32 {i}, %tid.x;"),
            4 => line!(self, "mov.u32 {i}, %laneid;"),
            5 => {
                let width = self.random.within(8, 40);
                line!(self, "mad.lo.s32 {i}, %r9, {width}, %r4;");
            }
            6 => line!(
                self,
                "and.b32 {i}, %r4, {};",
                [31, 15, 7, 28][self.random.below(4) as usize]
            ),
            7 => {
                let (x, constant) = (self.fresh("r"), self.random.within(20, 40));
                line!(self, "mul.lo.s32 {x}, %r9, {constant};");
                line!(self, "sub.s32 {i}, {x}, %r4;");
            }
            _ => line!(self, "sub.s32 {i}, %r7, %r6;"),
        }
        if self.wrap.is_some() || self.random.chance(30) {
            line!(self, "add.s32 {i}, {i}, %r3;");
        }
        self.indices.push(i);
    }

    fn statements(&mut self, count: i64, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(100) {
            0..=13 => self.arithmetic(),
            // A wrapped index makes addresses of any alignment.
            14..=20 if self.wrap.is_none() => self.row_of_wide_loads(),
            14..=46 => self.row_of_loads(),
            47..=52 => self.load_by_pointer(),
            53..=60 => self.own_memory(),
            61..=65 => self.guard(depth),
            66..=75 if depth < MAX_DEPTH => self.branch(depth),
            76..=82 if depth < MAX_DEPTH => self.repeat(depth),
            83..=85 if self.wrap.is_none() => self.march(),
            86 => self.stride(),
            87..=89 => self.order(depth),
            90..=92 => self.unusual_load(),
            93..=95 => self.uniform_value(),
            96 => self.root_index(),
            _ => self.load_as_index(),
        }
    }

    /// A new index from an old one.
    fn arithmetic(&mut self) {
        let source = self.index();
        let (target, new) = self.target();
        let constant = self.random.within(-6, 6);
        let plain = self.wrap.is_some() || self.random.chance(50);
        match if plain {
            self.random.below(5)
        } else {
            5 + self.random.below(10)
        } {
            0 | 1 => line!(self, "add.s32 {target}, {source}, {constant};"),
            2 => line!(self, "sub.s32 {target}, {source}, {constant};"),
            3 => {
                let uniform = self.one_of(|g| &g.uniforms);
                line!(self, "add.s32 {target}, {source}, {uniform};");
            }
            4 => line!(self, "mov.b32 {target}, {source};"),
            5 => line!(
                self,
                "shl.b32 {target}, {source}, {};",
                self.random.below(3)
            ),
            6 => line!(
                self,
                "and.b32 {target}, {source}, {};",
                self.random.pick(&["63", "-4", "31", "-2", "1023"])
            ),
            7 => line!(self, "or.b32 {target}, {source}, {};", self.random.below(8)),
            8 => line!(
                self,
                "xor.b32 {target}, {source}, {};",
                self.random.pick(&["-4", "1", "3", "-1"])
            ),
            9 => line!(
                self,
                "shr.{} {target}, {source}, {};",
                self.random.pick(&["s32", "u32"]),
                self.random.within(1, 3)
            ),
            10 => line!(
                self,
                "rem.{} {target}, {source}, {};",
                self.random.pick(&["s32", "u32"]),
                self.random.within(3, 40)
            ),
            11 => line!(
                self,
                "min.s32 {target}, {source}, {};",
                self.random.within(5, 60)
            ),
            12 => line!(
                self,
                "max.s32 {target}, {source}, {};",
                self.random.within(0, 20)
            ),
            13 => {
                let other = self.index();
                let p = self.condition();
                line!(self, "selp.b32 {target}, {source}, {other}, {p};");
            }
            _ => {
                let p = self.condition();
                line!(self, "mov.b32 {target}, {source};");
                line!(self, "@{p} add.s32 {target}, {target}, {constant};");
            }
        }
        if new {
            self.indices.push(target);
        }
    }

    /// A predicate.
    fn condition(&mut self) -> String {
        let p = self.fresh("p");
        let relation = *[&"lt", &"le", &"gt", &"ge", &"eq", &"ne"][self.random.below(6) as usize];
        let ty = self.random.pick(&["s32", "u32", "s32"]);
        match self.random.below(6) {
            0 | 1 => {
                let i = self.index();
                line!(self, "setp.{relation}.{ty} {p}, {i}, %r1;");
            }
            2 => {
                let (i, c) = (self.one_of(|g| &g.small), self.random.within(0, 40));
                line!(self, "setp.{relation}.{ty} {p}, {i}, {c};");
            }
            3 => {
                let (u, c) = (self.one_of(|g| &g.uniforms), self.random.within(0, 20));
                line!(self, "setp.{relation}.{ty} {p}, {u}, {c};");
            }
            4 => {
                let (q, i, n) = (self.condition(), self.index(), self.random.within(-3, 3));
                let m = self.fresh("r");
                line!(self, "add.s32 {m}, %r1, {n};");
                line!(self, "setp.{relation}.{ty} {p}, {i}, {m};");
                line!(
                    self,
                    "{}.pred {p}, {p}, {q};",
                    self.random.pick(&["or", "and"])
                );
            }
            _ => {
                let bit = self.fresh("r");
                let i = self.one_of(|g| &g.small);
                line!(self, "and.b32 {bit}, {i}, {};", self.random.within(1, 3));
                line!(self, "setp.{relation}.u32 {p}, {bit}, 1;");
            }
        }
        p
    }

    /// `array + 4 * index`, in one of the forms that compilers write.
    fn address(&mut self, index: &str, array: &str) -> String {
        let (wide, sum) = (self.fresh("rd"), self.fresh("rd"));
        let signed = self.wrap.unwrap_or_else(|| self.random.chance(75));
        match self.random.below(4) {
            0 if signed => {
                line!(self, "cvt.s64.s32 {wide}, {index};");
                line!(self, "shl.b64 {wide}, {wide}, 2;");
            }
            0 => {
                line!(self, "cvt.u64.u32 {wide}, {index};");
                line!(self, "shl.b64 {wide}, {wide}, 2;");
            }
            1 => {
                let ty = if signed { "s32" } else { "u32" };
                line!(self, "mad.wide.{ty} {sum}, {index}, 4, {array};");
                return sum;
            }
            _ if signed => line!(self, "mul.wide.s32 {wide}, {index}, 4;"),
            _ => line!(self, "mul.wide.u32 {wide}, {index}, 4;"),
        }
        line!(self, "add.s64 {sum}, {array}, {wide};");
        sum
    }

    fn mix(&mut self, register: &str) {
        line!(self, "mad.lo.u32 %acc, %acc, 31, {register};");
    }

    /// A value that is equal in all threads where it is made; or written again where they have parted.
    fn uniform_value(&mut self) {
        let (again, at) = (self.random.chance(30), 4 * self.random.below(20));
        let target = if again && self.uniforms.len() > 2 {
            self.one_of(|g| &g.uniforms)
        } else {
            self.fresh("r")
        };
        // Parameters stay as they are.
        if matches!(target.as_str(), "%r2" | "%r4" | "%r9") {
            return;
        }
        match self.random.below(4) {
            0 if self.wrap.is_none() => line!(self, "ld.global.u32 {target}, [%b+{at}];"),
            1 if self.wrap.is_none() => line!(self, "ld.global.nc.u32 {target}, [%b+{at}];"),
            2 => line!(self, "mov.u32 {target}, %ctaid.y;"),
            _ => line!(self, "add.u32 {target}, %r2, {at};"),
        }
        line!(self, "and.b32 {target}, {target}, 7;");
        if !self.uniforms.contains(&target) {
            self.uniforms.push(target.clone());
            self.small.push(target);
        }
    }
}
