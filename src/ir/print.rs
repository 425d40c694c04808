//! The printed form of a function.
//!
//! One line for each instruction: results, operation, operands, guard, and behind `;` the origin. Constants, special
//! registers and addresses stand where they are used.

use super::function::{Base, Block, Function, Inst, Target, Terminator, Value, ValueDef};
use super::opcode::Opcode;
use super::types::{Kind, Special, Type};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = if self.entry { "kernel" } else { "function" };
        write!(f, "{kind} {}(", self.name)?;
        for (index, param) in self.params.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{}: {} bytes", param.name, param.bytes)?;
        }
        f.write_str(") {\n")?;
        for id in self.block_ids() {
            write!(f, "{id}")?;
            self.print_block(f, self.block(id))?;
        }
        f.write_str("}\n")
    }
}

impl Function {
    fn print_block(&self, f: &mut Formatter<'_>, block: &Block) -> fmt::Result {
        if !block.params.is_empty() {
            f.write_char('(')?;
            self.print_definitions(f, &block.params)?;
            f.write_char(')')?;
        }
        f.write_str(":\n")?;
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
        }
        Ok(())
    }

    fn print_inst(&self, f: &mut Formatter<'_>, inst: &Inst) -> fmt::Result {
        f.write_str("    ")?;
        if let Some((guard, negated)) = inst.guard {
            let not = if negated { "!" } else { "" };
            write!(f, "@{not}{} ", Operand(self, guard))?;
        }
        if !inst.results.is_empty() {
            self.print_definitions(f, &inst.results)?;
            f.write_str(" = ")?;
        }
        write!(f, "{}", inst.opcode)?;
        self.print_list(f, " ", &inst.args)?;
        writeln!(f, " ; {}", inst.origin)
    }

    fn print_list(&self, f: &mut Formatter<'_>, before: &str, values: &[Value]) -> fmt::Result {
        for (index, &value) in values.iter().enumerate() {
            let separator = if index > 0 { ", " } else { before };
            write!(f, "{separator}{}", Operand(self, value))?;
        }
        Ok(())
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
                write!(f, "branch{hint} {}, ", Operand(self, *condition))?;
                self.print_target(f, then)?;
                f.write_str(", ")?;
                self.print_target(f, otherwise)
            }
            Terminator::Switch { index, targets } => {
                write!(f, "switch {}", Operand(self, *index))?;
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
        f.write_char('(')?;
        self.print_list(f, "", &target.args)?;
        f.write_char(')')
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
struct Operand<'a>(&'a Function, Value);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Operand(function, value) = *self;
        let data = function.value(value);
        match &data.def {
            ValueDef::Result(..) | ValueDef::Parameter(..) => write!(f, "{value}"),
            ValueDef::Constant(bits) if *bits < 1024 => write!(f, "{bits}"),
            ValueDef::Constant(bits) => write!(f, "{bits:#x}"),
            ValueDef::Special(special) => write!(f, "{special}"),
            ValueDef::Address(base, offset) => {
                f.write_char('&')?;
                match base {
                    Base::Parameter(index) => match function.params.get(*index as usize) {
                        Some(param) => f.write_str(&param.name)?,
                        None => write!(f, "parameter{index}")?,
                    },
                    Base::Variable(_, number) => match function.variables.get(*number as usize) {
                        Some(name) => f.write_str(name)?,
                        None => write!(f, "variable{number}")?,
                    },
                    Base::Function(index) => write!(f, "function{index}")?,
                }
                match offset {
                    0 => Ok(()),
                    offset => write!(f, "{offset:+}"),
                }
            }
            ValueDef::Undefined => write!(f, "undefined.{value}"),
        }
    }
}

impl Display for Special {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let axis = |axis: u8| match axis {
            0 => 'x',
            1 => 'y',
            _ => 'z',
        };
        match *self {
            Special::Tid(a) => write!(f, "%tid.{}", axis(a)),
            Special::Ntid(a) => write!(f, "%ntid.{}", axis(a)),
            Special::Ctaid(a) => write!(f, "%ctaid.{}", axis(a)),
            Special::Nctaid(a) => write!(f, "%nctaid.{}", axis(a)),
            Special::LaneMask(which) => {
                write!(f, "%lanemask_{}", format!("{which:?}").to_lowercase())
            }
            Special::DynamicSharedSize => f.write_str("%dynamic_smem_size"),
            Special::TotalSharedSize => f.write_str("%total_smem_size"),
            Special::Other(number) => write!(f, "%special{number}"),
            other => write!(f, "%{}", format!("{other:?}").to_lowercase()),
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = match self.kind {
            Kind::Predicate => return f.write_str("pred"),
            Kind::Float16x2 => return f.write_str("f16x2"),
            Kind::BFloat16x2 => return f.write_str("bf16x2"),
            Kind::Unsigned16x2 => return f.write_str("u16x2"),
            Kind::Signed16x2 => return f.write_str("s16x2"),
            Kind::Bits => "b",
            Kind::Unsigned => "u",
            Kind::Signed => "s",
            Kind::Float => "f",
            Kind::BFloat => "bf",
            Kind::Other => "x",
        };
        write!(f, "{name}{}", self.bits)
    }
}

/// The words of a `Debug` form, lower case, joined by dots; fields that are false or empty are left out:
/// `Add { width: 32 }` is `add.32`, `Mul { product: Wide, width: 32, signed: true }` is `mul.wide.32.signed`.
struct Words(String);

impl Display for Words {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let separators = |c: char| matches!(c, ' ' | ',' | '{' | '}' | '(' | ')');
        // A field's name stands for its value where that is `true`.
        let mut field = None;
        for word in self.0.split(separators).filter(|word| !word.is_empty()) {
            if let Some(name) = word.strip_suffix(':') {
                field = Some(name);
                continue;
            }
            let word = match (field.take(), word) {
                (_, "false" | "None" | "Some") => continue,
                (Some(name), "true") => name,
                (_, word) => word,
            };
            if !std::mem::take(&mut first) {
                f.write_char('.')?;
            }
            for c in word.chars() {
                f.write_char(c.to_ascii_lowercase())?;
            }
        }
        Ok(())
    }
}

impl Display for Opcode {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Opcode::Op(op) => Words(format!("{op:?}")).fmt(f),
            Opcode::Load(access) | Opcode::Store(access) => {
                let name = if matches!(self, Opcode::Load(_)) {
                    "load"
                } else {
                    "store"
                };
                write!(f, "{name}.{}", format!("{:?}", access.space).to_lowercase())?;
                if !access.order.is_weak() {
                    write!(f, ".{}", format!("{:?}", access.order).to_lowercase())?;
                }
                if access.non_coherent {
                    f.write_str(".nc")?;
                }
                if access.elements > 1 {
                    write!(f, ".v{}", access.elements)?;
                }
                write!(f, ".{}", access.ty)?;
                match access.offset {
                    0 => Ok(()),
                    offset => write!(f, "[{offset:+}]"),
                }
            }
            Opcode::Call { callee, .. } => match callee {
                Some(name) => write!(f, "call {name}"),
                None => f.write_str("call.indirect"),
            },
            other => Words(format!("{other:?}")).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::builder::{FunctionBuilder, target};
    use crate::ir::function::{Base, Terminator};
    use crate::ir::op::{Op, Product};
    use crate::ir::opcode::{Access, Opcode, Order, Scope};
    use crate::ir::types::{Space, Special, Type};

    #[test]
    fn a_function_reads_like_assembly() {
        let mut builder = FunctionBuilder::new("f", true);
        let (entry, end) = (builder.block(), builder.block());
        let lane = builder.special(Special::Tid(0), 32);
        let eight = builder.constant(32, 8);
        let address = builder.address(Base::Variable(Space::Global, 0), 4, 64);
        builder.function.variables.push("table".into());
        let wide = Op::Mul {
            product: Product::Wide,
            width: 32,
            signed: true,
        };
        let product = builder.single(entry, Opcode::Op(wide), &[lane, eight], 64, 3);
        let guard = builder.undefined(1);
        let load = Opcode::Load(Access {
            space: Space::Global,
            ty: Type::F32,
            elements: 2,
            order: Order::Weak,
            scope: Scope::System,
            non_coherent: true,
            offset: -8,
            hints: false,
        });
        builder.inst(entry, load, &[address], &[32, 32], Some((guard, true)), 4);
        let param = builder.param(end, 64);
        builder.terminate(entry, Terminator::Jump(target(end, &[product])), 5);
        let zero = builder.constant(64, 0);
        let add = Opcode::Op(Op::Add { width: 64 });
        builder.single(end, add, &[param, zero], 64, 6);
        builder.terminate(end, Terminator::Return, 7);
        assert_eq!(
            builder.finish().to_string(),
            "kernel f() {\n\
             block0:\n    \
                 v3: b64 = mul.wide.32.signed %tid.x, 8 ; 3\n    \
                 @!undefined.v4 v5: b32, v6: b32 = load.global.nc.v2.f32[-8] &table+4 ; 4\n    \
                 jump block1(v3) ; 5\n\
             block1(v7: b64):\n    \
                 v9: b64 = add.64 v7, 0 ; 6\n    \
                 return ; 7\n\
             }\n"
        );
    }
}
