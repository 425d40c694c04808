//! Launches that the user gives.

use super::Diagnostic;
use crate::ptx::decode::form;
use crate::verify::{Given, NamedLaunch};
use crate::warp::launch::{self, LaunchSpec};
use anyhow::Context;

/// The wanted launches of the arguments; all are checked against the kernels that they are for.
pub fn named(
    arguments: &[String],
    module: &form::Module,
    wanted: fn(&LaunchSpec) -> bool,
) -> anyhow::Result<Vec<NamedLaunch>> {
    let mut found = Vec::new();
    for argument in arguments {
        let read = launch::from_argument(argument);
        let specs = read.map_err(|error| Diagnostic(error.to_string()))?;
        let several = specs.len() > 1;
        for (number, spec) in specs.iter().enumerate() {
            let name = match several {
                true => format!("{argument}, launch {number}"),
                false => argument.clone(),
            };
            let context = || format!("`--launch {name}`");
            let function = spec.function(module).with_context(context)?;
            spec.check(function).with_context(context)?;
            if !wanted(spec) {
                continue;
            }
            found.push(NamedLaunch {
                kernel: Some(function.name.to_string()),
                launch: spec.instantiate().with_context(context)?,
                name,
            });
        }
    }
    Ok(found)
}

/// The launches of the arguments, else those of the module's head.
///
/// # Errors
/// One of them is none.
pub fn given(arguments: &[String], text: &[u8]) -> anyhow::Result<Given> {
    let mut specs = Vec::new();
    for argument in arguments {
        let read = launch::from_argument(argument);
        specs.extend(read.map_err(|error| Diagnostic(error.to_string()))?);
    }
    Ok(match arguments.is_empty() {
        true => Given::of_module(text),
        false => Given {
            specs,
            by_user: true,
        },
    })
}
