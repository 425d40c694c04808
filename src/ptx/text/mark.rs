//! The line of a body that says by which passes it was made: a comment, which no assembler looks at.

use crate::ast::{Body, Module, Span};
use memchr::{memchr, memmem};

/// With what the line begins.
const START: &str = "// ptxasw ";

/// The line that says so.
pub fn line(said: &str) -> String {
    format!("{START}{said}")
}

/// Whether a text is such a line and nothing else.
pub fn is_line(text: &str) -> bool {
    !text.contains('\n') && said(text.as_bytes()).is_some()
}

/// The comment of a body that says so, from its first slash on, and what it says. Comments within a statement do not count: a pass
/// may write such a statement twice.
pub fn find<'t>(module: &'t Module, body: &Body) -> Option<(Span, &'t str)> {
    let end = body.span.end as usize;
    let mut from = body.span.start as usize + 1;
    while let Some(at) = memmem::find(module.text().get(from..end)?, START.as_bytes()) {
        let at = (from + at) as u32;
        let next = body.statements.partition_point(|one| one.span.start <= at);
        let before = next.checked_sub(1).map(|last| body.statements[last].span);
        let start = before.map_or(body.span.start + 1, |span| span.end);
        let stop = body
            .statements
            .get(next)
            .map_or(body.span.end, |one| one.span.start);
        if let Some((line, said)) = comments(module.text(), start.max(1), stop) {
            return Some((line, said));
        }
        from = stop as usize;
    }
    None
}

/// The first mark among the comments between two statements.
fn comments(text: &[u8], start: u32, stop: u32) -> Option<(Span, &str)> {
    let gap = text.get(start as usize..stop as usize)?;
    let mut at = 0;
    while let Some(slash) = memchr(b'/', gap.get(at..)?) {
        let from = at + slash;
        let comment = &gap[from..];
        let length = match comment.get(1) {
            Some(b'*') => memmem::find(&comment[2..], b"*/").map(|end| end + 4),
            Some(b'/') => memchr(b'\n', comment),
            _ => Some(1),
        };
        let length = length.unwrap_or(comment.len());
        if let Some(said) = said(&comment[..length]) {
            let from = start + from as u32;
            let end = from + (START.len() + said.len()) as u32;
            return Some((Span::new(from, end), said));
        }
        at = from + length;
    }
    None
}

/// What a comment says if it is a mark, which names the number of its format.
fn said(comment: &[u8]) -> Option<&str> {
    let said = comment.strip_prefix(START.as_bytes())?.trim_ascii_end();
    let said = std::str::from_utf8(said).ok()?;
    let (format, _) = said.split_once(':')?;
    let numbered = !format.is_empty() && format.bytes().all(|byte| byte.is_ascii_digit());
    numbered.then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Item;
    use crate::parse;

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
    fn only_a_comment_between_statements_with_a_number_counts() {
        assert_eq!(
            found("\n\t// ptxasw 1: memory\n"),
            Some("1: memory".to_owned())
        );
        assert_eq!(found("\r\n// ptxasw 12:\r\n"), Some("12:".to_owned()));
        let after = "\n\tbar.sync 0; /* a */ // ptxasw 1: memory\n";
        assert_eq!(found(after), Some("1: memory".to_owned()));
        let second = "\n// ptxasw is a tool\n\t// ptxasw 1: shuffle\n";
        assert_eq!(found(second), Some("1: shuffle".to_owned()));
        for none in [
            "\n",
            "\n// ptxasw: memory\n",
            "\n// ptxasw memory\n",
            "\n// ptxasw \n",
            "\n// ptxasw \u{a0}\n",
            "\n/* note\n// ptxasw 1: memory */\n",
            "\n\tbar.sync // ptxasw 1: memory\n 0;\n",
        ] {
            assert_eq!(found(none), None, "{none}");
        }
    }
}
