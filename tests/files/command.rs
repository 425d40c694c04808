//! The command itself, run on a case.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use crate::case::{Case, Mode};

/// What the command of the case's header prints: the rewritten module without the header, or the remarks.
pub fn output(case: &Case) -> Result<String, String> {
    let (name, options) = match &case.mode {
        Mode::Opt(options) => ("opt", options),
        Mode::Explain(options) => ("explain", options),
        other => return Err(format!("{other:?} is no command")),
    };
    let printed = run(name, options, &case.text)?;
    if name == "explain" {
        return Ok(printed);
    }
    let module = printed.lines().skip_while(|line| line.starts_with("//"));
    Ok(module.flat_map(|line| [line, "\n"]).collect())
}

fn run(name: &str, options: &[String], text: &str) -> Result<String, String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
        .arg(name)
        .args(options)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let input = child.stdin.take();
    thread::scope(|scope| {
        // A command that ends early closes its input; its status tells.
        scope.spawn(|| input.map(|mut input| input.write_all(text.as_bytes())));
        let output = child
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    })
}
