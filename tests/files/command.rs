//! The command itself, run on a case.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::files::case::{Case, Mode};
use crate::files::remarks::{self, Lines};

/// What becomes of the loads of a case, by line.
pub fn remarks(case: &Case) -> Result<Lines, String> {
    let Mode::Remarks(options) = &case.mode else {
        return Err(format!("{:?} is not about loads", case.mode));
    };
    let report = report(case, options)?;
    let line_of = |name: &str| {
        let is_name = |word: &str| word == name;
        let mut lines = (1..).zip(case.text.lines());
        let found = lines.find(|(_, line)| {
            let declares = line.contains(".entry") || line.contains(".func");
            let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && !"_$.".contains(c));
            declares && words.any(is_name)
        });
        found.map(|(line, _)| line)
    };
    remarks::found(&report, line_of, Some)
}

/// What `explain --json` reports of a case.
pub fn report(case: &Case, options: &[String]) -> Result<String, String> {
    let output = run("explain", &[options, &["--json".to_owned()]].concat(), case)?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// What the command of the case's header prints: the rewritten module without the header, the remarks, or all of a run.
pub fn output(case: &Case) -> Result<String, String> {
    let (name, options) = match &case.mode {
        Mode::Opt(options) => ("opt", options),
        Mode::Explain(options) => ("explain", options),
        Mode::Run(options) => {
            let output = run("run", options, case)?;
            let text = |bytes| String::from_utf8(bytes).map_err(|error| error.to_string());
            let code = output.status.code().ok_or("a signal ended it")?;
            let (out, messages) = (text(output.stdout)?, text(output.stderr)?);
            return Ok(format!("{out}{messages}exit code {code}\n"));
        }
        other => return Err(format!("{other:?} is no command")),
    };
    let output = run(name, options, case)?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let printed = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    if name == "explain" {
        return Ok(printed);
    }
    let module = printed.lines().skip_while(|line| line.starts_with("//"));
    Ok(module.flat_map(|line| [line, "\n"]).collect())
}

/// Runs the command in the case's folder, with its text as input.
fn run(name: &str, options: &[String], case: &Case) -> Result<Output, String> {
    let folder = case.path.parent().ok_or("a case without a folder")?;
    // What is proved is seen, unless a case is about what of that is emitted.
    let profit: &[&str] = match name {
        "opt" | "explain" if !options.iter().any(|option| option == "--profit") => {
            &["--profit", "always"]
        }
        _ => &[],
    };
    // The files are about shuffles, unless they name passes.
    let passes = |option: &String| option.starts_with("--passes") || option.starts_with("--loads");
    let passes: &[&str] = match name {
        "opt" | "explain" if !options.iter().any(passes) => &["--passes", "shuffle"],
        _ => &[],
    };
    // Whether there is an assembler, and how fast its code is, does not matter here.
    let unchecked = match name {
        "opt" => Some("--no-register-check"),
        "explain" => Some("--no-estimate"),
        _ => None,
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
        .arg(name)
        .args(options)
        .args(profit)
        .args(passes)
        .args(unchecked)
        .arg("-")
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let input = child.stdin.take();
    thread::scope(|scope| {
        // A command that ends early closes its input; its status shows that.
        scope.spawn(|| input.map(|mut input| input.write_all(case.text.as_bytes())));
        child.wait_with_output().map_err(|error| error.to_string())
    })
}
