//! Whether the real assembler takes every instruction that was tested, so that nothing is tested that is not PTX.

use crate::operations::harness::{HEADER, Instruction};
use ptxasw::toolchain::{Arch, Assembler};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::Command;

/// Instructions of one kernel.
const KERNEL: usize = 200;

/// Assembles all of them: what the assembler says, or that there is none.
pub fn check((instructions, kernels): &(Vec<Instruction>, Vec<String>)) -> Result<String, String> {
    let Ok(ptxas) = Assembler::find(Arch::new(100)) else {
        return match std::env::var_os("CI") {
            Some(_) => Err("CI is set, and there is no ptxas".to_owned()),
            None => Ok("skipped: no ptxas".to_owned()),
        };
    };
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (text, count) = module(instructions, kernels);
    let source = folder.path().join("all.ptx");
    std::fs::write(&source, &text).map_err(|e| e.to_string())?;
    let output = Command::new(ptxas.path())
        .args(["-arch=sm_100a", "-O0", "--compile-only", "-o"])
        .arg(folder.path().join("all.cubin"))
        .arg(&source)
        .output()
        .map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(format!(
            "{count} instructions and {} kernels are PTX",
            kernels.len()
        ));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said
        .lines()
        .take(40)
        .map(|line| with_source(line, &text))
        .collect())
}

/// All instructions, in kernels of many, each in a scope of its own.
fn module(instructions: &[Instruction], kernels: &[String]) -> (String, usize) {
    let mut text = HEADER.to_owned();
    let distinct: BTreeSet<(String, String)> = instructions
        .iter()
        .filter(|i| i.assembled)
        .map(|i| {
            let scope = [
                i.declarations(),
                i.loads().join("\n"),
                i.text.clone(),
                i.stores().join("\n"),
            ];
            (i.module.clone(), scope.join("\n"))
        })
        .collect();
    let scopes: Vec<&(String, String)> = distinct.iter().collect();
    let modules: BTreeSet<&str> = scopes.iter().map(|(module, _)| &module[..]).collect();
    modules.into_iter().for_each(|module| text += module);
    for (number, chunk) in scopes.chunks(KERNEL).enumerate() {
        let _ = write!(
            text,
            ".visible .entry k{number}(.param .u64 in, .param .u64 out)\n{{\n.reg .b32 %flag, %number;\n.reg .b64 %in, %out;\n\
             ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %number, %tid.x;\n"
        );
        for (_, scope) in chunk {
            let _ = write!(text, "{{\n{scope}\n}}\n");
        }
        text += "}\n";
    }
    // Kernels of their own are all called k.
    let bodies: BTreeSet<&str> = kernels
        .iter()
        .map(|k| k.trim_start_matches(HEADER))
        .collect();
    let mut declared = BTreeSet::new();
    for (number, body) in bodies.into_iter().enumerate() {
        let (before, after) = body.split_once(".visible .entry k").unwrap_or(("", body));
        if declared.insert(before) {
            text += before;
        }
        let _ = write!(text, ".visible .entry own{number}{after}");
    }
    (text, scopes.len())
}

/// A message of the assembler, with the line that it is about.
fn with_source(message: &str, text: &str) -> String {
    let number = message
        .split_once("line ")
        .and_then(|(_, rest)| rest.split(';').next()?.parse::<usize>().ok());
    let line = number.and_then(|n| text.lines().nth(n - 1)).unwrap_or("");
    format!("{message}\n    {line}\n")
}
