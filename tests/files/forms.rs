//! Forms of PTX: each line of `ptx-tests/forms/*.txt` in a small module. What the installed `ptxas` takes is parsed, decoded and
//! lowered; what it refuses may be refused.
//!
//! | a line | what it is |
//! | --- | --- |
//! | `== 8.8 sm_90` | `.version` and `.target` of the lines after it |
//! | `STATEMENTS` | statements of a kernel that has registers and variables: `module.ptx.in` |
//! | `DECLARATIONS => STATEMENTS` | the same with declarations in front of the kernel |
//! | `!...` | `ptxas` refuses it |
//! | `# ...` | a comment; `# 1 "file"` is a line marker |
//!
//! `\n` and `\t` are a line end and a tab.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ptxasw::toolchain::Arch;

use crate::files::assemble::{self, Text};
use crate::files::checks;
use crate::files::tools::Tools;

/// A line of a chapter, as a module.
struct Form {
    name: String,
    text: String,
    /// `ptxas` refuses it.
    refused: bool,
}

/// Every line of a chapter is taken by `ptxasw`, or refused by `ptxas`; it takes all that are not marked.
pub fn check(chapter: &Path, tools: &Tools) -> Result<(), String> {
    let forms = load(chapter)?;
    let mut failures = Vec::new();
    for form in &forms {
        let Err(error) = checks::lowers(&form.text) else {
            continue;
        };
        if !form.refused || refusal(tools, form)?.is_none() {
            failures.push(format!("{}: {error}", form.name));
        }
    }
    failures.extend(refused(&forms, tools)?);
    match failures.is_empty() {
        true => Ok(()),
        false => Err(failures.join("\n")),
    }
}

/// What `ptxas` says of a form that it refuses; without one all are refused that are marked.
fn refusal(tools: &Tools, form: &Form) -> Result<Option<String>, String> {
    let arch = assemble::target(form.text.as_bytes())?;
    let Some(assembler) = tools.assembler(arch) else {
        return Ok(Some("no ptxas".into()));
    };
    let refused = assemble::refused(assembler, arch, &[text(form)]);
    Ok(refused.into_iter().next().map(|(_, said)| said))
}

/// The forms that are not marked as refused, and are.
fn refused(forms: &[Form], tools: &Tools) -> Result<Vec<String>, String> {
    let mut groups: BTreeMap<Arch, Vec<&Form>> = BTreeMap::new();
    for form in forms.iter().filter(|form| !form.refused) {
        let arch = assemble::target(form.text.as_bytes())?;
        groups.entry(arch).or_default().push(form);
    }
    let mut failures = Vec::new();
    for (arch, group) in groups {
        let Some(assembler) = tools.assembler(arch) else {
            continue;
        };
        let texts: Vec<Text> = group.into_iter().map(text).collect();
        let refused = assemble::refused(assembler, arch, &texts);
        failures.extend(refused.into_iter().map(|(_, said)| said));
    }
    Ok(failures)
}

fn text(form: &Form) -> Text<'_> {
    Text {
        name: form.name.clone(),
        bytes: form.text.as_bytes(),
    }
}

fn load(chapter: &Path) -> Result<Vec<Form>, String> {
    let read = |path: &Path| {
        let text = fs::read_to_string(path);
        text.map_err(|error| format!("{}: {error}", path.display()))
    };
    let module = read(&chapter.with_file_name("module.ptx.in"))?;
    let mut header = String::new();
    let mut forms = Vec::new();
    for (number, line) in (1..).zip(read(chapter)?.lines()) {
        let marker = line
            .strip_prefix("# ")
            .map(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if line.is_empty() || marker == Some(false) {
            continue;
        }
        if let Some(target) = line.strip_prefix("== ") {
            let (version, target) = target.split_once(' ').ok_or("a version and a target")?;
            header = format!(".version {version}\n.target {target}\n.address_size 64\n");
            continue;
        }
        let (form, refused) = match line.strip_prefix('!') {
            Some(form) => (form, true),
            None => (line, false),
        };
        let form = form.replace("\\n", "\n").replace("\\t", "\t");
        let (declarations, statements) = form.split_once(" =>").unwrap_or(("", &form));
        let body = module.replace("DECLARATIONS", declarations);
        forms.push(Form {
            name: format!("{}:{number}: {line}", chapter.display()),
            text: header.clone() + &body.replace("STATEMENTS", statements),
            refused,
        });
    }
    Ok(forms)
}
