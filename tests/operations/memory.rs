//! Loads and stores of every width, with extension into wider registers, vectors, and alignment (PTX ISA, "ld", "st",
//! "Operand Size Exceeding Instruction-Type Size").

use crate::operations::harness::{Instruction, Reg, Suite, buffer, contents};
use crate::operations::values::{Operand, cut, number, rows, wrap};
use ptxasw::executor::{Fault, Launch, Schedule};

/// Types of memory: word, bits, signed.
const TYPES: [(&str, u32, bool); 14] = [
    ("b8", 8, false),
    ("u8", 8, false),
    ("s8", 8, true),
    ("b16", 16, false),
    ("u16", 16, false),
    ("s16", 16, true),
    ("b32", 32, false),
    ("u32", 32, false),
    ("s32", 32, true),
    ("f32", 32, false),
    ("b64", 64, false),
    ("u64", 64, false),
    ("s64", 64, true),
    ("f64", 64, false),
];

/// Registers that may take a type: its own size or wider; floats no wider.
fn holders(word: &str, bits: u32) -> Vec<(Reg, u32)> {
    let float = word.starts_with('f');
    let sizes = [16, 32, 64].into_iter().filter(|&size| size >= bits);
    let sizes = sizes.filter(|&size| !float || size == bits);
    sizes.map(|size| (Reg::of(size), size)).collect()
}

/// Memory of eight bytes or more that a thread has for itself: its output, or shared and local memory.
pub struct Storage {
    pub space: &'static str,
    pub declaration: &'static str,
    pub address: &'static str,
}

pub const STORAGES: [Storage; 4] = [
    Storage {
        space: ".global",
        declaration: "",
        address: "%out",
    },
    Storage {
        space: "",
        declaration: "",
        address: "%out",
    },
    Storage {
        space: ".shared",
        declaration: ".shared .align 32 .b8 cells[1024];\n.reg .b32 %place, %index;\nmov.u32 %index, %tid.x;\n\
                      mov.u32 %place, cells;\nmad.lo.u32 %place, %index, 8, %place;\n",
        address: "%place",
    },
    Storage {
        space: ".local",
        declaration: ".local .align 32 .b8 cell[32];\n",
        address: "cell",
    },
];

/// Every part of a word is loaded by every type into every register.
pub fn loads(suite: &mut Suite) {
    for (word, bits, signed) in TYPES {
        for (class, size) in holders(word, bits) {
            for storage in &STORAGES {
                for offset in (0..8).step_by(bits as usize / 8) {
                    let Storage {
                        space,
                        declaration,
                        address,
                    } = storage;
                    let text = format!(
                        "{declaration}st{space}.b64 [{address}], %a0;\nld{space}.{word} %d0, [{address}+{offset}];"
                    );
                    let instruction = Instruction::written(&text, &[class], &[Reg::D]);
                    suite.check(&instruction, &rows(&[Operand::Integer(64)], 40), |row| {
                        let part = cut(bits, row[0] >> (8 * offset));
                        [wrap(size, number(bits, signed, part))]
                    });
                }
            }
        }
    }
    read_only(suite);
}

/// `ld.const`, `ld.param`, `ld.global.nc`, volatile, relaxed and acquire loads, cache operators.
fn read_only(suite: &mut Suite) {
    let text = ".const .align 8 .b8 zeros[16];
.visible .entry k(.param .u64 out, .param .align 8 .b8 given[16], .param .s16 narrow)
{
.reg .b64 %out, %x;
.reg .b32 %r;
ld.param.u64 %out, [out];
ld.param.u64 %x, [given+8];      st.global.u64 [%out], %x;
ld.param.s8 %x, [given+9];       st.global.u64 [%out+8], %x;
ld.param.s16 %x, [narrow];       st.global.u64 [%out+16], %x;
ld.param.u16 %x, [narrow];       st.global.u64 [%out+24], %x;
ld.const.u64 %x, [zeros+8];      st.global.u64 [%out+32], %x;
ld.global.nc.u16 %x, [%out+88];  st.global.u64 [%out+40], %x;
ld.volatile.global.s16 %x, [%out];      st.volatile.global.u64 [%out+48], %x;
ld.relaxed.gpu.global.s8 %x, [%out+1];  st.relaxed.gpu.global.u64 [%out+56], %x;
ld.acquire.gpu.global.u32 %x, [%out+4]; st.release.gpu.global.u64 [%out+64], %x;
ld.global.cg.u8 %x, [%out+7];           st.global.wt.u64 [%out+72], %x;
ldu.global.s32 %x, [%out+4];            st.global.cs.u64 [%out+80], %x;
}
";
    let given = 0xF123_4567_89AB_CDEFu64;
    // What the kernel writes is not read through the non-coherent path.
    let constant = [&[0; 11][..], &[given]].concat();
    let mut launch = Launch::new([1; 3], [1; 3]).with_buffer(buffer(&constant));
    let bytes: Vec<u8> = [0, given]
        .iter()
        .flat_map(|w: &u64| w.to_le_bytes())
        .collect();
    launch.structures.push(bytes);
    launch
        .arguments
        .push(ptxasw::executor::Argument::Structure(0));
    launch = launch.with_scalar(0x8001);
    let outcome = suite.kernel(text, &launch, Schedule::Lockstep);
    let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
    let signed = |value: i64| value as u64;
    let expected = [
        given,
        signed(i64::from(0xCDu8 as i8)),
        signed(i64::from(0x8001u16 as i16)),
        0x8001,
        0,
        0xCDEF,
        signed(i64::from(0xCDEFu16 as i16)),
        signed(i64::from(0xCDu8 as i8)),
        0xF123_4567,
        0xF1,
        signed(i64::from(0xF123_4567u32 as i32)),
        given,
    ];
    assert_eq!(contents(&outcome, 0), expected);
}

/// A store writes the lower bits and nothing beside them.
pub fn stores(suite: &mut Suite) {
    for (word, bits, _) in TYPES {
        for (class, _) in holders(word, bits) {
            for storage in &STORAGES {
                for offset in (0..8).step_by(bits as usize / 8) {
                    let Storage {
                        space,
                        declaration,
                        address,
                    } = storage;
                    let text = format!(
                        "{declaration}mov.b64 %d0, 0x1122334455667788;\nst{space}.b64 [{address}], %d0;\n\
                         st{space}.{word} [{address}+{offset}], %a0;\nld{space}.b64 %d0, [{address}];"
                    );
                    let instruction = Instruction::written(&text, &[Reg::D], &[class]);
                    let operand = match class {
                        Reg::H => Operand::Integer(16),
                        Reg::R => Operand::Integer(32),
                        _ => Operand::Integer(64),
                    };
                    suite.check(&instruction, &rows(&[operand], 40), |row| {
                        let mask = cut(bits, u64::MAX) << (8 * offset);
                        let kept = 0x1122_3344_5566_7788 & !mask;
                        [kept | row[0] << (8 * offset) & mask]
                    });
                }
            }
        }
    }
}

/// Vectors of two, four and eight elements, of at most 32 bytes.
pub fn vectors(suite: &mut Suite) {
    for (word, bits, signed) in TYPES {
        for elements in [2, 4, 8u32] {
            // "v8 for .b32, v4 of 64 bits" came with 256-bit accesses.
            if bits * elements > 256 || elements == 8 && bits != 32 {
                continue;
            }
            for (class, size) in holders(word, bits) {
                vector(suite, word, (bits, signed), elements, (class, size));
            }
        }
    }
}

fn vector(
    suite: &mut Suite,
    word: &str,
    (bits, signed): (u32, bool),
    elements: u32,
    (class, size): (Reg, u32),
) {
    let list = |letter: char| {
        let names: Vec<String> = (0..elements).map(|i| format!("%{letter}{i}")).collect();
        names.join(", ")
    };
    // 256-bit accesses are global ones.
    let large = bits * elements > 128;
    let spaces: &[&str] = if large {
        &[".global"]
    } else {
        &[".local", ".global"]
    };
    for &space in spaces {
        let (declaration, address) = match space {
            ".local" => (".local .align 32 .b8 cell[64];\n", "cell+32"),
            _ => (".global .align 32 .b8 table[65536];\n", "%place"),
        };
        // In global memory each thread has a place of 32 bytes in a table of the module.
        let (module, local) = match space {
            ".local" => ("", declaration),
            _ => (declaration, ""),
        };
        let place = match space {
            ".local" => "",
            _ => {
                ".reg .b64 %place;\nmov.u64 %place, table;\nmad.wide.u32 %place, %number, 32, %place;\n"
            }
        };
        let text = format!(
            "{local}{place}st{space}.v{elements}.{word} [{address}], {{{}}};\n\
             ld{space}.v{elements}.{word} {{{}}}, [{address}];",
            list('a'),
            list('d'),
        );
        let mut instruction = Instruction::written(
            &text,
            &vec![class; elements as usize],
            &vec![class; elements as usize],
        );
        instruction.module = module.to_owned();
        // The assembler of CUDA 13 takes eight floats, and breaks down on eight integers.
        instruction.assembled = elements < 8 || word == "f32";
        let operands = vec![Operand::Integer(size); elements as usize];
        let rows = rows(&operands, 100);
        suite.judge(&instruction, &rows[rows.len() - 100..], |row, results| {
            let stored = row.iter().map(|&a| wrap(size, number(bits, signed, a)));
            match stored.eq(results.iter().copied()) {
                true => Ok(()),
                false => Err("another value came back".to_owned()),
            }
        });
    }
}

/// "The address must be naturally aligned to a multiple of the access size", vectors as a whole.
pub fn misaligned(suite: &mut Suite) {
    for (word, bits, _) in TYPES.into_iter().filter(|t| t.1 > 8) {
        for elements in [1, 2, 4u32] {
            let bytes = bits / 8 * elements;
            if bytes > 16 {
                continue;
            }
            let class = holders(word, bits)[0].0;
            let names: Vec<String> = (0..elements).map(|i| format!("%d{i}")).collect();
            let (vector, list) = match elements {
                1 => (String::new(), names[0].clone()),
                _ => (format!(".v{elements}"), format!("{{{}}}", names.join(", "))),
            };
            for offset in 1..bytes {
                for load in [true, false] {
                    let statement = match load {
                        true => format!("ld.global{vector}.{word} {list}, [%out+{offset}];"),
                        false => format!("st.global{vector}.{word} [%out+{offset}], {list};"),
                    };
                    let declared = Instruction::written("", &vec![class; elements as usize], &[]);
                    let zeros: String = (0..elements)
                        .map(|i| format!("mov.b{} %d{i}, 0;\n", bits.max(16)))
                        .collect();
                    let text = format!(
                        ".visible .entry k(.param .u64 out)\n{{\n.reg .b64 %out;\n{}ld.param.u64 %out, [out];\n\
                         {zeros}{statement}\n}}\n",
                        declared.declarations()
                    );
                    let launch = Launch::new([1; 3], [1; 3]).with_buffer(buffer(&[0; 4]));
                    let error = suite
                        .kernel(&text, &launch, Schedule::Lockstep)
                        .expect_err(&statement);
                    assert!(
                        matches!(error.fault, Fault::Misaligned { bytes: found, .. } if found == bytes),
                        "{statement} {error}"
                    );
                }
            }
        }
    }
}
