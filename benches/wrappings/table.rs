//! The table, in Markdown.

use std::fmt::Write;

use crate::code::{self, Code, KERNELS, OF_WHOLE_ROWS, Rewritten, WRAPPINGS};
use crate::design;

const HEAD: &str =
    "| kernel, wrapping | S | sm_70 | sm_80 | sm_90 | registers | LDG/SHFL/VOTE | added | design |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";

/// One line for each kernel and wrapping, and the reasons of those that are refused.
pub fn table() -> String {
    let mut lines = String::from(HEAD);
    let mut refused: Vec<(String, Vec<String>)> = Vec::new();
    for kernel in KERNELS {
        for rows in [false, true] {
            let texts = code::targeted(&code::text(kernel, rows));
            let original = [0, 1, 2].map(|index| code::assembled(&texts, index));
            let label = if rows {
                "original, `.reqntid 128`"
            } else {
                "original"
            };
            line(&mut lines, kernel, label, 0, &original, None, None);
            let of_rows = |wrapping: &&&str| OF_WHOLE_ROWS.contains(*wrapping) == rows;
            for wrapping in WRAPPINGS.iter().filter(of_rows) {
                match code::rewritten(&texts, wrapping) {
                    Rewritten::Texts(rewritten, shuffles) => {
                        let added = Some(&original);
                        let design = design::added(kernel, wrapping);
                        let code = [0, 1, 2].map(|index| code::assembled(&rewritten, index));
                        line(&mut lines, kernel, wrapping, shuffles, &code, added, design);
                    }
                    Rewritten::Refused(reason) => {
                        let _ = writeln!(
                            lines,
                            "| {kernel} {wrapping} | - | - | - | - | - | - | - | - |"
                        );
                        let place = format!("{kernel} {wrapping}");
                        match refused.iter_mut().find(|(other, _)| *other == reason) {
                            Some((_, places)) => places.push(place),
                            None => refused.push((reason, vec![place])),
                        }
                    }
                }
            }
        }
    }
    lines.push('\n');
    for (reason, places) in refused {
        let _ = writeln!(lines, "- {}: {reason}", places.join(", "));
    }
    lines
}

fn line(
    lines: &mut String,
    kernel: &str,
    label: &str,
    shuffles: usize,
    code: &[Option<Code>; 3],
    original: Option<&[Option<Code>; 3]>,
    design: Option<[i64; 3]>,
) {
    let of = |one: &Option<Code>| one.as_ref().map(|code| (code.sass.hot, code.sass.all));
    let sass = code.each_ref().map(|one| match of(one) {
        None => "-".to_owned(),
        Some((hot, all)) if hot == all => hot.instructions.to_string(),
        Some((hot, all)) => format!("{} ({})", hot.instructions, all.instructions),
    });
    let registers = code.each_ref().map(|one| {
        one.as_ref()
            .map_or("-".to_owned(), |code| code.registers.to_string())
    });
    let kinds = of(&code[1]).map_or("-".to_owned(), |(hot, _)| {
        format!("{}/{}/{}", hot.global_loads, hot.shuffles, hot.votes)
    });
    let added = original.map(|original| {
        [0, 1, 2].map(|arch| {
            let (before, after) = (of(&original[arch])?, of(&code[arch])?);
            Some(i64::from(after.0.instructions) - i64::from(before.0.instructions))
        })
    });
    let more = |arch: usize, one: i64| design.is_some_and(|design| one > design[arch]);
    let added = added.map_or(String::new(), |added| {
        let shown = [0, 1, 2].map(|arch| match added[arch] {
            None => "-".to_owned(),
            Some(one) if more(arch, one) => format!("{one}!"),
            Some(one) => one.to_string(),
        });
        shown.join("/")
    });
    let design = design.map_or(String::new(), |design| {
        design.map(|one| one.to_string()).join("/")
    });
    let [a, b, c] = sass;
    let _ = writeln!(
        lines,
        "| {kernel} {label} | {shuffles} | {a} | {b} | {c} | {} | {kinds} | {added} | {design} |",
        registers.join("/")
    );
}
