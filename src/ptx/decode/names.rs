//! Registers and variables by name, in their scopes.
//!
//! A range such as `%r<1000000>` is one entry: its registers come into being when they are first used. Variables have
//! ranges, too: `.param .b64 %P<2>`.

use super::form::{Reg, Register, Symbol};
use super::scoped::Scoped;
use crate::ast::Span;
use ptxasw_ir::types::Type;
use rustc_hash::FxHashMap;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    /// A register.
    Register(Reg),
    /// A vector register, or the two halves of one of 128 bits: as many consecutive registers.
    Vector(Reg, u8),
    /// A variable or parameter.
    Symbol(Symbol),
}

/// What the names of a range stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ranged {
    /// Registers.
    Registers(Declared),
    /// Consecutive variables of the function's body, from this number on.
    Variables(u32),
}

/// The declaration of a range.
#[derive(Clone, Copy, Debug)]
struct Range {
    /// How many: the numbers 0 to `count - 1`.
    count: u32,
    ranged: Ranged,
    level: u32,
    span: Span,
    /// The range of the same prefix in an outer scope.
    outer: Option<u32>,
}

/// What the names of a range that were used stand for. Most functions use almost all numbers, in ascending order.
#[derive(Debug, Default)]
struct Used {
    /// By number, as far as numbers are not much larger than there are names.
    dense: Vec<Option<Entity>>,
    count: usize,
    further: FxHashMap<u32, Entity>,
}

impl Used {
    /// Numbers may be so far ahead of the count of names.
    const AHEAD: usize = 16;

    fn of(&mut self, number: u32, create: impl FnOnce() -> Entity) -> Entity {
        let at = number as usize;
        if let Some(&Some(known)) = self.dense.get(at) {
            return known;
        }
        if let Some(&known) = self.further.get(&number) {
            return known;
        }
        let entity = create();
        self.count += 1;
        if at < 2 * self.count + Self::AHEAD {
            if self.dense.len() <= at {
                self.dense.resize(at + 1, None);
            }
            self.dense[at] = Some(entity);
        } else {
            self.further.insert(number, entity);
        }
        entity
    }
}

/// What a register declaration says of all of its names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declared {
    /// The type.
    pub ty: Type,
    /// Elements of a vector register, or 1.
    pub vector: u8,
    /// Nesting depth below the function's body.
    pub depth: u16,
}

/// The names that are visible.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    exact: Scoped<'a, Entity>,
    /// Innermost range by prefix.
    prefixes: Scoped<'a, u32>,
    ranges: Vec<Range>,
    /// Some prefix ends in a digit (`%f1<3>` declares `%f10`): there are several splits of a name.
    ambiguous: bool,
    /// What has been used of each range.
    used: Vec<Used>,
}

/// The elements of a vector register by position.
const ELEMENTS: [&str; 4] = ["x", "y", "z", "w"];

impl<'a> Names<'a> {
    /// No names.
    pub fn new() -> Self {
        Names {
            exact: Scoped::new(),
            prefixes: Scoped::new(),
            ranges: Vec::new(),
            ambiguous: false,
            used: Vec::new(),
        }
    }

    /// Begins an inner scope.
    pub fn open(&mut self) {
        self.exact.open();
        self.prefixes.open();
    }

    /// Ends it.
    pub fn close(&mut self) {
        self.exact.close();
        self.prefixes.close();
    }

    /// Declares one name; the span of the other declaration if the scope has it already.
    pub fn declare(&mut self, name: &'a [u8], entity: Entity, span: Span) -> Result<(), Span> {
        if let Some((_, range, _)) = self.range_of(name)
            && range.level == self.exact.level()
        {
            return Err(range.span);
        }
        self.exact.declare(name, entity, span)
    }

    /// Declares one register.
    pub fn declare_register(
        &mut self,
        name: &'a [u8],
        declared: Declared,
        span: Span,
        registers: &mut Vec<Register>,
    ) -> Result<(), Span> {
        let entity = create(name, declared, registers);
        self.declare(name, entity, span)
    }

    /// Declares the names `prefix0` to `prefix(count-1)`.
    pub fn declare_range(
        &mut self,
        prefix: &'a [u8],
        count: u32,
        ranged: Ranged,
        span: Span,
    ) -> Result<(), Span> {
        let index = self.ranges.len() as u32;
        let outer = self.prefixes.get(prefix).map(|b| b.value);
        self.prefixes.declare(prefix, index, span)?;
        self.ambiguous |= prefix.last().is_some_and(u8::is_ascii_digit);
        self.ranges.push(Range {
            count,
            ranged,
            level: self.exact.level(),
            span,
            outer,
        });
        self.used.push(Used::default());
        Ok(())
    }

    /// What a name stands for; the first use of a register of a range creates it.
    pub fn lookup(&mut self, name: &[u8], registers: &mut Vec<Register>) -> Option<Entity> {
        let exact = self.exact.get(name).map(|b| (b.value, b.level));
        let Some((index, range, number)) = self.range_of(name) else {
            return exact.map(|(entity, _)| entity);
        };
        if let Some((entity, level)) = exact
            && level >= range.level
        {
            return Some(entity);
        }
        match range.ranged {
            Ranged::Variables(first) => Some(Entity::Symbol(Symbol::Local(first + number))),
            Ranged::Registers(declared) => {
                let used = self.used.get_mut(index as usize)?;
                Some(used.of(number, || create(name, declared, registers)))
            }
        }
    }

    /// The innermost range that holds a name, with its index and the name's number.
    fn range_of(&self, name: &[u8]) -> Option<(u32, Range, u32)> {
        let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let shortest = name.len() - digits;
        let longest = match self.ambiguous {
            true => name.len(),
            false => (shortest + 1).min(name.len()),
        };
        (shortest..longest).find_map(|at| {
            let (prefix, digits) = name.split_at(at);
            self.in_ranges(prefix, number(digits)?)
        })
    }

    fn in_ranges(&self, prefix: &[u8], number: u32) -> Option<(u32, Range, u32)> {
        let mut index = self.prefixes.get(prefix)?.value;
        loop {
            let range = *self.ranges.get(index as usize)?;
            if number < range.count {
                return Some((index, range, number));
            }
            index = range.outer?;
        }
    }
}

/// The number of a register of a range: without leading zeros.
fn number(digits: &[u8]) -> Option<u32> {
    match digits {
        [b'0', _, ..] => None,
        _ => std::str::from_utf8(digits).ok()?.parse().ok(),
    }
}

/// Creates a register, those of a vector register, or the halves of one of 128 bits.
pub(crate) fn create(name: &[u8], declared: Declared, registers: &mut Vec<Register>) -> Entity {
    let name = String::from_utf8_lossy(name);
    let first = Reg(registers.len() as u32);
    let wide = declared.ty == Type::B128 && declared.vector <= 1;
    let mut push = |name: Box<str>| {
        registers.push(Register {
            name,
            ty: if wide { Type::B64 } else { declared.ty },
            depth: declared.depth,
            half: wide,
        });
    };
    if wide {
        push(name.as_ref().into());
        push(name.into());
        return Entity::Vector(first, 2);
    }
    if declared.vector <= 1 {
        push(name.into());
        return Entity::Register(first);
    }
    for i in 0..declared.vector {
        match ELEMENTS.get(usize::from(i)) {
            Some(element) => push(format!("{name}.{element}").into()),
            None => push(format!("{name}.{i}").into()),
        }
    }
    Entity::Vector(first, declared.vector)
}

/// The position of a vector register's element: `x`, `y`, `z`, `w` or `r`, `g`, `b`, `a`.
pub(crate) fn element(word: &str) -> Option<u8> {
    match word {
        "x" | "r" => Some(0),
        "y" | "g" => Some(1),
        "z" | "b" => Some(2),
        "w" | "a" => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_for_one_register_wherever_it_is_kept() {
        let (mut used, mut made) = (Used::default(), 0);
        let mut register = |number| {
            used.of(number, || {
                made += 1;
                Entity::Register(Reg(made))
            })
        };
        let numbers = [3, 4_000_000_000, 0, 40, 17, 1].into_iter().chain(2..100);
        let first: Vec<Entity> = numbers.clone().map(&mut register).collect();
        let again: Vec<Entity> = numbers.map(&mut register).collect();
        assert_eq!(first, again);
        assert_eq!(made, 101);
        assert!(used.dense.len() <= 100);
    }
}
