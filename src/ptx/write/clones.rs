//! The text of a clone: the test is placed in front of the clone's entry, the original continues after the clone and those of its
//! chain.

use super::clonable::clonable;
use super::gaps::Gap;
use super::places::branch;
use super::steps::Code;
use super::{RewriteContext, WriteError, Writer};
use crate::ast::{Operand, Span, StatementKind};
use crate::decode::form::Action;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::function::{BlockId, InstId};
use ptxasw_ir::patch::{CloneId, Point, Position, RegionClone};

/// A block of a clone from a place on.
#[derive(Clone, Copy)]
struct BlockTail {
    at: Position,
    /// The clone is entered there.
    entered: bool,
    /// The block that follows in the text.
    follows: Option<BlockId>,
}

impl Writer<'_> {
    /// The test, the clone after it, and those that come after that one.
    pub(super) fn cloned(
        &mut self,
        clone: &RegionClone,
        at: Position,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let condition = self.register(clone.condition, code)?;
        let rest = self.label();
        let not = if active(Mutation::CloneEnteredInverted) {
            ""
        } else {
            "!"
        };
        let bra = branch(clone.together);
        code.push(format!("@{not}{condition} {bra} {rest};"));
        let mut last = Some(clone);
        while let Some(clone) = last {
            self.cloned_blocks(clone, at, code)?;
            last = self.source.agenda.next(Some(clone.id), at.0);
            if let Some(next) = last.filter(|next| self.jumped_to.contains(&next.id)) {
                let label = self.clone_label(next.id, at.0);
                code.push(format!("{label}:"));
                code.forget_line();
            }
        }
        code.push(format!("{rest}:"));
        code.forget_line();
        Ok(())
    }

    /// One clone, from its entry on.
    fn cloned_blocks(
        &mut self,
        clone: &RegionClone,
        at: Position,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        clonable(self.source.view, clone)?;
        let mut blocks = clone.blocks.clone();
        blocks.sort_unstable();
        let mut parts = vec![(at.0, at.1)];
        parts.extend(blocks.iter().map(|&block| (block, 0)));
        let mut labels = Vec::new();
        for (number, &(block, from)) in parts.iter().enumerate() {
            if number > 0 {
                let label = self.clone_label(clone.id, block);
                labels.push((code.lines.len(), block));
                code.push(format!("{label}:"));
                code.forget_line();
                self.pragmas(block, code);
            }
            let follows = parts.get(number + 1).map(|part| part.0);
            let part = BlockTail {
                at: (block, from),
                entered: number == 0,
                follows,
            };
            self.cloned_block(clone, part, code)?;
        }
        if self.is_of_chain(clone) {
            let unused = labels.into_iter().rev();
            let unused = unused.filter(|one| !self.labels_used.contains(&(clone.id, one.1)));
            for (line, _) in unused {
                code.lines.remove(line);
            }
        }
        Ok(())
    }

    /// Whether a clone is one of several that follow each other.
    fn is_of_chain(&self, clone: &RegionClone) -> bool {
        clone.after.is_some() || self.source.agenda.leads_on(clone.id)
    }

    /// Where a branch of a clone goes, if not to the original.
    fn in_clones(&mut self, clone: CloneId, to: BlockId) -> Option<String> {
        if self.source.agenda.cloned.contains(&(clone, to)) {
            self.labels_used.insert((clone, to));
            return Some(self.clone_label(clone, to));
        }
        let agenda = self.source.agenda;
        let next = agenda.next(Some(clone), to)?;
        let skipped = agenda.next(Some(next.id), to);
        let skipped = skipped.filter(|_| active(Mutation::ChainCopySkipped));
        let next = skipped.unwrap_or(next);
        self.jumped_to.insert(next.id);
        Some(self.clone_label(next.id, to))
    }

    /// Whether the text of a clone runs on into a block after one of its own, or after its last one.
    fn runs_into(&self, clone: CloneId, follows: Option<BlockId>, to: BlockId) -> bool {
        match follows {
            Some(follows) => follows == to && self.source.agenda.cloned.contains(&(clone, to)),
            None => self.source.agenda.next(Some(clone), to).is_some(),
        }
    }

    fn clone_label(&self, clone: CloneId, block: BlockId) -> String {
        format!(
            "${}{}c{}_{}",
            self.prefix, self.source.view.form.item, clone.0, block.0
        )
    }

    /// A part, and how it goes on.
    fn cloned_block(
        &mut self,
        clone: &RegionClone,
        part: BlockTail,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let (block, from) = part.at;
        let source = self.source;
        let copied = Some(clone.id);
        let text = source.view.lowered.texts.get(block.index());
        let text = text.ok_or(WriteError::Statement(InstId(0)))?.clone();
        let function = &source.view.lowered.function;
        let insts = &function.block(block).insts;
        // The end of a guarded return is part of the statement of its guard: nothing comes here, and nothing can be put here.
        if Gap::start(source.view, block).is_err() {
            let start = (block, 0);
            return match source.agenda.at(copied, start) {
                None => Ok(()),
                Some(_) => Err(WriteError::Place(Point::Start(block))),
            };
        }
        let mut index = source.view.parameters(block);
        let mut open = true;
        let (mut previous, mut depth) = (None, 0);
        for number in text.instructions.clone() {
            let Some(instruction) = source.instruction(number) else {
                break;
            };
            let statement = instruction.statement;
            let first = index;
            while insts
                .get(index)
                .is_some_and(|&id| source.origin(id) == statement)
            {
                index += 1;
            }
            let control = !matches!(instruction.action, Action::Do(_));
            // In front of the place at which the clone begins.
            if first < from && !(control && index >= from) {
                previous = Some(statement);
                continue;
            }
            // Code in front of the entry is not part of the clone.
            if part.entered && previous.is_none() {
                previous = statement.checked_sub(1);
            }
            open = self.place(copied, (block, first.max(from)), code)?;
            if !open {
                break;
            }
            if control {
                if index > first.max(from) {
                    open = self.place(copied, (block, index), code)?;
                }
                if open {
                    self.around(previous, statement, &mut depth, code);
                    open = self.control(clone, part, statement, code)?;
                }
                break;
            }
            self.around(previous, statement, &mut depth, code);
            let id = insts[first];
            if !source.agenda.is_gone(copied, id) {
                self.set_line(instruction.location, code);
                self.statement_of_clone(clone.id, id, code)?;
            }
            previous = Some(statement);
        }
        if open && source.view.control(block).is_none() {
            open = self.place(copied, (block, insts.len().max(from)), code)?;
        }
        // Scopes that the block opens end in it, wherever the clone leaves it.
        for _ in 0..depth {
            code.push("}".to_string());
        }
        if open {
            self.onward(clone, block, part.follows, code)?;
        }
        Ok(())
    }

    /// What the text asks of the assembler at the begin of a block, such as not to unroll its loop.
    fn pragmas(&self, block: BlockId, code: &mut Code) {
        let source = self.source;
        let pragmas = source.view.binding.pragmas(block);
        let pragmas: Vec<Span> = pragmas.map(|one| one.span).collect();
        for &span in pragmas.iter().rev() {
            code.push(source.module.copied(span).into_owned());
        }
    }

    /// Scopes between two instructions, with their declarations. What is declared outside
    /// of them is declared for both copies.
    fn around(&self, previous: Option<u32>, statement: u32, depth: &mut u32, code: &mut Code) {
        if active(Mutation::ScopeLost) {
            return;
        }
        let (body, binding) = (&self.source.body.statements, &self.source.view.binding);
        let from = match previous {
            Some(previous) => previous + 1,
            None => {
                let before = body[..statement as usize].iter().enumerate().rev();
                let own = before.take_while(|(number, one)| match one.kind {
                    StatementKind::Label(_) => binding.is_prototype(*number as u32),
                    _ => !matches!(one.kind, StatementKind::Instruction(_)),
                });
                statement - own.count() as u32
            }
        };
        let between = body.get(from as usize..statement as usize);
        for (number, one) in (from..).zip(between.unwrap_or_default()) {
            match one.kind {
                StatementKind::Open => *depth += 1,
                // Of a scope in front of the place at which the clone is entered.
                StatementKind::Close if *depth == 0 => continue,
                StatementKind::Close => *depth -= 1,
                StatementKind::Variable(_) if *depth > 0 => {}
                StatementKind::Label(_) if *depth > 0 && binding.is_prototype(number) => {}
                StatementKind::Directive(_)
                    if *depth > 0 && binding.is_prototype(number.saturating_sub(1)) => {}
                _ => continue,
            }
            code.push(self.source.module.copied(one.span).into_owned());
        }
    }

    /// A statement, and the lines around a guarded load.
    fn statement_of_clone(
        &mut self,
        clone: CloneId,
        id: InstId,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let source = self.source;
        let (span, instruction) = source.written(id)?;
        let mut changes = Vec::new();
        let around = self.surroundings(Some(clone), id)?;
        let (guard, in_front, after) = match around {
            Some(around) => (around.guard, around.in_front, around.after),
            None => (None, Vec::new(), Vec::new()),
        };
        code.lines.extend(in_front);
        if let Some(guard) = guard {
            let own = Span::new(span.start, instruction.opcode.start);
            changes.push((own, format!("@{guard} ")));
        }
        for &id in source.view.positions.statement(id)? {
            if let Some(&amend) = source.agenda.amends.get(&(Some(clone), id)) {
                let (at, text) = source.amended(id, amend)?;
                changes.push((Span::new(at, at), text));
            }
        }
        if let Some(pragma) = source.used_bytes(source.origin(id)) {
            code.push(source.module.copied(pragma).into_owned());
        }
        code.repeat(source.spliced(span, changes), span.start);
        code.lines.extend(after);
        Ok(())
    }

    /// The branch or return that ends a block; false if nothing is left to say of where it goes on.
    fn control(
        &mut self,
        clone: &RegionClone,
        BlockTail { at, follows, .. }: BlockTail,
        statement: u32,
        code: &mut Code,
    ) -> Result<bool, WriteError> {
        let (source, block) = (self.source, at.0);
        let taken = source.view.lowered.texts[block.index()].taken;
        let settled = source.settled(clone.id, block, statement);
        match settled {
            Some(false) => return Ok(true),
            // The end of a guarded return has no text of its own.
            Some(true)
                if taken.is_some_and(|to| {
                    self.runs_into(clone.id, follows, to) && source.has_text(to)
                }) =>
            {
                return Ok(false);
            }
            // The text of a chain runs on: its iterations are one block for whoever reads it again.
            None if self.is_of_chain(clone)
                && source.view.lowered.texts[block.index()].next.is_none()
                && taken.is_some_and(|to| {
                    self.runs_into(clone.id, follows, to) && source.has_text(to)
                }) =>
            {
                return Ok(false);
            }
            _ => {}
        }
        let instruction = source.view.binding.instruction(statement);
        self.set_line(instruction.and_then(|one| one.location), code);
        let Some(written) = source.body.statements.get(statement as usize) else {
            return Ok(true);
        };
        if let Some(branch) = self.by_table(clone.id, statement, code)? {
            code.push(branch);
            return Ok(true);
        }
        let mut changes = Vec::new();
        if let StatementKind::Instruction(node) = &written.kind {
            if settled.is_some() {
                let guard = Span::new(written.span.start, node.opcode.start);
                changes.push((guard, String::new()));
            }
            let left = node.guard.is_some() && source.is_left_at_end(clone, block);
            let agreed = settled.is_some() || left;
            let plain = source.module.str(node.opcode) == branch(false);
            if clone.together && agreed && plain {
                changes.push((node.opcode, branch(true).to_string()));
            }
        }
        if let StatementKind::Instruction(node) = &written.kind
            && let Some(taken) = taken
            && let [Operand::Name { span, .. }] = source.module.operands(node)
            && let Some(label) = self.in_clones(clone.id, taken)
            && !active(Mutation::CloneBranchesOut)
        {
            changes.push((*span, label));
        }
        code.repeat(source.spliced(written.span, changes), written.span.start);
        Ok(settled.is_none())
    }

    /// The label of a block as a clone sees it.
    pub(super) fn label_in(
        &mut self,
        clone: CloneId,
        block: BlockId,
    ) -> Result<String, WriteError> {
        match self.in_clones(clone, block) {
            Some(label) => Ok(label),
            None => self.original_label(block),
        }
    }

    /// Where a block goes on that takes no branch.
    fn onward(
        &mut self,
        clone: &RegionClone,
        block: BlockId,
        follows: Option<BlockId>,
        code: &mut Code,
    ) -> Result<(), WriteError> {
        let source = self.source;
        let Some(next) = source.view.lowered.texts[block.index()].next else {
            // The end of the text is a return.
            if source.view.control(block).is_none() {
                code.push("ret;".to_string());
            }
            return Ok(());
        };
        if self.runs_into(clone.id, follows, next) {
            return Ok(());
        }
        let target = match self.in_clones(clone.id, next) {
            Some(label) => label,
            None if active(Mutation::CloneFallsThrough) => return Ok(()),
            None => self.original_label(next)?,
        };
        code.push(format!("bra {target};"));
        Ok(())
    }

    /// The label of a block of the original: its own, or a new one.
    fn original_label(&mut self, block: BlockId) -> Result<String, WriteError> {
        if let Some(known) = self.starts.get(&block) {
            return Ok(known.clone());
        }
        let gap = Gap::start(self.source.view, block)?;
        let name = match self.source.own_label(gap) {
            Some(name) => name,
            None => {
                let name = self.label();
                let lines = self.gaps.entry(gap).or_default();
                lines.labels.push(format!("{name}:").into());
                name
            }
        };
        self.starts.insert(block, name.clone());
        Ok(name)
    }
}

impl RewriteContext<'_> {
    /// Whether a clone takes the branch at the end of a block, where that is settled. The IR's edge `then` is that of a true predicate.
    fn settled(&self, clone: CloneId, block: BlockId, statement: u32) -> Option<bool> {
        let &then = self.agenda.settled.get(&(clone, block))?;
        let (_, negated) = self.view.binding.instruction(statement)?.guard?;
        let taken = (then != negated) != active(Mutation::SettledOtherWay);
        (!active(Mutation::SettledDecided)).then_some(taken)
    }

    fn has_text(&self, block: BlockId) -> bool {
        Gap::start(self.view, block).is_ok()
    }

    /// Whether a clone has an exit in front of the branch that ends a block: its threads agree about all that follows.
    fn is_left_at_end(&self, clone: &RegionClone, block: BlockId) -> bool {
        let end = (block, self.view.lowered.function.block(block).insts.len());
        let mut exits = clone.exits.iter();
        exits.any(|exit| self.view.positions.of(exit.at).is_ok_and(|at| at == end))
    }

    /// The label in front of a statement, if it has one.
    fn own_label(&self, gap: Gap) -> Option<String> {
        let Gap::Before(statement) = gap else {
            return None;
        };
        let before = self.body.statements.get(..statement as usize)?.iter().rev();
        for one in before {
            match &one.kind {
                StatementKind::Label(name) => return Some(self.module.str(*name).to_string()),
                // Whoever jumps there enters the scope.
                StatementKind::Location(_) | StatementKind::Open | StatementKind::Variable(_) => {}
                _ if active(Mutation::LabelFurtherUp) => {}
                _ => return None,
            }
        }
        None
    }
}
