//! Compiled kernels: what `nvcc` makes of `kernels.cu`, and two operators of KernelGen.

use super::*;
use crate::launch::parse_line;

const TEXT: &str = include_str!("kernels.ptx");

/// The harmful races of a kernel, in lockstep and by an adversary: the source text of both statements.
fn races(text: &str, name: &str, launch: &str) -> [Vec<(String, String)>; 2] {
    let tree = ptxasw_ptx::parse(text.as_bytes()).expect("the text parses");
    let module = ptxasw_ptx::decode::decode(&tree).expect("the text decodes");
    let function = module.functions.iter().find(|f| &*f.name == name);
    let function = function.expect("the kernel");
    let launch = parse_line(launch).expect("a launch");
    let launch = launch.instantiate().expect("memory");
    let quote = |access: RacingAccess| text[access.span.range()].to_owned();
    [Schedule::Lockstep, Schedule::Independent { seed: 1 }].map(|schedule| {
        let options = Options::default();
        let (result, races) = find_races(&module, function, &launch, schedule, options);
        assert!(result.is_ok() && races.complete, "{name}: {result:?}");
        let harmful = races.harmful();
        harmful
            .map(|race| (quote(race.first), quote(race.second)))
            .collect()
    })
}

/// Checks that the one without the mistake has no race and the other one has, both of whose statements begin so.
fn check(name: &str, launch: &str, first: &str, second: &str) {
    assert_eq!(
        races(TEXT, &format!("{name}_right"), launch),
        [vec![], vec![]]
    );
    for races in races(TEXT, &format!("{name}_wrong"), launch) {
        let expected = |(a, b): &(String, String)| a.starts_with(first) && b.starts_with(second);
        assert!(races.iter().any(expected), "{name}: {races:#?}");
    }
}

const FLOATS: &str = "grid=4 block=128 args=f32[512],f32[8]:zero";

#[test]
fn trees() {
    check("tree", FLOATS, "st.shared", "ld.shared");
}

#[test]
fn the_last_warp() {
    check("last_warp", FLOATS, "st.", "ld.");
}

#[test]
fn histograms() {
    let launch = "grid=4 block=128 args=u32[512],u32[64]:zero";
    check("histogram", launch, "st.shared", "ld.shared");
}

#[test]
fn the_last_block() {
    check("last_block", FLOATS, "st.global", "ld.global");
}

#[test]
fn updates_in_place() {
    check(
        "shift",
        "grid=4 block=128 args=f32[512],512",
        "ld.global",
        "st.global",
    );
}

/// Two operators add to an array in place. If they took their row from `%ctaid.y` alone, in a block of 16x8 threads the
/// eight with the same `%tid.x` would update the same element.
#[test]
fn updates_by_all_rows_of_a_block() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ptx-tests/kernelgen");
    for file in ["derivative.sm_80", "rhs4.clang"] {
        let text =
            std::fs::read_to_string(folder.join(format!("{file}.ptx"))).expect("the operator");
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("// launch: "));
        let (name, sizes) = line
            .and_then(|line| line.split_once(' '))
            .expect("a launch");
        assert_eq!(races(&text, name, sizes), [vec![], vec![]], "{file}");
        let square = sizes
            .replace("grid=2,", "grid=10,")
            .replace("block=128", "block=16,8");
        assert_eq!(races(&text, name, &square), [vec![], vec![]], "{file}");
        let rows = text
            .replace(", %tid.y;", ", 0;")
            .replace(", %ntid.y;", ", 1;");
        assert_ne!(rows, text, "{file}");
        for races in races(&rows, name, &square) {
            let updates = |(a, b): &(String, String)| {
                [a, b].iter().all(|access| access.contains(".global"))
                    && [a, b].iter().any(|access| access.starts_with("st."))
            };
            assert!(
                !races.is_empty() && races.iter().all(updates),
                "{file}: {races:#?}"
            );
        }
    }
}
