//! Plans that do not fit their function are refused, never written.

use crate::wrappings::kernels::{self, Options, Subject, THREE};
use ptxasw::ir::lanes::LaneMap;
use ptxasw::ir::patch::Target;
use ptxasw::passes::shuffle::lower::{Error, Variant, lower};
use ptxasw::passes::shuffle::plan::{Plan, Wrapping};

/// The error for a plan of `THREE` after `change`.
fn error(change: impl FnOnce(&mut Plan)) -> Option<Error> {
    let subject = Subject::new(THREE.text.as_bytes());
    let mut plan = kernels::plan(&subject, &THREE, &Options::new(Wrapping::Row));
    change(&mut plan);
    let function = subject.reading.function();
    lower(function, &plan, Target::default(), Variant::Normal).err()
}

/// The number of the first destination.
const FIRST: u32 = 16;

#[test]
fn the_plan_as_it_is() {
    assert_eq!(error(|_| {}), None);
}

#[test]
fn plans_that_name_what_is_not_there() {
    let inconsistent = Some(Error::Inconsistent(FIRST));
    let with = |change: fn(&mut Plan)| error(change);
    assert_eq!(
        with(|plan| plan.shuffles[0].inst.0 = 9999),
        Some(Error::NotALoad(FIRST))
    );
    assert_eq!(
        with(|plan| plan.shuffles[0].elements.clear()),
        Some(Error::NotALoad(FIRST))
    );
    assert!(matches!(
        with(|plan| plan.sources[0].inst.0 = 9999),
        Some(Error::NotALoad(_))
    ));
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
    assert!(matches!(
        with(|plan| plan.regions[0].mask = Some(7)),
        Some(Error::NoMask(7))
    ));
}
