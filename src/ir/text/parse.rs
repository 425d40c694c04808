//! The text as a function.
//!
//! In two rounds, since a value may be used in front of its definition: blocks and all that is defined first, then operands.

use super::definition::{Definition, definition, is_definition, param, shape};
use super::line::{Line, Parsed};
use super::names::special_of;
use super::operation::opcode;
use super::print::{USUAL_WIDTH, operand_width};
use super::renumber::{MAX_NUMBER, renumber};
use super::words::read;
use crate::builder::FunctionBuilder;
use crate::function::{Base, BlockId, Function, InstId, Promises, Target, Terminator, Value};
use crate::types::Space;
use rustc_hash::FxHashMap;

/// What is wrong with a text, and in which line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads a function; values have the numbers that they have in the text. Empty lines, and lines that begin with `;`, are
/// ignored. Whether the function is well formed is checked by [`verify`](crate::verify::verify).
///
/// # Errors
/// The text is no function.
pub fn parse(text: &str) -> Result<Function, ParseError> {
    let mut parser = Parser::default();
    let lines = text.lines().map(str::trim).zip(1..);
    let lines: Vec<(&str, usize)> = lines
        .filter(|(line, _)| !line.is_empty() && !line.starts_with(';'))
        .collect();
    let at = |line: usize| move |message: String| ParseError { line, message };
    for &(line, number) in &lines {
        parser.define(line).map_err(at(number))?;
    }
    let last = lines.last().map_or(1, |&(_, number)| number);
    if parser.state != State::Ended {
        return Err(at(last)("the function does not end".into()));
    }
    for (line, number) in parser.pending.split_off(0) {
        let line_number = lines.get(number).map_or(last, |&(_, number)| number);
        parser.fill(line).map_err(at(line_number))?;
    }
    let mut function = parser.builder.finish();
    renumber(&mut function, &parser.values);
    Ok(function)
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    Header,
    Body,
    Ended,
}

/// What has operands that are filled in at the end.
enum Pending<'a> {
    Inst(InstId, Option<&'a str>, Line<'a>),
    Terminator(BlockId, Line<'a>, u32),
    Assumed(BlockId, Line<'a>),
}

#[derive(Default)]
struct Parser<'a> {
    state: State,
    builder: FunctionBuilder,
    /// Values by their numbers in the text.
    values: FxHashMap<u32, Value>,
    spaces: Vec<Option<Space>>,
    block: Option<BlockId>,
    ended: bool,
    /// With the index of their lines.
    pending: Vec<(Pending<'a>, usize)>,
    line: usize,
}

impl<'a> Parser<'a> {
    /// The first round, of one line.
    fn define(&mut self, line: &'a str) -> Parsed<()> {
        let number = self.line;
        self.line += 1;
        let mut cursor = Line(line);
        match self.state {
            State::Start => self.signature(&mut cursor)?,
            State::Ended => return Err("there is more behind the function".into()),
            _ if line == "}" => {
                self.end_block()?;
                self.state = State::Ended;
                return Ok(());
            }
            _ if line.starts_with("block") && line.ends_with(':') => self.block(&mut cursor)?,
            State::Header => self.header(&mut cursor)?,
            State::Body => return self.statement(cursor, number),
        }
        cursor.end()
    }

    fn signature(&mut self, cursor: &mut Line<'a>) -> Parsed<()> {
        let entry = cursor.word() == "kernel";
        let name = cursor.name()?;
        self.builder = FunctionBuilder::new(&name, entry);
        cursor.expect("(")?;
        while !cursor.take(")") {
            let param = param(cursor, entry)?;
            self.builder.function.params.push(param);
            cursor.take(",");
        }
        self.state = State::Header;
        cursor.expect("{")
    }

    fn header(&mut self, cursor: &mut Line<'a>) -> Parsed<()> {
        let function = &mut self.builder.function;
        match cursor.word() {
            "required" => function.required_threads = Some(shape(cursor)?),
            "at" if cursor.word() == "most" => function.max_threads = Some(shape(cursor)?),
            "callers" if (cursor.word(), cursor.word()) == ("may", "write") => {
                function.callers_may_write = true;
            }
            "variable" => {
                let space = match cursor.word() {
                    "unused" => None,
                    word => Some(read(&[word]).map_err(|error| error.to_string())?),
                };
                let number = function.variables.len() as u32;
                function.variables.push(cursor.name()?.into());
                self.spaces.push(space);
                if cursor.take("dynamic") {
                    function.dynamic_shared.push(number);
                }
            }
            word => return Err(format!("unexpected `{word}`")),
        }
        Ok(())
    }

    fn block(&mut self, cursor: &mut Line<'a>) -> Parsed<()> {
        self.end_block()?;
        self.state = State::Body;
        cursor.expect("block")?;
        let number: u32 = cursor.number()?;
        let id = self.builder.block();
        if id.0 != number {
            return Err(format!("the next block is {id}"));
        }
        (self.block, self.ended) = (Some(id), false);
        if cursor.take("(") {
            while !cursor.take(")") {
                let definition = definition(cursor)?;
                let value = self.builder.param(id, definition.width);
                self.name(&definition, value)?;
                cursor.take(",");
            }
        }
        cursor.expect(":")
    }

    fn end_block(&self) -> Parsed<()> {
        match self.block.is_none() || self.ended {
            true => Ok(()),
            false => Err("the block in front has no end".into()),
        }
    }

    fn name(&mut self, definition: &Definition, value: Value) -> Parsed<()> {
        if definition.number > MAX_NUMBER {
            return Err(format!("v{} is too large a number", definition.number));
        }
        if self.values.insert(definition.number, value).is_some() {
            return Err(format!("v{} is defined twice", definition.number));
        }
        let function = &mut self.builder.function;
        if definition.promises != Promises::default() {
            *function.promises_mut(value) = definition.promises;
        }
        Ok(())
    }

    /// An instruction, the end of a block, or what is assumed of it.
    fn statement(&mut self, mut cursor: Line<'a>, line: usize) -> Parsed<()> {
        let block = self.block.ok_or("a statement in front of all blocks")?;
        if self.ended {
            return Err("a statement behind the end of its block".into());
        }
        if cursor.take("assume ") {
            self.pending.push((Pending::Assumed(block, cursor), line));
            return Ok(());
        }
        let (text, origin) = cursor
            .0
            .rsplit_once(';')
            .ok_or("expected `;` and the origin")?;
        let origin = origin
            .trim()
            .parse()
            .map_err(|_| "the origin is not a number")?;
        let mut cursor = Line(text.trim());
        let ends = ["jump ", "branch ", "branch.uniform ", "switch "];
        if ends.iter().any(|end| cursor.0.starts_with(end))
            || matches!(cursor.0, "return" | "exit" | "trap")
        {
            self.ended = true;
            let pending = Pending::Terminator(block, cursor, origin);
            self.pending.push((pending, line));
            return Ok(());
        }
        let guard = match cursor.take("@") {
            true => Some(cursor.until(' ')),
            false => None,
        };
        let mut definitions = Vec::new();
        if is_definition(cursor.0) {
            loop {
                definitions.push(definition(&mut cursor)?);
                if !cursor.take(",") {
                    break;
                }
            }
            cursor.expect("=")?;
        }
        let opcode = opcode(&mut cursor)?;
        let widths: Vec<u8> = definitions.iter().map(|one| one.width).collect();
        let id = self.builder.inst(block, opcode, &[], &widths, None, origin);
        let results = self.builder.function.inst(id).results.clone();
        for (definition, value) in definitions.iter().zip(results) {
            self.name(definition, value)?;
        }
        self.pending.push((Pending::Inst(id, guard, cursor), line));
        Ok(())
    }

    /// The second round.
    fn fill(&mut self, pending: Pending<'a>) -> Parsed<()> {
        match pending {
            Pending::Inst(id, guard, mut cursor) => {
                if let Some(guard) = guard {
                    let mut cursor = Line(guard);
                    let negated = cursor.take("!");
                    let value = self.operand(&mut cursor, 1)?;
                    self.builder.function.insts[id.index()].guard = Some((value, negated));
                    cursor.end()?;
                }
                let opcode = self.builder.function.inst(id).opcode.clone();
                while !cursor.0.is_empty() {
                    let count = self.builder.function.inst(id).args.len();
                    let value = self.operand(&mut cursor, operand_width(&opcode, count))?;
                    self.builder.function.insts[id.index()].args.push(value);
                    cursor.take(",");
                }
            }
            Pending::Terminator(block, mut cursor, origin) => {
                let terminator = self.terminator(&mut cursor)?;
                self.builder.terminate(block, terminator, origin);
                cursor.end()?;
            }
            Pending::Assumed(block, mut cursor) => {
                while !cursor.0.is_empty() {
                    let value = self.operand(&mut cursor, 1)?;
                    let block = &mut self.builder.function.blocks[block.index()];
                    block.assumed.push(value);
                    cursor.take(",");
                }
            }
        }
        Ok(())
    }

    fn terminator(&mut self, cursor: &mut Line<'a>) -> Parsed<Terminator> {
        Ok(match cursor.word() {
            "return" => Terminator::Return,
            "exit" => Terminator::Exit,
            "trap" => Terminator::Trap,
            "jump" => Terminator::Jump(self.target(cursor)?),
            "switch" => {
                let index = self.operand(cursor, USUAL_WIDTH)?;
                let mut targets = Vec::new();
                while cursor.take(",") {
                    targets.push(self.target(cursor)?);
                }
                Terminator::Switch { index, targets }
            }
            word => {
                let condition = self.operand(cursor, 1)?;
                cursor.expect(",")?;
                let then = self.target(cursor)?;
                cursor.expect(",")?;
                Terminator::Branch {
                    condition,
                    then,
                    otherwise: self.target(cursor)?,
                    uniform: word == "branch.uniform",
                }
            }
        })
    }

    fn target(&mut self, cursor: &mut Line<'a>) -> Parsed<Target> {
        cursor.expect("block")?;
        let block = BlockId(cursor.number()?);
        let blocks = &self.builder.function.blocks;
        let params = blocks
            .get(block.index())
            .ok_or(format!("there is no {block}"))?;
        let params = params.params.clone();
        let mut args = Vec::new();
        if cursor.take("(") {
            while !cursor.take(")") {
                let param = params.get(args.len());
                let width = param.map_or(USUAL_WIDTH, |&param| {
                    self.builder.function.value(param).width
                });
                args.push(self.operand(cursor, width)?);
                cursor.take(",");
            }
        }
        Ok(Target { block, args })
    }

    /// A value where so many bits are expected.
    fn operand(&mut self, cursor: &mut Line<'a>, expected: u8) -> Parsed<Value> {
        if cursor.take("undefined.v") {
            let number: u32 = cursor.number()?;
            let width = cursor.width_or(expected)?;
            if number > MAX_NUMBER {
                return Err(format!("v{number} is too large a number"));
            }
            // Two of them need not be equal; one is the same wherever it is used.
            if let Some(&value) = self.values.get(&number) {
                return Ok(value);
            }
            let value = self.builder.undefined(width);
            self.values.insert(number, value);
            return Ok(value);
        }
        if cursor.take("v") {
            let number: u32 = cursor.number()?;
            let value = self.values.get(&number).copied();
            return value.ok_or(format!("v{number} is not defined"));
        }
        if cursor.take("%") {
            let word = cursor.plain();
            let special = special_of(word).ok_or(format!("unknown register `%{word}`"))?;
            let width = cursor.width_or(expected)?;
            return Ok(self.builder.special(special, width));
        }
        if cursor.take("&") {
            let base = self.base(cursor)?;
            let offset = match cursor.0.starts_with(['+', '-']) {
                true => cursor.number()?,
                false => 0,
            };
            let width = cursor.width_or(expected)?;
            return Ok(self.builder.address(base, offset, width));
        }
        let bits: u64 = cursor.number()?;
        let width = cursor.width_or(expected)?;
        Ok(self.builder.constant(width, bits))
    }

    fn base(&self, cursor: &mut Line<'a>) -> Parsed<Base> {
        let name = cursor.name()?;
        let numbered = |kind: &str| name.strip_prefix(kind).and_then(|n| n.parse::<u32>().ok());
        let function = &self.builder.function;
        if let Some(number) = numbered("function") {
            return Ok(Base::Function(number));
        }
        let params = &function.params;
        let param = params.iter().position(|param| *param.name == *name);
        if let Some(index) = numbered("parameter").or(param.map(|index| index as u32)) {
            return Ok(Base::Parameter(index));
        }
        let variable = function.variables.iter().position(|one| **one == *name);
        let number = numbered("variable").or(variable.map(|number| number as u32));
        let number = number.ok_or(format!("there is no `{name}`"))?;
        let space = self.spaces.get(number as usize).copied().flatten();
        let space = space.ok_or(format!("the variable `{name}` has no state space"))?;
        Ok(Base::Variable(space, number))
    }
}
