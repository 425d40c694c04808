//! What is around random loops: numbers of the thread, addresses of its elements, bounds, and what is stored at the end.

use super::launches::RESULTS;
use super::shape::{Counter, Layout, Own, Relation, Shape};
use crate::random::accesses::ptx;
use crate::random::accesses::{LONGS, WORDS};
use std::fmt::Write;

/// 32-bit floating-point registers, and 64-bit ones.
pub const SINGLES: u64 = 4;
pub const DOUBLES: u64 = 2;
/// Where a word of the results is that is added to atomically.
pub const SUM_AT: u64 = 16;
/// Bytes of each thread in shared memory.
const SHARED: u64 = 64;

/// A kernel from the beginning of its text and its loops to its end.
pub fn finished(mut text: String) -> String {
    if text.contains("[%rd12") {
        text = text.replacen(BEGIN, &(shared() + BEGIN), 1);
    }
    results(&mut text);
    text + "ret;\n}\n"
}

/// What comes in front of the first loop.
const BEGIN: &str = "setp.gt.u32 %p0, %r16, 7;";

/// Fills the thread's bytes of shared memory.
fn shared() -> String {
    let line = |at| format!("st.shared.u64 [%rd12+{at}], %d0;\n");
    (0..SHARED).step_by(8).map(line).collect()
}

/// Stores one number made of all words and singles, and one of all longs and doubles: many stores would make the loop a small part of the
/// kernel.
fn results(text: &mut String) {
    for word in 1..WORDS {
        let _ = writeln!(text, "mad.lo.u32 %r0, %r0, 31, %r{word};");
    }
    for register in 0..SINGLES {
        let _ = writeln!(
            text,
            "mov.b32 %r1, %f{register}; mad.lo.u32 %r0, %r0, 31, %r1;"
        );
    }
    for long in 1..LONGS {
        let _ = writeln!(text, "mad.lo.u64 %d0, %d0, 31, %d{long};");
    }
    for register in 0..DOUBLES {
        let _ = writeln!(
            text,
            "mov.b64 %d1, %g{register}; mad.lo.u64 %d0, %d0, 31, %d1;"
        );
    }
    let _ = writeln!(
        text,
        "st.global.u32 [%rd9], %r0; st.global.u64 [%rd9+8], %d0;"
    );
}

/// Numbers of the thread, addresses of its elements, bounds, and what registers hold first.
pub fn head(shape: &Shape, target: &str) -> String {
    let mut text = format!(
        ".version 8.0\n.target {target}\n.address_size 64\n.shared .align 16 .b8 own[{}];\n\
         .visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pt, .param .u64 po, .param .u32 first, .param .u32 n, .param .u32 step, .param .u32 bias, .param .u32 m, .param .u32 second)\n{{\n\
         .reg .pred %p<8>; .reg .b16 %h<4>; .reg .b32 %r<40>; .reg .b64 %rd<40>, %d<4>; .reg .b32 %c<80>; .reg .pred %q<80>; .reg .f32 %f<6>; .reg .f64 %g<4>;\n\
         ld.param.u64 %rd1, [pa]; ld.param.u64 %rd2, [pb]; ld.param.u64 %rd29, [pt]; ld.param.u64 %rd3, [po];\n\
         ld.param.u32 %r27, [first]; ld.param.u32 %r10, [n]; ld.param.u32 %r21, [step]; ld.param.u32 %r22, [bias]; ld.param.u32 %r25, [m]; ld.param.u32 %r29, [second];\n\
         mov.u32 %r16, %tid.x; mov.u32 %r12, %ctaid.x; mov.u32 %r13, %ntid.x; mov.u32 %r30, %nctaid.x;\n",
        SHARED * 160
    );
    text.push_str(match shape.flat {
        true => "mov.u32 %r11, %r16; mov.u32 %r19, %r13;\n",
        false => {
            "mov.u32 %r17, %tid.y; mov.u32 %r18, %ntid.y; mov.u32 %r23, %tid.z; mov.u32 %r24, %ntid.z;\n\
             mad.lo.u32 %r23, %r23, %r18, %r17; mad.lo.u32 %r11, %r23, %r13, %r16;\n\
             mul.lo.u32 %r19, %r13, %r18; mul.lo.u32 %r19, %r19, %r24;\n"
        }
    });
    let (unit, [lane, _]) = (shape.unit, shape.strides(0));
    let _ = writeln!(
        text,
        "mad.lo.s32 %r14, %r12, %r19, %r11; mul.lo.s32 %r31, %r30, %r19;\n\
         mul.wide.u32 %rd4, %r14, {RESULTS}; cvta.to.global.u64 %rd9, %rd3; add.s64 %rd9, %rd9, %rd4;\n\
         cvta.to.global.u64 %rd20, %rd1; cvta.to.global.u64 %rd21, %rd2; cvta.to.global.u64 %rd29, %rd29;\n\
         mov.u64 %rd11, own; mul.wide.u32 %rd10, %r11, {SHARED}; add.s64 %rd12, %rd11, %rd10;"
    );
    let _ = match shape.layout {
        Layout::Rows => writeln!(text, "mov.u64 %rd23, {unit};"),
        _ => writeln!(text, "mul.wide.u32 %rd23, %r31, {unit};"),
    };
    if shape.layout != Layout::GridStride {
        let _ = writeln!(
            text,
            "mad.wide.u32 %rd20, %r14, {lane}, %rd20; mad.wide.u32 %rd21, %r14, {lane}, %rd21;"
        );
    }
    ptx::values(&mut text);
    bounds(&mut text, shape);
    for register in 0..SINGLES {
        let _ = writeln!(text, "cvt.rn.f32.u32 %f{register}, %r{register};");
    }
    for register in 0..DOUBLES {
        let _ = writeln!(text, "cvt.rn.f64.u32 %g{register}, %r{register};");
    }
    text + BEGIN + " setp.eq.u32 %p1, %r10, 3; setp.lt.u32 %p2, %r14, 40;\n"
}

/// What of the first counter, the step and the bound is this thread's.
fn bounds(text: &mut String, shape: &Shape) {
    let mut line = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    if let Some(step) = shape.step {
        line(&format!("mov.u32 %r21, {step};"));
    }
    if shape.layout == Layout::GridStride {
        line("mad.lo.s32 %r27, %r27, %r31, %r14; mul.lo.s32 %r21, %r21, %r31;");
        if shape.relation == Relation::Unequal {
            line("add.s32 %r10, %r10, %r14;");
        }
    }
    match shape.own {
        Own::Nothing => {}
        Own::Bound => {
            line("and.b32 %r23, %r11, 3; mul.lo.s32 %r23, %r23, %r21; sub.s32 %r10, %r10, %r23;")
        }
        Own::First => line("and.b32 %r23, %r11, 1; mad.lo.s32 %r27, %r23, %r21, %r27;"),
        Own::Loaded => line(
            "and.b32 %r23, %r11, 15; mul.wide.u32 %rd24, %r23, 4; add.s64 %rd24, %rd29, %rd24; ld.global.u32 %r23, [%rd24];\n\
             and.b32 %r23, %r23, 7; mad.lo.s32 %r10, %r23, %r21, %r27;",
        ),
    }
    let extend = if shape.signed { "s64.s32" } else { "u64.u32" };
    match shape.counter {
        Counter::Word => {}
        Counter::Long => line(&format!(
            "cvt.{extend} %rd17, %r10; cvt.s64.s32 %rd18, %r21;"
        )),
        Counter::Pointer => line(
            "cvt.s64.s32 %rd18, %r21; mul.lo.s64 %rd18, %rd18, %rd23;\n\
             cvt.s64.s32 %rd17, %r10; mad.lo.s64 %rd17, %rd17, %rd23, %rd20;",
        ),
    }
}
