//! Value numbering and folding.

use super::{LOADS, NUMBERS, arithmetic, kernel, loaded, mixed, optimized};

#[test]
fn a_value_in_another_form_is_the_earlier_one() {
    let body = "	add.s64 %rd10, %b, %c;
	mul.lo.s64 %rd11, %rd10, %n;
	mul.lo.s64 %rd12, %b, %n;
	mul.lo.s64 %rd13, %n, %c;
	add.s64 %rd14, %rd12, %rd13;
	mul.lo.s64 %rd15, %rd14, 5;
	shl.b64 %rd16, %rd14, 2;
	add.s64 %rd17, %rd16, %rd11;
";
    let body = body.to_owned() + &mixed(&["%rd11", "%rd15", "%rd17"]);
    let text = optimized(&body, NUMBERS);
    assert!(text.contains("mov.b64 %rd17, %rd15;"), "{text}");
    // Of `b * n + n * c` nothing is left.
    assert!(!text.contains("%rd14, %rd12"), "{text}");
}

#[test]
fn predicates_are_values() {
    let body = "	setp.lt.s64 %p1, %b, %c;
	setp.gt.s64 %p2, %c, %b;
	setp.ge.s64 %p3, %b, %c;
	selp.b64 %rd10, 3, 5, %p1;
	selp.b64 %rd11, 7, 11, %p2;
	selp.b64 %rd12, 13, 17, %p3;
";
    let body = body.to_owned() + &mixed(&["%rd10", "%rd11", "%rd12"]);
    let text = optimized(&body, NUMBERS);
    assert!(text.contains("mov.pred %p2, %p1;"), "{text}");
}

#[test]
fn what_is_always_the_same_is_a_constant() {
    let body = "	and.b32 %r10, %i, 7;
	sub.s64 %rd10, %b, %c;
	sub.s64 %rd11, %c, %b;
	add.s64 %rd12, %rd10, %rd11;
	setp.lt.u32 %p1, %r10, 8;
	selp.b64 %rd13, 3, 5, %p1;
	add.s64 %rd14, %rd12, 9;
	and.b64 %q, %q, %rd13;
	xor.b64 %q, %q, %rd14;
";
    let text = optimized(body, NUMBERS);
    for line in ["mov.b64 %rd13, 3;", "mov.b64 %rd14, 9;"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    for word in ["setp.", "sub."] {
        assert!(!text.contains(word), "{word}\n{text}");
    }
}

/// Floating-point operations with all modifiers alike.
#[test]
fn floats_are_numbered_by_operation() {
    let body = "	cvt.rn.f32.u32 %f1, %i;
	cvt.rn.f32.u32 %f2, %s;
	add.rn.f32 %f3, %f1, %f2;
	add.rn.f32 %f4, %f1, %f2;
	add.rz.f32 %f5, %f1, %f2;
	mov.b32 %r10, %f3;
	mov.b32 %r11, %f4;
	mov.b32 %r12, %f5;
	cvt.u64.u32 %rd10, %r10;
	cvt.u64.u32 %rd11, %r11;
	cvt.u64.u32 %rd12, %r12;
";
    let body = body.to_owned() + &mixed(&["%rd10", "%rd11", "%rd12"]);
    let text = optimized(&body, NUMBERS);
    assert!(!text.contains("add.rn.f32 %f4"), "{text}");
    assert!(text.contains("add.rz.f32 %f5, %f1, %f2;"), "{text}");
}

/// A pointer that a loop moves on is what the index of the same loop makes.
#[test]
fn an_induction_variable_serves_its_loop() {
    let body = "	mov.u64 %rd10, 0;
	mov.u64 %rd11, %a;
LOOP:
	shl.b64 %rd12, %rd10, 2;
	add.s64 %rd13, %a, %rd12;
	ld.global.u32 %word, [%rd11];
	mad.wide.u32 %q, %word, 3, %q;
	ld.global.u32 %word, [%rd13];
	mad.wide.u32 %q, %word, 5, %q;
	add.s64 %rd11, %rd11, 4;
	add.s64 %rd10, %rd10, 1;
	setp.le.u64 %p1, %rd10, %b;
	@%p1 bra LOOP;
";
    let text = optimized(body, LOADS);
    assert!(!text.contains("add.s64 %rd13, %a"), "{text}");
    assert!(!text.contains("shl.b64"), "{text}");
}

/// What is known to stay below 2^31 is the same after its extension: the launch bounds and the mask show it.
#[test]
fn extensions_of_what_does_not_wrap_are_opened() {
    let body = "	and.b32 %r10, %i, 1023;
	mul.wide.s32 %rd10, %r10, 4;
	add.s64 %rd11, %a, %rd10;
	add.s32 %r11, %r10, 5;
	mul.wide.s32 %rd12, %r11, 4;
	add.s64 %rd13, %a, %rd12;
";
    let body = body.to_owned() + &loaded(&["%rd11", "%rd13"]);
    let text = optimized(&body, LOADS);
    assert!(text.contains("add.s64 %rd13, %rd11, 20;"), "{text}");
    assert_eq!(arithmetic(&kernel(&body)) - arithmetic(&text), 2, "{text}");
}
