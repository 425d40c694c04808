//! Time of the stages as kernels grow.

use std::fmt::Write;
use std::io::Write as _;
use std::time::Duration;

use ptxasw::dropin::isolation::isolated;
use ptxasw::emulator::emulate;

use crate::families::{SHAPES, Shape};
use crate::fit;
use crate::process::{median, thread_time};
use crate::stages::Stages;

/// Rounds of all sizes of a shape, one after the other: a machine that is slower for a while is so for all of them. The
/// fastest time of each stage counts, and the median of the exponents of the rounds.
const ROUNDS: usize = 9;

/// Parse, lower, emulate, detect and prove, emit.
type Times = [Duration; 5];

/// The table, in Markdown. Memory is taken as by the command, from here on.
pub fn table() -> String {
    ptxasw::support::malloc::prepare();
    let mut text = String::from(
        "| shape | size | parse | lower | emulate | detect+prove | emit | whole | exponent |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for shape in SHAPES {
        let (best, exponent) = measure(shape);
        for (index, (size, times)) in shape.sizes.iter().zip(best).enumerate() {
            let whole: Duration = times.iter().sum();
            let _ = write!(text, "| {} | {size} {} |", shape.name, shape.unit);
            for time in times.iter().chain([&whole]) {
                let _ = write!(text, " {:.2} |", time.as_secs_f64() * 1e3);
            }
            let exponent = match index + 1 == shape.sizes.len() {
                true => format!("{exponent:.2}"),
                false => String::new(),
            };
            let _ = writeln!(text, " {exponent} |");
        }
        eprint!(".");
        let _ = std::io::stderr().flush();
    }
    eprintln!();
    text
}

/// The fastest times of each size, and by what power of the size the whole times grow.
fn measure(shape: &Shape) -> (Vec<Times>, f64) {
    let first = (shape.make)(shape.sizes[0] / 10);
    let texts: Vec<String> = shape.sizes.iter().map(|&size| (shape.make)(size)).collect();
    let mut best = vec![[Duration::MAX; 5]; texts.len()];
    let mut exponents = Vec::new();
    for _ in 0..ROUNDS {
        let mut points = Vec::new();
        for ((text, &size), best) in texts.iter().zip(shape.sizes).zip(&mut best) {
            let times = alone(&first, text);
            let whole: Duration = times.iter().sum();
            points.push((size as f64, whole.as_secs_f64()));
            for (best, time) in best.iter_mut().zip(times) {
                *best = time.min(*best);
            }
        }
        exponents.push(fit::exponent(&points));
    }
    (best, median(exponents))
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
    let mut emulation = emulate(prepared.function(), prepared.analyses());
    lap(2);
    let synthesis = stages.synthesize(&prepared, &mut emulation);
    lap(3);
    std::hint::black_box(stages.emit(&prepared, &synthesis).len());
    lap(4);
    times
}
