//! Fewer warps that pay, and the levels of loads that are tried one after the other.

use super::{BT, HEAD, Sandbox, ptxas, sums};

/// Elimination in 5x5 blocks: 64 registers, and 110 to 120 where all of a block is held in them.
const DENSE: &str = include_str!("../../ptx-tests/loads/cuda/dense5.nvcc.ptx");

/// What is printed, and what of the kernel's memory pass is kept.
fn opt(text: &str, more: &[&str]) -> Option<(String, String)> {
    let ptxas = ptxas()?;
    let sandbox = Sandbox::new(text);
    let words = [&["-v", "--passes", "memory"], more].concat();
    Some(sandbox.opt(&ptxas, &words))
}

/// 20 warps that wait 207 times are slower than 8 that wait 7 times.
#[test]
fn warps_are_lost_where_that_pays() {
    let Some((text, said)) = opt(BT, &[]) else {
        return;
    };
    assert!(text != BT && said.contains("loads moved"), "{said}");
    assert!(!said.contains("is not taken"), "{said}");
    let figures = " warps would fit, and each waits for memory ";
    assert!(
        said.contains("stays rewritten: ") && said.contains(figures),
        "{said}"
    );
    let small = DENSE.replace("\n{", "\n.maxntid 128, 1, 1\n{");
    let (text, said) = opt(&small, &[]).unwrap();
    assert!(text != small && said.contains("stores removed"), "{said}");
}

/// A block of 1024 threads has 64 registers for each: whoever launched one must be able to go on.
#[test]
fn a_block_that_fitted_must_still_fit() {
    let Some((text, said)) = opt(DENSE, &[]) else {
        return;
    };
    assert!(text == DENSE, "{said}");
    let why = "a launch with 1024 threads in a block would fail";
    assert!(said.contains(why), "{said}");
}

/// A block that waits for another one may wait for one that is no longer resident.
#[test]
fn no_warp_is_lost_where_a_block_may_wait() {
    let kernel = DENSE.replace("\n{", "\n.maxntid 128, 1, 1\n{");
    let end = kernel.rfind("ret;").unwrap();
    let (begin, end) = kernel.split_at(end);
    for waits in [
        "fence.acq_rel.gpu;",
        "atom.global.add.u32 %r1, [%rd1], 1;",
        "ld.volatile.global.u32 %r1, [%rd1];",
        "barrier.cluster.arrive;\nbarrier.cluster.wait;",
        // Loads that are weak, but again and again from one place.
        "$again:\nld.global.cg.u32 %r1, [%rd1];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra $again;",
    ] {
        let text = format!("{begin}{waits}\n{end}");
        let text = text.replace(".target sm_80", ".target sm_90");
        let Some((rewritten, said)) = opt(&text, &["--loads=bulk"]) else {
            return;
        };
        assert!(rewritten == text, "{waits}: {said}");
        assert!(said.contains(" warps would fit"), "{waits}: {said}");
    }
}

/// Records of four floats, which are joined under a test, and a sum that would be held in registers.
pub fn records_and_sum() -> String {
    let kernel = sums("k", 48, 0, ".maxntid 1024");
    let begin = kernel.find("mov.f32 %f0, 0f00000000;").unwrap();
    let (head, tail) = kernel.split_at(begin);
    let head = head
        .replace(".param .u64 k_out)", ".param .u64 k_out, .param .u64 k_in)")
        .replace(".reg .b64 %rd<4>;", ".reg .b64 %rd<8>;\n.reg .f32 %g<12>;");
    let mut records = "ld.param.u64 %rd5, [k_in];\ncvta.to.global.u64 %rd5, %rd5;\n\
         mul.wide.u32 %rd6, %r0, 48;\nadd.s64 %rd5, %rd5, %rd6;\n"
        .to_owned();
    let mut add = "mov.f32 %f0, 0f00000000;\n".to_owned();
    for member in 0..12 {
        let at = 4 * member;
        records += &format!("ld.global.f32 %g{member}, [%rd5+{at}];\n");
        add += &format!("add.f32 %f0, %f0, %g{member};\n");
    }
    let tail = tail.replacen("mov.f32 %f0, 0f00000000;\n", &add, 1);
    // Only a test shows that it is elsewhere.
    let tail = tail.replace("[%rd1+67108864]", "[%rd2+67108864]");
    format!("{HEAD}{head}{records}{tail}")
}

/// The lower level serves what it can: the records are joined, the sum is loaded again.
#[test]
fn the_next_lower_level_is_tried() {
    let Some((rewritten, said)) = opt(&records_and_sum(), &[]) else {
        return;
    };
    assert!(said.contains("the level `bulk` is not taken: "), "{said}");
    assert!(rewritten.contains("ld.global.v4"), "{said}");
    assert!(rewritten.matches("ld.global.f32").count() >= 96, "{said}");
}
