//! How the command is linked.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    // At a place of its own, as `cc1` of GCC: to move 6,600 addresses at each start takes longer than to analyse a small kernel.
    if (target("OS"), target("ENV")) == ("linux".into(), "gnu".into()) {
        println!("cargo::rustc-link-arg-bin=ptxasw=-no-pie");
    }
}
