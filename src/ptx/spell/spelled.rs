//! An opcode with what its instruction needs besides the names of registers.

use ptxasw_base::mutation::{Mutation, active};
use std::fmt::Write;

/// How an instruction writes its results and operands down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `d, a, b`
    Plain,
    /// `p|q, a, b`: two predicates (`setp`). Either can be left out.
    Predicates,
    /// `p, a, b`: two predicates, of which only the first can be had (`setp.f16`, `setp.bf16`).
    Predicate,
    /// `d|p, a, b`: a value and a predicate (`lop3.or`). Only the value can be left out.
    ValueAndPredicate,
    /// `d, {a, b}`: the operands are one vector.
    Pack,
    /// `{d, e}, a`: the results are one vector. All but one can be left out.
    Unpack,
}

/// The spelling of an operation: all that its instruction needs besides the names of registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelled {
    /// The opcode with its modifiers: `mul.wide.s32`.
    pub opcode: String,
    /// How results and operands are written.
    pub form: Form,
    /// Constants that are among the operands and part of the operation: the table of `lop3`. First the number of operands
    /// before them.
    pub constants: Option<(usize, String)>,
}

impl Spelled {
    /// An opcode that needs nothing else.
    pub(super) fn plain(opcode: String) -> Self {
        Spelled::of(opcode, Form::Plain)
    }

    /// An opcode with operands in some form.
    pub(super) fn of(opcode: String, form: Form) -> Self {
        Spelled {
            opcode,
            form,
            constants: None,
        }
    }

    /// Puts constants after the first `before` operands.
    pub(super) fn with_constants(mut self, before: usize, constants: String) -> Self {
        self.constants = Some((before, constants));
        self
    }

    /// The statement, with its `;`; none if a result that must have a name has none.
    pub(super) fn statement(&self, results: &[Option<&str>], operands: &[&str]) -> Option<String> {
        let mut text = format!("{} {}", self.opcode, self.destination(results)?);
        if self.form == Form::Pack {
            write!(text, ", {{{}}}", operands.join(", ")).ok()?;
        } else {
            let mut sources = operands.to_vec();
            if active(Mutation::OperandsSwapped) && sources.len() > 1 {
                sources.swap(0, 1);
            }
            if let Some((before, constants)) = &self.constants {
                sources.insert(*before, constants);
            }
            for source in sources {
                text.push_str(", ");
                text.push_str(source);
            }
        }
        text.push(';');
        Some(text)
    }

    /// The text of the results; `_` for those without a name, where PTX has that.
    fn destination(&self, results: &[Option<&str>]) -> Option<String> {
        let swapped = active(Mutation::PredicatesSwapped) && self.form == Form::Predicates;
        let named = |i: usize| results.get(i ^ usize::from(swapped)).copied().flatten();
        let or_sink = |name: Option<&str>| name.unwrap_or("_").to_owned();
        match self.form {
            Form::Plain | Form::Pack => Some(named(0)?.to_owned()),
            Form::Predicate if named(1).is_some() => None,
            Form::Predicate => Some(named(0)?.to_owned()),
            Form::Predicates => match (named(0), named(1)) {
                (None, None) => None,
                (Some(first), None) => Some(first.to_owned()),
                (first, Some(second)) => Some(format!("{}|{second}", or_sink(first))),
            },
            Form::ValueAndPredicate => Some(format!("{}|{}", or_sink(named(0)), named(1)?)),
            Form::Unpack => {
                results.iter().flatten().next()?;
                let names: Vec<&str> = results.iter().map(|name| name.unwrap_or("_")).collect();
                Some(format!("{{{}}}", names.join(", ")))
            }
        }
    }
}
