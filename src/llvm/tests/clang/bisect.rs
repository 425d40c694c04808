//! `ptxasw bisect` of builds by clang: it finds one of many removed loads.

use crate::clang::sandbox::{Clang, DEVICE_ONLY, Sandbox, clang, ours, printed};
use std::fs;
use std::process::Command;

/// Each word is loaded twice, with a store between that may write it: the second load goes where a test at the entry holds.
const MANY: &str = r#"#define __device__ __attribute__((device))
#include <__clang_cuda_builtin_vars.h>
__attribute__((global)) void many(float *out, const float *in) {
  float sum = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 50; i++) {
    out[16 * i] = sum * in[16 * i];
    sum += in[16 * i];
  }
  out[1] = sum;
}
"#;

/// The kept module of a run.
fn loads(sandbox: &Sandbox, name: &str) -> usize {
    let text = fs::read_to_string(sandbox.path(&format!("kept/many.cu.sm_80.{name}.ll")));
    text.unwrap_or_default().matches("load float").count()
}

/// A command as a line of a shell.
fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|word| format!("'{}'", word.to_string_lossy()));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_removed_load_is_found_by_the_wrapper_and_by_the_plugin() {
    let (Some(clang), Some(ours)) = (clang().filter(Clang::takes_cuda), ours()) else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file("many.cu", MANY);
    let words = DEVICE_ONLY.map(|word| if word == "kernel.cu" { "many.cu" } else { word });
    let words = [&words[..], &["-o", "many.ptx"]].concat();
    let plugged = clang.plugged(&sandbox, &words);
    let doors = clang.wrapped(&sandbox, &words).into_iter().chain([plugged]);
    for mut command in doors {
        let build = line(&command);
        sandbox.quietly(command.env("PTXASW_SAVE_TEMPS", sandbox.path("kept")));
        let (before, after) = (loads(&sandbox, "input"), loads(&sandbox, "rewritten"));
        // There are two copies, of which one has fewer loads.
        assert!(before == 100 && after < 160, "{before} {after}");
        let guilty = (after + 2 * before) / 2;
        let file = "kept/many.cu.sm_80.rewritten.ll";
        let script = format!(
            "rm -rf kept\nPTXASW_SAVE_TEMPS=kept {build} || exit 9\n\
             test ! -e {file} || test $(grep -c 'load float' {file}) -gt {guilty}\n"
        );
        sandbox.file("build.sh", &script);
        let words = ["bisect", "-q", "--", "sh", "build.sh"];
        let output = sandbox.run(&mut sandbox.command(&ours, &words));
        let found = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{build}: {found}{}",
            printed(&output)
        );
        assert!(
            found.contains("kernel `_Z4manyPfPKf`, pass `memory`"),
            "{found}"
        );
        let number = found.split(": line ").nth(1);
        let number = number.and_then(|rest| rest.split(' ').next()?.parse().ok());
        let number: usize = number.expect("a line");
        let module = sandbox.text("ptxasw-bisect.ptx");
        let line = module.lines().nth(number - 1).expect("it is there");
        assert!(line.contains("load float"), "{found}{line}");
    }
}
