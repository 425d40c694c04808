//! What settings ask for, of the wrapper and of the plugin.

use crate::clang::sandbox::{Clang, Sandbox, clang, printed};
use ptxasw::report::stats::Figures;
use serde_json::Value;
use std::fs;
use std::process::Command;

const DEVICE: &[&str] = &["-S", "--cuda-device-only", "stencil.cu", "-o", "k.ptx"];

/// A compilation by the plugin, and by the wrapper where it was built.
fn both(clang: &Clang, sandbox: &Sandbox, words: &[&str]) -> Vec<Command> {
    let plugged = clang.plugged(sandbox, words);
    clang
        .wrapped(sandbox, words)
        .into_iter()
        .chain([plugged])
        .collect()
}

#[test]
fn remarks_have_lines_of_ir_and_of_the_source() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let sandbox = Sandbox::new();
    let words = [&["-gline-tables-only"], DEVICE].concat();
    for mut command in both(&clang, &sandbox, &words) {
        command.env("PTXASW_PASSES", "shuffle");
        sandbox.quietly(command.env("PTXASW_REMARKS", sandbox.path("r.json")));
        let remarks: Vec<Value> = sandbox
            .text("r.json")
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let named = |name: &str| -> Vec<&Value> {
            remarks
                .iter()
                .filter(|remark| remark["name"] == name)
                .collect()
        };
        assert_eq!(named("Kernel").len(), 1, "{command:?}");
        let sources = remarks.iter().filter(|remark| remark["is_source"] == true);
        assert_eq!(sources.count(), 1);
        let [one, two] = named("LoadBecomesShuffle")[..] else {
            panic!("{remarks:?}");
        };
        assert_eq!([&one["lanes"], &two["lanes"]], ["i+1", "i+2"]);
        for remark in [one, two] {
            assert_eq!(remark["module"], "stencil.cu");
            assert_eq!(remark["source"]["file"], "stencil.cu");
            assert_eq!(remark["source"]["line"], 4);
            assert!(remark["ir_line"].as_u64() > remark["source_ir_line"].as_u64());
            assert!(remark.get("ptx_line").is_none());
        }
        sandbox.quietly(command.env("PTXASW_REMARKS", sandbox.path("r.yaml")));
        let yaml = sandbox.text("r.yaml");
        assert_eq!(yaml.matches("--- !Passed").count(), 2, "{yaml}");
        assert_eq!(yaml.matches("- IrLine: ").count(), 4, "{yaml}");
        fs::remove_file(sandbox.path("r.json")).unwrap();
        fs::remove_file(sandbox.path("r.yaml")).unwrap();
    }
}

#[test]
fn modules_are_kept_as_text() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let sandbox = Sandbox::new();
    for mut command in both(&clang, &sandbox, DEVICE) {
        sandbox.quietly(command.env("PTXASW_SAVE_TEMPS", sandbox.path("kept")));
        let shuffles = |name: &str| {
            sandbox
                .text(name)
                .matches(" call { i32, i1 } @llvm.nvvm.shfl")
                .count()
        };
        assert_eq!(shuffles("kept/stencil.cu.sm_80.input.ll"), 0);
        assert_eq!(shuffles("kept/stencil.cu.sm_80.rewritten.ll"), 2);
        // Where nothing is rewritten, nothing else is left of an earlier call.
        sandbox.quietly(command.env("PTXASW_KERNELS", "none"));
        assert_eq!(fs::read_dir(sandbox.path("kept")).unwrap().count(), 1);
    }
}

#[test]
fn equal_kernels_stay_rewritten() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let sandbox = Sandbox::new();
    for mut command in both(&clang, &sandbox, DEVICE) {
        sandbox.quietly(command.env("PTXASW_VERIFY", "1"));
        assert_eq!(sandbox.text("k.ptx").matches("shfl.sync").count(), 2);
    }
}

#[test]
fn what_cannot_be_compared_stays_as_it_was() {
    let Some(clang) = clang().filter(Clang::takes_cuda) else {
        return;
    };
    let sandbox = Sandbox::new();
    for (strict, success) in [("0", true), ("1", false)] {
        for mut command in both(&clang, &sandbox, DEVICE) {
            command.env("PTXASW_VERIFY", "1").env("PTXASW_LLC", "/none");
            let output = sandbox.run(command.env("PTXASW_STRICT", strict));
            assert_eq!(output.status.success(), success, "{command:?}");
            let printed = printed(&output);
            assert!(printed.contains("cannot be compared"), "{printed}");
            assert!(printed.contains("`/none`"), "{printed}");
            match success {
                true => {
                    assert_eq!(printed.lines().count(), 1, "{printed}");
                    assert!(!sandbox.text("k.ptx").contains("shfl.sync"));
                }
                false => assert!(printed.contains("error: "), "{printed}"),
            }
        }
    }
}

#[test]
fn figures_and_remarks_know_what_went_back() {
    let Some(clang) = clang()
        .filter(Clang::takes_cuda)
        .filter(Clang::loses_warps_of_tricubic)
    else {
        return;
    };
    let sandbox = Sandbox::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ptx-tests/kernelgen/src");
    let source = format!("{folder}/tricubic.cu");
    let Some(mut wrapped) = clang.wrapped(&sandbox, &["-c", &source, "-o", "k.o"]) else {
        return;
    };
    wrapped
        .env("PTXASW_REMARKS", sandbox.path("r.json"))
        .env("PTXASW_STATS_DIR", sandbox.path("stats"))
        .env("PTXASW_STATS", "1");
    let output = sandbox.run(&mut wrapped);
    assert!(output.status.success(), "{}", printed(&output));
    // The verdict, one table, and no warning.
    let told = printed(&output);
    let (verdict, _) = told.split_once("\nmodules ").expect("a table");
    assert!(
        verdict.starts_with("tricubic: unchanged; ") && verdict.lines().count() == 1,
        "{told}"
    );
    assert_eq!(told.matches("modules ").count(), 1);
    let remarks = sandbox.text("r.json");
    assert!(
        remarks.contains(r#""name":"KernelReverted""#) && remarks.contains("warps"),
        "{remarks}"
    );
    assert!(!remarks.contains("LoadBecomesShuffle"), "{remarks}");
    let mut files = fs::read_dir(sandbox.path("stats")).unwrap();
    let bytes = fs::read(files.next().unwrap().unwrap().path()).unwrap();
    let figures: Figures = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(
        (figures.modules, figures.reverted, figures.rewritten),
        (1, 1, 0)
    );
    assert_eq!((figures.fates.all_loads(), figures.rewritten), (67, 0));
}
