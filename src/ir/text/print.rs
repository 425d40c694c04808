//! A function as text.

use super::words::Words;
use crate::function::{
    Base, Block, Function, Granted, Inst, Param, Target, Terminator, Value, ValueDef,
};
use crate::opcode::{Access, Opcode, Scope};
use crate::semantics::operand_widths;
use std::fmt::{self, Display, Formatter, Write};

/// The width of what is neither a constant of an operation nor an address, unless it says another.
pub(super) const USUAL_WIDTH: u8 = 32;
/// The width of an address.
pub(super) const ADDRESS_WIDTH: u8 = 64;

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = if self.entry { "kernel" } else { "function" };
        write!(f, "{kind} {}(", Name(&self.name))?;
        for (index, param) in self.params.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            f.write_str(comma)?;
            self.print_param(f, param)?;
        }
        f.write_str(") {\n")?;
        self.print_header(f)?;
        for id in self.block_ids() {
            write!(f, "{id}")?;
            self.print_block(f, self.block(id))?;
            let assumed = &self.block(id).assumed;
            if !assumed.is_empty() {
                f.write_str("    assume")?;
                for (index, &value) in assumed.iter().enumerate() {
                    let separator = if index > 0 { ", " } else { " " };
                    write!(f, "{separator}{}", self.operand(value, 1))?;
                }
                f.write_char('\n')?;
            }
            self.print_body(f, self.block(id))?;
        }
        f.write_str("}\n")
    }
}

impl Function {
    fn print_param(&self, f: &mut Formatter<'_>, param: &Param) -> fmt::Result {
        write!(f, "{}: {}", Name(&param.name), param.ty)?;
        if param.bytes != u64::from(param.ty.bits / 8) {
            write!(f, " in {} bytes", param.bytes)?;
        }
        match param.pointer {
            None => {}
            Some(None) => f.write_str(" ptr")?,
            Some(Some(space)) => write!(f, " ptr.{}", Words(&space))?,
        }
        if param.pointee_align != 1 {
            write!(f, " align {}", param.pointee_align)?;
        }
        // What a kernel's parameter points to is in global memory, another's need not be.
        match (self.entry, param.points_to_global) {
            (true, false) => f.write_str(" anywhere")?,
            (false, true) => f.write_str(" global")?,
            _ => {}
        }
        f.write_str(if param.no_alias { " noalias" } else { "" })
    }

    fn print_header(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (word, shape) in [
            ("required", self.required_threads),
            ("at most", self.max_threads),
        ] {
            if let Some([x, y, z]) = shape {
                writeln!(f, "    {word} {x}, {y}, {z}")?;
            }
        }
        if self.callers_may_write {
            f.write_str("    callers may write\n")?;
        }
        let mut spaces = vec![None; self.variables.len()];
        for value in self.uses() {
            if let ValueDef::Address(Base::Variable(space, of), _) = self.value(value).def
                && let Some(known) = spaces.get_mut(of as usize)
            {
                *known = Some(space);
            }
        }
        for ((number, name), space) in (0..).zip(&self.variables).zip(spaces) {
            f.write_str("    variable ")?;
            match space {
                Some(space) => write!(f, "{} ", Words(&space))?,
                None => f.write_str("unused ")?,
            }
            let dynamic = self.dynamic_shared.contains(&number);
            writeln!(f, "{}{}", Name(name), if dynamic { " dynamic" } else { "" })?;
        }
        Ok(())
    }

    fn print_block(&self, f: &mut Formatter<'_>, block: &Block) -> fmt::Result {
        if !block.params.is_empty() {
            f.write_char('(')?;
            self.print_definitions(f, &block.params)?;
            f.write_char(')')?;
        }
        f.write_str(":\n")
    }

    fn print_body(&self, f: &mut Formatter<'_>, block: &Block) -> fmt::Result {
        for &id in &block.insts {
            self.print_inst(f, self.inst(id))?;
        }
        f.write_str("    ")?;
        self.print_terminator(f, &block.terminator)?;
        writeln!(f, " ; {}", block.origin)
    }

    fn print_definitions(&self, f: &mut Formatter<'_>, values: &[Value]) -> fmt::Result {
        for (index, &value) in values.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{value}: {}", Width(self.value(value).width))?;
            self.print_promises(f, value)?;
        }
        Ok(())
    }

    fn print_promises(&self, f: &mut Formatter<'_>, value: Value) -> fmt::Result {
        let promises = self.promises(value);
        let wrap = promises.no_wrap;
        f.write_str(if wrap.signed { " nsw" } else { "" })?;
        f.write_str(if wrap.unsigned { " nuw" } else { "" })?;
        for name in promises.fast_math.names() {
            write!(f, " {name}")?;
        }
        if let Some(origin) = promises.widened {
            write!(f, " promised({origin})")?;
        }
        match promises.granted {
            None => Ok(()),
            Some((Granted::Range, origin)) => write!(f, " range({origin})"),
            Some((Granted::Disjoint, origin)) => write!(f, " disjoint({origin})"),
        }
    }

    fn print_inst(&self, f: &mut Formatter<'_>, inst: &Inst) -> fmt::Result {
        f.write_str("    ")?;
        if let Some((guard, negated)) = inst.guard {
            let not = if negated { "!" } else { "" };
            write!(f, "@{not}{} ", self.operand(guard, 1))?;
        }
        if !inst.results.is_empty() {
            self.print_definitions(f, &inst.results)?;
            f.write_str(" = ")?;
        }
        write!(f, "{}", inst.opcode)?;
        for (index, &value) in inst.args.iter().enumerate() {
            let separator = if index > 0 { ", " } else { " " };
            let width = operand_width(&inst.opcode, index);
            write!(f, "{separator}{}", self.operand(value, width))?;
        }
        writeln!(f, " ; {}", inst.origin)
    }

    fn print_terminator(&self, f: &mut Formatter<'_>, terminator: &Terminator) -> fmt::Result {
        match terminator {
            Terminator::Jump(target) => {
                f.write_str("jump ")?;
                self.print_target(f, target)
            }
            Terminator::Branch {
                condition,
                then,
                otherwise,
                uniform,
            } => {
                let hint = if *uniform { ".uniform" } else { "" };
                write!(f, "branch{hint} {}, ", self.operand(*condition, 1))?;
                self.print_target(f, then)?;
                f.write_str(", ")?;
                self.print_target(f, otherwise)
            }
            Terminator::Switch { index, targets } => {
                write!(f, "switch {}", self.operand(*index, USUAL_WIDTH))?;
                for target in targets {
                    f.write_str(", ")?;
                    self.print_target(f, target)?;
                }
                Ok(())
            }
            Terminator::Return => f.write_str("return"),
            Terminator::Exit => f.write_str("exit"),
            Terminator::Trap => f.write_str("trap"),
        }
    }

    fn print_target(&self, f: &mut Formatter<'_>, target: &Target) -> fmt::Result {
        write!(f, "{}", target.block)?;
        if target.args.is_empty() {
            return Ok(());
        }
        let params = self.blocks.get(target.block.index()).map(|b| &b.params);
        f.write_char('(')?;
        for (index, &value) in target.args.iter().enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            let param = params.and_then(|params| params.get(index));
            let width = param.map_or(USUAL_WIDTH, |&param| self.value(param).width);
            write!(f, "{separator}{}", self.operand(value, width))?;
        }
        f.write_char(')')
    }

    /// A value where so many bits are expected.
    fn operand(&self, value: Value, expected: u8) -> Operand<'_> {
        Operand {
            function: self,
            value,
            expected,
        }
    }

    /// Whether the name of a variable means this one and nothing else.
    fn is_own_name(&self, number: u32) -> bool {
        let Some(name) = self.variables.get(number as usize) else {
            return false;
        };
        let same = self.variables.iter().filter(|other| *other == name).count();
        let parameter = self.params.iter().any(|param| param.name == *name);
        same == 1 && !parameter && !is_numbered(name)
    }
}

/// Whether a name reads as that of something without one: `variable3`.
pub(super) fn is_numbered(name: &str) -> bool {
    let kinds = ["parameter", "variable", "function"];
    kinds.iter().any(|kind| {
        let rest = name.strip_prefix(kind);
        rest.is_some_and(|digits| digits.parse::<u32>().is_ok())
    })
}

/// How wide an operand is unless it says another width.
pub(super) fn operand_width(opcode: &Opcode, index: usize) -> u8 {
    match opcode {
        Opcode::Op(op) => operand_widths(op).get(index).copied().unwrap_or(0),
        Opcode::Load(_) | Opcode::Store(_) | Opcode::Atomic { .. } if index == 0 => ADDRESS_WIDTH,
        Opcode::Store(access) => access.ty.bits,
        Opcode::Atomic { ty, .. } => ty.bits,
        _ => USUAL_WIDTH,
    }
}

/// A name, in quotes where it has characters that names of PTX have not.
pub(super) struct Name<'a>(pub(super) &'a str);

/// Whether a character needs no quotes.
pub(super) fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '%')
}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match !self.0.is_empty() && self.0.chars().all(is_plain) {
            true => f.write_str(self.0),
            // As JSON, which says how to read it back.
            false => {
                let quoted = serde_json::to_string(self.0).map_err(|_| fmt::Error)?;
                f.write_str(&quoted)
            }
        }
    }
}

/// A width as a type: `pred`, `b32`.
struct Width(u8);

impl Display for Width {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("pred"),
            bits => write!(f, "b{bits}"),
        }
    }
}

/// A value where it is used.
struct Operand<'a> {
    function: &'a Function,
    value: Value,
    expected: u8,
}

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let data = self.function.value(self.value);
        match &data.def {
            ValueDef::Result(..) | ValueDef::Parameter(..) => return write!(f, "{}", self.value),
            ValueDef::Constant(bits) if *bits < 1024 => write!(f, "{bits}")?,
            ValueDef::Constant(bits) => write!(f, "{bits:#x}")?,
            ValueDef::Special(special) => write!(f, "{special}")?,
            ValueDef::Address(base, offset) => self.address(f, base, *offset)?,
            ValueDef::Undefined => write!(f, "undefined.{}", self.value)?,
        }
        match data.width == self.expected {
            true => Ok(()),
            false => write!(f, ":{}", Width(data.width)),
        }
    }
}

impl Operand<'_> {
    fn address(&self, f: &mut Formatter<'_>, base: &Base, offset: i64) -> fmt::Result {
        let function = self.function;
        f.write_char('&')?;
        match *base {
            Base::Parameter(index) => match function.params.get(index as usize) {
                Some(param) if !is_numbered(&param.name) => write!(f, "{}", Name(&param.name))?,
                _ => write!(f, "parameter{index}")?,
            },
            Base::Variable(_, number) if function.is_own_name(number) => {
                write!(f, "{}", Name(&function.variables[number as usize]))?;
            }
            Base::Variable(_, number) => write!(f, "variable{number}")?,
            Base::Function(index) => write!(f, "function{index}")?,
        }
        match offset {
            0 => Ok(()),
            offset => write!(f, "{offset:+}"),
        }
    }
}

impl Display for Opcode {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Opcode::Op(op) => Words(op).fmt(f),
            Opcode::Load(access) => print_access(f, "load", access),
            Opcode::Store(access) => print_access(f, "store", access),
            Opcode::Call { callee, effects } => {
                f.write_str(if callee.is_none() {
                    "call.indirect"
                } else {
                    "call"
                })?;
                // As those of another instruction, without its name.
                let effects = Words(&Opcode::Opaque { effects: *effects }).to_string();
                f.write_str(effects.trim_start_matches("opaque"))?;
                match callee {
                    Some(name) => write!(f, " {}", Name(name)),
                    None => Ok(()),
                }
            }
            other => Words(other).fmt(f),
        }
    }
}

fn print_access(f: &mut Formatter<'_>, name: &str, access: &Access) -> fmt::Result {
    write!(f, "{name}.{}", Words(&access.space))?;
    if !access.order.is_weak() {
        write!(f, ".{}", Words(&access.order))?;
    }
    if access.scope != Scope::System {
        write!(f, ".{}", Words(&access.scope))?;
    }
    f.write_str(if access.non_coherent { ".nc" } else { "" })?;
    f.write_str(if access.hints { ".hints" } else { "" })?;
    if access.elements > 1 {
        write!(f, ".v{}", access.elements)?;
    }
    let skipped = (0..u8::BITS as u8).filter(|&element| access.skips(element));
    for (number, element) in skipped.enumerate() {
        let before = if number == 0 { ".skip" } else { "_" };
        write!(f, "{before}{element}")?;
    }
    write!(f, ".{}", access.ty)?;
    match access.offset {
        0 => Ok(()),
        offset => write!(f, "[{offset:+}]"),
    }
}
