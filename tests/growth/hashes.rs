//! Unrolled hashes, whose values and indices are made of all that came before: each pass over them.

use crate::growth::families::SHAPES;
use crate::growth::{Counts, grows_too_fast, rewritten};
use ptxasw::Options;
use ptxasw::passes::Pass;
use ptxasw::passes::memory::Memory;
use ptxasw::passes::scalar::Scalar;
use std::fmt::Write;

/// Sizes, by the smallest one of a family.
const TIMES: [usize; 3] = [1, 2, 4];

const PASSES: [&dyn Pass; 2] = [&Memory, &Scalar];

#[test]
fn passes_over_hashes_grow_about_as_the_kernel() {
    let mut found = String::new();
    for shape in SHAPES.iter().filter(|shape| shape.name.starts_with("hash")) {
        let sizes = TIMES.map(|times| times * shape.sizes[0]);
        for pass in PASSES {
            let name = format!("{}, {}, {sizes:?} {}", pass.name(), shape.name, shape.unit);
            let options = Options {
                jobs: 1,
                ..Options::of_passes(&[pass])
            };
            let measured = |size| -> Counts { rewritten(&(shape.make)(size), &options).0 };
            if let Some(line) = grows_too_fast(&name, &sizes, measured) {
                let _ = writeln!(found, "{line}");
            }
        }
    }
    assert!(found.is_empty(), "exponents are too large:\n{found}");
}
