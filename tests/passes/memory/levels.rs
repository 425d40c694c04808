//! What the levels of `--loads` do to one kernel.

use super::{compared, passed, taken, text_of};
use ptxasw::passes::Fate;
use ptxasw::passes::memory::{Loads, Memory, MemoryOptions};
use ptxasw::pipeline::limit::Limit;
use ptxasw::verify::Verdict;
use ptxasw::{Options, optimize};

/// Loads that are removed, and accesses that are widened.
fn done(name: &str, loads: Loads) -> [usize; 2] {
    let memory = MemoryOptions {
        loads,
        ..MemoryOptions::default()
    };
    let text = text_of(name);
    let passed = passed(&text, memory);
    taken(name, &passed.reports);
    [Fate::Removed, Fate::Widened].map(|fate| {
        let remarks = passed.reports.iter().flat_map(|report| &report.remarks);
        remarks.filter(|remark| remark.fate == fate).count()
    })
}

/// Where tests for all that they can serve are too dear, those for wide accesses alone are tried.
#[test]
fn a_level_does_what_the_one_before_does() {
    let levels = [
        Loads::Off,
        Loads::Proofs,
        Loads::Checked,
        Loads::Moderate,
        Loads::Bulk,
    ];
    let found = levels.map(|level| done("tested/dear", level));
    assert_eq!(found, [[0, 0], [0, 0], [0, 4], [0, 4], [0, 4]]);
    assert_eq!(done("tested/dear", Loads::Always), [1, 4]);
    assert_eq!(done("cuda/lattice.nvcc.ptx", Loads::Checked)[0], 0);
    assert_eq!(done("cuda/lattice.nvcc.ptx", Loads::Bulk)[0], 18);
}

/// Wide loads of what becomes of a text at the default level, and the lines that it gets.
fn widened(text: &str, limit: Option<usize>) -> (usize, usize) {
    let options = Options {
        limit: limit.map(|count| Limit {
            module: None,
            count,
        }),
        jobs: 1,
        ..Options::of_passes(&[&Memory])
    };
    let made = optimize(text.as_bytes(), &options).expect("a module");
    let made = std::str::from_utf8(&made.text).expect("text");
    let lines = made.lines().count() - text.lines().count();
    (made.matches("ld.global.v4").count(), lines)
}

/// A second copy must be small for what it saves each time that the kernel is executed.
#[test]
fn a_large_copy_for_few_accesses_is_not_made() {
    assert_eq!(done("wide/not-copied", Loads::Bulk), [0, 0]);
    assert_eq!(done("wide/not-copied", Loads::Always), [0, 4]);
    assert_eq!(done("wide/copied", Loads::Bulk), [0, 4]);
    // What comes to a trap counts for nothing, whatever it stores.
    let text = text_of("wide/copied");
    let check = "setp.eq.u32 %p1, %r4, 77;\n\t@%p1 bra FAIL;\nAGAIN:";
    let fail = "\tret;\nFAIL:\n\tst.global.u32 [%rd8], %r20;\n\ttrap;\n}";
    let checked = text.replace("AGAIN:", &check.replace("AGAIN", "C0"));
    let checked = (0..7).fold(checked, |text, number| {
        let (from, to) = (format!("C{number}:"), format!("C{}:", number + 1));
        text.replace(&from, &format!("{from}\n{}", check.replace("AGAIN:", &to)))
    });
    let checked = checked
        .replace("C7:", "C7:\nAGAIN:")
        .replace("\tret;\n}", fail);
    assert_eq!(checked.matches("bra FAIL").count(), 8);
    assert_eq!(widened(&checked, None).0, 1);
}

/// Where the whole kernel is too large, a part of it has the copy; under a limit on rewritings, too.
#[test]
fn a_part_has_the_copy_under_any_limit() {
    let text = text_of("wide/not-copied");
    let (loads, sums) = (
        text.find("\tld.global").unwrap(),
        text.find("\tmad.lo.u32 \t%r20, %r20, %r20, 0;").unwrap(),
    );
    let store = text.find("\tst.global").unwrap();
    let branch = "\tsetp.gt.u32 %p1, %r2, 40;\n\t@%p1 bra END;\n";
    let parts = [
        &text[..loads],
        &text[sums..store],
        branch,
        &text[loads..sums],
        "END:\n",
        &text[store..],
    ];
    let text = parts.concat();
    let (wide, lines) = widened(&text, None);
    assert!(wide == 1 && lines < 50, "{wide} {lines}");
    for limit in 0..4 {
        let (wide, lines) = widened(&text, Some(limit));
        assert!(wide == 0 && lines < 50, "{limit}: {wide} {lines}");
    }
}

/// At `moderate` loads that moved up hold few registers: here of two loads and two stores at a time.
#[test]
fn moderate_holds_few_registers() {
    let crossed = |loads| {
        let memory = MemoryOptions {
            loads,
            ..MemoryOptions::default()
        };
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(root.join("ptx-tests/passes/block-row.ptx"));
        let text = text.expect("the file is there");
        let passed = passed(&text, memory);
        let remarks = passed.reports.iter().flat_map(|report| &report.remarks);
        let moved = remarks.filter(|remark| remark.fate == Fate::Moved);
        let stores = moved.map(|remark| {
            let words = remark.what.split(' ').find_map(|word| word.parse().ok());
            words.expect("a number of stores")
        });
        stores.collect::<Vec<usize>>()
    };
    let (moderate, bulk) = (crossed(Loads::Moderate), crossed(Loads::Bulk));
    assert_eq!((moderate.len(), bulk.len()), (28, 28));
    assert_eq!(moderate.iter().max(), Some(&2));
    assert_eq!(bulk.iter().max(), Some(&8));
}

/// Loads that take the non-coherent path where pointers are assumed to be apart.
fn non_coherent(text: &str) -> usize {
    let mut memory = MemoryOptions {
        loads: Loads::Proofs,
        ..MemoryOptions::default()
    };
    memory.assumed.no_alias = true;
    let passed = passed(text, memory);
    taken("noalias", &passed.reports);
    let remarks = passed.reports.iter().flat_map(|report| &report.remarks);
    let count = remarks.filter(|one| one.fate == Fate::NonCoherent).count();
    let written = |text: &[u8]| String::from_utf8_lossy(text).matches(".nc.").count();
    assert_eq!(written(passed.text()) - written(text.as_bytes()), count);
    if count > 0 {
        let claims = passed.reports.iter().flat_map(|report| &report.claims);
        assert!(
            claims
                .clone()
                .any(|claim| claim.evidence.contains("by choice"))
        );
        assert_eq!(compared(text, passed.text()).verdict, Verdict::Equal);
    }
    count
}

/// What nobody writes is loaded through the non-coherent path, unless the kernel may wait for somebody else.
#[test]
fn what_nobody_writes_takes_the_non_coherent_path() {
    let lattice = text_of("cuda/lattice.nvcc.ptx");
    assert_eq!(non_coherent(&lattice), 19);
    let end = lattice.rfind("ret;").expect("it returns");
    let with = |what: &str| format!("{}{what}{}", &lattice[..end], &lattice[end..]);
    assert_eq!(non_coherent(&with("bar.sync 0;\n\t")), 19);
    for other in [
        "membar.gl;",
        "ld.volatile.global.u32 %r1, [%rd1];",
        "atom.global.add.u32 %r1, [%rd1], 1;",
        "griddepcontrol.wait;",
        "nanosleep.u32 20;",
        "spin: ld.global.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 0; @%p1 bra spin;",
    ] {
        let text = with(other).replace(".target sm_80", ".target sm_90");
        assert_eq!(non_coherent(&text), 0, "{other}");
    }
}
