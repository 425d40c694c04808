//! Kernels before and behind the pass.

use super::{count, floats, integers, saturated};

#[test]
fn a_common_factor_is_multiplied_once() {
    let text = saturated(&integers(
        "	mul.lo.s32 %t1, %a, %b;
	mul.lo.s32 %t2, %a, %c;
	add.s32 %q, %t1, %t2;",
    ));
    assert_eq!(count(&text, "mul.lo") + count(&text, "mad.lo"), 1, "{text}");
}

#[test]
fn a_product_and_a_sum_are_one_operation() {
    let text = saturated(&integers("	mul.lo.s32 %t1, %a, %b;\n	add.s32 %q, %c, %t1;"));
    assert_eq!(count(&text, "mad.lo"), 1, "{text}");
    assert_eq!(count(&text, "mul.lo"), 0, "{text}");
}

#[test]
fn the_same_value_in_another_order_is_computed_once() {
    let text = saturated(&integers(
        "	add.s32 %t1, %a, %b;
	add.s32 %t2, %t1, %c;
	add.s32 %t3, %c, %b;
	add.s32 %t4, %t3, %a;
	xor.b32 %q, %t2, %t4;",
    ));
    // Its exclusive or with itself is 0.
    assert_eq!(count(&text, "add.s32"), 0, "{text}");
}

#[test]
fn float_sums_keep_their_order() {
    let body = "	add.rn.f32 %t1, %a, %b;
	add.rn.f32 %t2, %t1, %c;
	add.rn.f32 %t3, %c, %b;
	add.rn.f32 %t4, %t3, %a;
	mul.rn.f32 %q, %t2, %t4;";
    assert!(saturated(&floats(body)).contains(body));
}

#[test]
fn a_rounded_product_is_no_part_of_an_fma() {
    let body = "	mul.rn.f32 %t1, %a, %b;\n	add.rn.f32 %q, %t1, %c;";
    assert!(saturated(&floats(body)).contains(body));
}
