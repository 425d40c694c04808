//! Speed of the warp executor: thread instructions per second.

use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ptxasw::ptx::decode;
use ptxasw::warp::launch::parse_line;
use ptxasw::warp::{Options, Schedule, find_races, run, run_with};

/// Float stencils, and launches of them.
const KERNELS: [(&str, &str); 3] = [
    (
        "gaussblur",
        "grid=4,14 block=128 args=f32[8192],f32[8192],0.5f,0.25f,0.1f,0.05f,0.02f,0.01f,512,16",
    ),
    (
        "jacobi",
        "grid=4,14 block=128 args=f32[8192],f32[8192],0.5f,0.25f,0.1f,512,16",
    ),
    (
        "tricubic",
        "grid=4,5,5 block=128 args=f32[65536],f32[65536],f32[65536],f32[65536],f32[65536],512,8,8",
    ),
];

fn stencils(criterion: &mut Criterion) {
    for (name, launch) in KERNELS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/kernelgen");
        let text = std::fs::read(folder.join(format!("{name}.sm_80.ptx"))).expect("the operator");
        let module = ptxasw::ptx::parse(&text).expect("a module");
        let decoded = decode::decode(&module).expect("bodies");
        let function = &decoded.functions[0];
        let launch = parse_line(launch).expect("a launch");
        let launch = launch.instantiate().expect("memory");
        let mut group = criterion.benchmark_group(name);
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_secs(1));
        for (schedule, label) in [
            (Schedule::Lockstep, "lockstep"),
            (Schedule::Independent { seed: 1 }, "independent"),
        ] {
            let execute = || run(&decoded, function, &launch, schedule).expect("no fault");
            let count = execute().counters.thread_instructions;
            group.throughput(Throughput::Elements(count));
            group.bench_function(label, |bencher| bencher.iter(execute));
        }
        let lockstep = Schedule::Lockstep;
        let count = run(&decoded, function, &launch, lockstep).expect("no fault");
        group.throughput(Throughput::Elements(count.counters.thread_instructions));
        let options = Options::default();
        group.bench_function("races", |bencher| {
            bencher.iter(|| find_races(&decoded, function, &launch, lockstep, options))
        });
        let options = Options { jobs: 2, ..options };
        group.bench_function("jobs-2", |bencher| {
            bencher.iter(|| run_with(&decoded, function, &launch, lockstep, options))
        });
        group.finish();
    }
}

criterion_group!(benches, stencils);
criterion_main!(benches);
