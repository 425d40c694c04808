//! Steps as lines.

use super::names::{Named, fresh};
use super::opcodes::{mov, special_of, takes_number, widened};
use super::reads::is_untyped;
use super::{WriteError, Writer, opcodes};
use crate::lower::widths;
use crate::text::layout::Line;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{Base, ValueDef};
use ptxasw_ir::op::{Comparison, Op};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ir::patch::{Merged, NewResult, Ref, Step};
use ptxasw_ir::types::{Kind, Space, Special, Type};

/// Lines at a place, with the line of the source that the next one belongs to.
pub(super) struct Code {
    pub lines: Vec<Line>,
    /// The `.loc` in force at the place.
    here: Option<u32>,
    /// That of the last line.
    now: Option<u32>,
    /// Where the statement begins that lines of a step stand for.
    of: Option<u32>,
}

impl Code {
    pub fn new(here: Option<u32>) -> Self {
        Code {
            lines: Vec::new(),
            here,
            now: here,
            of: None,
        }
    }

    pub fn push(&mut self, line: String) {
        self.lines.push(Line {
            text: line,
            of: self.of,
        });
    }

    /// A line that repeats the statement which begins at `of`.
    pub fn repeat(&mut self, text: String, of: u32) {
        self.lines.push(Line { text, of: Some(of) });
    }

    /// The next line gets a `.loc` in any case: paths join here, or text of another place precedes.
    pub fn forget_line(&mut self) {
        self.now = None;
    }
}

impl Writer<'_> {
    /// Steps in their order.
    pub(super) fn steps<'s>(
        &mut self,
        steps: impl IntoIterator<Item = &'s Step>,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        for step in steps {
            self.step(step, code)?;
        }
        code.of = None;
        Ok(())
    }

    fn step(&mut self, step: &Step, code: &mut Code) -> Result<(), WriteError> {
        match step {
            Step::Inst {
                opcode,
                args,
                results,
                guard,
                origin,
                ..
            } => {
                self.line_of(*origin, code);
                let guard = match guard {
                    Some((guard, not)) => Some((self.register(*guard, code)?, *not)),
                    None => None,
                };
                if !self.fits(opcode, args, results) {
                    return Err(WriteError::Opcode(format!("{opcode:?}")));
                }
                let printed = self.values.printed(opcode, results).iter();
                let named = printed.map(|one| self.values.result(one.value).cloned());
                let named: Vec<Named> = named.collect::<Result<_, _>>()?;
                let made = code.lines.len();
                let made = match (opcode, &args[..], &named[..]) {
                    // No register for what is only copied.
                    (Opcode::Op(Op::Copy { .. }), &[Ref::Special(width, special)], [to]) => {
                        let special = special_of(width, special)?;
                        code.push(format!("mov.u{width} {}, {special};", to.name));
                        made
                    }
                    _ => {
                        let operands = self.operands(opcode, args, code)?;
                        let made = code.lines.len();
                        self.instruction(opcode, &named, operands, code)?;
                        made
                    }
                };
                if let Some((name, not)) = guard
                    && !active(Mutation::GuardDropped)
                {
                    let negated = not && !active(Mutation::NegationLost);
                    let not = if negated { "!" } else { "" };
                    for line in &mut code.lines[made..] {
                        line.text = format!("@{not}{name} {}", line.text);
                    }
                }
                Ok(())
            }
            Step::If {
                condition,
                then,
                otherwise,
                results,
                origin,
            } => {
                self.line_of(*origin, code);
                self.decision(*condition, [then, otherwise], results, code)
            }
        }
    }

    /// Whether an instruction has registers of the widths that it needs.
    fn fits(&self, opcode: &Opcode, args: &[Ref], results: &[NewResult]) -> bool {
        let given = results.iter().map(|one| one.width);
        let wanted = |index| widths::operand(opcode, index, args.len());
        let mut args = args.iter().enumerate();
        widths::results(opcode).is_none_or(|widths| widths.into_iter().eq(given))
            && args.all(|(index, &arg)| {
                wanted(index).is_none_or(|width| self.width(arg) == Some(width))
            })
    }

    fn width(&self, arg: Ref) -> Option<u8> {
        match arg {
            Ref::Value(value) => Some(self.source.view.lowered.function.value(value).width),
            Ref::New(value) => Some(self.values.result(value).ok()?.width),
            Ref::Variable(id) => Some(self.values.variable(id).ok()?.width),
            Ref::Constant(width, _) | Ref::Special(width, _) => Some(width),
        }
    }

    /// The operands of an instruction as it writes them.
    pub(super) fn operands(
        &mut self,
        opcode: &Opcode,
        args: &[Ref],
        code: &mut Code,
    ) -> Result<Vec<String>, WriteError> {
        let mut operands = Vec::with_capacity(args.len());
        let mut numbers = 0;
        for (index, &arg) in args.iter().enumerate() {
            let address = index == 0 && matches!(opcode, Opcode::Load(_) | Opcode::Store(_));
            let width = widths::operand(opcode, index, args.len());
            let fits = |bits: u8| Some(bits) == width && bits >= 16;
            let number = match takes_number(opcode, index, numbers) {
                true => self.number(arg).filter(|&(bits, _)| fits(bits)),
                false => None,
            };
            operands.push(match (address, number) {
                (true, _) => self.address(opcode, arg, code)?,
                (_, Some((_, text))) => {
                    numbers += 1;
                    text
                }
                _ => match self.untyped(opcode, index, arg) {
                    Some(name) => name.to_string(),
                    None => self.register(arg, code)?,
                },
            });
        }
        Ok(operands)
    }

    /// The register of the text, if an operand may be of any type.
    fn untyped(&self, opcode: &Opcode, index: usize, arg: Ref) -> Option<&str> {
        match arg {
            Ref::Value(value) if is_untyped(opcode, index) && self.values.copy(value).is_none() => {
                self.source.held_as_it_is(value)
            }
            _ => None,
        }
    }

    /// A constant: its width, and its text as a signed number.
    fn number(&self, arg: Ref) -> Option<(u8, String)> {
        let (width, bits) = match arg {
            Ref::Constant(width, bits) => (width, bits),
            Ref::Value(value) => {
                let data = self.source.view.lowered.function.value(value);
                match data.def {
                    ValueDef::Constant(bits) => (data.width, bits),
                    ValueDef::Undefined => (data.width, 0),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let text = match width {
            1 => (bits & 1).to_string(),
            8 => (bits as u8).to_string(),
            16 => (bits as i16).to_string(),
            32 => (bits as i32).to_string(),
            _ => (bits as i64).to_string(),
        };
        Some((width, text))
    }

    /// The text between the brackets of an access, without its offset.
    fn address(
        &mut self,
        opcode: &Opcode,
        arg: Ref,
        code: &mut Code,
    ) -> Result<String, WriteError> {
        let space = match opcode {
            Opcode::Load(access) | Opcode::Store(access) => access.space,
            _ => Space::Generic,
        };
        if let Ref::Value(value) = arg
            && let ValueDef::Address(base, offset) =
                &self.source.view.lowered.function.value(value).def
            && space != Space::Generic
        {
            let symbol = self.source.view.symbol(base);
            let symbol = symbol.ok_or(WriteError::Unreadable(value))?;
            return Ok(opcodes::displaced(symbol, *offset));
        }
        self.register(arg, code)
    }

    /// The register that holds what is read.
    pub(super) fn register(&mut self, arg: Ref, code: &mut Code) -> Result<String, WriteError> {
        if let Some((width, text)) = self.number(arg) {
            let named = fresh(&mut self.registers, width)?;
            code.push(format!("{} {}, {text};", mov(width), named.name));
            return Ok(named.name);
        }
        match arg {
            Ref::New(new) => Ok(self.values.result(new)?.name.clone()),
            Ref::Variable(id) => Ok(self.values.variable(id)?.name.clone()),
            Ref::Special(width, special) => self.special(width, special, code),
            Ref::Constant(..) => Err(WriteError::Opcode(format!("{arg:?}"))),
            Ref::Value(value) => {
                if let Some((named, _)) = self.values.copy(value) {
                    return Ok(named.name.clone());
                }
                if let Some(name) = self.source.view.direct(value) {
                    return Ok(name.to_string());
                }
                let data = self.source.view.lowered.function.value(value);
                match &data.def {
                    ValueDef::Special(special) => self.special(data.width, *special, code),
                    ValueDef::Address(base, offset) if matches!(data.width, 32 | 64) => {
                        // The address of a parameter is no value of its own.
                        let symbol = self.source.view.symbol(base);
                        let symbol = symbol.filter(|_| !matches!(base, Base::Parameter(_)));
                        let symbol = symbol.ok_or(WriteError::Unreadable(value))?;
                        let named = fresh(&mut self.registers, data.width)?;
                        let width = data.width;
                        let address = opcodes::displaced(symbol, *offset);
                        code.push(format!("mov.u{width} {}, {address};", named.name));
                        Ok(named.name)
                    }
                    _ => Err(WriteError::Unreadable(value)),
                }
            }
        }
    }

    fn special(
        &mut self,
        width: u8,
        special: Special,
        code: &mut Code,
    ) -> Result<String, WriteError> {
        let special = special_of(width, special)?;
        let named = fresh(&mut self.registers, width)?;
        code.push(format!("mov.u{width} {}, {special};", named.name));
        Ok(named.name)
    }

    /// One instruction, or the few that do the same where there is none.
    pub(super) fn instruction(
        &mut self,
        opcode: &Opcode,
        results: &[Named],
        operands: Vec<String>,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let names: Vec<String> = results.iter().map(|named| named.name.clone()).collect();
        match (opcode, &operands[..], &names[..]) {
            (Opcode::Op(Op::Select { width: 1 }), [a, b, condition], [to]) => {
                let [yes, not, no] = [(); 3].map(|()| fresh(&mut self.registers, 1));
                let (yes, not, no) = (yes?.name, not?.name, no?.name);
                let (a, b) = match active(Mutation::PredicateChoiceSwapped) {
                    true => (b, a),
                    false => (a, b),
                };
                code.push(format!("and.pred {yes}, {a}, {condition};"));
                code.push(format!("not.pred {not}, {condition};"));
                code.push(format!("and.pred {no}, {b}, {not};"));
                code.push(format!("or.pred {to}, {yes}, {no};"));
            }
            (Opcode::Op(Op::Extend { from, to: 1, .. }), [a], [_])
                if matches!(from, 16 | 32 | 64) =>
            {
                let bit = fresh(&mut self.registers, *from)?.name;
                code.push(format!("and.b{from} {bit}, {a}, 1;"));
                let test = Op::Compare {
                    comparison: Comparison::Ne,
                    ty: Type::new(Kind::Bits, *from),
                    logic: None,
                    ftz: false,
                };
                let results = [names[0].clone(), fresh(&mut self.registers, 1)?.name];
                let operands = [bit, "0".to_string()];
                code.push(opcodes::statement(&Opcode::Op(test), &results, &operands)?);
            }
            (Opcode::Op(Op::Copies { width, .. }), _, _) if matches!(width, 1 | 16 | 32 | 64) => {
                for (to, from) in names.iter().zip(&operands) {
                    code.push(format!("{} {to}, {from};", mov(*width)));
                }
            }
            (Opcode::Op(op), ..) => {
                let op = widened(*op);
                code.push(opcodes::statement(&Opcode::Op(op), &names, &operands)?);
                // Of scalars of half precision the second predicate can't be had.
                if let (Op::Compare { ty, logic, .. }, [holds, fails]) = (op, &names[..])
                    && ty.float()
                    && ty.bits == 16
                {
                    let negated = Opcode::Op(Op::Not { width: 1 });
                    if logic.is_some() {
                        return Err(WriteError::Opcode(format!("{op:?}")));
                    }
                    let (to, from) = ([fails.clone()], [holds.clone()]);
                    code.push(opcodes::statement(&negated, &to, &from)?);
                }
            }
            _ => code.push(opcodes::statement(opcode, &names, &operands)?),
        }
        Ok(())
    }

    /// `to` gets what is read.
    pub(super) fn assign(
        &mut self,
        to: &str,
        width: u8,
        value: Ref,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let text = match self.number(value) {
            Some((_, text)) => text,
            None => self.register(value, code)?,
        };
        // It may have been computed there.
        if text != to {
            code.push(format!("{} {to}, {text};", mov(width)));
        }
        Ok(())
    }

    fn decision(
        &mut self,
        condition: Ref,
        [then, otherwise]: [&[Step]; 2],
        results: &[Merged],
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let condition = self.register(condition, code)?;
        let (no, join) = (self.label(), self.label());
        let merged = results
            .iter()
            .map(|merged| self.values.result(merged.result.value).cloned());
        let merged: Vec<Named> = merged.collect::<Result<_, _>>()?;
        let not = if active(Mutation::ArmsSwapped) {
            ""
        } else {
            "!"
        };
        code.push(format!("@{not}{condition} bra {no};"));
        self.steps(then, code)?;
        for (one, named) in results.iter().zip(&merged) {
            self.assign(&named.name, named.width, one.then, code)?;
        }
        code.push(format!("bra {join};"));
        code.push(format!("{no}:"));
        self.steps(otherwise, code)?;
        for (one, named) in results.iter().zip(&merged) {
            let of_first = active(Mutation::MergedOfFirst);
            let value = if of_first { one.then } else { one.otherwise };
            self.assign(&named.name, named.width, value, code)?;
        }
        code.push(format!("{join}:"));
        Ok(())
    }

    /// The next lines belong to the line of the source that a statement comes from.
    pub(super) fn line_of(&self, origin: u32, code: &mut Code) {
        let instruction = self.source.view.binding.instruction(origin);
        let location = instruction.and_then(|instruction| instruction.location);
        self.set_line(location, code);
        let statement = instruction.and_then(|_| self.source.body.statements.get(origin as usize));
        code.of = statement.map(|statement| statement.span.start);
    }

    /// What follows in the text belongs to the line that it did.
    pub(super) fn restore_line(&self, code: &mut Code) {
        self.set_line(code.here, code);
    }

    /// The next lines belong to the line of the source that a `.loc` statement names.
    pub(super) fn set_line(&self, location: Option<u32>, code: &mut Code) {
        if location.is_none() || location == code.now {
            return;
        }
        let statement = location.and_then(|at| self.source.body.statements.get(at as usize));
        if let Some(statement) = statement {
            let text = self.source.module.copied(statement.span);
            // What is inlined names the line of its caller, which must come first in the text: it does in front of that `.loc` itself.
            let above = location <= code.here;
            let end = text.find(',').filter(|_| !above).unwrap_or(text.len());
            code.push(text[..end].to_string());
            code.now = location;
        }
    }
}
