//! Inputs that are no PTX, by what they begin with: users hand over what lies beside it.

use super::{files, llvm};
use ptxasw_base::shell;
use std::borrow::Cow;
use std::path::Path;

/// Where an ELF file names its machine, and the number of NVIDIA's GPUs.
const ELF_MACHINE: std::ops::Range<usize> = 18..20;
const CUDA: [u8; 2] = [190, 0];
/// Bytes that are looked at to recognise wide characters.
const LOOKED_AT: usize = 64;

/// What only CUDA C++ has.
const KERNEL: &[u8] = b"__global__";
/// Languages by the extensions of their files, and where the PTX is that is made of them.
const LANGUAGES: [(&[&str], &str); 4] = [
    (
        &["c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx"],
        "C or C++, not PTX: have the compiler keep the PTX that it makes for the GPU (`nvcc -x cu -ptx`, \
         `clang++ --cuda-device-only -S`, `nvc++ -gpu=keep`)",
    ),
    (
        &["f", "for", "f90", "f95", "f03", "f08", "cuf"],
        "Fortran, not PTX: have the compiler keep the PTX that it makes for the GPU (`nvfortran -gpu=keep`)",
    ),
    (
        &["py"],
        "Python, not PTX: Triton keeps PTX in `~/.triton/cache`, and Numba's kernels print it (`kernel.inspect_asm()`)",
    ),
    (
        &["cl"],
        "OpenCL C, not PTX: of NVIDIA's driver the binary of a program is PTX (`CL_PROGRAM_BINARIES`)",
    ),
];

/// What a text that does not parse is, if that is recognised, and what to do: "`k.cubin` is ...".
pub fn kind(path: &Path, text: &[u8]) -> Option<Cow<'static, str>> {
    of_bytes(text)
        .map(Cow::Borrowed)
        .or_else(|| source(path, text))
}

/// Of sources of a compiler: what makes PTX of them.
fn source(path: &Path, text: &[u8]) -> Option<Cow<'static, str>> {
    let extension = path.extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_ascii_lowercase();
    if matches!(&*extension, "cu" | "cuh") || memchr::memmem::find(text, KERNEL).is_some() {
        let language = match &*extension {
            "cu" => "",
            _ => "-x cu ",
        };
        let path = if path == Path::new("-") {
            Path::new("k.cu")
        } else {
            path
        };
        let name = files::display(path);
        let output = path.with_extension("ptx");
        let output = output.file_name().unwrap_or_default().to_string_lossy();
        let (name, output) = (shell::word(&name), shell::word(&output));
        return Some(Cow::Owned(format!(
            "CUDA C++, not PTX: `nvcc {language}-ptx -lineinfo -arch=sm_90 {name} -o {output}` makes PTX of it"
        )));
    }
    let mut languages = LANGUAGES.iter();
    let of = |(names, _): &&(&[&str], &str)| names.contains(&&*extension);
    languages.find(of).map(|&(_, what)| Cow::Borrowed(what))
}

fn of_bytes(text: &[u8]) -> Option<&'static str> {
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
    use super::{kind, of_bytes};
    use std::path::Path;

    #[test]
    fn inputs_are_known_by_their_first_bytes() {
        let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
        elf.resize(64, 0);
        let is = |text: &[u8], word: &str| of_bytes(text).is_some_and(|what| what.contains(word));
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
            assert_eq!(kind(Path::new("k.ptx"), text), None);
        }
    }

    #[test]
    fn sources_are_known_by_their_names_and_words() {
        let is =
            |name: &str, text: &str| kind(Path::new(name), text.as_bytes()).unwrap_or_default();
        let cuda = "#include <cuda.h>\n__global__ void k() {}\n";
        let line = "`nvcc -ptx -lineinfo -arch=sm_90 a/k.cu -o k.ptx`";
        assert!(is("a/k.cu", "").contains(line));
        assert!(
            is("my k.CUH", "")
                .contains("nvcc -x cu -ptx -lineinfo -arch=sm_90 'my k.CUH' -o 'my k.ptx'")
        );
        assert!(
            is("k.ptx", cuda).starts_with("CUDA C++") && is("k.cpp", cuda).starts_with("CUDA C++")
        );
        assert!(is("k.cpp", "int main() {}").starts_with("C or C++"));
        assert!(is("k.F90", "").starts_with("Fortran") && is("k.py", "").starts_with("Python"));
        assert_eq!(is("k", "x"), "");
    }
}
