//! Asynchronous copies from global to shared memory (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous
//! copy": `cp.async`, `cp.async.commit_group`, `cp.async.wait_group`, `cp.async.wait_all`).
//!
//! The source is read and the bytes land at any moment between the copy and the wait for it, those of one copy at once,
//! different copies in any order. Lockstep and some adversaries take the last moment, others the first one or any. For who
//! watches, the memory is touched at the wait, whenever the bytes have landed.

use super::access::Request;
use super::error::{Fault, Use};
use super::launch::Random;
use super::machine::{Machine, Step};
use super::observer::{Observer, Place, TouchKind, Touched};
use super::program::Inst;
use super::state::{Block, Column, LANES, lanes};
use crate::ir::types::Space;
use crate::ptx::decode::form::{Instruction, Source};

/// Bytes that who watches is told of at a time.
pub(super) const WORD: u8 = 4;

/// What an instruction has to do with asynchronous copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asynchronous {
    /// A copy by each lane.
    Copy(Form),
    /// The copies that no group has make one.
    Commit,
    /// Waits for all groups but the latest.
    WaitGroup,
    /// Waits for all copies.
    WaitAll,
}

/// The form of a copy. Operands: destination, source, size, and what `limit` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// Bytes that are written.
    bytes: u8,
    /// What is added to the two addresses.
    offsets: [i64; 2],
    limit: Limit,
}

/// How many bytes are read; zeros are written for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    All,
    /// As many as operand 3 says.
    Bytes,
    /// None, where the predicate in operand 3 is true.
    Ignore,
}

impl Asynchronous {
    /// Reads an instruction; none if it is something else, or a form that is not known. `predicate`: whether an operand is one.
    pub(super) fn of(
        spelling: &str,
        instruction: &Instruction,
        predicate: impl Fn(&Source) -> bool,
    ) -> Option<Self> {
        let words: Vec<&str> = spelling.strip_prefix("cp.async.")?.split('.').collect();
        let operands = &instruction.operands;
        match (&words[..], &operands[..]) {
            (["commit_group"], []) => return Some(Asynchronous::Commit),
            (["wait_group"], [Source::Imm(_)]) => return Some(Asynchronous::WaitGroup),
            (["wait_all"], []) => return Some(Asynchronous::WaitAll),
            _ => {}
        }
        let [cache, "shared" | "shared::cta", "global", hints @ ..] = &words[..] else {
            return None;
        };
        let policies = hints.iter().filter(|&&hint| hint == "L2::cache_hint");
        let prefetches = ["L2::cache_hint", "L2::64B", "L2::128B", "L2::256B"];
        let [_, _, Source::Imm(bytes), more @ ..] = &operands[..] else {
            return None;
        };
        let sizes: &[u64] = match *cache {
            "ca" => &[4, 8, 16],
            "cg" => &[16],
            _ => return None,
        };
        if !sizes.contains(bytes) || !hints.iter().all(|hint| prefetches.contains(hint)) {
            return None;
        }
        let more = more.len().checked_sub(policies.count()).map(|n| &more[..n]);
        let limit = match more? {
            [] => Limit::All,
            [ignore] if predicate(ignore) => Limit::Ignore,
            [_] => Limit::Bytes,
            _ => return None,
        };
        Some(Asynchronous::Copy(Form {
            bytes: *bytes as u8,
            offsets: **instruction.offsets.as_ref()?,
            limit,
        }))
    }
}

/// The copies of a warp.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// Those that nobody has waited for, from the oldest.
    pending: Vec<Pending>,
    /// Groups that each lane has made.
    groups: [u32; LANES],
}

/// A copy of one lane.
#[derive(Clone, Copy, Debug)]
struct Pending {
    lane: u8,
    /// The group that it belongs to, or will.
    group: u32,
    /// The copy in the code.
    pc: u32,
    to: Place,
    /// None where nothing is read.
    from: Option<Place>,
    /// Bytes that are read.
    taken: u8,
    /// Bytes that are written.
    bytes: u8,
    landed: bool,
}

/// When copies land.
#[derive(Debug, Default)]
pub(super) enum Landing {
    /// At the wait, in order.
    #[default]
    AtWait,
    /// At the wait, the latest first.
    Backwards,
    /// At once.
    AtOnce,
    /// At any moment.
    Sometime(Random),
}

impl Landing {
    /// Of an adversary.
    pub(super) fn of(seed: u64) -> Self {
        match seed % 4 {
            2 => Landing::AtOnce,
            3 => Landing::Backwards,
            // Dice of its own: where there are no copies, runs are what they are without this.
            _ => Landing::Sometime(Random::new(!seed)),
        }
    }

    fn roll(&mut self, n: u64) -> u64 {
        match self {
            Landing::Sometime(random) => random.below(n),
            _ => 0,
        }
    }
}

impl<O: Observer> Machine<'_, O> {
    /// An instruction of this module.
    pub(super) fn asynchronous(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        what: Asynchronous,
        on: u32,
    ) -> Step<()> {
        match what {
            Asynchronous::Copy(form) => return self.copy(block, w, pc, inst, form, on),
            Asynchronous::Commit => {
                let groups = &mut block.warps[w].copies.groups;
                lanes(on).for_each(|lane| groups[lane] += 1);
            }
            Asynchronous::WaitGroup => {
                let left = self.fetch(block, w, inst, 0)?.values[0];
                let left = u32::try_from(left).unwrap_or(u32::MAX);
                let groups = block.warps[w].copies.groups;
                self.wait(block, w, on, |lane| groups[lane].saturating_sub(left));
            }
            Asynchronous::WaitAll => self.wait(block, w, on, |_| u32::MAX),
        }
        Ok(())
    }

    /// `cp.async`: faults are those of the moment of the copy.
    fn copy(
        &mut self,
        block: &mut Block,
        w: usize,
        pc: u32,
        inst: &Inst,
        form: Form,
        on: u32,
    ) -> Step<()> {
        let taken = self.taken(block, w, inst, form, on)?;
        let reading = lanes(on).filter(|&lane| taken.values[lane] > 0);
        let reading = reading.fold(0, |mask, lane| mask | 1 << lane);
        let to = self.fetch_defined(block, w, inst, 0, on, Use::Address)?;
        let from = self.fetch_defined(block, w, inst, 1, reading, Use::Address)?;
        let (bytes, [to_offset, from_offset]) = (form.bytes, form.offsets);
        for lane in lanes(on) {
            let address = to.values[lane].wrapping_add_signed(to_offset);
            let taken = taken.values[lane] as u8;
            let to = Request {
                space: Space::Shared,
                address,
                bytes: bytes.into(),
                write: true,
            };
            let to = self.place_of(block, w, lane, to, bytes);
            let from = (taken > 0).then(|| {
                let from = Request {
                    space: Space::Global,
                    address: from.values[lane].wrapping_add_signed(from_offset),
                    bytes: taken.into(),
                    write: false,
                };
                self.place_of(block, w, lane, from, bytes)
            });
            let failed = |fault| self.fault(block, w, lane, inst, fault);
            let pending = Pending {
                lane: lane as u8,
                group: block.warps[w].copies.groups[lane],
                pc,
                to: to.map_err(failed)?,
                from: from.transpose().map_err(failed)?,
                taken,
                bytes,
                landed: false,
            };
            block.warps[w].copies.pending.push(pending);
            let at_once = match &self.landing {
                Landing::AtOnce => true,
                Landing::Sometime(_) => self.landing.roll(4) == 0,
                Landing::AtWait | Landing::Backwards => false,
            };
            if at_once {
                let last = block.warps[w].copies.pending.len() - 1;
                self.land(block, w, last);
            }
        }
        Ok(())
    }

    /// How many bytes each lane reads.
    fn taken(&self, block: &Block, w: usize, inst: &Inst, form: Form, on: u32) -> Step<Column> {
        let all = u64::from(form.bytes);
        let mut taken = match form.limit {
            Limit::All => return Ok(Column::splat(all)),
            _ => self.fetch_defined(block, w, inst, 3, on, Use::Decision)?,
        };
        for lane in lanes(on) {
            let value = &mut taken.values[lane];
            *value = match form.limit {
                Limit::Ignore => (1 - (*value & 1)) * all,
                _ => u64::from(*value as u32),
            };
            if *value > all {
                let what = "a source larger than the destination";
                return Err(self.not_supported(block, w, 1 << lane, inst, what));
            }
        }
        Ok(taken)
    }

    /// Ends the wait of lanes for all copies of groups before the one that `before` gives for each lane.
    fn wait(&mut self, block: &mut Block, w: usize, on: u32, before: impl Fn(usize) -> u32) {
        let done = |copy: &Pending| {
            let lane = usize::from(copy.lane);
            on >> lane & 1 != 0 && copy.group < before(lane)
        };
        let count = block.warps[w].copies.pending.len();
        let backwards = matches!(self.landing, Landing::Backwards);
        for i in 0..count {
            let index = if backwards { count - 1 - i } else { i };
            if done(&block.warps[w].copies.pending[index]) {
                self.land(block, w, index);
            }
        }
        let pending = &mut block.warps[w].copies.pending;
        let finished: Vec<Pending> = pending.iter().copied().filter(done).collect();
        pending.retain(|copy| !done(copy));
        for copy in finished {
            self.tell(block, w, &copy);
        }
    }

    /// The bytes of a copy land, if they have not yet.
    fn land(&mut self, block: &mut Block, w: usize, index: usize) {
        let copy = &mut block.warps[w].copies.pending[index];
        if std::mem::replace(&mut copy.landed, true) {
            return;
        }
        let copy = *copy;
        let mut bytes = copy.from.map_or_else(Default::default, |from| {
            self.global.regions[from.region].bytes_from(from.offset, copy.taken.into())
        });
        bytes.values.resize(copy.bytes.into(), 0);
        bytes.undefined.resize(copy.bytes.into(), 0);
        block.shared.regions[copy.to.region].store_bytes(copy.to.offset, &bytes);
    }

    /// Tells who watches of a copy, word by word.
    fn tell(&mut self, block: &Block, w: usize, copy: &Pending) {
        let Some(inst) = self.program.code.get(copy.pc as usize) else {
            return;
        };
        let thread = block.first_thread + w as u64 * 32 + u64::from(copy.lane);
        let read = copy.from.map(|from| (from, copy.taken, TouchKind::Load));
        let written = (copy.to, copy.bytes, TouchKind::Store);
        for (place, bytes, kind) in read.into_iter().chain([written]) {
            for at in (0..bytes).step_by(WORD.into()) {
                let touched = Touched {
                    thread,
                    place: Place {
                        offset: place.offset + usize::from(at),
                        ..place
                    },
                    bytes: (bytes - at).min(WORD).into(),
                    kind,
                    unchanged: false,
                };
                self.observer.touched(block, inst, touched);
            }
        }
    }

    /// Between two turns some copies land, if the adversary likes.
    pub(super) fn land_some(&mut self, resident: &mut [Block]) {
        while matches!(self.landing, Landing::Sometime(_)) && self.landing.roll(2) == 0 {
            let mut candidates = Vec::new();
            for (b, block) in resident.iter().enumerate() {
                for (w, warp) in block.warps.iter().enumerate() {
                    let pending = warp.copies.pending.iter().enumerate();
                    let flying = pending.filter(|(_, copy)| !copy.landed);
                    candidates.extend(flying.map(|(i, _)| (b, w, i)));
                }
            }
            let pick = self.landing.roll(candidates.len() as u64) as usize;
            let Some(&(b, w, index)) = candidates.get(pick) else {
                return;
            };
            self.land(&mut resident[b], w, index);
        }
    }

    /// Finds bytes whose address must be a multiple of `align`.
    fn place_of(
        &self,
        block: &Block,
        w: usize,
        lane: usize,
        request: Request,
        align: u8,
    ) -> Result<Place, Fault> {
        let address = request.address;
        let place = self.locate(block, w, lane, request)?;
        match address % u64::from(align) {
            0 => Ok(place),
            _ => Err(Fault::Misaligned {
                address,
                bytes: align.into(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::Module;

    /// What is made of an instruction.
    fn read(statement: &str) -> Option<Asynchronous> {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<2>;\n\
             .reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n{statement};\nret;\n}}\n"
        );
        let module = Module::read(text.as_bytes()).unwrap();
        let function = &module.form.functions[0];
        let instruction = &function.instructions[0];
        let spelling = &function.spellings[instruction.spelling as usize];
        let bits = |source: &Source| match source {
            Source::Reg(reg) => function.registers[reg.0 as usize].ty.bits,
            _ => 64,
        };
        Asynchronous::of(spelling, instruction, |source| bits(source) == 1)
    }

    #[test]
    fn forms() {
        let copy = |bytes, offsets, limit| {
            Some(Asynchronous::Copy(Form {
                bytes,
                offsets,
                limit,
            }))
        };
        assert_eq!(
            read("cp.async.ca.shared.global [%r1+8], [%rd1+-16], 4"),
            copy(4, [8, -16], Limit::All)
        );
        assert_eq!(
            read("cp.async.cg.shared::cta.global.L2::128B [%r1], [%rd1], 16, %r2"),
            copy(16, [0, 0], Limit::Bytes)
        );
        assert_eq!(
            read("cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd1], 8, %rd2"),
            copy(8, [0, 0], Limit::All)
        );
        assert_eq!(
            read("cp.async.ca.shared.global [%r1], [%rd1], 8, %p1"),
            copy(8, [0, 0], Limit::Ignore)
        );
        assert_eq!(read("cp.async.commit_group"), Some(Asynchronous::Commit));
        assert_eq!(read("cp.async.wait_group 2"), Some(Asynchronous::WaitGroup));
        assert_eq!(read("cp.async.wait_all"), Some(Asynchronous::WaitAll));
        for unknown in [
            "cp.async.cg.shared.global [%r1], [%rd1], 8",
            "cp.async.ca.shared.global [%r1], [%rd1], 12",
            "cp.async.mbarrier.arrive.shared.b64 [%r1]",
            "cp.async.bulk.commit_group",
        ] {
            assert_eq!(read(unknown), None, "{unknown}");
        }
    }
}
