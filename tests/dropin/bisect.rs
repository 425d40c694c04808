//! `ptxasw bisect` finds one removed load among many, however the build comes to ptxasw.

use crate::dropin::sandbox::{Sandbox, real_ptxas, said};
use std::fmt::Write as _;

/// Words that the kernel loads, each twice.
const WORDS: usize = 100;
/// Bytes from one to the next: too far for a wide access.
const STRIDE: usize = 64;
/// The word whose second load makes the build fail if it goes.
const GUILTY: usize = 57;

/// A kernel of which one load of each pair goes.
fn kernel() -> String {
    let mut body = String::new();
    for at in (0..WORDS).map(|word| word * STRIDE) {
        let _ = write!(
            body,
            "\tld.global.u32 %r1, [%rd2+{at}];\n\tadd.u32 %r3, %r3, %r1;\n\
             \tld.global.u32 %r2, [%rd2+{at}];\n\tadd.u32 %r3, %r3, %r2;\n"
        );
    }
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry many(.param .u64 p)\n{{\n\
         \t.reg .b32 %r<4>;\n\t.reg .b64 %rd<3>;\n\tld.param.u64 %rd1, [p];\n\
         \tcvta.to.global.u64 %rd2, %rd1;\n\tmov.u32 %r3, 0;\n{body}\
         \tst.global.u32 [%rd2], %r3;\n\tret;\n}}\n"
    )
}

/// A script that fails where the guilty load is gone.
fn build(assemble: &str) -> String {
    let place = format!("+{}]", GUILTY * STRIDE);
    format!(
        "rm -rf kept\nPTXASW_SAVE_TEMPS=kept {assemble} -arch=sm_80 many.ptx -o many.cubin || exit 9\n\
         test ! -e kept/many.cubin.rewritten.ptx || test $(grep -cF '{place}' kept/many.cubin.rewritten.ptx) -ge 2\n"
    )
}

#[test]
fn one_removed_load_among_many_is_found_in_every_door() {
    let Some(ptxas) = real_ptxas() else { return };
    let sandbox = Sandbox::new();
    let text = kernel();
    sandbox.file("many.ptx", &text);
    let second = format!("ld.global.u32 %r2, [%rd2+{}]", GUILTY * STRIDE);
    let line = text.lines().position(|line| line.contains(&second));
    let line = line.expect("it is there") + 1;
    let own = env!("CARGO_BIN_EXE_ptxasw");
    let mut shim = sandbox.command(own);
    let home = ptxas.parent().and_then(|bin| bin.parent()).expect("a home");
    let shim = shim.args(["shim", "shadow", "--cuda-home"]).arg(home);
    let shim = shim.output().unwrap();
    assert!(shim.status.success(), "{}", said(&shim));
    let opt = format!(
        "{own} opt many.ptx -o out.ptx -q || exit 9\ntest $(grep -cF '+{}]' out.ptx) -ge 2\n",
        GUILTY * STRIDE
    );
    let doors = [
        ("opt", opt, Vec::new()),
        ("drop-in", build("bin/ptxas"), Vec::new()),
        ("shim", build("shadow/bin/ptxas"), Vec::new()),
        (
            "run-build",
            build("$TRITON_PTXAS_PATH"),
            vec![own, "run-build", "--folder", "links", "--"],
        ),
    ];
    for (door, script, around) in doors {
        sandbox.file("build.sh", script);
        let mut bisect = sandbox.command(own);
        bisect.args(["bisect", "-q", "--"]).args(around);
        bisect.args(["sh", "build.sh"]).env("PTXASW_PTXAS", &ptxas);
        let output = bisect.output().unwrap();
        let found = String::from_utf8_lossy(&output.stdout);
        let expected = format!(" of {WORDS} makes the command fail: line {line} of ");
        let right = found.contains(&expected) && found.contains("pass `memory`");
        assert!(right, "{door}: {found}{}", said(&output));
    }
}
