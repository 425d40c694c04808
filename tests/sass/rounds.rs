//! Kernels of which it is known how often a warp waits for memory.

use super::listing;
use ptxasw::cost::sass::{self, Counts, KernelCode, Kind, PathCounts, Refusal, Space};
use ptxasw::toolchain::Arch;

const ARCHS: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_120"];

/// A kernel with two pointers to floats, as plain global addresses of the thread's elements, and a count.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.8\n.target TARGET\n.address_size 64\n
        .visible .entry k(.param .u64 px, .param .u64 py, .param .u32 pn)\n{{
        .reg .pred %p<4>; .reg .b64 %rd<16>; .reg .b32 %r<16>; .reg .f32 %f<32>;
        ld.param.u64 %rd1, [px]; ld.param.u64 %rd2, [py]; ld.param.u32 %r1, [pn];
        cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
        mov.u32 %r2, %tid.x; mul.wide.u32 %rd3, %r2, 4;
        add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
        {body}
        ret;\n}}\n"
    )
}

fn code(text: &str, arch: &str) -> Option<KernelCode> {
    let arch: Arch = arch.parse().unwrap();
    let assembler = listing::assembler(arch)?;
    let text = text.replace("TARGET", &arch.to_string());
    let cubin = listing::cubin(&assembler, text.as_bytes(), arch).expect("PTX that ptxas takes");
    let mut kernels = sass::kernels(&cubin).unwrap();
    assert_eq!(kernels.len(), 1);
    kernels.pop()
}

/// Checks a kernel for each target.
fn check(text: &str, check: impl Fn(&str, &KernelCode, PathCounts)) {
    for arch in ARCHS {
        let Some(code) = code(text, arch) else { return };
        let counts = code.path_counts().unwrap();
        check(arch, &code, counts);
    }
}

/// Loads from device memory, stores there, rounds.
fn traffic(counts: Counts) -> (u32, u32, u32) {
    (counts.loads.device(), counts.stores.device(), counts.rounds)
}

/// `count` statements, each with its number in place of `#`, and four times that in place of `@`.
fn repeated(count: u32, statement: &str) -> String {
    let lines = (1..=count).map(|number| {
        let text = statement.replace('#', &number.to_string());
        text.replace('@', &(4 * number).to_string()) + "\n"
    });
    lines.collect()
}

#[test]
fn independent_loads_are_one_round() {
    let sum = "mov.f32 %f0, 0f00000000;\n".to_owned()
        + &repeated(8, "ld.global.f32 %f#, [%rd1+@];")
        + &repeated(8, "add.f32 %f0, %f0, %f#;")
        + "st.global.f32 [%rd2], %f0;";
    check(&kernel(&sum), |arch, code, counts| {
        assert_eq!(traffic(counts.total), (8, 1, 1), "{arch}");
        assert_eq!(counts.loops, [], "{arch}");
        assert_eq!(
            (counts.total.loaded_bytes, counts.total.stored_bytes),
            (32, 4)
        );
        assert_eq!(code.static_counts().unwrap().loads.global, 8);
        assert!(code.resident_warps() >= 32 && code.frame == 0);
    });
}

#[test]
fn a_chain_of_loads_is_a_round_each() {
    let chase = repeated(5, "ld.global.u64 %rd1, [%rd1+@];") + "st.global.u64 [%rd2], %rd1;";
    let chase = chase
        .replace("+4]", "+8]")
        .replace("+12]", "+16]")
        .replace("+20]", "+24]");
    check(&kernel(&chase), |arch, _, counts| {
        assert_eq!(traffic(counts.total), (5, 1, 5), "{arch}");
    });
}

/// Four steps of saxpy: each store blocks the loads from another pointer after it.
#[test]
fn stores_that_may_alias_make_rounds() {
    let saxpy = |load: &str| {
        let step = "LOAD %f1, [%rd1+@]; ld.global.f32 %f2, [%rd2+@];
            fma.rn.f32 %f3, %f1, 0f40000000, %f2; st.global.f32 [%rd2+@], %f3;";
        kernel(&repeated(4, &step.replace("LOAD", load)))
    };
    check(&saxpy("ld.global.f32"), |arch, _, counts| {
        assert_eq!(traffic(counts.total), (8, 4, 4), "{arch}");
    });
    check(&saxpy("ld.global.nc.f32"), |arch, _, counts| {
        assert_eq!(traffic(counts.total), (8, 4, 1), "{arch}");
    });
}

#[test]
fn a_loop_counts_one_iteration_in_the_steady_state() {
    // Each iteration needs the pointer of the one before.
    let chase = "mov.u32 %r3, 0;
        next: ld.global.u64 %rd1, [%rd1];
        add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1;
        @%p1 bra.uni next;
        st.global.u64 [%rd2], %rd1;";
    check(&kernel(chase), |arch, _, counts| {
        for one in counts
            .loops
            .iter()
            .filter(|one| one.counts.loads.device() > 0)
        {
            // `ptxas` unrolls it.
            assert_eq!(one.counts.rounds, one.counts.loads.device(), "{arch}");
        }
        assert!(
            counts.loops.iter().any(|one| one.counts.rounds > 0),
            "{arch}"
        );
        assert_eq!(counts.hot().rounds, counts.hot().loads.device(), "{arch}");
    });
}

#[test]
fn a_value_that_is_loaded_for_the_next_iteration_is_one_round() {
    // The barrier keeps the load where it is.
    let ahead = "mov.u32 %r3, 0; mov.f32 %f3, 0f00000000;
        ld.global.f32 %f1, [%rd1];
        next: .pragma \"nounroll\";
        add.u64 %rd1, %rd1, 4096;
        ld.global.f32 %f2, [%rd1]; bar.sync 0;
        sqrt.approx.f32 %f1, %f1; add.f32 %f3, %f3, %f1; mov.f32 %f1, %f2;
        add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1;
        @%p1 bra next;
        add.f32 %f3, %f3, %f1;
        st.global.f32 [%rd2], %f3;";
    check(&kernel(ahead), |arch, _, counts| {
        assert_eq!(counts.loops.len(), 1, "{arch}");
        let hot = counts.hot();
        assert_eq!((traffic(hot), hot.barriers), ((1, 0, 1), 1), "{arch}");
        // The first load, that of the iteration, and none at the end.
        assert_eq!(traffic(counts.total), (2, 1, 2), "{arch}");
    });
}

#[test]
fn shared_memory_has_rounds_of_its_own() {
    let text = kernel(
        "mov.u32 %r3, tile; shl.b32 %r4, %r2, 2; add.u32 %r3, %r3, %r4;
        ld.global.f32 %f1, [%rd1]; st.shared.f32 [%r3], %f1; bar.sync 0;
        ld.shared.f32 %f2, [%r3+4]; ld.shared.f32 %f3, [%r3+132];
        add.f32 %f2, %f2, %f3; st.global.f32 [%rd2], %f2;",
    );
    let text = text.replace(".visible", ".shared .align 4 .b8 tile[8192];\n.visible");
    check(&text, |arch, _, counts| {
        let total = counts.total;
        assert_eq!(traffic(total), (1, 1, 1), "{arch}");
        let shared = (total.loads.shared, total.stores.shared, total.shared_rounds);
        assert_eq!(shared, (2, 1, 1), "{arch}");
    });
}

#[test]
fn groups_of_copies_are_waited_for_one_by_one() {
    let text = kernel(
        "mov.u32 %r3, tile; shl.b32 %r4, %r2, 2; add.u32 %r3, %r3, %r4;
        cp.async.ca.shared.global [%r3], [%rd1], 4; cp.async.ca.shared.global [%r3+512], [%rd1+512], 4;
        cp.async.commit_group;
        cp.async.ca.shared.global [%r3+1024], [%rd1+1024], 4; cp.async.commit_group;
        cp.async.wait_group 1; ld.volatile.shared.f32 %f1, [%r3]; st.volatile.global.f32 [%rd2], %f1;
        cp.async.wait_group 0; ld.volatile.shared.f32 %f1, [%r3+1024]; st.volatile.global.f32 [%rd2], %f1;",
    );
    let text = text.replace(".visible", ".shared .align 4 .b8 tile[8192];\n.visible");
    for arch in &ARCHS[1..] {
        let Some(code) = code(&text, arch) else {
            return;
        };
        let counts = code.path_counts().unwrap().total;
        // All three copies are in flight at the first wait, so the second one is none.
        assert_eq!((counts.copies, counts.rounds), (3, 1), "{arch}");
        assert_eq!(counts.loads.device(), 0, "{arch}");
    }
}

#[test]
fn computed_jumps_are_refused() {
    let text = kernel(
        "targets: .branchtargets a, b, c, d;
        and.b32 %r3, %r1, 3;
        brx.idx %r3, targets;
        a: st.global.u32 [%rd2], %r1; bra e;
        b: st.global.u32 [%rd2+4], %r2; bra e;
        c: st.global.u32 [%rd2+8], %r1; st.global.u32 [%rd2+64], %r2; bra e;
        d: st.global.u32 [%rd1+12], %r2;
        e: st.global.u32 [%rd2+16], %r3;",
    );
    let Some(code) = code(&text, "sm_80") else {
        return;
    };
    let refused = code.path_counts();
    assert!(
        matches!(refused, Err(Refusal::IndirectBranch(_))),
        "{refused:?}"
    );
    assert_eq!(code.static_counts().unwrap().stores.global, 6);
}

#[test]
fn older_targets_are_refused_by_kernel() {
    let text = kernel("st.global.u32 [%rd2], %r1;").replace("8.8", "7.0");
    let Some(code) = code(&text, "sm_61") else {
        return;
    };
    assert_eq!(code.path_counts(), Err(Refusal::Target(61)));
    assert!(code.registers > 0 && code.name == "k");
}

/// A fast path with fewer loads and a fallback with more, each of them statements of its own.
#[test]
fn lines_of_ptx_say_what_is_executed() {
    // Their relocations have no addends, or have.
    for arch in ["sm_80", "sm_90"] {
        lines_on(arch);
    }
}

fn lines_on(arch: &str) {
    let text = kernel(
        "setp.eq.u64 %p1, %rd1, %rd2;
        @%p1 bra slow;
        ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret;
        slow:
        ld.volatile.global.f32 %f1, [%rd1+8]; ld.volatile.global.f32 %f2, [%rd1+4];
        add.f32 %f1, %f1, %f2; st.global.f32 [%rd2+4], %f1;",
    );
    let text = text.replace("TARGET", arch);
    let Some(assembler) = listing::assembler(arch.parse().unwrap()) else {
        return;
    };
    let [source, cubin] = [(); 2].map(|()| tempfile::NamedTempFile::new().unwrap());
    std::fs::write(source.path(), &text).unwrap();
    let status = std::process::Command::new(assembler.path())
        .args(["-lineinfo", &format!("-arch={arch}")])
        .arg(source.path())
        .arg("-o")
        .arg(cubin.path())
        .status()
        .unwrap();
    assert!(status.success());
    let kernels = sass::kernels(&std::fs::read(cubin.path()).unwrap()).unwrap();
    let [code] = &*kernels else {
        panic!("{} kernels", kernels.len())
    };
    let lines: Vec<&str> = text.lines().collect();
    let line = |at| {
        code.line(at)
            .and_then(|line| lines.get(line as usize - 1))
            .copied()
    };
    for one in code.instructions.as_ref().unwrap() {
        let written = match one.kind {
            Kind::Load(Space::Global) => "ld.",
            Kind::Store(Space::Global) => "st.",
            _ => continue,
        };
        assert!(
            line(one.at).is_some_and(|line| line.contains(written)),
            "{one:?}"
        );
    }
    let all = code.path_counts().unwrap().total;
    assert_eq!(traffic(all), (2, 1, 1));
    let first_slow = lines
        .iter()
        .position(|line| line.contains("slow:"))
        .unwrap();
    let fast =
        code.path_counts_where(|at| code.line(at).is_none_or(|line| line as usize <= first_slow));
    assert_eq!(traffic(fast.unwrap().total), (1, 1, 1));
}

/// Whatever the bytes, a result comes back.
#[test]
fn damaged_cubins_are_refused_or_read() {
    let text = kernel("ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1;");
    let arch: Arch = "sm_80".parse().unwrap();
    let Some(assembler) = listing::assembler(arch) else {
        return;
    };
    let cubin =
        listing::cubin(&assembler, text.replace("TARGET", "sm_80").as_bytes(), arch).unwrap();
    let (mut refused, mut read) = (0, 0);
    for at in 0..cubin.len() {
        let mut damaged = cubin.clone();
        damaged[at] ^= 0xff;
        for bytes in [&damaged[..], &cubin[..at]] {
            match sass::kernels(bytes) {
                Ok(kernels) => {
                    read += 1;
                    for kernel in kernels {
                        let _ = (
                            kernel.static_counts(),
                            kernel.path_counts(),
                            kernel.resident_warps(),
                        );
                    }
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 1000 && read > 1000, "{refused} {read}");
}
