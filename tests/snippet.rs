//! Messages with the lines that they speak of, as errors of the parser show them.

use ptxasw::ptx::parse;

fn render(text: &[u8]) -> String {
    let error = parse(text).expect_err("the text must not parse");
    error.snippet("k.ptx", text).render()
}

#[test]
fn two_labels() {
    let expected = "\
error: expected `,` or `;`, found `ret`
 --> k.ptx:3:2
  |
2 |     add.s32 %r1, %r2
  |     ------- in the operands of this instruction
3 |     ret;
  |     ^^^ expected `,` or `;`";
    let text = ".entry k() {\n\tadd.s32 %r1, %r2\n\tret;\n}\n";
    assert_eq!(render(text.as_bytes()), expected);
    assert_eq!(render(text.replace('\n', "\r\n").as_bytes()), expected);
}

#[test]
fn labels_far_apart() {
    let text = format!(".entry k()\n{{{}ret;\n", "\n".repeat(15));
    assert_eq!(
        render(text.as_bytes()),
        "\
error: expected `}`, found the end of the text
  --> k.ptx:17:5
   |
17 | ret;
   |     ^ expected `}`
   |
  ::: k.ptx:2:1
   |
 2 | {
   | - this brace is not closed"
    );
}

#[test]
fn bytes_that_are_no_text() {
    let shown = render(b".entry k()\n{ // \xff\xfe\n x\xff; \x1b[31m\r }");
    assert!(shown.contains("k.ptx:3:3"), "{shown}");
    assert!(shown.contains("x\u{fffd};"), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\r']), "{shown}");
}

#[test]
fn a_long_line() {
    let half = "ret; ".repeat(20_000);
    let text = format!(".entry k() {{ {half}\u{e9} {half}");
    let shown = render(text.as_bytes());
    assert!(shown.contains("k.ptx:1:100014"), "{shown}");
    assert!(shown.contains("\u{e9} ret;"), "{shown}");
    assert!(shown.len() < 1000, "{shown}");
}
