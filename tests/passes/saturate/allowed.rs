//! What a kernel becomes by permissions of its author, and what no permission reaches.

use super::{count, floats, rewritten, saturated};
use ptxasw::ir::fast_math::FastMath;
use ptxasw::passes::saturate::{Cost, Extraction, SaturationOptions};

const PAIR: &str = "	max.f32 %q, %t8, %t9;";

fn optimized(body: &str, assumed: FastMath) -> String {
    let options = SaturationOptions {
        assumed,
        // What two values share is seen.
        extraction: Extraction::Exact,
        ..SaturationOptions::default()
    };
    rewritten(&floats(body), options)
}

/// A kernel changes by a set of permissions if and only if these are in it.
fn changes_by(body: &str, needs: FastMath) {
    for bits in 0..64 {
        let set = FastMath::of_bits(bits);
        // What is fused or inverted changes by that.
        let others = [FastMath::CONTRACT, FastMath::ARCP];
        if others.iter().any(|&one| set.has(one) && !needs.has(one)) {
            continue;
        }
        let new = optimized(body, set);
        assert_eq!(!new.contains(body), set.has(needs), "{set}: {new}");
    }
}

#[test]
fn kernels_change_by_what_is_allowed_alone() {
    use FastMath as F;
    let order = F::REASSOC.or(F::NSZ);
    changes_by(
        "	mul.rn.f32 %t1, %a, %b;\n	add.rn.f32 %q, %c, %t1;",
        F::CONTRACT,
    );
    changes_by(
        "	mul.rn.f32 %t1, %a, %b;\n	mul.rn.f32 %t2, %a, %c;\n	add.rn.f32 %q, %t1, %t2;",
        order,
    );
    let products = "	mul.rn.f32 %t1, %a, %b;\n	mul.rn.f32 %t8, %t1, %c;\n	mul.rn.f32 %t2, %c, %b;
	mul.rn.f32 %t9, %t2, %a;\n";
    changes_by(&(products.to_owned() + PAIR), F::REASSOC);
    let sums = products.replace("mul", "add");
    changes_by(&(sums + PAIR), order);
    let ones = "	mul.rn.f32 %t1, %b, %c;\n	add.rn.f32 %t8, %b, %t1;\n	mul.rn.f32 %t2, %d, %c;
	add.rn.f32 %t9, %d, %t2;\n";
    changes_by(&(ones.to_owned() + PAIR), order);
    changes_by(
        "	add.rn.f32 %t1, %a, 0f00000000;\n	max.f32 %q, %t1, %b;",
        F::NSZ,
    );
    changes_by("	sub.rn.f32 %t1, %a, %a;\n	max.f32 %q, %t1, %b;", F::NNAN);
    changes_by(
        "	mul.rn.f32 %t1, %a, 0f00000000;\n	max.f32 %q, %t1, %b;",
        F::NNAN.or(F::NSZ),
    );
    let quotients = "	div.rn.f32 %t8, %a, %c;\n	div.rn.f32 %t9, %b, %c;\n";
    changes_by(&(quotients.to_owned() + PAIR), F::ARCP);
    changes_by("	div.rn.f32 %q, %a, 0f40400000;", F::ARCP);
    changes_by("	div.rn.f32 %t1, %a, %a;\n	max.f32 %q, %t1, %b;", F::NNAN);
    changes_by(
        "	abs.f32 %t1, %a;\n	div.rn.f32 %q, %a, %t1;",
        F::NNAN.or(F::NINF),
    );
}

/// Of `b + b * c` and of `a * b + a * c`, which are 0.0 where `b * (1 + c)` and `a * (b + c)` are -0.0.
#[test]
fn another_order_keeps_the_sign_of_zero() {
    for body in [
        "	mul.rn.f32 %t1, %b, %c;\n	add.rn.f32 %q, %b, %t1;",
        "	mul.rn.f32 %t1, %b, 0f3F800000;\n	mul.rn.f32 %t2, %b, %c;\n	add.rn.f32 %q, %t1, %t2;",
        "	mul.rn.f32 %t1, %a, %b;\n	mul.rn.f32 %t2, %a, %c;\n	add.rn.f32 %q, %t1, %t2;",
    ] {
        assert!(optimized(body, FastMath::REASSOC).contains(body), "{body}");
    }
}

/// A divisor is inverted once; quotients that are approximations stay.
#[test]
fn divisors_are_inverted_once() {
    let two = "	div.rn.f32 %t8, %a, %c;\n	div.rn.f32 %t9, %b, %c;\n".to_owned() + PAIR;
    let new = optimized(&two, FastMath::ARCP);
    let counts = ["div.", "rcp.rn.f32", "mul.rn.f32"].map(|word| count(&new, word));
    assert_eq!(counts, [0, 1, 2], "{new}");
    // The reciprocal of the largest number has no full fraction.
    let large = "	div.rn.f32 %q, %a, 0f7F7FFFFF;";
    assert!(optimized(large, FastMath::ARCP).contains(large));
    let approximate = two.replace(".rn", ".approx");
    assert!(optimized(&approximate, FastMath::ARCP).contains(&approximate));
}

/// With `.ftz` a sum with zero makes a zero of a subnormal number.
#[test]
fn flushing_stays() {
    let body = "	add.rn.ftz.f32 %t1, %a, 0f00000000;\n	max.f32 %q, %t1, %b;";
    assert!(optimized(body, FastMath::NSZ).contains(body));
}

/// An `fma` of the text rounds once, whatever its neighbours permit: it is not computed as they are.
#[test]
fn an_fma_is_not_taken_apart() {
    let body = "	mul.f32 %t1, %a, %b;
	st.global.f32 [%rd4], %t1;
	add.f32 %t2, %t1, %c;
	st.global.f32 [%rd4+128], %t2;
	fma.rn.f32 %q, %a, %b, %c;";
    for cost in [Cost::Paper, Cost::Target] {
        for extraction in [Extraction::Greedy, Extraction::Exact] {
            let options = SaturationOptions {
                cost,
                extraction,
                assumed: FastMath::of_bits(u8::MAX),
                ..SaturationOptions::default()
            };
            let new = rewritten(&floats(body), options);
            // The sum may be computed as the `fma` is.
            let rounded_once = count(&new, "add.f32") == 0 && count(&new, "fma.rn.f32") == 1;
            let stays = new.contains("fma.rn.f32 %q, %a, %b, %c");
            assert!(stays || rounded_once, "{new}");
        }
    }
}

/// What differs in permissions is computed twice.
#[test]
fn a_rounded_sum_is_not_one_that_may_be_fused() {
    let body = "	add.f32 %t1, %a, %b;
	mul.f32 %t2, %t1, %c;
	add.rn.f32 %t3, %a, %b;
	mul.rn.f32 %t4, %t3, %c;
	max.f32 %q, %t2, %t4;";
    assert!(saturated(&floats(body)).contains(body));
}

/// `.sat` clamps what a negation makes positive.
#[test]
fn clamped_products_keep_the_signs_of_their_factors() {
    saturated(&floats(
        "	fma.rn.sat.f32 %t1, %a, %b, %c;
	neg.f32 %t2, %a;
	mul.rn.sat.f32 %t3, %t2, %b;
	mul.rn.sat.f32 %t4, %a, %b;
	st.global.f32 [%rd4], %t4;
	add.rn.f32 %q, %t3, %t1;",
    ));
}
