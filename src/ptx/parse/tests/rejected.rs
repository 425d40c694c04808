//! What has no sense, and its error message.

use super::*;

/// The message for a text that must not parse, and the text it points to.
fn rejected(text: &str) -> (String, &str) {
    match parse(text.as_bytes()) {
        Ok(_) => panic!("parses: {text}"),
        Err(error) => (error.to_string(), &text[error.span.range()]),
    }
}

/// The message for a body that must not parse.
fn rejected_body(body: &str) -> String {
    let text = kernel(body);
    rejected(&text).0
}

#[test]
fn missing_semicolon() {
    let text = kernel("add.s32 %r1, %r2, %r3\nret;");
    assert_eq!(
        rejected(&text),
        ("expected `,` or `;`, found `ret`".to_owned(), "ret")
    );
    assert_eq!(rejected_body(".reg .b32 %r1"), "expected `;`, found `}`");
    assert_eq!(
        rejected_body(".pragma \"x\"\nret; }"),
        "expected a directive, found `}`"
    );
}

#[test]
fn unbalanced() {
    let error = parse(b".entry k() {\n{ ret;\n}\n.entry l() { ret; }").expect_err("unbalanced");
    assert_eq!(error.message, "expected `}`, found `.entry`");
    assert_eq!(error.related.map(|(span, _)| span.start), Some(11));
    let error = parse(b".entry k() {\n{ ret;\n").expect_err("unbalanced");
    assert_eq!(error.message, "expected `}`, found the end of the text");
    assert_eq!(error.related.map(|(span, _)| span.start), Some(13));
    assert_eq!(rejected("}").0, "expected a directive, found `}`");
    assert_eq!(
        rejected(".entry k(.param .u32 a { }").0,
        "expected `,` or `)`, found `{`"
    );
    assert_eq!(
        rejected(".section .debug { {}").0,
        "this brace is not closed"
    );
    assert_eq!(rejected_body("x {a, b;"), "expected `,` or `}`, found `;`");
    assert_eq!(rejected_body("x [a;"), "expected `]`, found `;`");
    assert_eq!(
        rejected_body("call f, (a;"),
        "expected `,` or `)`, found `;`"
    );
}

#[test]
fn open_strings_and_comments() {
    assert_eq!(
        rejected(".pragma \"abc;\n"),
        ("this string has no closing quote".to_owned(), "\"")
    );
    assert_eq!(
        rejected("/* abc"),
        ("this comment has no closing `*/`".to_owned(), "/*")
    );
}

#[test]
fn garbage() {
    assert_eq!(rejected("hello").0, "expected a directive, found `hello`");
    assert_eq!(rejected_body("`"), "expected a statement, found ```");
    assert_eq!(
        rejected_body("ret; \u{1}"),
        "expected a statement, found the byte 0x01"
    );
    assert_eq!(rejected_body("%r1 x;"), "expected a statement, found `%r1`");
    assert_eq!(
        rejected_body("ld . global;"),
        "expected an operand, found `.`"
    );
    assert_eq!(
        rejected(".visible 3").0,
        "expected a declaration, found `3`"
    );
    assert_eq!(
        rejected(".extern .foo x;").0,
        "expected a state space, found `.foo`"
    );
    assert_eq!(rejected(&format!("{}\n", "a".repeat(50))).0.len(), 73);
}

#[test]
fn operands() {
    assert_eq!(rejected_body("x a,;"), "expected an operand, found `;`");
    assert_eq!(rejected_body("x {};"), "expected an operand, found `}`");
    assert_eq!(rejected_body("x [];"), "expected a constant, found `]`");
    assert_eq!(rejected_body("x [a,];"), "expected an operand, found `]`");
    assert_eq!(
        rejected_body("x [4+%r];"),
        "expected a constant, found `%r`"
    );
    assert_eq!(
        rejected_body("x \"s\";"),
        "expected an operand, found `\"s\"`"
    );
    assert_eq!(
        rejected_body("@%p { ret; }"),
        "expected an instruction, found `{`"
    );
}

#[test]
fn constants() {
    assert_eq!(rejected_body("x 0x;"), "malformed number");
    assert_eq!(rejected_body("x 0f3F80;"), "malformed number");
    assert_eq!(rejected_body("x 08;"), "malformed number");
    assert_eq!(rejected_body("x 5/0;"), "division by zero");
    assert_eq!(rejected_body("x ~1.5;"), "this operator takes an integer");
    assert_eq!(rejected_body("x (1;"), "expected `)`, found `;`");
    assert_eq!(
        rejected_body("x [1.5];"),
        "expected an integer, found a float"
    );
    assert_eq!(
        rejected_body(".reg .b32 %r<4294967296>;"),
        "expected a number of registers, found `4294967296`"
    );
}

#[test]
fn nesting_is_bounded() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("-", ""),
        ("[a,", "]"),
        ("1+(", ")"),
    ] {
        for (levels, fine) in [(50, true), (100_000, false)] {
            let body = format!("x {}1{};", open.repeat(levels), close.repeat(levels));
            assert_eq!(
                parse(kernel(&body).as_bytes()).is_ok(),
                fine,
                "{open} {levels}"
            );
        }
    }
    let text = format!(".global .b8 x = {}", "{".repeat(100_000));
    assert!(rejected(&text).0.starts_with("nested more than"));
}
