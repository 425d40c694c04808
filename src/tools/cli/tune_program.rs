//! `ptxasw tune -- COMMAND`: the hot kernels of a program, with its own launches.

use super::exit::Exit;
use super::record;
use crate::recording::Module;
use anyhow::Context;
use ptxasw_base::kernel_filter::Selection;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};

/// Records a program, and runs `ptxasw tune` with the same options for each module that has a selected hot kernel.
pub fn run(
    (name, words): (&OsStr, &[OsString]),
    folder: Option<&Path>,
    selection: &Selection,
) -> anyhow::Result<ExitCode> {
    let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
    let folder = folder.unwrap_or(temporary.path());
    let (recording, _) = record::record(folder, Command::new(name).args(words))?;
    ptxasw_base::tell!("{}\n", record::table(&recording));
    let mut worst = None;
    for module in &recording.modules {
        let hot = module.hot.iter().filter(|name| selection.has(name));
        let hot: Vec<&str> = hot.map(String::as_str).collect();
        if !hot.is_empty() {
            worst = worst.max(Some(rank(tune(module, &hot)?)));
        }
    }
    Ok(match worst {
        None => {
            ptxasw_base::say!("ptxasw: no hot kernel of this program can be tuned");
            Exit::Unknown.into()
        }
        Some(rank) => RANKS[rank].into(),
    })
}

/// Exit codes of `tune` by severity, the worst last.
const RANKS: [Exit; 3] = [Exit::Done, Exit::Unknown, Exit::Failed];

fn rank(status: ExitStatus) -> usize {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    let found = RANKS.iter().position(|exit| Some(exit.code()) == code);
    found.unwrap_or(RANKS.len() - 1)
}

fn tune(module: &Module, hot: &[&str]) -> anyhow::Result<ExitStatus> {
    let own = env::current_exe().context("cannot find this program")?;
    let mut command = Command::new(&own);
    command.args(options(env::args_os().skip(1)));
    command.arg("--kernel").arg(hot.join(","));
    command.arg("--launch").arg(&module.launches);
    let status = command.arg(&module.text).status();
    status.with_context(|| format!("cannot run `{}`", own.display()))
}

/// The options in front of `--`, without `--record` and `--kernel`, which are set for each module.
fn options(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    const OWN: [&str; 2] = ["--record", "--kernel"];
    let mut kept = Vec::new();
    let mut words = words.take_while(|word| word != "--");
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let (name, value) = text.split_once('=').unzip();
        match OWN.contains(&name.unwrap_or(&text)) {
            true if value.is_none() => drop(words.next()),
            true => {}
            false => kept.push(word.clone()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_each_module() {
        let words = "tune --gpu sm_90 --record here --kernel=a -q --kernel b,c --arch=sm_90 -- ./app --record it";
        let found = options(words.split(' ').map(OsString::from));
        assert_eq!(found, ["tune", "--gpu", "sm_90", "-q", "--arch=sm_90"]);
    }
}
