//! Random patches that change nothing of what a function computes: values are computed again, chosen against themselves, carried
//! in variables; loads are duplicated on both sides of a branch; statements move; regions have clones.

mod decisions;

use super::random::Random;
use ptxasw::ir::function::{BlockId, Function, InstId, Terminator, Value};
use ptxasw::ir::op::{Comparison, Op};
use ptxasw::ir::opcode::Opcode;
use ptxasw::ir::patch::{
    CloneId, Cursor, Exit, Location, NewValue, Patch, Point, Positions, Readable, Redirect, Ref,
    RegionClone, Relocation, Removal, Step, Text, Variable, VariableId,
};
use ptxasw::ir::types::{Kind, Space, Special, Type};
use std::collections::HashSet;

/// What a patch is made of.
pub struct Generator<'a> {
    function: &'a Function,
    text: &'a dyn Text,
    positions: Positions<'a>,
    random: Random,
    patch: Patch,
    next: u32,
    /// Statements that are changed already, by their first instructions.
    touched: HashSet<(Option<CloneId>, InstId)>,
    /// The regions that edits are made in as well.
    regions: Vec<RegionClone>,
}

/// A patch of a function by a seed, of about so many edits.
pub fn patch(function: &Function, text: &dyn Text, seed: u64, edits: usize) -> Patch {
    let mut generator = Generator {
        function,
        text,
        positions: Positions::new(function),
        random: Random(seed),
        patch: Patch::default(),
        next: 0,
        touched: HashSet::new(),
        regions: Vec::new(),
    };
    for _ in 0..generator.random.below(3) {
        generator.clone_region();
    }
    for _ in 0..edits {
        match generator.random.one_in(6) {
            true => generator.parameter(),
            false => generator.edit(),
        }
    }
    generator.patch
}

impl Generator<'_> {
    /// A condition that some lanes, all, or none fulfil, with the code for it.
    fn condition(&mut self, uniform: bool, cursor: &mut Vec<Step>) -> Ref {
        match self.random.below(4) {
            0 => return Ref::Constant(1, self.random.next() & 1),
            1 | 2 if !uniform => {}
            _ => {}
        }
        let special = match uniform {
            true => Special::Ctaid(0),
            false => Special::Tid(0),
        };
        let shift = self.random.below(3) as u64;
        let shr = Op::Shr {
            width: 32,
            signed: false,
        };
        let shifted = self.op(
            shr,
            &[Ref::Special(32, special), Ref::Constant(32, shift)],
            cursor,
        );
        let bit = Op::Extend {
            from: 32,
            to: 1,
            signed: false,
        };
        self.op(bit, &[shifted], cursor)
    }

    fn fresh(&mut self) -> NewValue {
        self.next += 1;
        NewValue(self.next)
    }

    fn op(&mut self, op: Op, args: &[Ref], steps: &mut Vec<Step>) -> Ref {
        let mut patch = Patch::default();
        let mut next = self.next + 1;
        let mut cursor = Cursor::new(&mut next, 0);
        let result = cursor.single(op, args);
        cursor.done(&mut patch, Point::Start(BlockId(0)));
        self.next = next;
        steps.append(&mut patch.insert[0].steps);
        result
    }

    fn insert(&mut self, clone: Option<CloneId>, point: Point, steps: Vec<Step>) {
        let at = Location { clone, point };
        self.patch
            .insert
            .push(ptxasw::ir::patch::Insertion { at, steps });
    }

    /// A second copy of some blocks, in which edits are made as well.
    fn clone_region(&mut self) {
        let blocks: Vec<BlockId> = self.function.block_ids().collect();
        let block = blocks[self.random.below(blocks.len())];
        let insts = &self.function.block(block).insts;
        let goes_back = |blocks: &[BlockId]| {
            let all = blocks.iter().chain([&block]);
            let mut targets = all.flat_map(|&one| self.function.block(one).terminator.targets());
            targets.any(|target| target.block == block)
        };
        let enter = match insts.is_empty() || self.random.one_in(4) {
            _ if self.random.one_in(3) => Point::Start(block),
            true => Point::End(block),
            false => {
                let id = insts[self.random.below(insts.len())];
                Point::Before(self.positions.statement(id).unwrap()[0])
            }
        };
        // What can be reached from there, up to some number of blocks.
        let mut region = Vec::new();
        let mut stack = vec![block];
        let bound = self.random.below(6);
        while let Some(one) = stack.pop() {
            for target in self.function.block(one).terminator.targets() {
                let new = target.block != block && !region.contains(&target.block);
                if new && region.len() < bound && !self.random.one_in(5) {
                    region.push(target.block);
                    stack.push(target.block);
                }
            }
        }
        let uniform = self.random.one_in(2);
        let mut steps = Vec::new();
        let condition = self.condition(uniform, &mut steps);
        let id = CloneId(self.regions.len() as u32);
        let mut clone = RegionClone {
            id,
            enter,
            condition,
            after: None,
            blocks: region,
            exits: Vec::new(),
            settled: Vec::new(),
            together: false,
        };
        if self.text.clonable(&clone).is_err() {
            return;
        }
        self.insert(None, enter, steps);
        let statements = self.statements_of(&clone);
        if !statements.is_empty() && self.random.one_in(2) {
            let first = statements[self.random.below(statements.len())];
            // Who leaves the clone there passes by what is inserted there in the original.
            self.touched.extend([(None, first), (Some(id), first)]);
            let at = Point::Before(first);
            let mut steps = Vec::new();
            let stay = self.condition(uniform, &mut steps);
            self.insert(Some(id), at, steps);
            clone.exits.push(Exit {
                at,
                stay: Some(stay).filter(|_| !self.random.one_in(8)),
            });
        }
        // What goes back to its start may have more copies, for the next iterations.
        let chained =
            goes_back(&clone.blocks) && self.positions.of(enter).is_ok_and(|at| at.1 == 0);
        let more = if chained { self.random.below(3) } else { 0 };
        self.regions.push(clone.clone());
        self.patch.clones.push(clone.clone());
        for _ in 0..more {
            let before = Some(clone.id);
            clone.id = CloneId(self.regions.len() as u32);
            (clone.after, clone.exits) = (before, Vec::new());
            self.regions.push(clone.clone());
            self.patch.clones.push(clone.clone());
        }
    }

    /// The first instructions of the statements that a region has.
    fn statements_of(&self, region: &RegionClone) -> Vec<InstId> {
        let (block, from) = self.positions.of(region.enter).unwrap();
        let of = |block: BlockId, from: usize| &self.function.block(block).insts[from..];
        let blocks = region.blocks.iter().map(|&block| of(block, 0));
        let insts = blocks.chain([of(block, from)]).flatten().copied();
        insts
            .filter(|&id| self.positions.statement(id).unwrap()[0] == id)
            .collect()
    }

    /// The original, or one of the clones that have a statement or the parameters of a block.
    fn copy_of(&mut self, block: BlockId, first: Option<InstId>) -> Option<CloneId> {
        let inside = |region: &&RegionClone| match (region.blocks.contains(&block), first) {
            (true, _) => true,
            (false, None) => false,
            (false, Some(first)) => {
                let (enter, from) = self.positions.of(region.enter).unwrap();
                enter == block && self.positions.index(first) >= from
            }
        };
        let copies = self.regions.iter().filter(inside).map(|one| Some(one.id));
        let copies: Vec<Option<CloneId>> = copies.chain([None]).collect();
        copies[self.random.below(copies.len())]
    }

    /// A value that a block is passed, and another number by a detour.
    fn parameter(&mut self) {
        let blocks: Vec<BlockId> = self.function.block_ids().collect();
        let block = blocks[self.random.below(blocks.len())];
        let params = &self.function.block(block).params;
        if params.is_empty() {
            return;
        }
        let value = params[self.random.below(params.len())];
        let clone = self.copy_of(block, None);
        let width = self.function.value(value).width;
        let known = |one: &Redirect| one.clone == clone && one.value == value;
        if !matches!(width, 16 | 32 | 64)
            || !self.readable(&[value])
            || self.patch.redirect.iter().any(known)
        {
            return;
        }
        let mut steps = Vec::new();
        let number = Ref::Constant(width, self.random.next() & 0xffff);
        let sum = self.op(Op::Add { width }, &[value.into(), number], &mut steps);
        let same = self.op(Op::Sub { width }, &[sum, number], &mut steps);
        self.insert(clone, Point::Start(block), steps);
        self.redirect(clone, value, same);
    }

    fn edit(&mut self) {
        if self.function.insts.is_empty() {
            return;
        }
        let id = InstId(self.random.below(self.function.insts.len()) as u32);
        let statement = self.positions.statement(id).unwrap().to_vec();
        let inst = self.function.inst(id);
        // The statement of the branch that ends a block can't be taken apart.
        let block = self.function.block(inst.block);
        if block.origin == inst.origin
            && !matches!(block.terminator, Terminator::Jump(_) | Terminator::Return)
        {
            return;
        }
        let clone = self.copy_of(inst.block, Some(statement[0]));
        if !self.touched.insert((clone, statement[0])) {
            return;
        }
        match (&inst.opcode, statement.len()) {
            (Opcode::Op(_), 1) if inst.results.len() == 1 => match self.random.below(4) {
                0 => self.moved(clone, id),
                1 => self.in_variable(clone, id),
                2 => self.against_itself(clone, id),
                _ => self.again(clone, id),
            },
            (Opcode::Load(access), 1)
                if access.order.is_weak() && !access.hints && inst.guard.is_none() =>
            {
                match self.random.below(3) {
                    0 => self.against_itself(clone, id),
                    1 => self.moved(clone, id),
                    _ => self.on_both_sides(clone, id),
                }
            }
            (Opcode::Load(_) | Opcode::Op(_), _) => {
                let last = *statement.last().unwrap();
                self.against_itself(clone, last);
            }
            (Opcode::Store(access), _)
                if access.order.is_weak() && !access.hints && access.space != Space::ParamFunc =>
            {
                self.stored_again(clone, &statement, id);
            }
            _ => {}
        }
    }

    fn readable(&self, values: &[Value]) -> bool {
        values
            .iter()
            .all(|&value| self.text.readable(value) != Readable::No)
    }

    fn refs(&self, values: &[Value]) -> Vec<Ref> {
        values.iter().map(|&value| Ref::Value(value)).collect()
    }

    fn redirect(&mut self, clone: Option<CloneId>, value: Value, to: Ref) {
        self.patch.redirect.push(Redirect { clone, value, to });
    }

    /// An operation of the kernel once more.
    fn again(&mut self, clone: Option<CloneId>, id: InstId) {
        let inst = self.function.inst(id);
        let Opcode::Op(op) = inst.opcode else { return };
        if !self.readable(&inst.args) || !is_written(&op) {
            return;
        }
        let mut steps = Vec::new();
        let args = self.refs(&inst.args);
        let result = self.op(op, &args, &mut steps);
        self.insert(clone, Point::Before(id), steps);
        self.redirect(clone, inst.results[0], result);
        if self.random.one_in(2) {
            self.patch.remove.push(Removal { clone, inst: id });
        }
    }

    /// A value or another number, by a condition that always holds; or by one that does not matter.
    fn against_itself(&mut self, clone: Option<CloneId>, id: InstId) {
        let inst = self.function.inst(id);
        if inst.results.is_empty() {
            return;
        }
        let value = inst.results[self.random.below(inst.results.len())];
        let width = self.function.value(value).width;
        if !matches!(width, 16 | 32 | 64) || !self.readable(&[value]) || self.is_inside(id, value) {
            return;
        }
        let mut steps = Vec::new();
        let own = Ref::Value(value);
        let chosen = match self.random.one_in(2) {
            true => {
                let compare = Op::Compare {
                    comparison: Comparison::Ge,
                    ty: Type::new(Kind::Unsigned, 32),
                    logic: None,
                    ftz: false,
                };
                let lane = Ref::Special(32, Special::LaneId);
                let holds = self.op(compare, &[lane, Ref::Constant(32, 0)], &mut steps);
                self.op(
                    Op::Select { width },
                    &[own, Ref::Constant(width, 7), holds],
                    &mut steps,
                )
            }
            false => {
                let number = Ref::Constant(width, self.random.next() & 0xffff);
                let sum = self.op(Op::Add { width }, &[own, number], &mut steps);
                self.op(Op::Sub { width }, &[sum, number], &mut steps)
            }
        };
        self.insert(clone, Point::After(id), steps);
        self.redirect(clone, value, chosen);
    }

    /// Whether a statement goes on with a value.
    fn is_inside(&self, id: InstId, value: Value) -> bool {
        let statement = self.positions.statement(id).unwrap();
        let reads = |one: &InstId| {
            let inst = self.function.inst(*one);
            inst.args.contains(&value) || inst.guard.is_some_and(|guard| guard.0 == value)
        };
        statement.last() != Some(&id) || statement.iter().any(reads)
    }

    fn in_variable(&mut self, clone: Option<CloneId>, id: InstId) {
        let value = self.function.inst(id).results[0];
        let width = self.function.value(value).width;
        if !matches!(width, 1 | 16 | 32 | 64) || !self.readable(&[value]) {
            return;
        }
        let variable = VariableId(self.patch.variables.len() as u32);
        // What a redirection reads must be set in front of it.
        let first = Location {
            clone,
            point: Point::Before(id),
        };
        let start = Location::from(Point::Start(BlockId(0)));
        let args = &self.function.inst(id).args;
        let Opcode::Op(op) = self.function.inst(id).opcode else {
            return;
        };
        if !self.readable(args) || !is_written(&op) {
            return;
        }
        let (mut steps, args) = (Vec::new(), self.refs(args));
        let result = self.op(op, &args, &mut steps);
        self.insert(clone, Point::Before(id), steps);
        self.patch.variables.push(Variable {
            width,
            sets: vec![(start, Ref::Constant(width, 1)), (first, result)],
        });
        self.redirect(clone, value, Ref::Variable(variable));
    }

    /// A statement moves within its block, between its operands' definitions and its first use.
    fn moved(&mut self, clone: Option<CloneId>, id: InstId) {
        let inst = self.function.inst(id);
        let insts = &self.function.block(inst.block).insts;
        let at = self.positions.index(id);
        let memory = matches!(inst.opcode, Opcode::Load(_));
        let (mut first, mut last) = (at, at);
        while first > 0 {
            let above = self.function.inst(insts[first - 1]);
            let feeds = above.results.iter().any(|value| inst.args.contains(value));
            if feeds || memory && !matches!(above.opcode, Opcode::Op(_) | Opcode::Load(_)) {
                break;
            }
            first -= 1;
        }
        while last + 1 < insts.len() {
            let below = self.function.inst(insts[last + 1]);
            let guard = below.guard.map(|guard| guard.0);
            let mut read = below.args.iter().copied().chain(guard);
            let reads = read.any(|value| inst.results.contains(&value));
            if reads || memory && !matches!(below.opcode, Opcode::Op(_) | Opcode::Load(_)) {
                break;
            }
            last += 1;
        }
        let to = insts[first + self.random.below(last - first + 1)];
        let point = match to == id {
            true => return,
            false if self.positions.index(to) < at => {
                Point::Before(self.positions.statement(to).unwrap()[0])
            }
            false => Point::After(*self.positions.statement(to).unwrap().last().unwrap()),
        };
        // Widening to whole statements may have gone past what it reads.
        if self.positions.of(point).is_ok() && self.readable(&inst.args) {
            let to = Location { clone, point };
            self.patch.relocate.push(Relocation { inst: id, to });
        }
    }

    fn stored_again(&mut self, clone: Option<CloneId>, statement: &[InstId], id: InstId) {
        let inst = self.function.inst(id);
        let guard = inst.guard.map(|(guard, not)| (Ref::Value(guard), not));
        let guarded = inst.guard.map(|guard| guard.0);
        let read: Vec<Value> = inst.args.iter().copied().chain(guarded).collect();
        if !self.readable(&read) || statement.len() > 1 {
            return;
        }
        let step = Step::Inst {
            opcode: inst.opcode.clone(),
            args: self.refs(&inst.args),
            results: Vec::new(),
            guard,
            origin: inst.origin,
            keep: false,
        };
        self.insert(clone, Point::Before(id), vec![step]);
        self.patch.remove.push(Removal { clone, inst: id });
    }
}

/// Whether both back ends have a text for an operation; the flags of extended arithmetic have none.
fn is_written(op: &Op) -> bool {
    let plain = |width: u8| matches!(width, 1 | 16 | 32 | 64);
    match *op {
        Op::Copy { width }
        | Op::Add { width }
        | Op::Sub { width }
        | Op::Mul { width, .. }
        | Op::And { width }
        | Op::Or { width }
        | Op::Xor { width }
        | Op::Not { width }
        | Op::Shl { width }
        | Op::Shr { width, .. }
        | Op::Select { width } => plain(width),
        Op::MulAdd { width, .. } => plain(width),
        Op::Compare { ty, .. } => !ty.float(),
        Op::Extend { from, to, .. } => plain(from) && plain(to),
        _ => false,
    }
}

/// Values that a patch names and a function has: how much of it was changed.
pub fn edits(patch: &Patch) -> usize {
    patch.redirect.len() + patch.relocate.len() + patch.remove.len() + patch.clones.len()
}
