//! Remarks and figures.

use crate::cells;
use crate::dropin::sandbox::{COVERED, PLAIN, Sandbox, present, said};
use std::path::Path;
use std::process::Command;

fn with_remarks(name: &str, text: &str) -> String {
    let sandbox = Sandbox::new();
    sandbox.script("echo x > \"$4\"");
    sandbox.file("k.ptx", text);
    let words = [
        "-arch=sm_80",
        "k.ptx",
        "-o",
        "o",
        &format!("--ptxasw-remarks={name}"),
    ];
    assert!(sandbox.scripted(&words).status.success());
    String::from_utf8(sandbox.read(name).unwrap()).unwrap()
}

/// The kernel with a position of the source in front of each load.
fn located() -> String {
    let text = COVERED.replace("ld.global", ".loc 1 12 34\nld.global");
    format!("{text}\n.file 1 \"dir/a 'b'.cu\"\n")
}

#[test]
fn json_lines_name_kernel_line_and_reason() {
    let text = with_remarks("r.json", &located());
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["name"], "Kernel");
    // One for each load and store, whatever several passes decided about it.
    let accesses = COVERED.matches("ld.global").count() + COVERED.matches("st.global").count();
    assert_eq!(lines.len(), 1 + accesses);
    let covered: Vec<_> = lines
        .iter()
        .filter(|line| line["kind"] == "Passed")
        .collect();
    assert_eq!(covered.len(), 4);
    assert_eq!(covered[0]["source"]["line"], 12);
    assert!(covered[0]["ptx_line"].as_u64() > covered[0]["source_ptx_line"].as_u64());
    let missed = lines.iter().filter(|line| line["kind"] == "Missed");
    let others = missed.filter_map(|line| line["others"][0]["code"].as_str());
    assert!(
        others.into_iter().any(|code| code.starts_with("C1-")),
        "{text}"
    );
}

/// A kernel whose second load the pass `memory` removes.
const TWICE: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 p)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd2, %rd1;
	ld.global.u32 %r1, [%rd2];
	ld.global.u32 %r2, [%rd2];
	add.u32 %r3, %r1, %r2;
	st.global.u32 [%rd2+4], %r3;
	ret;
}
";

#[test]
fn remarks_and_figures_of_passes_are_left() {
    let sandbox = Sandbox::new();
    sandbox.script("cp \"$2\" \"$4\"");
    sandbox.file("k.ptx", TWICE);
    let left = |file: &str| {
        let remarks = format!("--ptxasw-remarks={file}");
        let words = ["-arch=sm_80", "k.ptx", "-o", "o", "--ptxasw-passes=memory"];
        let more = [&*remarks, "--ptxasw-stats", "--ptxasw-verbose"];
        let output = sandbox.scripted(&[&words[..], &more].concat());
        assert!(output.status.success(), "{}", said(&output));
        (
            String::from_utf8(sandbox.read(file).unwrap()).unwrap(),
            said(&output),
        )
    };
    let (json, told) = left("r.json");
    let remarks = json.lines().map(|line| serde_json::from_str(line).unwrap());
    let remarks: Vec<serde_json::Value> = remarks.collect();
    let removed = remarks.iter().find(|one| one["name"] == "LoadRemoved");
    let removed = removed.unwrap();
    assert_eq!(
        (&removed["kind"], &removed["pass"]),
        (&"Passed".into(), &"memory".into())
    );
    assert_eq!(
        (&removed["ptx_line"], &removed["related_line"]),
        (&11.into(), &10.into())
    );
    assert!(cells(&told).contains("loads 2\nremoved 1\n"), "{told}");
    assert!(
        told.contains("twice: changed; 1 of 2 loads removed\n"),
        "{told}"
    );
    assert_eq!(
        sandbox.read("o").unwrap(),
        TWICE
            .replace("ld.global.u32 %r2, [%rd2]", "mov.b32 %r2, %r1")
            .replace("{\n", "{\n\t// ptxasw 1: memory(loads=batches)\n")
            .into_bytes()
    );
    let (yaml, _) = left("r.yaml");
    let record = "--- !Passed\nPass: ptxasw-memory\nName: LoadRemoved\nFunction: \"twice\"\nArgs:\n  - String: \"removed, same as the load\"\n  - String: \" @\"\n  - OtherLine: \"10\"\n";
    assert!(yaml.contains(record), "{yaml}");
}

/// LLVM's own reader of optimization records, which comes with its packages.
#[test]
fn yaml_is_read_by_opt_viewer() {
    let viewer = Path::new("/usr/lib/llvm-19/share/opt-viewer");
    let yaml = Command::new("/usr/bin/python3")
        .args(["-c", "import yaml"])
        .status();
    let ready = viewer.is_dir() && yaml.is_ok_and(|status| status.success());
    let Some(()) = present("opt-viewer", ready.then_some(())) else {
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.file("r.yaml", with_remarks("r.yaml", &located()));
    let program = "import sys; sys.path.insert(0, sys.argv[1]); import optrecord
hottest, remarks, files = optrecord.get_remarks('r.yaml')
for remark in remarks.values(): print(type(remark).__name__, remark.Function, remark.message)";
    let output = sandbox
        .command("/usr/bin/python3")
        .args(["-c", program, viewer.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Passed wave13pt"), "{text}");
    assert!(text.contains("Missed wave13pt"), "{text}");
}

#[test]
fn figures_of_a_build_add_up() {
    let sandbox = Sandbox::new();
    sandbox.script("echo x > \"$4\"");
    for (name, text) in [("a", COVERED), ("b", COVERED), ("c", PLAIN)] {
        sandbox.file(&format!("{name}.ptx"), text);
        let mut command = sandbox.command(sandbox.path("bin/ptxas"));
        let path = format!("{}:/usr/bin:/bin", sandbox.path("path").display());
        command
            .args(["-arch=sm_80", &format!("{name}.ptx"), "-o", name])
            .env("PATH", path)
            .env("PTXASW_STATS_DIR", sandbox.path("stats"));
        assert!(command.status().unwrap().success());
    }
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    let output = command.args(["stats", "--json", "stats"]).output().unwrap();
    let sum: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let shuffled = &sum["fates"]["loads"]["Shuffled"];
    assert_eq!((&sum["modules"], shuffled), (&3.into(), &8.into()));
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_ptxasw"));
    let output = command.args(["stats", "stats"]).output().unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(cells(&table).contains("shuffled 8\n"), "{table}");
}
