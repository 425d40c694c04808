//! Small kernels, each for one feature, in PTX as a person would write it.

mod arithmetic;
mod calls;
mod copies;
mod initialisers;
mod memory;
mod parallel;
mod precise;
mod schedules;
mod sync;

use super::launch::{Element, Fill, parse_line};
use super::*;
use ptxasw_ptx as ptx;

/// A kernel whose one parameter points to a buffer; `%rd1` is that pointer, `%rd2` the address of the thread's word in
/// it, `%r1` the thread's number in the grid.
pub(super) fn kernel(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .f32 %f<9>;\n.reg .f64 %fd<9>;\n\
         ld.param.u64 %rd1, [out];\n\
         mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\n\
         mad.lo.s32 %r1, %r2, %r3, %r4;\n\
         mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd1, %rd3;\n{body}\n}}\n"
    )
}

/// The text of the statement that an error blames.
fn blamed(text: &str, error: &ExecutionError) -> String {
    text[error.span.range()].to_owned()
}

/// Runs the first kernel of a text.
fn execute(text: &str, launch: &Launch, schedule: Schedule) -> Result<Outcome, ExecutionError> {
    let tree = ptx::parse(text.as_bytes()).expect("the text parses");
    let module = ptx::decode::decode(&tree).expect("the text decodes");
    let options = Options {
        step_limit: 1 << 20,
        ..Options::default()
    };
    let kernel = module.functions.iter().find(|f| f.entry).expect("a kernel");
    run_with(&module, kernel, launch, schedule, options)
}

/// One buffer of `words` zeros.
pub(super) fn words(grid: u32, block: u32, words: u64) -> Launch {
    Launch::new([grid, 1, 1], [block, 1, 1]).with_buffer(Buffer::filled(
        Element::U32,
        words,
        Fill::Zero,
    ))
}

/// The words of the first buffer.
fn contents(outcome: &Outcome) -> Vec<u32> {
    let chunks = outcome.buffers[0].bytes.chunks(4);
    chunks
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect()
}

/// What [`kernel`] of `body` leaves in a buffer of one word per thread, under both schedules.
fn result(body: &str, grid: u32, block: u32) -> Vec<u32> {
    let text = kernel(body);
    let launch = words(grid, block, u64::from(grid * block));
    let lockstep = contents(&execute(&text, &launch, Schedule::Lockstep).unwrap());
    for seed in 0..10 {
        let schedule = Schedule::Independent { seed };
        let other = contents(&execute(&text, &launch, schedule).unwrap());
        assert_eq!(lockstep, other, "seed {seed}");
    }
    lockstep
}

/// The fault of [`kernel`] of `body` in lockstep, the text blamed, and the thread.
fn fault(body: &str, block: u32) -> (Fault, String, Option<Thread>) {
    let text = kernel(body);
    let launch = words(1, block, u64::from(block));
    let error = execute(&text, &launch, Schedule::Lockstep).unwrap_err();
    let blamed = blamed(&text, &error);
    (error.fault, blamed, error.thread)
}
