//! Lines of new instructions, and the checks that all wrappings share.

use super::registers::{Class, Registers};
use crate::shuffle::plan::Check;

/// New instructions, one a line.
#[derive(Debug, Default)]
pub struct Code {
    /// The lines, without indentation and line ends.
    pub lines: Vec<String>,
}

impl Code {
    /// One more line.
    pub fn push(&mut self, line: String) {
        self.lines.push(line);
    }

    /// A new word, set by the line that `line` writes for its name.
    pub fn word(&mut self, registers: &mut Registers, line: impl FnOnce(&str) -> String) -> String {
        let name = registers.fresh(Class::Word);
        self.push(line(&name));
        name
    }
}

/// The predicate that holds where `predicate` (if any) and all `checks` hold; none if there is nothing to hold.
pub fn fold_checks(
    checks: &[Check],
    predicate: Option<String>,
    code: &mut Code,
    registers: &mut Registers,
) -> Option<String> {
    checks.iter().fold(predicate, |held, check| {
        let wide = check.width == 64;
        let bits = if wide { 64 } else { 32 };
        let value = tested(check, wide, code, registers);
        let (comparison, sign, value, bound) = if check.limit == 0 {
            // One value passes: no sum is needed.
            let passes = signed(check.offset.wrapping_neg(), wide);
            ("eq", 's', value, passes.to_string())
        } else if check.limit == (u64::MAX >> (64 - bits)) - 1 {
            // One value does not pass.
            let fails = signed(u64::MAX - check.offset, wide);
            ("ne", 's', value, fails.to_string())
        } else {
            let sum = shifted(check, value, wide, code, registers);
            let limit = match wide {
                true => check.limit,
                false => check.limit.min(u32::MAX.into()),
            };
            ("le", 'u', sum, limit.to_string())
        };
        let out = held
            .clone()
            .unwrap_or_else(|| registers.fresh(Class::Predicate));
        code.push(match held {
            Some(held) => {
                format!("setp.{comparison}.and.{sign}{bits} {out}, {value}, {bound}, {held};")
            }
            None => format!("setp.{comparison}.{sign}{bits} {out}, {value}, {bound};"),
        });
        Some(out)
    })
}

/// Offsets are modulo the width: the shortest spelling is the signed one.
fn signed(offset: u64, wide: bool) -> i64 {
    match wide {
        true => offset as i64,
        false => i64::from(offset as i32),
    }
}

/// The register that is checked, or that of the difference.
fn tested(check: &Check, wide: bool, code: &mut Code, registers: &mut Registers) -> String {
    let Some(minus) = &check.minus else {
        return check.register.to_string();
    };
    let (class, bits) = match wide {
        true => (Class::Double, 64),
        false => (Class::Word, 32),
    };
    let difference = registers.fresh(class);
    let register = &check.register;
    code.push(format!("sub.s{bits} {difference}, {register}, {minus};"));
    difference
}

/// The register that holds the checked value plus its offset.
fn shifted(
    check: &Check,
    value: String,
    wide: bool,
    code: &mut Code,
    registers: &mut Registers,
) -> String {
    let (class, bits) = match wide {
        true => (Class::Double, 64),
        false => (Class::Word, 32),
    };
    let offset = signed(check.offset, wide);
    if offset == 0 {
        return value;
    }
    let sum = registers.fresh(class);
    code.push(format!("add.s{bits} {sum}, {value}, {offset};"));
    sum
}
