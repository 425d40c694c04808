//! The paper's section 8: what warps wait for in the original, without the covered loads, with shuffles but without the loads of corner
//! lanes, and as rewritten.

use super::{Arguments, read_source, targets, works};
use ptxasw_base::names::shown;
use ptxasw_driver::pipeline::{Options, optimize};
use ptxasw_machine::cost::estimate::Estimate;
use ptxasw_machine::cost::operation::Cause;
use ptxasw_machine::cost::sass::KernelCode;
use ptxasw_machine::cost::source::PredictedModule;
use ptxasw_machine::toolchain::Arch;
use ptxasw_passes::shuffle::lower::Variant;
use ptxasw_passes::shuffle::plan::Wrapping;
use ptxasw_passes::shuffle::profit::Profit;
use ptxasw_passes::shuffle::synthesis;
use serde::Serialize;
use std::fmt::Write as _;

/// The paper's names.
const VARIANTS: [(&str, Option<Variant>); 4] = [
    ("original", None),
    ("no load", Some(Variant::NoLoad)),
    ("no corner", Some(Variant::NoCorner)),
    ("rewritten", Some(Variant::Normal)),
];

/// For programs.
#[derive(Serialize)]
pub struct Variants<'a> {
    pub variants: &'a [Row],
}

/// One variant of a kernel.
#[derive(Serialize)]
pub struct Row {
    kernel: String,
    arch: String,
    variant: &'static str,
    registers: u32,
    estimate: Option<Estimate>,
    no_prediction: Option<String>,
}

/// The variants of all kernels of a module.
pub fn rows(
    source: &PredictedModule,
    text: &[u8],
    arguments: &Arguments,
) -> anyhow::Result<Vec<Row>> {
    let given = arguments.launches.given(text)?;
    let (archs, _) = targets::estimated(&arguments.arch, text);
    let mut texts = Vec::new();
    for (name, variant) in VARIANTS {
        let text = match variant {
            None => text.to_vec(),
            Some(variant) => optimize(text, &options(variant))?.text,
        };
        texts.push((name, text));
    }
    let sources = texts
        .iter()
        .map(|(_, text)| read_source(&arguments.input, text));
    let sources: Vec<PredictedModule> = sources.collect::<anyhow::Result<_>>()?;
    let mut rows = Vec::new();
    for arch in archs {
        let codes: Vec<Result<Vec<KernelCode>, String>> =
            sources.iter().map(|source| source.codes(arch)).collect();
        for function in source.kernels() {
            let mut works = works(function, &given, source, arguments.launches.steps);
            // The larger one.
            let work = works.swap_remove(0);
            for ((name, _), (source, codes)) in texts.iter().zip(sources.iter().zip(&codes)) {
                let mut row = Row::new(&function.name, arch, name);
                let found = codes.as_ref().map_err(Clone::clone).and_then(|codes| {
                    let code = codes.iter().find(|code| *code.name == *function.name);
                    let code = code.ok_or("the module has no such kernel")?;
                    row.registers = code.registers;
                    let (work, _) = work.as_ref().map_err(Clone::clone)?;
                    Ok(source
                        .prediction(code, work, arguments.launches.steps)?
                        .estimate())
                });
                match found {
                    Ok(estimate) => row.estimate = Some(estimate),
                    Err(reason) => row.no_prediction = Some(reason),
                }
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// All that is proved, under the paper's scheme.
fn options(variant: Variant) -> Options {
    Options {
        synthesis: synthesis::Options {
            profit: Profit::Always,
            wrapping: Some(Wrapping::Paper),
            variant,
            ..synthesis::Options::default()
        },
        raise_version: true,
        ..Options::of_shuffles()
    }
}

impl Row {
    fn new(kernel: &str, arch: Arch, variant: &'static str) -> Self {
        Row {
            kernel: kernel.to_owned(),
            arch: arch.to_string(),
            variant,
            registers: 0,
            estimate: None,
            no_prediction: None,
        }
    }

    /// Whether there is an estimate.
    pub fn is_known(&self) -> bool {
        self.estimate.is_some()
    }
}

/// A table in Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::from("| kernel | GPU | variant | time µs | registers |");
    for cause in Cause::ALL {
        let _ = write!(out, " {} |", cause.name());
    }
    out.push_str("\n| --- | --- | --- | ---: | ---: |");
    out.push_str(&" ---: |".repeat(Cause::ALL.len()));
    out.push('\n');
    for row in rows {
        let kernel = shown(&row.kernel);
        let _ = write!(out, "| {kernel} | {} | {} |", row.arch, row.variant);
        match (&row.estimate, &row.no_prediction) {
            (Some(estimate), _) => {
                let _ = write!(out, " {:.1} | {} |", estimate.time, row.registers);
                for share in estimate.shares {
                    let _ = write!(out, " {:.0} % |", share * 100.0);
                }
            }
            (None, reason) => {
                let reason = reason.as_deref().unwrap_or_default();
                let _ = write!(out, " no prediction: {reason} |");
            }
        }
        out.push('\n');
    }
    out
}
