//! Asynchronous copies as data: the forms of the instructions, the copies of a warp that nobody has waited for, and when they
//! land.

use super::lanes::LANES;
use super::launch::Random;
use super::memory::MemoryLocation;
use ptxasw_ptx::decode::form::{Instruction, Source};

/// Bytes of one report to an observer.
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
    pub(super) bytes: u8,
    /// What is added to the two addresses.
    pub(super) offsets: [i64; 2],
    pub(super) limit: Limit,
}

/// How many bytes are read; zeros are written for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
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
    pub(super) pending: Vec<Pending>,
    /// Groups that each lane has made.
    pub(super) groups: [u32; LANES],
}

/// A copy of one lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) lane: u8,
    /// The group that it belongs to, or will.
    pub(super) group: u32,
    /// The copy in the code.
    pub(super) pc: u32,
    pub(super) to: MemoryLocation,
    /// None where nothing is read.
    pub(super) from: Option<MemoryLocation>,
    /// Bytes that are read.
    pub(super) taken: u8,
    /// Bytes that are written.
    pub(super) bytes: u8,
    pub(super) landed: bool,
}

/// When an asynchronous copy becomes visible.
#[derive(Debug, Default)]
pub(super) enum Landing {
    /// At the wait, in order.
    #[default]
    AtWait,
    /// At the wait, the latest first.
    Backwards,
    /// As soon as it is issued.
    AtOnce,
    /// At random between its issue and the wait.
    Sometime(Random),
}

impl Landing {
    /// One order other than the program's, chosen by the seed of the schedule.
    pub(super) fn of(seed: u64) -> Self {
        match seed % 4 {
            2 => Landing::AtOnce,
            3 => Landing::Backwards,
            // Dice of its own: where there are no copies, runs are what they are without this.
            _ => Landing::Sometime(Random::new(!seed)),
        }
    }

    pub(super) fn roll(&mut self, n: u64) -> u64 {
        match self {
            Landing::Sometime(random) => random.below(n),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptxasw_ptx as ptx;
    use ptxasw_ptx::decode::decode;

    /// What is made of an instruction.
    fn read(statement: &str) -> Option<Asynchronous> {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{{\n.reg .pred %p<2>;\n\
             .reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n{statement};\nret;\n}}\n"
        );
        let tree = ptx::parse(text.as_bytes()).unwrap();
        let module = decode(&tree).unwrap();
        let function = &module.functions[0];
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
