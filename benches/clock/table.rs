//! The table of pairs, and scores beside simple predictors.

use super::cases::Case;
use std::fmt::Write as _;

/// Ratios that are as good as 1.
const DEAD_BAND: f64 = 0.05;

/// Who predicts.
type Predictor = (&'static str, fn(&Case) -> f64);

const PREDICTORS: [Predictor; 4] = [
    ("`cost`", |case| case.predicted[0]),
    ("always 1.00", |_| 1.0),
    ("instructions", |case| case.instructions),
    ("resident warps", |case| case.warps),
];

/// Both tables, in Markdown.
pub fn of(cases: &[Case], left_out: usize) -> String {
    let mut out = format!(
        "{} pairs; {left_out} are not made today as they were measured, or have no prediction. Score: mean of \
         |ln(predicted / measured)|.\n\n",
        cases.len()
    );
    out.push_str("| | pairs |");
    for (name, _) in PREDICTORS {
        let _ = write!(out, " {name} |");
    }
    out.push_str(" gains seen | losses seen | said to gain or lose, and do not |\n| --- | ---: |");
    out.push_str(&" ---: |".repeat(PREDICTORS.len() + 3));
    out.push('\n');
    let mut sets: Vec<&str> = cases.iter().map(|case| case.set).collect();
    sets.dedup();
    for set in &sets {
        let of_set: Vec<&Case> = cases.iter().filter(|case| case.set == *set).collect();
        line(&mut out, set, &of_set);
    }
    for gpu in ["H200", "V100"] {
        let of_gpu = cases
            .iter()
            .filter(|case| case.set.contains("V100") == (gpu == "V100"));
        line(
            &mut out,
            &format!("all of the {gpu}"),
            &of_gpu.collect::<Vec<_>>(),
        );
    }
    out.push_str("\n| | kernel | change | measured | predicted | range |\n");
    out.push_str("| --- | --- | --- | ---: | ---: | ---: |\n");
    for case in cases {
        let [point, least, largest] = case.predicted;
        let _ = writeln!(
            out,
            "| {} | {} | {} | {:.2} | {point:.2} | {least:.2} to {largest:.2} |",
            case.set, case.kernel, case.change, case.measured
        );
    }
    out
}

fn line(out: &mut String, title: &str, cases: &[&Case]) {
    let _ = write!(out, "| {title} | {} |", cases.len());
    for (_, predict) in PREDICTORS {
        let errors = cases
            .iter()
            .map(|case| (predict(case) / case.measured).ln().abs());
        let _ = write!(
            out,
            " {:.3} |",
            errors.sum::<f64>() / cases.len().max(1) as f64
        );
    }
    let sign = |ratio: f64| match ratio {
        _ if ratio > 1.0 + DEAD_BAND => 1,
        _ if ratio < 1.0 - DEAD_BAND => -1,
        _ => 0,
    };
    for wanted in [1, -1] {
        let there = cases.iter().filter(|case| sign(case.measured) == wanted);
        let seen = there
            .clone()
            .filter(|case| sign(case.predicted[0]) == wanted);
        let _ = write!(out, " {} of {} |", seen.count(), there.count());
    }
    let wrong = cases.iter().filter(|case| {
        let predicted = sign(case.predicted[0]);
        predicted != 0 && predicted != sign(case.measured)
    });
    let _ = writeln!(out, " {} |", wrong.count());
}
