use super::*;

fn verdict(word: Word, loads: &[(Fate, u64)]) -> FunctionVerdict {
    FunctionVerdict {
        name: "_Z5solvePf".to_owned(),
        entry: true,
        source: None,
        word,
        fates: Fates {
            loads: loads.iter().copied().collect(),
            ..Fates::default()
        },
        undone: None,
        tested: Tested::default(),
        why: None,
        estimate: None,
        no_estimate: None,
        variants: Vec::new(),
    }
}

fn estimate(ratio: [f64; 3], waits: [u32; 2]) -> Estimate {
    let version = |waits| Version {
        waits: Some(waits),
        registers: 16 + waits,
        warps: 64,
        bound: "latency".to_owned(),
    };
    Estimate {
        arch: "sm_90".to_owned(),
        ratio,
        versions: waits.map(version),
    }
}

#[test]
fn what_was_done_and_under_which_condition() {
    let mut one = verdict(Word::Changed, &[(Fate::Removed, 3), (Fate::Kept, 1)]);
    one.tested.disjoint = true;
    one.source = Some(SourcePosition {
        file: "/home/me/solve.cu".to_owned(),
        line: 9,
        column: 1,
    });
    let line =
        "solve(float*) (solve.cu:9): changed; 3 of 4 loads removed, if pointers do not overlap";
    assert_eq!(one.line(), line);
}

#[test]
fn an_estimate_decides_whether_it_is_faster() {
    let one = || verdict(Word::Changed, &[(Fate::Removed, 3)]);
    let with = |estimate| Estimates {
        kernels: [("_Z5solvePf".to_owned(), estimate)].into_iter().collect(),
        ..Estimates::default()
    };
    let faster = one().estimated(&with(Ok(estimate([1.5, 1.4, 2.0], [8, 2]))));
    let line = "solve(float*): faster, est. 1.50x (1.40-2.00) on sm_90; 3 of 3 loads removed";
    assert_eq!(faster.line(), line);
    let reason =
        "  solve(float*): waits for memory 8 -> 2, registers 24 -> 18, warps 64; bound by latency";
    assert_eq!(reasons(&[faster]), [reason]);
    let same = one().estimated(&with(Ok(estimate([1.02, 1.0, 1.1], [8, 8]))));
    assert!(
        same.line().contains(": changed, est. 1.02x "),
        "{}",
        same.line()
    );
    let none = one().estimated(&with(Err("no ptxas".to_owned())));
    assert_eq!(none.word, Word::Changed);
    assert_eq!(reasons(&[none]), ["  solve(float*): no estimate: no ptxas"]);
    // Wide accesses gain although a warp waits as often.
    let wide = estimate([2.9, 2.7, 3.7], [1, 1]);
    assert!(
        wide.reason().starts_with("waits for memory 1, "),
        "{}",
        wide.reason()
    );
}

#[test]
fn why_nothing_was_done() {
    let loads = [(Fate::Removed, 3), (Fate::Declined, 2)];
    let mut back = verdict(Word::Changed, &loads);
    back.revert(Some("55 registers instead of 48".to_owned()));
    let line =
        "solve(float*): unchanged; 3 of 5 loads removed, taken back: 55 registers instead of 48";
    assert_eq!(back.line(), line);
    let mut declined = verdict(Word::Unchanged, &loads[1..]);
    declined.why = Some("sm_90: shuffles are not known to pay".to_owned());
    let line = "solve(float*): unchanged; 2 of 2 loads are in a neighbouring lane's register: sm_90: shuffles are not known to pay";
    assert_eq!(declined.line(), line);
    let plain = verdict(Word::Unchanged, &[(Fate::Kept, 4)]);
    assert_eq!(
        plain.clause(),
        "unchanged; 4 loads: nothing to remove, join or move"
    );
    assert_eq!(
        verdict(Word::Unchanged, &[]).clause(),
        "unchanged; no loads and no stores"
    );
    let mut skipped = verdict(Word::Declined, &[]);
    skipped.why = Some("an instruction is not known".to_owned());
    assert_eq!(skipped.clause(), "declined; an instruction is not known");
}

#[test]
fn lines_on_a_module() {
    let named = |number: u64, word| FunctionVerdict {
        name: format!("k{number}"),
        ..verdict(word, &[(Fate::Removed, number), (Fate::Kept, 1)])
    };
    let few = [named(1, Word::Changed), verdict(Word::Unchanged, &[])];
    assert_eq!(lines("m.ptx", &few), ["k1: changed; 1 of 2 loads removed"]);
    assert_eq!(
        lines("m.ptx", &[verdict(Word::Unchanged, &[])]),
        ["m.ptx: unchanged; no loads and no stores"]
    );
    assert_eq!(
        lines("m.ptx", &[]),
        ["m.ptx: declined; nothing is looked at"]
    );
    let mut two = [named(1, Word::Changed), named(2, Word::Changed)];
    two[0].no_estimate = Some("too long".to_owned());
    assert_eq!(totals(&two), "2 changed (1 not estimated)");
    let mut many: Vec<FunctionVerdict> = (1..=12).map(|n| named(n, Word::Changed)).collect();
    many[0].revert(None);
    let lines = lines("m.ptx", &many);
    let names: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(names, ["k12", "k11", "k10", "k1", "m.ptx"]);
    let sum = "m.ptx: 12 kernels: 11 changed, 1 unchanged; 77 of 90 loads removed";
    assert_eq!(lines.last().unwrap(), sum);
}

#[test]
fn what_other_options_would_be_worth() {
    let variant = |way, ratio| Variant {
        way,
        arch: "sm_90".to_owned(),
        ratio: [ratio; 3],
    };
    let variants = vec![
        variant(Way::Restrict, 1.6),
        variant(Way::Registers, 1.27),
        variant(Way::Shuffles, 0.82),
    ];
    let estimates = |kernels: &[(String, Result<Estimate, String>)]| Estimates {
        kernels: kernels.iter().cloned().collect(),
        variants: [("_Z5solvePf".to_owned(), variants.clone())]
            .into_iter()
            .collect(),
    };
    let kept = [(Fate::Declined, 2), (Fate::Kept, 3)];
    let declined = verdict(Word::Unchanged, &kept).estimated(&estimates(&[]));
    let line =
        "solve(float*): unchanged; 2 of 5 loads are in a neighbouring lane's register (est. 0.82x)";
    assert_eq!(declined.line(), line);
    let ways: Vec<Way> = declined.better().iter().map(|one| one.way).collect();
    assert_eq!(ways, [Way::Restrict, Way::Registers]);
    let mut back = verdict(Word::Changed, &[(Fate::Removed, 3)]);
    back.revert(Some("48 registers become 55".to_owned()));
    let line = "solve(float*): unchanged; 3 of 3 loads removed, taken back: 48 registers become 55 (est. 1.27x)";
    assert_eq!(back.estimated(&estimates(&[])).line(), line);
    // What is not 3 % faster than what it is now is not worth a word.
    let now = Ok(estimate([1.58, 1.5, 1.6], [8, 2]));
    let now = estimates(&[("_Z5solvePf".to_owned(), now)]);
    let changed = verdict(Word::Changed, &[(Fate::Removed, 3)]).estimated(&now);
    assert!(changed.better().is_empty(), "{changed:?}");
}
