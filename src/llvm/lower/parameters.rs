//! Parameters of kernels and of device functions.

use super::values::{memory_type, width};
use super::{Lowering, Pieces};
use crate::kernels::Entry;
use crate::view::Val;
use crate::view::layout::Scalar;
use inkwell::llvm_sys::LLVMOpcode;
use ptxasw_ir::function::{Base, BlockId, Param};
use ptxasw_ir::op::Op;
use ptxasw_ir::opcode::{Access, Opcode, Order, Scope};
use ptxasw_ir::types::{Kind, Space, Type};
use rustc_hash::FxHashSet;

/// Uses of a parameter in memory, above which it is not looked at.
const MAX_USES: usize = 1 << 16;

impl<'m> Lowering<'m> {
    /// Defines all parameters, at the start of the function.
    pub(super) fn parameters(&mut self, entry: &Entry<'m>) {
        (self.block, self.origin) = (BlockId(0), 0);
        let mut names = FxHashSet::default();
        for (index, parameter) in (0..).zip(entry.function.parameters()) {
            let by_value = entry.function.has_attribute(index + 1, "byval");
            if !self.kernel {
                let pieces = self.opaque_parameter(parameter);
                let pieces = self.in_range(parameter, pieces);
                self.define(parameter, pieces);
                continue;
            }
            let declared = self.declared(entry, parameter, index, by_value, &mut names);
            self.builder.function.params.push(declared);
            let pieces = match by_value {
                true => self.in_memory(entry, parameter, index),
                false => self.in_registers(parameter, index),
            };
            let pieces = self.in_range(parameter, pieces);
            self.define(parameter, pieces);
        }
    }

    /// The caller's values, of which nothing is known.
    fn opaque_parameter(&mut self, parameter: Val<'m>) -> Pieces {
        let widths = self.widths(parameter.ty());
        widths
            .into_iter()
            .map(|width| self.unknown(width))
            .collect()
    }

    fn declared(
        &self,
        entry: &Entry<'m>,
        parameter: Val<'m>,
        index: u32,
        by_value: bool,
        names: &mut FxHashSet<String>,
    ) -> Param {
        let ty = match by_value {
            true => entry.function.parameter_type(index + 1, "byval"),
            false => None,
        };
        let ty = ty.unwrap_or(parameter.ty());
        let leaves = self.leaves(ty);
        let element = match leaves[..] {
            [leaf] => memory_type(leaf.scalar),
            _ => None,
        };
        let pointer = match leaves[..] {
            [leaf] if !by_value => match leaf.scalar {
                Scalar::Pointer(0, _) => Some(None),
                Scalar::Pointer(space, _) => Some(self.space(space)),
                _ => None,
            },
            _ => None,
        };
        Param {
            name: unique(&parameter.name(), index, names).into(),
            ty: element.unwrap_or(Type::new(Kind::Bits, 8)),
            bytes: self.layout.stride(ty).unwrap_or(0),
            pointer,
            pointee_align: match by_value {
                true => 1,
                false => entry.function.attribute(index + 1, "align").unwrap_or(1) as u32,
            },
            points_to_global: true,
            // Of a struct in memory the attribute speaks of that memory, not of the pointers in it.
            no_alias: !by_value && entry.function.has_attribute(index + 1, "noalias"),
        }
    }

    /// Reads a parameter of a kernel.
    fn in_registers(&mut self, parameter: Val<'m>, index: u32) -> Pieces {
        let leaves = self.leaves(parameter.ty());
        let mut pieces = Pieces::new();
        for leaf in leaves {
            let Some(ty) = memory_type(leaf.scalar) else {
                pieces.push(self.unknown(width(leaf.scalar)));
                continue;
            };
            let address = self
                .builder
                .address(Base::Parameter(index), leaf.offset as i64, 64);
            let access = Access {
                space: Space::ParamEntry,
                ty,
                elements: 1,
                order: Order::Weak,
                scope: Scope::System,
                non_coherent: false,
                offset: 0,
                hints: false,
                skipped: 0,
            };
            let value = self.emit(Opcode::Load(access), &[address], &[ty.bits])[0];
            pieces.push(match leaf.scalar {
                Scalar::Integer(1) => self.truth(value),
                _ => value,
            });
        }
        pieces
    }

    /// A struct that is passed in memory: its address. What is only read stays where it is, as does a grid constant; else the
    /// thread has a copy.
    fn in_memory(&mut self, entry: &Entry<'m>, parameter: Val<'m>, index: u32) -> Pieces {
        let stays = entry.grid_constants.contains(&index) || self.only_read(parameter);
        let (space, address) = match stays {
            true => {
                let base = Base::Parameter(index);
                (Space::ParamEntry, self.builder.address(base, 0, 64))
            }
            false => {
                let name = format!("copy of parameter {index}");
                let base = self.new_variable(Space::Local, &name, None);
                (Space::Local, self.builder.address(base, 0, 64))
            }
        };
        self.objects.insert(parameter, (space, address));
        let generic = Op::ToGeneric { space, width: 64 };
        Pieces::from_slice(&[self.op(generic, &[address])])
    }

    /// Whether nothing is done with an address but reading there.
    fn only_read(&self, parameter: Val<'m>) -> bool {
        use LLVMOpcode::*;
        let mut work = vec![parameter];
        let mut seen: FxHashSet<Val> = FxHashSet::default();
        while let Some(pointer) = work.pop() {
            for user in pointer.users() {
                if seen.len() > MAX_USES || !user.is_instruction() {
                    return false;
                }
                match user.opcode() {
                    LLVMLoad => {}
                    LLVMGetElementPtr | LLVMAddrSpaceCast | LLVMBitCast | LLVMSelect | LLVMPHI => {
                        work.extend(seen.insert(user).then_some(user));
                    }
                    _ => return false,
                }
            }
        }
        true
    }
}

/// A name that no other symbol of the proofs has: an identifier, without dots.
fn unique(name: &str, index: u32, names: &mut FxHashSet<String>) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() || c == '$' {
        true => c,
        false => '_',
    };
    let mut name: String = name.chars().map(plain).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name = format!("param_{index}");
    }
    while !names.insert(name.clone()) {
        name = format!("{name}_{index}");
    }
    name
}
