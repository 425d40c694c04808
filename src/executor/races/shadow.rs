//! What is remembered of the accesses to each byte, in cells as large as the accesses allow.
//!
//! A cell holds the last weak store, which all later accesses must come after, and then the loads and strong stores
//! that have no such order among themselves. An access takes the place of one that comes before it wherever everything
//! that would race with the old one would race with the new one too.

use super::clock::{Clock, Position};

/// Bytes of memory that one page of cells describes.
const PAGE: usize = 4096;
/// Largest cell, as a power of two.
const MAX_GRAIN: u8 = 3;

/// How wide an access is strong (PTX ISA, "Morally Strong Operations").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Plain data.
    Weak,
    /// For the threads of the block.
    Block,
    /// For all threads of the grid.
    Device,
}

/// What counts for a race, of an access of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) write: bool,
    pub(super) strength: Strength,
    /// Bytes, as a power of two.
    pub(super) size: u8,
}

impl Class {
    /// Whether accesses of these classes to one byte need an order.
    fn conflicts(self, other: Class, same_block: bool) -> bool {
        if !self.write && !other.write {
            return false;
        }
        let strong = self.strength.min(other.strength);
        let needed = match same_block {
            true => Strength::Block,
            false => Strength::Device,
        };
        // Elements are aligned, so equal sizes overlap completely.
        strong < needed || self.size != other.size
    }

    /// Whether all that would race with `self` would race with `later` too, if it comes after `self`.
    fn superseded_by(self, later: Class) -> bool {
        (later.write || !self.write)
            && (later.strength == Strength::Weak
                || (later.strength <= self.strength && later.size == self.size))
    }
}

/// Lanes of a warp that executed a statement in the same epoch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) block: u32,
    pub(super) epoch: u32,
    /// None: there is no access.
    pub(super) lanes: u32,
    /// Index into the table of statements.
    pub(super) statement: u32,
    pub(super) warp: u8,
    class: Class,
}

impl Mark {
    const NONE: Mark = Mark {
        block: 0,
        epoch: 0,
        lanes: 0,
        statement: 0,
        warp: 0,
        class: Class {
            write: false,
            strength: Strength::Weak,
            size: 0,
        },
    };

    fn same_warp(&self, other: &Mark) -> bool {
        self.block == other.block && self.warp == other.warp
    }

    /// The lanes, but for those of `by`, whose access is not known to come before what `clock` belongs to.
    fn unordered(&self, by: &Mark, clock: &Clock) -> u32 {
        let mut lanes = self.lanes;
        if self.same_warp(by) {
            lanes &= !by.lanes;
        }
        match lanes {
            0 => 0,
            _ => clock.unordered(self.block, u32::from(self.warp), lanes, self.epoch),
        }
    }
}

/// An access of one thread.
pub(super) struct Visit<'a> {
    mark: Mark,
    clock: &'a Clock,
}

impl<'a> Visit<'a> {
    /// An access by the thread at `position` in its epoch, with what the thread knows.
    pub(super) fn new(
        position: Position,
        epoch: u32,
        clock: &'a Clock,
        statement: u32,
        class: Class,
    ) -> Self {
        let mark = Mark {
            block: position.block,
            epoch,
            lanes: 1 << position.lane,
            statement,
            warp: position.warp as u8,
            class,
        };
        Visit { mark, clock }
    }
}

/// An earlier access that races with the one that visits.
#[derive(Clone, Copy, Debug)]
pub(super) struct RacingMark {
    pub(super) mark: Mark,
    /// The lanes of it that do.
    pub(super) lanes: u32,
}

/// What is remembered of some bytes.
#[derive(Clone, Debug)]
struct Cell {
    /// The last weak store.
    store: Mark,
    /// One of the others.
    first: Mark,
    more: Option<Box<More>>,
}

/// Marks for which the cell has no room.
#[derive(Clone, Debug, Default)]
struct More {
    marks: Vec<Mark>,
    /// Number of marks at which those that are superseded are looked for.
    sweep: usize,
    /// No mark is a store.
    loads: bool,
    /// All marks are strong in the whole grid, with this size.
    strong: Option<u8>,
}

impl Cell {
    const NEW: Cell = Cell {
        store: Mark::NONE,
        first: Mark::NONE,
        more: None,
    };

    fn visit(&mut self, visit: &Visit, budget: &mut Budget) -> Option<RacingMark> {
        let found = self.race(visit);
        let new = &visit.mark;
        if new.class.write && new.class.strength == Strength::Weak {
            budget.free(self.more.as_ref().map_or(0, |m| m.marks.capacity()));
            *self = Cell {
                store: *new,
                ..Cell::NEW
            };
        } else {
            self.add(visit, budget);
        }
        found
    }

    fn race(&self, visit: &Visit) -> Option<RacingMark> {
        let new = &visit.mark;
        let check = |mark: &Mark| {
            if mark.lanes == 0 || !mark.class.conflicts(new.class, mark.block == new.block) {
                return None;
            }
            match mark.unordered(new, visit.clock) {
                0 => None,
                lanes => Some(RacingMark { mark: *mark, lanes }),
            }
        };
        let found = check(&self.store).or_else(|| check(&self.first));
        match &self.more {
            Some(more) if found.is_none() && !more.harmless(new.class) => {
                more.marks.iter().find_map(check)
            }
            _ => found,
        }
    }

    /// Remembers a load or a strong store.
    fn add(&mut self, visit: &Visit, budget: &mut Budget) {
        let new = &visit.mark;
        if self.first.lanes == 0 || supersedes(visit, &self.first) {
            self.first = *new;
            return;
        }
        if joins(&mut self.first, new) {
            return;
        }
        let more = self.more.get_or_insert_default();
        if more.marks.last_mut().is_some_and(|last| joins(last, new)) {
            return;
        }
        if more.marks.len() >= more.sweep {
            more.marks.retain(|mark| !supersedes(visit, mark));
            more.sweep = (2 * more.marks.len()).max(4);
        }
        more.push(*new, budget);
    }
}

/// Lanes of one warp that do the same share a mark.
fn joins(mark: &mut Mark, new: &Mark) -> bool {
    let same = mark.same_warp(new) && mark.epoch == new.epoch && mark.statement == new.statement;
    if same {
        mark.lanes |= new.lanes;
    }
    same
}

/// Whether the visiting access can take the place of an earlier one.
fn supersedes(visit: &Visit, mark: &Mark) -> bool {
    mark.class.superseded_by(visit.mark.class) && mark.unordered(&visit.mark, visit.clock) == 0
}

impl More {
    fn push(&mut self, mark: Mark, budget: &mut Budget) {
        let room = self.marks.capacity();
        if self.marks.len() == room {
            let growth = room.max(4);
            if !budget.take_marks(growth) {
                return;
            }
            self.marks.reserve_exact(growth);
        }
        let strong = Some(mark.class.size).filter(|_| mark.class.strength == Strength::Device);
        if self.marks.is_empty() {
            (self.loads, self.strong) = (true, strong);
        }
        self.loads &= !mark.class.write;
        self.strong = self.strong.filter(|_| self.strong == strong);
        self.marks.push(mark);
    }

    /// No mark can conflict with an access of this class.
    fn harmless(&self, class: Class) -> bool {
        (self.loads && !class.write)
            || (class.strength == Strength::Device && self.strong == Some(class.size))
    }
}

/// Memory that may still be used.
#[derive(Debug)]
pub(super) struct Budget {
    bytes: usize,
    /// Something was not remembered.
    pub(super) exhausted: bool,
}

impl Budget {
    pub(super) fn new(bytes: usize) -> Self {
        Budget {
            bytes,
            exhausted: false,
        }
    }

    fn take(&mut self, bytes: usize) -> bool {
        match self.bytes.checked_sub(bytes) {
            Some(rest) => self.bytes = rest,
            None => self.exhausted = true,
        }
        !self.exhausted
    }

    fn take_marks(&mut self, marks: usize) -> bool {
        self.take(marks * size_of::<Mark>())
    }

    fn free(&mut self, marks: usize) {
        self.bytes += marks * size_of::<Mark>();
    }
}

/// The cells of a page, all of one size.
#[derive(Debug)]
struct Page {
    /// Bytes of a cell, as a power of two.
    grain: u8,
    cells: Vec<Cell>,
}

impl Page {
    fn bytes(grain: u8) -> usize {
        (PAGE >> grain) * size_of::<Cell>()
    }

    /// Room for marks outside of the cells.
    fn marks(&self) -> usize {
        let more = self.cells.iter().filter_map(|cell| cell.more.as_ref());
        more.map(|more| more.marks.capacity()).sum()
    }

    /// Makes the cells smaller: each becomes several that remember the same.
    fn refine(&mut self, grain: u8) {
        let copies = 1 << (self.grain - grain);
        let cells = self.cells.iter();
        self.cells = cells
            .flat_map(|cell| std::iter::repeat_n(cell, copies).cloned())
            .collect();
        self.grain = grain;
    }
}

/// The cells of one allocation.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    pages: Vec<Option<Page>>,
}

impl Shadow {
    /// Notes an access of one element at `offset`; the first race with an earlier one.
    pub(super) fn visit(
        &mut self,
        offset: usize,
        visit: &Visit,
        budget: &mut Budget,
    ) -> Option<RacingMark> {
        let size = visit.mark.class.size;
        let page = self.page(offset / PAGE, size.min(MAX_GRAIN), budget)?;
        let first = (offset % PAGE) >> page.grain;
        let count = 1 << (size - page.grain);
        let cells = page.cells.get_mut(first..first + count)?;
        let mut found = None;
        for cell in cells {
            let race = cell.visit(visit, budget);
            found = found.or(race);
        }
        found
    }

    /// The page of this number, with cells of at most so many bytes.
    fn page(&mut self, index: usize, grain: u8, budget: &mut Budget) -> Option<&mut Page> {
        if self.pages.len() <= index {
            self.pages.resize_with(index + 1, || None);
        }
        let slot = &mut self.pages[index];
        match slot {
            None => {
                if !budget.take(Page::bytes(grain)) {
                    return None;
                }
                let cells = vec![Cell::NEW; PAGE >> grain];
                *slot = Some(Page { grain, cells });
            }
            Some(page) if page.grain > grain => {
                let copies = 1 << (page.grain - grain);
                let bytes = Page::bytes(grain) - Page::bytes(page.grain);
                if !budget.take(bytes) || !budget.take_marks(copies * page.marks()) {
                    return None;
                }
                page.refine(grain);
            }
            Some(_) => {}
        }
        slot.as_mut()
    }

    /// Gives back what the cells took.
    pub(super) fn release(self, budget: &mut Budget) {
        for page in self.pages.into_iter().flatten() {
            budget.bytes += Page::bytes(page.grain);
            budget.free(page.marks());
        }
    }
}
