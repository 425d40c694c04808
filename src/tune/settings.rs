//! The outcome as part of a settings file: a table `[[tuned]]` for each kernel and target for which something is chosen.

use super::data::{Kernel, Tuning};
use crate::pipeline::tuned::Entry;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TomlError, Value, value};

/// The setting.
const SETTING: &str = "tuned";
/// What begins a file that was not there before.
const HEAD: &str = "# Settings of ptxasw for this folder and those below.\n\n";

/// Why the outcome cannot be added to a settings file.
#[derive(Debug, thiserror::Error)]
pub enum NotMerged {
    /// The file is no TOML.
    #[error("{0}")]
    Text(#[from] TomlError),
    /// The setting is there as a text.
    #[error("`tuned` is a text there: make it tables `[[tuned]]`, or name another file")]
    Form,
}

/// The text of a settings file with the outcome: what it says of the same kernels on the same targets is replaced, all else stays.
///
/// # Errors
/// The text is no TOML, or has the setting as a text.
pub fn merged(text: &str, tuning: &Tuning) -> Result<String, NotMerged> {
    let mut document: DocumentMut = text.parse()?;
    let empty = || Item::ArrayOfTables(ArrayOfTables::new());
    let item = document.entry(SETTING).or_insert_with(empty);
    let Some(tables) = item.as_array_of_tables_mut() else {
        let nothing = tuning.kernels.iter().all(|kernel| kernel.best.is_none());
        return nothing.then(|| text.to_owned()).ok_or(NotMerged::Form);
    };
    let text_of = |table: &Table, key: &str| {
        let text = table.get(key).and_then(Item::as_str);
        text.map(str::to_owned)
    };
    tables.retain(|table| {
        let (kernel, target) = (text_of(table, "kernel"), text_of(table, "target"));
        let mut found = tuning.kernels.iter();
        !found
            .any(|one| Some(&one.kernel) == kernel.as_ref() && Some(&one.target) == target.as_ref())
    });
    for kernel in &tuning.kernels {
        if let Some(table) = table(kernel, tuning.device.as_deref()) {
            tables.push(table);
        }
    }
    if tables.is_empty() {
        document.remove(SETTING);
    }
    let head = if text.is_empty() { HEAD } else { "" };
    Ok(format!("{head}{document}"))
}

/// What is chosen for a kernel, with its figures.
fn table(kernel: &Kernel, device: Option<&str>) -> Option<Table> {
    let row = &kernel.rows[kernel.best?];
    // The first of several choices does least.
    let entry: Entry = format!("k {}", row.choices.first()?).parse().ok()?;
    let mut table = Table::new();
    table.insert("kernel", value(&kernel.kernel));
    table.insert("target", value(&kernel.target));
    for (name, text) in entry.choice.words() {
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
        Some(device) => format!("measured on {device}"),
        None => "estimated".to_owned(),
    };
    figures.insert("source", source.into());
    figures.insert("launch", kernel.launch.as_str().into());
    table.insert("figures", value(figures));
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::super::data::{Compared, FORMAT, Ratio, Row};
    use super::*;

    fn tuning(best: Option<usize>) -> Tuning {
        let row = |choice: &str| Row {
            choices: vec![choice.to_owned()],
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
            format: FORMAT,
            version: String::new(),
            module: String::new(),
            digest: String::new(),
            device: None,
            kernels: vec![Kernel {
                kernel: "k".to_owned(),
                target: "sm_90".to_owned(),
                launch: "grid 1x1x1, block 32x1x1".to_owned(),
                rows: vec![row("off"), row("passes=memory,shuffle max-live=16")],
                not_estimated: None,
                not_measured: None,
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
        let user = "# mine\nprofit = \"auto\" # so\n\n[[tuned]]\nkernel = \"k\"\ntarget = \"sm_80\"\noff = true\n\n[[tuned]]\nkernel = \"k\"\ntarget = \"sm_90\"\noff = true\n";
        let text = merged(user, &tuning(Some(1))).unwrap();
        let kept = &user[..user.rfind("\n[[tuned]]").unwrap()];
        assert_eq!(text, format!("{kept}\n{TABLE}"));
        assert_eq!(merged(user, &tuning(None)).unwrap(), kept);
        let off = merged("", &tuning(Some(0))).unwrap();
        assert!(off.contains("off = true\n"), "{off}");
        assert!(!merged("", &tuning(None)).unwrap().contains(SETTING));
    }

    #[test]
    fn other_forms_are_refused() {
        let error = |text: &str| merged(text, &tuning(Some(1))).unwrap_err().to_string();
        assert!(error("tuned = \"k off\"").contains("is a text there"));
        assert!(error("tuned").contains("TOML"));
    }
}
