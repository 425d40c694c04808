//! No claim is missing: what a plan says of its proofs, and what the text has between loads, against the files.

use std::fs;
use std::process::Command;

use ptxasw::certificate::Kind;
use ptxasw::certificate::index::Shuffle;

use crate::certificates::run::{Folder, index, modules};

fn count(shuffle: &Shuffle, kind: Kind) -> usize {
    let kinds = shuffle.obligations.iter().filter(|file| file.kind == kind);
    kinds.count()
}

/// Lines of plain stores of a text between two lines.
fn stores(text: &str, from: u32, to: u32) -> Vec<u32> {
    (1..)
        .zip(text.lines())
        .filter(|&(line, _)| from < line && line < to)
        .filter(|(_, statement)| statement.trim_start().starts_with("st."))
        .map(|(line, _)| line)
        .collect()
}

/// Every shuffle has its C1; every check at run time that an index does not wrap has its claim; and every store between
/// source and destination of loads that a store can kill has a claim or a structural condition.
#[test]
fn every_proof_has_its_files() {
    let work = Folder::new();
    let (mut shuffles, mut guards, mut stores_passed) = (0, 0, 0);
    for module in [
        "address",
        "wrap",
        "memory",
        "neighbour",
        "soundness",
        "certificates",
    ]
    .into_iter()
    .flat_map(modules)
    {
        let source = fs::read_to_string(&module).unwrap();
        let Ok(folder) = work.certify_file(&module, &[]) else {
            continue;
        };
        for kernel in index(&folder).kernels {
            for shuffle in &kernel.shuffles {
                let name = format!("{}, shuffle {}", module.display(), shuffle.number);
                shuffles += 1;
                assert_eq!(count(shuffle, Kind::SameBytes), 1, "{name}");
                let said = |condition: &str| {
                    let mut all = shuffle.structural.iter();
                    all.find(|one| one.condition == condition)
                        .unwrap()
                        .how
                        .clone()
                };
                let c1 = said("C1");
                let guarded = [
                    "excludes an overflow",
                    "the index is checked",
                    "value is checked",
                ];
                let wraps = guarded.iter().any(|words| c1.contains(words));
                assert_eq!(count(shuffle, Kind::NoWrap) > 0, wraps, "{name}: {c1}");
                guards += count(shuffle, Kind::NoWrap);
                if said("C3").contains("constant while the kernel runs") {
                    continue;
                }
                let (from, to) = (shuffle.source.place.line, shuffle.destination.place.line);
                for line in stores(&source, from, to) {
                    let mut files = shuffle.obligations.iter();
                    let mut words = shuffle.structural.iter();
                    let claimed =
                        files.any(|one| one.kind == Kind::OtherBytes && one.line == Some(line));
                    let told = words.any(|one| one.condition == "C3" && one.line == Some(line));
                    assert!(
                        claimed || told,
                        "{name}: nothing of the store at line {line}"
                    );
                    stores_passed += 1;
                }
            }
        }
    }
    assert!(
        shuffles > 50 && guards > 30 && stores_passed > 3,
        "{shuffles}, {guards}, {stores_passed}"
    );
}

/// Without the option nothing is printed, and the plan carries what `--certificates` writes.
#[test]
fn plan_and_folder_agree() {
    let work = Folder::new();
    let plan = work.path("plan.json");
    let option = ["--plan", plan.to_str().unwrap()];
    let folder = work.certify("certificates/store.ptx", &option);
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&plan).unwrap()).unwrap();
    let obligations = &json[0]["shuffles"][0]["certificate"]["obligations"];
    let index = index(&folder);
    let files = &index.kernels[0].shuffles[0].obligations;
    assert_eq!(obligations.as_array().unwrap().len(), files.len());
    for (obligation, file) in obligations.as_array().unwrap().iter().zip(files) {
        let text = fs::read_to_string(folder.join(&file.file)).unwrap();
        assert_eq!(obligation["smt"], text.as_str());
    }
}

/// Certificates of one input have the same bytes on any number of threads.
#[test]
fn folders_are_deterministic() {
    let work = Folder::new();
    let read = |jobs: &str| {
        let folder = work.certify("kernelgen/jacobi.sm_80.ptx", &["-j", jobs]);
        let index = index(&folder);
        let texts: Vec<String> = index
            .files()
            .map(|file| fs::read_to_string(folder.join(&file.file)).unwrap())
            .collect();
        (index, texts)
    };
    assert_eq!(read("1"), read("4"));
}

#[test]
fn measuring_variants_have_no_certificates() {
    let output = Command::new(env!("CARGO_BIN_EXE_ptxasw"))
        .args(["opt", "-", "--no-load", "--certificates", "x"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}
