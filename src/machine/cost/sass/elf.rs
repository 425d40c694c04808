//! The parts of a cubin that hold machine code.

use super::instruction::{BYTES, Instruction};
use super::{CodeError, KernelCode, Refusal, lines};
use crate::toolchain::cubin;
use object::Endianness;
use object::elf::{FileHeader64, SHT_SYMTAB, SymbolOther};
use object::read::elf::{FileHeader, SectionHeader, Sym};
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

/// In a symbol's `st_other`: an entry that a host may launch.
const ENTRY: SymbolOther = SymbolOther(0x10);
/// The version of the file's layout (`EI_ABIVERSION`) from which on the flags hold the target in their second byte; before, it
/// is the first one.
const LATER_FLAGS: u8 = 8;
/// The oldest target whose instructions have 128 bits.
const OLDEST: u32 = 70;

/// The kernels of a cubin, in the order of its sections.
pub(super) fn kernels(cubin: &[u8]) -> Result<Vec<KernelCode>, CodeError> {
    let header = FileHeader64::<Endianness>::parse(cubin)?;
    let endian = header.endian()?;
    let flags = header.e_flags(endian).0;
    let target = match header.e_ident().abi_version >= LATER_FLAGS {
        true => flags >> 8 & 0xff,
        false => flags & 0xff,
    };
    let resources = cubin::resources(cubin).ok_or(CodeError::NoResources)?;
    let sections = header.sections(endian, cubin)?;
    let symbols = sections.symbols(endian, cubin, SHT_SYMTAB)?;
    let mut entries = FxHashSet::default();
    for symbol in symbols.iter() {
        if symbol.st_other() & ENTRY == ENTRY {
            entries.insert(symbols.symbol_name(endian, symbol)?);
        }
    }
    let mut shared = FxHashMap::default();
    for section in sections.iter() {
        if let Some(name) = sections
            .section_name(endian, section)?
            .strip_prefix(b".nv.shared.")
        {
            shared.insert(name, section.sh_size(endian));
        }
    }
    let mut lines = lines::read(cubin, endian, &sections, &symbols)?;
    let mut kernels = Vec::new();
    for section in sections.iter() {
        let name = sections.section_name(endian, section)?;
        let Some(name) = name.strip_prefix(b".text.") else {
            continue;
        };
        if !entries.contains(name) {
            continue;
        }
        let lines = lines.remove(name).unwrap_or_default();
        let shared = shared.get(name).copied().unwrap_or(0);
        let name = String::from_utf8_lossy(name).into_owned();
        let code = section.data(endian, cubin)?;
        let resources = resources.get(&name).copied().unwrap_or_default();
        kernels.push(KernelCode {
            target,
            registers: resources.registers,
            frame: resources.frame,
            shared,
            lines,
            digest: xxh3_64(code),
            instructions: decode(code, target),
            name,
        });
    }
    Ok(kernels)
}

/// The instructions of a section.
pub(super) fn decode(code: &[u8], target: u32) -> Result<Vec<Instruction>, Refusal> {
    if target < OLDEST {
        return Err(Refusal::Target(target));
    }
    let (words, rest) = code.as_chunks::<{ BYTES as usize }>();
    if !rest.is_empty() {
        return Err(Refusal::Cut(code.len()));
    }
    let places = (0u32..).step_by(BYTES as usize);
    let words = places.zip(words.iter().map(|word| u128::from_le_bytes(*word)));
    words
        .map(|(at, word)| Instruction::decode(word, at, target).ok_or(Refusal::Opcode { at, word }))
        .collect()
}
