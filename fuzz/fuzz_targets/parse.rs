//! Any bytes parse or give an error that can be shown: `cargo fuzz run parse`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptxasw::{
    ptx::{ast::Item, parse},
    report::snippet::Snippet,
};

fuzz_target!(|text: &[u8]| {
    match parse(text) {
        Ok(module) => {
            let mut end = 0;
            for item in &module.items {
                let span = match item {
                    Item::Directive(directive) => directive.span,
                    Item::Variable(variable) => variable.span,
                    Item::Function(function) => function.span,
                };
                assert!(end <= span.start && span.start < span.end);
                assert!(span.end as usize <= text.len());
                end = span.end;
            }
        }
        Err(error) => {
            assert!(error.span.range().end <= text.len());
            Snippet::syntax_error(&error, "input.ptx", text).render();
        }
    }
});
