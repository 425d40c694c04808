//! A tree after edits of its text: only the items that they touch are read again.

use super::{Parser, parse_on};
use crate::ast::{Item, MAX_ELEMENTS, Module, Span};
use crate::error::SyntaxError;
use crate::lex::Lexer;
use crate::text::edit::{Edit, Shifts};
use std::borrow::Cow;

/// The tree of the text that `edits` made of the one of a tree without its text; they are in the order of the text. What is mostly new
/// is read as a whole, on so many threads.
///
/// # Errors
/// The first place where the new text is not PTX.
pub fn parse_again(
    module: Module<'static>,
    text: Vec<u8>,
    edits: &[Edit],
    jobs: usize,
) -> Result<Module<'static>, SyntaxError> {
    let touched = touched(&module.items, edits).filter(|touched| {
        let lengths = touched
            .iter()
            .map(|&one| module.items[one].span().range().len());
        // What was read of the items before stays in the pools.
        2 * lengths.sum::<usize>() < text.len()
    });
    let again = match touched {
        Some(touched) => read(module, &text, &touched, &Shifts::new(edits)),
        None => {
            drop(module);
            None
        }
    };
    match again {
        Some(again) => Ok(again.with_text(Cow::Owned(text))),
        None => parse_owned(Cow::Owned(text), jobs),
    }
}

/// Parses a text that the tree keeps.
///
/// # Errors
/// As [`parse`](super::parse).
pub fn parse_owned(text: Cow<'_, [u8]>, jobs: usize) -> Result<Module<'_>, SyntaxError> {
    let (_, tree) = parse_on(&text, jobs)?.take_text();
    Ok(tree.with_text(text))
}

/// The items in which the edits are; none if one is not within an item.
fn touched(items: &[Item], edits: &[Edit]) -> Option<Vec<usize>> {
    let mut touched = Vec::new();
    for edit in edits {
        let next = items.partition_point(|item| item.span().start < edit.at.start);
        let index = next.checked_sub(1)?;
        let end = items[index].span().end;
        if edit.at.end > end || edit.at.start == end {
            return None;
        }
        touched.push(index);
    }
    touched.dedup();
    Some(touched)
}

/// The tree with the touched items read from the new text, and all others moved; none if one of them is not a single item there.
fn read(
    mut module: Module<'static>,
    text: &[u8],
    touched: &[usize],
    shifts: &Shifts,
) -> Option<Module<'static>> {
    let last = module.operands.parts().checked_sub(1)?;
    let new = |item: &Item| {
        let Span { start, end } = item.span();
        Span::new(shifts.offset(start), shifts.offset(end))
    };
    let places: Vec<Span> = touched.iter().map(|&one| new(&module.items[one])).collect();
    // Nothing is behind the last item.
    if touched
        .first()
        .is_some_and(|first| first + touched.len() < module.items.len())
    {
        module.shift(|span| shifts.span(span));
    }
    let mut parser = Parser::new(text, Lexer::at(text, text.len()), last as u32);
    parser.operands = module.operands.take_last();
    parser.initialisers = module.initialisers.take_last();
    for (&index, place) in touched.iter().zip(places) {
        parser.go_to(place.start);
        let item = parser.item().ok()?;
        if item.span() != place {
            return None;
        }
        module.items[index] = item;
    }
    let small = |elements: usize| last == 0 || elements < MAX_ELEMENTS;
    if !small(parser.operands.len()) || !small(parser.initialisers.len()) {
        return None;
    }
    module.operands.put_last(parser.operands);
    module.initialisers.put_last(parser.initialisers);
    Some(module)
}
