//! What there is to remark on.

use crate::emulator::term::LaneMap;
use crate::pipeline::Kernel;
use crate::ptx;
use crate::ptx::ast::Span;
use crate::report::explain::{self, Places, Statements};
use crate::report::lines::LineIndex;
use crate::report::positions::{Place, SourceFiles};
use crate::shuffle::refusal::{self, ConditionName, Refusal};
use crate::shuffle::synthesis::{LoadReport, Outcome};
use serde::Serialize;

/// The kinds of LLVM's remarks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Kind {
    /// A load became a shuffle.
    Passed,
    /// A load stays.
    Missed,
    /// Of a whole kernel.
    Analysis,
}

/// What a module is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// PTX, as it came.
    Ptx,
    /// LLVM IR, as LLVM prints it.
    Ir,
}

/// One remark.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Remark {
    /// Its kind.
    pub kind: Kind,
    /// A name to filter by.
    pub name: &'static str,
    /// The module.
    pub module: String,
    /// The kernel or function.
    pub function: String,
    /// The line of the PTX text, from 1; none for a whole kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ptx_line: Option<u32>,
    /// The same of a module of LLVM IR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ir_line: Option<u32>,
    /// From `.loc`, or debug information, where there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Place>,
    /// The condition of soundness that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<&'static str>,
    /// The reason for which a load stays, as `ptxasw explain CODE` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// The distance |N| of a shuffle, or the number of the lane or mask; with its map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lanes: Option<String>,
    /// The PTX line of the load that gives the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_ptx_line: Option<u32>,
    /// The same of a module of LLVM IR.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_ir_line: Option<u32>,
    /// In words.
    pub message: String,
}

/// All remarks on a module.
pub fn remarks(name: &str, text: &[u8], kernels: &[Kernel]) -> Vec<Remark> {
    // It was parsed before, or there would be no kernels.
    let Ok(module) = ptx::parse(text) else {
        return Vec::new();
    };
    let lines = LineIndex::new(text);
    let files = SourceFiles::of(&module);
    let origin = explain::language(text);
    let mut remarks = Vec::new();
    for kernel in kernels {
        let places = Statements::of(&module, &files, kernel);
        let subject = Subject {
            name,
            language: Language::Ptx,
            lines: &lines,
            places: places.as_ref().map(|places| places as &dyn Places),
            origin,
            kernel,
        };
        remarks.extend(subject.remarks());
    }
    remarks
}

/// A kernel went back to its original.
pub fn reverted(name: &str, kernel: &str, why: &str) -> Remark {
    Remark {
        kind: Kind::Analysis,
        name: "KernelReverted",
        module: name.to_string(),
        function: kernel.to_string(),
        ptx_line: None,
        ir_line: None,
        source: None,
        condition: None,
        code: None,
        lanes: None,
        source_ptx_line: None,
        source_ir_line: None,
        message: format!("the original is kept: {why}"),
    }
}

/// A kernel to remark on, and where its statements stand.
pub struct Subject<'a> {
    /// The module's name.
    pub name: &'a str,
    /// What it is written in.
    pub language: Language,
    /// Its lines.
    pub lines: &'a LineIndex<'a>,
    /// The kernel's statements in it, if it has any.
    pub places: Option<&'a dyn Places>,
    /// What the kernel was written in.
    pub origin: refusal::Language,
    /// The kernel.
    pub kernel: &'a Kernel,
}

impl Subject<'_> {
    /// All remarks on it.
    pub fn remarks(&self) -> Vec<Remark> {
        let mut remarks = vec![Remark {
            message: explain::kernel_line(self.kernel),
            ..self.remark(Kind::Analysis, "Kernel")
        }];
        let Some(places) = self.places else {
            return remarks;
        };
        if let Some(why) = self.kernel.reverted {
            remarks.push(reverted(self.name, &self.kernel.name, why));
        }
        let line = |span: Span| self.lines.line(span.start);
        let line_of = |statement: u32| places.span(statement).map(line);
        for load in &self.kernel.loads {
            let remark = match &load.outcome {
                Outcome::Covered(number) => self.covered(*number, line_of),
                Outcome::Kept(refusal) => Some(self.kept(load, refusal)),
            };
            let (ptx_line, ir_line) = self.lines_of(line_of(load.origin));
            remarks.extend(remark.map(|remark| Remark {
                ptx_line,
                ir_line,
                source: places.source(load.origin),
                ..remark
            }));
        }
        remarks
    }

    /// A line as that of the one or the other language.
    fn lines_of(&self, line: Option<u32>) -> (Option<u32>, Option<u32>) {
        match self.language {
            Language::Ptx => (line, None),
            Language::Ir => (None, line),
        }
    }

    fn remark(&self, kind: Kind, name: &'static str) -> Remark {
        Remark {
            kind,
            name,
            module: self.name.to_string(),
            function: self.kernel.name.to_string(),
            ptx_line: None,
            ir_line: None,
            source: None,
            condition: None,
            code: None,
            lanes: None,
            source_ptx_line: None,
            source_ir_line: None,
            message: String::new(),
        }
    }

    fn covered(&self, number: u32, line: impl Fn(u32) -> Option<u32>) -> Option<Remark> {
        let plan = &self.kernel.plan;
        let shuffle = plan.shuffles.get(number as usize)?;
        let first = shuffle.parts.first()?;
        let source = plan.sources.get(first.source as usize)?;
        let wrapping = plan.regions.get(source.region as usize);
        let wrapping = wrapping.map_or("none", |region| explain::scheme_name(region.wrapping));
        let (name, lanes, message) = match shuffle.lanes {
            LaneMap::OWN => (
                "LoadRemoved",
                "i".to_string(),
                "the thread has loaded this value before".to_string(),
            ),
            LaneMap::Shift(delta) => shifted(format!("i{delta:+}"), wrapping),
            LaneMap::Xor(mask) => shifted(format!("i^{mask}"), wrapping),
            LaneMap::Lane(lane) => shifted(lane.to_string(), wrapping),
        };
        let (source_ptx_line, source_ir_line) = self.lines_of(line(source.statement));
        Some(Remark {
            lanes: Some(lanes),
            source_ptx_line,
            source_ir_line,
            message,
            ..self.remark(Kind::Passed, name)
        })
    }

    fn kept(&self, load: &LoadReport, refusal: &Refusal) -> Remark {
        if load.source {
            return Remark {
                message: "other loads take its value".to_string(),
                ..self.remark(Kind::Analysis, "LoadIsSource")
            };
        }
        let name = match refusal.condition() {
            ConditionName::Profit => "ShuffleDeclined",
            _ => "LoadKept",
        };
        let lift = refusal.lift(self.origin);
        let lift = lift.map_or_else(String::new, |lift| format!("; lifted by: {lift}"));
        Remark {
            condition: Some(refusal.condition().name()),
            code: Some(refusal.reason.code),
            message: format!("{}{lift}", refusal.text()),
            ..self.remark(Kind::Missed, name)
        }
    }
}

fn shifted(lane: String, scheme: &str) -> (&'static str, String, String) {
    let message = format!("lane i takes what lane {lane} loaded, scheme {scheme}");
    ("LoadBecomesShuffle", lane, message)
}
