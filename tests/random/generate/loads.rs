//! Loads: rows of them, wide and narrow ones.

use super::{Generator, MAX_DEPTH};
use std::fmt::Write as _;

impl Generator<'_> {
    /// Bytes of a word, in a register that may be wider, under a guard or not.
    pub(super) fn part_of_word(&mut self, address: &str, offset: i64, modifier: &str) {
        let (ty, bytes) = [
            ("u8", 1),
            ("s8", 1),
            ("b8", 1),
            ("u16", 2),
            ("s16", 2),
            ("b16", 2),
        ][self.random.below(6) as usize];
        let at = offset + bytes * self.random.below(4 / bytes as u64) as i64;
        let class = self.random.pick(&["r", "h", "rd"]);
        let target = self.fresh(class);
        let guard = match self.random.chance(20) {
            true => {
                let width = ["r", "h", "rd"].iter().position(|name| *name == class);
                let width = [32, 16, 64][width.unwrap_or(0)];
                line!(self, "mov.b{width} {target}, 7;");
                format!("@{} ", self.condition())
            }
            false => String::new(),
        };
        line!(
            self,
            "{guard}ld.global{modifier}.{ty} {target}, [{address}+{at}];"
        );
        match class {
            "r" => self.mix(&target),
            "h" => {
                let bits = self.fresh("r");
                line!(self, "cvt.u32.u16 {bits}, {target};");
                self.mix(&bits);
            }
            _ => self.mix_wide(&target),
        }
    }

    pub(super) fn mix_wide(&mut self, register: &str) {
        let (low, high) = (self.fresh("r"), self.fresh("r"));
        line!(self, "mov.b64 {{{low}, {high}}}, {register};");
        self.mix(&low);
        self.mix(&high);
    }

    /// Loads of 64 bits, whole or as pairs, around an index.
    pub(super) fn row_of_wide_loads(&mut self) {
        let index = self.index();
        let doubled = self.fresh("r");
        line!(self, "shl.b32 {doubled}, {index}, 1;");
        let address = self.address(&doubled, "%a");
        let modifier = self.modifier();
        for _ in 0..self.random.within(2, 4) {
            let offset = 8 * self.random.within(-2, 2);
            let guard = match self.random.chance(20) {
                true => format!("@{} ", self.condition()),
                false => String::new(),
            };
            if self.random.chance(50) {
                let (one, other) = (self.fresh("r"), self.fresh("r"));
                line!(self, "mov.b32 {one}, 3;");
                line!(self, "mov.b32 {other}, 4;");
                line!(
                    self,
                    "{guard}ld.global{modifier}.v2.u32 {{{one}, {other}}}, [{address}+{offset}];"
                );
                self.mix(&one);
                self.mix(&other);
            } else {
                let wide = self.fresh("rd");
                line!(self, "mov.b64 {wide}, 5;");
                line!(
                    self,
                    "{guard}ld.global{modifier}.u64 {wide}, [{address}+{offset}];"
                );
                self.mix_wide(&wide);
            }
        }
    }

    /// A load of 32 bits and its use.
    pub(super) fn load(&mut self, address: &str, offset: i64, modifier: &str) {
        if self.random.chance(12) {
            return self.part_of_word(address, offset, modifier);
        }
        let (mut target, mut float) = (self.fresh("r"), false);
        match self.random.below(12) {
            0 => {
                target = self.fresh("f");
                float = true;
            }
            1 if !self.indices.is_empty() && modifier != ".nc" => target = "%r12".into(),
            _ => {}
        }
        let ty = if float {
            "f32"
        } else {
            self.random.pick(&["u32", "b32", "s32"])
        };
        if self.random.chance(6) {
            line!(self, "{{");
            line!(self, ".reg .b32 %t;");
            line!(self, "ld.global{modifier}.b32 %t, [{address}+{offset}];");
            self.mix("%t");
            line!(self, "}}");
            return;
        }
        if self.random.chance(5) {
            let p = self.condition();
            line!(self, "mov.b32 {target}, 0;");
            line!(
                self,
                "@{p} ld.global{modifier}.{ty} {target}, [{address}+{offset}];"
            );
        } else {
            line!(
                self,
                "ld.global{modifier}.{ty} {target}, [{address}+{offset}];"
            );
        }
        if float {
            let bits = self.fresh("r");
            line!(self, "mov.b32 {bits}, {target};");
            self.mix(&bits);
        } else {
            self.mix(&target);
        }
    }

    pub(super) fn modifier(&mut self) -> &'static str {
        if self.random.chance(50) { ".nc" } else { "" }
    }

    /// Loads around an index.
    pub(super) fn row_of_loads(&mut self) {
        let (index, array) = (self.index(), self.random.pick(&["%a", "%a", "%a", "%b"]));
        let modifier = self.modifier();
        let address = self.address(&index, array);
        self.pointers.push(address.clone());
        for _ in 0..self.random.within(2, 5) {
            let delta = self.random.within(-9, 9);
            let modifier = if self.random.chance(10) {
                self.modifier()
            } else {
                modifier
            };
            match self.random.below(6) {
                0 => {
                    let moved = self.fresh("r");
                    line!(self, "add.s32 {moved}, {index}, {delta};");
                    if self.random.chance(30) {
                        self.indices.push(moved.clone());
                    }
                    let other = self.address(&moved, array);
                    self.load(&other, 0, modifier);
                }
                1 => {
                    let (moved, back) = (self.fresh("r"), self.random.within(-3, 3));
                    line!(self, "add.s32 {moved}, {index}, {};", delta - back);
                    let other = self.address(&moved, array);
                    self.load(&other, 4 * back, modifier);
                }
                2 if self.random.chance(30) => self.guard(MAX_DEPTH),
                3 if self.random.chance(20) => self.own_memory(),
                _ => self.load(&address, 4 * delta, modifier),
            }
        }
    }

    /// A load through a pointer that is about, which it may move on.
    pub(super) fn load_by_pointer(&mut self) {
        if self.pointers.is_empty() {
            return self.row_of_loads();
        }
        let pointer = self.one_of(|g| &g.pointers);
        let (offset, modifier) = (4 * self.random.within(-5, 5), self.modifier());
        self.load(&pointer, offset, modifier);
        if self.random.chance(40) {
            line!(
                self,
                "add.s64 {pointer}, {pointer}, {};",
                4 * self.random.within(-3, 3)
            );
        }
    }

    /// Loads that are volatile, generic, wide, narrow, or overwrite their address.
    pub(super) fn unusual_load(&mut self) {
        let index = self.index();
        let address = self.address(&index, "%a");
        let (r, offset) = (self.fresh("r"), 4 * self.random.within(-3, 3));
        match self.random.below(7) {
            0 => line!(self, "ld.volatile.global.u32 {r}, [{address}+{offset}];"),
            1 => line!(self, "ld.relaxed.gpu.global.u32 {r}, [{address}+{offset}];"),
            2 => line!(self, "ld.u32 {r}, [{address}+{offset}];"),
            3 => {
                let h = self.fresh("h");
                line!(self, "ld.global.nc.u16 {h}, [{address}+{}];", offset / 2);
                line!(self, "cvt.u32.u16 {r}, {h};");
            }
            4 => {
                let h = self.fresh("h");
                line!(self, "ld.global.s8 {h}, [{address}+{offset}];");
                line!(self, "cvt.s32.s16 {r}, {h};");
            }
            5 => {
                let d = self.fresh("rd");
                line!(self, "and.b64 {d}, {address}, -8;");
                line!(self, "ld.global.nc.u64 {d}, [{d}+{}];", offset * 2);
                line!(self, "cvt.u32.u64 {r}, {d};");
            }
            _ => {
                let (d, s) = (self.fresh("rd"), self.fresh("r"));
                line!(self, "and.b64 {d}, {address}, -8;");
                line!(self, "ld.global.v2.u32 {{{r}, {s}}}, [{d}];");
                self.mix(&s);
            }
        }
        self.mix(&r);
    }

    /// An index that comes from memory.
    pub(super) fn load_as_index(&mut self) {
        let index = self.index();
        let address = self.address(&index, "%a");
        let (r, modifier) = (self.fresh("r"), self.modifier());
        line!(self, "ld.global{modifier}.u32 {r}, [{address}];");
        line!(self, "and.b32 {r}, {r}, 15;");
        self.small.push(r.clone());
        if self.wrap.is_some() {
            line!(self, "add.s32 {r}, {r}, %r3;");
            self.small.pop();
        }
        self.indices.push(r);
    }
}
