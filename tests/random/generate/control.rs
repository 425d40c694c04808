//! Branches, exits and loops of any kind, and what orders memory.

use super::Generator;
use std::fmt::Write as _;

impl Generator<'_> {
    /// `if (...) return;`
    pub(super) fn guard(&mut self, depth: u32) {
        if self.exits > 3 {
            return;
        }
        let p = self.condition();
        self.diverged = true;
        self.exits += 1;
        let not = self.random.pick(&["", "", "!"]);
        match self.random.below(5) {
            0 if depth > 0 => line!(self, "@{not}{p} exit;"),
            1 => line!(self, "@{not}{p} ret;"),
            _ => line!(self, "@{not}{p} bra EXIT;"),
        }
    }

    /// Pools as they are outside of a body that may not run.
    pub(super) fn within(&mut self, body: impl FnOnce(&mut Self)) {
        let pools = (
            self.indices.len(),
            self.uniforms.len(),
            self.small.len(),
            self.pointers.len(),
        );
        let diverged = std::mem::replace(&mut self.diverged, true);
        body(self);
        self.diverged |= diverged;
        self.indices.truncate(pools.0);
        self.uniforms.truncate(pools.1);
        self.small.truncate(pools.2);
        self.pointers.truncate(pools.3);
    }

    pub(super) fn branch(&mut self, depth: u32) {
        let (p, end) = (self.condition(), self.label());
        let count = self.random.within(1, 3);
        if self.random.chance(40) {
            let other = self.label();
            line!(self, "@{p} bra {other};");
            self.within(|g| g.statements(count, depth + 1));
            line!(self, "bra {end};");
            line!(self, "{other}:");
            self.within(|g| g.statements(count, depth + 1));
        } else {
            line!(self, "@{p} bra {end};");
            self.within(|g| g.statements(count, depth + 1));
        }
        line!(self, "{end}:");
    }

    /// A loop, its trip count equal in all lanes or not.
    pub(super) fn repeat(&mut self, depth: u32) {
        let (counter, trips) = (self.fresh("r"), self.fresh("r"));
        let (head, end) = (self.label(), self.label());
        match self.random.below(5) {
            0 | 1 => line!(self, "mov.u32 {trips}, {};", self.random.within(1, 4)),
            2 | 3 => {
                let uniform = self.one_of(|g| &g.uniforms);
                line!(self, "and.b32 {trips}, {uniform}, 3;");
            }
            _ => {
                let small = self.one_of(|g| &g.small);
                line!(self, "and.b32 {trips}, {small}, 3;");
            }
        }
        let (entry, again) = (self.fresh("p"), self.fresh("p"));
        line!(self, "mov.u32 {counter}, 0;");
        let tested_first = self.random.chance(50);
        if tested_first {
            line!(self, "{head}:");
            line!(self, "setp.ge.u32 {entry}, {counter}, {trips};");
            line!(self, "@{entry} bra {end};");
        } else {
            if self.random.chance(50) {
                line!(self, "setp.eq.u32 {entry}, {trips}, 0;");
                line!(self, "@{entry} bra {end};");
            }
            line!(self, "{head}:");
        }
        let count = self.random.within(1, 4);
        self.within(|g| {
            if g.wrap.is_none() && g.random.chance(60) {
                g.uniforms.push(counter.clone());
                g.small.push(counter.clone());
            }
            g.statements(count, depth + 1);
            if g.random.chance(10) {
                let p = g.condition();
                line!(g, "@{p} bra {end};");
                g.statements(1, depth + 1);
            }
            if g.random.chance(50) && !g.pointers.is_empty() {
                let pointer = g.one_of(|g| &g.pointers);
                line!(
                    g,
                    "add.s64 {pointer}, {pointer}, {};",
                    4 * g.random.within(-8, 8)
                );
            }
            if g.random.chance(40) {
                let index = g.index();
                line!(g, "add.s32 {index}, {index}, {};", g.random.within(-2, 4));
            }
        });
        line!(self, "add.u32 {counter}, {counter}, 1;");
        if tested_first {
            line!(self, "bra {head};");
        } else {
            line!(self, "setp.lt.u32 {again}, {counter}, {trips};");
            line!(self, "@{again} bra {head};");
        }
        line!(self, "{end}:");
    }

    /// What orders memory.
    pub(super) fn order(&mut self, depth: u32) {
        match self.random.below(5) {
            0 if depth == 0 && !self.diverged => line!(self, "bar.sync 0;"),
            1 => line!(self, "membar.gl;"),
            2 => line!(self, "fence.acq_rel.gpu;"),
            3 => {
                let old = self.fresh("r");
                line!(self, "atom.global.add.u32 {old}, [%own], 3;");
                self.mix(&old);
            }
            _ => line!(self, "red.global.add.u32 [%own+4], 5;"),
        }
    }
}
