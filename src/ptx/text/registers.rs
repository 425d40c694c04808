//! New registers: names that clash with nothing in the module, and their declarations.

use crate::ast::{Body, Module, StatementKind};
use memchr::memmem;

/// The kinds of registers that the emitter needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `.pred`
    Predicate,
    /// `.b16`
    Half,
    /// `.b32`
    Word,
    /// `.b64`
    Double,
}

impl Class {
    const ALL: [Class; 4] = [Class::Predicate, Class::Half, Class::Word, Class::Double];

    /// The type and the letters of its names.
    const fn spelling(self) -> (&'static str, &'static str) {
        match self {
            Class::Predicate => (".pred", "p"),
            Class::Half => (".b16", "rs"),
            Class::Word => (".b32", "r"),
            Class::Double => (".b64", "rd"),
        }
    }
}

/// With what all names begin that we make; those of the shuffles have no more in front of their number.
pub const STEM: &str = "ptxasw";
/// With what the names of all other passes begin.
pub const STEM_OF_PASSES: &str = "ptxaswp";

/// A prefix for names such that no name of the text can begin with it: `ptxasw_` for `ptxasw`, or with the first free number.
pub fn free_prefix(text: &[u8], stem: &str) -> String {
    let numbers = memmem::find_iter(text, stem).filter_map(|at| number(&text[at + stem.len()..]));
    let mut taken: Vec<u64> = numbers.collect();
    taken.sort_unstable();
    taken.dedup();
    match (0..)
        .zip(&taken)
        .find(|(free, taken)| free != *taken)
        .map_or(taken.len() as u64, |(free, _)| free)
    {
        0 => format!("{stem}_"),
        free => format!("{stem}{free}_"),
    }
}

/// Whether a body declares a register or has a label with a name that we make.
pub fn has_made_names(module: &Module, body: &Body) -> bool {
    body.statements.iter().any(|one| match &one.kind {
        StatementKind::Variable(variable) => {
            let mut names = variable.names.iter();
            names.any(|one| is_made(module.str(one.name)))
        }
        StatementKind::Label(name) => is_made(module.str(*name)),
        _ => false,
    })
}

/// Whether the name of a register or label is one that we make.
pub fn is_made(name: &str) -> bool {
    let name = name.strip_prefix(['%', '$']).unwrap_or_default();
    let mut stems = [STEM_OF_PASSES, STEM].into_iter();
    stems.any(|stem| {
        name.strip_prefix(stem)
            .is_some_and(|rest| number(rest.as_bytes()).is_some())
    })
}

/// Whether a label that we make is of a block in a copy: `$ptxaswp_3c0_2`, where others have no letter between their numbers.
pub fn is_of_copy(label: &str) -> bool {
    let (_, numbers) = label.split_once('_').unwrap_or_default();
    numbers.contains('c')
}

/// The number that digits and `_` at the start of `text` make, 0 if there are no digits.
fn number(text: &[u8]) -> Option<u64> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if text.get(digits) != Some(&b'_') {
        return None;
    }
    // What does not fit is larger than any number that is handed out.
    let value = |total: u64, digit: &u8| {
        total
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    };
    Some(text[..digits].iter().fold(0, value))
}

/// The new registers of one function.
#[derive(Debug)]
pub struct Registers<'p> {
    prefix: &'p str,
    counts: [u32; Class::ALL.len()],
}

impl<'p> Registers<'p> {
    /// No registers yet; their names begin with `%` and `prefix`.
    pub fn new(prefix: &'p str) -> Self {
        Registers {
            prefix,
            counts: Default::default(),
        }
    }

    /// The name of a new register.
    pub fn fresh(&mut self, class: Class) -> String {
        let count = &mut self.counts[class as usize];
        let name = format!("%{}{}{count}", self.prefix, class.spelling().1);
        *count += 1;
        name
    }

    /// The declarations: one line for each class that is used.
    pub fn declarations(&self) -> Vec<String> {
        let used = Class::ALL
            .iter()
            .zip(self.counts)
            .filter(|(_, count)| *count > 0);
        used.map(|(class, count)| {
            let (ty, letters) = class.spelling();
            format!(".reg {ty} %{}{letters}<{count}>;", self.prefix)
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_avoids_what_is_there() {
        assert_eq!(free_prefix(b"mov.u32 %r1, %r2;", STEM), "ptxasw_");
        assert_eq!(free_prefix(b"ptxasw ptxasw1_ ptxasw2", STEM), "ptxasw_");
        assert_eq!(
            free_prefix(b"// ptxasw1_ ptxasw_ ptxasw1_", STEM),
            "ptxasw2_"
        );
        assert_eq!(
            free_prefix(b"ptxasw_ ptxasw2_ ptxasw99999999999999999999_", STEM),
            "ptxasw1_"
        );
    }

    #[test]
    fn declares_what_was_handed_out() {
        let mut registers = Registers::new("ptxasw_");
        assert!(registers.declarations().is_empty());
        assert_eq!(registers.fresh(Class::Word), "%ptxasw_r0");
        assert_eq!(registers.fresh(Class::Predicate), "%ptxasw_p0");
        assert_eq!(registers.fresh(Class::Word), "%ptxasw_r1");
        let expected = [".reg .pred %ptxasw_p<1>;", ".reg .b32 %ptxasw_r<2>;"];
        assert_eq!(registers.declarations(), expected);
    }
}
