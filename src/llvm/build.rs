//! Builds the few lines of C++ that have no counterpart in LLVM's C interface.

use std::process::Command;

/// The program that says where LLVM is.
const CONFIG: &str = "llvm-config-19";
const SOURCES: [&str; 4] = [
    "native/native.cpp",
    "native/patch.cpp",
    "native/promote.cpp",
    "native/sink.cpp",
];

fn main() {
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    let config = std::env::var("LLVM_CONFIG").unwrap_or_else(|_| CONFIG.into());
    let output = Command::new(&config).arg("--includedir").output();
    let folder = match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_string()
        }
        _ => panic!("`{config}` does not run: LLVM 19 with its headers is needed"),
    };
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-isystem")
        .flag(&folder)
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .warnings(true)
        .files(SOURCES)
        .compile("ptxasw_native");
}
