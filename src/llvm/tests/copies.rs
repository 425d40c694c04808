//! What keeps whole warps together in a copy, and the lanes of a mask in step: each test and vote is taken out of rewritten
//! modules, and the executor sees it.

use inkwell::context::Context;
use ptxasw::Options;
use ptxasw::executor::Schedule;
use ptxasw::executor::launch::parse_line;
use ptxasw::passes::shuffle::plan::Wrapping;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::shuffle::{Search, synthesis};
use ptxasw::verify::{self, Module, NamedLaunch, Verdict};
use ptxasw_llvm::outputs::{self, Kind};
use ptxasw_llvm::{read, stage};
use std::fs;
use std::path::Path;

/// A module of `llvm-tests/copies`: its text, and its launches.
fn module(name: &str) -> (String, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../llvm-tests/copies");
    let text = fs::read_to_string(folder.join(format!("{name}.ll"))).unwrap();
    let launches = text
        .lines()
        .filter_map(|line| line.strip_prefix("; launch: "));
    let launches: Vec<String> = launches.map(str::to_owned).collect();
    assert!(!launches.is_empty(), "{name}");
    (text, launches)
}

fn rewritten(text: &str, wrapping: Option<Wrapping>) -> String {
    let context = Context::create();
    let module = read::read(&context, text.as_bytes(), "a.ll").unwrap();
    let options = Options {
        synthesis: synthesis::Options {
            wrapping,
            profit: Profit::Always,
            ..Default::default()
        },
        jobs: 1,
        ..Default::default()
    };
    let done = stage::rewrite(&module, &options).unwrap();
    assert!(done.searches().any(Search::has_shuffles));
    module.print_to_string().to_string()
}

fn compiled(text: &str) -> Vec<u8> {
    let context = Context::create();
    let module = read::read(&context, text.as_bytes(), "a.ll").unwrap();
    outputs::write(&module, Kind::Ptx, None).unwrap()
}

/// Whether some schedule of some launch distinguishes the two.
fn differ(original: &str, changed: &str, launches: &[String]) -> bool {
    let (before, after) = (compiled(original), compiled(changed));
    let before = Module::read(&before).unwrap();
    let after = Module::read(&after).unwrap();
    let launches = launches.iter().map(|line| {
        let line = parse_line(line).unwrap();
        let launch = line.instantiate().unwrap();
        NamedLaunch {
            name: "launch".to_owned(),
            kernel: line.kernel.clone(),
            launch,
        }
    });
    let options = verify::Options {
        launches: launches.collect(),
        schedules: vec![Schedule::Lockstep, Schedule::Independent { seed: 1 }],
        jobs: 1,
        ..Default::default()
    };
    let name = options.launches[0].kernel.clone().unwrap_or_default();
    let report = verify::verify_kernel(
        before.kernel(&name).unwrap(),
        after.kernel(&name).unwrap(),
        &options,
    );
    assert!(report.compared() > 0 || !matches!(report.verdict, Verdict::Equal));
    !matches!(report.verdict, Verdict::Equal)
}

/// The text with each call of an intrinsic replaced by what `instead` makes of its last operand; none without a call.
fn replaced(text: &str, intrinsic: &str, instead: &str) -> Option<String> {
    let start = format!(" @{intrinsic}(");
    let mut found = false;
    let lines = text.lines().map(|line| {
        let call = line
            .split_once(" = call ")
            .filter(|_| line.contains(&start));
        let Some((result, call)) = call else {
            return line.to_owned();
        };
        found = true;
        let (_, arguments) = call.split_once(&start).unwrap();
        let arguments = arguments.split_once(')').unwrap().0;
        let operands: Vec<&str> = arguments
            .split(", ")
            .map(|argument| argument.split_once(' ').unwrap().1)
            .collect();
        let instead = instead
            .replace("MASK", operands[0])
            .replace("HOLDS", operands[1]);
        format!("{result} = {instead}")
    });
    let text = lines.flat_map(|line| [line, "\n".to_owned()]).collect();
    found.then_some(text)
}

/// Each of the calls is there, and the rewritten module is only right with them.
fn each_is_needed(name: &str, wrapping: Option<Wrapping>, faults: &[(&str, &str)]) {
    let (original, launches) = module(name);
    let right = rewritten(&original, wrapping);
    assert!(!differ(&original, &right, &launches), "{name}\n{right}");
    for (intrinsic, instead) in faults {
        let wrong = replaced(&right, intrinsic, instead);
        let wrong = wrong.unwrap_or_else(|| panic!("{name} has no {intrinsic}\n{right}"));
        assert!(
            differ(&original, &wrong, &launches),
            "{name}: not seen without {intrinsic}\n{wrong}"
        );
    }
}

const NO_BALLOT: (&str, &str) = ("llvm.nvvm.vote.ballot.sync", "add i32 MASK, 0");
const NO_VOTE: (&str, &str) = ("llvm.nvvm.vote.all.sync", "or i1 HOLDS, false");
const NO_COMMON_WAY: (&str, &str) = ("llvm.nvvm.vote.uni.sync", "or i1 true, HOLDS");

#[test]
fn a_warp_enters_the_copy_of_an_if_as_a_whole() {
    each_is_needed("row_in_if", None, &[NO_BALLOT]);
}

#[test]
fn a_warp_leaves_the_copy_of_a_loop_as_a_whole() {
    each_is_needed("grid_stride", None, &[NO_VOTE]);
    each_is_needed("while_loop", None, &[NO_VOTE]);
}

#[test]
fn a_warp_goes_one_way_in_a_copy() {
    each_is_needed("both_arms", None, &[NO_COMMON_WAY]);
}

#[test]
fn a_part_of_a_warp_enters_no_copy() {
    let (original, launches) = module("grid_stride");
    let right = rewritten(&original, None);
    // The test in front of the copy.
    let test = right
        .lines()
        .find(|line| line.contains("icmp eq i32") && line.ends_with(", -1"))
        .unwrap();
    let wrong = right.replace(
        test,
        &test.replace("icmp eq", "icmp ne").replace(", -1", ", 0"),
    );
    assert!(differ(&original, &wrong, &launches), "{wrong}");
}

#[test]
fn the_lanes_of_a_tracked_mask_are_those_that_voted() {
    for name in ["row_in_if", "grid_stride"] {
        each_is_needed(name, Some(Wrapping::AnyRow), &[NO_BALLOT]);
    }
}

/// The copy is entered by whole warps, and only where what `ntid.x` leaves beyond whole warps is nothing.
#[test]
fn whole_warps_of_whole_rows_enter_the_copy_of_a_halo() {
    let name = "../opt/halo-k1c";
    each_is_needed(name, Some(Wrapping::Halo), &[NO_BALLOT]);
    let (original, launches) = module(name);
    let right = rewritten(&original, Some(Wrapping::Halo));
    let lines: Vec<&str> = right.lines().collect();
    let rest = lines
        .iter()
        .position(|line| line.contains(" = and i32 ") && line.ends_with(", 31"));
    let test = lines[rest.unwrap() + 1];
    assert!(
        test.contains("icmp eq i32") && test.ends_with(", 0"),
        "{right}"
    );
    let wrong = right.replace(test, &test.replace("icmp eq", "icmp uge"));
    assert!(differ(&original, &wrong, &launches), "{wrong}");
}
