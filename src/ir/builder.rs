//! Building functions: the front ends and hand-written tests share it.

use super::function::{
    Base, Block, BlockId, Function, Inst, InstId, Target, Terminator, Value, ValueData, ValueDef,
};
use super::opcode::Opcode;
use super::types::Special;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A function under construction. Constants, special registers and addresses are interned: equal ones are one value.
#[derive(Debug, Default)]
pub struct FunctionBuilder {
    /// What is built so far. Header fields (name, parameters, variables) can be set freely.
    pub function: Function,
    interned: FxHashMap<(ValueDef, u8), Value>,
}

impl FunctionBuilder {
    /// An empty function.
    pub fn new(name: &str, entry: bool) -> Self {
        let mut builder = FunctionBuilder::default();
        builder.function.name = name.into();
        builder.function.entry = entry;
        builder
    }

    /// A new block that ends in a trap until [`FunctionBuilder::terminate`].
    pub fn block(&mut self) -> BlockId {
        let id = BlockId(self.function.blocks.len() as u32);
        self.function.blocks.push(Block {
            assumed: Vec::new(),
            params: Vec::new(),
            insts: Vec::new(),
            terminator: Terminator::Trap,
            origin: 0,
        });
        id
    }

    /// A new parameter of a block.
    pub fn param(&mut self, block: BlockId, width: u8) -> Value {
        let index = self.function.block(block).params.len() as u16;
        let value = self.value(ValueDef::Parameter(block, index), width);
        self.function.blocks[block.index()].params.push(value);
        value
    }

    /// The constant `bits`, cut to `width`.
    pub fn constant(&mut self, width: u8, bits: u64) -> Value {
        let mask = if width >= 64 {
            u64::MAX
        } else {
            (1 << width) - 1
        };
        self.intern(ValueDef::Constant(bits & mask), width)
    }

    /// A special register that does not change within a thread.
    pub fn special(&mut self, special: Special, width: u8) -> Value {
        self.intern(ValueDef::Special(special), width)
    }

    /// The address of a parameter, variable or function.
    pub fn address(&mut self, base: Base, offset: i64, width: u8) -> Value {
        self.intern(ValueDef::Address(base, offset), width)
    }

    /// A new value that nothing defines: two of them need not be equal.
    pub fn undefined(&mut self, width: u8) -> Value {
        self.value(ValueDef::Undefined, width)
    }

    /// Appends an instruction with results of the given widths.
    pub fn inst(
        &mut self,
        block: BlockId,
        opcode: Opcode,
        args: &[Value],
        widths: &[u8],
        guard: Option<(Value, bool)>,
        origin: u32,
    ) -> InstId {
        let id = InstId(self.function.insts.len() as u32);
        let results: SmallVec<[Value; 2]> = widths
            .iter()
            .enumerate()
            .map(|(index, &width)| self.value(ValueDef::Result(id, index as u16), width))
            .collect();
        self.function.insts.push(Inst {
            opcode,
            args: SmallVec::from_slice(args),
            results,
            guard,
            origin,
            block,
        });
        self.function.blocks[block.index()].insts.push(id);
        id
    }

    /// Appends an unguarded instruction with one result and returns that.
    pub fn single(
        &mut self,
        block: BlockId,
        opcode: Opcode,
        args: &[Value],
        width: u8,
        origin: u32,
    ) -> Value {
        let id = self.inst(block, opcode, args, &[width], None, origin);
        self.function.insts[id.index()].results[0]
    }

    /// Ends a block.
    pub fn terminate(&mut self, block: BlockId, terminator: Terminator, origin: u32) {
        let block = &mut self.function.blocks[block.index()];
        block.terminator = terminator;
        block.origin = origin;
    }

    /// The finished function.
    pub fn finish(self) -> Function {
        self.function
    }

    fn value(&mut self, def: ValueDef, width: u8) -> Value {
        let value = Value(self.function.values.len() as u32);
        self.function.values.push(ValueData::new(def, width));
        value
    }

    fn intern(&mut self, def: ValueDef, width: u8) -> Value {
        if let Some(&value) = self.interned.get(&(def.clone(), width)) {
            return value;
        }
        let value = self.value(def.clone(), width);
        self.interned.insert((def, width), value);
        value
    }
}

/// A branch target.
pub fn target(block: BlockId, args: &[Value]) -> Target {
    Target {
        block,
        args: args.to_vec(),
    }
}

/// A function of empty blocks with the given successors: a returning block for none, a jump for one, a branch on
/// an undefined bit for two, a switch for more. For tests of graph algorithms.
#[cfg(test)]
pub fn graph(successors: &[&[u32]]) -> Function {
    let mut builder = FunctionBuilder::new("graph", true);
    for _ in successors {
        builder.block();
    }
    let condition = builder.undefined(1);
    let index = builder.undefined(32);
    for (block, next) in successors.iter().enumerate() {
        let mut targets = next.iter().map(|&b| target(BlockId(b), &[]));
        let terminator = match next.len() {
            0 => Terminator::Return,
            1 => Terminator::Jump(target(BlockId(next[0]), &[])),
            2 => Terminator::Branch {
                condition,
                then: targets.next().expect("two"),
                otherwise: targets.next().expect("two"),
                uniform: false,
            },
            _ => Terminator::Switch {
                index,
                targets: targets.collect(),
            },
        };
        builder.terminate(BlockId(block as u32), terminator, block as u32);
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_cut_and_interned() {
        let mut builder = FunctionBuilder::new("f", true);
        let a = builder.constant(8, 0x1ff);
        let b = builder.constant(8, 0xff);
        let c = builder.constant(16, 0xff);
        assert_eq!(a, b);
        assert_ne!(a, c);
        assert_eq!(builder.function.value(a).def, ValueDef::Constant(0xff));
    }
}
