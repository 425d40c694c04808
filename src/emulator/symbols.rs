//! The symbols that stand for a thread's inputs: special registers, parameters, loaded and opaque values.

use super::term::{Symbol, TermId, Terms, Variance};
use ptxasw_base::mutation::{Mutation, active};
use ptxasw_ir::divergence::Level;
use ptxasw_ir::function::Function;
use ptxasw_ir::lanes::LaneMap;
use ptxasw_ir::types::Special;

/// PTX ISA, "%ntid": at most 1024 threads along x and y, 64 along z, 1024 together.
const MAX_BLOCK: [u64; 3] = [1024, 1024, 64];
/// PTX ISA, "%nctaid": at most 2^31-1 blocks along x, 65535 along y and z.
const MAX_GRID: [u64; 3] = [(1 << 31) - 1, 65535, 65535];
/// Lanes of a warp.
const LANES: u64 = 32;
const AXES: [char; 3] = ['x', 'y', 'z'];

/// The term of a special register, of the width in which the kernel reads it.
pub fn special(terms: &mut Terms, function: &Function, special: Special, width: u8) -> TermId {
    let symbol = |name: String, variance| Symbol::new(name, 32, variance);
    let block = |axis: u8| block_size(function, axis);
    let narrow = match special {
        Special::Tid(axis @ 0..=2) => {
            let variance = if axis == 0 {
                Variance::TidX
            } else {
                Variance::Of(Level::Row)
            };
            symbol(named("tid", axis), variance).within(0, block(axis).1 - 1)
        }
        Special::Ntid(axis @ 0..=2) => {
            let (least, greatest) = block(axis);
            symbol(named("ntid", axis), Variance::Of(Level::Uniform)).within(least, greatest)
        }
        Special::Ctaid(axis @ 0..=2) => symbol(named("ctaid", axis), Variance::Of(Level::Uniform))
            .within(0, MAX_GRID[axis as usize] - 1),
        Special::Nctaid(axis @ 0..=2) => {
            symbol(named("nctaid", axis), Variance::Of(Level::Uniform))
                .within(1, MAX_GRID[axis as usize])
        }
        Special::LaneId if active(Mutation::LaneIdUniform) => {
            symbol("special.laneid".into(), Variance::Of(Level::Uniform)).within(0, 31)
        }
        Special::LaneId => symbol("special.laneid".into(), Variance::LaneId).within(0, 31),
        Special::DynamicSharedSize
        | Special::TotalSharedSize
        | Special::GridId
        | Special::NSmId => {
            let name = format!("special.{special:?}").to_lowercase();
            return terms.symbol(Symbol::new(name, width, Variance::Of(Level::Uniform)));
        }
        // The fourth component of a vector register is 0.
        Special::Tid(_) | Special::Ntid(_) | Special::Ctaid(_) | Special::Nctaid(_) => {
            return terms.constant(width, 0);
        }
        _ => {
            return terms.symbol(Symbol::new(
                format!("special.{special:?}").to_lowercase(),
                width,
                Variance::Of(Level::Divergent),
            ));
        }
    };
    let term = terms.symbol(narrow);
    resize(terms, term, width)
}

/// Whether `%laneid` is `%tid.x` modulo 32 in every thread: rows are whole warps, or there is only one.
fn lane_is_low_bits(function: &Function) -> bool {
    function.required_threads.is_some_and(|[x, y, z]| {
        x > 0 && (u64::from(x) % LANES == 0 || u64::from(y) * u64::from(z) == 1)
    })
}

/// What C5 says of the other thread of a shift, where the low bits of `%tid.x` are `%laneid`: it is in the same warp.
pub fn neighbour(terms: &mut Terms, function: &Function, map: LaneMap) -> Vec<TermId> {
    let distance = map.steps();
    if distance == 0 || !lane_is_low_bits(function) {
        return Vec::new();
    }
    let tid = special(terms, function, Special::Tid(0), 32);
    let lanes = terms.constant(32, LANES - 1);
    let lane = terms.and(tid, lanes);
    let there = terms.offset(lane, i64::from(distance) as u64);
    let last = terms.constant(32, LANES - 1);
    let outside = terms.less(false, last, there);
    vec![terms.not(outside)]
}

/// Zero-extended or cut to `width` bits.
pub fn resize(terms: &mut Terms, term: TermId, width: u8) -> TermId {
    if terms.width(term) < width {
        terms.zext(term, width)
    } else {
        terms.truncate(term, width)
    }
}

/// Least and greatest size of the block along an axis.
fn block_size(function: &Function, axis: u8) -> (u64, u64) {
    let index = axis as usize;
    let largest = MAX_BLOCK[index];
    if let Some(exact) = function.required_threads {
        let exact = u64::from(exact[index]).clamp(1, largest);
        return (exact, exact);
    }
    let threads = function.max_threads.map_or(largest, |max| {
        max.iter().map(|&n| u64::from(n.max(1))).product()
    });
    (1, largest.min(threads).max(1))
}

fn named(register: &str, axis: u8) -> String {
    format!("{register}.{}", AXES[axis as usize % 3])
}
