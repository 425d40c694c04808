//! Random kernels as LLVM IR: registers are slots on the stack, of which LLVM makes values.

use crate::random::accesses::{
    Access, Base, Form, Kernel, KernelStep, LONGS, LONGS_AT, OWN_BYTES, WORDS, WORDS_AT,
};
use std::fmt::Write;

/// Pointers of the thread's own bytes: of both arrays, generic, shared, and of the results.
const HEAD: &str = r#"target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@own = internal addrspace(3) global [32768 x i8] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
define ptx_kernel void @k(ptr addrspace(1) %pa, ptr addrspace(1) %pb, ptr addrspace(1) %po, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = mul i32 %y, %nx
  %thread = add i32 %row, %x
  %threads = mul i32 %nx, %ny
  %base = mul i32 %block, %threads
  %id = add i32 %base, %thread
  %wide = zext i32 %id to i64
  %bytes = mul i64 %wide, 256
  %a = getelementptr i8, ptr addrspace(1) %pa, i64 %bytes
  %b = getelementptr i8, ptr addrspace(1) %pb, i64 %bytes
  %o = getelementptr i8, ptr addrspace(1) %po, i64 %bytes
  %g = addrspacecast ptr addrspace(1) %a to ptr
  %lane = zext i32 %thread to i64
  %inside = mul i64 %lane, 256
  %s = getelementptr i8, ptr addrspace(3) @own, i64 %inside
  %p0 = alloca i1
  %p1 = alloca i1
  %p2 = alloca i1
  %first = icmp ugt i32 %x, 7
  %second = icmp eq i32 %n, 3
  %third = icmp ult i32 %id, 40
  store i1 %first, ptr %p0
  store i1 %second, ptr %p1
  store i1 %third, ptr %p2
"#;

/// A kernel's module.
pub fn text(kernel: &Kernel) -> String {
    let mut writer = Writer {
        text: HEAD.to_owned(),
        names: 0,
    };
    writer.registers();
    for step in &kernel.steps {
        writer.step(step);
    }
    for (name, count, at, ty, bytes) in [
        ("r", WORDS, WORDS_AT, "i32", 4),
        ("d", LONGS, LONGS_AT, "i64", 8),
    ] {
        for number in 0..count {
            let value = writer.get(name, number);
            let offset = at + bytes * number;
            let to = writer.name(&format!(
                "getelementptr i8, ptr addrspace(1) %o, i64 {offset}"
            ));
            writer.line(&format!("store {ty} {value}, ptr addrspace(1) {to}"));
        }
    }
    writer.line("ret void");
    writer.text + "}\n"
}

struct Writer {
    text: String,
    names: u32,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "  {line}");
    }

    fn fresh(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    /// The name of what an instruction gives.
    fn name(&mut self, instruction: &str) -> String {
        let name = format!("%t{}", self.fresh());
        self.line(&format!("{name} = {instruction}"));
        name
    }

    /// What a register holds: `r`, `d` or `p`.
    fn get(&mut self, kind: &str, number: u64) -> String {
        self.name(&format!("load {}, ptr %{kind}{number}", type_of(kind)))
    }

    fn set(&mut self, kind: &str, number: u64, value: &str) {
        let ty = type_of(kind);
        self.line(&format!("store {ty} {value}, ptr %{kind}{number}"));
    }

    /// What registers hold first, and the words of shared memory.
    fn registers(&mut self) {
        for word in 0..WORDS {
            self.line(&format!("%r{word} = alloca i32"));
            let factor = (2_654_435_761u64 + word) as u32 as i32;
            let product = self.name(&format!("mul i32 %id, {factor}"));
            let sum = self.name(&format!("add i32 {product}, {word}"));
            self.set("r", word, &sum);
        }
        for long in 0..LONGS {
            self.line(&format!("%d{long} = alloca i64"));
            let word = self.get("r", long);
            let value = self.wide_sum(&word, 40503, "%bytes");
            self.set("d", long, &value);
        }
        let filled = self.get("d", 0);
        for at in (0..OWN_BYTES).step_by(8) {
            let to = self.name(&format!("getelementptr i8, ptr addrspace(3) %s, i64 {at}"));
            self.line(&format!("store i64 {filled}, ptr addrspace(3) {to}"));
        }
    }

    fn wide_sum(&mut self, word: &str, factor: u64, more: &str) -> String {
        let wide = self.name(&format!("zext i32 {word} to i64"));
        let product = self.name(&format!("mul i64 {wide}, {factor}"));
        self.name(&format!("add i64 {product}, {more}"))
    }

    fn step(&mut self, step: &KernelStep) {
        match step {
            KernelStep::Load(access) => self.guarded(access, Self::load),
            KernelStep::Store(access) => self.guarded(access, Self::store),
            KernelStep::Sum { a, b, c } => {
                let (b, c) = (self.get("r", *b), self.get("r", *c));
                let product = self.name(&format!("mul i32 {b}, 3"));
                let sum = self.name(&format!("add i32 {product}, {c}"));
                self.set("r", *a, &sum);
            }
            KernelStep::Xor { a, b, c } => {
                let (b, c) = (self.get("r", *b), self.get("r", *c));
                let value = self.name(&format!("xor i32 {b}, {c}"));
                self.set("r", *a, &value);
            }
            KernelStep::Long { long, a } => {
                let (a, old) = (self.get("r", *a), self.get("d", *long));
                let sum = self.wide_sum(&a, 77, &old);
                self.set("d", *long, &sum);
            }
            KernelStep::Less { predicate, a, b } => {
                let (a, b) = (self.get("r", *a), self.get("r", *b));
                let value = self.name(&format!("icmp slt i32 {a}, {b}"));
                self.set("p", *predicate, &value);
            }
            KernelStep::Either(predicate, parts) => self.either(*predicate, parts),
            KernelStep::Repeat(times, steps) => self.repeat(*times, steps),
            KernelStep::Barrier => self.line("call void @llvm.nvvm.barrier0()"),
        }
    }

    fn block(&mut self, label: &str) {
        self.line(&format!("br label %{label}"));
        let _ = writeln!(self.text, "{label}:");
    }

    fn branch(&mut self, condition: &str, [then, otherwise]: [&str; 2]) {
        self.line(&format!(
            "br i1 {condition}, label %{then}, label %{otherwise}"
        ));
    }

    fn either(&mut self, predicate: u64, [then, otherwise]: &[Vec<KernelStep>; 2]) {
        let number = self.fresh();
        let [t, f, join] = ["T", "F", "J"].map(|kind| format!("{kind}{number}"));
        let condition = self.get("p", predicate);
        self.branch(&condition, [&t, &f]);
        let _ = writeln!(self.text, "{f}:");
        otherwise.iter().for_each(|step| self.step(step));
        self.line(&format!("br label %{join}"));
        let _ = writeln!(self.text, "{t}:");
        then.iter().for_each(|step| self.step(step));
        self.block(&join);
    }

    fn repeat(&mut self, times: u64, steps: &[KernelStep]) {
        let number = self.fresh();
        let [body, end] = ["L", "E"].map(|kind| format!("{kind}{number}"));
        self.line(&format!("%c{number} = alloca i32"));
        self.line(&format!("store i32 0, ptr %c{number}"));
        self.block(&body);
        steps.iter().for_each(|step| self.step(step));
        let count = self.name(&format!("load i32, ptr %c{number}"));
        let next = self.name(&format!("add i32 {count}, 1"));
        self.line(&format!("store i32 {next}, ptr %c{number}"));
        let more = self.name(&format!("icmp ult i32 {next}, {times}"));
        self.branch(&more, [&body, &end]);
        let _ = writeln!(self.text, "{end}:");
    }

    /// An access, in a block of its own if it has a predicate.
    fn guarded(&mut self, access: &Access, write: fn(&mut Self, &Access)) {
        let Some((predicate, not)) = access.guard else {
            return write(self, access);
        };
        let number = self.fresh();
        let [inside, join] = ["G", "J"].map(|kind| format!("{kind}{number}"));
        let condition = self.get("p", predicate);
        match not {
            true => self.branch(&condition, [&join, &inside]),
            false => self.branch(&condition, [&inside, &join]),
        }
        let _ = writeln!(self.text, "{inside}:");
        write(self, access);
        self.block(&join);
    }

    /// A pointer with its type.
    fn address(&mut self, access: &Access) -> String {
        let (space, base) = match access.base {
            Base::First => ("ptr addrspace(1)", "%a".to_owned()),
            Base::Second => ("ptr addrspace(1)", "%b".to_owned()),
            Base::Generic => ("ptr", "%g".to_owned()),
            Base::Shared => ("ptr addrspace(3)", "%s".to_owned()),
            Base::Indexed { word, mask } => {
                let word = self.get("r", word);
                let bytes = self.name(&format!("and i32 {word}, {mask}"));
                let wide = self.name(&format!("zext i32 {bytes} to i64"));
                let base = format!("getelementptr i8, ptr addrspace(1) %a, i64 {wide}");
                ("ptr addrspace(1)", self.name(&base))
            }
        };
        let offset = access.offset;
        let at = self.name(&format!("getelementptr i8, {space} {base}, i64 {offset}"));
        format!("{space} {at}, align {}", access.form.bytes())
    }

    fn load(&mut self, access: &Access) {
        let (at, form) = (self.address(access), access.form);
        let whole = self.name(&format!("load {}, {at}", memory_type(form)));
        for (number, register) in access.registers().enumerate() {
            let mut value = whole.clone();
            if form.elements > 1 {
                let ty = memory_type(form);
                value = self.name(&format!("extractelement {ty} {whole}, i32 {number}"));
            }
            if form.bits < 32 {
                let extend = if form.signed { "sext" } else { "zext" };
                value = self.name(&format!("{extend} i{} {value} to i32", form.bits));
            }
            self.set(kind(form), register, &value);
        }
    }

    fn store(&mut self, access: &Access) {
        let (at, form) = (self.address(access), access.form);
        let ty = memory_type(form);
        let mut whole = String::from("poison");
        for (number, register) in access.registers().enumerate() {
            let mut value = self.get(kind(form), register);
            if form.bits < 32 {
                value = self.name(&format!("trunc i32 {value} to i{}", form.bits));
            }
            whole = match form.elements {
                1 => value,
                _ => self.name(&format!(
                    "insertelement {ty} {whole}, i{} {value}, i32 {number}",
                    form.bits
                )),
            };
        }
        self.line(&format!("store {ty} {whole}, {at}"));
    }
}

fn type_of(kind: &str) -> &'static str {
    match kind {
        "r" => "i32",
        "d" => "i64",
        _ => "i1",
    }
}

fn kind(form: Form) -> &'static str {
    if form.is_long() { "d" } else { "r" }
}

fn memory_type(form: Form) -> String {
    match form.elements {
        1 => format!("i{}", form.bits),
        count => format!("<{count} x i{}>", form.bits),
    }
}
