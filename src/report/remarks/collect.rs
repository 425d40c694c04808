//! What there is to remark on.

use crate::ir::lanes::LaneMap;
use crate::pipeline::Kernel;
use crate::pipeline::ssa::{self, Report};
use crate::ptx::ast::Span;
use crate::report::explain::{self, Places};
use crate::report::positions::SourcePosition;
use crate::shuffle::plan::Part;
use crate::shuffle::refusal::{self, ConditionName, Refusal};
use crate::shuffle::synthesis::{LoadReport, Outcome};
use crate::support::lines::LineIndex;
use crate::support::named::Named;
use serde::Serialize;
use std::collections::BTreeMap;

/// The kinds of LLVM's remarks.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub enum Kind {
    /// A load became a shuffle.
    Passed,
    /// A load stays.
    Missed,
    /// Of a whole kernel.
    #[default]
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

impl Language {
    /// A line as that of the one or the other language.
    fn lines(self, line: Option<u32>) -> (Option<u32>, Option<u32>) {
        match self {
            Language::Ptx => (line, None),
            Language::Ir => (None, line),
        }
    }
}

/// One remark.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize)]
pub struct Remark {
    /// Its kind.
    pub kind: Kind,
    /// A name to filter by.
    pub name: &'static str,
    /// The pass over the SSA IR that remarks; none for the shuffles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass: Option<&'static str>,
    /// Of a pass: whether the place is rewritten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<bool>,
    /// The module.
    pub module: String,
    /// The kernel or function.
    pub function: String,
    /// The line of the PTX text, from 1; none for a whole kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ptx_line: Option<u32>,
    /// The line of the LLVM IR, from 1; none for a whole kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ir_line: Option<u32>,
    /// From `.loc`, or debug information, where there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourcePosition>,
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
    /// The line of LLVM IR of the load that gives the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_ir_line: Option<u32>,
    /// The line of the statement that prevents the change of what stays, in the same text; of a pass also that of what serves a
    /// load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related_line: Option<u32>,
    /// The scheme of a shuffle, as `--scheme` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<&'static str>,
    /// It is in a clone of a region, which only whole warps run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub clone: bool,
    /// What is checked at run time for this load, besides what is checked for its region.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// A loop carries the value from the iteration before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub carried: bool,
    /// What corner lanes need is loaded after the source.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub early: bool,
    /// Other loads take the value of this one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_source: bool,
    /// Which bytes of which loads the value is made of, unless it is the value of one load from its first byte on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartOf>,
    /// What the user can do to lift a refusal of a pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift: Option<&'static str>,
    /// In words.
    pub message: String,
}

/// Bytes of a value that come from one load.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PartOf {
    /// The line of the load that gives them.
    pub line: u32,
    /// The first of them in that load's value.
    pub byte: u32,
    /// The first of them in this load's value.
    pub at: u32,
    /// How many.
    pub bytes: u32,
}

/// All remarks on a module: those of the passes over its SSA IR, then those on the loads of each kernel.
pub fn all(module: &explain::Subject) -> Vec<Remark> {
    let passes = module.passes.iter().flat_map(|report| {
        let remarks = report.remarks.iter();
        remarks.map(|remark| of_pass(module, report, remark))
    });
    let original = module.passes.iter();
    let original = original.filter_map(|one| Some((&*one.function, &*one.reverted()?.why)));
    let original: BTreeMap<&str, &str> = original.collect();
    let reverted = original.into_iter();
    let reverted = reverted.map(|(function, why)| reverted_for(module.path, function, why));
    let tried = module.passes.iter().flat_map(|report| {
        let tries = report.tried.iter();
        let messages = tries.map(|one| (one.loads.name(), &one.why.why));
        messages.map(|(level, why)| {
            let message = format!("the level `{level}` is not taken: {why}");
            sent_back(module.path, &report.function, message)
        })
    });
    let kernels = module.kernels.iter().flat_map(|(kernel, places)| {
        Subject {
            name: module.path,
            language: module.form,
            lines: module.lines,
            places: *places,
            origin: module.language,
            kernel,
        }
        .remarks()
    });
    passes.chain(tried).chain(reverted).chain(kernels).collect()
}

/// A remark of a pass over the SSA IR.
fn of_pass(module: &explain::Subject, report: &Report, remark: &ssa::Remark) -> Remark {
    let line = Some(remark.site.line).filter(|&line| line > 0);
    let (ptx_line, ir_line) = module.form.lines(line);
    let done = remark.kind.is_done();
    Remark {
        kind: if done { Kind::Passed } else { Kind::Missed },
        name: remark.kind.name(),
        pass: Some(report.pass),
        done: Some(done),
        module: module.path.to_string(),
        function: report.function.to_string(),
        ptx_line,
        ir_line,
        related_line: remark.other_line(),
        lift: remark.lift,
        message: remark.what.clone(),
        ..Remark::default()
    }
}

/// A kernel went back to its original, or a level of loads.
pub fn sent_back(name: &str, kernel: &str, message: String) -> Remark {
    Remark {
        name: "KernelReverted",
        module: name.to_string(),
        function: kernel.to_string(),
        message,
        ..Remark::default()
    }
}

/// A kernel stays rewritten with fewer warps.
pub fn accepted(name: &str, kernel: &str, why: &str) -> Remark {
    Remark {
        name: "FewerWarps",
        module: name.to_string(),
        function: kernel.to_string(),
        message: format!("it stays rewritten: {why}"),
        ..Remark::default()
    }
}

fn reverted_for(name: &str, kernel: &str, why: &str) -> Remark {
    sent_back(name, kernel, format!("the original is kept: {why}"))
}

/// A kernel to remark on, and the places of its statements.
struct Subject<'a> {
    /// The module's name.
    name: &'a str,
    /// What it is written in.
    language: Language,
    /// Its lines.
    lines: &'a LineIndex<'a>,
    /// The kernel's statements in it, if it has any.
    places: Option<&'a dyn Places>,
    /// What the kernel was written in.
    origin: refusal::Language,
    kernel: &'a Kernel,
}

impl Subject<'_> {
    /// All remarks on it.
    fn remarks(&self) -> Vec<Remark> {
        let mut remarks = vec![Remark {
            message: explain::kernel_line(self.kernel, &[]),
            ..self.remark(Kind::Analysis, "Kernel")
        }];
        let Some(places) = self.places else {
            return remarks;
        };
        if let Some(why) = self.kernel.reverted {
            remarks.push(reverted_for(self.name, &self.kernel.name, why));
        }
        let line = |span: Span| self.lines.line(span.start);
        let line_of = |statement: u32| places.span(statement).map(line);
        for load in &self.kernel.loads {
            let remark = match &load.outcome {
                Outcome::Covered(number) => self.covered(*number, line_of),
                Outcome::Kept(refusal) => Some(self.kept(load, refusal, line_of)),
            };
            let (ptx_line, ir_line) = self.language.lines(line_of(load.origin));
            remarks.extend(remark.map(|remark| Remark {
                ptx_line,
                ir_line,
                source: places.source(load.origin),
                is_source: load.source,
                ..remark
            }));
        }
        remarks
    }

    fn remark(&self, kind: Kind, name: &'static str) -> Remark {
        self.named(Remark::default(), kind, name)
    }

    fn covered(&self, number: u32, line: impl Fn(u32) -> Option<u32>) -> Option<Remark> {
        let plan = &self.kernel.plan;
        let shuffle = plan.shuffles.get(number as usize)?;
        let source_of = |part: &Part| plan.sources.get(part.source as usize);
        let source = source_of(shuffle.parts.first()?)?;
        let region = plan.regions.get(source.region as usize);
        let lane = match shuffle.lanes {
            LaneMap::OWN => None,
            LaneMap::Shift(delta) => Some(format!("i{delta:+}")),
            LaneMap::Xor(mask) => Some(format!("i^{mask}")),
            LaneMap::Lane(lane) => Some(lane.to_string()),
        };
        let checks = shuffle.parts.iter().filter_map(source_of);
        let checks = checks.flat_map(|source| &source.checks);
        let checks = checks
            .chain(&shuffle.checks)
            .map(|check| check.meaning.clone());
        let parts = shuffle.parts.iter().filter_map(|part| {
            Some(PartOf {
                line: line(source_of(part)?.statement)?,
                byte: part.byte.into(),
                at: part.at.into(),
                bytes: part.bytes.into(),
            })
        });
        let is_plain = matches!(*shuffle.parts, [Part { byte: 0, at: 0, .. }]);
        let (source_ptx_line, source_ir_line) = self.language.lines(line(source.statement));
        let remark = Remark {
            source_ptx_line,
            source_ir_line,
            checks: checks.collect(),
            carried: source.carried.is_some(),
            early: shuffle.upward,
            parts: if is_plain {
                Vec::new()
            } else {
                parts.collect()
            },
            ..Remark::default()
        };
        Some(match (lane, region) {
            (Some(lane), Some(region)) => Remark {
                message: format!(
                    "lane i takes what lane {lane} loaded, scheme {}",
                    explain::scheme_of(region)
                ),
                lanes: Some(lane),
                scheme: Some(region.wrapping.name()),
                clone: region.copy.is_some(),
                ..self.named(remark, Kind::Passed, "LoadBecomesShuffle")
            },
            _ => Remark {
                message: "the thread has loaded this value before".to_string(),
                lanes: Some("i".to_string()),
                ..self.named(remark, Kind::Passed, "LoadRemoved")
            },
        })
    }

    fn kept(
        &self,
        load: &LoadReport,
        refusal: &Refusal,
        line: impl Fn(u32) -> Option<u32>,
    ) -> Remark {
        let remark = Remark {
            condition: Some(refusal.condition().name()),
            code: Some(refusal.reason.code),
            related_line: refusal.related.and_then(|(origin, _)| line(origin)),
            ..Remark::default()
        };
        if load.source {
            return Remark {
                message: "other loads take its value".to_string(),
                ..self.named(remark, Kind::Analysis, "LoadIsSource")
            };
        }
        let name = match refusal.condition() {
            ConditionName::Profit => "ShuffleDeclined",
            _ => "LoadKept",
        };
        let lift = refusal.lift(self.origin);
        let lift = lift.map_or_else(String::new, |lift| format!("; lifted by: {lift}"));
        Remark {
            message: format!("{}{lift}", refusal.text()),
            ..self.named(remark, Kind::Missed, name)
        }
    }

    /// A remark with its kind, its name and where it belongs.
    fn named(&self, remark: Remark, kind: Kind, name: &'static str) -> Remark {
        Remark {
            kind,
            name,
            module: self.name.to_string(),
            function: self.kernel.name.to_string(),
            ..remark
        }
    }
}
