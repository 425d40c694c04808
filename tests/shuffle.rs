//! The conditions of CONTRACT.md, "The claim", on whole kernels: each file of `ptx-tests/soundness` once led, or could lead, to a wrong
//! shuffle; those named `not-` must be left as they are.

use ptxasw::passes::shuffle::Search;
use ptxasw::passes::shuffle::refusal::ConditionName;
use ptxasw::passes::shuffle::synthesis::Outcome;
use ptxasw::{Options, optimize};

/// What becomes of a module's last kernel without other passes: in a second copy of it a store may come later than here.
fn kernel(text: &str) -> Search {
    let output = optimize(text.as_bytes(), &Options::of_shuffles()).expect("a module");
    output.searches().last().expect("a kernel").clone()
}

/// Shuffles, and the conditions that failed.
fn verdict(text: &str) -> (usize, Vec<ConditionName>) {
    let kernel = kernel(text);
    let refused = kernel.loads.iter().filter_map(|load| match &load.outcome {
        Outcome::Kept(refusal) => Some(refusal.condition()),
        Outcome::Covered(_) => None,
    });
    (kernel.plan.shuffles.len(), refused.collect())
}

macro_rules! refused {
    ($($name:ident: $file:literal, $condition:ident;)*) => {$(
        #[test]
        fn $name() {
            let text = include_str!(concat!("../ptx-tests/soundness/not-", $file, ".ptx"));
            let (shuffles, conditions) = verdict(text);
            assert_eq!(shuffles, 0);
            assert!(conditions.contains(&ConditionName::$condition), "{conditions:?}");
        }
    )*};
}

refused! {
    an_integer_parameter_is_no_base: "integer-parameter-as-base", C1;
    generic_shared_memory_is_not_global: "shared-through-generic", C1;
    lanes_are_not_united_across_a_guarded_barrier: "across-guarded-barrier", C4;
    lanes_are_not_united_across_a_numbered_barrier: "across-numbered-barrier", C4;
    a_check_needs_a_register_that_is_visible: "shadowed-index", C1;
    undefined_bytes_are_not_handed_on: "undefined-bytes", C1;
    names_of_parameters_are_no_values: "parameter-named-as-value", C1;
    names_of_parameters_are_no_special_registers: "parameter-named-as-register", C1;
    spaces_are_told_apart: "equal-addresses-in-two-spaces", C1;
    moving_registers_are_read_anew: "moving-register", C1;
    a_store_before_the_source_may_be_to_the_destination: "own-store-before-source", C3;
    a_store_of_an_iteration_before_the_last_is_a_store_before: "own-store-in-loop-before-source", C3;
}

#[test]
fn a_hidden_source_register_is_copied() {
    let kernel = kernel(include_str!("../ptx-tests/soundness/shadowed-register.ptx"));
    assert_eq!(kernel.plan.shuffles.len(), 1);
    assert!(kernel.plan.sources[0].copy);
}

/// Ordinary stencils are decided by algebra alone.
#[test]
fn stencils_need_no_solver() {
    for text in [
        include_str!("../ptx-tests/kernelgen/gaussblur.sm_80.ptx"),
        include_str!("../ptx-tests/kernelgen/tricubic.clang.ptx"),
        include_str!("../ptx-tests/kernelgen/whispering.sm_80.ptx"),
        include_str!("../ptx-tests/kernelgen/matvec.sm_80.ptx"),
        include_str!("../ptx-tests/kernelgen/sincos.sm_80.ptx"),
    ] {
        assert_eq!(kernel(text).questions.solver.queries, 0);
    }
}
