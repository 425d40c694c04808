//! A text that is read again after edits gives what it gives when it is read for the first time.

use super::parts::{piece, rendered};
use super::*;
use crate::parse::{parse_again, parse_on};
use crate::text::edit::{Edit, apply};
use proptest::prelude::*;

/// In some bodies a line at the beginning, or in place of the last statement, and another name of some files.
fn edits(module: &Module, wanted: u64) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (number, item) in module.items.iter().enumerate() {
        if wanted >> (number % 32) & 1 == 0 {
            continue;
        }
        let text = "\t{ .reg .b32 %r<3>; }\n\tmov.u32 %r1, {%r2, %r0};".to_owned();
        let at = match item {
            Item::Function(function) => match &function.body {
                Some(body) if number % 2 == 0 => body.statements.last().map(|one| one.span),
                Some(body) => Some(Span::new(body.span.start + 1, body.span.start + 1)),
                None => None,
            },
            Item::Directive(one) => module.list(one.arguments).last().map(|one| one.span()),
            Item::Variable(_) => None,
        };
        let text = match item {
            Item::Directive(_) => "\"another name\"".to_owned(),
            _ => text,
        };
        edits.extend(at.filter(|at| at.end > 0).map(|at| Edit {
            at,
            text,
            ..Edit::default()
        }));
    }
    edits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn reads_what_edits_have_changed(
        pieces in prop::collection::vec(piece(), 1..8),
        wanted in any::<[u64; 2]>(),
        jobs in 1usize..5,
    ) {
        let text = pieces.concat();
        let mut module = parse_on(text.as_bytes(), jobs).map_err(|error| TestCaseError::fail(error.message))?;
        for wanted in wanted {
            let edits = edits(&module, wanted);
            let text = apply(module.text(), &edits).unwrap();
            let (_, tree) = module.take_text();
            module = parse_again(tree, text.clone(), &edits, 1).unwrap();
            prop_assert_eq!(module.text(), &text);
            prop_assert_eq!(rendered(&module), rendered(&parse_on(&text, 1).unwrap()));
        }
    }
}

#[test]
fn an_error_in_what_is_new_is_found() {
    let text = ".entry k()\n{\n\tret;\n}\n.entry l()\n{\n\tret;\n}\n";
    let module = parse_on(text.as_bytes(), 1).unwrap();
    let edit = Edit {
        at: Span::new(17, 18),
        ..Edit::default()
    };
    let new = apply(text.as_bytes(), std::slice::from_ref(&edit)).unwrap();
    let whole = parse_on(&new, 1).unwrap_err();
    let (_, tree) = module.take_text();
    let error = parse_again(tree, new, &[edit], 1).unwrap_err();
    assert_eq!(error.to_string(), whole.to_string());
}
