//! Time of every stage, for KernelGen, the stencils of application size, and the smallest kernel of each generated family.

#[allow(dead_code)] // Modules of many kernels.
mod families;
mod stages;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use ptxasw::emulator::emulate;
use ptxasw::pipeline::Options;
use ptxasw::ptx;
use stages::Stages;

/// Texts of the operators, by name.
fn operators() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/kernelgen");
    let mut found: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .expect("the operators")
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let name = name.strip_suffix(".sm_80.ptx")?.to_owned();
            Some((name, std::fs::read(entry.path()).ok()?))
        })
        .collect();
    found.sort();
    found
}

fn operators_by_stage(criterion: &mut Criterion) {
    for (name, text) in &operators() {
        stages(criterion, name, text);
    }
}

fn families_by_stage(criterion: &mut Criterion) {
    for shape in families::SHAPES {
        let size = shape.sizes[0];
        let name = format!("{}, {size} {}", shape.name, shape.unit);
        stages(criterion, &name, (shape.make)(size).as_bytes());
    }
}

/// Each stage by itself, and all of them as the library's users call them.
fn stages(criterion: &mut Criterion, name: &str, text: &[u8]) {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(150));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| ptx::parse(black_box(text)).map(|module| module.items.len()));
    });
    let stages = Stages::new(text);
    group.bench_function("lower", |bencher| bencher.iter(|| stages.prepare()));
    let prepared = stages.prepare();
    group.bench_function("emulate", |bencher| {
        bencher.iter(|| emulate(prepared.function(), prepared.analyses()));
    });
    group.bench_function("detect+prove", |bencher| {
        bencher.iter_batched_ref(
            || emulate(prepared.function(), prepared.analyses()),
            |emulation| stages.synthesize(&prepared, emulation),
            BatchSize::LargeInput,
        );
    });
    let synthesis = stages.synthesize(
        &prepared,
        &mut emulate(prepared.function(), prepared.analyses()),
    );
    group.bench_function("emit", |bencher| {
        bencher.iter(|| stages.emit(&prepared, &synthesis))
    });
    let options = Options::default();
    group.bench_function("whole", |bencher| {
        bencher.iter(|| ptxasw::optimize(black_box(text), &options).map(|out| out.text.len()));
    });
    group.finish();
}

criterion_group!(benches, operators_by_stage, families_by_stage);
criterion_main!(benches);
