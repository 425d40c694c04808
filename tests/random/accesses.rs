//! Random kernels for the memory pass: each thread loads and stores a few bytes of its own, in all widths, by two pointers that
//! may be one, under predicates, on two paths, in loops.

use crate::random::Random;
use ptxasw::warp::{Argument, Buffer, Launch};
use std::fmt::Write;

/// Bytes of each thread in the array of both pointers, and in the array of results.
const OWN_BYTES: u64 = 256;
/// Where the first pointer points to in a thread's bytes; there is room for the second before it and behind it.
const MIDDLE: u64 = 96;
/// Offsets that are accessed.
const WINDOW: u64 = 48;
/// 32-bit registers that values travel through, and 64-bit ones.
const WORDS: u64 = 8;
const LONGS: u64 = 3;

/// A kernel and its launches, and how far the second pointer is behind the first.
pub struct Accesses {
    pub text: String,
    pub launches: Vec<Launch>,
}

struct Generator<'r> {
    random: &'r mut Random,
    body: String,
    labels: u32,
    /// The widest access, in bytes: pointers are apart by a multiple of it.
    widest: u64,
    depth: u32,
}

impl Accesses {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5eed_acce55);
        let widest = 1 << random.below(5);
        let steps = random.within(4, 24);
        let mut generator = Generator {
            random: &mut random,
            body: String::new(),
            labels: 0,
            widest,
            depth: 0,
        };
        generator.steps(steps as u64);
        let text = kernel(&generator.body);
        let launches = (0..3).map(|_| launch(&mut random, widest)).collect();
        Accesses { text, launches }
    }
}

fn kernel(body: &str) -> String {
    let mut text = String::from(
        ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 own[32768];\n\
         .visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 po, .param .u32 n)\n{\n\
         .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %rd<20>, %d<4>; .reg .b32 %c<8>; .reg .pred %q<8>;\n\
         ld.param.u64 %rd1, [pa]; ld.param.u64 %rd2, [pb]; ld.param.u64 %rd3, [po]; ld.param.u32 %r10, [n];\n\
         mov.u32 %r11, %tid.x; mov.u32 %r12, %ctaid.x; mov.u32 %r13, %ntid.x; mad.lo.u32 %r14, %r12, %r13, %r11;\n\
         mul.wide.u32 %rd4, %r14, 256; add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4;\n\
         cvta.to.global.u64 %rd7, %rd5; cvta.to.global.u64 %rd8, %rd6; cvta.to.global.u64 %rd9, %rd3; add.s64 %rd9, %rd9, %rd4;\n\
         mul.wide.u32 %rd10, %r11, 256; mov.u64 %rd11, own; add.s64 %rd12, %rd11, %rd10;\n\
         setp.gt.u32 %p0, %r11, 7; setp.eq.u32 %p1, %r10, 3; setp.lt.u32 %p2, %r14, 40;\n",
    );
    for word in 0..WORDS {
        let _ = writeln!(
            text,
            "mad.lo.u32 %r{word}, %r14, {}, {word};",
            2_654_435_761u64 + word
        );
    }
    for long in 0..LONGS {
        let _ = writeln!(text, "mad.wide.u32 %d{long}, %r{long}, 40503, %rd4;");
    }
    for at in (0..OWN_BYTES).step_by(8) {
        let _ = writeln!(text, "st.shared.u64 [%rd12+{at}], %d0;");
    }
    text += body;
    for word in 0..WORDS {
        let _ = writeln!(text, "st.global.u32 [%rd9+{}], %r{word};", 4 * word);
    }
    for long in 0..LONGS {
        let _ = writeln!(text, "st.global.u64 [%rd9+{}], %d{long};", 64 + 8 * long);
    }
    text += "ret;\n}\n";
    text
}

fn launch(random: &mut Random, widest: u64) -> Launch {
    let block = [32, 48, 20][random.below(3) as usize];
    let mut launch = Launch::new([2, 1, 1], [block, 1, 1]);
    let bytes = u64::from(2 * block) * OWN_BYTES;
    let filled = (0..bytes).map(|_| random.bits() as u8).collect();
    let buffer = |bytes| Buffer {
        bytes,
        initialised: true,
        element: 1,
    };
    launch.buffers = vec![
        buffer(filled),
        buffer(vec![7; bytes as usize]),
        buffer(vec![0; bytes as usize]),
    ];
    let at = |index, offset| Argument::Buffer { index, offset };
    let apart = widest * random.below(1 + 32 / widest);
    let second = match random.below(4) {
        0 => at(1, MIDDLE),
        1 => at(0, MIDDLE - apart),
        _ => at(0, MIDDLE + apart),
    };
    let n = random.below(5);
    launch.arguments = vec![at(0, MIDDLE), second, at(2, 0), Argument::Scalar(n)];
    launch
}

impl Generator<'_> {
    fn steps(&mut self, count: u64) {
        for _ in 0..count {
            match self.random.below(20) {
                0..=7 => self.load(),
                8..=13 => self.store(),
                14 | 15 => self.compute(),
                16 if self.depth < 2 => self.either(),
                17 if self.depth < 2 => self.repeat(),
                18 if self.depth == 0 => self.body += "bar.sync 0;\n",
                _ => self.compute(),
            }
        }
    }

    fn word(&mut self) -> u64 {
        self.random.below(WORDS)
    }

    fn predicate(&mut self) -> String {
        match self.random.below(5) {
            0 => format!("@%p{} ", self.random.below(3)),
            1 => format!("@!%p{} ", self.random.below(3)),
            _ => String::new(),
        }
    }

    /// A space and an address for an access of so many bytes.
    fn address(&mut self, bytes: u64) -> (&'static str, String) {
        let offset = bytes * self.random.below(WINDOW / bytes);
        match self.random.below(12) {
            0..=4 => (".global", format!("[%rd7+{offset}]")),
            5..=7 => (".global", format!("[%rd8+{offset}]")),
            8 => ("", format!("[%rd5+{offset}]")),
            9 => (".shared", format!("[%rd12+{offset}]")),
            _ => {
                let word = self.word();
                let mask = 31 / bytes * bytes;
                let _ = writeln!(
                    self.body,
                    "and.b32 %r15, %r{word}, {mask}; cvt.u64.u32 %rd13, %r15; add.s64 %rd14, %rd7, %rd13;"
                );
                (
                    ".global",
                    format!("[%rd14+{}]", offset % 16 / bytes * bytes),
                )
            }
        }
    }

    /// A type, the bytes of an access, and how many 32-bit or 64-bit registers it has.
    fn kind(&mut self) -> (&'static str, u64, u64, bool) {
        let all = [
            ("u8", 1, 1, false),
            ("s8", 1, 1, false),
            ("u16", 2, 1, false),
            ("s16", 2, 1, false),
            ("u32", 4, 1, false),
            ("b32", 4, 1, false),
            ("b64", 8, 1, true),
            ("v2.u32", 8, 2, false),
            ("v2.u16", 4, 2, false),
            ("v4.u8", 4, 4, false),
            ("v4.u32", 16, 4, false),
            ("v2.b64", 16, 2, true),
        ];
        loop {
            let one = all[self.random.below(all.len() as u64) as usize];
            if one.1 <= self.widest {
                return one;
            }
        }
    }

    /// Distinct registers.
    fn registers(&mut self, count: u64, long: bool) -> String {
        let (name, of) = if long { ("%d", LONGS) } else { ("%r", WORDS) };
        let first = self.random.below(of);
        let all: Vec<String> = (0..count)
            .map(|at| format!("{name}{}", (first + at) % of))
            .collect();
        match count {
            1 => all[0].clone(),
            _ => format!("{{{}}}", all.join(", ")),
        }
    }

    fn load(&mut self) {
        let (ty, bytes, count, long) = self.kind();
        let (space, address) = self.address(bytes);
        let (registers, guard) = (self.registers(count, long), self.predicate());
        let _ = writeln!(self.body, "{guard}ld{space}.{ty} {registers}, {address};");
    }

    fn store(&mut self) {
        let (ty, bytes, count, long) = self.kind();
        let (space, address) = self.address(bytes);
        let (registers, guard) = (self.registers(count, long), self.predicate());
        let ty = ty.replace("s8", "u8").replace("s16", "u16");
        let _ = writeln!(self.body, "{guard}st{space}.{ty} {address}, {registers};");
    }

    fn compute(&mut self) {
        let (a, b, c) = (self.word(), self.word(), self.word());
        let long = self.random.below(LONGS);
        let _ = match self.random.below(4) {
            0 => writeln!(self.body, "mad.lo.u32 %r{a}, %r{b}, 3, %r{c};"),
            1 => writeln!(self.body, "xor.b32 %r{a}, %r{b}, %r{c};"),
            2 => writeln!(self.body, "mad.wide.u32 %d{long}, %r{a}, 77, %d{long};"),
            _ => writeln!(
                self.body,
                "setp.lt.s32 %p{}, %r{a}, %r{b};",
                self.random.below(3)
            ),
        };
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn either(&mut self) {
        let (label, predicate) = (self.label(), self.random.below(3));
        self.depth += 1;
        let _ = writeln!(self.body, "@%p{predicate} bra T{label};");
        let steps = self.random.below(4);
        self.steps(steps);
        let _ = writeln!(self.body, "bra B{label};\nT{label}:");
        let steps = self.random.below(4);
        self.steps(steps);
        let _ = writeln!(self.body, "B{label}:");
        self.depth -= 1;
    }

    fn repeat(&mut self) {
        let label = self.label();
        let (counter, times) = (label % 8, self.random.within(1, 4));
        self.depth += 1;
        let _ = writeln!(self.body, "mov.u32 %c{counter}, 0;\nL{label}:");
        let steps = self.random.within(1, 5);
        self.steps(steps as u64);
        let _ = writeln!(
            self.body,
            "add.u32 %c{counter}, %c{counter}, 1; setp.lt.u32 %q{counter}, %c{counter}, {times};\n@%q{counter} bra L{label};"
        );
        self.depth -= 1;
    }
}
