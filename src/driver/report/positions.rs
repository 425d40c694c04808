//! Positions in the source that a compiler left in the text: `.file` and `.loc` (PTX ISA, "Debugging Directives").

use ptxasw_base::lines::LineIndex;
use ptxasw_ptx::ast::{Body, Item, Location, Module, Operand, StatementKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// A position in the compiler's own source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SourcePosition {
    /// As the text names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 where unknown.
    pub column: u32,
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Names of source files by the index of their `.file` directive.
pub struct SourceFiles<'a>(FxHashMap<u64, &'a str>);

impl<'a> SourceFiles<'a> {
    /// The files of a module.
    pub fn of(module: &'a Module) -> Self {
        let mut files = FxHashMap::default();
        for item in &module.items {
            if let Item::Directive(directive) = item
                && module.str(directive.name) == ".file"
                && let [Operand::Integer { value, .. }, Operand::String(name), ..] =
                    module.list(directive.arguments)
            {
                files.insert(*value, module.str(*name).trim_matches('"'));
            }
        }
        SourceFiles(files)
    }

    /// A location with the name of its file.
    pub fn position(&self, location: Location) -> SourcePosition {
        SourcePosition {
            file: self.name(location).to_owned(),
            line: location.line,
            column: location.column,
        }
    }

    /// All of them with their indices, in the order of these.
    pub fn all(&self) -> Vec<(u64, &'a str)> {
        let mut all: Vec<(u64, &str)> =
            self.0.iter().map(|(&index, &name)| (index, name)).collect();
        all.sort_unstable();
        all
    }

    /// The name of a location's file; `?` if no directive gives it one.
    pub fn name(&self, location: Location) -> &'a str {
        let name = self.0.get(&u64::from(location.file));
        name.copied().unwrap_or("?")
    }
}

/// The first `.loc` of a body that names a line.
pub fn first(body: &Body) -> Option<Location> {
    let mut statements = body.statements.iter();
    statements.find_map(|statement| match statement.kind {
        StatementKind::Location(location) => Some(location).filter(|one| one.line > 0),
        _ => None,
    })
}

/// The `.loc` in force at each statement of a body.
pub struct Locations(Vec<(u32, Location)>);

impl Locations {
    /// Those of a body.
    pub fn of(body: &Body) -> Self {
        let statements = body.statements.iter().enumerate();
        let locations = statements.filter_map(|(number, statement)| match statement.kind {
            StatementKind::Location(location) => Some((number as u32, location)),
            _ => None,
        });
        Locations(locations.collect())
    }

    /// The last one in front of a statement.
    pub fn at(&self, statement: u32) -> Option<Location> {
        let end = self.0.partition_point(|(number, _)| *number < statement);
        let last = end.checked_sub(1)?;
        self.0.get(last).map(|(_, location)| *location)
    }
}

/// Maps lines of PTX to positions in the source: the `.loc` in force at each line.
#[derive(Default)]
pub struct SourceLines(Vec<(u32, Option<SourcePosition>)>);

impl SourceLines {
    /// Of a PTX text; empty for any other.
    pub fn of(text: &[u8]) -> Self {
        let Ok(tree) = ptxasw_ptx::parse(text) else {
            return SourceLines::default();
        };
        let (files, index) = (SourceFiles::of(&tree), LineIndex::new(text));
        let mut lines = Vec::new();
        for item in &tree.items {
            let Item::Function(function) = item else {
                continue;
            };
            // No location of the function before is in force here.
            lines.push((index.line(function.span.start), None));
            for statement in function.body.iter().flat_map(|body| &body.statements) {
                if let StatementKind::Location(location) = statement.kind {
                    let position = files.position(location);
                    let known = Some(position).filter(|one| one.line > 0);
                    lines.push((index.line(statement.span.start), known));
                }
            }
        }
        SourceLines(lines)
    }

    /// The position in the source of a line of the text.
    pub fn position(&self, line: u32) -> Option<&SourcePosition> {
        let end = self.0.partition_point(|(first, _)| *first <= line);
        self.0[..end].last()?.1.as_ref()
    }

    /// The source lines of some lines of the text, all in the file of the first: `k.cu:` and what `list` makes of them.
    pub fn named(&self, lines: &[u32], list: impl Fn(&[u32]) -> String) -> Option<String> {
        let known = lines.iter().filter_map(|&line| self.position(line));
        let known: Vec<&SourcePosition> = known.collect();
        let file = &known.first()?.file;
        let of_file = known.iter().filter(|one| one.file == *file);
        let mut lines: Vec<u32> = of_file.map(|one| one.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let name = Path::new(file).file_name()?;
        Some(format!("{}:{}", name.to_string_lossy(), list(&lines)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_end_with_their_function() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\n\t.loc\t1 7 5\n\tret;\n\t.loc\t1 9 0\n\tret;\n}\n\
            .entry l()\n{\nret;\n}\n.file 1 \"a/k.cu\"\n";
        let lines = SourceLines::of(text.as_bytes());
        let line = |line| lines.position(line).map(|one| one.line);
        let all: Vec<Option<u32>> = (5..=13).map(line).collect();
        let (seven, nine) = (Some(7), Some(9));
        let expected = [None, seven, seven, nine, nine, nine, None, None, None];
        assert_eq!(all, expected);
        let words = lines.named(&[7, 9, 13], |lines| format!("{lines:?}"));
        assert_eq!(words.unwrap(), "k.cu:[7, 9]");
        assert!(SourceLines::of(b"; ModuleID = 'k'").position(1).is_none());
    }
}
