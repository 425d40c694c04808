//! What LLVM IR promises, checked by traps. A kernel that breaks a promise may do anything, and so a rewritten one that does
//! something else is no finding: [`without_unchecked`] leaves out the promises of which no execution shows whether they hold,
//! [`trapping`] makes traps of the others.
//!
//! It goes by lines and words, as LLVM prints them; what is written in another way loses its promises without a trap.

use std::fmt::Write;

/// Words of an operation that promise something of its operands or its result.
const OF_OPERATIONS: [&str; 7] = [
    "nsw", "nuw", "nusw", "exact", "disjoint", "nneg", "inbounds",
];
/// Attributes that promise what a pointer or a function is not used for.
const OF_POINTERS: [&str; 9] = [
    "readonly",
    "readnone",
    "writeonly",
    "nonnull",
    "willreturn",
    "mustprogress",
    "nosync",
    "nofree",
    "speculatable",
];
/// Attributes with an argument in parentheses.
const WITH_ARGUMENT: [&str; 3] = ["memory(", "dereferenceable(", "range("];
/// Ends the execution where its operand is not 0.
const TRAP: &str =
    "asm sideeffect \"{.reg .pred ptxasw_t; setp.ne.u32 ptxasw_t, $0, 0; @ptxasw_t trap;}\", \"r\"";

/// A module without the promises that no execution checks: attributes of pointers and functions, metadata of instructions.
/// `noalias` stays: all pointers that kernels are launched with lead to buffers of their own.
pub fn without_unchecked(text: &str) -> String {
    let mut left = String::new();
    for line in text.lines() {
        let line = match line.starts_with(' ') {
            true if line.trim_start().starts_with('#') => continue,
            true => without_metadata(line),
            false => without_arguments(line, &WITH_ARGUMENT),
        };
        let line = without_arguments(&line, &WITH_ARGUMENT[..2]);
        let line = without_words(&line, &OF_POINTERS);
        // A group of attributes is not empty.
        left.push_str(&line.replace("= { }", "= { nounwind }"));
        left.push('\n');
    }
    left
}

/// A module that traps where a promise is broken, and promises nothing but by its attributes. No load is left out, as a
/// compiler may if nothing uses it: that it can be executed is a promise, too.
pub fn trapping(text: &str) -> String {
    let mut traps = Traps::default();
    for line in text.lines() {
        let assumed = line.split_once("@llvm.assume(i1 ");
        let assumed =
            assumed.and_then(|(_, rest)| rest.split([')', ' ']).find(|w| *w != "noundef"));
        if let Some(condition) = assumed.filter(|_| line.trim_start().contains("call void")) {
            let broken = traps.value(&format!("xor i1 {condition}, true"));
            traps.trap(&broken);
            continue;
        }
        if line.trim() == "unreachable" {
            traps.trap("true");
        }
        let kept = without_arguments(line, &WITH_ARGUMENT[2..]);
        let kept = match kept.contains(" = load volatile ") || kept.contains(" = load atomic ") {
            true => kept,
            false => kept.replace(" = load ", " = load volatile "),
        };
        traps.text.push_str(&without_words(&kept, &OF_OPERATIONS));
        traps.text.push('\n');
        traps.check(line);
    }
    traps.text
}

/// A module with traps, as far as it is written.
#[derive(Default)]
struct Traps {
    text: String,
    values: usize,
}

/// An operation on integers. What it is made of is text.
struct Operation<'a> {
    result: &'a str,
    name: &'a str,
    flags: Vec<&'a str>,
    bits: u32,
    first: &'a str,
    second: &'a str,
}

impl<'a> Operation<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (result, rest) = line.trim().split_once(" = ")?;
        let mut words = rest.split([' ', ',']).filter(|word| !word.is_empty());
        let name = words.next()?;
        let mut flags = Vec::new();
        let ty = loop {
            match words.next()? {
                flag if OF_OPERATIONS.contains(&flag) => flags.push(flag),
                ty => break ty,
            }
        };
        Some(Operation {
            result,
            name,
            flags,
            bits: ty.strip_prefix('i')?.parse().ok()?,
            first: words.next()?,
            second: words.next()?,
        })
    }

    fn says(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }
}

impl Traps {
    /// Defines a value.
    fn value(&mut self, what: &str) -> String {
        self.values += 1;
        let name = format!("%ptxasw.{}", self.values);
        writeln!(self.text, "  {name} = {what}").expect("there is memory");
        name
    }

    /// A trap where this is true.
    fn trap(&mut self, broken: &str) {
        let word = self.value(&format!("zext i1 {broken} to i32"));
        writeln!(self.text, "  call void {TRAP}(i32 {word})").expect("there is memory");
    }

    /// Traps after a line that broke a promise.
    fn check(&mut self, line: &str) {
        self.check_range(line);
        self.check_alignment(line);
        let Some(operation) = Operation::read(line) else {
            return;
        };
        match operation.name {
            "add" | "sub" | "mul" => self.check_wide(&operation),
            "shl" | "lshr" | "ashr" => self.check_shift(&operation),
            "udiv" | "urem" | "sdiv" | "srem" => self.check_division(&operation),
            "or" if operation.says("disjoint") => {
                let Operation {
                    bits,
                    first,
                    second,
                    ..
                } = operation;
                let both = self.value(&format!("and i{bits} {first}, {second}"));
                self.unequal(bits, &both, "0");
            }
            "zext" | "uitofp" if operation.says("nneg") => {
                let Operation { bits, first, .. } = operation;
                let broken = self.value(&format!("icmp slt i{bits} {first}, 0"));
                self.trap(&broken);
            }
            _ => {}
        }
    }

    fn unequal(&mut self, bits: u32, one: &str, other: &str) {
        let broken = self.value(&format!("icmp ne i{bits} {one}, {other}"));
        self.trap(&broken);
    }

    /// The exact result, in twice as many bits, is the one that there is.
    fn check_wide(&mut self, operation: &Operation) {
        let &Operation {
            result,
            name,
            bits,
            first,
            second,
            ..
        } = operation;
        let wide = 2 * bits;
        for (flag, extend) in [("nsw", "sext"), ("nuw", "zext")] {
            if operation.says(flag) {
                let [a, b, short] = [first, second, result]
                    .map(|value| self.value(&format!("{extend} i{bits} {value} to i{wide}")));
                let exact = self.value(&format!("{name} i{wide} {a}, {b}"));
                self.unequal(wide, &exact, &short);
            }
        }
    }

    /// Nothing is shifted by more bits than there are, and nothing is lost that must not be.
    fn check_shift(&mut self, operation: &Operation) {
        let &Operation {
            result,
            name,
            bits,
            first,
            second,
            ..
        } = operation;
        let broken = self.value(&format!("icmp uge i{bits} {second}, {bits}"));
        self.trap(&broken);
        let back: &[_] = match name {
            "shl" => &[("nsw", "ashr"), ("nuw", "lshr")],
            _ => &[("exact", "shl")],
        };
        for &(flag, back) in back {
            if operation.says(flag) {
                let whole = self.value(&format!("{back} i{bits} {result}, {second}"));
                self.unequal(bits, &whole, first);
            }
        }
    }

    /// Nothing is divided by 0, no quotient is too large, and no remainder is lost that must not be.
    fn check_division(&mut self, operation: &Operation) {
        let &Operation {
            result,
            name,
            bits,
            first,
            second,
            ..
        } = operation;
        let broken = self.value(&format!("icmp eq i{bits} {second}, 0"));
        self.trap(&broken);
        if name.starts_with('s') {
            let least = 1i128 << (bits.clamp(1, 64) - 1);
            let one = self.value(&format!("icmp eq i{bits} {first}, -{least}"));
            let other = self.value(&format!("icmp eq i{bits} {second}, -1"));
            let broken = self.value(&format!("and i1 {one}, {other}"));
            self.trap(&broken);
        }
        if operation.says("exact") {
            let whole = self.value(&format!("mul i{bits} {result}, {second}"));
            self.unequal(bits, &whole, first);
        }
    }

    /// An address is a multiple of what a load or store says.
    fn check_alignment(&mut self, line: &str) {
        let Some((access, align)) = line.split_once(", align ") else {
            return;
        };
        let align = align.split([',', ' ']).next();
        let Some(Ok(align)) = align.map(str::parse::<u64>) else {
            return;
        };
        let pointer = access.split_once(", ptr").filter(|(before, _)| {
            before.contains(" = load ") || before.trim_start().starts_with("store ")
        });
        if let Some((_, pointer)) = pointer.filter(|_| align.is_power_of_two()) {
            // What follows the pointer is how an atomic access is ordered.
            let words = 1 + usize::from(pointer.starts_with(" addrspace("));
            let pointer: Vec<&str> = pointer.split_whitespace().take(words).collect();
            let address = self.value(&format!("ptrtoint ptr {} to i64", pointer.join(" ")));
            let low = self.value(&format!("and i64 {address}, {}", align - 1));
            self.unequal(64, &low, "0");
        }
    }

    /// What a call gives is where it promises.
    fn check_range(&mut self, line: &str) {
        let Some((result, rest)) = line.trim().split_once(" = ") else {
            return;
        };
        let range = rest
            .split_once("range(i")
            .filter(|_| rest.contains("call "));
        let Some((range, _)) = range.and_then(|(_, rest)| rest.split_once(')')) else {
            return;
        };
        let words: Vec<&str> = range.split([' ', ',']).filter(|w| !w.is_empty()).collect();
        let [bits, low, high] = words[..] else { return };
        let (Ok(bits), Ok(low), Ok(high)) =
            (bits.parse::<u32>(), low.parse::<i64>(), high.parse::<i64>())
        else {
            return;
        };
        let above = self.value(&format!("sub i{bits} {result}, {low}"));
        let count = self.value(&format!("sub i{bits} {high}, {low}"));
        let broken = self.value(&format!("icmp uge i{bits} {above}, {count}"));
        self.trap(&broken);
    }
}

/// A line without words that stand by themselves.
fn without_words(line: &str, words: &[&str]) -> String {
    let indent = line.len() - line.trim_start().len();
    let kept = line.trim_start().split(' ');
    let kept: Vec<&str> = kept.filter(|word| !words.contains(word)).collect();
    format!("{}{}", &line[..indent], kept.join(" "))
}

/// A line without attributes that have an argument, given with the parenthesis.
fn without_arguments(line: &str, attributes: &[&str]) -> String {
    let mut line = line.to_owned();
    for attribute in attributes {
        let attribute = format!(" {attribute}");
        while let Some(start) = line.find(&attribute) {
            let Some(end) = line[start..].find(')') else {
                break;
            };
            line.replace_range(start..=start + end, "");
        }
    }
    line
}

/// An instruction without its metadata.
fn without_metadata(line: &str) -> String {
    let end = line.find(", !").unwrap_or(line.len());
    line[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trap_for_each_promise() {
        for (line, traps, left) in [
            ("  %3 = add nuw nsw i32 %1, %2", 2, "  %3 = add i32 %1, %2"),
            ("  %3 = lshr exact i64 %1, 3", 2, "  %3 = lshr i64 %1, 3"),
            (
                "  %3 = sdiv i32 %1, %2, !dbg !4",
                2,
                "  %3 = sdiv i32 %1, %2, !dbg !4",
            ),
            ("  %3 = or disjoint i32 %1, 1", 1, "  %3 = or i32 %1, 1"),
            (
                "  %3 = zext nneg i32 %1 to i64",
                1,
                "  %3 = zext i32 %1 to i64",
            ),
            (
                "  %3 = call range(i32 0, 9) i32 @f()",
                1,
                "  %3 = call i32 @f()",
            ),
            (
                "  store float %1, ptr %2, align 4",
                1,
                "  store float %1, ptr %2, align 4",
            ),
            (
                "  %3 = load i8, ptr %2",
                0,
                "  %3 = load volatile i8, ptr %2",
            ),
            ("  tail call void @llvm.assume(i1 %1)", 1, ""),
            ("  unreachable", 1, "unreachable"),
        ] {
            let text = trapping(line);
            assert_eq!(text.matches("@ptxasw_t trap;").count(), traps, "{text}");
            assert!(text.contains(left), "{text}");
        }
    }

    #[test]
    fn what_is_not_checked_is_gone() {
        let text = "define void @f(ptr noalias readonly %0, i32 range(i32 0, 3) %1) memory(argmem: read) {\n  \
                    %3 = load float, ptr %0, align 4, !range !1\n";
        let left = "define void @f(ptr noalias %0, i32 %1) {\n  %3 = load float, ptr %0, align 4\n";
        assert_eq!(without_unchecked(text), left);
    }
}
