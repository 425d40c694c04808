//! Every wrapping computes what the original computes, on every schedule, and does so with fewer loads; broken ones are
//! told apart.

use crate::wrappings::kernels::{
    self, K1, K1C, K2, K4, K5, K7, K8, K9, Kernel, Options, Subject, check,
};
use ptxasw::executor::launch::{Element, Fill};
use ptxasw::executor::{Argument, Buffer, ExecutionError, Launch, Outcome, Schedule, run};
use ptxasw::passes::shuffle::lower::Variant;
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::ptx;
use ptxasw::ptx::decode::decode;

/// Wrappings that are right for any block and any guard.
const GENERAL: [Wrapping; 4] = [
    Wrapping::Row,
    Wrapping::AnyRow,
    Wrapping::Paper,
    Wrapping::Halo,
];

const BLOCKS: [[u32; 3]; 5] = [[128, 1, 1], [48, 1, 1], [16, 8, 1], [8, 8, 4], [1000, 1, 1]];

const GRID: u32 = 2;

/// Adversaries of each launch in a soak test; otherwise one of them, each launch another.
const ADVERSARIES: u64 = 8;

/// Lockstep first; then adversaries.
fn schedules(block: [u32; 3], guard: Guard) -> Vec<Schedule> {
    let seeds = match crate::soak() {
        true => 0..ADVERSARIES,
        false => {
            let launch = block.iter().map(|&size| u64::from(size / 8)).sum::<u64>() + guard as u64;
            let seed = launch % ADVERSARIES;
            seed..seed + 1
        }
    };
    let adversaries = seeds.map(|seed| Schedule::Independent { seed: seed + 1 });
    std::iter::once(Schedule::Lockstep)
        .chain(adversaries)
        .collect()
}

/// How many threads the guard of the kernel lets through.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Guard {
    /// All of them.
    All,
    /// All but the last five of each row of the last block.
    Most,
    /// Those of the first block, and three of each row of the last.
    Few,
}

const GUARDS: [Guard; 3] = [Guard::All, Guard::Most, Guard::Few];

/// A launch in which each row of a block has a row of the field, with a margin of eight points around it.
fn launch(kernel: &Kernel, block: [u32; 3], guard: Guard) -> Launch {
    let [x, y, z] = block;
    let width = match guard {
        Guard::All => GRID * x,
        Guard::Most => GRID * x - 5,
        Guard::Few => x + 3,
    };
    // k2 has a guard on both sides of its row of nx points.
    let (nx, ny) = match kernel.name {
        "k2" if guard == Guard::All => (GRID * x + 1, y * z + 1),
        "k2" => (width, y * z),
        _ => (width, 5),
    };
    let points = u64::from(GRID * x + 16) * u64::from(y * z + 5);
    let cells = u64::from(GRID * x * y * z);
    let bytes = u64::from(kernel.bytes);
    // Of words finite numbers: what is not one would hide the others.
    let data = match bytes {
        4 => Buffer::filled(Element::F32, points + 16, Fill::random(1)),
        _ => Buffer::filled(Element::U8, (points + 16) * bytes, Fill::random(1)),
    };
    let mut launch = Launch::new([GRID, 1, 1], block)
        .with_buffer(data)
        .with_buffer(Buffer::filled(Element::F32, cells, Fill::Zero))
        .with_scalar(nx.into());
    // k2 reads the row above.
    let margin = if kernel.name == "k2" { nx + 8 } else { 8 };
    launch.arguments[0] = Argument::Buffer {
        index: 0,
        offset: u64::from(margin) * bytes,
    };
    if matches!(kernel.name, "k2" | "k7") {
        launch = launch.with_scalar(ny.into());
    }
    launch
}

/// The text of a kernel under a plan.
fn rewritten(kernel: &Kernel, options: &Options, variant: Variant) -> Vec<u8> {
    let subject = Subject::new(kernel.text.as_bytes());
    let plan = kernels::plan(&subject, kernel, options);
    subject.with(&plan, variant).unwrap()
}

/// Executes the only kernel of a text.
fn execute(text: &[u8], launch: &Launch, schedule: Schedule) -> Result<Outcome, ExecutionError> {
    let tree = ptx::parse(text).unwrap();
    let module = decode(&tree).unwrap();
    run(&module, &module.functions[0], launch, schedule)
}

/// Executes original and rewritten kernel; asserts equal memory on every schedule. Gives the outcomes in lockstep.
fn assert_same(
    kernel: &Kernel,
    options: &Options,
    block: [u32; 3],
    guard: Guard,
) -> (Outcome, Outcome) {
    let launch = launch(kernel, block, guard);
    let text = rewritten(kernel, options, Variant::Normal);
    let original = execute(kernel.text.as_bytes(), &launch, Schedule::Lockstep).unwrap();
    let mut outcomes = schedules(block, guard).into_iter().map(|schedule| {
        let place = || {
            format!(
                "{} {:?} {block:?} {guard:?} {schedule:?}",
                kernel.name, options.wrapping
            )
        };
        let outcome = execute(&text, &launch, schedule);
        let outcome = outcome.unwrap_or_else(|error| panic!("{}: {error}", place()));
        assert!(
            outcome.buffers[1].bytes == original.buffers[1].bytes,
            "{} differs",
            place()
        );
        outcome
    });
    let lockstep = outcomes.next().expect("lockstep is first");
    outcomes.for_each(drop);
    (original, lockstep)
}

/// Whether some block shows the difference between the original and a broken kernel, by other results or by an error.
fn differs(kernel: &Kernel, options: &Options, variant: Variant, block: [u32; 3]) -> bool {
    let launch = launch(kernel, block, Guard::All);
    let original = execute(kernel.text.as_bytes(), &launch, Schedule::Lockstep).unwrap();
    match execute(
        &rewritten(kernel, options, variant),
        &launch,
        Schedule::Lockstep,
    ) {
        Ok(outcome) => outcome.buffers[1].bytes != original.buffers[1].bytes,
        Err(error) => error.undefined_behaviour(),
    }
}

fn all_blocks_and_guards(kernel: &Kernel) {
    for wrapping in GENERAL {
        for block in BLOCKS {
            for guard in GUARDS {
                assert_same(kernel, &Options::new(wrapping), block, guard);
            }
        }
    }
}

#[test]
fn a_row_to_the_right() {
    all_blocks_and_guards(&K1);
}

#[test]
fn a_row_to_both_sides() {
    all_blocks_and_guards(&K1C);
}

#[test]
fn three_rows() {
    all_blocks_and_guards(&K2);
}

#[test]
fn a_loop_after_the_set_up() {
    all_blocks_and_guards(&K7);
}

#[test]
fn doubles() {
    all_blocks_and_guards(&K4);
}

#[test]
fn bytes_with_and_without_a_sign() {
    all_blocks_and_guards(&K5);
}

#[test]
fn pairs() {
    all_blocks_and_guards(&K8);
}

#[test]
fn predicates_of_both() {
    for wrapping in GENERAL {
        let options = Options {
            vote: true,
            ..Options::new(wrapping)
        };
        for block in BLOCKS {
            for guard in GUARDS {
                assert_same(&K9, &options, block, guard);
            }
        }
        let nobody_asks = Options {
            vote: false,
            ..options
        };
        let broken = differs(&K9, &nobody_asks, Variant::Normal, [128, 1, 1]);
        assert!(broken, "{wrapping:?}");
    }
}

#[test]
fn whole_rows_need_blocks_of_whole_warps() {
    for kernel in [K1, K1C, K2, K7] {
        for block in [[128, 1, 1], [32, 4, 2], [64, 3, 1]] {
            for guard in GUARDS {
                assert_same(&kernel, &Options::new(Wrapping::WholeRows), block, guard);
            }
        }
    }
}

#[test]
fn full_warps_need_no_mask() {
    for kernel in [K1, K1C, K7] {
        for block in [[128, 1, 1], [32, 4, 2], [16, 8, 1], [8, 8, 4], [48, 2, 1]] {
            let options = Options {
                whole_rows: block[0] % 32 == 0,
                ..Options::new(Wrapping::Full)
            };
            assert_same(&kernel, &options, block, Guard::All);
        }
    }
}

#[test]
fn copies_temporaries_and_checks() {
    // `nx` is far below the limit of the first check and above that of the second; %r5 or %r6 is the x coordinate, which
    // some lanes have above the limit.
    let x = |kernel: &Kernel| {
        if kernel.name.starts_with("k1") {
            "%r5"
        } else {
            "%r6"
        }
    };
    for kernel in [K1, K1C, K2, K7] {
        let region = [
            vec![],
            vec![check("%r1", 32, 0, 0x7fff_ffff)],
            vec![check("%r1", 32, -1, 1)],
            vec![check(x(&kernel), 32, 7, 40), check("%rd3", 64, 0, u64::MAX)],
        ];
        for checks in region {
            for source in [vec![], vec![check(x(&kernel), 32, -8, 50)]] {
                for wrapping in GENERAL {
                    let options = Options {
                        checks: checks.clone(),
                        source_checks: source.clone(),
                        ..Options::new(wrapping)
                    };
                    assert_same(&kernel, &options, [48, 2, 1], Guard::Most);
                }
            }
        }
    }
}

/// Lanes that load in a block of 128: a table made by hand, which counts lanes of this kernel per block.
#[test]
fn covered_lanes_do_not_load() {
    let lanes = |kernel: &Kernel, wrapping, block| {
        let (original, outcome) = assert_same(kernel, &Options::new(wrapping), block, Guard::All);
        (
            original.counters.global_load_lanes,
            outcome.counters.global_load_lanes,
        )
    };
    // Two blocks of four warps. Of nine loads, the first is by all; delta n leaves n corner lanes a warp.
    let warps = 8;
    let all = warps * 32;
    for wrapping in [
        Wrapping::Row,
        Wrapping::AnyRow,
        Wrapping::WholeRows,
        Wrapping::Paper,
    ] {
        assert_eq!(
            lanes(&K1, wrapping, [128, 1, 1]),
            (9 * all, all + warps * 36),
            "{wrapping:?}"
        );
        assert_eq!(
            lanes(&K1C, wrapping, [128, 1, 1]),
            (9 * all, all + warps * 20),
            "{wrapping:?}"
        );
    }
    // The halo is as wide as the longest distance to either side.
    for kernel in [K1, K1C] {
        assert_eq!(
            lanes(&kernel, Wrapping::Halo, [128, 1, 1]),
            (9 * all, all + warps * 8)
        );
    }
    // Rows of 16: the lower half of a warp has no row that reaches the warp's end.
    assert_eq!(
        lanes(&K1, Wrapping::Row, [16, 8, 1]),
        (9 * all, all + warps * (8 * 16 + 36))
    );
    assert_eq!(
        lanes(&K1, Wrapping::AnyRow, [16, 8, 1]),
        (9 * all, all + warps * 2 * 36)
    );
    // A block of 48: the second warp is half empty, and its lanes load for themselves.
    let (full, half) = (32 + 36, 16 * 9);
    assert_eq!(
        lanes(&K1, Wrapping::AnyRow, [48, 1, 1]),
        (9 * 96, 2 * (full + half))
    );
}

#[test]
fn broken_wrappings_are_told_apart() {
    for wrapping in GENERAL {
        let options = Options::new(wrapping);
        for kernel in [K1, K1C, K2, K7] {
            let shifted = Options {
                error: 1,
                ..options.clone()
            };
            let name = kernel.name;
            assert!(
                differs(&kernel, &shifted, Variant::Normal, [128, 1, 1]),
                "{name} {wrapping:?}: delta"
            );
            assert!(
                differs(&kernel, &options, Variant::NoCorner, [128, 1, 1]),
                "{name} {wrapping:?}: corner"
            );
            assert!(
                differs(&kernel, &options, Variant::NoLoad, [128, 1, 1]),
                "{name} {wrapping:?}: load"
            );
        }
    }
    // Rows of 16 or 8 threads, and nothing that looks at them.
    for kernel in [K1, K1C, K2, K7] {
        for block in [[16, 8, 1], [8, 8, 4]] {
            assert!(
                differs(
                    &kernel,
                    &Options::new(Wrapping::WholeRows),
                    Variant::Normal,
                    block
                ),
                "{}",
                kernel.name
            );
        }
    }
}
