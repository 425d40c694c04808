//! The table.

use crate::measure::{Times, WAYS, Way};
use crate::modules::Module;
use std::fmt::Write as _;

/// Modules that are named: those that pay most.
const NAMED: usize = 10;

type Row<'m> = (&'m Module, Times, [usize; 2]);

/// What was measured, in Markdown.
pub fn of(all: &[Row]) -> String {
    let mut text = String::from(
        "| | modules | median | p90 | p99 | worst | sum | processor: median | p90 | p99 | sum | assemblies: mean | most |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let changed: Vec<&Row> = all.iter().filter(|row| row.1.is_changed).collect();
    let all: Vec<&Row> = all.iter().collect();
    for (index, way) in WAYS.into_iter().enumerate() {
        row(&mut text, &format!("{}, all", name(way)), &all, index);
        row(
            &mut text,
            &format!("{}, changed", name(way)),
            &changed,
            index,
        );
    }
    let _ = writeln!(text, "\nThose that pay most through the drop-in:\n");
    let drop_in = WAYS
        .iter()
        .position(|way| *way == Way::DropIn)
        .unwrap_or_default();
    let mut sorted = all;
    sorted.sort_by(|one, other| {
        other.1.ratios[drop_in]
            .0
            .total_cmp(&one.1.ratios[drop_in].0)
    });
    for (module, times, [_, assemblies]) in sorted.into_iter().take(NAMED) {
        let name = module.path.display().to_string();
        let name = name.rsplit("corpus/").next().unwrap_or(&name);
        let milliseconds = times.plain.wall.as_secs_f64() * 1e3;
        let [analysis, _, ours, _] = times.ratios;
        let _ = writeln!(
            text,
            "- `{name}`: {:.2} times {milliseconds:.0} ms (analysis {:.2}), {assemblies} assemblies",
            ours.0, analysis.0
        );
    }
    text.push('\n');
    text
}

fn name(way: Way) -> &'static str {
    match way {
        Way::Analysis => "`opt --no-register-check`",
        Way::Opt => "`opt`",
        Way::DropIn => "drop-in",
        Way::Again => "drop-in, built before",
    }
}

fn row(text: &mut String, name: &str, rows: &[&Row], index: usize) {
    let [wall, processor] = [0, 1].map(|kind| {
        let ratio = |row: &&Row| match kind {
            0 => row.1.ratios[index].0,
            _ => row.1.ratios[index].1,
        };
        let mut ratios: Vec<f64> = rows.iter().map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let plain = |row: &Row| match kind {
            0 => row.1.plain.wall.as_secs_f64(),
            _ => row.1.plain.processor.as_secs_f64(),
        };
        let sum: f64 = rows.iter().map(|row| ratio(row) * plain(row)).sum();
        let sum = sum / rows.iter().map(|row| plain(row)).sum::<f64>();
        (ratios, sum)
    });
    let at = |ratios: &[f64], part: f64| {
        let index = (ratios.len() as f64 * part) as usize;
        ratios
            .get(index.min(ratios.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    };
    let _ = write!(text, "| {name} | {} |", rows.len());
    let [(wall, wall_sum), (processor, processor_sum)] = &[wall, processor];
    for part in [0.5, 0.9, 0.99, 1.0] {
        let _ = write!(text, " {:.2} |", at(wall, part));
    }
    let _ = write!(text, " {wall_sum:.2} |");
    for part in [0.5, 0.9, 0.99] {
        let _ = write!(text, " {:.2} |", at(processor, part));
    }
    let _ = write!(text, " {processor_sum:.2} |");
    let counts: Vec<usize> = match WAYS[index] {
        Way::Opt => rows.iter().map(|row| row.2[0]).collect(),
        Way::DropIn => rows.iter().map(|row| row.2[1]).collect(),
        Way::Analysis | Way::Again => Vec::new(),
    };
    let _ = match counts.iter().max() {
        Some(most) => {
            let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
            writeln!(text, " {mean:.2} | {most} |")
        }
        None => writeln!(text, " | |"),
    };
}
