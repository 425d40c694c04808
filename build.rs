//! How the command is linked.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let is_static = target("FEATURE")
        .split(',')
        .any(|name| name == "crt-static");
    // At a place of its own, as `cc1` of GCC: to move 6,600 addresses at each start takes longer than to analyse a small kernel.
    // What reads foreign text is safe Rust, which does not rest on where it lies.
    if target("OS") == "linux" && target("ENV") == "gnu" && !is_static {
        println!("cargo::rustc-link-arg-bin=ptxasw=-no-pie");
        // A bundle starts where there are only the libraries that `ldd` names for it, and `ptxas` needs these. With a glibc
        // since 2.34 all but `libm` are empty; each costs 0.04 ms at the start.
        let names = ["libpthread.so.0", "libdl.so.2", "librt.so.1", "libm.so.6"];
        let names = names.map(|name| format!("-l:{name}")).join(",");
        println!(
            "cargo::rustc-link-arg-bin=ptxasw=-Wl,--push-state,--no-as-needed,{names},--pop-state"
        );
    }
}
