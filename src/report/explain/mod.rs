//! What became of the loads of a module, for people: a verdict, a table of kernels, groups of loads with one reason; on
//! request every load by itself.
//!
//! | file | what |
//! | --- | --- |
//! | `verdict` | counts of a kernel or a module, and the line that sums them up |
//! | `groups` | loads of one kernel that share a scheme or a reason |
//! | `load` | one load with its source line and how each condition was met |
//! | `passes` | what the passes over the SSA IR did |
//! | `input` | statements of what these left, in the text that they read |
//! | `json` | all of it for programs |
//! | `pages`, `conditions`, `schemes` | `ptxasw explain CODE` |

mod conditions;
mod groups;
mod input;
mod json;
mod language;
mod load;
mod pages;
mod passes;
mod schemes;
mod verdict;

use crate::shuffle::plan::Wrapping;
use crate::shuffle::refusal::ConditionName;
pub use groups::lane;
pub use input::InInput;
pub use language::language;
pub use pages::{codes, page, similar};
pub use schemes::scheme_of;
pub use verdict::{Counts, kernel_line, module_line};

use super::passes::Before;
use super::positions::{Locations, SourceFiles, SourcePosition};
use super::remarks;
use crate::pipeline::Kernel;
use crate::pipeline::ssa::Report;
use crate::ptx::ast::{Body, Item, Module, Span};
use crate::shuffle::refusal::Language;
use crate::support::lines::LineIndex;
use std::fmt::Write as _;

/// A condition in a few words.
pub fn condition_title(condition: ConditionName) -> &'static str {
    conditions::page(condition).0
}

/// A scheme in one line.
pub fn scheme_title(scheme: Wrapping) -> &'static str {
    schemes::page(scheme).0
}

/// What every report names: soundness rests on it.
pub const ASSUMPTION: &str = "assumed: the kernel is free of data races, as CUDA C++ demands";

/// Where the statements of a function are.
pub trait Places {
    /// A statement in the text that is shown.
    fn span(&self, statement: u32) -> Option<Span>;
    /// The position in the source that it came from, if the text names it.
    fn source(&self, statement: u32) -> Option<SourcePosition>;
}

/// The statements of a PTX function.
pub struct Statements<'a, 't> {
    body: &'a Body,
    files: &'a SourceFiles<'t>,
    locations: Locations,
}

impl<'a, 't> Statements<'a, 't> {
    /// Those of a kernel with a body.
    pub fn of(module: &'a Module<'t>, files: &'a SourceFiles<'t>, kernel: &Kernel) -> Option<Self> {
        let Some(Item::Function(function)) = module.items.get(kernel.item as usize) else {
            return None;
        };
        let body = function.body.as_ref()?;
        Some(Statements {
            body,
            files,
            locations: Locations::of(body),
        })
    }
}

impl Places for Statements<'_, '_> {
    fn span(&self, statement: u32) -> Option<Span> {
        let statement = self.body.statements.get(statement as usize);
        statement.map(|statement| statement.span)
    }

    /// The `.loc` in force at the statement.
    fn source(&self, statement: u32) -> Option<SourcePosition> {
        let location = self.locations.at(statement)?;
        Some(SourcePosition {
            file: self.files.name(location).to_string(),
            line: location.line,
            column: location.column,
        })
    }
}

/// A kernel, and where its statements are, if it has any.
pub type Placed<'a> = (&'a Kernel, Option<&'a dyn Places>);

/// How much is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The verdict, a table, groups.
    #[default]
    Groups,
    /// Every load as well.
    Full,
    /// The loads of these lines alone.
    Lines(Vec<u32>),
}

/// An analysed module.
pub struct Subject<'a> {
    /// As messages name it.
    pub path: &'a str,
    /// The text that is shown.
    pub text: &'a [u8],
    /// Its lines.
    pub lines: &'a LineIndex<'a>,
    /// Whether it is PTX or LLVM IR.
    pub form: remarks::Language,
    /// What the kernels were written in.
    pub language: Language,
    /// In the order of the text.
    pub kernels: Vec<Placed<'a>>,
    /// What the passes over the SSA IR did before.
    pub passes: &'a [Report],
}

impl Subject<'_> {
    /// The report as text.
    pub fn text(&self, detail: &Detail) -> String {
        let mut out = String::new();
        if let Detail::Lines(lines) = detail {
            passes::write_lines(self, lines, &mut out);
            self.loads(Some(lines), &mut out);
            return out;
        }
        let kernels = || self.kernels.iter().map(|(kernel, _)| *kernel);
        let verdict = module_line(self.path, kernels(), self.passes);
        let _ = writeln!(out, "{verdict}\n");
        verdict::table(kernels(), &mut out);
        for placed in &self.kernels {
            groups::write(self, placed, &mut out);
        }
        passes::write(self, &mut out);
        if *detail == Detail::Full {
            let _ = writeln!(out);
            self.loads(None, &mut out);
        }
        if *detail != Detail::Full {
            let _ = writeln!(out);
        }
        let _ = writeln!(out, "{ASSUMPTION}");
        if let Some(code) = groups::example_code(kernels())
            && *detail == Detail::Groups
        {
            let _ = writeln!(
                out,
                "`ptxasw explain {code}` explains a reason; `--load @LINE` shows one load, `--full` every load"
            );
        }
        out
    }

    /// The report for programs.
    pub fn json(&self) -> serde_json::Value {
        json::report(self)
    }

    /// All remarks as a log of SARIF 2.1.0.
    pub fn sarif(&self) -> serde_json::Value {
        remarks::log(&remarks::all(self))
    }

    fn loads(&self, lines: Option<&[u32]>, out: &mut String) {
        for (kernel, places) in &self.kernels {
            if let Some(places) = places {
                load::write(self, kernel, *places, lines, out);
            }
        }
    }

    /// Whether some load is at this line, or a pass remarks on it.
    pub fn has_load(&self, line: u32) -> bool {
        passes::has_line(self.passes, line)
            || self.kernels.iter().any(|(kernel, places)| {
                let mut loads = kernel.loads.iter();
                let at = |origin| {
                    self.lines.line(
                        places
                            .and_then(|one| one.span(origin))
                            .map_or(0, |span| span.start),
                    )
                };
                places.is_some() && loads.any(|load| at(load.origin) == line)
            })
    }
}

/// Explains all kernels of a PTX module, which the passes over the SSA IR left, in the text that these read; see [`Subject`].
pub fn with_subject<R>(
    path: &str,
    module: &Module,
    kernels: &[Kernel],
    before: Before,
    work: impl FnOnce(&Subject) -> R,
) -> R {
    let left = LineIndex::new(module.text());
    let input = before
        .input
        .map(|(text, lines)| (LineIndex::new(text), lines));
    let files = SourceFiles::of(module);
    let places: Vec<_> = kernels
        .iter()
        .map(|kernel| Statements::of(module, &files, kernel))
        .collect();
    let moved: Vec<_> = places
        .iter()
        .map(|places| {
            let (places, (input, lines)) = (places.as_ref()?, input.as_ref()?);
            Some(InInput {
                places,
                left: &left,
                input,
                lines,
            })
        })
        .collect();
    let placed = kernels.iter().zip(places.iter().zip(&moved));
    let placed = placed.map(|(kernel, (places, moved))| {
        let moved = moved.as_ref().map(|places| places as &dyn Places);
        let places = places.as_ref().map(|places| places as &dyn Places);
        (kernel, moved.or(places))
    });
    let lines = input.as_ref().map_or(&left, |(input, _)| input);
    work(&Subject {
        path,
        text: lines.text(),
        lines,
        form: remarks::Language::Ptx,
        language: language(module.text()),
        kernels: placed.collect(),
        passes: before.reports,
    })
}
