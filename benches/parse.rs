//! Throughput of the PTX parser, in bytes of text per second.

use std::{fmt::Write, fs, hint::black_box, path::Path};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ptxasw::ptx::parse;

/// A module of one kernel with as many unrolled stencil steps as make `bytes`.
fn stencil(bytes: usize) -> String {
    let mut text = String::from(
        ".version 8.5\n.target sm_90\n.address_size 64\n\n.visible .entry stencil(\n\t.param .u64 stencil_param_0\n)\n\
         {\n\t.reg .f32 \t%f<100000>;\n\t.reg .b64 \t%rd<100000>;\n\n\tld.param.u64 \t%rd1, [stencil_param_0];\n",
    );
    let mut n = 0;
    while text.len() < bytes {
        let _ = write!(
            text,
            "\t.loc\t1 {n} 5\n$L__BB0_{n}:\n\tmul.wide.s32 \t%rd{n}, %r{n}, 4;\n\tadd.s64 \t%rd{n}, %rd1, %rd{n};\n\
             \tld.global.nc.f32 \t%f{n}, [%rd{n}+-4];\n\tfma.rn.f32 \t%f1, %f{n}, 0f3F800000, %f1;\n\
             \t@%p{n} bra \t$L__BB0_{n};\n",
        );
        n += 1;
    }
    text.push_str("\tret;\n}\n");
    text
}

/// A module that is nearly all initial values.
fn table(bytes: usize) -> String {
    let mut text = String::from(
        ".version 8.5\n.target sm_90\n.address_size 64\n.global .align 1 .b8 table[] = {0",
    );
    let mut n = 0u8;
    while text.len() < bytes {
        n = n.wrapping_mul(5).wrapping_add(1);
        let _ = write!(text, ", {n}");
    }
    text.push_str("};\n");
    text
}

/// All PTX among the tests, one text after the other.
fn collection(folder: &Path, text: &mut Vec<u8>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collection(&path, text);
        } else if path.extension().is_some_and(|e| e == "ptx") {
            let module = fs::read(&path).unwrap_or_default();
            if parse(&module).is_ok() {
                text.extend(module);
                text.push(b'\n');
            }
        }
    }
}

fn throughput(criterion: &mut Criterion) {
    let mut tests = Vec::new();
    collection(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests"),
        &mut tests,
    );
    let texts = [
        ("stencil", stencil(1 << 20).into_bytes()),
        ("table", table(1 << 20).into_bytes()),
        ("tests", tests),
    ];
    let mut group = criterion.benchmark_group("parse");
    for (name, text) in &texts {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(name), text, |bencher, text| {
            bencher.iter(|| parse(black_box(text)).map(|module| module.items.len()));
        });
    }
    group.finish();
}

criterion_group!(benches, throughput);
criterion_main!(benches);
