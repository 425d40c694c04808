//! Any bytes parse or give an error that can be shown: `cargo fuzz run parse`. What parses is cut into the items between
//! which there is nothing but blanks, comments and `;`, and a list of edits that puts each of them where it was changes no
//! byte.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use ptxasw::ptx::ast::Item;
use ptxasw::ptx::parse;
use ptxasw::ptx::text::edit::{Edit, apply};
use ptxasw_fuzz::{mutate::mutate, words::PTX};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match seed % 2 {
        0 => fuzzer_mutate(data, size, max_size),
        _ => mutate(&PTX, data, size, max_size, seed),
    }
});

fuzz_target!(|text: &[u8]| {
    match parse(text) {
        Ok(module) => {
            let mut end = 0;
            let mut edits = Vec::new();
            for item in &module.items {
                let span = match item {
                    Item::Directive(directive) => directive.span,
                    Item::Variable(variable) => variable.span,
                    Item::Function(function) => function.span,
                };
                assert!(end <= span.start && span.start < span.end);
                assert!(span.end as usize <= text.len());
                end = span.end;
                // Edits are text; an item that is none stays.
                if let Ok(same) = str::from_utf8(&text[span.range()]) {
                    edits.push(Edit {
                        at: span,
                        text: same.to_owned(),
                        ..Edit::default()
                    });
                }
            }
            assert_eq!(apply(text, &edits).as_deref(), Ok(text));
            edits.reverse();
            assert_eq!(apply(text, &edits).is_ok(), edits.len() < 2);
        }
        Err(error) => {
            assert!(error.span.range().end <= text.len());
            error.snippet("input.ptx", text).render();
        }
    }
});
