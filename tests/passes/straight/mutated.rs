//! The pass is broken in every way that [`SCALAR`] lists, and the patch is refused, or the executor sees it. Unbroken, it must find
//! the very same kernels equal.

use super::{NUMBERS, compared, kernel, mixed, rewritten};
use ptxasw::support::mutation::{Mutation, SCALAR, with};
use ptxasw::verify::Verdict;

/// The body that shows a mutation.
fn body(mutation: Mutation) -> String {
    match mutation {
        Mutation::ScalarOutOfScope => "	setp.gt.s64 %p1, %c, 3;
	@%p1 bra DONE;
	mul.lo.s64 %rd10, %b, %n;
	xor.b64 %q, %q, %rd10;
DONE:
	mul.lo.s64 %rd11, %n, %b;
	add.s64 %q, %q, %rd11;
"
        .to_owned(),
        Mutation::ScalarConstantDropped => {
            "	mul.lo.s64 %rd10, %b, %n;
	mul.lo.s64 %rd11, %n, %b;
	add.s64 %rd12, %b, 3;
	mul.lo.s64 %rd13, %rd12, 5;
	add.s64 %rd14, %b, 4;
	mul.lo.s64 %rd15, %rd14, 5;
"
            .to_owned()
                + &mixed(&["%rd10", "%rd11", "%rd13", "%rd15"])
        }
        _ => {
            "	mul.lo.s64 %rd10, %b, %n;
	add.s64 %rd11, %b, 1;
	mul.lo.s64 %rd12, %rd11, %n;
"
            .to_owned()
                + &mixed(&["%rd10", "%rd12"])
        }
    }
}

#[test]
fn every_mutation_is_seen() {
    for &mutation in SCALAR {
        let text = kernel(&body(mutation));
        let (good, refused) = rewritten(&text);
        assert!(!refused, "{mutation:?}");
        let verdict = compared(&text, good.as_bytes(), NUMBERS);
        assert!(
            matches!(verdict, Verdict::Equal),
            "{mutation:?}: {verdict:?}"
        );
        let (broken, refused) = with(mutation, || rewritten(&text));
        assert!(refused || broken != good, "{mutation:?}: nothing is broken");
        let seen = refused
            || matches!(
                compared(&text, broken.as_bytes(), NUMBERS),
                Verdict::Different(_) | Verdict::UndefinedBehaviour(_)
            );
        assert!(seen, "{mutation:?}\n{broken}");
    }
}
