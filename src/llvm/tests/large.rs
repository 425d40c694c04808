//! Modules of some 20,000 instructions (100,000 in a soak test): they end, and every neighbour is found.

use inkwell::context::Context;
use ptxasw::Options;
use ptxasw_llvm::{read, stage};
use std::fmt::Write;

/// Instructions of a module, roughly.
fn size() -> usize {
    if crate::soak() { 100_000 } else { 20_000 }
}

/// A kernel with this body, for a row of points.
fn kernel(text: &mut String, number: usize, body: &str) {
    let _ = write!(
        text,
        "define ptx_kernel void @k{number}(ptr noalias %out, ptr noalias readonly %in, i32 %n) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %from = getelementptr float, ptr %in, i64 %i
  %to = getelementptr float, ptr %out, i64 %i
{body}
  ret void
}}
"
    );
}

/// A sum of two neighbours in row `row`: nine instructions, one shuffle.
fn sum(text: &mut String, row: usize) {
    let at = 4096 * row;
    let _ = write!(
        text,
        "  %p{row} = getelementptr i8, ptr %from, i64 {at}
  %a{row} = load float, ptr %p{row}, align 4
  %q{row} = getelementptr i8, ptr %p{row}, i64 4
  %b{row} = load float, ptr %q{row}, align 4
  %d{row} = fsub float %a{row}, %b{row}
  %e{row} = fmul float %d{row}, %d{row}
  %s{row} = fadd float %e{row}, %b{row}
  %o{row} = getelementptr i8, ptr %to, i64 {at}
  store float %s{row}, ptr %o{row}, align 4
"
    );
}

const INSTRUCTIONS_OF_A_SUM: usize = 9;

/// Rewrites a module of these kernels; the shuffles of all, which are also in the text.
fn shuffles(kernels: &str) -> usize {
    let text = format!(
        "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
{kernels}"
    );
    let context = Context::create();
    let module = read::read(&context, text.as_bytes(), "large.ll").unwrap();
    let done = stage::rewrite(&module, &Options::default()).unwrap();
    let searches = done.searches();
    let planned = searches.map(|one| one.plan.shuffles.len()).sum();
    let text = module.print_to_string().to_string();
    let calls = text
        .matches("call { i32, i1 } @llvm.nvvm.shfl.sync.")
        .count();
    assert_eq!(planned, calls);
    planned
}

#[test]
fn one_block() {
    let rows = size() / INSTRUCTIONS_OF_A_SUM;
    let (mut body, mut text) = (String::new(), String::new());
    (0..rows).for_each(|row| sum(&mut body, row));
    kernel(&mut text, 0, &body);
    assert_eq!(shuffles(&text), rows);
}

#[test]
fn many_kernels() {
    let kernels = size() / 100;
    let rows = size() / INSTRUCTIONS_OF_A_SUM / kernels;
    let (mut body, mut text) = (String::new(), String::new());
    (0..rows).for_each(|row| sum(&mut body, row));
    (0..kernels).for_each(|number| kernel(&mut text, number, &body));
    assert_eq!(shuffles(&text), kernels * rows);
}

/// A uniform condition in front of each row.
#[test]
fn many_branches() {
    let rows = size() / (INSTRUCTIONS_OF_A_SUM + 3);
    let (mut body, mut text) = (String::new(), String::new());
    for row in 0..rows {
        let _ = writeln!(
            body,
            "  %c{row} = icmp sgt i32 %n, {row}\n  br i1 %c{row}, label %then{row}, label %join{row}\nthen{row}:"
        );
        sum(&mut body, row);
        let _ = writeln!(body, "  br label %join{row}\njoin{row}:");
    }
    kernel(&mut text, 0, &body);
    assert_eq!(shuffles(&text), rows);
}

/// A block with as many predecessors as a `switch` has cases, and phis of them all.
#[test]
fn many_predecessors() {
    const PHIS: usize = 4;
    let cases = size() / 10;
    let mut body = String::from("  switch i32 %n, label %join [\n");
    for case in 0..cases {
        let _ = writeln!(body, "    i32 {case}, label %case{case}");
    }
    body.push_str("  ]\n");
    for case in 0..cases {
        let _ = writeln!(body, "case{case}:");
        for phi in 0..PHIS {
            let _ = writeln!(body, "  %v{phi}.{case} = add i32 %t, {}", case * phi);
        }
        let _ = writeln!(body, "  br label %join");
    }
    body.push_str("join:\n");
    for phi in 0..PHIS {
        let _ = write!(body, "  %v{phi} = phi i32 [ 0, %entry ]");
        for case in 0..cases {
            let _ = write!(body, ", [ %v{phi}.{case}, %case{case} ]");
        }
        body.push('\n');
    }
    sum(&mut body, 0);
    let mut text = String::new();
    kernel(&mut text, 0, &body);
    assert_eq!(shuffles(&text), 1);
}

/// A loop that follows the one before it, with a row in it; it counts from `first`, by `step`, up to `n`.
fn one_loop(body: &mut String, number: usize, first: &str, step: u32) {
    let before = match number {
        0 => "entry".to_owned(),
        _ => format!("end{}", number - 1),
    };
    let _ = writeln!(
        body,
        "  br label %loop{number}\nloop{number}:\n  %x{number} = phi i32 [ {first}, %{before} ], [ %y{number}, %loop{number} ]"
    );
    sum(body, number);
    let _ = writeln!(
        body,
        "  %y{number} = add i32 %x{number}, {step}\n  %z{number} = icmp slt i32 %y{number}, %n\n  br i1 %z{number}, label %loop{number}, label %end{number}\nend{number}:"
    );
}

/// Loops of uniform control, one after the other, each with a row in it.
#[test]
fn many_loops() {
    let loops = size() / (INSTRUCTIONS_OF_A_SUM + 5);
    let (mut body, mut text) = (String::new(), String::new());
    for number in 0..loops {
        one_loop(&mut body, number, "0", 1);
    }
    kernel(&mut text, 0, &body);
    assert_eq!(shuffles(&text), loops);
}

/// Loops that lanes leave one by one, one after the other: each gets a copy, and what all of them count is read at the end.
#[test]
fn many_copies() {
    let loops = size() / (INSTRUCTIONS_OF_A_SUM + 9);
    let (mut body, mut text) = (String::new(), String::new());
    for number in 0..loops {
        one_loop(&mut body, number, "%t", 64);
    }
    for number in 0..loops {
        let at = 4096 * (loops + number);
        let _ = writeln!(
            body,
            "  %r{number} = getelementptr i8, ptr %to, i64 {at}\n  store i32 %y{number}, ptr %r{number}, align 4"
        );
    }
    kernel(&mut text, 0, &body);
    assert_eq!(shuffles(&text), loops);
}
