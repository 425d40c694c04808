//! Saturation goes by the flags of operations on floating-point numbers, each by its own.

use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::ir::fast_math::FastMath;
use ptxasw::passes::saturate::Saturate;
use ptxasw_llvm::read::read;
use ptxasw_llvm::stage;

/// The module before and after the pass.
fn rewritten(body: &str, exact: bool) -> [String; 2] {
    let text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %p2, float %a, float %b, float %c) #0 {{
{body}  ret void
}}
attributes #0 = {{ \"target-cpu\"=\"sm_80\" }}
"
    );
    let context = Context::create();
    let module = read(&context, text.as_bytes(), "module").expect("a module");
    let before = module.print_to_string().to_string();
    let mut options = Options::of_passes(&[&Saturate]);
    options.saturation.exact = exact;
    let passed = stage::rewrite_with(&module, &options, &stage::Extras::default())
        .expect("no fault of the driver");
    let refusals = passed.passes.iter().filter_map(|report| report.refusal());
    assert_eq!(refusals.collect::<Vec<_>>(), [""; 0]);
    [before, module.print_to_string().to_string()]
}

/// Bodies in which `FLAGS` is replaced by the flags of each operation, and the flags by which they change.
fn bodies() -> Vec<(&'static str, FastMath)> {
    use FastMath as F;
    let order = F::REASSOC.or(F::NSZ);
    vec![
        (
            "  %x = fmul FLAGS float %a, %b\n  %q = fadd FLAGS float %x, %c\n  store float %q, ptr addrspace(1) %p\n",
            F::CONTRACT,
        ),
        (
            "  %x = fmul FLAGS float %a, %b\n  %y = fmul FLAGS float %a, %c\n  %q = fadd FLAGS float %x, %y\n  \
             store float %q, ptr addrspace(1) %p\n",
            order,
        ),
        (
            "  %x = fadd FLAGS float %a, %b\n  %q = fadd FLAGS float %x, %c\n  store float %q, ptr addrspace(1) %p\n  \
             %y = fadd FLAGS float %c, %b\n  %r = fadd FLAGS float %y, %a\n  store float %r, ptr addrspace(1) %p2\n",
            order,
        ),
        (
            "  %x = fmul FLAGS float %a, %b\n  %q = fmul FLAGS float %x, %c\n  store float %q, ptr addrspace(1) %p\n  \
             %y = fmul FLAGS float %c, %b\n  %r = fmul FLAGS float %y, %a\n  store float %r, ptr addrspace(1) %p2\n",
            F::REASSOC,
        ),
        (
            "  %q = fadd FLAGS float %a, 0.0\n  store float %q, ptr addrspace(1) %p\n",
            F::NSZ,
        ),
        (
            "  %q = fsub FLAGS float %a, %a\n  store float %q, ptr addrspace(1) %p\n",
            F::NNAN,
        ),
        (
            "  %q = fmul FLAGS float %a, 0.0\n  store float %q, ptr addrspace(1) %p\n",
            F::NNAN.or(F::NSZ),
        ),
    ]
}

#[test]
fn modules_change_by_their_flags_alone() {
    for (body, needs) in bodies() {
        for bits in 0..64 {
            let set = FastMath::of_bits(bits);
            // Products and sums are fused before all else.
            if set.has(FastMath::CONTRACT) && needs != FastMath::CONTRACT {
                continue;
            }
            let [before, new] = rewritten(&body.replace("FLAGS", &set.to_string()), false);
            assert_eq!(before != new, set.has(needs), "{set}: {new}");
        }
    }
}

/// Of each operation in turn a flag is missing.
#[test]
fn every_operation_needs_the_flags() {
    let all = FastMath::of_bits(u8::MAX);
    for (body, needs) in bodies() {
        let set = match needs.has(FastMath::CONTRACT) {
            true => all,
            false => all.without(FastMath::CONTRACT),
        };
        let flags = FastMath::NAMES.into_iter();
        for (name, one) in flags.filter(|(_, one)| needs.has(*one)) {
            // Each stored value is computed by as many.
            let operations = body.matches("FLAGS").count() / body.matches("store").count();
            for lacking in 0..operations {
                let mut parts = body.split("FLAGS");
                let mut text = parts.next().unwrap_or_default().to_owned();
                for (index, part) in parts.enumerate() {
                    let own = if index % operations == lacking {
                        set.without(one)
                    } else {
                        set
                    };
                    text += &(own.to_string() + part);
                }
                let [before, new] = rewritten(&text, false);
                assert_eq!(before, new, "operation {lacking} without {name}");
            }
        }
    }
}

/// An operation that serves in place of another one permits what both permit.
#[test]
fn a_shared_value_has_the_flags_of_both() {
    for (one, other, both) in [
        ("fast", "", "fadd float"),
        ("", "fast", "fadd float"),
        ("contract nsz", "contract arcp", "fadd contract float"),
        ("nnan ninf", "nnan", "fadd float"),
    ] {
        let body = format!(
            "  %x = fadd {one} float %a, %b\n  store float %x, ptr addrspace(1) %p\n  \
             %y = fadd {other} float %a, %b\n  store float %y, ptr addrspace(1) %p2\n"
        );
        let [before, new] = rewritten(&body, false);
        assert_eq!(before, new);
        let [_, new] = rewritten(&body, true);
        assert!(
            new.matches("fadd").count() == 1 && new.contains(both),
            "{new}"
        );
    }
}
