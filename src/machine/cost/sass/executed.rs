//! What a warp executes in order, where it is known how often each line of the PTX is executed.
//!
//! `ptxas` unrolls loops, splits and duplicates code, so a line's count is that of all its *copies* together: as many as the line has
//! accesses of memory in a region, which are neither split nor joined, else as many as the rarest of its opcodes there. A region is a loop
//! without the loops inside, or the rest of the kernel. A line belongs to the region with most copies: of an unrolled loop and its
//! remainder to the loop. A remainder, whose accesses all belong to another region, is not counted; but a loop around another one that
//! is executed is executed itself, if the remainder in it has all of its accesses.
//!
//! How often a region is gone through is the lower quartile of its lines' counts per copy (of its accesses, if it has some, and of those
//! in blocks that each iteration goes through, if there are some; else no less than that of its accesses) that are the
//! median, more, or a half, a quarter, ... of it: of an unrolled loop some lines have fewer copies than iterations that were joined, as
//! `i += 1` becomes `i += 4`. A block counts as often as the upper quartile of its lines, as `ptxas` moves more instructions up, out of
//! what is seldom executed, than down; the first one of a region counts as often as the region.

use super::flow::Graph;
use super::{KernelCode, Kind, Refusal, Space};
use rustc_hash::{FxHashMap, FxHashSet};

/// Iterations of a loop that are listed at most.
const ITERATIONS: usize = 4;
/// Instructions above which loops are listed with fewer iterations.
const LONG: usize = 1 << 14;
/// What is executed less often is left out.
const RARE: f64 = 0.02;

/// An instruction at a place of the sequence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Executed {
    /// Its number in the section.
    pub index: usize,
    /// How many executions by a warp it is counted as: of a loop only some iterations are listed.
    pub weight: f64,
}

impl KernelCode {
    /// What a warp executes. `count` is how often a warp executes a line of the PTX, on the average; none for a line without a
    /// statement. Needs `ptxas -lineinfo`.
    ///
    /// # Errors
    /// The code or its control flow is not understood.
    pub fn executed(&self, count: impl Fn(u32) -> Option<f64>) -> Result<Vec<Executed>, Refusal> {
        let instructions = self.instructions.as_ref().map_err(|&refusal| refusal)?;
        let graph = Graph::new(instructions, &|_| true)?;
        let lines: Vec<Option<(u32, f64)>> = instructions
            .iter()
            .map(|one| {
                let line = self.line(one.at)?;
                Some((line, count(line)?))
            })
            .collect();
        let regions = Regions::new(&graph, &lines);
        for most in (1..=ITERATIONS).rev() {
            let mut sequence = Vec::new();
            regions.list(None, 1.0, most, &mut sequence);
            if sequence.len() <= LONG || most == 1 {
                return Ok(sequence);
            }
        }
        Ok(Vec::new())
    }
}

/// How often each region is executed; the last region is the code in no loop.
struct Regions<'g> {
    graph: &'g Graph<'g>,
    /// By region: times for a warp.
    times: Vec<f64>,
    /// By block: the share of the region's times.
    shares: Vec<f64>,
}

impl<'g> Regions<'g> {
    fn new(graph: &'g Graph<'g>, lines: &[Option<(u32, f64)>]) -> Self {
        let whole = graph.loops.len();
        let region = |block: usize| graph.inner[block].unwrap_or(whole);
        let depth = |region: usize| match region == whole {
            true => 0,
            false => graph.around(graph.loops[region].head).count(),
        };
        let mut opcodes: FxHashMap<(usize, u32), FxHashMap<u16, u32>> = FxHashMap::default();
        // Accesses are neither split nor joined: their number is that of the copies.
        let mut accesses: FxHashMap<(usize, u32), u32> = FxHashMap::default();
        for &block in &graph.order {
            for index in graph.blocks[block].instructions.clone() {
                if let Some((line, _)) = lines[index] {
                    let known = opcodes.entry((region(block), line)).or_default();
                    *known.entry(graph.code[index].opcode).or_default() += 1;
                    if is_access(graph.code[index].kind) {
                        *accesses.entry((region(block), line)).or_default() += 1;
                    }
                }
            }
        }
        // Of each line the region that it belongs to, and its copies there.
        let mut owners: FxHashMap<u32, (u32, usize, usize)> = FxHashMap::default();
        for (&(region, line), known) in &opcodes {
            let accesses = accesses.get(&(region, line)).copied();
            let copies = accesses.or_else(|| known.values().copied().min());
            let copies = copies.unwrap_or(1);
            let entry = (copies, depth(region), region);
            let owner = owners.entry(line).or_insert(entry);
            *owner = entry.max(*owner);
        }
        let per_copy = |block: usize| {
            let instructions = graph.blocks[block].instructions.clone();
            let here = region(block);
            let owners = &owners;
            instructions.filter_map(move |index| {
                let (line, count) = lines[index]?;
                let &(copies, _, owner) = owners.get(&line)?;
                (owner == here).then(|| (index, count / f64::from(copies)))
            })
        };
        let each = &in_each_iteration(graph);
        let votes = |region_of: usize, of_accesses: bool, of_each: bool| {
            let blocks = graph.order.iter().copied();
            let blocks = blocks.filter(|&block| region(block) == region_of);
            let all = blocks.flat_map(|block| {
                let all = per_copy(block);
                all.filter(move |&(index, _)| {
                    !of_each || each[block] && graph.code[index].guard.is_always()
                })
            });
            let all = all.filter(|&(index, _)| {
                let line = lines[index].map(|(line, _)| (region_of, line));
                !of_accesses || line.is_some_and(|line| accesses.contains_key(&line))
            });
            all.map(|(_, count)| count).collect::<Vec<f64>>()
        };
        let with_accesses: FxHashSet<usize> = accesses.keys().map(|&(region, _)| region).collect();
        let times = (0..=whole).map(|region| {
            let of_accesses = with_accesses.contains(&region);
            let all = votes(region, of_accesses, false);
            match votes(region, of_accesses, true) {
                surest if !surest.is_empty() => typical(&surest),
                // A loop whose accesses all belong to another one is the remainder of that.
                _ if all.is_empty() => 0.0,
                // Accesses under conditions say less than what is under none, but none is executed more often than its loop is gone through.
                _ => typical(&votes(region, false, true)).max(typical(&all)),
            }
        });
        let mut times: Vec<f64> = times.collect();
        // Inner loops come first.
        for (inner, one) in graph.loops.iter().enumerate() {
            if let Some(around) = one.parent
                && times[inner] > 0.0
                && times[around] == 0.0
            {
                let outer = graph.loops[around].parent;
                let least = outer.map_or(1.0, |outer| times[outer].max(1.0));
                let own = typical(&votes(around, false, false));
                times[around] = if own > 0.0 { own } else { least };
            }
        }
        times[whole] = 1.0;
        let shares = (0..graph.blocks.len()).map(|block| {
            let of = times[region(block)];
            let mut known = graph.blocks[block]
                .instructions
                .clone()
                .filter_map(|index| lines[index]);
            match quantile(per_copy(block).map(|(_, count)| count).collect(), 3) {
                _ if block == 0
                    || graph.inner[block].is_some_and(|one| graph.loops[one].head == block) =>
                {
                    1.0
                }
                Some(count) if of > 0.0 => (count / of).min(1.0),
                Some(_) => 0.0,
                // Moved here from elsewhere, or of no line.
                None => match known.next() {
                    Some((_, first)) if first == 0.0 && known.all(|(_, count)| count == 0.0) => 0.0,
                    _ => 1.0,
                },
            }
        });
        let shares = shares.collect();
        Regions {
            graph,
            times,
            shares,
        }
    }

    /// Lists one time through a region, loops inside of it with at most so many iterations.
    fn list(&self, region: Option<usize>, weight: f64, most: usize, out: &mut Vec<Executed>) {
        let graph = self.graph;
        let inside = |block: usize| region.is_none_or(|one| graph.loops[one].body[block]);
        let whole = graph.loops.len();
        for &block in graph.order.iter().filter(|&&block| inside(block)) {
            let around = graph.around(block);
            let child = around.take_while(|&one| Some(one) != region).last();
            let Some(child) = child else {
                let weight = weight * self.shares[block];
                if self.shares[block] >= RARE {
                    let all = graph.blocks[block].instructions.clone();
                    let executed = all.filter(|&index| graph.code[index].is_executed());
                    out.extend(executed.map(|index| Executed { index, weight }));
                }
                continue;
            };
            if graph.loops[child].head != block || out.len() > 2 * LONG {
                continue;
            }
            let iterations = self.times[child] / self.times[region.unwrap_or(whole)].max(RARE);
            if iterations < RARE {
                continue;
            }
            let listed = (iterations.round() as usize).clamp(1, most);
            for number in 0..listed {
                // The first iteration finds nothing in flight; the others are alike.
                let share = match (number, listed) {
                    (_, 1) => iterations,
                    (0, _) => 1.0,
                    _ => (iterations - 1.0) / (listed - 1) as f64,
                };
                self.list(Some(child), weight * share, most, out);
            }
        }
    }
}

/// Whether each iteration of the innermost loop around a block goes through it, by block: in the order of blocks no edge leads over it.
fn in_each_iteration(graph: &Graph) -> Vec<bool> {
    let mut places = vec![0; graph.blocks.len()];
    for (place, &block) in graph.order.iter().enumerate() {
        places[block] = place;
    }
    let mut each = vec![false; graph.blocks.len()];
    for (number, one) in graph.loops.iter().enumerate() {
        let mut furthest = 0;
        for &block in graph.order.iter().filter(|&&block| one.body[block]) {
            each[block] |= graph.inner[block] == Some(number) && furthest <= places[block];
            for &next in &graph.blocks[block].next {
                let place = match next == one.head {
                    true => usize::MAX,
                    false if one.body[next] => places[next],
                    false => 0,
                };
                furthest = furthest.max(place);
            }
        }
    }
    each
}

/// How often a region is gone through, by what its lines say; 0 where they say nothing.
fn typical(counts: &[f64]) -> f64 {
    let median = quantile(counts.to_vec(), 2).unwrap_or(0.0);
    let unrolled = counts.iter().copied();
    let unrolled = unrolled.filter(|&count| is_part(count, median));
    quantile(unrolled.collect(), 1).unwrap_or(median)
}

/// Whether an instruction accesses memory as the PTX does. What is local may be a spilled register.
fn is_access(kind: Kind) -> bool {
    match kind {
        Kind::Load(space) | Kind::Store(space) => !matches!(space, Space::Constant | Space::Local),
        Kind::Atomic(_) | Kind::Reduction(_) => true,
        _ => false,
    }
}

/// Whether a count is that of a loop of which `whole` iterations were unrolled, or as large. Other counts are those of what is seldom
/// executed in the loop.
fn is_part(count: f64, whole: f64) -> bool {
    const FACTORS: [f64; 5] = [1.0, 2.0, 4.0, 8.0, 16.0];
    whole > 0.0
        && (count >= whole
            || FACTORS
                .iter()
                .any(|factor| (count * factor / whole - 1.0).abs() < 0.02))
}

/// The quartile of that number.
fn quantile(mut values: Vec<f64>, quarter: usize) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() * quarter / 4).copied()
}

#[cfg(test)]
mod tests {
    use super::is_part;

    #[test]
    fn what_is_seldom_executed_says_nothing_of_the_loop() {
        assert!(is_part(1000.0, 1000.0) && is_part(250.0, 1000.0) && is_part(2000.0, 1000.0));
        assert!(!is_part(20.0, 1000.0) && !is_part(0.0, 1000.0) && !is_part(1.0, 0.0));
    }
}
