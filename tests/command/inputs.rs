//! Inputs with nothing in them, and inputs that are something else.

use super::sandbox::{GUARD, Sandbox, ptxas, said};
use std::process::Command;

/// A header, and nothing that could be rewritten.
const HEADER: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// Each command that reads one module refuses the input, and `opt` leaves its output as it was.
fn refused(name: &str, bytes: impl AsRef<[u8]>, parts: &[&str]) {
    let sandbox = Sandbox::new();
    sandbox.file(name, bytes);
    sandbox.file("out.ptx", "as before");
    looked_at(&sandbox, name, parts);
    sandbox.fails(&["opt", name, "-o", "out.ptx"], parts);
    assert_eq!(sandbox.read("out.ptx").unwrap(), b"as before");
}

/// Each command that looks at one module refuses the input.
fn looked_at(sandbox: &Sandbox, name: &str, parts: &[&str]) {
    for command in ["explain", "dump", "trace"] {
        sandbox.fails(&[command, name], parts);
    }
    sandbox.fails(&["tune", name, "--no-gpu"], parts);
    sandbox.fails(&["report", name, "--json"], parts);
    sandbox.fails(&["run", name, "--launch", "grid=1"], parts);
    sandbox.fails(&["time", name, "--launch", "grid=1"], parts);
    sandbox.fails(&["verify", name, name], parts);
}

#[test]
fn nothing_to_look_at() {
    for empty in ["", "\n\r\n \t", "\0\0\0"] {
        refused("k.ptx", empty, &["`k.ptx` is empty"]);
    }
    let nothing = "defines no kernel and no function";
    let sandbox = Sandbox::new();
    sandbox.file("k.ptx", "// a comment\n");
    looked_at(&sandbox, "k.ptx", &[nothing]);
    sandbox.fails(&["opt", "k.ptx"], &["has no `.version`"]);
    let variable = format!("{HEADER}.global .u32 x;\n");
    let declaration = format!("{HEADER}.extern .func f();\n");
    for text in [HEADER, &variable, &declaration] {
        sandbox.file("k.ptx", text);
        looked_at(&sandbox, "k.ptx", &[nothing]);
        // The assembler takes it, and so does what comes before it.
        let output = sandbox.run(&["opt", "k.ptx"]);
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(output.stdout, text.as_bytes());
        let line = "ptxasw: k.ptx: no kernel and no function: nothing is rewritten\n";
        assert_eq!(said(&output), line);
        assert_eq!(said(&sandbox.run(&["opt", "k.ptx", "-q"])), "");
    }
}

/// What makes PTX of a source is reported, whatever its beginning looks like.
#[test]
fn sources_are_named_with_what_makes_ptx_of_them() {
    let cuda = "#include <cuda_runtime.h>\n__global__ void k(float *p) { *p = 1; }\n";
    let sandbox = Sandbox::new();
    for (name, text, parts) in [
        (
            "my k.cu",
            cuda,
            &[
                "`my k.cu` is CUDA C++",
                "nvcc -ptx -lineinfo -arch=sm_90 'my k.cu' -o 'my k.ptx'",
            ][..],
        ),
        ("k.ptx", cuda, &["nvcc -x cu -ptx"]),
        (
            "k.cpp",
            "int main() {}\n",
            &["`k.cpp` is C or C++", "--cuda-device-only"],
        ),
        ("k.f90", "end\n", &["is Fortran", "-gpu=keep"]),
        ("k.py", "import triton\n", &["is Python", ".triton/cache"]),
    ] {
        sandbox.file(name, text);
        for command in ["opt", "explain", "dump", "trace", "cost"] {
            sandbox.fails(&[command, name], parts);
        }
        sandbox.fails(&["verify", name, name], parts);
        sandbox.fails(&["run", name, "--launch", "grid=1"], parts);
    }
    sandbox.file("a.out", b"\x7fELF\x02\x01\x01");
    sandbox.fails(&["cost", "a.out"], &["`a.out`: "]);
}

/// Functions without a kernel are a module that is linked to others.
#[test]
fn a_device_function_is_enough() {
    let sandbox = Sandbox::new();
    let text = format!("{HEADER}.visible .func f() {{ ret; }}\n");
    sandbox.file("k.ptx", &text);
    let output = sandbox.run(&["opt", "k.ptx"]);
    assert!(output.status.success());
    assert_eq!(output.stdout, text.as_bytes());
}

#[test]
fn what_is_no_ptx_is_named() {
    let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
    elf.resize(64, 0);
    refused("a.out", &elf, &["`a.out` is an object file"]);
    elf[18] = 190;
    refused("k.cubin", &elf, &["`k.cubin` is a cubin", "nvcc -ptx"]);
    let fat = [0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0];
    refused("k.fatbin", fat, &["is a fat binary", "cuobjdump"]);
    refused("k.a", "!<arch>\nk.o/", &["is a library"]);
    let wide: Vec<u8> = format!("\u{feff}{GUARD}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    refused("k.ptx", wide, &["is UTF-16 text"]);
    let marked = format!("\u{feff}{GUARD}");
    refused("k.ptx", marked, &["byte order mark, which ptxas does not"]);
    let sandbox = Sandbox::new();
    sandbox.file("k.ll", "define void @f() {\n  ret void\n}\n");
    sandbox.fails(&["run", "k.ll", "--launch", "grid=1"], &["is LLVM IR"]);
    sandbox.fails(&["opt", "."], &["it is a directory"]);
}

/// `ptxas` takes line ends of Windows and no byte order mark, and so does this program.
#[test]
fn ptxas_agrees_about_line_ends_and_byte_order_marks() {
    let Some(ptxas) = ptxas() else { return };
    let sandbox = Sandbox::new();
    let module = GUARD.replace(".version 9.0", ".version 8.0");
    sandbox.file("plain.ptx", &module);
    sandbox.file("crlf.ptx", module.replace('\n', "\r\n"));
    sandbox.file("marked.ptx", format!("\u{feff}{module}"));
    for (name, taken) in [
        ("plain.ptx", true),
        ("crlf.ptx", true),
        ("marked.ptx", false),
    ] {
        let assembled = |path| {
            let mut command = Command::new(&ptxas);
            command.args(["-arch=sm_80", "-o", "/dev/null"]);
            command
                .arg(sandbox.path(path))
                .output()
                .unwrap()
                .status
                .success()
        };
        assert_eq!(assembled(name), taken, "{name}");
        let status = sandbox.run(&["opt", name, "-o", "out.ptx"]).status;
        assert_eq!(status.success(), taken, "{name}");
        assert!(!taken || assembled("out.ptx"), "{name}");
    }
}
