//! The real assembler on many texts at once: one process takes them all, since starting it costs ten times as much as what it
//! does with a small kernel.

use crate::answers::{self, Question};
use ptxasw::ptx::{self, ast::Item};
use ptxasw::toolchain::{Arch, Assembler, is_part};
use std::collections::BTreeSet;
use std::process::Command;

/// A text to assemble.
pub struct Text<'a> {
    /// What messages call it.
    pub name: String,
    /// The module.
    pub bytes: &'a [u8],
}

/// The architecture that a module is assembled for.
pub fn target(text: &[u8]) -> Result<Arch, String> {
    Arch::of_module(&String::from_utf8_lossy(text))
        .map(Arch::assembled_as)
        .ok_or_else(|| "the module has no .target".into())
}

/// Texts that the assembler refuses, by their place in the list, with what it says. All are assembled for `arch`.
///
/// Where the whole list fails, each text is tried alone: two of them may only not fit together.
pub fn refused(assembler: &Assembler, arch: Arch, texts: &[Text]) -> Vec<(usize, String)> {
    let (program, target) = (answers::file(assembler.path()), arch.to_string());
    let inputs = [&*program, target.as_bytes()].into_iter();
    let question = Question::new(inputs.chain(texts.iter().map(|text| text.bytes)));
    if question.known().is_some() {
        return Vec::new();
    }
    let refused = asked(assembler, arch, texts);
    if refused.is_empty() {
        question.keep("accepted");
    }
    refused
}

fn asked(assembler: &Assembler, arch: Arch, texts: &[Text]) -> Vec<(usize, String)> {
    if texts.len() > 1 && together(assembler, arch, texts).is_ok() {
        return Vec::new();
    }
    let alone = texts.iter().map(|text| match is_part(text.bytes) {
        true => assembler.assemble_part(text.bytes, arch),
        false => assembler.assemble(text.bytes, arch),
    });
    let failures = alone.enumerate().filter_map(|(number, result)| {
        let error = result.err()?;
        Some((
            number,
            format!("{} for {arch}: {error}", texts[number].name),
        ))
    });
    failures.collect()
}

/// Assembles all texts by one process.
fn together(assembler: &Assembler, arch: Arch, texts: &[Text]) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut command = Command::new(assembler.path());
    command.arg(format!("-arch={arch}"));
    if texts.iter().any(|text| is_part(text.bytes)) {
        command.arg("-c");
    }
    for (number, text) in texts.iter().enumerate() {
        let path = folder.path().join(format!("{number}.ptx"));
        let unique = unique(text.bytes, number).ok_or("a module that does not parse")?;
        std::fs::write(&path, unique).map_err(|error| error.to_string())?;
        command.arg(path);
    }
    let output = command.arg("-o").arg(folder.path().join("cubin")).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The text with a number after the name of everything that the module defines, so that no two texts define the same.
fn unique(text: &[u8], number: usize) -> Option<Vec<u8>> {
    let module = ptx::parse(text).ok()?;
    let mut names = BTreeSet::new();
    for item in &module.items {
        match item {
            Item::Function(function) if function.body.is_some() => {
                names.insert(module.str(function.name));
            }
            Item::Variable(variable) => {
                names.extend(variable.names.iter().map(|one| module.str(one.name)));
            }
            _ => {}
        }
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$%".contains(byte);
    let mut out = Vec::with_capacity(text.len() + 64);
    for word in text.chunk_by(|a, b| is_word(a) && is_word(b)) {
        out.extend_from_slice(word);
        if std::str::from_utf8(word).is_ok_and(|word| names.contains(word)) {
            out.extend_from_slice(format!("_{number}").as_bytes());
        }
    }
    Some(out)
}
