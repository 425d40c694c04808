//! The examples of the paper's section 3.4, written anew as PTX that follows the source word by word.
//!
//! LLVM 19 was given the same arithmetic as LLVM IR: `llc -O3`, which runs `separate-const-offset-from-gep`, `slsr`,
//! `nary-reassociate`. Counted are integer statements of PTX without those that only add a constant to an address, which are
//! offsets of accesses in machine code in any case (`LDG [R2.64+0x4]`, seen in `ptxas` 13.5 for constants of 24 bits, in 64-bit
//! and in shared addresses).
//!
//! | example | as written | LLVM | here |
//! | --- | ---: | ---: | ---: |
//! | figure 5, submatrix | 54 | 7 | 7 |
//! | `(b + i) * s` for 0, 1, 2, -1 | 7 | 5 | 4 |
//! | `b + i * s` for 1, 2, 3 | 5 | 3 | 3 |
//! | `&b[i * s]` for 0, 3, 6 | 10 | 5 | 5 |
//! | global reassociation | 4 | 3 | 3 |
//!
//! In machine code (sm_80, all of the kernel) the submatrix takes 80 instructions as written and 44 after the pass, as many as if
//! figure 5d is written by hand.

use super::{LOADS, NUMBERS, counted, loaded, mixed, optimized};

/// The addresses of a 3x3 submatrix, `&a[(c + y) + (b + x) * n]` (figures 5 and 6), each computed as it is written.
fn submatrix() -> String {
    let (mut lines, mut pointers, mut next) = (String::new(), Vec::new(), 10);
    for (x, y) in [0, 1, 2]
        .into_iter()
        .flat_map(|x| [0, 1, 2].map(|y| (x, y)))
    {
        let register = |number: usize| format!("%rd{}", next + number);
        let [column, row, product, index, bytes, pointer] = [0, 1, 2, 3, 4, 5].map(register);
        next += 6;
        lines += &format!(
            "	add.s64 {column}, %c, {y};
	add.s64 {row}, %b, {x};
	mul.lo.s64 {product}, {row}, %n;
	add.s64 {index}, {column}, {product};
	shl.b64 {bytes}, {index}, 2;
	add.s64 {pointer}, %a, {bytes};
"
        );
        pointers.push(pointer);
    }
    let pointers: Vec<&str> = pointers.iter().map(String::as_str).collect();
    lines + &loaded(&pointers)
}

/// Figure 5d: every pointer but the first takes one addition, and six of nine are an offset. Nine statements are of the test.
#[test]
fn figure_5_submatrix() {
    assert_eq!(counted(&submatrix(), LOADS), [63, 22]);
}

/// Section 3.4.1: the constant of an index is an offset of the address.
#[test]
fn pointer_arithmetic_reassociation() {
    let body = "	mul.lo.s64 %rd10, %b, %n;
	add.s64 %rd11, %c, %rd10;
	shl.b64 %rd12, %rd11, 2;
	add.s64 %rd13, %a, %rd12;
	add.s64 %rd14, %c, 1;
	add.s64 %rd15, %rd14, %rd10;
	shl.b64 %rd16, %rd15, 2;
	add.s64 %rd17, %a, %rd16;
";
    let text = optimized(&(body.to_owned() + &loaded(&["%rd13", "%rd17"])), LOADS);
    assert!(text.contains("add.s64 %rd17, %rd13, 4;"), "{text}");
    assert!(!text.contains("%rd15, %rd14"), "{text}");
}

/// Table 3, form 1: `(b + i) * s`.
#[test]
fn strength_reduction_of_products() {
    let body = "	mul.lo.s64 %rd10, %b, %n;
	add.s64 %rd11, %b, 1;
	mul.lo.s64 %rd12, %rd11, %n;
	add.s64 %rd13, %b, 2;
	mul.lo.s64 %rd14, %rd13, %n;
	sub.s64 %rd15, %b, 1;
	mul.lo.s64 %rd16, %rd15, %n;
";
    let body = body.to_owned() + &mixed(&["%rd10", "%rd12", "%rd14", "%rd16"]);
    let text = optimized(&body, NUMBERS);
    for line in [
        "add.s64 %ptxaswp_rd0, %rd10, %n;",
        "add.s64 %rd14, %ptxaswp_rd0, %n;",
        "sub.s64 %rd16, %rd10, %n;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(counted(&body, NUMBERS), [11, 8]);
}

/// Table 3, form 2: `b + i * s`.
#[test]
fn strength_reduction_of_sums() {
    let body = "	add.s64 %rd10, %b, %n;
	mul.lo.s64 %rd11, %n, 2;
	add.s64 %rd12, %b, %rd11;
	mul.lo.s64 %rd13, %n, 3;
	add.s64 %rd14, %b, %rd13;
";
    let body = body.to_owned() + &mixed(&["%rd10", "%rd12", "%rd14"]);
    let text = optimized(&body, NUMBERS);
    for line in [
        "add.s64 %ptxaswp_rd0, %rd10, %n;",
        "add.s64 %rd14, %ptxaswp_rd0, %n;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(counted(&body, NUMBERS), [8, 6]);
}

/// Table 3, form 3: `&b[i * s]`. The stride in bytes is computed once.
#[test]
fn strength_reduction_of_pointers() {
    let body = "	shl.b64 %rd10, %b, 2;
	add.s64 %rd11, %a, %rd10;
	mul.lo.s64 %rd12, %n, 3;
	add.s64 %rd13, %b, %rd12;
	shl.b64 %rd14, %rd13, 2;
	add.s64 %rd15, %a, %rd14;
	mul.lo.s64 %rd16, %n, 6;
	add.s64 %rd17, %b, %rd16;
	shl.b64 %rd18, %rd17, 2;
	add.s64 %rd19, %a, %rd18;
";
    let body = body.to_owned() + &loaded(&["%rd11", "%rd15", "%rd19"]);
    assert_eq!(counted(&body, LOADS), [13, 8]);
}

/// Section 3.4.3: `j1 = c + (x0 + n)` is `(c + x0) + n`, of which the first sum is there.
#[test]
fn global_reassociation() {
    let body = "	mul.lo.s64 %rd10, %b, %b;
	add.s64 %rd11, %c, %rd10;
	add.s64 %rd12, %rd10, %n;
	add.s64 %rd13, %c, %rd12;
";
    let body = body.to_owned() + &mixed(&["%rd11", "%rd13"]);
    let text = optimized(&body, NUMBERS);
    assert!(text.contains("add.s64 %rd13, %rd11, %n;"), "{text}");
    assert_eq!(counted(&body, NUMBERS), [6, 5]);
}

/// Figure 7c: where the first address dominates the second, that is one addition from it.
#[test]
fn figure_7_after_speculation() {
    let body = "	mad.lo.s64 %rd10, %b, 4, %a;
	add.s64 %rd11, %b, %c;
	mad.lo.s64 %rd12, %rd11, 4, %a;
	shl.b64 %rd13, %c, 2;
	add.s64 %rd14, %rd13, %rd13;
	and.b64 %rd15, %n, 1;
	setp.ne.s64 %p1, %rd15, 0;
	mov.b32 %word, 0;
	@%p1 ld.global.u32 %word, [%rd10];
	mad.wide.u32 %q, %word, 5, %rd14;
	ld.global.u32 %word, [%rd12];
	mad.wide.u32 %q, %word, 7, %q;
";
    let text = optimized(body, LOADS);
    assert!(!text.contains("mad.lo.s64 %rd12"), "{text}");
}

/// Strides over indices of 32 bits, which are exact below their extension: addresses of shared memory.
#[test]
fn strides_of_32_bits() {
    let body = "	mul.lo.s32 %r10, %i, %s;
	add.s32 %r11, %i, 1;
	mul.lo.s32 %r12, %r11, %s;
	add.s32 %r13, %i, 2;
	mul.lo.s32 %r14, %r13, %s;
	mul.wide.u32 %rd10, %r10, 3;
	mad.wide.u32 %rd11, %r12, 5, %rd10;
	mad.wide.u32 %q, %r14, 7, %rd11;
";
    let text = optimized(body, NUMBERS);
    for line in [
        "add.s32 %ptxaswp_r0, %r10, %s;",
        "add.s32 %r14, %ptxaswp_r0, %s;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}
