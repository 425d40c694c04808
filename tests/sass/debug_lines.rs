//! What the memory pass does to lines of the source: profilers and debuggers show them for the machine code.

use super::attributed::{Access, accesses, is_part, lines_of, marked};
use ptxasw::Options;
use ptxasw::passes::memory::{Loads, MemoryOptions};
use ptxasw::toolchain::{Arch, Search};
use std::process::Command;

const SOURCE: &str = include_str!("lines.cu");
const ARCHS: [Arch; 2] = [Arch::new(80), Arch::new(90)];

/// Levels, and how many loads are left in front of the fallback: those of a record are one; where stores are apart, two more are
/// gone.
const LEVELS: [(Loads, usize); 3] = [(Loads::Checked, 6), (Loads::Bulk, 4), (Loads::Always, 4)];

/// PTX of the source, with its lines; none without `nvcc`.
fn compiled() -> Option<String> {
    let Ok((nvcc, _)) = Search::from_environment().program("nvcc") else {
        assert!(std::env::var_os("CI").is_none(), "no nvcc");
        eprintln!("skipped: no nvcc");
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    let [source, made] = ["lines.cu", "lines.ptx"].map(|name| folder.path().join(name));
    std::fs::write(&source, SOURCE).unwrap();
    let mut command = Command::new(nvcc);
    command.args(["-O3", "-lineinfo", "-ptx", "-arch=sm_80"]);
    let status = command.arg(source).arg("-o").arg(&made).status().unwrap();
    assert!(status.success());
    Some(std::fs::read_to_string(made).unwrap())
}

fn rewritten(text: &str, loads: Loads) -> Vec<u8> {
    let options = Options {
        passes: "memory".parse().unwrap(),
        memory: MemoryOptions {
            loads,
            ..MemoryOptions::default()
        },
        ..Options::default()
    };
    ptxasw::optimize(text.as_bytes(), &options).unwrap().text
}

/// Accesses in front of the fallback, to which the first jump leads, and those in it.
fn copies(text: &[u8], accesses: &[Access]) -> [Vec<Access>; 2] {
    let text = std::str::from_utf8(text).unwrap();
    let (_, jump) = text.split_once("bra $ptxaswp_").expect("a test");
    let (label, _) = jump.split_once(';').unwrap();
    let label = format!("$ptxaswp_{label}:");
    let mut lines = (1..).zip(text.lines());
    let fallback = lines
        .find(|(_, line)| line.trim() == label)
        .expect("a fallback");
    let (fast, slow) = accesses.iter().partition(|one| one.ptx_line < fallback.0);
    [fast, slow]
}

#[test]
fn accesses_keep_their_lines_in_both_copies() {
    let Some(original) = compiled() else { return };
    for arch in ARCHS {
        let Some(before) = accesses(original.as_bytes(), arch) else {
            return;
        };
        for loads in [true, false] {
            assert_eq!(lines_of(&before, loads), marked(SOURCE, loads), "{arch}");
        }
        for (level, left) in LEVELS {
            let text = rewritten(&original, level);
            let after = accesses(&text, arch).unwrap();
            let [fast, slow] = copies(&text, &after);
            for loads in [true, false] {
                let all = marked(SOURCE, loads);
                assert_eq!(lines_of(&slow, loads), all, "{arch}, {level:?}");
                let fast = lines_of(&fast, loads);
                assert!(
                    is_part(&fast, &all),
                    "{arch}, {level:?}: {fast:?} of {all:?}"
                );
                if loads {
                    assert_eq!(fast.len(), left, "{arch}, {level:?}: {fast:?}");
                }
            }
        }
    }
}
