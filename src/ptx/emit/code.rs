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
        let value = shifted(check, wide, code, registers);
        let bits = if wide { 64 } else { 32 };
        let limit = if wide {
            check.limit
        } else {
            check.limit.min(u32::MAX.into())
        };
        let out = held
            .clone()
            .unwrap_or_else(|| registers.fresh(Class::Predicate));
        code.push(match held {
            Some(held) => format!("setp.le.and.u{bits} {out}, {value}, {limit}, {held};"),
            None => format!("setp.le.u{bits} {out}, {value}, {limit};"),
        });
        Some(out)
    })
}

/// The register that holds the checked value plus its offset.
fn shifted(check: &Check, wide: bool, code: &mut Code, registers: &mut Registers) -> String {
    // Offsets are modulo the width: the shortest spelling is the signed one.
    let (class, bits, offset) = match wide {
        true => (Class::Double, 64, check.offset as i64),
        false => (Class::Word, 32, i64::from(check.offset as i32)),
    };
    let register = match &check.minus {
        None => check.register.to_string(),
        Some(minus) => {
            let difference = registers.fresh(class);
            code.push(format!(
                "sub.s{bits} {difference}, {}, {minus};",
                check.register
            ));
            difference
        }
    };
    if offset == 0 {
        return register;
    }
    let sum = registers.fresh(class);
    code.push(format!("add.s{bits} {sum}, {register}, {offset};"));
    sum
}
