//! `ptxasw bug`: all that a report of a bug needs, in one archive, without names of the user's machine.

mod anonymous;

use super::exit::Exit;
use super::{defaults, files, llvm};
use crate::doctor;
use anonymous::Machine;
use anyhow::{Context, bail};
use clap::Args;
use flate2::{Compression, GzBuilder};
use ptxasw_driver::pipeline::settings::config;
use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The folder in the archive.
const FOLDER: &str = "ptxasw-bug";

#[derive(Args)]
pub struct Arguments {
    /// The module, PTX or LLVM IR as text.
    input: PathBuf,
    /// Where the archive goes.
    #[arg(short, long, value_name = "FILE", default_value = "ptxasw-bug.tar.gz")]
    output: PathBuf,
    /// Prints nothing but errors.
    #[arg(short, long)]
    quiet: bool,
    /// Options of `ptxasw opt` with which the bug shows.
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<OsString>,
}

/// A file of the archive.
struct Member {
    name: String,
    bytes: Vec<u8>,
}

/// What a command of ptxasw's did with the module of the archive.
struct Ran {
    code: String,
    printed: String,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let text = files::read(&arguments.input)?;
    if llvm::is_ir(&text) && str::from_utf8(&text).is_err() {
        bail!("the input is bitcode, which holds names of folders: `llvm-dis` makes text of it");
    }
    files::distinct(
        ("the input", &arguments.input),
        ("the output", &arguments.output),
    )?;
    let machine = Machine::this();
    let module = machine.module(&text);
    let packer = Packer {
        folder: tempfile::tempdir().context("cannot make a temporary folder")?,
        own: env::current_exe().context("cannot find this program")?,
        name: if llvm::is_ir(&text) {
            "input.ll"
        } else {
            "input.ptx"
        },
        machine: &machine,
        options: &arguments.options,
    };
    let (members, ran) = packer.members(&module)?;
    files::write(&arguments.output, &archive(&members)?)?;
    if !arguments.quiet {
        let names: Vec<&str> = members.iter().map(|member| &*member.name).collect();
        ptxasw_base::say!(
            "ptxasw: `{}`: {}",
            arguments.output.display(),
            names.join(", ")
        );
        ptxasw_base::say!(
            "ptxasw: `ptxasw opt` on the module in the archive: {}",
            ran.code
        );
        for left in machine.left(&module) {
            ptxasw_base::say!(
                "ptxasw: warning: the module has the word `{left}`, a name of this machine, in its code: look at it"
            );
        }
        ptxasw_base::say!(
            "ptxasw: names of kernels and variables are as they were; nothing was sent anywhere"
        );
    }
    Ok(Exit::Done.into())
}

struct Packer<'a> {
    folder: tempfile::TempDir,
    own: PathBuf,
    /// Of the module in the archive.
    name: &'a str,
    machine: &'a Machine,
    options: &'a [OsString],
}

impl Packer<'_> {
    fn members(&self, module: &[u8]) -> anyhow::Result<(Vec<Member>, Ran)> {
        std::fs::write(self.folder.path().join(self.name), module)?;
        let output = self.name.replace("input", "output");
        let mut words = vec!["opt", self.name, "-o", &output];
        let given = |word: &str| self.options.iter().any(|one| one == word);
        if !["-v", "--verbose", "-q", "--quiet"].into_iter().any(given) {
            words.push("-v");
        }
        let ran = self.ran(&words, &self.own_options()?)?;
        let explained = self.ran(&["explain", self.name, "--full"], &[])?;
        let rewritten = std::fs::read(self.folder.path().join(&output)).unwrap_or_default();
        let mut members = Vec::new();
        let mut add = |name: &str, bytes: Vec<u8>| {
            let name = name.to_string();
            members.push(Member { name, bytes });
        };
        add("README.txt", self.readme(&ran).into_bytes());
        add(self.name, module.to_vec());
        add(&output, rewritten);
        add("messages.txt", ran.printed.clone().into_bytes());
        add("explain.txt", explained.printed.into_bytes());
        add("settings.txt", self.settings()?.into_bytes());
        add("versions.txt", self.versions().into_bytes());
        Ok((members, ran))
    }

    /// The user's options, and the settings file that holds in the user's folder.
    fn own_options(&self) -> anyhow::Result<Vec<OsString>> {
        let mut options = self.options.to_vec();
        let file = config::file(env::var_os(config::VARIABLE))?;
        if let Some(file) = file {
            let path = file.path.canonicalize()?;
            options.extend([defaults::OPTION.into(), path.into_os_string()]);
        }
        Ok(options)
    }

    fn ran(&self, words: &[&str], options: &[OsString]) -> anyhow::Result<Ran> {
        let mut command = Command::new(&self.own);
        command.args(words).args(options).stdin(Stdio::null());
        let output = command.current_dir(self.folder.path()).output();
        let output = output.context("cannot run `ptxasw`")?;
        let printed = [output.stdout, output.stderr].concat();
        Ok(Ran {
            code: output.status.to_string(),
            printed: self.machine.text(&String::from_utf8_lossy(&printed)),
        })
    }

    fn readme(&self, ran: &Ran) -> String {
        let options = self.options.iter().map(|word| word.to_string_lossy());
        let options = self.machine.text(&options.collect::<Vec<_>>().join(" "));
        format!(
            "ptxasw opt {} {options}\n{}\n\nPaths, the user's name and the machine's are taken out of all files, debug sections out of \
             the module.\n",
            self.name, ran.code
        )
    }

    fn settings(&self) -> anyhow::Result<String> {
        let mut out = String::new();
        for one in defaults::origins(None)? {
            if let Some(value) = one.value {
                let line = format!("{} = {value} ({})", one.setting.name, one.origin);
                let _ = writeln!(out, "{}", self.machine.text(&line));
            }
        }
        Ok(out)
    }

    fn versions(&self) -> String {
        let mut out = format!(
            "ptxasw {}, {} {}\n",
            env!("CARGO_PKG_VERSION"),
            env::consts::OS,
            env::consts::ARCH
        );
        for tool in doctor::tools(&self.own) {
            let version = match (&tool.version, &tool.path) {
                (Some(version), _) => version,
                (None, Some(_)) => "found",
                (None, None) => "missing",
            };
            let _ = writeln!(out, "{}: {version}", tool.name);
        }
        self.machine.text(&out)
    }
}

/// A compressed archive without times and owners: the same files give the same bytes.
fn archive(members: &[Member]) -> anyhow::Result<Vec<u8>> {
    let gzip = GzBuilder::new().write(Vec::new(), Compression::default());
    let mut archive = tar::Builder::new(gzip);
    for member in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(member.bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        let path = Path::new(FOLDER).join(&member.name);
        archive.append_data(&mut header, path, &*member.bytes)?;
    }
    Ok(archive.into_inner()?.finish()?)
}
