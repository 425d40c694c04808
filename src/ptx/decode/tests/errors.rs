//! What is wrong with a body, and where.

use crate::decode::{body, headers};
use crate::parse;

/// The error of a kernel with that body: its message, the text that it points at, and the second place's.
fn error(body_text: &str) -> (String, String, Option<String>) {
    let text = format!(
        ".version 8.5\n.target sm_90\n.address_size 64\n.global .u32 g;\n\
         .entry k(.param .u64 p)\n{{\n.reg .b32 %r<5>; .reg .b64 %a; .reg .pred %p; .reg .f32 %f;\n\
         .reg .v2 .b32 %v;\n{body_text}\n}}\n"
    );
    let tree = parse(text.as_bytes()).expect("parses");
    let error = body(&tree, &headers(&tree), 0).expect_err(body_text);
    let at = tree.str(error.span).to_string();
    let second = error.second.map(|(span, label)| {
        assert!(span.start < error.span.start);
        format!("{label}: {}", tree.str(span))
    });
    (error.message, at, second)
}

#[test]
fn messages_and_places() {
    for (text, message, at) in [
        ("add.s32 %r1, %x, 1;", "undeclared register `%x`", "%x"),
        ("add.s32 %r1, %r5, 1;", "undeclared register `%r5`", "%r5"),
        (
            "add.s32 %r1, %r01, 1;",
            "undeclared register `%r01`",
            "%r01",
        ),
        ("mov.u32 %r1, x;", "undeclared name `x`", "x"),
        ("add.s32 g, %r1, 1;", "`g` is not a register", "g"),
        (
            "add.s32 %tid.x, %r1, 1;",
            "`%tid.x` is not a register",
            "%tid.x",
        ),
        (
            "{ .param .b64 %P<2>; st.param.b64 [%P2], 0; }",
            "undeclared register `%P2`",
            "%P2",
        ),
        (
            "{ .param .b64 %P<70000>; }",
            "more than 65536 variables in one declaration",
            "%P",
        ),
        ("add.s32 5, %r1, 1;", "`5` cannot be written to", "5"),
        (
            "st.global.v4.b32 [%a], {%r1,%r1,_,%r1};",
            "`_` cannot be read here",
            "_",
        ),
        (
            "st.global.v4.b64 [%a], {_,_,_,_};",
            "`{_,_,_,_}` stores nothing",
            "{_,_,_,_}",
        ),
        ("@%r1 ret;", "`%r1` is not a predicate", "%r1"),
        (
            "bra Nowhere;",
            "`Nowhere` is not a label of this scope or of an enclosing one",
            "Nowhere",
        ),
        (
            "{ Inner: } bra Inner;",
            "`Inner` is not a label of this scope or of an enclosing one",
            "Inner",
        ),
        (
            "{ .reg .b32 %i; } mov.u32 %i, 0;",
            "undeclared register `%i`",
            "%i",
        ),
        (
            "add.s32 %r1, %r2;",
            "`add.s32` takes 3 operands, not 2",
            "add.s32",
        ),
        (
            "ld.global.u32 %r1, [%a], %r2;",
            "`ld.global.u32` takes 2 operands, not 3",
            "ld.global.u32",
        ),
        (
            "ld.global.v2.u32 {%r1, %r2, %r3}, [%a];",
            "2 elements are accessed, 3 named",
            "{%r1, %r2, %r3}",
        ),
        (
            "ld.global.u32 %r1, [%tid.x];",
            "`%tid.x` is not an address",
            "%tid.x",
        ),
        (
            "add.f32 %f, %f, 1;",
            "`1` is an integer where a float is needed",
            "1",
        ),
        (
            "add.s32 %r1, %v, 1;",
            "`%v` is a vector where a scalar is needed",
            "%v",
        ),
        (
            "mov.b64 %a, {%r1, %r2, %r3};",
            "`{%r1, %r2, %r3}` does not divide the type of `mov`",
            "{%r1, %r2, %r3}",
        ),
        (
            "L: brx.idx %r1, L;",
            "`L` is not a list of `.branchtargets`",
            "L",
        ),
        (
            "T: .branchtargets A; A: bra T;",
            "`T` names a list of targets, not a label",
            "T",
        ),
        (
            "T: .branchtargets T; brx.idx %r1, T;",
            "`T` names a list of targets, not a label",
            "T",
        ),
        (
            "C: .callprototype _ (); @%p bra C;",
            "`C` names a list of targets, not a label",
            "C",
        ),
        ("call g;", "`g` is not a function", "g"),
        (
            "setp.eq.and.s32 %p, %r1, 0, !g;",
            "`g` cannot be negated: it is not a predicate register",
            "g",
        ),
    ] {
        let (found, place, second) = error(text);
        assert_eq!((found.as_str(), place.as_str()), (message, at), "{text}");
        assert_eq!(second, None, "{text}");
    }
}

#[test]
fn duplicates_show_both_places() {
    for (text, message, second) in [
        (
            ".reg .b32 x; .reg .b64 x;",
            "`x` is already declared in this scope",
            "declared here: x",
        ),
        (
            ".reg .b32 %r<2>;",
            "`%r` is already declared in this scope",
            "declared here: %r",
        ),
        (
            ".reg .b64 %r3;",
            "`%r3` is already declared in this scope",
            "declared here: %r",
        ),
        (
            "{ .param .b32 a; .param .b32 a; }",
            "`a` is already declared in this scope",
            "declared here: a",
        ),
        (
            "{ .param .b64 %P<2>; .param .b64 %P1; }",
            "`%P1` is already declared in this scope",
            "declared here: %P",
        ),
        ("L: L:", "duplicate label `L`", "first here: L"),
    ] {
        let (found, _, other) = error(text);
        assert_eq!(found, message, "{text}");
        assert_eq!(other.as_deref(), Some(second), "{text}");
    }
}
