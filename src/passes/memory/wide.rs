//! Wide accesses: neighbouring narrow accesses of a block become one (W of the contract).

use super::accesses::{AccessId, MemoryAccess, Shape};
use super::checks::Aligned;
use super::conflicts::{Conflicts, Passed};
use super::reason::Kept;
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_emulator::term::{Node, TermId, Variance};
use ptxasw_ir::function::{BlockId, Value};
use ptxasw_ir::loops::LoopId;
use ptxasw_ir::types::Space;
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes of wide accesses, widest first. Only some targets have the first, of global memory alone.
const WIDTHS: [u32; 5] = [32, 16, 8, 4, 2];
/// What every target and state space has.
const COMMON_WIDTH: u32 = 16;

/// An access that becomes part of a wide one.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The access.
    pub access: AccessId,
    /// Where its bytes begin in the wide access.
    pub skip: u32,
}

/// Neighbouring accesses that become one, or a load that is executed earlier.
#[derive(Clone, Debug)]
pub struct Wide {
    /// By their first bytes.
    pub members: Vec<Member>,
    /// Bytes of all of them.
    pub bytes: u32,
    /// Bytes of an element of the wide access.
    pub element: u32,
    /// The first of loads, the last of stores: the wide access takes its place.
    pub place: AccessId,
    /// The store in front of which a load is executed, if it is executed earlier than at its place.
    pub early: Option<AccessId>,
    /// The stores that it is moved over.
    pub crossed: usize,
    /// The state space that it names.
    pub space: Space,
    /// The constant of the first byte's address.
    pub start: i64,
    /// What must be tested at the entry for the address to be aligned.
    pub aligned: Vec<Aligned>,
    /// Accesses between that leave the bytes alone.
    pub passed: Vec<Passed>,
}

/// What neighbours must have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Common {
    /// Between two sync ops.
    segment: u32,
    is_store: bool,
    shape: Shape,
    guard: Option<(Value, bool)>,
    non_coherent: bool,
    space: Space,
}

/// Accesses of one block that have all that in common, by the constants of their addresses.
struct Row {
    common: Common,
    all: Vec<(i64, AccessId)>,
}

/// All wide accesses of a function, and why neighbours stay narrow.
#[derive(Clone, Debug, Default)]
pub struct WideAccesses {
    /// No access is in two of them.
    pub wide: Vec<Wide>,
    /// Neighbours that stay narrow.
    pub narrow: FxHashMap<AccessId, Kept>,
}

impl Conflicts<'_> {
    /// Looks for wide accesses among those that are still executed, but for some.
    pub fn wide(&mut self, without: &FxHashSet<AccessId>) -> WideAccesses {
        let mut found = WideAccesses::default();
        let divergent = self.divergent_loops();
        for block in self.known.function.block_ids() {
            let rows = self.rows(block, without);
            let first = found.wide.len();
            for is_store in [false, true] {
                for row in rows.iter().filter(|row| row.common.is_store == is_store) {
                    self.widen(row, first, &divergent, &mut found);
                }
            }
        }
        found
    }

    /// The accesses of a block that may become part of wide ones.
    fn rows(&self, block: BlockId, without: &FxHashSet<AccessId>) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        let mut known: FxHashMap<Common, usize> = FxHashMap::default();
        let listed = self.known.accesses.block(block);
        let mut stops = listed.stops.iter().peekable();
        let mut segment = 0;
        for &id in &listed.accesses {
            let access = self.known.accesses.get(id);
            while stops.next_if(|&&(at, _)| at < access.position).is_some() {
                segment += 1;
            }
            let Some((shape, constant)) = access.place else {
                continue;
            };
            if self.decided.gone.contains(&id) || without.contains(&id) || !self.may_widen(access) {
                continue;
            }
            let common = Common {
                segment,
                is_store: access.is_store,
                shape,
                guard: access.guard,
                non_coherent: access.access.non_coherent,
                space: access.access.space,
            };
            let number = *known.entry(common).or_insert_with(|| {
                rows.push(Row {
                    common,
                    all: Vec::new(),
                });
                rows.len() - 1
            });
            rows[number].all.push((constant, id));
        }
        rows.retain(|row| row.all.len() > 1);
        for row in &mut rows {
            row.all.sort_unstable();
        }
        rows
    }

    fn may_widen(&self, access: &MemoryAccess) -> bool {
        let event = &self.known.events[access.event as usize];
        let widest = match self.known.has_32_bytes {
            true => WIDTHS[0],
            false => COMMON_WIDTH,
        };
        let narrow = access.access.bytes() < widest && access.has_whole_elements();
        narrow
            && matches!(event.space, Space::Global | Space::Generic)
            && matches!(access.access.space, Space::Global | Space::Generic)
            && !access.access.hints
            && access.access.skipped == 0
            && !access.partial
            && self.may_change(access)
    }

    /// The state space of an access, as far as it is known.
    pub fn space(&self, id: AccessId) -> Space {
        let access = self.known.accesses.get(id);
        match self.known.events[access.event as usize].space {
            known @ (Space::Global | Space::Shared | Space::Local) => known,
            _ if self.decided.named.contains(&id) => Space::Global,
            _ => access.access.space,
        }
    }

    /// Whether an access may be changed.
    pub fn may_change(&self, access: &MemoryAccess) -> bool {
        let origin = self.known.function.inst(access.inst).origin;
        let limited_to = self.known.limited_to;
        limited_to.is_none_or(|all| all.contains(&origin)) && self.is_inside(access)
    }

    /// Whether an access is part of what is changed.
    pub fn is_inside(&self, access: &MemoryAccess) -> bool {
        let index = self.known.indices[access.inst.index()];
        let region = self.decided.region.as_ref();
        region.is_none_or(|region| region.contains(access.block, index))
    }

    /// Finds the wide accesses of a row; those of the block begin at `first`.
    fn widen(
        &mut self,
        row: &Row,
        first: usize,
        divergent: &FxHashSet<LoopId>,
        found: &mut WideAccesses,
    ) {
        let mut used: FxHashSet<AccessId> = FxHashSet::default();
        let mut aligned: FxHashMap<u32, Result<Vec<Aligned>, Kept>> = FxHashMap::default();
        let global = |&(_, id): &(i64, AccessId)| self.space(id) == Space::Global;
        let all_widths = self.known.has_32_bytes && row.all.iter().all(global);
        let widths = WIDTHS.into_iter();
        for width in widths.filter(|&width| all_widths || width <= COMMON_WIDTH) {
            for &(start, _) in &row.all {
                if start.rem_euclid(i64::from(width)) != 0 {
                    continue;
                }
                let Some(members) = self.cover(row, start, width, &used) else {
                    continue;
                };
                let tests = match aligned.get(&width) {
                    Some(tests) => tests.clone(),
                    None => {
                        let tests = match self.is_broadcast(row, divergent) {
                            true => Err(Kept::Broadcast),
                            false => self.alignment(row, width),
                        };
                        aligned.insert(width, tests.clone());
                        tests
                    }
                };
                let others = &found.wide[first..];
                let result = tests
                    .and_then(|tests| self.merged(members.clone(), start, width, tests, others));
                match result {
                    Ok(wide) => {
                        for member in &wide.members {
                            used.insert(member.access);
                            found.narrow.remove(&member.access);
                        }
                        found.wide.push(wide);
                    }
                    Err(why) => {
                        for member in &members {
                            found.narrow.entry(member.access).or_insert(why);
                        }
                    }
                }
            }
        }
        for pair in row.all.windows(2) {
            let [(start, id), (next, other)] = [pair[0], pair[1]];
            let bytes = i64::from(self.known.accesses.get(id).access.bytes());
            if start.checked_add(bytes) == Some(next) {
                for id in [id, other].into_iter().filter(|id| !used.contains(id)) {
                    found.narrow.entry(id).or_insert(Kept::Gap);
                }
            }
        }
    }

    /// Accesses of a row that have exactly these bytes, each byte once.
    fn cover(
        &self,
        row: &Row,
        start: i64,
        width: u32,
        used: &FxHashSet<AccessId>,
    ) -> Option<Vec<Member>> {
        let mut members = Vec::new();
        let mut skip = 0;
        while skip < width {
            let at = start.checked_add(i64::from(skip))?;
            let from = row.all.partition_point(|&(constant, _)| constant < at);
            let mut here = row.all[from..].iter().take_while(|one| one.0 == at);
            let fits = |id: AccessId| {
                let access = self.known.accesses.get(id);
                skip + access.access.bytes() <= width && !used.contains(&id)
            };
            match here.find(|one| fits(one.1)) {
                Some(&(_, access)) => {
                    members.push(Member { access, skip });
                    skip += self.known.accesses.get(access).access.bytes();
                }
                None if active(Mutation::GapFilled) && !row.common.is_store && skip > 0 => {
                    skip += self.known.accesses.get(members[0].access).access.bytes();
                }
                None => return None,
            }
        }
        (members.len() > 1 && skip == width).then_some(members)
    }

    /// The loops in which some load differs from lane to lane.
    fn divergent_loops(&self) -> FxHashSet<LoopId> {
        let mut found = FxHashSet::default();
        for id in self.known.accesses.ids() {
            let access = self.known.accesses.get(id);
            let device = matches!(access.access.space, Space::Global | Space::Generic);
            if !access.is_store && device && !self.is_uniform(access) {
                found.extend(self.known.analyses.loops.around(access.block));
            }
        }
        found
    }

    /// Whether all lanes of a row of threads access one address.
    fn is_uniform(&self, access: &MemoryAccess) -> bool {
        let address = self.known.events[access.event as usize].address;
        address.is_some_and(|address| self.terms.is_row_uniform(address))
    }

    /// Whether the accesses of a row are uniform loads whose address changes in a loop with loads that differ from lane to lane
    /// (`divergent`). A uniform load takes a cycle of the multiprocessor for each word, wide or not, so nothing is saved; and a
    /// product of matrices took 1.17 of its time (measured on an H200: `benches/gpu`). A loop of uniform loads alone gained.
    fn is_broadcast(&mut self, row: &Row, divergent: &FxHashSet<LoopId>) -> bool {
        let Some(&(_, first)) = row.all.first().filter(|_| !row.common.is_store) else {
            return false;
        };
        let access = self.known.accesses.get(first);
        let inside = self.known.analyses.loops.innermost(access.block);
        let Some(inside) = inside.filter(|inside| divergent.contains(inside)) else {
            return false;
        };
        let address = self.known.events[access.event as usize].address;
        let mut changes = |address| {
            let invariant = self.separation.is_invariant(self.terms, address, inside);
            !invariant.unwrap_or(false)
        };
        address.is_some_and(&mut changes) && self.is_uniform(access) && !self.known.any_broadcast
    }

    /// What must be tested for the addresses of a row to be multiples of a width, up to their constants.
    ///
    /// # Errors
    /// They are not, or no test can show it.
    fn alignment(&mut self, row: &Row, width: u32) -> Result<Vec<Aligned>, Kept> {
        let &(constant, id) = row.all.first().ok_or(Kept::Gap)?;
        let event = &self.known.events[self.known.accesses.get(id).event as usize];
        let address = event.address.ok_or(Kept::NoPlace)?;
        let shape = self.terms.offset(address, constant.wrapping_neg() as u64);
        let bits = width.trailing_zeros() as u8;
        let low = self.terms.truncate(shape, bits);
        let (constant, atoms) = self.terms.affine(low);
        if constant != 0 || atoms.iter().any(|&(atom, _)| self.is_lane(atom)) {
            return Err(Kept::Stride);
        }
        let mut tests = Vec::new();
        let mut uniform = Vec::new();
        for &(atom, factor) in &atoms {
            if self.is_declared(atom, width) {
                continue;
            }
            let checks = self.checks.as_ref().ok_or(Kept::Aligned)?;
            if checks.distances.entry.ready(self.terms, atom).is_some() {
                uniform.push((atom, factor));
                continue;
            }
            // A run-time stride of what differs from lane to lane, or from iteration to iteration.
            let Node::Product(factors) = self.terms.node(atom) else {
                let pointer = self.known.roots.of(self.terms, atom).is_some();
                return Err(if pointer { Kept::Aligned } else { Kept::Stride });
            };
            let factors = factors.clone();
            let terms = &mut *self.terms;
            let ready = factors.iter().copied();
            let ready = ready.filter(|&part| checks.distances.entry.ready(terms, part).is_some());
            let ready: Vec<TermId> = ready.collect();
            let stride = ready.into_iter().reduce(|a, b| terms.mul(a, b));
            let stride = stride.ok_or(Kept::Stride)?;
            tests.push(self.terms.scale(stride, factor));
        }
        if !uniform.is_empty() {
            tests.push(self.terms.sum(bits, 0, &uniform));
        }
        Ok(tests)
    }

    /// Whether an atom is the number of a thread or of a lane, or bits of it: it takes every value.
    fn is_lane(&self, atom: TermId) -> bool {
        match *self.terms.node(atom) {
            Node::Unary(_, of) => self.is_lane(of),
            Node::Symbol(id) => {
                let variance = self.terms.symbol_data(id).variance;
                matches!(variance, Variance::TidX | Variance::LaneId)
            }
            _ => false,
        }
    }

    /// Whether the low bits of a pointer are declared to be zero.
    pub fn is_declared(&self, atom: TermId, width: u32) -> bool {
        let root = self.known.roots.of(self.terms, atom);
        let declared = root.and_then(|root| self.known.roots.aligned.get(&root));
        declared.is_some_and(|&bytes| bytes >= u64::from(width))
    }

    /// One access in place of others, if nothing between is in the way. `others`: those found in the block before.
    fn merged(
        &mut self,
        members: Vec<Member>,
        start: i64,
        bytes: u32,
        aligned: Vec<Aligned>,
        others: &[Wide],
    ) -> Result<Wide, Kept> {
        let accesses = self.known.accesses;
        let ids = members.iter().map(|member| member.access);
        let is_store = accesses.get(members[0].access).is_store;
        let place = match is_store {
            false => ids.min(),
            true => ids.max(),
        };
        let place = place.ok_or(Kept::Gap)?;
        let mut passed = Vec::new();
        for member in members.iter().filter(|member| member.access != place) {
            if active(Mutation::WidenedOverStore) {
                break;
            }
            let (own, there) = (*accesses.get(member.access), accesses.get(place));
            let bytes = self.bytes(&own);
            let guarded = self.guarded(&own, &bytes);
            if !is_store {
                let span = (own.block, there.position + 1..own.position);
                if !own.reads_constant() {
                    self.no_store(&span, &guarded, &[], &mut passed)?;
                }
                continue;
            }
            let span = (own.block, own.position + 1..there.position);
            self.no_load(&span, &guarded, &mut passed)?;
            self.no_store(&span, &guarded, &[], &mut passed)?;
            // Loads that are executed between from now on.
            for other in others {
                let to = accesses.get(other.place);
                if to.is_store || !span.1.contains(&to.position) {
                    continue;
                }
                self.spend(other.members.len())?;
                for load in &other.members {
                    let how = self.are_apart(load.access, &guarded);
                    let how = how.ok_or(Kept::Read(load.access))?;
                    let (access, range) = (load.access, guarded.range());
                    passed.push(Passed { access, how, range });
                }
            }
        }
        let widest = members
            .iter()
            .map(|member| accesses.get(member.access).element_bytes())
            .max();
        Ok(Wide {
            element: bytes.min(4).max(widest.unwrap_or(1)),
            members,
            bytes,
            place,
            early: None,
            crossed: 0,
            space: self.space(place),
            start,
            aligned,
            passed,
        })
    }
}
