//! Random kernels as PTX.

use super::{Access, Base, Form, Kernel, KernelStep, LONGS, LONGS_AT, OWN_BYTES, WORDS, WORDS_AT};
use std::fmt::Write;

/// A kernel's text.
pub fn text(kernel: &Kernel) -> String {
    let mut writer = Writer::new(head());
    writer.steps(&kernel.steps);
    let mut text = writer.text;
    for word in 0..WORDS {
        let _ = writeln!(
            text,
            "st.global.u32 [%rd9+{}], %r{word};",
            WORDS_AT + 4 * word
        );
    }
    for long in 0..LONGS {
        let _ = writeln!(
            text,
            "st.global.u64 [%rd9+{}], %d{long};",
            LONGS_AT + 8 * long
        );
    }
    text + "ret;\n}\n"
}

/// Addresses of the thread's own bytes, and what its registers hold first.
fn head() -> String {
    let mut text = String::from(
        ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 own[32768];\n\
         .visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 po, .param .u32 n)\n{\n\
         .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %rd<20>, %d<4>; .reg .b32 %c<80>; .reg .pred %q<80>;\n\
         ld.param.u64 %rd1, [pa]; ld.param.u64 %rd2, [pb]; ld.param.u64 %rd3, [po]; ld.param.u32 %r10, [n];\n\
         mov.u32 %r16, %tid.x; mov.u32 %r17, %tid.y; mov.u32 %r12, %ctaid.x; mov.u32 %r13, %ntid.x; mov.u32 %r18, %ntid.y;\n\
         mad.lo.u32 %r11, %r17, %r13, %r16; mul.lo.u32 %r19, %r13, %r18; mad.lo.u32 %r14, %r12, %r19, %r11;\n\
         mul.wide.u32 %rd4, %r14, 256; add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4;\n\
         cvta.to.global.u64 %rd7, %rd5; cvta.to.global.u64 %rd8, %rd6; cvta.to.global.u64 %rd9, %rd3; add.s64 %rd9, %rd9, %rd4;\n\
         mul.wide.u32 %rd10, %r11, 256; mov.u64 %rd11, own; add.s64 %rd12, %rd11, %rd10;\n\
         setp.gt.u32 %p0, %r16, 7; setp.eq.u32 %p1, %r10, 3; setp.lt.u32 %p2, %r14, 40;\n",
    );
    values(&mut text);
    for at in (0..OWN_BYTES).step_by(8) {
        let _ = writeln!(text, "st.shared.u64 [%rd12+{at}], %d0;");
    }
    text
}

/// What words and longs hold first, by the thread's number in `%r14` and an offset in `%rd4`.
pub fn values(text: &mut String) {
    for word in 0..WORDS {
        let factor = 2_654_435_761u64 + word;
        let _ = writeln!(text, "mad.lo.u32 %r{word}, %r14, {factor}, {word};");
    }
    for long in 0..LONGS {
        let _ = writeln!(text, "mad.wide.u32 %d{long}, %r{long}, 40503, %rd4;");
    }
}

/// Writes steps behind a text that sets the registers that they name.
pub struct Writer {
    pub text: String,
    labels: u32,
}

impl Writer {
    pub fn new(text: String) -> Self {
        Writer { text, labels: 0 }
    }

    pub fn steps(&mut self, steps: &[KernelStep]) {
        for step in steps {
            self.step(step);
        }
    }

    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn step(&mut self, step: &KernelStep) {
        match step {
            KernelStep::Load(access) => self.load(access),
            KernelStep::Store(access) => self.store(access),
            KernelStep::Sum { a, b, c } => {
                self.line(&format!("mad.lo.u32 %r{a}, %r{b}, 3, %r{c};"))
            }
            KernelStep::Xor { a, b, c } => self.line(&format!("xor.b32 %r{a}, %r{b}, %r{c};")),
            KernelStep::Long { long, a } => {
                self.line(&format!("mad.wide.u32 %d{long}, %r{a}, 77, %d{long};"));
            }
            KernelStep::Less { predicate, a, b } => {
                self.line(&format!("setp.lt.s32 %p{predicate}, %r{a}, %r{b};"));
            }
            KernelStep::Either(predicate, [then, otherwise]) => {
                let label = self.label();
                self.line(&format!("@%p{predicate} bra T{label};"));
                self.steps(otherwise);
                self.line(&format!("bra B{label};\nT{label}:"));
                self.steps(then);
                self.line(&format!("B{label}:"));
            }
            KernelStep::Repeat(times, steps) => {
                let label = self.label();
                self.line(&format!("mov.u32 %c{label}, 0;\nL{label}:"));
                self.steps(steps);
                self.line(&format!(
                    "add.u32 %c{label}, %c{label}, 1; setp.lt.u32 %q{label}, %c{label}, {times};\n@%q{label} bra L{label};"
                ));
            }
            KernelStep::Barrier => self.line("bar.sync 0;"),
        }
    }

    /// A number that no label has.
    pub fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    /// A space and an address.
    fn address(&mut self, access: &Access) -> (&'static str, String) {
        let offset = access.offset;
        match access.base {
            Base::First => (".global", format!("[%rd7+{offset}]")),
            Base::Second => (".global", format!("[%rd8+{offset}]")),
            Base::Generic => ("", format!("[%rd5+{offset}]")),
            Base::Shared => (".shared", format!("[%rd12+{offset}]")),
            Base::Indexed { word, mask } => {
                self.line(&format!(
                    "and.b32 %r15, %r{word}, {mask}; cvt.u64.u32 %rd13, %r15; add.s64 %rd14, %rd7, %rd13;"
                ));
                (".global", format!("[%rd14+{offset}]"))
            }
        }
    }

    fn load(&mut self, access: &Access) {
        let (space, address) = self.address(access);
        let (guard, registers) = (guard(access), registers(access));
        let ty = type_of(access.form, access.form.signed);
        self.line(&format!("{guard}ld{space}.{ty} {registers}, {address};"));
    }

    fn store(&mut self, access: &Access) {
        let (space, address) = self.address(access);
        let (guard, registers) = (guard(access), registers(access));
        let ty = type_of(access.form, false);
        self.line(&format!("{guard}st{space}.{ty} {address}, {registers};"));
    }
}

fn type_of(form: Form, signed: bool) -> String {
    let kind = match (signed, form.bits) {
        (true, _) => 's',
        (false, 64) => 'b',
        (false, _) => 'u',
    };
    match form.elements {
        1 => format!("{kind}{}", form.bits),
        count => format!("v{count}.{kind}{}", form.bits),
    }
}

fn registers(access: &Access) -> String {
    let name = if access.form.is_long() { "%d" } else { "%r" };
    let all: Vec<String> = access
        .registers()
        .map(|one| format!("{name}{one}"))
        .collect();
    match all.as_slice() {
        [one] => one.clone(),
        all => format!("{{{}}}", all.join(", ")),
    }
}

fn guard(access: &Access) -> String {
    match access.guard {
        None => String::new(),
        Some((predicate, false)) => format!("@%p{predicate} "),
        Some((predicate, true)) => format!("@!%p{predicate} "),
    }
}
