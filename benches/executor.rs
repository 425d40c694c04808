//! Speed of the warp executor: thread instructions per second, of processor time where one thread runs, as other work
//! may share the machine, and of wall time where blocks run in parallel.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ptxasw::executor::launch::parse_line;
use ptxasw::executor::{Options, Schedule, find_races, run_with};
use ptxasw::ptx::decode;

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

/// Processor time of this thread so far.
fn processor_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes to the structure and nothing else.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0, "a clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The processor time of so many executions.
fn measure<T>(count: u64, execute: impl Fn() -> T) -> Duration {
    let start = processor_time();
    for _ in 0..count {
        black_box(execute());
    }
    processor_time() - start
}

fn stencils(criterion: &mut Criterion) {
    for (name, launch) in KERNELS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/kernelgen");
        let text = std::fs::read(folder.join(format!("{name}.sm_80.ptx"))).expect("the operator");
        let module = ptxasw::ptx::parse(&text).expect("a module");
        let decoded = decode::decode(&module).expect("bodies");
        let function = &decoded.functions[0];
        let launch = parse_line(launch).expect("a launch");
        let launch = launch.instantiate().expect("memory");
        let lockstep = Schedule::Lockstep;
        let run = |schedule, jobs| {
            let options = Options {
                jobs,
                ..Options::default()
            };
            run_with(&decoded, function, &launch, schedule, options).expect("no fault")
        };
        let races = || find_races(&decoded, function, &launch, lockstep, Options::default());
        let mut group = criterion.benchmark_group(name);
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_secs(1));
        let count = run(lockstep, 1).counters.thread_instructions;
        group.throughput(Throughput::Elements(count));
        group.bench_function("lockstep", |bencher| {
            bencher.iter_custom(|n| measure(n, || run(lockstep, 1)))
        });
        let adversary = Schedule::Independent { seed: 1 };
        group.bench_function("independent", |bencher| {
            bencher.iter_custom(|n| measure(n, || run(adversary, 1)))
        });
        group.bench_function("races", |bencher| {
            bencher.iter_custom(|n| measure(n, races))
        });
        group.bench_function("jobs-2", |bencher| bencher.iter(|| run(lockstep, 2)));
        group.finish();
    }
}

criterion_group!(benches, stencils);
criterion_main!(benches);
