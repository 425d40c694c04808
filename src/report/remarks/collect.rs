//! What there is to remark on.

use crate::emulator::term::LaneMap;
use crate::pipeline::Kernel;
use crate::ptx;
use crate::ptx::ast::{Item, Location, Module};
use crate::report::explain;
use crate::report::lines::LineIndex;
use crate::report::positions::{Locations, SourceFiles};
use crate::shuffle::refusal::{ConditionName, Refusal};
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

/// A position in the compiler's own source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    /// As `.file` names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1; 0 where unknown.
    pub column: u32,
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
    /// From `.loc`, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Place>,
    /// The condition of soundness that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<&'static str>,
    /// The distance |N| of a shuffle, or the number of the lane or mask; with its map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lanes: Option<String>,
    /// The PTX line of the load that gives the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_ptx_line: Option<u32>,
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
    let mut remarks = Vec::new();
    for kernel in kernels {
        let collector = Collector {
            name,
            module: &module,
            lines: &lines,
            files: &files,
            kernel,
        };
        collector.kernel(&mut remarks);
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
        source: None,
        condition: None,
        lanes: None,
        source_ptx_line: None,
        message: format!("the original is kept: {why}"),
    }
}

struct Collector<'a, 't> {
    name: &'a str,
    module: &'a Module<'t>,
    lines: &'a LineIndex<'t>,
    files: &'a SourceFiles<'t>,
    kernel: &'a Kernel,
}

impl Collector<'_, '_> {
    fn kernel(&self, remarks: &mut Vec<Remark>) {
        let summary = explain::summary(self.kernel);
        remarks.push(Remark {
            message: summary,
            ..self.remark(Kind::Analysis, "Kernel")
        });
        let Some(Item::Function(function)) = self.module.items.get(self.kernel.item as usize)
        else {
            return;
        };
        let Some(body) = &function.body else { return };
        let locations = Locations::of(body);
        for load in &self.kernel.loads {
            let span = body.statements.get(load.origin as usize);
            let place = locations.at(load.origin);
            let line = |span: ptx::ast::Span| self.lines.line(span.start);
            let remark = match &load.outcome {
                Outcome::Covered(number) => self.covered(*number, |statement| {
                    body.statements
                        .get(statement as usize)
                        .map(|one| line(one.span))
                }),
                Outcome::Kept(refusal) => Some(self.kept(load, refusal)),
            };
            remarks.extend(remark.map(|remark| Remark {
                ptx_line: span.map(|statement| line(statement.span)),
                source: place.map(|location| self.place(location)),
                ..remark
            }));
        }
    }

    fn remark(&self, kind: Kind, name: &'static str) -> Remark {
        Remark {
            kind,
            name,
            module: self.name.to_string(),
            function: self.kernel.name.to_string(),
            ptx_line: None,
            source: None,
            condition: None,
            lanes: None,
            source_ptx_line: None,
            message: String::new(),
        }
    }

    fn covered(&self, number: u32, line: impl Fn(u32) -> Option<u32>) -> Option<Remark> {
        let plan = &self.kernel.plan;
        let shuffle = plan.shuffles.get(number as usize)?;
        let first = shuffle.parts.first()?;
        let source = plan.sources.get(first.source as usize)?;
        let wrapping = plan.regions.get(source.region as usize);
        let wrapping = wrapping.map_or("none", |region| explain::wrapping_name(region.wrapping));
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
        Some(Remark {
            lanes: Some(lanes),
            source_ptx_line: line(source.statement),
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
        let name = match refusal.condition {
            ConditionName::Profit => "ShuffleDeclined",
            _ => "LoadKept",
        };
        let lift = refusal.lift.as_ref();
        let lift = lift.map_or_else(String::new, |lift| format!("; would be lifted by: {lift}"));
        Remark {
            condition: Some(refusal.condition.name()),
            message: format!("{}{lift}", refusal.reason),
            ..self.remark(Kind::Missed, name)
        }
    }

    fn place(&self, location: Location) -> Place {
        Place {
            file: self.files.name(location).to_string(),
            line: location.line,
            column: location.column,
        }
    }
}

fn shifted(lane: String, wrapping: &str) -> (&'static str, String, String) {
    let message = format!("lane i takes what lane {lane} loaded, wrapping {wrapping}");
    ("LoadBecomesShuffle", lane, message)
}
