//! Inputs that are no PTX, by what they begin with: users hand over what lies beside it.

use super::llvm;

/// Where an ELF file names its machine, and the number of NVIDIA's GPUs.
const ELF_MACHINE: std::ops::Range<usize> = 18..20;
const CUDA: [u8; 2] = [190, 0];
/// Bytes that are looked at to recognise wide characters.
const LOOKED_AT: usize = 64;

/// What a text that does not parse is, if that is recognised, and what to do: "`k.cubin` is ...".
pub fn kind(text: &[u8]) -> Option<&'static str> {
    let begins = |magic: &[u8]| text.starts_with(magic);
    if begins(b"\x7fELF") {
        return Some(match text.get(ELF_MACHINE) {
            Some(machine) if *machine == CUDA => {
                "a cubin (machine code), not PTX: have the compiler keep the PTX (`nvcc -ptx`, `clang -S`)"
            }
            _ => {
                "an object file or a program, not PTX: `cuobjdump -ptx` prints the PTX that it holds"
            }
        });
    }
    // The two magic numbers of fat binaries, as they lie in memory.
    if begins(&[0x50, 0xed, 0x55, 0xba]) || begins(&[0xb1, 0x43, 0x62, 0x46]) {
        return Some("a fat binary, not PTX: `cuobjdump -ptx` prints the PTX that it holds");
    }
    if begins(b"!<arch>\n") {
        return Some("a library, not PTX: `cuobjdump -ptx` prints the PTX that it holds");
    }
    if is_wide(text) {
        return Some(
            "UTF-16 text, which ptxas does not take: save it as UTF-8 without a byte order mark",
        );
    }
    if begins(b"\xef\xbb\xbf") {
        return Some("text with a byte order mark, which ptxas does not take: save it without");
    }
    if llvm::is_ir(text) {
        return Some(
            "LLVM IR, which this command does not take: `ptxasw opt` writes PTX (`-o k.ptx`)",
        );
    }
    None
}

/// Whether every other byte is zero, or the first two are a byte order mark of UTF-16.
fn is_wide(text: &[u8]) -> bool {
    let head = &text[..text.len().min(LOOKED_AT)];
    let zeros = |from: usize| head.iter().skip(from).step_by(2).all(|&byte| byte == 0);
    let letters = |from: usize| head.iter().skip(from).step_by(2).all(|&byte| byte != 0);
    head.starts_with(&[0xff, 0xfe]) && letters(0)
        || head.starts_with(&[0xfe, 0xff]) && letters(1)
        || head.len() > 1 && (letters(0) && zeros(1) || zeros(0) && letters(1))
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn inputs_are_known_by_their_first_bytes() {
        let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
        elf.resize(64, 0);
        let is = |text: &[u8], word: &str| kind(text).is_some_and(|what| what.contains(word));
        assert!(is(&elf, "object file"));
        elf[18] = 190;
        assert!(is(&elf, "cubin") && is(&elf[..20], "cubin") && is(b"\x7fELF", "object file"));
        assert!(is(&[0x50, 0xed, 0x55, 0xba, 1, 0], "fat binary"));
        assert!(is(b"!<arch>\nx", "library"));
        let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            ".version 8.0".encode_utf16().flat_map(bytes).collect()
        };
        assert!(is(&wide(u16::to_le_bytes), "UTF-16") && is(&wide(u16::to_be_bytes), "UTF-16"));
        assert!(is(b"\xff\xfe.\0v\0", "UTF-16") && is(b"\xfe\xff\0.\0v", "UTF-16"));
        assert!(is(b"\xef\xbb\xbf.version 8.0", "byte order mark"));
        assert!(is(b"define void @f() { ret void }", "LLVM IR"));
        for text in [&b""[..], b"\0", b".version 8.0 x", &[0xff; 64], &[0; 64]] {
            assert_eq!(kind(text), None);
        }
    }
}
