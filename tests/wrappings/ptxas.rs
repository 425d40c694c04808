//! The real assembler, where there is one.

use ptxasw::toolchain::{Arch, Assembler};

/// Asserts that ptxas takes all of the texts. Without ptxas says so, which is an error where `CI` is set.
pub fn assemble(texts: &[(String, Vec<u8>)]) {
    let arch: Arch = "sm_80".parse().unwrap();
    let assembler = match Assembler::find(arch) {
        Ok(assembler) => assembler,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            eprintln!("skipped: no ptxas");
            return;
        }
    };
    for (name, text) in texts {
        if let Err(error) = assembler.assemble(text, arch) {
            panic!("{name}: {error}");
        }
    }
}
