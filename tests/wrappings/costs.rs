//! No wrapping costs more than it was designed to: what it adds to the hot path of the original's machine code, counted.
//! For sm_70 no disassembler is at hand everywhere; the table of `benches/README.md` has it.

#[path = "../../benches/wrappings/code.rs"]
mod code;
#[path = "../../benches/wrappings/design.rs"]
mod design;

use crate::answers::{self, Question};
use crate::listing;
use code::{KERNELS, OF_WHOLE_ROWS, Rewritten, WRAPPINGS};
use ptxasw::toolchain::Assembler;
use std::collections::HashMap;
use std::path::Path;

/// Machine instructions of the hot path, and registers.
type Cost = (u32, u32);

/// What counts machine instructions: where it changes, nothing is known.
const COUNTER: &str = "tests/listing";

/// The cost of the code for the target of that number; none where its assembler or disassembler is missing.
fn cost(texts: &[String; 3], index: usize, counter: &[Vec<u8>]) -> Option<Cost> {
    let arch = code::ARCHS[index];
    let assembler = Assembler::find(arch).ok()?;
    let (program, target) = (answers::file(assembler.path()), arch.to_string());
    let inputs = [&*program, target.as_bytes(), texts[index].as_bytes()];
    let counter = counter.iter().map(Vec::as_slice);
    let question = Question::new(inputs.into_iter().chain(counter));
    let parse = |answer: String| {
        let (instructions, registers) = answer.split_once(' ')?;
        Some((instructions.parse().ok()?, registers.parse().ok()?))
    };
    if let Some(cost) = question.known().and_then(parse) {
        return Some(cost);
    }
    let code = code::assembled(texts, index)?;
    let (instructions, registers) = (code.sass.hot.instructions, code.registers);
    question.keep(&format!("{instructions} {registers}"));
    Some((instructions, registers))
}

/// The sources of [`COUNTER`], in an order that does not change.
fn counter() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(COUNTER);
    let files = std::fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.is_file()).collect();
    assert!(!files.is_empty());
    files.sort();
    files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

#[test]
fn no_wrapping_adds_more_than_its_design() {
    // Pairs take turns with targets, but in a soak test, which has all. The first one has no disassembler everywhere.
    let soak = crate::soak();
    let wanted = |number: usize, index: usize| soak || index == 1 + number % 2;
    let (mut compared, mut more) = (0, Vec::new());
    let mut originals = HashMap::new();
    let mut texts = HashMap::new();
    let counter = counter();
    let pairs = KERNELS
        .iter()
        .flat_map(|kernel| WRAPPINGS.iter().map(move |one| (*kernel, *one)));
    for (number, (kernel, wrapping)) in pairs.enumerate() {
        let Some(most) = design::added(kernel, wrapping) else {
            continue;
        };
        let of_rows = OF_WHOLE_ROWS.contains(&wrapping);
        let texts = texts
            .entry((kernel, of_rows))
            .or_insert_with(|| code::targeted(&code::text(kernel, of_rows)));
        let rewritten = match code::rewritten(texts, wrapping) {
            Rewritten::Texts(rewritten, shuffles) => {
                assert!(shuffles > 0);
                rewritten
            }
            Rewritten::Refused(reason) => {
                println!("{kernel} {wrapping}: {reason}");
                continue;
            }
        };
        for (index, arch) in code::ARCHS.iter().enumerate() {
            if !wanted(number, index) {
                continue;
            }
            let before = originals
                .entry((kernel, of_rows, index))
                .or_insert_with(|| cost(texts, index, &counter));
            let after = cost(&rewritten, index, &counter);
            let (Some((before, _)), Some((after, registers))) = (*before, after) else {
                continue;
            };
            compared += 1;
            let added = i64::from(after) - i64::from(before);
            if added > most[index] {
                let most = most[index];
                more.push(format!(
                    "{kernel} {wrapping} {arch}: {added} for {most}, {registers} registers"
                ));
            }
        }
    }
    if compared == 0 {
        assert!(std::env::var_os("CI").is_none(), "no ptxas or no nvdisasm");
        return eprintln!("skipped: no ptxas or no nvdisasm");
    }
    assert_eq!(more, Vec::<String>::new());
    // Some wrappings are not for some kernels, but most are.
    let least = if soak { 40 } else { 20 };
    assert!(compared > least, "{compared}");
}
