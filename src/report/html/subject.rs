//! A module with all that a report asks about it.

use super::data::Position;
use crate::cost::source::PredictedModule;
use crate::executor::launch::LaunchSpec;
use crate::pipeline::ssa::Report;
use crate::pipeline::{self, Kernel, Lines};
use crate::ptx::ast::{self, Item};
use crate::ptx::{self, decode};
use crate::support::lines::LineIndex;
use crate::toolchain::Arch;
use crate::verify::{self, Given, Judged};
use std::path::Path;

/// The text of the module after all changes, or after those that would be made.
pub struct Stage<'a> {
    /// The PTX text.
    pub text: &'a [u8],
    /// Its lines as lines of the input.
    pub lines: Lines,
    /// What shuffles did to each kernel, or would do.
    pub kernels: &'a [Kernel],
}

/// What a report is to tell.
pub struct Wanted<'a> {
    /// The GPUs to assemble for; the first one's machine code is listed.
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
    /// Its lines as lines of the input; none where they are the same.
    pub left_lines: Option<&'a Lines>,
    /// What these passes did.
    pub passes: &'a [Report],
    /// The output.
    pub now: Stage<'a>,
    /// With all shuffles that are proved, where some are not known to pay.
    pub trial: Option<Stage<'a>>,
    /// Kernels that were executed beside their originals.
    pub judged: &'a [Judged],
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
        let tree = ptx::parse(text)?;
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
    pub fn line(&self, left: &LineIndex, item: u32, statement: u32) -> u32 {
        let Some(Item::Function(function)) = self.left.items.get(item as usize) else {
            return 0;
        };
        let body = function.body.as_ref();
        let statement = body.and_then(|body| body.statements.get(statement as usize));
        let Some(statement) = statement else { return 0 };
        self.input_line(left.line(statement.span.start))
    }

    /// A line of that text as a line of the input.
    pub fn input_line(&self, line: u32) -> u32 {
        self.left_lines.map_or(line, |lines| lines.before(line))
    }
}

/// A module that is read kernel by kernel.
pub struct Reader<'a> {
    pub subject: &'a Subject<'a>,
    pub texts: &'a Texts<'a>,
    /// Lines of the text that the passes left.
    pub left: &'a LineIndex<'a>,
    /// Where lines of the input come from.
    pub positions: &'a [Position],
    pub wanted: &'a Wanted<'a>,
}

/// A kernel with what was found of it.
pub struct One<'a> {
    pub name: &'a str,
    /// What shuffles did to it; none where it was not looked at.
    pub now: Option<&'a Kernel>,
    /// What they would do if all that is proved was done.
    pub trial: Option<&'a Kernel>,
    /// What passes over its SSA IR did.
    pub passes: Vec<&'a Report>,
}

impl<'a> Reader<'a> {
    /// What was found of a function.
    pub fn one(&self, name: &'a str) -> One<'a> {
        let named = |kernels: &'a [Kernel]| kernels.iter().find(|one| *one.name == *name);
        let passes = self.subject.passes.iter();
        let trial = self.subject.trial.as_ref();
        One {
            name,
            now: named(self.subject.now.kernels),
            trial: trial.and_then(|one| named(one.kernels)),
            passes: passes.filter(|one| *one.function == *name).collect(),
        }
    }

    /// The line of the input of a load of a kernel.
    pub fn line(&self, kernel: &Kernel, statement: u32) -> u32 {
        self.subject.line(self.left, kernel.item, statement)
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
        let kernel = verify::Kernel::named(source.text, &source.form, name);
        self.wanted
            .given
            .launch(kernel.ok_or("it is no kernel")?, self.wanted.steps)
    }
}

impl One<'_> {
    /// Whether its text is another one.
    pub fn is_changed(&self) -> bool {
        let shuffles = self.now.is_some_and(Kernel::is_rewritten);
        shuffles || self.passes.iter().any(|one| one.changed)
    }
}

/// A text with the map from its lines to input lines.
pub struct Mapped<'a> {
    pub text: &'a Text<'a>,
    pub lines: &'a Lines,
}
