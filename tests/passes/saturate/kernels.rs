//! Kernels before and after the pass.

use super::{count, floats, integers, rewritten, same, saturated};
use ptxasw::ir::fast_math::FastMath;
use ptxasw::passes::saturate::{Cost, Extraction, SaturationOptions};

#[test]
fn a_common_factor_is_multiplied_once() {
    let text = saturated(&integers(
        "	mul.lo.s32 %t1, %a, %b;
	mul.lo.s32 %t2, %a, %c;
	add.s32 %q, %t1, %t2;",
    ));
    assert_eq!(count(&text, "mul.lo"), 1, "{text}");
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

/// Without a rounding modifier ptxas may contract, so the pass may.
#[test]
fn unmarked_products_and_sums_are_contracted() {
    for (body, sign) in [
        ("	mul.f32 %t1, %a, %b;\n	add.f32 %q, %c, %t1;", 0),
        ("	mul.f32 %t1, %a, %b;\n	sub.f32 %q, %c, %t1;", 1),
        ("	mul.f32 %t1, %a, %b;\n	sub.f32 %q, %t1, %c;", 1),
    ] {
        let text = floats(body);
        let new = rewritten(&text, SaturationOptions::default());
        assert_eq!(count(&new, "fma.rn.f32"), 1, "{new}");
        assert_eq!(count(&new, "mul.f32"), 0, "{new}");
        assert_eq!(count(&new, "neg.f32"), sign, "{new}");
        let exact = SaturationOptions {
            exact: true,
            ..SaturationOptions::default()
        };
        assert!(rewritten(&text, exact).contains(body));
    }
}

/// `.sat` clamps in between; another `.ftz` flushes in between.
#[test]
fn modifiers_keep_products_and_sums_apart() {
    for body in [
        "	mul.sat.f32 %t1, %a, %b;\n	add.f32 %q, %c, %t1;",
        "	mul.f32 %t1, %a, %b;\n	add.sat.f32 %q, %c, %t1;",
        "	mul.ftz.f32 %t1, %a, %b;\n	add.f32 %q, %c, %t1;",
        "	mul.rz.f32 %t1, %a, %b;\n	add.rz.f32 %q, %c, %t1;",
        "	mul.rn.f32 %t1, %a, %b;\n	add.f32 %q, %c, %t1;",
    ] {
        assert!(saturated(&floats(body)).contains(body), "{body}");
    }
}

/// By the user's word only: `a + b + c` and `c + b + a` are one sum then.
#[test]
fn sums_change_their_order_by_permission() {
    let body = "	add.rn.f32 %t1, %a, %b;
	add.rn.f32 %t2, %t1, %c;
	add.rn.f32 %t3, %c, %b;
	add.rn.f32 %t4, %t3, %a;
	mul.rn.f32 %q, %t2, %t4;";
    let options = SaturationOptions {
        assumed: FastMath::REASSOC.or(FastMath::NSZ),
        ..SaturationOptions::default()
    };
    let new = rewritten(&floats(body), options);
    assert_eq!(count(&new, "add.rn.f32"), 2, "{new}");
}

#[test]
fn values_of_other_paths_are_not_read() {
    let body = "	setp.lt.s32 %p1, %a, %b;
	@%p1 bra SECOND;
	mul.lo.s32 %t1, %a, %c;
	xor.b32 %q, %t1, %b;
	bra DONE;
SECOND:
	mul.lo.s32 %t2, %a, %c;
	xor.b32 %q, %t2, %d;
DONE:";
    let text = saturated(&integers(body));
    assert_eq!(count(&text, "mul.lo.s32"), 2, "{text}");
}

#[test]
fn what_an_earlier_block_has_computed_is_read() {
    let body = "	mul.lo.s32 %t1, %a, %c;
	setp.lt.s32 %p1, %a, %b;
	mov.b32 %q, %t1;
	@%p1 bra DONE;
	mul.lo.s32 %t2, %c, %a;
	add.s32 %q, %t2, %d;
DONE:";
    let text = saturated(&integers(body));
    assert_eq!(count(&text, "mul.lo.s32"), 1, "{text}");
}

/// In a loop the sum changes from iteration to iteration; what does not depend on it is computed once.
#[test]
fn iterations_have_their_own_values() {
    let body = "	mov.b32 %q, 0;
	mov.b32 %t1, 0;
LOOP:
	mul.lo.s32 %t2, %a, %t1;
	mul.lo.s32 %t3, %b, %t1;
	add.s32 %t4, %t2, %t3;
	add.s32 %q, %q, %t4;
	add.s32 %t1, %t1, 1;
	setp.lt.s32 %p1, %t1, 5;
	@%p1 bra LOOP;
	mul.lo.s32 %t5, %a, %t1;
	xor.b32 %q, %q, %t5;";
    let text = saturated(&integers(body));
    let (before, after) = text.split_once("setp").expect("the loop");
    let (_, inside) = before.split_once("LOOP:").expect("the loop");
    assert_eq!(count(inside, "mul.lo"), 1, "{text}");
    assert_eq!(count(after, "mul.lo"), 1, "{text}");
}

/// A predicated statement keeps the old value where its guard fails.
#[test]
fn guards_hold() {
    let body = "	setp.lt.s32 %p1, %a, %b;
	mul.lo.s32 %q, %a, %c;
	@%p1 mul.lo.s32 %q, %a, %d;
	mul.lo.s32 %t1, %a, %d;
	add.s32 %q, %q, %t1;";
    saturated(&integers(body));
}

/// The condition code is one register: nothing is put between a carry and its reader.
#[test]
fn carries_stay() {
    let body = "	add.cc.u32 %t1, %a, %b;
	addc.u32 %t2, %c, %d;
	add.cc.u32 %t3, %a, %b;
	addc.u32 %t4, %c, %d;
	xor.b32 %t5, %t2, %t4;
	add.s32 %q, %t5, %t3;";
    assert!(
        saturated(&integers(body)).contains("	add.cc.u32 %t3, %a, %b;\n	addc.u32 %t4, %c, %d;")
    );
}

/// For the paper all operations cost the same, so one product by 33 is better than a shift and a sum. A product of 64 bits takes four
/// machine instructions, as those two do.
#[test]
fn costs_decide() {
    let body = "	cvt.u64.u32 %rd6, %a;
	shl.b64 %rd7, %rd6, 5;
	add.s64 %rd8, %rd7, %rd6;
	shr.u64 %rd9, %rd8, 9;
	cvt.u32.u64 %q, %rd9;";
    let products = |cost| {
        let options = SaturationOptions {
            cost,
            ..SaturationOptions::default()
        };
        let text = rewritten(&integers(body), options);
        same(&integers(body), &text);
        count(&text, "mul.") - 1
    };
    assert_eq!((products(Cost::Paper), products(Cost::Target)), (1, 0));
}

/// Products that are stored anyway are no reason to factor their sum.
#[test]
fn shared_products_stay() {
    let body = "	mul.lo.s32 %t1, %a, %b;
	mul.lo.s32 %t2, %a, %c;
	add.s32 %t3, %t1, %t2;
	st.global.u32 [%rd4], %t1;
	st.global.u32 [%rd4+128], %t2;
	xor.b32 %q, %t3, %d;";
    for extraction in [Extraction::Greedy, Extraction::Exact] {
        let options = SaturationOptions {
            extraction,
            ..SaturationOptions::default()
        };
        let text = rewritten(&integers(body), options);
        assert_eq!(count(&text, "mul.lo.s32"), 2, "{text}");
        assert_eq!(count(&text, "add.s32"), 1, "{text}");
    }
}

/// Each value alone is cheapest as a shift; together a product serves both.
#[test]
fn an_integer_program_sees_all_values_at_once() {
    let body = "	add.s32 %t1, %a, %b;
	add.s32 %t2, %t1, %c;
	add.s32 %t3, %b, %c;
	add.s32 %t4, %t3, %d;
	add.s32 %t5, %c, %d;
	add.s32 %t6, %t5, %a;
	st.global.u32 [%rd4], %t2;
	st.global.u32 [%rd4+128], %t4;
	mov.b32 %q, %t6;";
    let adds = |extraction| {
        let options = SaturationOptions {
            extraction,
            ..SaturationOptions::default()
        };
        let text = rewritten(&integers(body), options);
        same(&integers(body), &text);
        count(&text, "add.s32")
    };
    let (greedy, exact) = (adds(Extraction::Greedy), adds(Extraction::Exact));
    assert!(exact <= greedy, "{exact} {greedy}");
    assert_eq!(exact, 5);
}
