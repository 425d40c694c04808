//! What the programs are linked with: the drop-in assembler must start in milliseconds, and LLVM alone takes twenty, Z3 nearly
//! one.

use object::read::elf::{Dyn, ElfFile64, FileHeader};
use std::fs;

/// The libraries that the loader must find before a program starts.
fn needed(path: &str) -> Vec<String> {
    let bytes = fs::read(path).expect("a program");
    let file = ElfFile64::<object::Endianness>::parse(&*bytes).expect("an ELF file");
    let (endian, header) = (file.endian(), file.elf_header());
    let sections = header.sections(endian, &*bytes).expect("sections");
    let (entries, strings) = sections
        .dynamic(endian, &*bytes)
        .expect("a dynamic section")
        .expect("linked dynamically");
    let strings = sections.strings(endian, &*bytes, strings).expect("names");
    entries
        .iter()
        .filter(|entry| entry.tag(endian) == object::elf::DT_NEEDED)
        .map(|entry| {
            let name = entry.string(endian, strings).expect("a name");
            String::from_utf8_lossy(name).into_owned()
        })
        .collect()
}

#[test]
fn the_assembler_starts_without_llvm_and_z3() {
    let libraries = needed(env!("CARGO_BIN_EXE_ptxasw"));
    assert!(
        libraries.iter().any(|name| name.starts_with("libc.so")),
        "{libraries:?}"
    );
    let heavy = |name: &&String| {
        ["LLVM", "clang", "z3", "stdc++"]
            .iter()
            .any(|part| name.contains(part))
    };
    assert_eq!(libraries.iter().find(heavy), None, "{libraries:?}");
    // What any `ptxas` needs: `ldd` must name it for a bundle.
    for name in ["libpthread.so.0", "libdl.so.2", "librt.so.1", "libm.so.6"] {
        assert!(
            libraries.iter().any(|one| one == name),
            "{name}: {libraries:?}"
        );
    }
}
