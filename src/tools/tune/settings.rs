//! The outcome as part of a settings file: a table `[[tuned]]` for each kernel and target for which something is chosen.

use super::data::{Kernel, Tuning};
use ptxasw_driver::pipeline::settings::value::target_number;
use ptxasw_driver::pipeline::tuned::{Choice, Tuned};
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TomlError, Value, value};

/// The setting.
const SETTING: &str = "tuned";
/// How the source of a measured figure begins.
const MEASURED: &str = "measured";
/// What begins a file that was not there before.
const HEAD: &str = "# Settings of ptxasw for this folder and those below.\n\n";

/// Why the outcome cannot be added to a settings file.
#[derive(Debug, thiserror::Error)]
pub enum NotMerged {
    /// The file is no TOML.
    #[error("{0}")]
    Text(#[from] TomlError),
    /// The setting is there, and not as tables.
    #[error("`tuned` has another form there: make it tables `[[tuned]]`, or name another file")]
    Form,
}

/// The text of a settings file with the outcome. The table of a kernel and target is replaced if another choice is best, and removed if
/// the default is best. An estimate never replaces a measurement, and a table without figures, which a user wrote, is only replaced
/// by a better choice. A new table is inserted before the first one whose glob also matches the kernel, since the first match
/// counts. All other text is kept.
///
/// # Errors
/// The text is no TOML, or has the setting in another form.
pub fn merged(text: &str, tuning: &Tuning) -> Result<String, NotMerged> {
    let mut document: DocumentMut = text.parse()?;
    let mut tables: Vec<Table> = match document.remove(SETTING) {
        None => Vec::new(),
        Some(Item::ArrayOfTables(tables)) => tables.into_iter().collect(),
        Some(_) if !tuning.kernels.iter().any(Kernel::is_chosen) => {
            return Ok(text.to_owned());
        }
        Some(_) => return Err(NotMerged::Form),
    };
    for kernel in &tuning.kernels {
        put(&mut tables, kernel, tuning.device.as_deref());
    }
    // They are written in the order of these numbers.
    for (position, table) in (0..).zip(&mut tables) {
        table.set_position(Some(position));
    }
    if !tables.is_empty() {
        let tables: ArrayOfTables = tables.into_iter().collect();
        document.insert(SETTING, Item::ArrayOfTables(tables));
    }
    let head = if text.is_empty() { HEAD } else { "" };
    let merged = format!("{head}{document}");
    Ok(match text.contains("\r\n") {
        true => merged.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => merged,
    })
}

/// Brings the tables up to date for one kernel. A launch that is made up decides nothing.
fn put(tables: &mut Vec<Table>, kernel: &Kernel, device: Option<&str>) {
    let text_of = |table: &Table, key: &str| {
        let text = table.get(key).and_then(Item::as_str);
        text.map(str::to_owned)
    };
    let is_own = |table: &Table| {
        let names = [text_of(table, "kernel"), text_of(table, "target")];
        names == [Some(kernel.kernel.clone()), Some(kernel.target.clone())]
    };
    let source = |table: &Table| {
        let figures = table.get("figures")?.as_inline_table()?;
        figures.get("source")?.as_str().map(str::to_owned)
    };
    let fits = |table: &Table| {
        let target = text_of(table, "target").map(|target| format!("@{target}"));
        let name = text_of(table, "kernel").unwrap_or_default();
        let entry = format!("{name}{} off", target.unwrap_or_default());
        let tuned: Result<Tuned, _> = entry.parse();
        tuned.is_ok_and(|tuned| {
            tuned
                .choice(&kernel.kernel, target_number(&kernel.target))
                .is_some()
        })
    };
    if kernel.made_up {
        return;
    }
    let own = tables.iter().position(is_own);
    let old = own.and_then(|own| source(&tables[own]));
    let was_measured = old
        .as_ref()
        .is_some_and(|source| source.starts_with(MEASURED));
    if was_measured && !kernel.is_measured() {
        return;
    }
    let Some(mut new) = table(kernel, device) else {
        let is_known = kernel.ratios().iter().any(Option::is_some);
        if let Some(own) = own.filter(|_| is_known && old.is_some()) {
            tables.remove(own);
        }
        return;
    };
    if let Some(own) = own {
        new.decor_mut().clone_from(tables[own].decor());
        tables.remove(own);
    }
    // Where it was, if nothing in front of it counts instead.
    let first = tables.iter().position(fits).unwrap_or(tables.len());
    tables.insert(own.map_or(first, |own| own.min(first)), new);
}

/// What is chosen for a kernel, with its figures.
fn table(kernel: &Kernel, device: Option<&str>) -> Option<Table> {
    let row = &kernel.rows[kernel.best?];
    // The first of several choices does least.
    let text = row.choices.first().filter(|text| !text.is_empty());
    let choice: Choice = text?.parse().ok()?;
    let mut table = Table::new();
    table.insert("kernel", value(&kernel.kernel));
    table.insert("target", value(&kernel.target));
    for (name, text) in choice.words() {
        let item = match (text.is_empty(), text.parse::<i64>()) {
            (true, _) => value(true),
            (false, Ok(number)) => value(number),
            (false, Err(_)) => value(text),
        };
        table.insert(name, item);
    }
    let measured = kernel.is_measured();
    let mut figures = InlineTable::new();
    if let Some(ratio) = row.ratio(measured) {
        let round = |ratio: f64| Value::from((ratio * 1e3).round() / 1e3);
        figures.insert("ratio", round(ratio.point));
        figures.insert("least", round(ratio.least));
        figures.insert("most", round(ratio.most));
    }
    let source = match device.filter(|_| measured) {
        Some(device) => format!("{MEASURED} on {device}"),
        None => "estimated".to_owned(),
    };
    figures.insert("source", source.into());
    figures.insert("launch", kernel.launch.as_str().into());
    table.insert("figures", value(figures));
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::super::data::{Compared, Ratio, Row};
    use super::*;

    fn tuning(best: Option<usize>) -> Tuning {
        let row = |choice: &str| Row {
            choices: vec![choice.to_owned()],
            code: String::new(),
            registers: 32,
            warps: 64,
            compared: Compared::Same,
            estimated: Some(Ratio {
                point: 1.25,
                least: 1.0625,
                most: 1.5,
            }),
            measured: None,
        };
        Tuning {
            module: String::new(),
            digest: String::new(),
            options: String::new(),
            device: None,
            kernels: vec![Kernel {
                kernel: "k".to_owned(),
                target: "sm_90".to_owned(),
                launch: "grid 1x1x1, block 32x1x1".to_owned(),
                made_up: false,
                launch_digest: String::new(),
                rows: vec![row("off"), row("passes=memory,shuffle max-live=16")],
                not_estimated: None,
                not_measured: None,
                left_out: Vec::new(),
                best,
            }],
        }
    }

    const TABLE: &str = r#"[[tuned]]
kernel = "k"
target = "sm_90"
passes = "memory,shuffle"
max-live = 16
figures = { ratio = 1.25, least = 1.063, most = 1.5, source = "estimated", launch = "grid 1x1x1, block 32x1x1" }
"#;

    #[test]
    fn a_new_file_has_a_head() {
        let text = merged("", &tuning(Some(1))).unwrap();
        assert_eq!(text, format!("{HEAD}{TABLE}"));
        // What is written is read as the setting.
        assert_eq!(merged(&text, &tuning(Some(1))).unwrap(), text);
    }

    #[test]
    fn what_a_user_wrote_stays() {
        let figures = "figures = { source = \"estimated\" }\n";
        let others = "# mine\nprofit = \"auto\" # so\n\n[[tuned]]\nkernel = \"k\"\ntarget = \"sm_80\"\noff = true\n";
        let own = "\n# of the sweep\n[[tuned]]\nkernel = \"k\"\ntarget = \"sm_90\"\noff = true\n";
        let glob = "\n[[tuned]]\nkernel = \"*\"\noff = true\n";
        // In its place, with its comment.
        let text = merged(&format!("{others}{own}{figures}{glob}"), &tuning(Some(1))).unwrap();
        assert_eq!(text, format!("{others}\n# of the sweep\n{TABLE}{glob}"));
        // In front of what would count instead.
        let text = merged(&format!("{others}{glob}{own}"), &tuning(Some(1))).unwrap();
        assert_eq!(text, format!("{others}\n# of the sweep\n{TABLE}{glob}"));
        let text = merged(&format!("{others}{glob}"), &tuning(Some(1))).unwrap();
        assert_eq!(text, format!("{others}\n{TABLE}{glob}"));
        // The default is best: what was found before goes, what was written by hand stays.
        let text = merged(&format!("{others}{own}{figures}"), &tuning(None)).unwrap();
        assert_eq!(text, others);
        let text = merged(&format!("{others}{own}"), &tuning(None)).unwrap();
        assert_eq!(text, format!("{others}{own}"));
        let off = merged("", &tuning(Some(0))).unwrap();
        assert!(off.contains("off = true\n"), "{off}");
        assert!(!merged("", &tuning(None)).unwrap().contains(SETTING));
        let windows = others.replace('\n', "\r\n");
        let text = merged(&windows, &tuning(Some(1))).unwrap();
        assert_eq!(text, format!("{others}\n{TABLE}").replace('\n', "\r\n"));
    }

    #[test]
    fn an_estimate_replaces_no_measurement() {
        let measured = "[[tuned]]\nkernel = \"k\"\ntarget = \"sm_90\"\noff = true\nfigures = { source = \"measured on X\" }\n";
        for best in [None, Some(1)] {
            assert_eq!(merged(measured, &tuning(best)).unwrap(), measured);
        }
        // Nor does what learns nothing.
        let estimated = measured.replace("measured on X", "estimated");
        let mut nothing = tuning(None);
        nothing.kernels[0].rows.clear();
        assert_eq!(merged(&estimated, &nothing).unwrap(), estimated);
    }

    #[test]
    fn a_made_up_launch_decides_nothing() {
        let mut made_up = tuning(Some(1));
        made_up.kernels[0].made_up = true;
        let figures = "figures = { source = \"estimated\" }\n";
        let own = format!("[[tuned]]\nkernel = \"k\"\ntarget = \"sm_90\"\noff = true\n{figures}");
        for text in ["tuned = \"k off\"", &own, "loads = \"bulk\"\n"] {
            assert_eq!(merged(text, &made_up).unwrap(), text);
        }
    }

    #[test]
    fn other_forms_are_refused() {
        let error = |text: &str| merged(text, &tuning(Some(1))).unwrap_err().to_string();
        assert!(error("tuned = \"k off\"").contains("has another form there"));
        assert!(error("tuned").contains("TOML"));
    }
}
