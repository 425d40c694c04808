//! No wrapping costs more than it was designed to: what it adds to the hot path of the original's machine code, counted.
//! For sm_70 no disassembler is at hand everywhere; the table of `benches/README.md` has it.

#[path = "../../benches/wrappings/code.rs"]
mod code;
#[path = "../../benches/wrappings/design.rs"]
mod design;

use code::{KERNELS, OF_WHOLE_ROWS, Rewritten, WRAPPINGS};
use std::collections::HashMap;

#[test]
fn no_wrapping_adds_more_than_its_design() {
    // Pairs take turns with targets, but in a soak test, which has all. The first one has no disassembler everywhere.
    let soak = std::env::var_os("PTXASW_SOAK").is_some();
    let wanted = |number: usize, index: usize| soak || index == 1 + number % 2;
    let (mut compared, mut more) = (0, Vec::new());
    let mut originals = HashMap::new();
    let mut texts = HashMap::new();
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
                .or_insert_with(|| code::assembled(texts, index));
            let (Some(before), Some(after)) = (before, code::assembled(&rewritten, index)) else {
                continue;
            };
            let [first, second] =
                [&*before, &after].map(|code| i64::from(code.sass.hot.instructions));
            compared += 1;
            if second - first > most[index] {
                let (added, most) = (second - first, most[index]);
                let registers = after.registers;
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
    let least = if soak { 70 } else { 35 };
    assert!(compared > least, "{compared}");
}
