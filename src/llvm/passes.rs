//! Passes of LLVM that run before ours.
//!
//! A neighbour can only be found where its load is in the code: after a call that is not inlined, in a loop that is not
//! unrolled, or under an address that is not split into base and constant, there is none. gpucc (Wu et al., CGO 2016, section
//! 5) lists what it runs to that end; LLVM has all of it, most of it in `llc`, after the stage.

use crate::view::View;
use inkwell::OptimizationLevel;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};
use std::ffi::CString;
use std::sync::Once;

/// gpucc's straight-line scalar optimizations, in the order in which LLVM's NVPTX back end runs them.
const STRAIGHT_LINE: &str = "function(infer-address-spaces,\
speculative-execution,separate-const-offset-from-gep,slsr,gvn,nary-reassociate,early-cse)";

/// Inlining and unrolling, and what makes them pay. Thresholds act on these.
const EXPOSE: &str = "cgscc(inline),\
function(sroa,early-cse,instcombine,loop-simplify,lcssa,loop-unroll<O3>,instcombine,simplifycfg,gvn)";

/// What is to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chosen<'a> {
    /// `straight-line`, `expose`, `gpucc` (both), or a pipeline in LLVM's notation.
    pub pipeline: Option<&'a str>,
    /// How much code inlining may add for a call; without a pipeline runs `expose`.
    pub inline_threshold: Option<u32>,
    /// How much code unrolling may make of a loop; without a pipeline runs `expose`.
    pub unroll_threshold: Option<u32>,
}

/// Why passes can't run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// LLVM has no such target or processor.
    #[error("no machine for the passes: {0}")]
    Machine(String),
    /// LLVM's own message: most often a pass that it does not have.
    #[error("--llvm-passes: {0}")]
    Pipeline(String),
}

/// Runs the passes that were asked for. `arch` is the target in place of the module's own (`sm_80`): its costs decide what is
/// unrolled and inlined.
///
/// # Errors
/// If a name is not one of LLVM's passes.
pub fn run(module: &Module, chosen: &Chosen, arch: Option<&str>) -> Result<(), Error> {
    let Some(pipeline) = pipeline(chosen) else {
        return Ok(());
    };
    set_thresholds(chosen);
    let functions = View::new(module).functions();
    let mut remaining = functions.iter();
    let processor = arch
        .map(str::to_owned)
        .or_else(|| remaining.find_map(|function| function.text_attribute("target-cpu")));
    let machine = machine(&processor.unwrap_or_default())?;
    module
        .run_passes(&pipeline, &machine, PassBuilderOptions::create())
        .map_err(|message| Error::Pipeline(message.to_string_lossy().trim_end().to_owned()))
}

/// The pipeline in LLVM's notation; none if nothing was asked for.
fn pipeline(chosen: &Chosen) -> Option<String> {
    match chosen.pipeline {
        Some("straight-line") => Some(STRAIGHT_LINE.into()),
        Some("expose") => Some(EXPOSE.into()),
        Some("gpucc") => Some(format!("{EXPOSE},{STRAIGHT_LINE}")),
        Some(other) => Some(other.to_owned()),
        None if chosen.inline_threshold.is_some() || chosen.unroll_threshold.is_some() => {
            Some(EXPOSE.into())
        }
        None => None,
    }
}

fn machine(processor: &str) -> Result<TargetMachine, Error> {
    Target::initialize_nvptx(&InitializationConfig::default());
    let triple = TargetTriple::create("nvptx64-nvidia-cuda");
    let failed = |message: String| Error::Machine(message);
    let target =
        Target::from_triple(&triple).map_err(|message| failed(message.to_string_lossy().into()))?;
    target
        .create_target_machine(
            &triple,
            processor,
            "",
            OptimizationLevel::Aggressive,
            RelocMode::Default,
            CodeModel::Default,
        )
        .ok_or_else(|| failed(format!("`{processor}`")))
}

/// LLVM keeps thresholds as options of the process; they can be set once.
fn set_thresholds(chosen: &Chosen) {
    static ONCE: Once = Once::new();
    let mut words = vec!["ptxasw-llvm".to_owned()];
    let inline = chosen.inline_threshold;
    words.extend(inline.map(|count| format!("-inline-threshold={count}")));
    let unroll = chosen.unroll_threshold;
    words.extend(unroll.map(|count| format!("-unroll-threshold={count}")));
    if words.len() == 1 {
        return;
    }
    ONCE.call_once(|| {
        let words: Vec<CString> = words
            .into_iter()
            .filter_map(|word| CString::new(word).ok())
            .collect();
        let pointers: Vec<_> = words.iter().map(|word| word.as_ptr()).collect();
        // LLVM copies what it keeps.
        unsafe {
            LLVMParseCommandLineOptions(pointers.len() as i32, pointers.as_ptr(), c"".as_ptr());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use inkwell::context::Context;

    /// Loads of a kernel that goes through 40 taps in a loop.
    fn loads_after(chosen: &Chosen) -> Result<usize, Error> {
        let text = r#"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @taps(ptr %in, ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %i = add i32 %tid, %k
  %from = getelementptr float, ptr %in, i32 %i
  %x = load float, ptr %from
  %y = fmul float %x, %x
  %z = fdiv float %y, %x
  %more = fadd float %sum, %z
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 211
  br i1 %done, label %end, label %loop
end:
  %to = getelementptr float, ptr %out, i32 %tid
  store float %more, ptr %to
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"#;
        let context = Context::create();
        let module = crate::read::read(&context, text.as_bytes(), "taps.ll").expect("valid");
        run(&module, chosen, Some("sm_80"))?;
        module.verify().expect("still valid");
        Ok(module.to_string().matches("= load float").count())
    }

    #[test]
    fn a_threshold_decides_what_is_unrolled() {
        let nothing = Chosen::default();
        assert_eq!(loads_after(&nothing).unwrap(), 1);
        let unrolled = Chosen {
            unroll_threshold: Some(10_000),
            ..Chosen::default()
        };
        assert_eq!(loads_after(&unrolled).unwrap(), 211);
    }

    #[test]
    fn a_pass_that_llvm_does_not_have_is_an_error() {
        let chosen = Chosen {
            pipeline: Some("no-such-pass"),
            ..Chosen::default()
        };
        let error = loads_after(&chosen).unwrap_err().to_string();
        assert!(error.starts_with("--llvm-passes: "), "{error}");
        assert!(error.contains("no-such-pass"), "{error}");
    }

    #[test]
    fn the_named_pipelines_are_ones_of_llvm() {
        for name in ["straight-line", "expose", "gpucc"] {
            let chosen = Chosen {
                pipeline: Some(name),
                ..Chosen::default()
            };
            assert!(loads_after(&chosen).is_ok(), "{name}");
        }
    }
}
