//! What there is to remark on.

use crate::pipeline::ssa::{self, Report};
use crate::report::explain::{self, Placed, Subject};
use crate::report::function::{self, AccessReport, Decision};
use crate::report::positions::SourcePosition;
use crate::report::verdict::FunctionVerdict;
use ptxasw_base::named::Named;
use ptxasw_ir::lanes::LaneMap;
use ptxasw_passes::Fate;
use ptxasw_passes::shuffle::plan::{Part, Plan, Shuffle};
use ptxasw_passes::shuffle::synthesis::LoadReport;
use serde::Serialize;

/// The kinds of LLVM's remarks.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Kind {
    /// A place was changed.
    Passed,
    /// It stays.
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// `load` or `store`; none of what is no access of the input. Each access has exactly one remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access: Option<&'static str>,
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
    /// What the user can do to lift a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift: Option<String>,
    /// In words.
    pub message: String,
    /// What other passes decided about the same access.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other>,
}

/// A decision about an access that another one outweighs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Other {
    /// The pass that made it.
    pub pass: &'static str,
    /// What it alone would make of the access.
    pub name: &'static str,
    /// The reason for which shuffles leave a load, as `ptxasw explain CODE` takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// The line of the statement that the words are about, in the same text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related_line: Option<u32>,
    /// In words.
    pub message: String,
    /// What the user can do to lift a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lift: Option<String>,
}

/// Bytes of a value that come from one load.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// All remarks on a module, function by function: those on the whole, one for each load and store of the input, and those on other
/// statements.
pub fn all(module: &Subject) -> Vec<Remark> {
    let functions = module.functions.iter();
    let remarks = functions.map(|placed| Collector { module, placed }.all());
    remarks.collect::<Vec<_>>().concat()
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

/// A function to remark on.
struct Collector<'a> {
    module: &'a Subject<'a>,
    placed: &'a Placed<'a>,
}

impl Collector<'_> {
    fn all(&self) -> Vec<Remark> {
        let function = &self.placed.function;
        let name = self.module.path;
        let mut remarks = vec![Remark {
            message: FunctionVerdict::of(function)
                .estimated(&self.module.estimates)
                .line(),
            ..self.named(Kind::Analysis, "Kernel")
        }];
        for report in &function.passes {
            remarks.extend(report.tried.iter().map(|one| {
                let (level, why) = (one.loads.name(), &one.why.why);
                sent_back(
                    name,
                    function.name,
                    format!("the level `{level}` is not taken: {why}"),
                )
            }));
        }
        remarks.extend(function.reverted().map(|why| {
            let message = format!("the original is kept: {why}");
            sent_back(name, function.name, message)
        }));
        remarks.extend(function.accesses.iter().map(|access| self.access(access)));
        let others = function.others.iter();
        remarks.extend(others.map(|(report, remark)| self.of_pass(report, remark)));
        remarks
    }

    /// The remark on an access: its headline, with what else was decided about it.
    fn access(&self, access: &AccessReport) -> Remark {
        let headline = access.headline();
        let (ptx_line, ir_line) = self.lines(Some(self.module.lines.line(access.at)));
        let outweighed = access.decisions.iter();
        let outweighed = outweighed.filter(|one| headline.is_none_or(|first| !first.is(one)));
        let remark = match headline {
            Some(decision) => match decision.load() {
                Some(load) => self.of_shuffle(&decision, load),
                None => self.of_pass(decision.report, decision.remark),
            },
            None => Remark {
                message: function::NOTHING.to_owned(),
                ..self.named(Kind::Missed, Fate::Kept.name())
            },
        };
        Remark {
            access: Some(if access.is_store { "store" } else { "load" }),
            ptx_line,
            ir_line,
            is_source: access.is_source(),
            source: access.decisions.iter().find_map(|one| self.source(one)),
            others: outweighed.map(|one| self.other(one)).collect(),
            ..remark
        }
    }

    fn other(&self, decision: &Decision) -> Other {
        Other {
            pass: decision.pass(),
            name: decision.fate().name(),
            code: decision.kept().map(|refusal| refusal.reason.code),
            related_line: self.related(decision),
            message: decision.words().to_owned(),
            lift: self.lift(decision),
        }
    }

    /// The line of the other statement that a decision is about.
    fn related(&self, decision: &Decision) -> Option<u32> {
        match decision.kept() {
            Some(refusal) => self.line(refusal.related?.0),
            None => decision.remark.other_line(),
        }
    }

    fn lift(&self, decision: &Decision) -> Option<String> {
        let lift = decision.lift(self.module.language);
        lift.map(|lift| lift.into_owned())
    }

    /// Where the source has it that shuffles looked at.
    fn source(&self, decision: &Decision) -> Option<SourcePosition> {
        self.placed.places?.source(decision.load()?.origin)
    }

    /// A remark of a pass over the SSA IR.
    fn of_pass(&self, report: &Report, remark: &ssa::Remark) -> Remark {
        let (ptx_line, ir_line) = self.lines(Some(remark.place.line).filter(|&line| line > 0));
        let done = remark.fate.is_done();
        let kind = if done { Kind::Passed } else { Kind::Missed };
        Remark {
            pass: Some(report.pass),
            done: Some(done),
            ptx_line,
            ir_line,
            related_line: remark.other_line(),
            lift: remark.lift.map(str::to_owned),
            message: remark.what.to_string(),
            ..self.named(kind, remark.fate.name())
        }
    }

    /// A remark of the shuffles.
    fn of_shuffle(&self, decision: &Decision, load: &LoadReport) -> Remark {
        let fate = decision.fate();
        let kind = match fate.is_done() {
            true => Kind::Passed,
            false if load.source => Kind::Analysis,
            false => Kind::Missed,
        };
        let remark = Remark {
            message: decision.words().to_owned(),
            lift: self.lift(decision),
            ..self.named(kind, fate.name())
        };
        match (decision.shuffle(), decision.kept()) {
            (Some((search, shuffle)), _) => self.covered(&search.plan, shuffle, remark),
            (_, Some(refusal)) => Remark {
                condition: Some(refusal.condition().name()),
                code: Some(refusal.reason.code),
                related_line: self.related(decision),
                ..remark
            },
            (None, None) => remark,
        }
    }

    /// Completes the remark on a load that another one serves.
    fn covered(&self, plan: &Plan, shuffle: &Shuffle, remark: Remark) -> Remark {
        let source_of = |part: &Part| plan.sources.get(part.source as usize);
        let Some(source) = shuffle.parts.first().and_then(source_of) else {
            return remark;
        };
        let region = plan.regions.get(source.region as usize);
        let region = region.filter(|_| shuffle.lanes != LaneMap::OWN);
        let lane = match shuffle.lanes {
            LaneMap::OWN => "i".to_owned(),
            LaneMap::Shift(delta) => format!("i{delta:+}"),
            LaneMap::Xor(mask) => format!("i^{mask}"),
            LaneMap::Lane(lane) => lane.to_string(),
        };
        let checks = shuffle.parts.iter().filter_map(source_of);
        let checks = checks.flat_map(|source| &source.checks);
        let checks = checks
            .chain(&shuffle.checks)
            .map(|check| check.meaning.clone());
        let parts = shuffle.parts.iter().filter_map(|part| {
            Some(PartOf {
                line: self.line(source_of(part)?.statement)?,
                byte: part.byte.into(),
                at: part.at.into(),
                bytes: part.bytes.into(),
            })
        });
        let is_plain = matches!(*shuffle.parts, [Part { byte: 0, at: 0, .. }]);
        let (source_ptx_line, source_ir_line) = self.lines(self.line(source.statement));
        let message = region.map(|region| {
            let scheme = explain::scheme_of(region);
            format!("lane i takes what lane {lane} loaded, scheme {scheme}")
        });
        Remark {
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
            message: message.unwrap_or(remark.message),
            lanes: Some(lane),
            scheme: region.map(|region| region.wrapping.name()),
            clone: region.is_some_and(|region| region.copy.is_some()),
            ..remark
        }
    }

    /// The line of a statement that the shuffles speak of.
    fn line(&self, statement: u32) -> Option<u32> {
        let span = self.placed.places?.span(statement)?;
        Some(self.module.lines.line(span.start))
    }

    fn lines(&self, line: Option<u32>) -> (Option<u32>, Option<u32>) {
        self.module.form.lines(line)
    }

    /// A remark with its kind, its name and where it belongs.
    fn named(&self, kind: Kind, name: &'static str) -> Remark {
        Remark {
            kind,
            name,
            module: self.module.path.to_string(),
            function: self.placed.function.name.to_string(),
            ..Remark::default()
        }
    }
}
