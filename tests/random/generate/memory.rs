//! Memory that belongs to one thread, under several names: stores and loads of any width between the loads that are shared.

use super::Generator;
use std::fmt::Write as _;

/// Bytes of each piece that accesses go to: less than a thread has, since `%alias` may point past `%own`.
const BYTES: u64 = 24;
/// Bytes of a thread's slot of shared memory, and of its array in local memory.
pub(super) const SLOT: u64 = 32;
/// Threads of the largest block.
pub(super) const MOST_THREADS: u64 = 1024;

/// A name for memory of the thread's own: its state space, and the widest access that its alignment allows.
const PIECES: [(&str, &str, u64); 6] = [
    ("global", "%own", 8),
    ("global", "%own", 8),
    // The same address, or the next word's: only the launch decides.
    ("global", "%alias", 4),
    ("shared", "%slot", 8),
    ("local", "%private", 8),
    // Generic, into one of them.
    ("", "%generic", 8),
];

/// Types of accesses, with their bytes and registers.
const TYPES: [(&str, u64, &str); 9] = [
    ("u32", 4, "r"),
    ("u32", 4, "r"),
    ("b32", 4, "f"),
    ("u8", 1, "r"),
    ("s8", 1, "r"),
    ("u16", 2, "h"),
    ("s16", 2, "r"),
    ("u64", 8, "rd"),
    ("v2.u32", 8, "r"),
];

impl Generator<'_> {
    /// The declarations of the pieces.
    pub(super) fn pieces() -> String {
        format!(
            "\t.reg .b64 %alias, %slot, %private, %generic;\n\t.shared .align 8 .b8 tile[{}];\n\t.local .align 8 .b8 array[{SLOT}];\n",
            SLOT * MOST_THREADS
        )
    }

    /// Pointers to the pieces, which begin with zeros. `%r7` is the number of the thread in the grid.
    pub(super) fn point_to_pieces(&mut self) {
        // A uniform parameter decides whether both are one place.
        line!(self, "and.b32 %r10, %r2, 1;");
        line!(self, "mul.wide.u32 %rd1, %r10, 4;");
        line!(self, "add.s64 %alias, %own, %rd1;");
        line!(self, "mov.u64 %slot, tile;");
        line!(self, "rem.u32 %r10, %r7, %r8;");
        line!(self, "mul.wide.u32 %rd1, %r10, {SLOT};");
        line!(self, "add.s64 %slot, %slot, %rd1;");
        line!(self, "mov.u64 %private, array;");
        for at in (0..SLOT).step_by(8) {
            line!(self, "st.shared.u64 [%slot+{at}], 0;");
            line!(self, "st.local.u64 [%private+{at}], 0;");
        }
        match self.random.below(3) {
            0 => line!(self, "cvta.shared.u64 %generic, %slot;"),
            1 => line!(self, "cvta.local.u64 %generic, %private;"),
            _ => line!(self, "mov.b64 %generic, %own;"),
        }
    }

    /// Stores and loads of memory that no other thread touches.
    pub(super) fn own_memory(&mut self) {
        for _ in 0..self.random.within(1, 3) {
            let (space, base, widest) = PIECES[self.random.below(PIECES.len() as u64) as usize];
            let fitting: Vec<_> = TYPES
                .iter()
                .filter(|(_, bytes, _)| *bytes <= widest)
                .collect();
            let &(ty, bytes, class) = fitting[self.random.below(fitting.len() as u64) as usize];
            let at = bytes * self.random.below(BYTES / bytes);
            let space = match space {
                "" => String::new(),
                space => format!(".{space}"),
            };
            match self.random.chance(60) {
                true => self.store_own(&format!("st{space}.{ty} [{base}+{at}]"), ty, class),
                false => {
                    self.load_own(&format!("ld{space}.{ty}"), &format!("[{base}+{at}]"), class)
                }
            }
        }
    }

    fn store_own(&mut self, store: &str, ty: &str, class: &str) {
        let guard = match self.random.chance(15) {
            true => format!("@{} ", self.condition()),
            false => String::new(),
        };
        let store = store.replace(".s8", ".u8").replace(".s16", ".u16");
        let value = match self.random.chance(50) {
            true => "%acc".to_owned(),
            false => self.index(),
        };
        match class {
            _ if ty.starts_with("v2") => line!(self, "{guard}{store}, {{{value}, %acc}};"),
            "rd" => {
                let wide = self.fresh("rd");
                line!(self, "mov.b64 {wide}, {{{value}, %acc}};");
                line!(self, "{guard}{store}, {wide};");
            }
            "h" => {
                let narrow = self.fresh("h");
                line!(self, "cvt.u16.u32 {narrow}, {value};");
                line!(self, "{guard}{store}, {narrow};");
            }
            "r" if store.contains("u16") => {
                let narrow = self.fresh("h");
                line!(self, "cvt.u16.u32 {narrow}, {value};");
                line!(self, "{guard}{store}, {narrow};");
            }
            _ => line!(self, "{guard}{store}, {value};"),
        }
    }

    fn load_own(&mut self, load: &str, address: &str, class: &str) {
        let target = self.fresh(class);
        if load.contains("v2") {
            let other = self.fresh("r");
            line!(self, "{load} {{{target}, {other}}}, {address};");
            self.mix(&target);
            return self.mix(&other);
        }
        line!(self, "{load} {target}, {address};");
        match class {
            "rd" => self.mix_wide(&target),
            "h" => {
                let bits = self.fresh("r");
                line!(self, "cvt.u32.u16 {bits}, {target};");
                self.mix(&bits);
            }
            "f" => {
                let bits = self.fresh("r");
                line!(self, "mov.b32 {bits}, {target};");
                self.mix(&bits);
            }
            _ => self.mix(&target),
        }
    }
}
