//! Time of every stage for every KernelGen operator.

mod stages;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use ptxasw::pipeline::{self, Options};
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

fn stages(criterion: &mut Criterion) {
    for (name, text) in &operators() {
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
            bencher.iter(|| pipeline::emulate(&prepared));
        });
        group.bench_function("detect+prove", |bencher| {
            bencher.iter_batched_ref(
                || pipeline::emulate(&prepared),
                |emulation| stages.synthesize(&prepared, emulation),
                BatchSize::LargeInput,
            );
        });
        let synthesis = stages.synthesize(&prepared, &mut pipeline::emulate(&prepared));
        group.bench_function("emit", |bencher| bencher.iter(|| stages.emit(&synthesis)));
        let options = Options::default();
        group.bench_function("whole", |bencher| {
            bencher.iter(|| ptxasw::optimize(black_box(text), &options).map(|out| out.text.len()));
        });
        group.finish();
    }
}

criterion_group!(benches, stages);
criterion_main!(benches);
