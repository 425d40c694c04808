//! Tables of what was found.

use super::data::{Compared, Kernel, ORIGINAL, Ratio, Row, Tuning};
use ptxasw_base::names::shown;
use ptxasw_base::table::{Table, row};
use std::fmt::Write as _;

/// For people: a table for each kernel and target, the fastest first.
pub fn table(tuning: &Tuning) -> String {
    let mut out = String::new();
    if let Some(device) = &tuning.device {
        let _ = writeln!(out, "{device}\n");
    }
    for (number, kernel) in tuning.kernels.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        one(&mut out, kernel);
    }
    out
}

fn one(out: &mut String, kernel: &Kernel) {
    let measured = kernel.is_measured();
    let how = match measured {
        true => "measured",
        false => "estimated, not measured",
    };
    let (name, target, launch) = (shown(&kernel.kernel), &kernel.target, &kernel.launch);
    let _ = writeln!(out, "{name} on {target}, {launch}: {how}");
    for why in kernel.not_measured.iter().chain(&kernel.not_estimated) {
        let _ = writeln!(out, "  nothing is known: {why}");
    }
    let mut order: Vec<usize> = (0..kernel.rows.len()).collect();
    let point = |number: usize| {
        let ratio = kernel.rows[number].ratio(measured);
        ratio.map_or(f64::NEG_INFINITY, |ratio| ratio.point)
    };
    order.sort_by(|&one, &other| point(other).total_cmp(&point(one)).then(one.cmp(&other)));
    let words = "ratio  range  registers  warps  results  choices";
    let mut table = Table::headed("  ><>><<", words);
    for number in order {
        let row = &kernel.rows[number];
        let (point, range) = match row.ratio(measured) {
            Some(Ratio { point, least, most }) => {
                (format!("{point:.2}"), format!("{least:.2} to {most:.2}"))
            }
            None => ("?".to_owned(), String::new()),
        };
        let best = if kernel.best == Some(number) {
            match kernel.made_up {
                true => "  <- best, for a made-up launch",
                false => "  <- best",
            }
        } else {
            ""
        };
        let outlier = row.measured.as_ref().and_then(|one| one.outlier);
        let outlier = outlier.map_or_else(String::new, |times| {
            format!("  (one sample took {times:.1} times the median)")
        });
        let choices = format!("{}{best}{outlier}", choices(row));
        let (registers, warps) = (row.registers, row.warps);
        let results = results(&row.compared);
        table.row(row!(point, range, registers, warps, results, choices));
    }
    let _ = write!(out, "{table}");
    if let [first, rest @ ..] = &kernel.left_out[..] {
        let more = match rest.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(
            out,
            "  not tried: `{first}`{more}: `--effort` allows no more work"
        );
    }
    for row in &kernel.rows {
        if let Compared::Unknown(why) = &row.compared {
            let _ = writeln!(out, "  not compared: {}: {why}", choices(row));
        }
    }
}

fn results(compared: &Compared) -> String {
    match compared {
        Compared::Same => "the original".to_owned(),
        Compared::Equal(runs) => format!("equal ({runs})"),
        Compared::Unknown(_) => "not compared".to_owned(),
        Compared::Rounded => "other rounding".to_owned(),
        Compared::Different(_) => "DIFFERENT".to_owned(),
    }
}

/// Choices of a row that are named; of the others there is a count.
const NAMED: usize = 2;

/// The choices of a row, the original and the default in front.
fn choices(row: &Row) -> String {
    let mut named: Vec<&str> = row.choices.iter().map(String::as_str).collect();
    named.sort_by_key(|choice| (*choice != ORIGINAL, !choice.is_empty()));
    let more = named.len().saturating_sub(NAMED + 1);
    let shown = if more > 0 { NAMED } else { named.len() };
    let shown = named[..shown].iter().map(|choice| match choice.is_empty() {
        true => "default",
        false => choice,
    });
    let shown: Vec<&str> = shown.collect();
    let mut text = shown.join(" = ");
    if more > 0 {
        let _ = write!(text, " = {} others", more + 1);
    }
    text
}

/// A line for each row, with a line of names in front.
///
/// # Errors
/// None that a buffer in memory has.
pub fn csv(tuning: &Tuning) -> Result<Vec<u8>, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record([
        "kernel",
        "target",
        "choice",
        "registers",
        "warps",
        "results",
        "estimated",
        "estimated least",
        "estimated most",
        "measured",
        "measured least",
        "measured most",
        "samples",
        "best",
    ])?;
    for kernel in &tuning.kernels {
        for (number, row) in kernel.rows.iter().enumerate() {
            let figures = |ratio: Option<Ratio>| match ratio {
                Some(one) => [one.point, one.least, one.most].map(|figure| format!("{figure:.4}")),
                None => [const { String::new() }; 3],
            };
            let samples = row.measured.as_ref();
            let mut record = vec![
                kernel.kernel.clone(),
                kernel.target.clone(),
                choices(row),
                row.registers.to_string(),
                row.warps.to_string(),
                results(&row.compared),
            ];
            record.extend(figures(row.estimated));
            record.extend(figures(row.ratio(true)));
            record.push(samples.map_or_else(String::new, |one| one.samples.to_string()));
            record.push((kernel.best == Some(number)).to_string());
            out.write_record(&record)?;
        }
    }
    out.into_inner().map_err(|error| error.into_error().into())
}
