//! Time of the stages as kernels grow.

use std::fmt::Write;
use std::io::Write as _;
use std::time::Duration;

use ptxasw::pipeline;

use crate::families::{SHAPES, Shape};
use crate::fit;
use crate::process::thread_time;
use crate::stages::Stages;

/// Runs of a small kernel; the fastest counts.
const RUNS: usize = 3;
/// A kernel that takes longer runs once.
const LONG: Duration = Duration::from_millis(500);

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
    let text = (shape.make)(size);
    let mut best = once(&text);
    for _ in 1..RUNS {
        if best.iter().sum::<Duration>() > LONG {
            break;
        }
        for (best, time) in best.iter_mut().zip(once(&text)) {
            *best = time.min(*best);
        }
    }
    best
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
