//! No wrapping costs more than it was designed to: what it adds to the hot path of the original's machine code, counted.
//! For sm_70 no disassembler is at hand everywhere; the table of `benches/README.md` has it.

#[path = "../../benches/wrappings/code.rs"]
mod code;
#[path = "../../benches/wrappings/design.rs"]
mod design;

use code::Rewritten;
use std::collections::HashMap;

#[test]
fn no_wrapping_adds_more_than_its_design() {
    let (mut compared, mut more) = (0, Vec::new());
    let mut originals = HashMap::new();
    for (kernel, wrapping) in design::wrapped() {
        let of_rows = ["F31", "full"].contains(&wrapping);
        let (texts, before) = originals.entry((kernel, of_rows)).or_insert_with(|| {
            let texts = code::targeted(&code::text(kernel, of_rows));
            let code = code::assembled(&texts);
            (texts, code)
        });
        let Rewritten::Texts(rewritten, _) = code::rewritten(texts, wrapping) else {
            continue;
        };
        let after = code::assembled(&rewritten);
        let most = design::added(kernel, wrapping).unwrap();
        for (index, arch) in code::ARCHS.iter().enumerate() {
            let (Some(before), Some(after)) = (&before[index], &after[index]) else {
                continue;
            };
            let [before, after] = [before, after].map(|code| i64::from(code.sass.hot.instructions));
            compared += 1;
            if after - before > most[index] {
                let added = after - before;
                more.push(format!(
                    "{kernel} {wrapping} {arch}: {added} for {}",
                    most[index]
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
    assert!(compared > 70, "{compared}");
}
