//! A module with all that a report asks about it.

use super::data::Position;
use crate::cli::targets;
use ptxasw_base::lines::LineIndex;
use ptxasw_driver::Judged;
use ptxasw_driver::pipeline::ssa::Report;
use ptxasw_driver::pipeline::{self, Origins};
use ptxasw_driver::report::function::FunctionReport;
use ptxasw_driver::report::verdict::Variant;
use ptxasw_executor::launch::LaunchSpec;
use ptxasw_machine::cost::source::PredictedModule;
use ptxasw_machine::toolchain::Arch;
use ptxasw_passes::shuffle::Search;
use ptxasw_ptx::ast::{self, Item};
use ptxasw_ptx::decode;
use ptxasw_verify::{Given, Size};
use rustc_hash::FxHashMap;
use std::path::Path;

/// The text of the module after all changes, or after those that would be made.
pub struct Stage<'a> {
    /// The PTX text.
    pub text: &'a [u8],
    /// Its places as places of the input.
    pub origins: Origins,
}

/// What a report is to tell.
pub struct Wanted<'a> {
    /// The GPUs to assemble for; machine code is listed of the one that is shown first.
    pub archs: &'a [Arch],
    /// Launches that the user or the module gives.
    pub given: &'a Given,
    /// Most warp instructions that a launch is executed for.
    pub steps: u64,
    /// Threads; 0 for as many as there are processors.
    pub jobs: usize,
    /// Whether sources are read that the module names.
    pub sources: bool,
}

impl Wanted<'_> {
    /// The GPU that is shown first: one of which there are figures, if there is any.
    pub fn shown_first(&self) -> Option<Arch> {
        let mut known = self
            .archs
            .iter()
            .filter(|arch| targets::has_figures(**arch));
        known.next().or(self.archs.first()).copied()
    }
}

/// A module, and what became of it.
pub struct Subject<'a> {
    /// As messages name it.
    pub name: &'a str,
    /// Its file: sources are looked for beside it.
    pub path: &'a Path,
    /// The original text.
    pub input: &'a [u8],
    /// What the passes over the SSA IR left: the statements of loads are those of this one.
    pub left: &'a ast::Module<'a>,
    /// Its places as places of the input; none where they are the same.
    pub origins: Option<&'a Origins>,
    /// What became of each function.
    pub functions: &'a [FunctionReport<'a>],
    /// The output.
    pub now: Stage<'a>,
    /// With all shuffles that are proved, where some are not known to pay; and what would become of each kernel.
    pub trial: Option<(Stage<'a>, &'a [Report])>,
    /// Kernels that were executed beside their originals.
    pub judged: &'a [Judged],
    /// What other options would be worth, by the mangled names of kernels.
    pub variants: &'a FxHashMap<String, Vec<Variant>>,
}

/// A text, parsed and decoded.
pub struct Text<'a> {
    pub tree: ast::Module<'a>,
    pub source: PredictedModule<'a>,
}

impl<'a> Text<'a> {
    /// Reads a text.
    ///
    /// # Errors
    /// It is no module.
    pub fn read(text: &'a [u8]) -> Result<Self, pipeline::Error> {
        let tree = ptxasw_ptx::parse(text)?;
        let form = decode::decode(&tree)?;
        Ok(Text {
            source: PredictedModule::new(text, form),
            tree,
        })
    }

    /// First and last line of a function with a body.
    pub fn lines_of(&self, name: &str) -> Option<[u32; 2]> {
        let mut functions = self.source.form.functions.iter();
        let function = functions.find(|one| one.defined && *one.name == *name)?;
        let Item::Function(item) = self.tree.items.get(function.item as usize)? else {
            return None;
        };
        let lines = &self.source.lines;
        Some([lines.line(item.span.start), lines.line(item.span.end)])
    }
}

/// The texts of a module.
pub struct Texts<'a> {
    pub input: Text<'a>,
    /// None where it is the same.
    pub now: Option<Text<'a>>,
    pub trial: Option<Text<'a>>,
}

impl Subject<'_> {
    /// The line of the input of a statement of the text that the passes left.
    fn line(&self, input: &LineIndex, item: u32, statement: u32) -> u32 {
        let Some(Item::Function(function)) = self.left.items.get(item as usize) else {
            return 0;
        };
        let body = function.body.as_ref();
        let statement = body.and_then(|body| body.statements.get(statement as usize));
        let Some(statement) = statement else { return 0 };
        let at = statement.span.start;
        input.line(self.origins.map_or(at, |origins| origins.before(at)))
    }
}

/// A module that is read kernel by kernel.
pub struct Reader<'a> {
    pub subject: &'a Subject<'a>,
    pub texts: &'a Texts<'a>,
    /// Where lines of the input come from.
    pub positions: &'a [Position],
    pub wanted: &'a Wanted<'a>,
}

/// A kernel with what was found of it.
pub struct One<'a> {
    pub name: &'a str,
    /// What became of it; none where it was not looked at.
    pub function: Option<&'a FunctionReport<'a>>,
    /// What shuffles would do if all that is proved was done.
    pub trial: Option<&'a Search>,
}

impl<'a> Reader<'a> {
    /// What was found of a function.
    pub fn one(&self, name: &'a str) -> One<'a> {
        let mut functions = self.subject.functions.iter();
        let trial = self.subject.trial.as_ref();
        let mut reports = trial.into_iter().flat_map(|(_, reports)| reports.iter());
        let trial = reports.find(|one| *one.function == *name);
        One {
            name,
            function: functions.find(|one| one.name == name),
            trial: trial.and_then(|report| report.search.as_deref()),
        }
    }

    /// The line of a place of the input.
    pub fn input_line(&self, at: u32) -> u32 {
        self.texts.input.source.lines.line(at)
    }

    /// The line of the input of a load of a kernel.
    pub fn line(&self, search: &Search, statement: u32) -> u32 {
        let lines = &self.texts.input.source.lines;
        self.subject.line(lines, search.plan.item, statement)
    }

    /// A line of the input, without the blanks at its ends.
    pub fn text(&self, line: u32) -> String {
        let lines = &self.texts.input.source.lines;
        let range = lines.range(line);
        let text = lines.text().get(range).unwrap_or_default();
        String::from_utf8_lossy(text).trim().to_owned()
    }

    /// What a kernel of one of the texts is executed with, and whether that is made up.
    ///
    /// # Errors
    /// In words.
    pub fn launch(&self, text: &Text, name: &str) -> Result<(LaunchSpec, bool), String> {
        let source = &text.source;
        let kernel = ptxasw_verify::Kernel::named(source.text, &source.form, name);
        self.wanted.given.launch(
            kernel.ok_or("it is no kernel")?,
            self.wanted.steps,
            Size::Full,
        )
    }
}

impl<'a> One<'a> {
    /// Whether its text is another one.
    pub fn is_changed(&self) -> bool {
        self.function.is_some_and(FunctionReport::is_changed)
    }

    /// What shuffles did to it.
    pub fn now(&self) -> Option<&'a Search> {
        self.function?.search()
    }

    /// What its passes did.
    pub fn passes(&self) -> &'a [&'a Report] {
        self.function.map_or(&[], |function| &function.passes)
    }
}

/// A text with the map from its places to places of the input.
pub struct Mapped<'a> {
    pub text: &'a Text<'a>,
    pub origins: &'a Origins,
    /// Lines of the input.
    pub input: &'a LineIndex<'a>,
}

impl Mapped<'_> {
    /// The line of the input of a place of the text.
    pub fn input_line(&self, at: u32) -> u32 {
        self.input.line(self.origins.before(at))
    }
}
