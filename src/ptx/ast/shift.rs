//! A tree whose text has moved.

use super::{
    Directive, Function, Initialiser, Item, Module, Operand, Span, Statement, StatementKind,
    Variable,
};

impl Module<'_> {
    /// Gives every node the span that `new` makes of its own.
    pub(crate) fn shift(&mut self, new: impl Fn(Span) -> Span) {
        let shift = |span: &mut Span| *span = new(*span);
        self.items.iter_mut().for_each(|item| item.shift(&shift));
        self.operands.iter_mut().for_each(|one| one.shift(&shift));
        self.initialisers
            .iter_mut()
            .for_each(|one| one.shift(&shift));
    }
}

impl Item {
    fn shift(&mut self, shift: &impl Fn(&mut Span)) {
        match self {
            Item::Directive(directive) => directive.shift(shift),
            Item::Variable(variable) => variable.shift(shift),
            Item::Function(function) => function.shift(shift),
        }
    }
}

impl Directive {
    fn shift(&mut self, shift: &impl Fn(&mut Span)) {
        [&mut self.span, &mut self.name].into_iter().for_each(shift);
    }
}

impl Variable {
    fn shift(&mut self, shift: &impl Fn(&mut Span)) {
        [&mut self.span, &mut self.space, &mut self.ty]
            .into_iter()
            .for_each(shift);
        if let Some(space) = self
            .pointer
            .as_mut()
            .and_then(|pointer| pointer.space.as_mut())
        {
            shift(space);
        }
        self.names.iter_mut().for_each(|one| shift(&mut one.name));
    }
}

impl Function {
    fn shift(&mut self, shift: &impl Fn(&mut Span)) {
        [&mut self.span, &mut self.name].into_iter().for_each(shift);
        let variables = self.returns.iter_mut().chain(&mut self.parameters);
        variables.for_each(|one| one.shift(shift));
        self.directives.iter_mut().for_each(|one| one.shift(shift));
        if let Some(body) = &mut self.body {
            shift(&mut body.span);
            body.statements.iter_mut().for_each(|one| one.shift(shift));
        }
    }
}

impl Statement {
    fn shift(&mut self, shift: &impl Fn(&mut Span)) {
        shift(&mut self.span);
        match &mut self.kind {
            StatementKind::Open | StatementKind::Close | StatementKind::Location(_) => {}
            StatementKind::Label(name) => shift(name),
            StatementKind::Variable(variable) => variable.shift(shift),
            StatementKind::Directive(directive) => directive.shift(shift),
            StatementKind::Instruction(instruction) => {
                shift(&mut instruction.opcode);
                if let Some(guard) = &mut instruction.guard {
                    shift(&mut guard.register);
                }
            }
        }
    }
}

impl Operand {
    fn shift(&mut self, shift: &impl Fn(&mut Span)) {
        match self {
            Operand::Name { span, .. }
            | Operand::Integer { span, .. }
            | Operand::Float { span, .. }
            | Operand::String(span)
            | Operand::Sink(span)
            | Operand::Vector { span, .. }
            | Operand::Pair { span, .. }
            | Operand::Parenthesised { span, .. } => shift(span),
            Operand::Address { span, base, .. } => {
                shift(span);
                base.iter_mut().for_each(shift);
            }
            Operand::Element { span, base, .. } => {
                [span, base].into_iter().for_each(shift);
            }
        }
    }
}

impl Initialiser {
    fn shift(&mut self, shift: &impl Fn(&mut Span)) {
        match self {
            Initialiser::List(_) | Initialiser::Integer(_) | Initialiser::Float { .. } => {}
            Initialiser::Address { name, .. } => shift(name),
            Initialiser::Field { name, value } => {
                [name, value].into_iter().for_each(shift);
            }
        }
    }
}
