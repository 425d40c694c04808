//! What became of the loads and stores of a module, for people: a verdict, a table of functions, groups of accesses with one reason;
//! on request every access by itself.
//!
//! | file | what |
//! | --- | --- |
//! | `table` | the table of functions |
//! | `brief` | a function in a dozen lines |
//! | `groups` | loads and stores of one function that share what became of them |
//! | `access` | one load or store with its source line, what each pass decided about it and how each condition was met |
//! | `input` | statements of what these left, in the text that they read |
//! | `json` | all of it for programs |
//! | `pages`, `conditions`, `schemes` | `ptxasw explain CODE` |

mod access;
mod brief;
mod conditions;
mod groups;
mod input;
mod json;
mod language;
mod pages;
mod schemes;
mod table;

pub use groups::lane;
use input::InInput;
pub use json::{FORMAT, Report};
pub use language::language;
pub use pages::{codes, page, similar};
use ptxasw_passes::shuffle::plan::Wrapping;
use ptxasw_passes::shuffle::refusal::ConditionName;
pub use schemes::scheme_of;

use super::function::{self, FunctionReport};
use super::positions::{Locations, SourceFiles, SourceLines, SourcePosition};
use super::remarks;
use super::verdict::{self, Estimates, FunctionVerdict};
use crate::pipeline::{self, Decisions, Origins};
use ptxasw_base::lines::LineIndex;
use ptxasw_passes::shuffle::refusal::Language;
use ptxasw_ptx::ast::{Body, Item, Module, Span};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// A condition in a few words.
pub fn condition_title(condition: ConditionName) -> &'static str {
    conditions::page(condition).0
}

/// A scheme in one line.
pub fn scheme_title(scheme: Wrapping) -> &'static str {
    schemes::page(scheme).0
}

/// Lines on the functions of a module, unless all are asked for.
const MOST_LINES: usize = 60;

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
    /// Those of an item that is a function with a body.
    pub fn of(module: &'a Module<'t>, files: &'a SourceFiles<'t>, item: u32) -> Option<Self> {
        let Some(Item::Function(function)) = module.items.get(item as usize) else {
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
        Some(self.files.position(self.locations.at(statement)?))
    }
}

/// A function, and where its statements are that shuffles speak of, if it has any.
pub struct Placed<'a> {
    /// What became of it.
    pub function: FunctionReport<'a>,
    /// The statements that its shuffles speak of, in the input.
    pub places: Option<&'a dyn Places>,
}

/// How much is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The verdict, and each function in some lines.
    #[default]
    Brief,
    /// A table, groups, and every access.
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
    pub functions: Vec<Placed<'a>>,
    /// How much faster kernels are, where that was asked for.
    pub estimates: Estimates,
}

impl Subject<'_> {
    /// The report as text.
    pub fn text(&self, detail: &Detail) -> String {
        let mut out = String::new();
        if let Detail::Lines(lines) = detail {
            self.accesses(Some(lines), &mut out);
            return out;
        }
        let verdicts = self.verdicts();
        for line in verdict::lines(self.path, &verdicts) {
            let _ = writeln!(out, "{line}");
        }
        match detail {
            Detail::Full => self.full(&verdicts, &mut out),
            _ => self.brief(&verdicts, &mut out),
        }
        let _ = writeln!(out, "{ASSUMPTION}");
        if *detail == Detail::Brief {
            // A code that the lines above do not name would be a riddle.
            let code = groups::example_code(self.reports());
            if let Some(code) = code.filter(|code| out.contains(code)) {
                let _ = write!(out, "`ptxasw explain {code}` explains a reason; ");
            }
            let _ = writeln!(
                out,
                "`--load @LINE` shows one load or store, `--full` all of them"
            );
        }
        out
    }

    /// Each function in some lines, as far as there is room.
    fn brief(&self, verdicts: &[FunctionVerdict], out: &mut String) {
        let sources = SourceLines::of(self.text);
        let functions = self.functions.iter().zip(verdicts);
        let mut busy: Vec<_> = functions.filter(|(_, verdict)| verdict.is_busy()).collect();
        // What was changed comes first.
        busy.sort_by_key(|(_, verdict)| verdict.word);
        let (mut room, mut shown) = (MOST_LINES, 0);
        for (placed, verdict) in &busy {
            let lines = brief::lines(self, placed, verdict, &sources);
            if shown > 0 && lines.len() >= room {
                break;
            }
            room = room.saturating_sub(lines.len() + 1);
            shown += 1;
            let _ = writeln!(out, "\n{}", lines.join("\n"));
        }
        if shown < busy.len() {
            let more = busy.len() - shown;
            let _ = writeln!(
                out,
                "\n{more} more: `--full` shows all, `--kernel NAME` one"
            );
        }
        out.push('\n');
    }

    /// All functions, with every group and every access.
    fn full(&self, verdicts: &[FunctionVerdict], out: &mut String) {
        for line in verdict::reasons(verdicts) {
            let _ = writeln!(out, "{line}");
        }
        out.push('\n');
        table::table(self.reports(), out);
        for placed in &self.functions {
            groups::write(self, placed, out);
        }
        out.push('\n');
        self.accesses(None, out);
    }

    /// What became of each function.
    pub fn reports(&self) -> impl Iterator<Item = &FunctionReport<'_>> {
        self.functions.iter().map(|placed| &placed.function)
    }

    /// The verdict on each function.
    pub fn verdicts(&self) -> Vec<FunctionVerdict> {
        let verdicts = self.reports().map(FunctionVerdict::of);
        verdicts.map(|one| one.estimated(&self.estimates)).collect()
    }

    /// The report for programs.
    pub fn json(&self) -> Report<'_> {
        json::report(self)
    }

    /// All remarks as a log of SARIF 2.1.0.
    pub fn sarif(&self) -> serde_json::Value {
        remarks::log(&remarks::all(self))
    }

    fn accesses(&self, lines: Option<&[u32]>, out: &mut String) {
        for placed in &self.functions {
            access::write(self, placed, lines, out);
        }
    }

    /// The statement at a place, up to the end of its line.
    fn statement(&self, at: u32) -> Span {
        let line = self.lines.range(self.lines.line(at));
        let start = (at as usize).min(line.end);
        let text = self.text.get(start..line.end).unwrap_or_default();
        let end = memchr::memchr(b';', text).map_or(text.trim_ascii_end().len(), |end| end + 1);
        Span::new(start as u32, (start + end) as u32)
    }

    /// Whether a load or store is at this line, or a pass remarks on it.
    pub fn has_line(&self, line: u32) -> bool {
        self.reports().any(|function| {
            let mut accesses = function.accesses.iter();
            let mut others = function.others.iter();
            accesses.any(|access| self.lines.line(access.at) == line)
                || others.any(|(_, remark)| remark.place.line == line)
        })
    }
}

/// The texts of a module that reports speak of.
pub struct Texts<'a> {
    /// How messages name the module.
    pub path: &'a str,
    /// As it came.
    pub input: &'a [u8],
    /// As the passes over the SSA IR left it.
    pub left: &'a [u8],
    /// Places of the one as places of the other; none if they are the same.
    pub origins: Option<&'a Origins>,
    /// What both are written in.
    pub form: remarks::Language,
}

/// Explains all functions of a PTX module, which the passes over the SSA IR left, in the text that these read; see [`Subject`].
pub fn with_subject<R>(
    path: &str,
    module: &pipeline::Module,
    decisions: Decisions,
    work: impl FnOnce(&mut Subject) -> R,
) -> R {
    let tree = module.tree();
    let files = SourceFiles::of(tree);
    let places = decisions.searches().filter_map(|(name, search)| {
        let places = Statements::of(tree, &files, search.plan.item)?;
        Some((name, places))
    });
    let texts = Texts {
        path,
        input: module.input(),
        left: module.text(),
        origins: module.origins(),
        form: remarks::Language::Ptx,
    };
    with_places(&texts, decisions, places, work)
}

/// Explains all functions of a module, of which these have statements in the text that the passes left.
pub fn with_places<'k, P: Places, R>(
    texts: &Texts,
    decisions: Decisions,
    places: impl Iterator<Item = (&'k str, P)>,
    work: impl FnOnce(&mut Subject) -> R,
) -> R {
    let input = LineIndex::new(texts.input);
    let places: Vec<(&str, P)> = places.collect();
    let moved = places.iter().map(|(name, places)| {
        let moved = texts.origins.map(|origins| InInput {
            places,
            left: texts.left,
            input: &input,
            origins,
        });
        (*name, (places, moved))
    });
    let moved: FxHashMap<&str, (&P, Option<InInput>)> = moved.collect();
    let functions = function::of_module(decisions).into_iter();
    let placed = functions.map(|function| {
        let places = moved.get(function.name).map(|(places, moved)| match moved {
            Some(moved) => moved as &dyn Places,
            None => *places as &dyn Places,
        });
        Placed { function, places }
    });
    work(&mut Subject {
        path: texts.path,
        text: texts.input,
        lines: &input,
        form: texts.form,
        language: language(texts.left),
        functions: placed.collect(),
        estimates: Estimates::default(),
    })
}
