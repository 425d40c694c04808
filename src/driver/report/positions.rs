//! Positions in the source that a compiler left in the text: `.file` and `.loc` (PTX ISA, "Debugging Directives").

use ptxasw_ptx::ast::{Body, Item, Location, Module, Operand, StatementKind};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;

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
