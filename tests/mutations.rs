//! The mutation check of shuffles: the tool is broken in every way that [`SHUFFLES`] lists, and [`verify_kernel`] must report
//! each, by a difference or by a fault of the rewritten kernel alone. Unbroken, it must find the very same kernels equal.
//!
//! `cargo test --test suite mutations::every_mutation -- --nocapture` prints the table, with `PTXASW_SOAK=1` what launches that
//! are made up find, too; `PTXASW_MUTATIONS=Waits` tries those cases only whose names have the word in them.

use crate::launches::of_header;
use ptxasw::certificate::Kind;
use ptxasw::executor::Schedule;
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::passes::shuffle::synthesis;
use ptxasw::pipeline::ssa::Report;
use ptxasw::pipeline::{self, optimize};
use ptxasw::solver::{Decision, QUERY_RLIMIT, decide_text};
use ptxasw::support::mutation::{Mutation, SHUFFLES, with};
use ptxasw::verify::{KernelReport, Module, Options, Verdict, verify_kernel};
use std::collections::BTreeSet;
use std::path::Path;

/// A mutation, the file of `ptx-tests/mutations` that shows it, and the wrapping if it is not the rule's choice.
struct Case(Mutation, &'static str, Option<Wrapping>);

const CASES: &[Case] = &[
    Case(Mutation::DeltaOffByOne, "stencil", None),
    Case(Mutation::WrongDirection, "stencil", None),
    Case(Mutation::NoCornerLoad, "stencil", None),
    Case(Mutation::CornerInverted, "stencil", None),
    Case(Mutation::PredicatedSource, "predicated-source", None),
    Case(Mutation::WidthMismatch, "half-word", None),
    Case(Mutation::SignOfSource, "signed-bytes", None),
    Case(Mutation::PartSwapped, "double", None),
    Case(Mutation::OnePredicateOfParts, "two-guards", None),
    Case(Mutation::VoteOfGuardDropped, "predicated-source", None),
    Case(Mutation::UndefinedBytes, "undefined-bytes", None),
    Case(Mutation::LaneOfTid, "stencil", None),
    Case(Mutation::FullMask, "stencil", None),
    Case(Mutation::FullMask, "divergent-if", Some(Wrapping::AnyRow)),
    Case(Mutation::MaskNotTested, "stencil", None),
    Case(Mutation::RowCheckDropped, "stencil", Some(Wrapping::Row)),
    Case(Mutation::RowCheckDropped, "stencil", Some(Wrapping::AnyRow)),
    Case(Mutation::RowCheckDropped, "stencil", Some(Wrapping::Paper)),
    Case(Mutation::RowGroupsUnchecked, "row-groups", None),
    Case(Mutation::HaloReadsBeyond, "halo-end", Some(Wrapping::Halo)),
    Case(
        Mutation::HaloChecksDropped,
        "halo-check",
        Some(Wrapping::Halo),
    ),
    Case(
        Mutation::RowGroupsUnchecked,
        "stencil",
        Some(Wrapping::Halo),
    ),
    Case(Mutation::EntryNotTested, "stencil", Some(Wrapping::Halo)),
    Case(Mutation::FullInNarrowRows, "narrow-rows", None),
    Case(Mutation::MaskInLoop, "uniform-loop", None),
    Case(Mutation::MaskInOuterLoop, "nested-loops", None),
    Case(Mutation::SetUpTooLate, "two-sources", None),
    Case(Mutation::WrapCheckDropped, "wrapping-index", None),
    Case(Mutation::DistanceCheckDropped, "wrapping-sum", None),
    Case(Mutation::WrapIgnored, "wrapping-index", None),
    Case(Mutation::UniformWrapIgnored, "negated-row", None),
    Case(Mutation::ClampIgnored, "clamp", None),
    Case(Mutation::SignIgnored, "sign", None),
    Case(Mutation::ChoicesTakenAlike, "two-mirrors", None),
    Case(Mutation::RowEndIgnored, "row-end", None),
    Case(Mutation::ZeroDivisorIgnored, "zero-divisor", None),
    Case(Mutation::RemaindersMixed, "two-remainders", None),
    Case(Mutation::RowStepIgnored, "row-step", None),
    Case(Mutation::FlagsMixed, "mixed-flags", None),
    Case(Mutation::FieldsWrap, "wide-field", None),
    Case(Mutation::NanKeepsSign, "negated-nan", None),
    Case(Mutation::SolverIgnored, "lane-bound", None),
    Case(Mutation::StoresIgnored, "store-between", None),
    Case(Mutation::BarriersIgnored, "barrier-between", None),
    Case(Mutation::AtomicsIgnored, "atomic-between", None),
    Case(Mutation::OrderingIgnored, "acquire-between", None),
    Case(Mutation::CallsIgnored, "call-between", None),
    Case(Mutation::AliasIgnored, "same-buffer", None),
    Case(Mutation::IterationsAlike, "other-iteration", None),
    Case(Mutation::StoreWidthIgnored, "wide-store", None),
    Case(Mutation::DistanceNeverWraps, "wrapping-distance", None),
    Case(Mutation::DynamicSharedDistinct, "dynamic-arrays", None),
    Case(Mutation::OwnStoreBeforeSource, "own-store", None),
    Case(Mutation::PartialAcquire, "partial-acquire", None),
    Case(Mutation::SourceNotDominating, "not-dominating", None),
    Case(Mutation::PreviousIteration, "source-behind", None),
    Case(Mutation::CarriedNotStepped, "carried-step", None),
    Case(Mutation::CarriedEntryUnchecked, "carried-entry", None),
    Case(Mutation::CarriedNeverKilled, "carried-store", None),
    Case(Mutation::MaskBeforeExits, "exit-between", None),
    Case(Mutation::WaitsIgnored, "waiting-lanes", None),
    Case(Mutation::WaitsIgnored, "../waiting/not-warp-barrier", None),
    Case(
        Mutation::WaitsIgnored,
        "../waiting/not-called-barrier",
        None,
    ),
    Case(Mutation::OneCallForAll, "../modules/not-two-calls", None),
    Case(Mutation::CalleesForgotten, "calls-between", None),
    Case(Mutation::AtomicEffectsForgotten, "called-atomic", None),
    Case(Mutation::ExitingCallsCopied, "copied-call", None),
    Case(Mutation::ExitingCallsIgnored, "call-that-exits", None),
    Case(Mutation::VolatileUniform, "volatile-index", None),
    Case(Mutation::AtomicUniform, "atomic-index", None),
    Case(Mutation::UniformAcrossStores, "stored-index", None),
    Case(Mutation::LoopExitsUniform, "loop-exits", None),
    Case(Mutation::LaneIdUniform, "lane-index", None),
    Case(Mutation::OnePathToJoin, "joined-index", None),
    Case(Mutation::HeaderFactOfBackEdge, "rotated", None),
    Case(Mutation::GenericIsGlobal, "generic-local", None),
    Case(
        Mutation::BackEdgeBallotDropped,
        "tracked-loop",
        Some(Wrapping::AnyRow),
    ),
    Case(
        Mutation::MaskOfOtherArm,
        "tracked-arms",
        Some(Wrapping::AnyRow),
    ),
    Case(Mutation::MaskInLoop, "tracked-arms", Some(Wrapping::AnyRow)),
    Case(Mutation::EntryNotTested, "divergent-if", None),
    Case(Mutation::EntryNotTested, "stride-loop", None),
    Case(Mutation::EntrySignNotTested, "entry-sign", None),
    Case(Mutation::LeaveNotVoted, "stride-loop", None),
    Case(Mutation::LeaveByOneStays, "stride-loop", None),
    Case(Mutation::WaysNotVoted, "ways", None),
    Case(Mutation::OtherPartsInStep, "other-part", None),
    Case(Mutation::IterationsAssumedEqual, "side-loop", None),
];

/// Adversaries that look for a broken kernel's fault.
const ADVERSARIES: u64 = 32;
/// Adversaries under which an unbroken kernel must be equal, in a soak test and usually.
const UNBROKEN: [u64; 2] = [8, 1];
/// Warp instructions for made-up launches, which only a soak test runs: what they find is printed, and not asserted.
const STEPS: u64 = 1 << 22;

fn text_of(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx-tests/mutations");
    let path = folder.join(file).with_extension("ptx");
    std::fs::read_to_string(path).expect("the file is there")
}

fn rewriting(text: &str, wrapping: Option<Wrapping>) -> pipeline::Options {
    pipeline::Options {
        synthesis: synthesis::Options {
            wrapping,
            shared: text.lines().any(|line| line == "// space: shared"),
            ..Default::default()
        },
        // The switch counts on one thread only.
        jobs: 1,
        ..pipeline::Options::of_shuffles()
    }
}

fn rewritten(text: &str, wrapping: Option<Wrapping>) -> Vec<u8> {
    try_rewritten(text, wrapping).expect("the kernel is rewritten")
}

fn try_rewritten(text: &str, wrapping: Option<Wrapping>) -> Result<Vec<u8>, String> {
    let output = optimize(text.as_bytes(), &rewriting(text, wrapping));
    let output = output.map_err(|error| error.to_string())?;
    match output.passes.iter().find_map(Report::refusal) {
        Some(refusal) => Err(refusal),
        None => Ok(output.text),
    }
}

/// Lockstep, so many adversaries, and the launches of a file's header.
fn options(text: &str, adversaries: u64) -> Options {
    let independent = (1..=adversaries).map(|seed| Schedule::Independent { seed });
    Options {
        launches: of_header(text),
        schedules: std::iter::once(Schedule::Lockstep)
            .chain(independent)
            .collect(),
        ..Options::default()
    }
}

fn compared(original: &str, other: &[u8], options: &Options) -> KernelReport {
    let (a, b) = (Module::read(original.as_bytes()), Module::read(other));
    let (a, b) = (a.expect("the original"), b.expect("the rewritten module"));
    let (a, b) = (a.kernel("k"), b.kernel("k"));
    verify_kernel(a.expect("its kernel"), b.expect("its kernel"), options)
}

/// The finding against the rewritten kernel, if any; `None` if nothing was found, whatever was looked at.
fn finding(report: &KernelReport) -> Option<String> {
    match &report.verdict {
        Verdict::Different(found) => Some(format!(
            "different: {:?}[{}], {:?}",
            found.memory, found.element, found.schedule
        )),
        Verdict::UndefinedBehaviour(found) => Some(format!(
            "undefined behaviour: {}, {:?}",
            found.error.fault, found.schedule
        )),
        Verdict::Equal | Verdict::CouldNotRun(_) => None,
    }
}

#[test]
fn every_mutation_is_reported() {
    let wanted = std::env::var("PTXASW_MUTATIONS").unwrap_or_default();
    let soak = crate::soak();
    let adversaries = UNBROKEN[usize::from(!soak)];
    let (mut missed, mut unaided) = (Vec::new(), 0);
    for &Case(mutation, file, wrapping) in CASES {
        let text = text_of(file);
        let name = match wrapping {
            Some(wrapping) => format!("{mutation:?}, {file}, {wrapping:?}"),
            None => format!("{mutation:?}, {file}"),
        };
        if !name.contains(&wanted) {
            continue;
        }
        let good = rewritten(&text, wrapping);
        let unbroken = compared(&text, &good, &options(&text, adversaries));
        assert_eq!(unbroken.verdict, Verdict::Equal, "{name}, unbroken");

        let broken = with(mutation, || try_rewritten(&text, wrapping));
        let broken = match broken {
            Ok(broken) => broken,
            // What a patch makes is no function: no text is written.
            Err(error) => {
                println!("{name}\n    refused: {error}");
                continue;
            }
        };
        assert!(broken != good, "{name}: nothing is broken");
        let found = finding(&compared(&text, &broken, &options(&text, ADVERSARIES)));
        let line = |found: &Option<String>| found.clone().unwrap_or_else(|| "missed".to_owned());
        println!("{name}\n    {}", line(&found));
        if soak {
            let made_up = Options {
                steps: STEPS,
                ..Options::default()
            };
            let by_itself = finding(&compared(&text, &broken, &made_up));
            println!("    made-up launches: {}", line(&by_itself));
            unaided += usize::from(by_itself.is_some());
        }
        missed.extend(found.is_none().then_some(name));
    }
    if soak {
        println!("{unaided} of {} with made-up launches", CASES.len());
    }
    assert!(missed.is_empty(), "missed: {missed:#?}");
}

#[test]
fn every_mutation_has_a_case() {
    for mutation in SHUFFLES {
        let tried = CASES.iter().any(|case| case.0 == *mutation);
        assert!(tried, "{mutation:?}");
    }
}

/// What Z3 refutes in the certificates of kernels that a broken proof rewrites. Where the tool is broken elsewhere, the
/// certificates are in order, as what they are about is.
const REFUTED: &[(Mutation, &str, &[Kind])] = &[
    (Mutation::WrapIgnored, "wrapping-index", &[Kind::SameBytes]),
    (
        Mutation::WrapCheckDropped,
        "wrapping-index",
        &[Kind::SameBytes, Kind::NoWrap],
    ),
    (
        Mutation::DistanceCheckDropped,
        "wrapping-sum",
        &[Kind::SameBytes],
    ),
    (
        Mutation::UniformWrapIgnored,
        "negated-row",
        &[Kind::SameBytes],
    ),
    (Mutation::ClampIgnored, "clamp", &[Kind::SameBytes]),
    (Mutation::SignIgnored, "sign", &[Kind::SameBytes]),
    (
        Mutation::ChoicesTakenAlike,
        "two-mirrors",
        &[Kind::SameBytes],
    ),
    (Mutation::SolverIgnored, "lane-bound", &[Kind::SameBytes]),
    (Mutation::RowEndIgnored, "row-end", &[Kind::Rule]),
    (Mutation::RowStepIgnored, "row-step", &[Kind::Rule]),
    (Mutation::ZeroDivisorIgnored, "zero-divisor", &[Kind::Rule]),
    (
        Mutation::StoreWidthIgnored,
        "wide-store",
        &[Kind::OtherBytes],
    ),
    (
        Mutation::DistanceNeverWraps,
        "wrapping-distance",
        &[Kind::OtherBytes],
    ),
    (
        Mutation::CarriedEntryUnchecked,
        "carried-entry",
        &[Kind::Carried],
    ),
    (Mutation::HeaderFactOfBackEdge, "rotated", &[Kind::Loop]),
];

/// The kinds of claims in a kernel's certificates that Z3 refutes.
fn refuted(text: &str) -> Vec<Kind> {
    let mut options = rewriting(text, None);
    options.synthesis.certificates = true;
    let output = optimize(text.as_bytes(), &options).expect("the kernel is rewritten");
    let shuffles = output.searches().flat_map(|one| &one.plan.shuffles);
    let certificates = shuffles.filter_map(|one| one.certificate.as_ref());
    let own = certificates.flat_map(|one| &one.obligations);
    let shared = output.searches().flat_map(|one| &one.plan.obligations);
    let holds_not = |smt| decide_text(smt, 1, QUERY_RLIMIT) == Decision::Satisfiable;
    let refuted = own.chain(shared).filter(|claim| holds_not(&claim.smt));
    let kinds: BTreeSet<Kind> = refuted.map(|claim| claim.kind).collect();
    kinds.into_iter().collect()
}

#[test]
fn certificates_of_broken_proofs_are_refuted() {
    for &(mutation, file, kinds) in REFUTED {
        let text = text_of(file);
        assert_eq!(refuted(&text), [], "{file}, unbroken");
        let broken = with(mutation, || refuted(&text));
        assert_eq!(broken, kinds, "{mutation:?}, {file}");
    }
}
