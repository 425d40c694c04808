//! `ptxasw tune -- COMMAND`: the hot kernels of a program, with its own launches.

use super::exit::Exit;
use super::record;
use crate::recording::Module;
use anyhow::Context;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Records a program, and tunes each module that has a hot kernel, by a call of its own: all its options are ours.
pub fn run(
    (name, words): (&OsStr, &[OsString]),
    folder: Option<&Path>,
) -> anyhow::Result<ExitCode> {
    let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
    let folder = folder.unwrap_or(temporary.path());
    let (recording, _) = record::record(folder, Command::new(name).args(words))?;
    crate::tell!("{}\n", record::table(&recording));
    let mut code = Exit::Unknown.code();
    let hot = recording
        .modules
        .iter()
        .filter(|module| !module.hot.is_empty());
    for (number, module) in hot.enumerate() {
        let status = tune(module)?;
        // The first one decides, and then the worst.
        let own = status.code().map_or(Exit::Failed.code(), |code| code as u8);
        code = if number == 0 { own } else { code.max(own) };
    }
    if recording.modules.is_empty() {
        crate::say!("ptxasw: no kernel of this program can be tuned");
    }
    Ok(code.into())
}

fn tune(module: &Module) -> anyhow::Result<std::process::ExitStatus> {
    let own = env::current_exe().context("cannot find this program")?;
    let words = options(env::args_os().skip(1));
    let names_kernels = words
        .iter()
        .any(|word| word.to_string_lossy().starts_with("--kernel"));
    let mut command = Command::new(&own);
    command.args(words);
    if !names_kernels {
        command.arg("--kernel").arg(module.hot.join(","));
    }
    command
        .arg("--launch")
        .arg(&module.launches)
        .arg(&module.text);
    command
        .status()
        .with_context(|| format!("cannot run `{}`", own.display()))
}

/// The words in front of `--`, without the folder of the record.
fn options(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut own = Vec::new();
    let mut words = words.take_while(|word| word != "--");
    while let Some(word) = words.next() {
        match word.to_str() {
            Some("--record") => drop(words.next()),
            Some(text) if text.starts_with("--record=") => {}
            _ => own.push(word),
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_each_module() {
        let words = "tune --gpu sm_90 --record here --record=there -q -- ./app --record it";
        let found = options(words.split(' ').map(OsString::from));
        assert_eq!(found, ["tune", "--gpu", "sm_90", "-q"]);
    }
}
