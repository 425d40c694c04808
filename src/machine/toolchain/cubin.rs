//! What a cubin records about its kernels, read from the ELF file itself: one run of `ptxas` less, and no added option among
//! those that the file records.

use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, FileKind, SectionIndex};
use rustc_hash::FxHashMap;

/// Resources of one kernel or function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Resources {
    /// Registers of each thread.
    pub registers: u32,
    /// Bytes of the largest stack frame that the file names for it.
    pub frame: u32,
    /// Bytes that spilled registers are stored and loaded by; no cubin has it, only the report of `ptxas -v`.
    pub spilled: Option<u32>,
}

impl Resources {
    /// What a kernel takes that needs the larger of both everywhere.
    pub fn or_more(self, other: Resources) -> Resources {
        Resources {
            registers: self.registers.max(other.registers),
            frame: self.frame.max(other.frame),
            spilled: self.spilled.max(other.spilled),
        }
    }
}

/// `.nv.info` entries with a size and a value: a format byte, an attribute byte, a size of two bytes.
const FORMAT_SIZED: u8 = 4;
/// Attribute: index of a symbol, bytes of its stack frame.
const FRAME_SIZE: u8 = 0x11;
/// Attribute: index of a symbol, registers of each of its threads.
const REGISTER_COUNT: u8 = 0x2f;

/// The resources of each function that has a section of its own.
///
/// # Errors
/// Nothing, if the bytes are no cubin of a known form.
pub fn resources(cubin: &[u8]) -> Option<FxHashMap<String, Resources>> {
    match FileKind::parse(cubin).ok()? {
        FileKind::Elf64 => read::<FileHeader64<Endianness>>(cubin),
        FileKind::Elf32 => read::<FileHeader32<Endianness>>(cubin),
        _ => None,
    }
}

fn read<Elf: FileHeader<Endian = Endianness>>(
    cubin: &[u8],
) -> Option<FxHashMap<String, Resources>> {
    let header = Elf::parse(cubin).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, cubin).ok()?;
    let mut found: FxHashMap<String, Resources> = FxHashMap::default();
    for section in sections.iter() {
        let name = sections.section_name(endian, section).ok()?;
        if let Some(name) = name.strip_prefix(b".text.") {
            let name = String::from_utf8_lossy(name).into_owned();
            // The upper byte of `sh_info`; the rest is the index of the function's symbol. It is 0 for sm_90 and later, where
            // the attribute has the number.
            found.entry(name).or_default().registers = section.sh_info(endian) >> 24;
        }
    }
    let (at, info) = sections.section_by_name(endian, b".nv.info")?;
    let symbols = sections
        .symbols(endian, cubin, object::elf::SHT_SYMTAB)
        .ok()?;
    let _: SectionIndex = at;
    for (attribute, symbol, value) in attributes(info.data(endian, cubin).ok()?) {
        let symbol = symbols.symbol(object::SymbolIndex(symbol as usize)).ok()?;
        let name = symbols.symbol_name(endian, symbol).ok()?;
        if let Some(resources) = found.get_mut(&*String::from_utf8_lossy(name)) {
            let known = match attribute {
                REGISTER_COUNT => &mut resources.registers,
                _ => &mut resources.frame,
            };
            *known = value.max(*known);
        }
    }
    Some(found)
}

/// Attributes of functions, with the symbol of each and the value: registers and bytes of frames.
fn attributes(info: &[u8]) -> Vec<(u8, u32, u32)> {
    let mut attributes = Vec::new();
    let mut rest = info;
    while let [format, attribute, low, high, after @ ..] = rest {
        let size = match *format {
            FORMAT_SIZED => usize::from(u16::from_le_bytes([*low, *high])),
            _ => 0,
        };
        let Some((value, next)) = after.split_at_checked(size) else {
            break;
        };
        if *format == FORMAT_SIZED
            && matches!(*attribute, FRAME_SIZE | REGISTER_COUNT)
            && let [a, b, c, d, e, f, g, h, ..] = *value
        {
            let number = u32::from_le_bytes;
            attributes.push((*attribute, number([a, b, c, d]), number([e, f, g, h])));
        }
        rest = next;
    }
    attributes
}
