//! Loops as compilers write them: marches that keep rows in registers, and strides over an array.

use super::Generator;
use std::fmt::Write as _;

impl Generator<'_> {
    /// A march along a column: the next row is loaded, the older ones move through registers. Most keep to it; some skip a
    /// load, take another step once, or store in between.
    pub(super) fn march(&mut self) {
        let (index, array) = (self.index(), self.random.pick(&["%a", "%b"]));
        let at = self.address(&index, array);
        let row = 4 * self.random.within(-6, 40);
        let modifier = self.modifier();
        let kept = self.random.within(2, 3) as usize;
        let rows: Vec<String> = (0..kept).map(|_| self.fresh("r")).collect();
        for (number, register) in rows.iter().enumerate() {
            let offset = row * number as i64;
            line!(self, "ld.global{modifier}.u32 {register}, [{at}+{offset}];");
        }
        let (counter, trips) = (self.fresh("r"), self.fresh("r"));
        let divergent = self.random.chance(30);
        let bound = match divergent {
            true => self.one_of(|g| &g.small),
            false => self.one_of(|g| &g.uniforms),
        };
        line!(self, "and.b32 {trips}, {bound}, 3;");
        line!(self, "mov.u32 {counter}, 0;");
        let (head, again) = (self.label(), self.fresh("p"));
        line!(self, "{head}:");
        self.within(|g| {
            for _ in 0..g.random.within(1, 4) {
                let offset = row * g.random.within(0, kept as i64 - 1) + 4 * g.random.within(-4, 4);
                g.load(&at, offset, modifier);
                if g.random.chance(15) {
                    g.own_memory();
                }
            }
        });
        for register in &rows {
            self.mix(register);
        }
        let step = if self.random.chance(12) { row + 4 } else { row };
        line!(self, "add.s64 {at}, {at}, {step};");
        for pair in rows.windows(2) {
            line!(self, "mov.b32 {}, {};", pair[0], pair[1]);
        }
        let last = &rows[kept - 1];
        let offset = row * (kept as i64 - 1);
        let skip = match self.random.chance(12) {
            true => format!("@{} ", self.condition()),
            false => String::new(),
        };
        line!(
            self,
            "{skip}ld.global{modifier}.u32 {last}, [{at}+{offset}];"
        );
        line!(self, "add.u32 {counter}, {counter}, 1;");
        line!(self, "setp.lt.u32 {again}, {counter}, {trips};");
        line!(self, "@{again} bra {head};");
        self.diverged |= divergent;
    }

    /// `for (i = index; i < n; i += step)`, rotated: a guard in front, the test at the end. The guard is not always there, and
    /// the step not always uniform.
    pub(super) fn stride(&mut self) {
        let (start, array) = (self.index(), self.random.pick(&["%a", "%b"]));
        let (index, step) = (self.fresh("r"), self.fresh("r"));
        let (head, end) = (self.label(), self.label());
        let (entry, again) = (self.fresh("p"), self.fresh("p"));
        line!(self, "mov.u32 {index}, {start};");
        match self.random.below(4) {
            0 => {
                let small = self.one_of(|g| &g.small);
                line!(self, "and.b32 {step}, {small}, 3;");
                line!(self, "add.u32 {step}, {step}, 40;");
            }
            _ => line!(
                self,
                "mov.u32 {step}, {};",
                [32, 48, 64][self.random.below(3) as usize]
            ),
        }
        if self.random.chance(85) {
            line!(self, "setp.ge.s32 {entry}, {index}, %r1;");
            line!(self, "@{entry} bra {end};");
        }
        line!(self, "{head}:");
        let modifier = self.modifier();
        self.within(|g| {
            for _ in 0..g.random.within(2, 4) {
                let delta = g.random.within(-3, 3);
                let moved = g.fresh("r");
                line!(g, "add.s32 {moved}, {index}, {delta};");
                let at = g.address(&moved, array);
                g.load(&at, 0, modifier);
                if g.random.chance(15) {
                    g.own_memory();
                }
            }
        });
        line!(self, "add.s32 {index}, {index}, {step};");
        line!(self, "setp.lt.s32 {again}, {index}, %r1;");
        line!(self, "@{again} bra {head};");
        line!(self, "{end}:");
        self.diverged = true;
    }
}
