//! Launches that the user gives.

use super::Diagnostic;
use anyhow::Context;
use clap::Args;
use ptxasw_executor::launch::{self, LaunchSpec};
use ptxasw_ptx::decode::form;
use ptxasw_verify::{Given, NamedLaunch};

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

/// Which launches kernels are executed with, for commands that need one per kernel.
#[derive(Args)]
pub struct LaunchArguments {
    /// What is run: a TOML or JSON file, or a line such as `grid=4 block=128 args=f32[512],f32[512]:zero,512`. Without one,
    /// the first `// launch:` line of the module for each kernel, else a launch is made up.
    #[arg(long, value_name = "FILE|LINE")]
    pub launch: Vec<String>,
    /// Most warp instructions that a launch is executed for.
    #[arg(long, value_name = "N", default_value_t = 1 << 24)]
    pub steps: u64,
}

impl LaunchArguments {
    /// The launches of the arguments, else those of the module's head.
    ///
    /// # Errors
    /// An argument is not a launch.
    pub fn given(&self, text: &[u8]) -> anyhow::Result<Given> {
        if self.launch.is_empty() {
            return Ok(Given::of_module(text));
        }
        let mut specs = Vec::new();
        for argument in &self.launch {
            let read = launch::from_argument(argument);
            specs.extend(read.map_err(|error| Diagnostic(error.to_string()))?);
        }
        Ok(Given {
            specs,
            by_user: true,
        })
    }
}
