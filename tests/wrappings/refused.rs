//! Plans that do not fit their module are refused, never written.

use crate::kernels::{self, Options, THREE};
use ptxasw::ir::lanes::LaneMap;
use ptxasw::ptx;
use ptxasw::ptx::emit::{Error, Variant, emit};
use ptxasw::shuffle::plan::{Plan, Wrapping};

/// The error for a plan of `THREE` after `change`, in its text with `new` for `old`.
fn error(old: &str, new: &str, change: impl FnOnce(&mut Plan)) -> Option<Error> {
    let text = THREE.text.replacen(old, new, 1);
    assert!(text.contains(new));
    let module = ptx::parse(text.as_bytes()).unwrap();
    // The plan is that of the text without the change: statements have the same numbers.
    let plain = ptx::parse(THREE.text.as_bytes()).unwrap();
    let mut plan = kernels::plan(&plain, &THREE, &Options::new(Wrapping::Row));
    change(&mut plan);
    emit(&module, &[&plan], Variant::Normal).err()
}

/// The number of the first destination.
const FIRST: u32 = 16;

#[test]
fn the_plan_as_it_is() {
    assert_eq!(error("%f2", "%f2", |_| {}), None);
}

#[test]
fn other_loads() {
    let load = "ld.global.f32 \t%f2, [%rd4+8];";
    let with = |new| error(load, new, |_| {});
    assert_eq!(with("@%p1 ld.global.f32 %f2, [%rd4+8];"), None);
    for other in [
        "ld.global.f64 %fd2, [%rd4+8];",
        "ld.global.f32 %f2|%p1, [%rd4+8];",
        "ld.global.v2.f32 %f2, [%rd4+8];",
        "ld.global.f32 %rd4, [%rd4+8];",
        "ld.global.b128 %f2, [%rd4+8];",
        "mov.b32 %f2, %f1;",
        "bar.sync 0;",
        ".pragma \"nounroll\";",
    ] {
        assert_eq!(with(other), Some(Error::NotALoad(FIRST)), "{other}");
    }
    for other in [
        "ld.global.v2.f32 {%f2, %f3}, [%rd4+8];",
        "ld.global.u16 %r1, [%rd4+8];",
        "ld.global.u64 %rd3, [%rd4+8];",
    ] {
        assert_eq!(with(other), Some(Error::Inconsistent(FIRST)), "{other}");
    }
}

#[test]
fn plans_that_name_what_is_not_there() {
    let with = |change: fn(&mut Plan)| error("%f2", "%f2", change);
    assert_eq!(with(|plan| plan.item = 0), Some(Error::NoFunction(0)));
    assert_eq!(with(|plan| plan.item = 99), Some(Error::NoFunction(99)));
    assert_eq!(
        with(|plan| plan.shuffles[0].destination = 99),
        Some(Error::NoStatement(99))
    );
    assert_eq!(
        with(|plan| plan.sources[0].statement = 99),
        Some(Error::NoStatement(99))
    );
    assert_eq!(
        with(|plan| plan.regions[0].before = 99),
        Some(Error::NoStatement(99))
    );
    let inconsistent = Some(Error::Inconsistent(FIRST));
    assert_eq!(
        with(|plan| plan.shuffles[0].parts[0].source = 9),
        inconsistent
    );
    assert_eq!(with(|plan| plan.shuffles[0].parts[0].at = 1), inconsistent);
    assert_eq!(
        with(|plan| plan.shuffles[0].parts[0].at = 255),
        inconsistent
    );
    assert_eq!(
        with(|plan| plan.shuffles[0].parts[0].byte = 200),
        inconsistent
    );
    assert_eq!(with(|plan| plan.shuffles[0].parts.clear()), inconsistent);
    assert_eq!(with(|plan| plan.sources[0].region = 9), inconsistent);
    assert_eq!(with(|plan| plan.regions[0].down = false), inconsistent);
    assert_eq!(
        with(|plan| plan.shuffles[0].lanes = LaneMap::Shift(32)),
        inconsistent
    );
    assert_eq!(
        with(|plan| plan.shuffles[0].lanes = LaneMap::Shift(-128)),
        inconsistent
    );
}
