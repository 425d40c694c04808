//! The line of a body that says by which passes it was made: a comment, which no assembler looks at.

use crate::ptx::ast::{Body, Module, Span};
use memchr::{memchr, memmem, memrchr};

/// With what the line begins.
const START: &str = "// ptxasw ";

/// The line that says so.
pub fn line(said: &str) -> String {
    format!("{START}{said}")
}

/// The line of a body, from its first slash on, and what it says: the first line of its own that names the number of a format.
pub fn find<'t>(module: &Module<'t>, body: &Body) -> Option<(Span, &'t str)> {
    let text = module.text.get(body.span.range())?;
    memmem::find_iter(text, START).find_map(|at| {
        let before = &text[memrchr(b'\n', &text[..at]).map_or(0, |end| end + 1)..at];
        let rest = &text[at..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        let line = std::str::from_utf8(line).ok()?.trim_end();
        let said = &line[START.len()..];
        let (format, _) = said.split_once(':')?;
        let numbered = !format.is_empty() && format.bytes().all(|byte| byte.is_ascii_digit());
        let alone = before.iter().all(|byte| matches!(byte, b' ' | b'\t'));
        let start = body.span.start + at as u32;
        (numbered && alone).then(|| (Span::new(start, start + line.len() as u32), said))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::ast::Item;
    use crate::ptx::parse;

    fn found(body: &str) -> Option<String> {
        let text = format!(".version 8.0\n.target sm_80\n.entry k()\n{{{body}\tret;\n}}\n");
        let module = parse(text.as_bytes()).expect("it is PTX");
        let body = module.items.iter().find_map(|item| match item {
            Item::Function(function) => function.body.as_ref(),
            _ => None,
        });
        let (span, said) = find(&module, body?)?;
        assert_eq!(module.str(span), line(said));
        Some(said.to_owned())
    }

    #[test]
    fn only_a_line_of_its_own_with_a_number_counts() {
        assert_eq!(
            found("\n\t// ptxasw 1: memory\n"),
            Some("1: memory".to_owned())
        );
        assert_eq!(found("\r\n// ptxasw 12:\r\n"), Some("12:".to_owned()));
        let second = "\n// ptxasw is a tool\n\t// ptxasw 1: shuffle\n";
        assert_eq!(found(second), Some("1: shuffle".to_owned()));
        for none in [
            "\n",
            "\n// ptxasw: memory\n",
            "\n// ptxasw memory\n",
            "\n\tbar.sync 0; // ptxasw 1: memory\n",
        ] {
            assert_eq!(found(none), None, "{none}");
        }
    }
}
