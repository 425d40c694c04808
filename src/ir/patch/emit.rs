//! The code of a patched function: block by block, first the original, then each clone. What instructions read is found
//! out afterwards (`repair`), when all paths are known.

use super::agenda::Agenda;
use super::applied::{Applied, NewPosition};
use super::draft::{Blocks, Draft, Edge, End, Reads, Use};
use super::error::PatchError;
use super::position::{Copied, Position};
use super::repair::{self, Definition, DefinitionSource, Definitions, Key};
use super::{Guarded, Merged, NewResult, Patch, Ref, Step};
use crate::builder::FunctionBuilder;
use crate::function::{BlockId, Function, InstId, Terminator, Value, ValueDef};
use crate::op::Op;
use crate::opcode::Opcode;
use ptxasw_base::mutation::{Mutation, active};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

pub(super) struct Emitter<'a> {
    draft: Draft<'a>,
    blocks: Blocks,
    /// Instructions that are written, or left out as the patch says.
    done: FxHashSet<(Copied, InstId)>,
    /// Redirected values of the instruction just written: what is read instead may be inserted after it.
    pending: Vec<(Value, DefinitionSource)>,
    /// Definitions and reads, as they are written.
    time: u32,
    /// The block that is written.
    current: BlockId,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(old: &'a Function, patch: &'a Patch) -> Result<Self, PatchError> {
        let mut builder = FunctionBuilder::new(&old.name, old.entry);
        builder.function.params.clone_from(&old.params);
        builder.function.callers_may_write = old.callers_may_write;
        builder.function.variables.clone_from(&old.variables);
        (builder.function.dynamic_shared).clone_from(&old.dynamic_shared);
        let required = patch.directives.required_threads;
        builder.function.required_threads = required.or(old.required_threads);
        builder.function.max_threads = old.max_threads;
        let mut draft = Draft {
            old,
            patch,
            builder,
            insts: Vec::new(),
            ends: Vec::new(),
            assumed: Vec::new(),
            definitions: Definitions::default(),
            values: FxHashMap::default(),
            new: FxHashMap::default(),
            agenda: Agenda::new(old, patch)?,
            choices: Vec::new(),
        };
        let blocks = Blocks::new(old, patch, &mut draft.builder);
        Ok(Emitter {
            draft,
            blocks,
            done: FxHashSet::default(),
            pending: Vec::new(),
            time: 0,
            current: BlockId(0),
        })
    }

    pub(super) fn run(mut self) -> Result<Applied, PatchError> {
        for id in self.draft.old.block_ids() {
            self.copy_block(None, id)?;
        }
        for clone in &self.draft.patch.clones {
            let (block, index) = self.draft.agenda.entries[&clone.id];
            self.current = self.blocks.entries[&clone.id];
            if clone.after.is_some() {
                self.parameters(Some(clone.id), block);
            }
            self.copy_rest(Some(clone.id), block, index)?;
            for &block in &clone.blocks {
                self.copy_block(Some(clone.id), block)?;
            }
        }
        self.all_done()?;
        repair::resolve(self.draft)
    }

    /// That the code has all that the patch changes.
    fn all_done(&self) -> Result<(), PatchError> {
        let missing = |copied: Copied, what: String| match copied {
            Some(id) => PatchError::NotCloned(id, what),
            None => PatchError::Unknown(what),
        };
        let agenda = &self.draft.agenda;
        let (moved, amended) = (agenda.moved.keys(), agenda.amends.keys());
        let edited = moved.chain(amended).chain(agenda.guarded.keys());
        let mut insts = agenda.removed.iter().chain(edited);
        if let Some(&(copied, id)) = insts.find(|one| !self.done.contains(one)) {
            return Err(missing(copied, id.to_string()));
        }
        let old = self.draft.old;
        for redirect in &self.draft.patch.redirect {
            let (copied, value) = (redirect.clone, redirect.value);
            let defined = match old.value(value).def {
                ValueDef::Result(id, _) => self.done.contains(&(copied, id)),
                _ => self.draft.values.contains_key(&(copied, value)),
            };
            if !defined {
                return Err(missing(copied, value.to_string()));
            }
        }
        Ok(())
    }

    fn copy_block(&mut self, copied: Copied, block: BlockId) -> Result<(), PatchError> {
        self.current = self.blocks.starts[&(copied, block)];
        self.parameters(copied, block);
        self.copy_rest(copied, block, 0)
    }

    /// Defines the parameters of a block anew at the current place: every copy of it that is entered by edges has its own.
    fn parameters(&mut self, copied: Copied, block: BlockId) {
        let old = self.draft.old;
        for &param in &old.block(block).params {
            let width = old.value(param).width;
            let value = self.draft.builder.param(self.current, width);
            self.define(copied, param, value);
        }
    }

    /// A block from the instruction with this index on.
    fn copy_rest(&mut self, copied: Copied, block: BlockId, from: usize) -> Result<(), PatchError> {
        let body = self.draft.old.block(block);
        for index in from..=body.insts.len() {
            if !self.at(copied, (block, index), body.origin)? {
                return Ok(());
            }
            let Some(&id) = body.insts.get(index) else {
                break;
            };
            if self.draft.agenda.removed.contains(&(copied, id))
                && !active(Mutation::RemovedExecuted)
            {
                self.done.insert((copied, id));
                self.gone(copied, id);
            } else if let Some(&up) = self.draft.agenda.moved.get(&(copied, id)) {
                // What moves down is not there in between.
                if !up {
                    self.gone(copied, id);
                }
            } else {
                self.copy_inst(copied, id)?;
            }
        }
        // After all that the block computes: what is assumed may be of that.
        if !body.assumed.is_empty() {
            let uses = body.assumed.iter().map(|&value| self.old(value)).collect();
            self.draft.assumed.push((self.current, uses));
        }
        let end = match &body.terminator {
            Terminator::Jump(target) => End::Jump(self.edge(copied, target)),
            Terminator::Branch {
                condition,
                then,
                otherwise,
                uniform,
            } => match self.settled(copied, block) {
                Some(true) => End::Jump(self.edge(copied, then)),
                Some(false) => End::Jump(self.edge(copied, otherwise)),
                None => End::Branch(
                    self.old(*condition),
                    self.edge(copied, then),
                    self.edge(copied, otherwise),
                    *uniform,
                ),
            },
            Terminator::Switch { index, targets } => End::Switch(
                self.old(*index),
                targets
                    .iter()
                    .map(|target| self.edge(copied, target))
                    .collect(),
            ),
            other => End::Plain(other.clone()),
        };
        self.end(end, body.origin);
        Ok(())
    }

    /// Which edge a copy has of the branch that ends a block, if only one.
    fn settled(&self, copied: Copied, block: BlockId) -> Option<bool> {
        let settled = self.draft.agenda.settled.get(&(copied?, block));
        settled.map(|&then| then != active(Mutation::OtherEdgeSettled))
    }

    /// An edge of the original: to the same copy where that has the block, to the next one where that begins with it, else to the
    /// original.
    fn edge(&mut self, copied: Copied, target: &crate::function::Target) -> Edge {
        let own = self.blocks.starts.get(&(copied, target.block));
        let own = own.filter(|_| !active(Mutation::BranchLeavesClone));
        let next = self.draft.agenda.next(copied, target.block);
        let next = next.filter(|_| !active(Mutation::ChainBroken));
        let own = own.or_else(|| self.blocks.entries.get(&next?.id));
        let block = *own.unwrap_or(&self.blocks.starts[&(None, target.block)]);
        Edge {
            block,
            args: target.args.iter().map(|&arg| self.old(arg)).collect(),
        }
    }

    /// What the patch wants at a place; false if nothing follows.
    fn at(&mut self, copied: Copied, position: Position, origin: u32) -> Result<bool, PatchError> {
        let mut wanted = self.draft.agenda.take(copied, position);
        if active(Mutation::InsertionsReversed) {
            wanted.steps.reverse();
        }
        if active(Mutation::SetsReversed) {
            wanted.sets.reverse();
        }
        for step in wanted.steps {
            self.step(step)?;
        }
        for id in wanted.moved {
            self.copy_inst(copied, id)?;
        }
        for (value, source) in std::mem::take(&mut self.pending) {
            self.note(Key::Old(value), source);
        }
        let skipped = usize::from(active(Mutation::SetDropped));
        for (variable, value) in wanted.sets.into_iter().skip(skipped) {
            let source = DefinitionSource::Ref(value);
            self.note(Key::Variable(variable), source);
        }
        for clone in wanted.enters {
            let condition = self.read(clone.condition);
            let (rest, entry) = (self.draft.builder.block(), self.blocks.entries[&clone.id]);
            let mut edges = (Edge::plain(entry), Edge::plain(rest));
            if active(Mutation::EnteredWhereFalse) {
                std::mem::swap(&mut edges.0, &mut edges.1);
            }
            self.draft.choices.push((clone.id, self.current));
            let together = clone.together;
            self.end(End::Branch(condition, edges.0, edges.1, together), origin);
            self.current = rest;
        }
        for exit in wanted.exits {
            if active(Mutation::ExitNeverTaken) {
                continue;
            }
            let resume = self.blocks.resume(position, &mut self.draft.builder);
            let Some(stay) = exit.stay else {
                self.end(End::Jump(Edge::plain(resume)), origin);
                return Ok(false);
            };
            let (stay, rest) = (self.read(stay), self.draft.builder.block());
            let mut edges = (Edge::plain(rest), Edge::plain(resume));
            if active(Mutation::ExitInverted) {
                std::mem::swap(&mut edges.0, &mut edges.1);
            }
            self.draft
                .choices
                .extend(copied.map(|id| (id, self.current)));
            let together = copied.is_some_and(|id| self.draft.agenda.together.contains(&id));
            self.end(End::Branch(stay, edges.0, edges.1, together), origin);
            self.current = rest;
        }
        if wanted.resumed {
            let resume = self.blocks.resume(position, &mut self.draft.builder);
            self.end(End::Jump(Edge::plain(resume)), origin);
            self.current = resume;
        }
        Ok(true)
    }

    fn copy_inst(&mut self, copied: Copied, id: InstId) -> Result<(), PatchError> {
        self.done.insert((copied, id));
        let old = self.draft.old;
        let inst = old.inst(id);
        let opcode = match self.draft.agenda.amends.get(&(copied, id)) {
            None => inst.opcode.clone(),
            Some(&amend) => amend
                .applied_to(&inst.opcode)
                .ok_or(PatchError::Amend(id))?,
        };
        let guarded = self.draft.agenda.guarded.get(&(copied, id)).copied();
        let guard = match guarded {
            Some(Guarded { condition, .. }) => Some((self.read(condition.0), condition.1)),
            None => {
                let own = inst.guard.filter(|_| !active(Mutation::CopyUnguarded));
                own.map(|(guard, not)| (self.old(guard), not))
            }
        };
        let args = inst.args.iter().map(|&arg| self.old(arg)).collect();
        let widths = inst.results.iter().map(|&result| old.value(result).width);
        let widths: SmallVec<[u8; 2]> = widths.collect();
        let results = self.inst(opcode, args, &widths, guard, inst.origin);
        for (&was, is) in inst.results.iter().zip(results) {
            match self.draft.agenda.chosen.get(&(copied, was)).copied() {
                Some((guarded, to)) => {
                    let chosen = self.chosen(guarded, is, to, inst.origin);
                    self.define(copied, was, chosen);
                }
                None if self.draft.agenda.unread.contains(&(copied, was)) => self.lose(was),
                None => {
                    self.define(copied, was, is);
                    self.promises(was, is);
                }
            }
        }
        Ok(())
    }

    /// What a guarded load gives, or else what is read instead.
    fn chosen(&mut self, guarded: &Guarded, loaded: Value, to: Ref, origin: u32) -> Value {
        let (condition, not) = guarded.condition;
        let width = self.draft.builder.function.value(loaded).width;
        let place = self.place();
        let source = DefinitionSource::New(loaded);
        let mut args = [Use { source, place }, self.read(to)];
        if not != active(Mutation::ChosenSwapped) {
            args.swap(0, 1);
        }
        let mut args = args.to_vec();
        args.push(self.read(condition));
        self.inst(
            Opcode::Op(Op::Select { width }),
            args,
            &[width],
            None,
            origin,
        )[0]
    }

    /// A value that nobody is to read.
    fn lose(&mut self, value: Value) {
        if self.draft.agenda.redirected.contains(&value) {
            self.note(Key::Own(value), DefinitionSource::Gone);
        }
        self.note(Key::Old(value), DefinitionSource::Gone);
    }

    /// What was promised of a value holds for its copies.
    fn promises(&mut self, was: Value, is: Value) {
        let (old, new) = (self.draft.old, &mut self.draft.builder.function);
        if let Some(promises) = &old.value(was).promises {
            new.values[is.index()].promises = Some(promises.clone());
        }
    }

    fn step(&mut self, step: &'a Step) -> Result<(), PatchError> {
        match step {
            Step::Inst {
                opcode,
                args,
                results,
                guard,
                origin,
                ..
            } => {
                let guard = guard.map(|(guard, not)| {
                    (self.read(guard), not != active(Mutation::StepGuardInverted))
                });
                let args = args.iter().map(|&arg| self.read(arg)).collect();
                let widths: Vec<u8> = results.iter().map(|result| result.width).collect();
                let made = self.inst(opcode.clone(), args, &widths, guard, *origin);
                for (result, value) in results.iter().zip(made) {
                    self.name(result, value)?;
                }
                Ok(())
            }
            Step::If {
                condition,
                then,
                otherwise,
                results,
                origin,
            } => self.decision(*condition, [then, otherwise], results, *origin),
        }
    }

    fn decision(
        &mut self,
        condition: Ref,
        sides: [&'a Vec<Step>; 2],
        results: &[Merged],
        origin: u32,
    ) -> Result<(), PatchError> {
        let condition = self.read(condition);
        let [then, otherwise, join] = std::array::from_fn(|_| self.draft.builder.block());
        let edges = (Edge::plain(then), Edge::plain(otherwise));
        self.end(End::Branch(condition, edges.0, edges.1, false), origin);
        let straight = !active(Mutation::MergedSwapped);
        let arms = [(then, sides[0], straight), (otherwise, sides[1], !straight)];
        for (block, steps, taken) in arms {
            self.current = block;
            for step in steps {
                self.step(step)?;
            }
            let value = |merged: &Merged| if taken { merged.then } else { merged.otherwise };
            let args = results.iter().map(|one| self.read(value(one))).collect();
            self.end(End::Jump(Edge { block: join, args }), origin);
        }
        self.current = join;
        for merged in results {
            let value = self.draft.builder.param(join, merged.result.width);
            self.name(&merged.result, value)?;
        }
        Ok(())
    }

    fn name(&mut self, result: &NewResult, value: Value) -> Result<(), PatchError> {
        match self.draft.new.insert(result.value, value) {
            None => Ok(()),
            Some(_) => Err(PatchError::Twice(format!("{:?}", result.value))),
        }
    }

    fn inst(
        &mut self,
        opcode: Opcode,
        args: Vec<Use>,
        widths: &[u8],
        guard: Option<(Use, bool)>,
        origin: u32,
    ) -> SmallVec<[Value; 2]> {
        let builder = &mut self.draft.builder;
        let inst = builder.inst(self.current, opcode, &[], widths, None, origin);
        self.draft.insts.push(Reads { inst, guard, args });
        self.draft.builder.function.inst(inst).results.clone()
    }

    fn end(&mut self, end: End, origin: u32) {
        self.draft.ends.push((self.current, end, origin));
    }

    /// The next place: no two definitions or reads have the same.
    fn place(&mut self) -> NewPosition {
        self.time += 1;
        NewPosition {
            block: self.current,
            index: self.draft.builder.function.block(self.current).insts.len(),
            time: self.time,
        }
    }

    fn old(&mut self, value: Value) -> Use {
        let source = DefinitionSource::Old(value);
        let place = self.place();
        Use { source, place }
    }

    fn read(&mut self, value: Ref) -> Use {
        let source = DefinitionSource::Ref(value);
        let place = self.place();
        Use { source, place }
    }

    /// A value of the original is defined here: as its instruction gives it, or as the patch redirects it.
    fn define(&mut self, copied: Copied, was: Value, is: Value) {
        self.draft.values.insert((copied, was), is);
        if self.draft.agenda.redirected.contains(&was) {
            self.note(Key::Own(was), DefinitionSource::New(is));
        }
        let copied = copied.filter(|_| !active(Mutation::RedirectOfOriginal));
        match self.draft.agenda.redirects.get(&(copied, was)) {
            None => self.note(Key::Old(was), DefinitionSource::New(is)),
            Some(_) if active(Mutation::RedirectDropped) => {
                self.note(Key::Old(was), DefinitionSource::New(is));
            }
            Some(&to) => self.pending.push((was, DefinitionSource::Ref(to))),
        }
    }

    /// The results of an instruction that is not executed here; what is read instead may be there.
    fn gone(&mut self, copied: Copied, id: InstId) {
        for &result in &self.draft.old.inst(id).results {
            match self.draft.agenda.redirects.get(&(copied, result)) {
                Some(&to) => {
                    self.note(Key::Own(result), DefinitionSource::Gone);
                    self.pending.push((result, DefinitionSource::Ref(to)));
                }
                None => self.lose(result),
            }
        }
    }

    fn note(&mut self, key: Key, source: DefinitionSource) {
        let place = self.place();
        self.draft
            .definitions
            .add(key, Definition { place, source });
    }
}
