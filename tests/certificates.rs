//! Z3 agrees with every certificate of some kernels, read as text.

use ptxasw::shuffle::synthesis;
use ptxasw::{Options, optimize};

#[test]
fn certificates_hold() {
    let synthesis = synthesis::Options {
        certificates: true,
        ..Default::default()
    };
    let options = Options {
        synthesis,
        ..Options::default()
    };
    for text in [
        include_str!("../ptx-tests/kernelgen/jacobi.sm_80.ptx"),
        include_str!("../ptx-tests/kernelgen/divergence.clang.ptx"),
        include_str!("../ptx-tests/kernelgen/uxx1.sm_90.ptx"),
    ] {
        let output = optimize(text.as_bytes(), &options).expect("a module");
        assert!(output.shuffles() > 0);
        for shuffle in &output.kernels[0].plan.shuffles {
            let text = shuffle.certificate.as_deref().expect("a certificate");
            let solver = z3::Solver::new();
            solver.from_string(text);
            assert_eq!(solver.check(), z3::SatResult::Unsat, "{text}");
            // Without the negated goal the hypotheses can be met: the claim is about something.
            let goal = text.find("; the goal, negated").expect("a goal");
            let solver = z3::Solver::new();
            solver.from_string(&text[..goal]);
            assert_eq!(solver.check(), z3::SatResult::Sat, "{text}");
        }
    }
}
