//! A module as LLVM prints it, and the places of its functions' statements in that text.

use crate::view::View;
use crate::view::print::quoted;
use ptxasw_ptx::ast::Span;
use rustc_hash::FxHashMap;

/// A printed module.
pub struct Text {
    /// The text.
    pub text: String,
    /// Spans of instructions by function; that of statement `n` is at `n - 1`.
    functions: FxHashMap<Box<str>, Vec<Span>>,
    /// Offsets of the ends of all lines.
    line_ends: Vec<u32>,
}

impl Text {
    /// Prints a module.
    pub fn new(view: View<'_>) -> Self {
        let text = view.print();
        let ends = text.bytes().zip(0u32..).filter(|(byte, _)| *byte == b'\n');
        Text {
            functions: functions(&text),
            line_ends: ends.map(|(_, at)| at).collect(),
            text,
        }
    }

    /// The line of a place.
    pub fn line(&self, at: u32) -> u32 {
        self.line_ends.partition_point(|&end| end < at) as u32 + 1
    }

    /// All functions, as LLVM prints their names, with the spans of their statements.
    pub fn functions(&self) -> impl Iterator<Item = (&str, &[Span])> {
        self.functions
            .iter()
            .map(|(name, spans)| (&**name, &**spans))
    }

    /// A statement of a function.
    pub fn span(&self, function: &str, statement: u32) -> Option<Span> {
        let spans = self.functions.get(function)?;
        spans.get(statement.checked_sub(1)? as usize).copied()
    }
}

/// Finds the instructions of all functions: LLVM indents them by two, what belongs to one of them by more, and a `switch` ends
/// with a bracket by itself.
fn functions(text: &str) -> FxHashMap<Box<str>, Vec<Span>> {
    let mut found = FxHashMap::default();
    let mut current: Option<(Box<str>, Vec<Span>)> = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset as u32;
        offset += line.len();
        let line = line.trim_end();
        match &mut current {
            None if line.starts_with("define ") => {
                current = name(line).map(|name| (name.into(), Vec::new()));
            }
            None => {}
            Some(_) if line == "}" => found.extend(current.take()),
            Some((_, spans)) => {
                let instruction = line.strip_prefix("  ");
                if let Some(rest) = instruction
                    && !rest.starts_with([' ', ']', '#'])
                    && !rest.is_empty()
                {
                    spans.push(Span {
                        start: start + 2,
                        end: start + line.len() as u32,
                    });
                }
            }
        }
    }
    found
}

/// The name after the first `@`, as LLVM prints it.
fn name(line: &str) -> Option<&str> {
    let rest = &line[line.find('@')? + 1..];
    match rest.strip_prefix('"') {
        Some(inner) => inner.find('"').map(|end| &rest[..end + 2]),
        None => rest.find('(').map(|end| &rest[..end]),
    }
}

/// How [`Text`] names a function.
pub fn printed_name(name: &str) -> String {
    quoted(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbering::Numbering;
    use crate::read::read;
    use inkwell::context::Context;

    const TEXT: &str = r#"
declare void @g()
define i32 @"a b"(i32 %x) {
  %a = add i32 %x, 1
  switch i32 %a, label %other [
    i32 0, label %one
    i32 1, label %one
  ]
one:
  %p = phi i32 [ 1, %0 ], [ 1, %0 ]
  call void @g()
  ret i32 %p
other:
  call void asm sideeffect "a\0Ab", ""()
  ret i32 0
}
"#;

    #[test]
    fn statements_are_found_in_the_printed_text() {
        let context = Context::create();
        let module = read(&context, TEXT.as_bytes(), "a.ll").expect("reads");
        let view = View::new(&module);
        let text = Text::new(view);
        let function = view.functions()[1];
        let numbering = Numbering::new(function);
        let printed = printed_name(&function.name());
        let mut statement = 1;
        while let Some(instruction) = numbering.instruction(statement) {
            let span = text.span(&printed, statement).expect("there");
            let shown = &text.text[span.start as usize..span.end as usize];
            let line = instruction.print();
            assert_eq!(Some(shown), line.trim_start().lines().next());
            statement += 1;
        }
        assert_eq!(statement, 8);
        assert!(text.span(&printed, statement).is_none());
    }
}
