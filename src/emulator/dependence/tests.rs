//! What is found without a look at all accesses is what a look at all of them finds.

use super::*;
use crate::domains::disjointness::Distances;
use crate::{Emulation, emulate};
use proptest::prelude::*;
use ptxasw_ir::analyses::Analyses;
use ptxasw_ir::function::Function;
use ptxasw_ir::text::parse;

/// A function with its accesses.
struct Listed {
    analyses: Analyses,
    emulation: Emulation,
    accesses: Accesses,
}

fn listed(text: &str) -> Listed {
    let function: Function = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let analyses = Analyses::new(&function);
    let mut emulation = emulate(&function, &analyses);
    let Emulation { terms, trace, .. } = &mut emulation;
    let accesses = Accesses::new(&function, trace, terms, &mut Distances::default());
    Listed {
        analyses,
        emulation,
        accesses,
    }
}

/// Stores, loads and other instructions: which, bits, and the offset.
type Line = (u8, u32, i64);

fn line() -> impl Strategy<Value = Line> {
    let offset = prop_oneof![-20_i64..20, Just(i64::MIN), Just(i64::MAX - 3)];
    (0_u8..4, prop::sample::select(vec![8, 16, 32, 64]), offset)
}

fn block(lines: &[Line]) -> String {
    let mut text =
        "kernel f(p: u64 ptr) {\nblock0:\n    v1: b64 = load.paramentry.u64 &p ; 0\n".to_owned();
    for (&(kind, bits, offset), at) in lines.iter().zip(1..) {
        let value = at + 1;
        text += &match kind {
            0 | 1 => format!("    store.global.b{bits}[{offset:+}] v1, 7:b{bits} ; {at}\n"),
            2 => format!("    v{value}: b{bits} = load.global.b{bits}[{offset:+}] v1 ; {at}\n"),
            _ => format!("    nop ; {at}\n"),
        };
    }
    text + "    return ; 99\n}\n"
}

proptest! {
    /// Stores whose constants overlap, by classes and constants as one by one.
    #[test]
    fn stores_are_found_by_constants(
        lines in prop::collection::vec(line(), 1..24),
        bits in prop::sample::select(vec![8_u32, 32, 128]),
        offset in -20_i64..20,
        span in (0_u32..24, 0_u32..24),
    ) {
        let Listed { mut emulation, accesses, .. } = listed(&block(&lines));
        let terms = &mut emulation.terms;
        let Some(first) = accesses.list.first() else { return Ok(()) };
        let event = &emulation.trace.events[first.event as usize];
        let moved = offset.wrapping_sub(first.access.offset) as u64;
        let bytes = Bytes {
            address: event.address.map(|address| terms.offset(address, moved)),
            count: bits / 8,
            ..event.bytes()
        };
        let place = Shape::place(terms, &mut Distances::default(), &bytes);
        let guarded = Guarded { place, bytes: &bytes, here: first.block };
        let span = (first.block, span.0..span.1);
        let (assumed, mut found) = (Assumptions::default(), Vec::new());
        for class in accesses.stored(&span) {
            let how = accesses.may_write(class, &span, &guarded, assumed, usize::MAX, &mut found);
            prop_assert_eq!(how, None);
        }
        found.sort_unstable();
        let all = accesses.ids().filter(|&id| {
            let one = accesses.get(id);
            let shared = overlap((one.place, one.access.bytes()), (place, bytes.count));
            one.is_store && span.1.contains(&one.position) && shared
        });
        prop_assert_eq!(found, all.collect::<Vec<_>>());
    }
}

#[test]
fn stops_lie_between_their_neighbours() {
    let store = (0, 32, 0);
    let Listed { accesses, .. } = listed(&block(&[store, store, (3, 32, 0), store]));
    let positions: Vec<u32> = accesses.list.iter().map(|one| one.position).collect();
    let [first, second, third] = positions[..] else {
        panic!("{positions:?}");
    };
    let listed = accesses.block(BlockId(0));
    let stops = |from, end| listed.stops(from, end).len();
    assert_eq!(stops(first + 1, second), 0);
    assert_eq!(stops(second + 1, third), 1);
    assert_eq!(stops(first + 1, third), 1);
    assert_eq!(stops(third + 1, listed.len), 0);
}

#[test]
fn what_lies_before_goes_back_to_barriers() {
    let text = "kernel f(p: u64 ptr) {
block0:
    v1: b64 = load.paramentry.u64 &p ; 0
    v2: b32 = load.global.b32 v1 ; 1
    v3: pred, v4: pred = compare.lt.u32 v2, 3 ; 2
    store.global.b32 v1, v2 ; 3
    branch v3, block1, block2 ; 4
block1:
    store.global.b32[+4] v1, v2 ; 5
    barrier.sync.aligned 0 ; 6
    store.global.b32[+8] v1, v2 ; 7
    jump block3 ; 8
block2:
    jump block3 ; 9
block3:
    v5: b32 = load.global.b32 v1 ; 10
    store.global.b32[+12] v1, v5 ; 11
    branch v4, block3, block4 ; 12
block4:
    barrier.sync.aligned 0 ; 13
    v6: b32 = load.global.b32 v1 ; 14
    return ; 15
}
";
    let Listed {
        analyses,
        emulation,
        accesses,
    } = listed(text);
    let events = &emulation.trace.events;
    let mut paths = Paths::new(&analyses.cfg, &accesses);
    let stores = (0..)
        .zip(events)
        .filter(|(_, event)| event.load().is_none() && !event.is_block_barrier());
    let mut counted = Counted::new(stores.map(|(number, _)| number).collect());
    let mut before = |origin: u32, most: usize| {
        let event = events.iter().find(|event| event.origin == origin).unwrap();
        let found = paths.before(event, &mut counted, most)?;
        let mut origins: Vec<u32> = found
            .iter()
            .map(|&number| events[number as usize].origin)
            .collect();
        origins.sort_unstable();
        Some(origins)
    };
    // Around the loop, past the barrier's block from its barrier on, and past the other one back to the start.
    assert_eq!(before(10, 3), Some(vec![3, 7, 11]));
    assert_eq!(before(10, 2), None);
    assert_eq!(before(5, 3), Some(vec![3]));
    assert_eq!(before(7, 3), Some(vec![]));
    assert_eq!(before(14, 3), Some(vec![]));
}
