//! Wide accesses as steps of a patch: one instruction in place of several, and what its elements are made of.

use super::accesses::Element;
use super::bulk::{MAX_NODES, is_before};
use super::reason::Kept;
use super::rewrite::Writer;
use super::spaces::is_windowed;
use super::statement::{Held, cut};
use super::wide::{Member, Wide};
use ptxasw_ir::function::{InstId, Value, ValueDef};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Access, Opcode};
use ptxasw_ir::patch::{Cursor, Ref};
use ptxasw_ir::types::{Kind, Space, Type};

/// What a wide access does, its address, and its predicate.
type Instruction = (Access, Ref, Option<(Ref, bool)>);

impl Writer<'_, '_> {
    /// Writes the wide access of a number.
    pub(super) fn vector(&mut self, number: usize) -> Result<(), Kept> {
        let wide = &self.wide[number];
        match self.accesses.get(wide.place).is_store {
            false => self.wide_load(number),
            true => self.wide_store(wide),
        }
    }

    fn wide_load(&mut self, number: usize) -> Result<(), Kept> {
        let wide = &self.wide[number];
        let place = self.accesses.get(wide.place).inst;
        for member in &wide.members {
            let inst = self.accesses.get(member.access).inst;
            if !self.statements.is_plain_load(inst) {
                return Err(Kept::Statement);
            }
        }
        let widths = vec![(wide.element * 8) as u8; (wide.bytes / wide.element) as usize];
        let at = wide.early.unwrap_or(wide.place);
        let at = self.accesses.get(at).inst;
        let mut next = self.next;
        let mut cursor = Cursor::new(&mut next, self.session.function.inst(place).origin);
        let (access, address, guard) = self.instruction(wide, at, &mut cursor)?;
        let elements = cursor.inst(Opcode::Load(access), &[address], &widths, guard);
        let at = self.before(at);
        cursor.done(&mut self.patch, at);
        self.next = next;
        let elements = elements.into_iter().map(Ref::New).collect();
        self.vectors.insert(number, elements);
        Ok(())
    }

    /// Takes what a narrow load gives from the wide one.
    pub(super) fn part(&mut self, number: usize, member: Member) -> Result<(), Kept> {
        let wide = &self.wide[number];
        let access = self.accesses.get(member.access);
        let (bytes, elements) = (access.element_bytes(), u32::from(access.access.elements));
        let vector = self.vectors.get(&number).ok_or(Kept::Statement)?;
        let mut all = Vec::new();
        for element in 0..elements {
            let at = member.skip + element * bytes;
            let value = vector.get((at / wide.element) as usize);
            all.push(Held {
                value: *value.ok_or(Kept::Statement)?,
                width: (wide.element * 8) as u8,
                skip: (at % wide.element) as u8,
            });
        }
        self.replace(member.access, |_| all)
    }

    fn wide_store(&mut self, wide: &Wide) -> Result<(), Kept> {
        let place = self.accesses.get(wide.place).inst;
        let mut stored: Vec<(u32, u32, Held)> = Vec::new();
        for member in &wide.members {
            let access = self.accesses.get(member.access);
            if !self.statements.is_plain_store(access.inst) {
                return Err(Kept::Statement);
            }
            for number in 0..access.access.elements {
                let element = Element {
                    access: member.access,
                    number,
                    skip: 0,
                };
                let held = self.statements.held(self.accesses, element);
                let held = held.ok_or(Kept::NoRegister(member.access))?;
                let bytes = access.element_bytes();
                stored.push((member.skip + u32::from(number) * bytes, bytes, held));
            }
        }
        let mut next = self.next;
        let mut cursor = Cursor::new(&mut next, self.session.function.inst(place).origin);
        let (access, address, guard) = self.instruction(wide, place, &mut cursor)?;
        let mut args = vec![address];
        for number in 0..u32::from(access.elements) {
            let first = number * wide.element;
            let parts = stored
                .iter()
                .filter(|(at, ..)| at / wide.element == number)
                .map(|&(at, bytes, held)| (at - first, bytes, held));
            let parts: Vec<(u32, u32, Held)> = parts.collect();
            args.push(joined(&parts, wide.element, &mut cursor).ok_or(Kept::Statement)?);
        }
        cursor.inst(Opcode::Store(access), &args, &[], guard);
        let at = self.after(place);
        cursor.done(&mut self.patch, at);
        self.next = next;
        for member in &wide.members {
            self.remove(self.accesses.get(member.access).inst);
        }
        Ok(())
    }

    /// The wide access, its address and its predicate in front of a statement, or at its place.
    fn instruction(
        &mut self,
        wide: &Wide,
        at: InstId,
        cursor: &mut Cursor,
    ) -> Result<Instruction, Kept> {
        let place = self.accesses.get(wide.place);
        let inst = self.session.function.inst(place.inst);
        let address = inst.args.first();
        let address = match wide.early {
            None => address.and_then(|&value| self.statements.read(value)),
            Some(_) => address.and_then(|&value| self.computed(value, at, cursor, MAX_NODES)),
        };
        let mut address = address.ok_or(Kept::NoRegister(wide.place))?;
        if place.access.space == Space::Generic && is_windowed(wide.space) {
            let (space, width) = (wide.space, 64);
            address = cursor.single(Op::FromGeneric { space, width }, &[address]);
        }
        let guard = match inst.guard {
            None => None,
            Some((value, is)) => {
                let value = self.statements.read(value);
                Some((value.ok_or(Kept::NoRegister(wide.place))?, is))
            }
        };
        let constant = place.place.map_or(0, |(_, constant)| constant);
        let access = Access {
            space: wide.space,
            ty: Type::new(Kind::Bits, (wide.element * 8) as u8),
            elements: (wide.bytes / wide.element) as u8,
            offset: place
                .access
                .offset
                .wrapping_add(wide.start.wrapping_sub(constant)),
            hints: false,
            skipped: 0,
            ..place.access
        };
        Ok((access, address, guard))
    }
}

impl Writer<'_, '_> {
    /// What an address is in front of a statement: a value that is there, or operations on such.
    fn computed(
        &mut self,
        value: Value,
        at: InstId,
        cursor: &mut Cursor,
        depth: usize,
    ) -> Option<Ref> {
        let key = (value, self.session.function.inst(at).block);
        if let Some(&known) = self.computed.get(&key) {
            return Some(known);
        }
        let function = self.session.function;
        let there = function.inst(at).block;
        let statements = &self.statements;
        if is_before(function, |id| statements.index(id), value, there, at) {
            return self.statements.read(value);
        }
        let ValueDef::Result(id, _) = function.value(value).def else {
            return None;
        };
        let inst = function.inst(id);
        let Opcode::Op(op) = inst.opcode else {
            return None;
        };
        let depth = depth.checked_sub(1)?;
        let mut args = Vec::with_capacity(inst.args.len());
        for &arg in &inst.args {
            args.push(self.computed(arg, at, cursor, depth)?);
        }
        let computed = cursor.single(op, &args);
        self.computed.insert(key, computed);
        Some(computed)
    }
}

/// One register of so many bytes that holds parts: where each begins, its bytes, and what has them in its lower bits.
fn joined(parts: &[(u32, u32, Held)], bytes: u32, cursor: &mut Cursor) -> Option<Ref> {
    let width = (bytes * 8) as u8;
    let mut whole = None;
    for (at, part, held) in parts {
        let low = cut(held, (part * 8) as u8, cursor);
        let wide = match part == &bytes {
            true => low,
            false => {
                let (from, to, signed) = ((part * 8) as u8, width, false);
                cursor.single(Op::Extend { from, to, signed }, &[low])
            }
        };
        let placed = match at {
            0 => wide,
            at => {
                let amount = Ref::Constant(32, u64::from(at * 8));
                cursor.single(Op::Shl { width }, &[wide, amount])
            }
        };
        whole = Some(match whole {
            None => placed,
            Some(whole) => cursor.single(Op::Or { width }, &[whole, placed]),
        });
    }
    whole
}
