//! A text that is read in parts gives what it gives in one.

use super::*;
use crate::parse::{parse_on, parts};
use proptest::prelude::*;

/// All that a module says.
pub(super) fn rendered(module: &Module<'_>) -> Vec<String> {
    let mut rendered = Vec::new();
    for item in &module.items {
        match item {
            Item::Directive(one) => rendered.push(format!(
                "{:?} {}",
                one.span,
                show_list(module, one.arguments)
            )),
            Item::Variable(one) => {
                rendered.push(format!("{:?} {}", one.span, show_variable(module, one)))
            }
            Item::Function(one) => {
                rendered.push(format!("{:?} {}", one.span, module.str(one.name)));
                let parameters = one.parameters.iter();
                rendered.extend(parameters.map(|one| show_variable(module, one)));
                let statements = one.body.iter().flat_map(|body| &body.statements);
                rendered.extend(statements.map(|one| match &one.kind {
                    StatementKind::Instruction(instruction) => format!(
                        "{:?} {:?} {}",
                        one.span,
                        instruction.opcode,
                        show_list(module, instruction.operands)
                    ),
                    StatementKind::Variable(variable) => show_variable(module, variable),
                    _ => format!("{:?}", one.span),
                }));
            }
        }
    }
    rendered
}

/// What a text is made of: items that end like functions, and some that only look so.
pub(super) fn piece() -> impl Strategy<Value = String> {
    let body = prop::collection::vec(0u32..9, 200..900).prop_map(|numbers| {
        let lines = numbers.iter().map(|n| {
            format!("\tcall ({{%r{n}, %f1}}), f, (%a|%b, [%rd{n}+{n}]);\n\t@%p bra $L;\n")
        });
        lines.collect::<String>()
    });
    prop_oneof![
        10 => body.clone().prop_map(|body| format!(".visible .entry k(.param .b32 p)\n{{\n{body}}}\n")),
        2 => body.clone().prop_map(|body| format!("/* \n}}\n.entry k()\n{{\n{body}}}\n*/\n")),
        1 => body.prop_map(|body| format!(".func f()\n{{\n{{\n{body}\n}}\nret;\n}}\n")),
        1 => prop::collection::vec(any::<u16>(), 4000..9000).prop_map(|numbers| {
            let rows = numbers.chunks(3).map(|row| format!("{{ {} \n}}\n", row[0]));
            format!(".global .u32 t[][1] = {{ {} }};\n", rows.collect::<Vec<_>>().join(","))
        }),
        1 => Just(".section .debug_str {\n.b8 1\n}\n".to_owned()),
        1 => Just("// }\n.file 1 \"a\n}\nb\"\n".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn parts_give_what_the_whole_gives(pieces in prop::collection::vec(piece(), 4..12), jobs in 2usize..6, cut in prop::option::weighted(0.3, any::<prop::sample::Index>())) {
        let mut text = pieces.concat();
        if let Some(cut) = cut {
            // Something is missing at the end.
            text.truncate(cut.index(text.len()));
        }
        let (whole, parts) = (parse(text.as_bytes()), parse_on(text.as_bytes(), jobs));
        match (whole, parts) {
            (Ok(whole), Ok(parts)) => prop_assert_eq!(rendered(&whole), rendered(&parts)),
            (Err(whole), Err(parts)) => {
                prop_assert_eq!(whole.span, parts.span);
                prop_assert_eq!(whole.to_string(), parts.to_string());
            }
            (whole, parts) => prop_assert!(false, "{:?} and {:?}", whole.is_ok(), parts.is_ok()),
        }
    }
}

#[test]
fn kernels_in_a_row_are_read_in_parts_and_comments_are_not_cut() {
    let one = kernel(&"\tadd.s32 %r1, %r1, {%r2};\n".repeat(300));
    let text = one.repeat(20);
    let read = parts::parse(text.as_bytes(), 2).expect("two parts");
    assert_eq!(rendered(&read), rendered(&module(&text)));
    // Both halves of the text are one comment, with the ends of functions in it.
    let text = format!("/*{text}*/{one}");
    assert!(parts::parse(text.as_bytes(), 2).is_none());
    assert_eq!(
        rendered(&parse_on(text.as_bytes(), 2).expect("a module")),
        rendered(&module(&text))
    );
}
