//! Work and memory grow about as the input does. Both are counted, not timed: what is allocated, in all and at once, is the
//! same in every run and on every machine.

#[path = "../benches/families/mod.rs"]
mod families;
#[path = "../benches/families/fit.rs"]
mod fit;
#[path = "growth/hashes.rs"]
mod hashes;
#[path = "growth/loops.rs"]
mod loops;
#[path = "growth/memory.rs"]
mod memory;

use families::{SHAPES, many_kernels, values};
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::passes::shuffle::synthesis::Outcome;
use ptxasw::pipeline::{self, Options, Output};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::Write;

/// The largest exponent.
const MOST: f64 = 1.15;
/// Sizes of a family, by its smallest one: kernels that are smaller yet may be copied as a whole, which larger ones are not.
fn times() -> &'static [usize] {
    if crate::soak() { &[2, 4, 8] } else { &[3, 6] }
}

/// The sizes of a family whose smallest one this is.
fn sizes(smallest: usize) -> Vec<usize> {
    times().iter().map(|times| times * smallest).collect()
}

/// One wrapping for each way to look for shuffles where lanes may diverge.
const WRAPPINGS: [Wrapping; 2] = [Wrapping::Row, Wrapping::Halo];

/// The system's allocator, which counts what this thread asks for.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes in all, in use, and in use at most; and how often.
#[derive(Clone, Copy, Default)]
struct Counts {
    bytes: u64,
    used: i64,
    peak: i64,
    calls: u64,
}

thread_local! {
    static COUNTS: Cell<Counts> = const {
        Cell::new(Counts { bytes: 0, used: 0, peak: 0, calls: 0 })
    };
}

fn count(asked: usize, returned: usize) {
    // A thread that ends has none any more.
    let _ = COUNTS.try_with(|counts| {
        let mut now = counts.get();
        now.bytes += asked as u64;
        now.calls += u64::from(asked > 0);
        now.used += asked as i64 - returned as i64;
        now.peak = now.peak.max(now.used);
        counts.set(now);
    });
}

// SAFETY: all is the system allocator's; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// What it takes to rewrite a module, with a wrapping or the one that serves best.
fn measured(module: &str, wrapping: Option<Wrapping>) -> Counts {
    let mut options = Options {
        jobs: 1,
        ..Options::of_shuffles()
    };
    options.synthesis.wrapping = wrapping;
    rewritten(module, &options).0
}

/// What it takes, and what comes out.
fn rewritten(module: &str, options: &Options) -> (Counts, Output) {
    COUNTS.set(Counts::default());
    let output = pipeline::optimize(module.as_bytes(), options).expect("a module");
    let counts = COUNTS.get();
    assert!(output.passes.iter().all(|report| report.fault().is_none()));
    (counts, output)
}

/// The exponents of bytes, calls and peak, if one of them is above `most`.
fn too_fast(
    name: &str,
    sizes: &[usize],
    make: impl Fn(usize) -> String,
    wrapping: Option<Wrapping>,
) -> Option<String> {
    grows_too_fast(name, sizes, |size| measured(&make(size), wrapping))
}

/// As [`too_fast`], of any work.
fn grows_too_fast(
    name: &str,
    sizes: &[usize],
    measured: impl Fn(usize) -> Counts,
) -> Option<String> {
    let counts: Vec<(f64, Counts)> = sizes
        .iter()
        .map(|&size| (size as f64, measured(size)))
        .collect();
    let exponent = |of: fn(&Counts) -> f64| {
        let points: Vec<(f64, f64)> = counts.iter().map(|(size, one)| (*size, of(one))).collect();
        fit::exponent(&points)
    };
    let exponents = [
        exponent(|counts| counts.bytes as f64),
        exponent(|counts| counts.calls as f64),
        exponent(|counts| counts.peak as f64),
    ];
    let [bytes, calls, peak] = exponents;
    eprintln!("{name}: bytes {bytes:.2}, allocations {calls:.2}, peak {peak:.2}");
    exponents
        .iter()
        .any(|&one| one > MOST)
        .then(|| format!("{name}: bytes {bytes:.2}, allocations {calls:.2}, peak {peak:.2}"))
}

#[test]
fn work_and_memory_grow_about_as_the_input() {
    let mut found = String::new();
    for shape in SHAPES {
        let sizes = sizes(shape.sizes[0]);
        let name = format!("{}, {sizes:?} {}", shape.name, shape.unit);
        if let Some(line) = too_fast(&name, &sizes, shape.make, None) {
            let _ = writeln!(found, "{line}");
        }
    }
    let kernels = sizes(250);
    if let Some(line) = too_fast("kernels of one module", &kernels, many_kernels, None) {
        let _ = writeln!(found, "{line}");
    }
    assert!(found.is_empty(), "exponents are too large:\n{found}");
}

/// Each family with one wrapping, so that neighbours have different ones; a soak test tries all with all.
#[test]
fn no_wrapping_grows_faster() {
    let mut found = String::new();
    for (number, wrapping) in WRAPPINGS.into_iter().enumerate() {
        for (place, shape) in SHAPES.iter().enumerate() {
            if !crate::soak() && place % WRAPPINGS.len() != number {
                continue;
            }
            let sizes = sizes(shape.sizes[0]);
            let name = format!("{wrapping:?}, {}, {sizes:?} {}", shape.name, shape.unit);
            if let Some(line) = too_fast(&name, &sizes, shape.make, Some(wrapping)) {
                let _ = writeln!(found, "{line}");
            }
        }
    }
    assert!(found.is_empty(), "exponents are too large:\n{found}");
}

/// Indices of a table of two words agree in many lanes by chance, and each proof that fails moves its address to another one.
#[test]
fn proofs_take_steps_in_proportion_to_the_kernel() {
    let module = values::tables_of(1, 400);
    let with = |steps: Option<u64>| {
        let mut options = Options {
            jobs: 1,
            ..Options::of_shuffles()
        };
        options.synthesis.limits.steps = steps;
        let (counts, output) = rewritten(&module, &options);
        let loads = output.searches().flat_map(|one| &one.loads);
        let refused = loads.filter(|load| {
            let Outcome::Kept(refusal) = &load.outcome else {
                return false;
            };
            refusal.text().contains("as many steps as they may")
        });
        (counts.bytes, refused.count())
    };
    let ((few, some), (many, none)) = (with(None), with(Some(u64::MAX)));
    assert!(some > 0 && none == 0, "{some} {none}");
    assert!(2 * few < many, "{few} {many}");
}

#[test]
fn a_square_is_seen() {
    let square = |size: usize| {
        let mut held = Vec::new();
        for _ in 0..size {
            held.push(vec![0u8; size]);
        }
        std::hint::black_box(&held).len()
    };
    let points = [400usize, 800, 1_600].map(|size| {
        COUNTS.set(Counts::default());
        std::hint::black_box(square(size));
        (size as f64, COUNTS.get().bytes as f64)
    });
    let exponent = fit::exponent(&points);
    assert!((1.9..2.1).contains(&exponent), "{exponent}");
}
