//! The Debian packages, in a system that is installed for it.

use super::{made, output, pack, root, skipped};
use std::path::Path;
use std::process::Command;

/// What runs as root of the new system, beside the packages and a kernel.
const CALLS: &str = r#"
set -e
apt-get install -y -qq /tmp/packages/*.deb > /dev/null
cd /tmp/packages
ptxasw doctor --json > doctor.json
ptxasw opt jacobi.ptx -q --profit always -o jacobi.new.ptx
test "$(grep -c shfl.sync jacobi.new.ptx)" = 6
ptxasw opt jacobi.ll -q --profit always -o jacobi.new.ll
grep -q llvm.nvvm.shfl.sync jacobi.new.ll
zcat /usr/share/man/man1/ptxasw-opt.1.gz | grep -q ptxasw
grep -q ptxasw /usr/share/bash-completion/completions/ptxasw
test -s /usr/share/doc/ptxasw/copyright
"#;

fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The release of the distribution that these programs are built on.
fn codename() -> Option<String> {
    let text = std::fs::read_to_string("/etc/os-release").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    line.map(str::to_owned)
}

#[test]
#[ignore = "make soak STEPS=packages"]
fn debian() {
    let packer = root().join("target/tools/bin/cargo-deb").is_file() || is_there("cargo-deb");
    let (true, true, Some(codename)) = (packer, is_there("mmdebstrap"), codename()) else {
        return skipped("cargo-deb or mmdebstrap");
    };
    if !nix::unistd::geteuid().is_root() {
        return skipped("root, to install a system");
    }
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    pack("src/debian/package.sh", folder, &["--fast"]);
    for name in ["ptxasw_*.deb", "ptxasw-llvm_*.deb"] {
        made(folder, name);
    }
    copy(
        "ptx-tests/kernelgen/jacobi.sm_80.ptx",
        &folder.join("jacobi.ptx"),
    );
    copy("llvm-tests/kernelgen/jacobi.ll", &folder.join("jacobi.ll"));
    std::fs::write(folder.join("calls.sh"), CALLS).unwrap();
    let report = in_a_new_system(folder, &codename);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let path = |name: &str| {
        let tools = report["tools"].as_array().unwrap();
        let tool = tools.iter().find(|tool| tool["name"] == name);
        tool.map(|tool| tool["path"].clone()).unwrap_or_default()
    };
    assert_eq!(path("ptxasw-llvm"), "/usr/bin/ptxasw-llvm");
    assert_eq!(
        path("libptxasw_llvm.so"),
        "/usr/bin/../lib/ptxasw/libptxasw_llvm.so"
    );
    assert!(
        path("Z3")
            .as_str()
            .is_some_and(|path| path.contains("/libz3.so.4")),
        "{report}"
    );
}

/// Installs the smallest system that has a package manager, and makes the calls in it; what `doctor` says.
fn in_a_new_system(folder: &Path, codename: &str) -> String {
    let packages = folder.display();
    let mut install = Command::new("mmdebstrap");
    install.args(["--quiet", "--mode=root", "--variant=apt", "--format=null"]);
    for hook in [
        format!(
            "mkdir -p \"$1/tmp/packages\" && cp {packages}/*.deb {packages}/jacobi.* {packages}/calls.sh \"$1/tmp/packages\""
        ),
        "chroot \"$1\" sh /tmp/packages/calls.sh".to_owned(),
        format!("cp \"$1/tmp/packages/doctor.json\" {packages}/"),
    ] {
        install.arg(format!("--customize-hook={hook}"));
    }
    output(install.arg(codename).arg("/dev/null"));
    std::fs::read_to_string(folder.join("doctor.json")).unwrap()
}

fn copy(from: &str, to: &Path) {
    std::fs::copy(root().join(from), to).unwrap();
}
