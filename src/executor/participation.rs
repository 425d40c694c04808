//! Which lanes of a warp take part in its loads and shuffles: for pictures of them.

use super::launch::Launch;
use super::machine::Machine;
use super::observer::Observer;
use super::program::Inst;
use super::state::Block;
use super::{ExecutionError, Options, prepare};
use ptxasw_ir::opcode::Opcode;
use ptxasw_ptx::decode::form::{Action, Function, Module};

/// Most steps of a warp that are kept: pictures show the first ones.
const MOST_STEPS: usize = 1 << 12;

/// A load or a shuffle, executed by lanes of a warp that are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Begin of the statement in the text.
    pub statement: u32,
    /// The lanes, one bit each.
    pub lanes: u32,
}

/// The loads and shuffles of one warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpSteps {
    /// Number of its block in the grid.
    pub block: u64,
    /// Its number in the block.
    pub warp: u32,
    /// Its loads and shuffles in execution order.
    pub steps: Vec<Step>,
}

/// Runs some blocks of a launch, by their numbers, up to the first that fails.
///
/// # Errors
/// The launch does not fit the kernel.
pub fn steps(
    module: &Module,
    function: &Function,
    launch: &Launch,
    options: Options,
    blocks: &[u64],
) -> Result<Vec<WarpSteps>, ExecutionError> {
    let (program, _) = prepare(module, function, launch)?;
    let mut watcher = Watcher::default();
    let mut machine = Machine::new(&program, function, launch, options, &mut watcher)?;
    for &block in blocks {
        if machine.run_blocks(block..block + 1).is_err() {
            break;
        }
    }
    drop(machine);
    for (warps, &block) in watcher.done.iter_mut().zip(blocks) {
        warps.iter_mut().for_each(|one| one.block = block);
    }
    Ok(watcher.done.concat())
}

#[derive(Default)]
struct Watcher {
    running: Vec<WarpSteps>,
    done: Vec<Vec<WarpSteps>>,
}

impl Watcher {
    fn grow(&mut self, warps: usize) {
        for warp in self.running.len()..warps {
            self.running.push(WarpSteps {
                block: 0,
                warp: warp as u32,
                steps: Vec::new(),
            });
        }
    }
}

impl Observer for Watcher {
    fn executed(&mut self, block: &Block, w: usize, _: u32, inst: &Inst, on: u32) {
        let opcode = match &inst.source.action {
            Action::Do(opcode) => opcode,
            _ => return,
        };
        if !matches!(opcode, Opcode::Load(_) | Opcode::Shuffle { .. }) {
            return;
        }
        self.grow(block.warps.len());
        let steps = &mut self.running[w].steps;
        if on != 0 && steps.len() < MOST_STEPS {
            steps.push(Step {
                statement: inst.source.span.start,
                lanes: on,
            });
        }
    }

    fn finished(&mut self, block: &Block) {
        self.grow(block.warps.len());
        self.done.push(std::mem::take(&mut self.running));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ptx as ptx;

    #[test]
    fn lanes_of_loads_and_shuffles_are_seen() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n\
            .reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %d<4>;\nld.param.u64 %d1, [a];\n\
            mov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\nadd.u64 %d1, %d1, %d2;\nld.global.u32 %r2, [%d1];\n\
            shfl.sync.down.b32 %r3|%p1, %r2, 1, 31, -1;\n@!%p1 ld.global.u32 %r3, [%d1];\nst.global.u32 [%d1], %r3;\nret;\n}\n";
        let tree = ptx::parse(text.as_bytes()).unwrap();
        let module = ptx::decode::decode(&tree).unwrap();
        let buffer = crate::launch::Buffer {
            bytes: vec![0; 256],
            initialised: true,
            element: 4,
        };
        let launch = Launch::new([1; 3], [64, 1, 1]).with_buffer(buffer);
        let kernel = &module.functions[0];
        let warps = steps(&module, kernel, &launch, Options::default(), &[0]).unwrap();
        assert_eq!(warps.len(), 2);
        for (number, warp) in warps.iter().enumerate() {
            assert_eq!((warp.block, warp.warp), (0, number as u32));
            // The first load is that of the parameter.
            let lanes = warp.steps[1..].iter();
            let lanes: Vec<u32> = lanes.map(|one| one.lanes).collect();
            assert_eq!(lanes, [!0, !0, 1 << 31]);
        }
    }
}
