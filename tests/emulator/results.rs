//! What is computed once for all: a consumer of an emulation finds what it would find in one of its own.

use ptxasw::Options;
use ptxasw::emulator::Results;
use ptxasw::ir::patch::Target;
use ptxasw::passes::memory::{Loads, Memory, MemoryOptions};
use ptxasw::passes::scalar::Scalar;
use ptxasw::passes::shuffle::Shuffle;
use ptxasw::passes::shuffle::profit::Profit;
use ptxasw::passes::{Pass, Session};
use ptxasw::pipeline::Reading;
use ptxasw::pipeline::ssa::limits;
use ptxasw::ptx::write::View;
use ptxasw::ptx::{self, decode};
use std::fs;

/// Folders with loops that lanes leave one by one, with joins, and with everything that the passes do.
const FOLDERS: [&str; 4] = ["copies", "instance", "kernelgen", "loads"];

#[test]
fn what_one_consumer_leaves_does_not_show_to_the_next() {
    let mut options = Options::default();
    options.synthesis.profit = Profit::Always;
    let mut functions = 0;
    for folder in FOLDERS {
        let files = fs::read_dir(format!("ptx-tests/{folder}")).expect("a folder");
        let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
        paths.retain(|path| path.extension().is_some_and(|one| one == "ptx"));
        paths.sort();
        for path in paths.iter().step_by(2) {
            let text = fs::read(path).expect("a text");
            let module = ptx::parse(&text).expect("it is PTX");
            let headers = decode::headers(&module);
            for index in 0..headers.functions.len() {
                let reading = Reading::read(&module, &headers, index).expect("a function");
                consume(&module, &reading, &options, &path.display().to_string());
                functions += 1;
            }
        }
    }
    assert!(functions > 50, "{functions}");
}

/// Two passes, and the search for shuffles, on one emulation and each on its own.
fn consume(module: &ptx::ast::Module, reading: &Reading, options: &Options, path: &str) {
    let function = reading.function();
    let text = View::new(module, &reading.body.form, &reading.body.lowered);
    let memory = MemoryOptions {
        loads: Loads::Always,
        ..MemoryOptions::default()
    };
    let pass = |pass: &dyn Pass, results: &Results| {
        let target = Target {
            architecture: Some(60),
            ..Target::default()
        };
        let session = Session::new(function, results, &text, target, limits(options), memory)
            .across_lanes(&options.synthesis, &[]);
        format!("{:?}", pass.run(&session))
    };
    let shared = Results::default();
    for round in 0..2 {
        let found = [
            pass(&Memory, &shared),
            pass(&Shuffle, &shared),
            pass(&Scalar, &shared),
        ];
        let own = Results::default;
        let expected = [
            pass(&Memory, &own()),
            pass(&Shuffle, &own()),
            pass(&Scalar, &own()),
        ];
        assert!(
            found == expected,
            "{path}: `{}`, round {round}",
            function.name
        );
    }
}
