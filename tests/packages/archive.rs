//! The archive of a release, unpacked into an empty folder, and what `cargo binstall` is told of it.

use super::{made, output, pack, root};
use std::path::Path;
use std::process::Command;

/// A program without any variable of this environment.
fn clean(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", home).current_dir(home);
    command
}

#[test]
fn archive() {
    let place = tempfile::tempdir().unwrap();
    let home = place.path();
    pack("src/archive/archive.sh", &home.join("archives"), &[]);
    let archive = made(&home.join("archives"), "*.tar.gz");
    let told = Told::read();
    let name = archive.file_name().unwrap().to_str().unwrap();
    assert_eq!(told.url.rsplit('/').next(), Some(name));
    output(
        Command::new("tar")
            .current_dir(home)
            .arg("-xzf")
            .arg(&archive),
    );
    let program = home.join(&told.program);
    let folder = program.parent().unwrap().parent().unwrap();
    its_doctor_finds_what_came_along(&program, home, folder);
    it_rewrites(&program, home);
    for file in [
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "share/man/man1/ptxasw-opt.1",
        "share/completions/ptxasw.bash",
    ] {
        assert!(folder.join(file).is_file(), "{file}");
    }
}

/// What `package.metadata.binstall` makes of this version and this kind of machine.
struct Told {
    url: String,
    program: String,
}

impl Told {
    fn read() -> Self {
        let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let manifest: toml_edit::DocumentMut = manifest.parse().unwrap();
        let told = &manifest["package"]["metadata"]["binstall"];
        assert_eq!(told["pkg-fmt"].as_str(), Some("tgz"));
        let host = output(Command::new("rustc").arg("-vV"));
        let host = host.lines().find_map(|line| line.strip_prefix("host: "));
        let filled = |key: &str| {
            let text = told[key].as_str().unwrap();
            let text = text.replace("{ version }", env!("CARGO_PKG_VERSION"));
            let text = text.replace("{ target }", host.unwrap());
            text.replace("{ bin }", "ptxasw")
                .replace("{ binary-ext }", "")
        };
        Told {
            url: filled("pkg-url"),
            program: filled("bin-dir"),
        }
    }
}

fn its_doctor_finds_what_came_along(program: &Path, home: &Path, folder: &Path) {
    let report = output(clean(program, home).args(["doctor", "--json"]));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    for (name, file) in [
        ("Z3", "libz3.so.4"),
        ("libptxasw_llvm.so", "libptxasw_llvm.so"),
    ] {
        let mut tools = report["tools"].as_array().unwrap().iter();
        let tool = tools.find(|tool| tool["name"] == name).unwrap();
        let path = Path::new(tool["path"].as_str().unwrap_or_default());
        let own = folder.join("lib/ptxasw").join(file);
        assert_eq!(path.canonicalize().ok(), own.canonicalize().ok(), "{tool}");
    }
}

fn it_rewrites(program: &Path, home: &Path) {
    for (input, written, count) in [
        ("ptx-tests/kernelgen/jacobi.sm_80.ptx", "shfl.sync", 6),
        (
            "llvm-tests/kernelgen/jacobi.ll",
            "call { i32, i1 } @llvm.nvvm.shfl.sync",
            6,
        ),
    ] {
        let input = root().join(input);
        let mut command = clean(program, home);
        command.args(["opt", "-q", "--profit", "always"]).arg(input);
        let text = output(&mut command);
        assert_eq!(text.matches(written).count(), count, "{text}");
    }
}

/// `cargo install` makes a program of the profile `release`; packages and what debuggers read come of one with debug information.
#[test]
fn only_what_is_split_has_debug_information() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml_edit::DocumentMut = manifest.parse().unwrap();
    let release = &manifest["profile"]["release"];
    assert_eq!(release["strip"].as_str(), Some("debuginfo"));
    assert!(release.get("debug").is_none());
    let split = &manifest["profile"]["dist"];
    assert_eq!(split["inherits"].as_str(), Some("release"));
    assert_eq!(split["debug"].as_integer(), Some(1));
    assert_eq!(split["strip"].as_str(), Some("none"));
    for file in [
        "Makefile",
        "src/llvm/version.sh",
        "tests/packages/aarch64.sh",
    ] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains("cargo build --profile dist"), "{file}");
    }
}
