//! Which line of the PTX each instruction comes from.
//!
//! `ptxas -lineinfo` writes the section `.nv_debug_line_sass`, a line number program as in DWARF 2 and 3 (section 6.2 of the
//! standard), whose lines are those of the PTX text. It needs no `.loc` in the text, and changes no instruction.

use object::Endianness;
use object::elf::FileHeader64;
use object::read::elf::{Rel, Rela, SectionHeader, SectionTable, SymbolTable};
use rustc_hash::FxHashMap;

type Elf = FileHeader64<Endianness>;

/// The section of the line number program.
const SECTION: &[u8] = b".nv_debug_line_sass";

/// Byte offsets of a kernel's instructions, in order, each with the line, from 1, of what begins there.
pub(super) type Lines = Vec<(u32, u32)>;

/// The lines of each function that has some, by its name.
///
/// # Errors
/// Tables that lead out of the file. A program of another form has no lines.
pub(super) fn read<'d>(
    cubin: &'d [u8],
    endian: Endianness,
    sections: &SectionTable<'d, Elf>,
    symbols: &SymbolTable<'d, Elf>,
) -> object::read::Result<FxHashMap<&'d [u8], Lines>> {
    let Some((index, section)) = sections.section_by_name(endian, SECTION) else {
        return Ok(FxHashMap::default());
    };
    // An address is that of a function: its relocation names it.
    let mut functions = FxHashMap::default();
    for section in sections.iter() {
        if section.info_link(endian) != index {
            continue;
        }
        // With addends since sm_90, without before.
        let with = section.rela(endian, cubin)?.map(|(all, _)| all);
        let without = section.rel(endian, cubin)?.map(|(all, _)| all);
        let with = with.unwrap_or_default().iter();
        let with = with.map(|one| (one.r_offset(endian), one.r_sym(endian, false)));
        let without = without.unwrap_or_default().iter();
        let without = without.map(|one| (one.r_offset(endian), one.r_sym(endian)));
        for (offset, symbol) in with.chain(without) {
            let symbol = object::SymbolIndex(symbol as usize);
            let name = symbols.symbol_name(endian, symbols.symbol(symbol)?)?;
            functions.insert(offset, name);
        }
    }
    let mut found: FxHashMap<&[u8], Lines> = FxHashMap::default();
    let data = section.data(endian, cubin)?;
    let mut reader = Reader { data, at: 0 };
    while reader.at < data.len() {
        if reader.unit(&functions, &mut found).is_none() {
            return Ok(FxHashMap::default());
        }
    }
    found.values_mut().for_each(|lines| lines.sort_unstable());
    Ok(found)
}

/// What the opcodes of a unit mean.
struct Header {
    shortest: u32,
    line_base: i32,
    line_range: u8,
    /// Operands of the standard opcodes, from 1 on.
    operands: Vec<u8>,
}

struct Reader<'d> {
    data: &'d [u8],
    at: usize,
}

impl<'d> Reader<'d> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let bytes = *self.data.get(self.at..)?.first_chunk()?;
        self.at += N;
        Some(bytes)
    }

    fn byte(&mut self) -> Option<u8> {
        self.bytes::<1>().map(|[byte]| byte)
    }

    /// Seven bits in each byte, the lowest first; the sign, too, if asked for.
    fn variable(&mut self, signed: bool) -> Option<i64> {
        let (mut value, mut shift) = (0_i64, 0);
        loop {
            let byte = self.byte()?;
            value |= i64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                let negative = signed && byte & 0x40 != 0 && shift < 64;
                return Some(if negative { value | -1 << shift } else { value });
            }
        }
    }

    fn header(&mut self) -> Option<Header> {
        let version = u16::from_le_bytes(self.bytes()?);
        if !matches!(version, 2 | 3) {
            return None;
        }
        let length = u32::from_le_bytes(self.bytes()?) as usize;
        let program = self.at.checked_add(length)?;
        let [shortest, _, base, line_range, first] = self.bytes()?;
        let operands = (1..first).map(|_| self.byte()).collect::<Option<_>>()?;
        self.at = program;
        (line_range > 0).then_some(Header {
            shortest: shortest.into(),
            line_base: i32::from(base as i8),
            line_range,
            operands,
        })
    }

    /// Runs one program. None if it is of another form or cut.
    fn unit(
        &mut self,
        functions: &FxHashMap<u64, &'d [u8]>,
        found: &mut FxHashMap<&'d [u8], Lines>,
    ) -> Option<()> {
        let length = u32::from_le_bytes(self.bytes()?) as usize;
        let end = self.at.checked_add(length)?;
        let header = self.header()?;
        let (mut address, mut line, mut function) = (0_u32, 1_i64, None);
        let mut row = |function: Option<&'d [u8]>, address, line| {
            if let (Some(function), Ok(line)) = (function, u32::try_from(line)) {
                found.entry(function).or_default().push((address, line));
            }
        };
        while self.at < end {
            let opcode = self.byte()?;
            let special = |opcode: u8| opcode.checked_sub(header.operands.len() as u8 + 1);
            let steps = |by: u8| u32::from(by / header.line_range).wrapping_mul(header.shortest);
            if let Some(by) = special(opcode) {
                address = address.wrapping_add(steps(by));
                line += i64::from(header.line_base + i32::from(by % header.line_range));
                row(function, address, line);
                continue;
            }
            match opcode {
                0 => {
                    let length = self.variable(false)?;
                    let next = self.at.checked_add(usize::try_from(length).ok()?)?;
                    match self.byte()? {
                        END_SEQUENCE => (address, line, function) = (0, 1, None),
                        SET_ADDRESS => {
                            function = functions.get(&(self.at as u64)).copied();
                            address = u64::from_le_bytes(self.bytes()?) as u32;
                        }
                        _ => {}
                    }
                    self.at = next;
                }
                COPY => row(function, address, line),
                ADVANCE_PC => {
                    let by = (self.variable(false)? as u32).wrapping_mul(header.shortest);
                    address = address.wrapping_add(by);
                }
                ADVANCE_LINE => line = line.wrapping_add(self.variable(true)?),
                CONST_ADD_PC => address = address.wrapping_add(steps(special(u8::MAX)?)),
                FIXED_ADVANCE_PC => {
                    let by = u16::from_le_bytes(self.bytes()?);
                    address = address.wrapping_add(by.into());
                }
                other => {
                    for _ in 0..*header.operands.get(usize::from(other) - 1)? {
                        self.variable(false)?;
                    }
                }
            }
        }
        Some(())
    }
}

const END_SEQUENCE: u8 = 1;
const SET_ADDRESS: u8 = 2;
const COPY: u8 = 1;
const ADVANCE_PC: u8 = 2;
const ADVANCE_LINE: u8 = 3;
const CONST_ADD_PC: u8 = 8;
const FIXED_ADVANCE_PC: u8 = 9;
