//! What each thread knows of the others: program order, barriers, and releases that are acquired.
//!
//! After the PTX ISA, "Memory Consistency Model": a release pattern (a release, or a fence and a strong write after it)
//! synchronizes with an acquire pattern (an acquire, or a strong read and a fence after it) if the read takes its value
//! from the write, or through a chain of atomics, each two neighbours strong for each other. Reads take the value that
//! the interleaving gives them. Clusters are single blocks here. Two `fence.sc` alone give no order, although they have
//! one in each execution: another execution may have the other.

use super::clock::{Clock, Position};
use super::shadow::Strength;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// Barriers of a block.
const BARRIERS: usize = crate::state::BARRIERS;
/// The barrier of the cluster, after those of the block.
pub(super) const CLUSTER: usize = BARRIERS;

/// What a thread knew at some moment.
#[derive(Clone, Debug)]
struct Knowledge {
    clock: Rc<Clock>,
    position: Position,
    epoch: u32,
}

impl Knowledge {
    fn join_into(&self, clock: &mut Clock) {
        clock.join(&self.clock);
        let Position { block, warp, lane } = self.position;
        clock.raise(block, warp, 1 << lane, self.epoch);
    }
}

/// What a thread let others know, and with which scope.
#[derive(Clone, Debug)]
struct Release {
    knowledge: Knowledge,
    strength: Strength,
}

/// Knowledge that is released to some scopes: the wider the scope, the less is known there.
#[derive(Debug)]
struct Scoped<T> {
    /// In the block.
    block: Option<T>,
    /// In the grid.
    device: Option<T>,
}

impl<T> Default for Scoped<T> {
    fn default() -> Self {
        Scoped {
            block: None,
            device: None,
        }
    }
}

/// What fences of a thread have to do with its other accesses.
#[derive(Debug, Default)]
struct Fences {
    /// What a strong write gives on.
    released: Scoped<Knowledge>,
    /// What strong reads have found, and the next fence will acquire.
    found: Scoped<Clock>,
}

/// One thread.
#[derive(Debug)]
struct Thread {
    /// What it knows of the others.
    clock: Rc<Clock>,
    epoch: u32,
    fences: Option<Box<Fences>>,
}

impl Thread {
    fn learn(&mut self, clock: &Clock) {
        Rc::make_mut(&mut self.clock).join(clock);
    }

    fn knowledge(&self, position: Position) -> Knowledge {
        Knowledge {
            clock: Rc::clone(&self.clock),
            position,
            epoch: self.epoch,
        }
    }

    /// What it does from now on is not known to those who know what it did.
    fn next_epoch(&mut self) {
        self.epoch = self.epoch.saturating_add(1);
    }
}

/// The threads of a block.
#[derive(Debug)]
pub(super) struct Threads {
    block: u32,
    threads: Vec<Thread>,
    /// What those know that came to a barrier and did not wait.
    arrived: [Option<Clock>; BARRIERS + 1],
}

impl Threads {
    pub(super) fn new(block: u32, count: usize) -> Self {
        let start = Rc::new(Clock::default());
        let thread = || Thread {
            clock: Rc::clone(&start),
            epoch: 1,
            fences: None,
        };
        Threads {
            block,
            threads: (0..count).map(|_| thread()).collect(),
            arrived: Default::default(),
        }
    }

    fn at(&mut self, position: Position) -> &mut Thread {
        &mut self.threads[(position.warp * 32 + position.lane) as usize]
    }

    /// The epoch of a thread and what it knows of the others.
    pub(super) fn now(&self, position: Position) -> (u32, &Clock) {
        let thread = &self.threads[(position.warp * 32 + position.lane) as usize];
        (thread.epoch, &thread.clock)
    }

    /// Threads, as lanes of warps, meet: what any of them did comes before what any of them will do. `number`: the
    /// barrier, where others may have arrived.
    pub(super) fn meet(&mut self, groups: &[(u32, u32)], number: Option<usize>) {
        let arrived = number.and_then(|number| match number {
            // Threads leave it one group after the other.
            CLUSTER => self.arrived[number].clone(),
            _ => self.arrived[number].take(),
        });
        let mut clock = arrived.unwrap_or_default();
        let epoch = self.gather(groups, &mut clock);
        let clock = Rc::new(clock);
        for (warp, lane) in each(groups) {
            let thread = &mut self.threads[(warp * 32 + lane) as usize];
            thread.clock = Rc::clone(&clock);
            thread.epoch = epoch;
            thread.next_epoch();
        }
    }

    /// Threads come to a barrier and go on.
    pub(super) fn arrive(&mut self, warp: u32, lanes: u32, number: usize) {
        let mut clock = self.arrived[number].take().unwrap_or_default();
        let groups = [(warp, lanes)];
        let epoch = self.gather(&groups, &mut clock);
        self.arrived[number] = Some(clock);
        for (warp, lane) in each(&groups) {
            let thread = &mut self.threads[(warp * 32 + lane) as usize];
            thread.epoch = epoch;
            thread.next_epoch();
        }
    }

    /// Adds what the threads know and did, as of their latest epoch, which it gives: they all go on after that one.
    fn gather(&self, groups: &[(u32, u32)], clock: &mut Clock) -> u32 {
        let mut latest = 0;
        let mut joined: Option<&Rc<Clock>> = None;
        for (warp, lane) in each(groups) {
            let thread = &self.threads[(warp * 32 + lane) as usize];
            latest = latest.max(thread.epoch);
            // Mostly all have the same, from where they met before.
            if joined.is_none_or(|last| !Rc::ptr_eq(last, &thread.clock)) {
                clock.join(&thread.clock);
                joined = Some(&thread.clock);
            }
        }
        // No thread has done anything in the epochs between its own and the latest.
        for &(warp, lanes) in groups {
            clock.raise(self.block, warp, lanes, latest);
        }
        latest
    }

    /// A fence of one thread.
    pub(super) fn fence(&mut self, position: Position, sides: Sides, strength: Strength) {
        let thread = self.at(position);
        let mut fences = thread.fences.take().unwrap_or_default();
        if sides.acquires {
            let found = &mut fences.found;
            let device = found.device.take_if(|_| strength == Strength::Device);
            for clock in found.block.take().iter().chain(&device) {
                thread.learn(clock);
            }
        }
        if sides.releases {
            let now = thread.knowledge(position);
            if strength == Strength::Device {
                fences.released.device = Some(now.clone());
            }
            fences.released.block = Some(now);
            thread.next_epoch();
        }
        thread.fences = Some(fences);
    }

    /// A strong read of one thread finds what was released with the value.
    pub(super) fn read(
        &mut self,
        position: Position,
        sides: Sides,
        strength: Strength,
        message: &Message,
    ) {
        if !message.reaches(position, strength) {
            return;
        }
        let block = message.in_block.as_ref();
        let block = block.and_then(|(b, clock)| (*b == position.block).then_some(clock));
        let thread = self.at(position);
        if sides.acquires {
            let device = message.device.iter();
            let device = device.filter(|_| strength == Strength::Device);
            for clock in block.into_iter().chain(device) {
                thread.learn(clock);
            }
        }
        let found = &mut thread.fences.get_or_insert_default().found;
        let join = |known: &mut Option<Clock>, new: Option<&Rc<Clock>>| {
            if let Some(new) = new {
                known.get_or_insert_default().join(new);
            }
        };
        join(&mut found.block, block);
        join(&mut found.device, message.device.as_ref());
    }

    /// A strong write of one thread over a value with the message `before`: what it releases, if anything.
    pub(super) fn write(
        &mut self,
        position: Position,
        sides: Sides,
        strength: Strength,
        before: Option<&Message>,
    ) -> Option<Message> {
        let thread = self.at(position);
        // A release of this thread lasts over its later strong writes to the same place.
        let release = match sides.releases {
            true => Some(Release {
                knowledge: thread.knowledge(position),
                strength,
            }),
            false => before.and_then(|m| m.release.clone()),
        };
        let release = release.filter(|release| release.knowledge.position == position);
        let fences = thread.fences.as_ref().map(|f| &f.released);
        let clock = |fence: Option<&Knowledge>, scope: Strength| {
            let release = release.iter().filter(|release| release.strength >= scope);
            let parts = fence.into_iter().chain(release.map(|r| &r.knowledge));
            let mut clock = None;
            for part in parts {
                part.join_into(clock.get_or_insert_with(Clock::default));
            }
            clock.map(Rc::new)
        };
        let in_block = clock(fences.and_then(|f| f.block.as_ref()), Strength::Block);
        let device = match strength {
            Strength::Device => clock(fences.and_then(|f| f.device.as_ref()), Strength::Device),
            _ => None,
        };
        if sides.releases {
            thread.next_epoch();
        }
        in_block.as_ref()?;
        Some(Message {
            writer: position.block,
            strength,
            in_block: in_block.map(|clock| (position.block, clock)),
            device,
            release,
        })
    }
}

/// The lanes of warps, one by one.
fn each(groups: &[(u32, u32)]) -> impl Iterator<Item = (u32, u32)> {
    groups.iter().flat_map(|&(warp, mask)| {
        (0..32)
            .filter(move |lane| mask >> lane & 1 != 0)
            .map(move |lane| (warp, lane))
    })
}

/// Which half of a synchronization a fence or an access can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sides {
    pub(super) acquires: bool,
    pub(super) releases: bool,
}

/// What a reader of a value may learn from it.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// Block of the last writer, and the scope of its write.
    writer: u32,
    strength: Strength,
    /// What a reader of this block may learn.
    in_block: Option<(u32, Rc<Clock>)>,
    /// What any reader may learn.
    device: Option<Rc<Clock>>,
    /// The last release of the last writer itself.
    release: Option<Release>,
}

impl Message {
    /// Whether the write and an access of this scope are strong for each other.
    fn reaches(&self, reader: Position, strength: Strength) -> bool {
        self.writer == reader.block || self.strength.min(strength) == Strength::Device
    }

    /// What the value written by an atomic carries on, `own` being what it releases itself. Of what only some block may
    /// learn that of the atomic's block is kept.
    fn passed_on(self, by: Position, strength: Strength, own: Option<Message>) -> Option<Message> {
        if !self.reaches(by, strength) {
            return own;
        }
        let own = own.unwrap_or(Message {
            writer: by.block,
            strength,
            in_block: None,
            device: None,
            release: None,
        });
        let in_block = self.in_block.filter(|(block, _)| *block == by.block);
        let merge = |a: Option<Rc<Clock>>, b: Option<Rc<Clock>>| match (a, b) {
            (Some(mut a), Some(b)) => {
                Rc::make_mut(&mut a).join(&b);
                Some(a)
            }
            (a, b) => a.or(b),
        };
        let clock = merge(in_block.map(|m| m.1), own.in_block.map(|m| m.1));
        let device = merge(self.device, own.device);
        Some(Message {
            in_block: clock.map(|clock| (by.block, clock)),
            device,
            ..own
        })
    }
}

/// The bytes of an access in one allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub(super) region: usize,
    pub(super) offset: usize,
    pub(super) size: usize,
}

/// The messages of the values in some eight bytes.
type Slot = SmallVec<[(Bytes, Message); 1]>;

/// The messages of values in memory, by region and number of the eight bytes that they lie in.
#[derive(Debug, Default)]
pub(super) struct Messages {
    slots: FxHashMap<(usize, usize), Slot>,
}

impl Messages {
    fn key(bytes: Bytes) -> (usize, usize) {
        (bytes.region, bytes.offset / 8)
    }

    /// The message of the value at exactly these bytes.
    pub(super) fn get(&self, bytes: Bytes) -> Option<&Message> {
        let slot = self.slots.get(&Self::key(bytes))?;
        slot.iter().find(|(at, _)| *at == bytes).map(|(_, m)| m)
    }

    /// Takes the messages of the values that a store to these bytes destroys; gives that of exactly these bytes.
    pub(super) fn take(&mut self, bytes: Bytes) -> Option<Message> {
        if self.slots.is_empty() {
            return None;
        }
        let key = Self::key(bytes);
        let slot = self.slots.get_mut(&key)?;
        let mut taken = None;
        slot.retain(|(at, message)| {
            let apart =
                at.offset + at.size <= bytes.offset || bytes.offset + bytes.size <= at.offset;
            if *at == bytes {
                taken = Some(message.clone());
            }
            apart
        });
        if slot.is_empty() {
            self.slots.remove(&key);
        }
        taken
    }

    /// The bytes, of which [`Messages::take`] has taken the old message, have a new one.
    pub(super) fn put(&mut self, bytes: Bytes, message: Message) {
        let slot = self.slots.entry(Self::key(bytes)).or_default();
        slot.push((bytes, message));
    }
}

/// The message of the value that an atomic leaves, having found one with `before`.
pub(super) fn after_atomic(
    before: Option<Message>,
    by: Position,
    strength: Strength,
    own: Option<Message>,
) -> Option<Message> {
    match before {
        Some(before) => before.passed_on(by, strength, own),
        None => own,
    }
}
