//! Positions in the source that a compiler left in the text: `.file` and `.loc` (PTX ISA, "Debugging Directives").

use ptxasw_ptx::ast::{Body, Item, Location, Module, Operand, StatementKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// A position in the compiler's own source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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

/// The lines of the source by the lines of a text: by its `.file` and `.loc` directives alone, as they stand in it.
#[derive(Default)]
pub struct SourceLines {
    files: FxHashMap<u32, String>,
    /// File, line and column by the line of the text from which on they hold; none where a function ends.
    lines: Vec<(u32, Option<[u32; 3]>)>,
}

impl SourceLines {
    /// Those of a text.
    pub fn of(text: &[u8]) -> Self {
        let mut found = SourceLines::default();
        for (number, line) in (1..).zip(String::from_utf8_lossy(text).lines()) {
            let mut words = line.split_whitespace();
            match words.next() {
                Some(".loc") => {
                    let mut number_of = || words.next()?.trim_end_matches(',').parse().ok();
                    if let (Some(file), Some(source)) = (number_of(), number_of()) {
                        let column = number_of().unwrap_or_default();
                        let known = (source > 0).then_some([file, source, column]);
                        found.lines.push((number, known));
                    }
                }
                Some(".file") => {
                    let name = line.split('"').nth(1);
                    if let (Some(Ok(index)), Some(name)) = (words.next().map(str::parse), name) {
                        found.files.insert(index, name.to_owned());
                    }
                }
                Some("}") if line.starts_with('}') => found.lines.push((number, None)),
                _ => {}
            }
        }
        found
    }

    /// The position in the source that a line of the text comes from.
    pub fn position(&self, line: u32) -> Option<SourcePosition> {
        let [file, line, column] = self.at(line)?;
        Some(SourcePosition {
            file: self.files.get(&file)?.clone(),
            line,
            column,
        })
    }

    /// The file's index, the line and the column of the source that a line of the text comes from.
    fn at(&self, line: u32) -> Option<[u32; 3]> {
        let end = self.lines.partition_point(|(first, _)| *first <= line);
        self.lines[..end].last()?.1
    }

    /// Where lines of the text come from: the file of the first of them, with its lines in the words of `list`.
    pub fn named(&self, lines: &[u32], list: impl Fn(&[u32]) -> String) -> Option<String> {
        let known: Vec<[u32; 3]> = lines.iter().filter_map(|&line| self.at(line)).collect();
        let [file, ..] = *known.first()?;
        let of_file = known.iter().filter(|[one, ..]| *one == file);
        let mut lines: Vec<u32> = of_file.map(|[_, line, _]| *line).collect();
        lines.sort_unstable();
        lines.dedup();
        let name = Path::new(self.files.get(&file)?).file_name()?;
        Some(format!("{}:{}", name.to_string_lossy(), list(&lines)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_source_end_with_their_function() {
        let text = ".visible .entry k()\n{\n\t.loc\t1 7 5\n\tret;\n\t.loc\t1 9, function_name x\n\tret;\n}\n.entry l() {\nret;\n}\n.file 1 \"a/k.cu\"\n";
        let lines = SourceLines::of(text.as_bytes());
        let all: Vec<Option<[u32; 3]>> = (1..=9).map(|line| lines.at(line)).collect();
        let (seven, nine) = (Some([1, 7, 5]), Some([1, 9, 0]));
        assert_eq!(
            all,
            [None, None, seven, seven, nine, nine, None, None, None]
        );
        let words = lines.named(&[4, 6, 9], |lines| format!("{lines:?}"));
        assert_eq!(words.unwrap(), "k.cu:[7, 9]");
    }
}
