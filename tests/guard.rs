//! `ptxasw opt` and the registers of what it rewrites: a kernel that loses warps goes back to its original.

use ptxasw::toolchain::{Arch, Search};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Takes 80 registers as it is and up to 130 when it is rewritten, on every target.
const LOSING: &str = include_str!("../ptx-tests/kernelgen/rhs4.sm_80.ptx");
/// Has six shuffles, and loses nothing.
const KEPT: &str = include_str!("../ptx-tests/kernelgen/jacobi.sm_80.ptx");

struct Place(tempfile::TempDir);

impl Place {
    fn new(text: &str) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        fs::write(place.path("a.ptx"), text).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The command in the folder, without any assembler.
    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptxasw"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PTXASW_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(self.0.path())
            .env("PATH", self.path("path"))
            .env("PTXASW_TOOLCHAIN", self.path("none"))
            .env_remove("CUDA_HOME")
            .args(["opt", "--profit", "always", "a.ptx"])
            .args(more);
        command
    }

    /// With an assembler: what is printed on standard output, and messages.
    fn opt(&self, ptxas: &Path, more: &[&str]) -> (String, String) {
        finished(self.command(more).env("PTXASW_PTXAS", ptxas))
    }

    /// A shell script.
    fn script(&self, text: &str) -> PathBuf {
        let path = self.path("script");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }
}

fn finished(command: &mut Command) -> (String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, said) = (text(stdout), text(stderr));
    assert!(status.success(), "{said}");
    (out, said)
}

fn shuffles(text: &str) -> usize {
    text.matches("shfl.sync").count()
}

/// The `ptxas` of CUDA 13, or a note that a test is skipped; with `CI` set that is a failure.
fn ptxas() -> Option<PathBuf> {
    let found = Search::from_environment().ptxas(Arch::new(80)).ok();
    if found.is_none() {
        println!("skipped: no ptxas");
        assert!(std::env::var_os("CI").is_none(), "on CI nothing is skipped");
    }
    found.map(|(path, _)| path)
}

#[test]
fn a_kernel_that_loses_warps_goes_back_alone() {
    let Some(ptxas) = ptxas() else { return };
    let second = KEPT.find(".visible .entry").unwrap();
    let place = Place::new(&format!("{LOSING}{}", &KEPT[second..]));
    let (text, said) = place.opt(&ptxas, &["-v"]);
    assert!(text.starts_with(LOSING) && shuffles(&text) == 6, "{said}");
    assert!(
        said.starts_with("ptxasw: warning: kernel `rhs4`: ")
            && said.contains(" leave ")
            && said.contains("; the original is kept\n")
            && said.contains("jacobi: 6 of 9 loads proved, 6 rewritten\n"),
        "{said}"
    );
    let (file, said) = place.opt(&ptxas, &["-q", "-o", "b.ptx"]);
    assert_eq!((file.as_str(), said.as_str()), ("", ""));
    assert_eq!(fs::read_to_string(place.path("b.ptx")).unwrap(), text);
    let (text, said) = place.opt(&ptxas, &["--no-register-check"]);
    assert!(shuffles(&text) > 80, "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// Machine code names the registers in one place up to sm_89, in another one for later targets.
#[test]
fn registers_are_known_for_every_target() {
    let Some(ptxas) = ptxas() else { return };
    let place = Place::new(LOSING);
    for arch in ["sm_80", "sm_90", "sm_90a", "sm_100", "sm_120"] {
        let (text, said) = place.opt(&ptxas, &["--arch", arch]);
        assert!(text == LOSING, "{arch}: {said}");
        assert!(said.contains(" leave "), "{arch}: {said}");
    }
}

#[test]
fn functions_of_other_modules_may_be_missing() {
    let Some(ptxas) = ptxas() else { return };
    let head = KEPT.find(".visible .entry").unwrap();
    let (head, kernel) = KEPT.split_at(head);
    let place = Place::new(&format!("{head}.extern .func elsewhere ();\n{kernel}"));
    let (text, said) = place.opt(&ptxas, &[]);
    let verdict = "ptxasw: jacobi: 6 of 9 loads proved, 6 rewritten\n";
    assert_eq!((shuffles(&text), said.as_str()), (6, verdict));
}

#[test]
fn without_an_assembler_the_registers_are_not_known() {
    let place = Place::new(LOSING);
    let (text, said) = finished(&mut place.command(&[]));
    assert!(shuffles(&text) > 80);
    let warning = "ptxasw: warning: the registers of rewritten kernels were not checked: no ptxas in PTXASW_TOOLCHAIN, CUDA_HOME or PATH";
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            warning,
            "ptxasw: rhs4: 88 of 179 loads proved, 88 rewritten"
        ]
    );
    for (option, lines) in [
        ("-q", 0),
        ("--no-register-check", 1),
        ("--max-shuffles=0", 1),
    ] {
        let (_, said) = finished(&mut place.command(&[option]));
        assert_eq!(said.lines().count(), lines, "{option}: {said}");
        assert!(!said.contains("warning"), "{option}: {said}");
    }
}

#[test]
fn an_assembler_that_takes_only_the_original_is_believed() {
    let place = Place::new(KEPT);
    let script = place.script("echo 'ptxas fatal   : unknown target' >&2; exit 1");
    let (text, said) = place.opt(&script, &[]);
    assert!(
        shuffles(&text) == 6
            && said.contains("not checked: ")
            && said.contains("fatal   : unknown target"),
        "{said}"
    );
    let Some(ptxas) = ptxas() else { return };
    let script = place.script(&format!(
        "for word in \"$@\"; do case $word in -o) break ;; *) in=$word ;; esac; done\n\
         if /bin/grep -q shfl \"$in\"; then echo 'ptxas a.ptx, line 7; error   : no shuffles here' >&2; exit 255; fi\n\
         exec {} \"$@\"",
        ptxas.display()
    ));
    let (text, said) = place.opt(&script, &[]);
    assert!(text == KEPT, "{said}");
    assert!(
        said.contains("ptxas does not take the rewritten text; the original is kept: ")
            && said.contains("error   : no shuffles here"),
        "{said}"
    );
}

/// A build may have this program in front of its assembler: that must not rewrite the original once more.
#[test]
fn a_drop_in_behind_us_changes_nothing() {
    let Some(ptxas) = ptxas() else { return };
    let place = Place::new(LOSING);
    symlink(env!("CARGO_BIN_EXE_ptxasw"), place.path("ptxas")).unwrap();
    symlink(ptxas, place.path("ptxas.real")).unwrap();
    let mut command = place.command(&[]);
    let (text, said) = finished(
        command
            .env("PATH", place.path(""))
            .env("PTXASW_PROFIT", "always"),
    );
    assert!(text == LOSING && said.contains(" leave "), "{said}");
}
