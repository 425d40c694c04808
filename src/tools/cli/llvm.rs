//! LLVM IR as an input: `ptxasw-llvm`, the program next to this one, takes it. This one links no LLVM.

use anyhow::{Context, bail};
use std::io::{Seek, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that reads LLVM IR.
const PROGRAM: &str = "ptxasw-llvm";
/// What bitcode begins with: itself, or in a wrapper.
const MAGICS: [[u8; 4]; 2] = [[b'B', b'C', 0xc0, 0xde], [0xde, 0xc0, 0x17, 0x0b]];
/// How items of textual IR begin.
const WORDS: [&str; 9] = [
    "attributes",
    "declare",
    "define",
    "module",
    "source_filename",
    "target",
    "uselistorder",
    "uselistorder_bb",
    "ModuleID",
];

/// Whether bytes are LLVM IR and not PTX.
pub fn is_ir(bytes: &[u8]) -> bool {
    if MAGICS.iter().any(|magic| bytes.starts_with(magic)) {
        return true;
    }
    // A library of object files, whose first byte is that of metadata.
    if bytes.starts_with(b"!<arch>") {
        return false;
    }
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let Some(first) = lines.into_iter().find(|line| !line.is_empty()) else {
        return false;
    };
    let word = first.split(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_');
    let word = word.into_iter().next().unwrap_or_default();
    // A comment, a variable, a type, metadata, a comdat, a summary: no statement of PTX begins so.
    matches!(first.first(), Some(b';' | b'@' | b'%' | b'!' | b'$' | b'^'))
        || WORDS.iter().any(|one| one.as_bytes() == word)
}

/// Runs `ptxasw-llvm` in place of this process if the input is LLVM IR: it gets the same words. An input that came from
/// the standard input is there again.
pub fn hand_over(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if !is_ir(bytes) {
        return Ok(());
    }
    let mut command = Command::new(program());
    command.args(std::env::args_os().skip(1));
    if path == Path::new("-") {
        let mut input = tempfile::tempfile().context("cannot keep standard input")?;
        input.write_all(bytes)?;
        input.rewind()?;
        command.stdin(input);
    }
    let error = command.exec();
    if error.kind() == std::io::ErrorKind::NotFound {
        bail!(
            "`{}` is LLVM IR, for which `{PROGRAM}` is needed: it is neither next to this program nor in PATH",
            super::files::display(path)
        );
    }
    Err(error).with_context(|| format!("cannot run `{PROGRAM}`"))
}

/// The program of the same build, else whichever is found.
fn program() -> PathBuf {
    let beside = std::env::current_exe().map(|own| own.with_file_name(PROGRAM));
    match beside {
        Ok(path) if path.is_file() => path,
        _ => PROGRAM.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_ir;

    #[test]
    fn ir_is_told_from_ptx() {
        for ir in [
            "; ModuleID = 'a'\n",
            "\n\n  target triple = \"nvptx64\"\n",
            "define void @f() { ret void }",
            "@a = global i32 0",
            "%s = type { i32 }",
            "source_filename = \"a.cu\"",
        ] {
            assert!(is_ir(ir.as_bytes()), "{ir}");
        }
        assert!(is_ir(b"BC\xc0\xde\x35\x14"));
        for ptx in [
            "",
            "//\n.version 8.0\n",
            "/* ; */ .version 8.0",
            ".version 8.0",
            "define_it 3",
            "!<arch>\nk.o/",
            "garbage",
        ] {
            assert!(!is_ir(ptx.as_bytes()), "{ptx}");
        }
    }
}
