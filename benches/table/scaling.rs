//! Time of the stages as kernels grow.

use std::fmt::Write;
use std::io::Write as _;
use std::time::Duration;

use ptxasw::dropin::process::isolated;
use ptxasw::pipeline;

use crate::families::{SHAPES, Shape};
use crate::fit;
use crate::process::thread_time;
use crate::stages::Stages;

/// Runs of each size; the fastest time of each stage counts.
const RUNS: usize = 3;

/// Parse, lower, emulate, detect and prove, emit.
type Times = [Duration; 5];

/// The table, in Markdown.
pub fn table() -> String {
    let mut text = String::from(
        "| shape | size | parse | lower | emulate | detect+prove | emit | whole | exponent |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for shape in SHAPES {
        let mut points = Vec::new();
        for &size in shape.sizes {
            let times = measure(shape, size);
            let whole: Duration = times.iter().sum();
            let _ = write!(text, "| {} | {size} {} |", shape.name, shape.unit);
            for time in times.iter().chain([&whole]) {
                let _ = write!(text, " {:.2} |", time.as_secs_f64() * 1e3);
            }
            points.push((size as f64, whole.as_secs_f64()));
            let exponent = match points.len() == shape.sizes.len() {
                true => format!("{:.2}", fit::exponent(&points)),
                false => String::new(),
            };
            let _ = writeln!(text, " {exponent} |");
            eprint!(".");
            let _ = std::io::stderr().flush();
        }
    }
    eprintln!();
    text
}

fn measure(shape: &Shape, size: usize) -> Times {
    let (first, text) = ((shape.make)(shape.sizes[0] / 10), (shape.make)(size));
    let mut best = [Duration::MAX; 5];
    for _ in 0..RUNS {
        for (best, time) in best.iter_mut().zip(alone(&first, &text)) {
            *best = time.min(*best);
        }
    }
    best
}

/// One run in a process of its own, as in the command: small kernels too find no memory that others have left. A kernel that
/// is smaller still comes `first`, so that the program itself is there.
fn alone(first: &str, text: &str) -> Times {
    let nanoseconds = |time: Duration| (time.as_nanos() as u64).to_ne_bytes();
    let bytes = isolated(|| {
        once(first);
        once(text).map(nanoseconds).concat()
    });
    let bytes = bytes.expect("the times");
    let mut times = Times::default();
    for (time, bytes) in times.iter_mut().zip(bytes.0.as_chunks().0) {
        *time = Duration::from_nanos(u64::from_ne_bytes(*bytes));
    }
    times
}

fn once(text: &str) -> Times {
    let mut times = Times::default();
    let mut last = thread_time();
    let mut lap = |stage: usize| {
        let now = thread_time();
        times[stage] = now - last;
        last = now;
    };
    let stages = Stages::new(text.as_bytes());
    lap(0);
    let prepared = stages.prepare();
    lap(1);
    let mut emulation = pipeline::emulate(&prepared);
    lap(2);
    let synthesis = stages.synthesize(&prepared, &mut emulation);
    lap(3);
    std::hint::black_box(stages.emit(&synthesis).len());
    lap(4);
    times
}
