//! Calls of device functions (PTX ISA, "Control Flow Instructions: call" and "Abstracting the ABI").
//!
//! Each lane has a stack of activations. An activation has columns of registers of its own above those of its caller,
//! and variables of its own in local memory, parameters and return values among them. Lanes run together that are
//! before the same instruction with their registers in the same columns; they may have been called from different places.

use super::error::{Fault, Use};
use super::lanes::lanes;
use super::layout::{MAX_LOCAL_BYTES, function_at};
use super::machine::{ExecutionResult, Flow, Machine};
use super::memory::Bytes;
use super::observer::Observer;
use super::program::{Call, Callee, Cell, Inst, Src};
use super::state::{Block, Frame, Point, Warp};
use super::{Warning, WarningKind};
use smallvec::SmallVec;

/// Most activations of a thread at once, besides the kernel's.
pub const MAX_CALL_DEPTH: usize = 1024;
/// Longest text of a failed assertion that is read.
const MAX_TEXT: u64 = 512;

impl<O: Observer> Machine<'_, O> {
    /// `call`
    pub(super) fn call(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        on: u32,
        group: u32,
    ) -> ExecutionResult<Flow> {
        let Some(call) = &inst.call else {
            return Err(self.not_supported(block, w, on, inst, "a call without its lists"));
        };
        let targets = match &call.callee {
            Callee::Procedure(procedure) => SmallVec::from_slice(&[(*procedure, on)]),
            Callee::Indirect(address) => self.indirect_targets(block, w, inst, *address, on)?,
            Callee::Named(name) => return self.call_outside(block, w, inst, call, name, on),
        };
        self.observer.branched(block, w, inst, on, group);
        for &(procedure, mask) in &targets {
            self.enter(block, w, pc, inst, call, procedure, mask)?;
        }
        let warp = &mut block.warps[w];
        match *targets.as_slice() {
            [(procedure, mask)] if mask == group => {
                warp.registers.base = warp.base[mask.trailing_zeros() as usize % 32];
                Ok(Flow::Jump(
                    self.program.procedures[procedure as usize].start,
                ))
            }
            _ => {
                warp.set_pc(group & !on, pc + 1);
                Ok(Flow::Diverged)
            }
        }
    }

    /// The functions at the addresses of an indirect call, each with its lanes.
    fn indirect_targets(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        address: Src,
        on: u32,
    ) -> ExecutionResult<SmallVec<[(u32, u32); 2]>> {
        let addresses = self.fetch_source(block, w, inst, address)?;
        let undefined = addresses.poison & on;
        if undefined != 0 {
            let fault = Fault::Undefined(Use::Address);
            return Err(self.fault_of(block, w, undefined, inst, fault));
        }
        let mut targets: SmallVec<[(u32, u32); 2]> = SmallVec::new();
        for lane in lanes(on) {
            let address = addresses.values[lane];
            let procedure = function_at(address).and_then(|i| self.program.procedure_of(i));
            let Some(procedure) = procedure else {
                return Err(self.fault(block, w, lane, inst, Fault::BadCall(address)));
            };
            match targets.iter_mut().find(|(known, _)| *known == procedure) {
                Some((_, mask)) => *mask |= 1 << lane,
                None => targets.push((procedure, 1 << lane)),
            }
        }
        Ok(targets)
    }

    /// Begins an activation in each lane of `on`, all of which are before the call.
    #[allow(clippy::too_many_arguments)]
    fn enter(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        call: &Call,
        procedure: u32,
        on: u32,
    ) -> ExecutionResult<()> {
        let program = self.program;
        let callee = &program.procedures[procedure as usize];
        let fits = call.arguments.len() == callee.parameters.len()
            && (call.returns.is_empty() || call.returns.len() == callee.returns.len());
        if !fits {
            let fault = Fault::Signature(callee.function.name.to_string());
            return Err(self.fault_of(block, w, on, inst, fault));
        }
        let caller_base = block.warps[w].registers.base;
        let base = caller_base + program.procedures[inst.procedure as usize].registers;
        block.warps[w].registers.fresh(base, callee.registers, on);
        for lane in lanes(on) {
            if !push_frame(&mut block.warps[w], lane, pc, base, &callee.variables) {
                let depth = block.warps[w].frames[lane].len();
                return Err(self.fault(block, w, lane, inst, Fault::CallDepth(depth)));
            }
            for (&formal, &actual) in callee.parameters.iter().zip(&call.arguments) {
                let bytes = self.read_cell(block, w, inst, lane, actual)?;
                let warp = &mut block.warps[w];
                let local = warp.local_base[lane];
                let callee_at = Activation { base, local };
                write_cell(warp, lane, formal, callee_at, &bytes);
            }
            block.warps[w].pc[lane] = callee.start;
        }
        Ok(())
    }

    /// Ends the activation of each lane of `on`, all of which are before a return.
    pub(super) fn leave(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        on: u32,
        group: u32,
    ) -> ExecutionResult<Flow> {
        let base = block.warps[w].registers.base;
        if base == 0 {
            let warp = &mut block.warps[w];
            warp.set_pc(on, pc);
            warp.set_pc(group & !on, pc + 1);
            return self.exit(block, w, on);
        }
        for lane in lanes(on) {
            self.leave_lane(block, w, inst, lane)?;
        }
        let warp = &mut block.warps[w];
        let first = warp.point(on.trailing_zeros() as usize % 32);
        if on == group && warp.lanes_in(group, first) == group {
            warp.registers.base = first.base;
            return Ok(Flow::Jump(first.pc));
        }
        warp.set_pc(group & !on, pc + 1);
        Ok(Flow::Diverged)
    }

    fn leave_lane(
        &mut self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        lane: usize,
    ) -> ExecutionResult<()> {
        let program = self.program;
        let procedure = &program.procedures[inst.procedure as usize];
        let Some(&frame) = block.warps[w].frames[lane].last() else {
            return Ok(());
        };
        let call = program.code[frame.call as usize].call.as_deref();
        let receivers = call.map_or(&[][..], |call| &call.returns);
        let mut returned: SmallVec<[Bytes; 1]> = SmallVec::new();
        for cell in procedure.returns.iter().take(receivers.len()) {
            // What was a destination is read now.
            let cell = match *cell {
                Cell::Register(dst) => Cell::Value(Src::Reg(dst.reg)),
                other => other,
            };
            // The lanes of a group are in different frames of local memory at times.
            returned.push(self.read_frame_cell(block, w, inst, lane, cell, None)?);
        }
        let warp = &mut block.warps[w];
        warp.pop_frame(lane);
        let activation = Activation {
            base: warp.base[lane],
            local: warp.local_base[lane],
        };
        for (&receiver, bytes) in receivers.iter().zip(&returned) {
            write_cell(warp, lane, receiver, activation, bytes);
        }
        Ok(())
    }

    /// What a caller passes in one cell; the new activation has begun already.
    fn read_cell(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        lane: usize,
        cell: Cell,
    ) -> ExecutionResult<Bytes> {
        let caller = block.warps[w].frames[lane].last().copied();
        self.read_frame_cell(block, w, inst, lane, cell, caller)
    }

    /// The bytes of a cell of the running activation, or of the one that `caller` describes.
    fn read_frame_cell(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        lane: usize,
        cell: Cell,
        caller: Option<Frame>,
    ) -> ExecutionResult<Bytes> {
        let warp = &block.warps[w];
        Ok(match cell {
            Cell::Value(src) => match warp.registers.plain(src, lane) {
                Some((value, poison)) => Bytes::of_word(value, poison),
                None => {
                    let column = self.fetch_source(block, w, inst, src)?;
                    let poison = if column.poison >> lane & 1 != 0 {
                        0xff
                    } else {
                        0
                    };
                    Bytes::of_word(column.values[lane], poison)
                }
            },
            Cell::Memory {
                variable,
                offset,
                bytes,
            } => {
                let first = caller.map_or(warp.local_base[lane], |frame| frame.local_base);
                let region = warp.local[lane].regions.get((first + variable) as usize);
                region.map_or_else(Bytes::default, |region| {
                    region.bytes_from(offset as usize, bytes as usize)
                })
            }
            Cell::Register(_) | Cell::Nowhere => Bytes::default(),
        })
    }

    /// A function without a body: those that the driver provides.
    fn call_outside(
        &mut self,
        block: &mut Block,
        w: usize,
        inst: &Inst,
        call: &Call,
        name: &str,
        on: u32,
    ) -> ExecutionResult<Flow> {
        match name {
            "vprintf" => {
                self.warn(block, w, inst, on, WarningKind::IgnoredPrint);
                for lane in lanes(on) {
                    let warp = &mut block.warps[w];
                    let activation = Activation {
                        base: warp.base[lane],
                        local: warp.local_base[lane],
                    };
                    for &receiver in &call.returns {
                        write_cell(warp, lane, receiver, activation, &Bytes::of_word(0, 0));
                    }
                }
                Ok(Flow::Next)
            }
            "__assertfail" | "__assert_fail" => {
                let lane = on.trailing_zeros() as usize % 32;
                let text = self.assertion(block, w, inst, call, lane)?;
                Err(self.fault(block, w, lane, inst, Fault::Assertion(text)))
            }
            _ => {
                let what = format!("a call of `{name}`, which has no body");
                Err(self.not_supported(block, w, on, inst, &what))
            }
        }
    }

    /// The text of a failed assertion: its message, file and line.
    fn assertion(
        &self,
        block: &Block,
        w: usize,
        inst: &Inst,
        call: &Call,
        lane: usize,
    ) -> ExecutionResult<String> {
        let mut words = [0; 3];
        for (word, &cell) in words.iter_mut().zip(&call.arguments) {
            *word = self
                .read_frame_cell(block, w, inst, lane, cell, None)?
                .word()
                .0;
        }
        let [message, file, line] = words;
        let message = self.text(block, w, lane, message);
        let file = self.text(block, w, lane, file);
        Ok(format!("`{message}` ({file}:{})", line as u32))
    }

    /// The text at a generic address, up to its zero.
    fn text(&self, block: &Block, w: usize, lane: usize, address: u64) -> String {
        let bytes: Vec<u8> = (0..MAX_TEXT)
            .map_while(|i| self.peek(block, w, lane, address.wrapping_add(i)))
            .take_while(|&byte| byte != 0)
            .collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Notes something worth knowing, once for each statement.
    pub(super) fn warn(
        &mut self,
        block: &Block,
        w: usize,
        inst: &Inst,
        on: u32,
        kind: WarningKind,
    ) {
        if self.warnings.iter().any(|v| v.span == inst.source.span) {
            return;
        }
        self.warnings.push(Warning {
            span: inst.source.span,
            thread: block.thread(w, on.trailing_zeros() as usize % 32),
            kind,
        });
    }

    /// Where lanes that diverged at the instruction `last` meet again.
    pub(super) fn meeting_point(&self, warp: &Warp, last: Point, group: u32) -> Point {
        let Some(inst) = self.program.code.get(last.pc as usize) else {
            return last;
        };
        let meet = Point {
            pc: inst.reconverge,
            base: last.base,
        };
        let end = self.program.procedures[inst.procedure as usize].end;
        match lanes(group & warp.live()).next() {
            Some(lane) if meet.pc == end && last.base != 0 => warp.returns_to(lane, last.base),
            _ => meet,
        }
    }
}

/// An activation of one lane: where its registers and its variables begin.
#[derive(Clone, Copy)]
struct Activation {
    base: u32,
    local: u32,
}

/// Writes what is passed; bytes that nobody passes are undefined.
fn write_cell(warp: &mut Warp, lane: usize, cell: Cell, activation: Activation, bytes: &Bytes) {
    match cell {
        Cell::Register(dst) => {
            let (value, poison) = bytes.word();
            warp.registers
                .write_lane(activation.base, dst, lane, value, poison);
        }
        Cell::Memory {
            variable, offset, ..
        } => {
            let index = (activation.local + variable) as usize;
            if let Some(region) = warp.local[lane].regions.get_mut(index) {
                region.store_bytes(offset as usize, bytes);
            }
        }
        Cell::Value(_) | Cell::Nowhere => {}
    }
}

/// Begins an activation with undefined variables; false if there is no room.
fn push_frame(
    warp: &mut Warp,
    lane: usize,
    pc: u32,
    base: u32,
    variables: &[super::layout::FrameVariable],
) -> bool {
    let more: u64 = variables.iter().map(|v| v.bytes).sum();
    let bytes = warp.frames[lane].last().map_or(0, |f| f.bytes) + more;
    let local = &mut warp.local[lane];
    let room = local.room(variables.len());
    if warp.frames[lane].len() >= MAX_CALL_DEPTH || bytes > MAX_LOCAL_BYTES || !room {
        return false;
    }
    warp.frames[lane].push(Frame {
        call: pc,
        base: warp.base[lane],
        local_base: warp.local_base[lane],
        bytes,
    });
    warp.base[lane] = base;
    warp.local_base[lane] = local.regions.len() as u32;
    for variable in variables {
        local.push_undefined(&variable.name, variable.bytes as usize, &mut warp.spare);
    }
    true
}
