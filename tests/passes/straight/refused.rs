//! What must stay.

use super::{LOADS, NUMBERS, kernel, loaded, mixed, optimized, stays};

/// `(i + k) * s` is exact below an extension, not through it.
#[test]
fn sums_that_may_wrap_are_computed_before_their_extension() {
    let body = "	mul.wide.s32 %rd10, %i, 4;
	add.s64 %rd11, %c, %rd10;
	add.s32 %r11, %i, 1;
	mul.wide.s32 %rd12, %r11, 4;
	add.s64 %rd13, %c, %rd12;
	mul.wide.u32 %rd14, %r11, 4;
	add.s64 %rd15, %c, %rd14;
";
    stays(&(body.to_owned() + &mixed(&["%rd11", "%rd13", "%rd15"])));
}

#[test]
fn masks_are_not_linear() {
    let body = "	and.b64 %rd10, %b, 255;
	mul.lo.s64 %rd11, %rd10, %n;
	add.s64 %rd12, %b, 1;
	and.b64 %rd13, %rd12, 255;
	mul.lo.s64 %rd14, %rd13, %n;
	shr.u64 %rd15, %b, 1;
	mul.lo.s64 %rd16, %rd15, %n;
	shr.u64 %rd17, %rd12, 1;
	mul.lo.s64 %rd18, %rd17, %n;
";
    stays(&(body.to_owned() + &mixed(&["%rd11", "%rd14", "%rd16", "%rd18"])));
}

#[test]
fn widths_and_signs_are_different_values() {
    let body = "	cvt.s64.s32 %rd10, %i;
	cvt.u64.u32 %rd11, %i;
	mul.lo.s32 %r10, %i, %s;
	cvt.u64.u32 %rd12, %r10;
	mul.wide.u32 %rd13, %i, %s;
	mul.wide.s32 %rd14, %i, %s;
	setp.lt.s32 %p1, %i, %s;
	setp.lt.u32 %p2, %i, %s;
	selp.b64 %rd15, 3, 5, %p1;
	selp.b64 %rd16, 7, 11, %p2;
";
    let all = [
        "%rd10", "%rd11", "%rd12", "%rd13", "%rd14", "%rd15", "%rd16",
    ];
    stays(&(body.to_owned() + &mixed(&all)));
}

/// A value of the last iteration is another one in this.
#[test]
fn what_a_loop_carries_is_not_what_it_computes() {
    let body = "	mov.u64 %rd10, 0;
	mul.lo.s64 %rd12, %b, %n;
LOOP:
	add.s64 %q, %q, %rd12;
	add.s64 %rd11, %rd10, %b;
	mul.lo.s64 %rd12, %rd11, %n;
	add.s64 %q, %q, %rd12;
	add.s64 %rd10, %rd10, %c;
	and.b64 %rd10, %rd10, 31;
	setp.gt.u64 %p1, %rd10, 3;
	@%p1 bra LOOP;
";
    stays(body);
}

/// Neither side of a branch dominates the other, nor the join.
#[test]
fn branches_that_do_not_dominate() {
    let body = "	setp.gt.s64 %p1, %c, 3;
	mov.u64 %rd9, 1;
	@%p1 bra OTHER;
	mul.lo.s64 %rd10, %b, %n;
	add.s64 %rd9, %rd10, 3;
	bra DONE;
OTHER:
	mul.lo.s64 %rd11, %b, %n;
	add.s64 %rd9, %rd11, 5;
DONE:
	mul.lo.s64 %rd12, %b, %n;
";
    stays(&(body.to_owned() + &mixed(&["%rd9", "%rd12"])));
}

/// What is in front of a branch serves both sides of it.
#[test]
fn branches_that_are_dominated() {
    let body = "	mul.lo.s64 %rd10, %b, %n;
	setp.gt.s64 %p1, %c, 3;
	mov.u64 %rd9, 1;
	@%p1 bra DONE;
	mul.lo.s64 %rd11, %n, %b;
	xor.b64 %rd9, %rd11, 5;
DONE:
";
    let text = optimized(&(body.to_owned() + &mixed(&["%rd9", "%rd10"])), NUMBERS);
    assert!(text.contains("mov.b64 %rd11, %rd10;"), "{text}");
}

/// A predicated statement is its result or the old value.
#[test]
fn statements_with_guards() {
    let body = "	mul.lo.s64 %rd10, %b, %n;
	setp.gt.s64 %p1, %c, 3;
	mov.u64 %rd11, 7;
	@%p1 mul.lo.s64 %rd11, %b, %n;
	mul.lo.s64 %rd12, %c, %n;
	@%p1 mov.u64 %rd12, 9;
	mul.lo.s64 %rd13, %c, %c;
	@!%p1 mul.lo.s64 %rd13, %b, %n;
";
    stays(&(body.to_owned() + &mixed(&["%rd10", "%rd11", "%rd12", "%rd13"])));
}

/// A register that was never written holds anything, in each statement something else.
#[test]
fn what_was_never_written() {
    let body = "	mul.lo.s64 %rd10, %rd60, %n;
	mul.lo.s64 %rd11, %n, %rd60;
";
    stays(&(body.to_owned() + &mixed(&["%rd10", "%rd11"])));
}

/// 128 bits by halves, twice: the sums are the same, but so are the carries that go with them.
#[test]
fn carry_chains() {
    let chain = |low: &str, high: &str| {
        format!(
            "	add.cc.u64 {low}, %b, %n;
	addc.u64 {high}, %c, 0;
"
        )
    };
    let body = chain("%rd10", "%rd11") + &chain("%rd12", "%rd13");
    stays(&(body + &mixed(&["%rd10", "%rd11", "%rd12", "%rd13"])));
}

/// A second load may read what another thread has written; the clock goes on.
#[test]
fn loads_and_what_changes() {
    let body = loaded(&["%a", "%a"])
        + "	mov.u32 %r10, %clock;
	mov.u32 %r11, %clock;
	sub.s32 %r12, %r11, %r10;
	shr.u32 %r13, %r12, 31;
	mad.wide.u32 %q, %r13, 3, %q;
";
    stays(&body);
}

/// A product without rounding may be part of an `fma`, each in its own way; so may approximations differ.
#[test]
fn floats_that_the_assembler_may_contract() {
    let body = "	cvt.rn.f32.u32 %f1, %i;
	mul.f32 %f3, %f1, %f1;
	mul.f32 %f4, %f1, %f1;
	rcp.approx.f32 %f5, %f1;
	rcp.approx.f32 %f6, %f1;
	mov.b32 %r10, %f3;
	mov.b32 %r11, %f4;
	mov.b32 %r12, %f5;
	mov.b32 %r13, %f6;
	mad.wide.u32 %q, %r10, 3, %q;
	mad.wide.u32 %q, %r11, 5, %q;
	mad.wide.u32 %q, %r12, 7, %q;
	mad.wide.u32 %q, %r13, 9, %q;
";
    stays(body);
}

/// The assembler folds a constant by itself, and a sum takes no fewer instructions than another one.
#[test]
fn what_costs_no_more_than_an_addition() {
    let body = "	add.s64 %rd10, %b, %n;
	add.s64 %rd11, %rd10, 8;
	add.s64 %rd12, %rd11, 8;
	mul.lo.s32 %r10, %i, %s;
	mad.lo.s32 %r11, %i, %s, %s;
	cvt.u64.u32 %rd13, %r10;
	cvt.u64.u32 %rd14, %r11;
";
    stays(&(body.to_owned() + &mixed(&["%rd10", "%rd11", "%rd12", "%rd13", "%rd14"])));
}

/// Offsets of accesses have 24 bits: from there on the first value of a shape serves the others.
#[test]
fn offsets_that_do_not_fit() {
    let address = |number: u32, constant: u64| {
        format!(
            "	add.s64 %rd{}, %n, {constant};
	mul.lo.s64 %rd{number}, %rd{}, 4;
	add.s64 %rd{}, %c, %rd{number};
",
            number + 1,
            number + 1,
            number + 2
        )
    };
    let body =
        address(10, 0) + &address(20, 2097151) + &address(30, 2097152) + &address(40, 2097153);
    let text = optimized(
        &(body + "	ld.global.u32 %word, [%a];\n" + &mixed(&["%rd12", "%rd22", "%rd32", "%rd42"])),
        LOADS,
    );
    for line in [
        "add.s64 %ptxaswp_rd0, %rd12, 8388604;",
        "add.s64 %ptxaswp_rd1, %ptxaswp_rd0, 4;",
        "add.s64 %rd42, %ptxaswp_rd1, 4;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// A value of outside does not serve a loop that has no use of it, and one of a loop does not serve after it.
#[test]
fn live_ranges_end_at_loops() {
    let outside = "	mul.lo.s64 %rd10, %b, %n;
	add.s64 %q, %q, %rd10;
	mov.u64 %rd11, 0;
LOOP:
	mul.lo.s64 %rd12, %n, %b;
	xor.b64 %q, %q, %rd12;
	mul.lo.s64 %rd13, %c, %n;
	add.s64 %q, %q, %rd13;
	add.s64 %rd11, %rd11, 1;
	setp.lt.u64 %p1, %rd11, 3;
	@%p1 bra LOOP;
	mul.lo.s64 %rd14, %n, %c;
	xor.b64 %q, %q, %rd14;
";
    stays(outside);
    let read = outside.replace(
        "	mul.lo.s64 %rd13",
        "	xor.b64 %q, %q, %rd10;\n	mul.lo.s64 %rd13",
    );
    let text = optimized(&read, NUMBERS);
    assert!(text.contains("mov.b64 %rd12, %rd10;"), "{text}");
    assert!(text.contains("mul.lo.s64 %rd14, %n, %c;"), "{text}");
}

/// What a device function leaves in registers may be read by its callers.
#[test]
fn nothing_is_taken_out_of_device_functions() {
    let text = kernel("	call (%q), twice, (%b);\n");
    let function = ".func (.reg .b64 %r) twice (.reg .b64 %x)
{
	.reg .b64 %u, %v;
	mul.lo.s64 %u, %x, %x;
	mul.lo.s64 %v, %x, %x;
	xor.b64 %r, %u, %v;
	ret;
}
";
    let at = text.find(".visible").expect("the kernel");
    let text = format!("{}{function}{}", &text[..at], &text[at..]);
    let (new, refused) = super::rewritten(&text);
    assert!(!refused, "{new}");
    assert!(new.contains("mul.lo.s64 %u, %x, %x;"), "{new}");
}
