//! Builds the few lines of C++ that have no counterpart in LLVM's C interface.

use std::process::Command;

/// The versions of LLVM that there is a feature for.
const VERSIONS: [&str; 9] = ["15", "16", "17", "18", "19", "20", "21", "22", "23"];
const SOURCES: [&str; 5] = [
    "native/native.cpp",
    "native/patch.cpp",
    "native/promote.cpp",
    "native/questions.cpp",
    "native/sink.cpp",
];

fn main() {
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
    }
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    println!("cargo:rerun-if-changed=native/versions.h");
    let version = version();
    println!("cargo:rustc-env=BUILT_FOR_LLVM={version}");
    let config = std::env::var("LLVM_CONFIG").unwrap_or_else(|_| format!("llvm-config-{version}"));
    let ask = |option| match Command::new(&config).arg(option).output() {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim().to_string()
        }
        _ => panic!("`{config}` does not run: LLVM {version} with its headers is needed"),
    };
    // Headers of another version would compile, and crash.
    let found = ask("--version");
    let major = found.split('.').next();
    assert!(
        major == Some(version),
        "`{config}` is that of LLVM {found}, and LLVM {version} is needed"
    );
    let folder = ask("--includedir");
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

/// The version that a feature requests.
fn version() -> &'static str {
    let requested =
        |version: &&&str| std::env::var_os(format!("CARGO_FEATURE_LLVM{version}")).is_some();
    let mut versions = VERSIONS.iter().filter(requested);
    match (versions.next(), versions.next()) {
        (Some(version), None) => version,
        _ => panic!(
            "exactly one of the features `llvm15` to `llvm23` is needed (`--no-default-features` leaves the default out)"
        ),
    }
}
