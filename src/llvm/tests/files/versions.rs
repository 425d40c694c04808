//! The cases for other versions of LLVM than 19, whose clang has written the modules. Older ones read them without the words that
//! they do not know, each of which is a promise that may be left out.

/// The version that this is built for.
pub const VERSION: &str = env!("BUILT_FOR_LLVM");

/// Cases whose original the code generator of LLVM 15 and 16 compiles to other results than LLVM IR has. In the first two it makes
/// one load of two and keeps for both what one of them promises of its value; in the last it negates a NaN by `neg.f32`, which
/// gives another one.
const MISCOMPILED: [&str; 3] = ["memory/not-range", "memory/promised-range", "memory/float"];

/// Flags that LLVM 18 and 19 brought.
const FLAGS: [&str; 8] = [
    "zext nneg ",
    "uitofp nneg ",
    "or disjoint ",
    "trunc nuw nsw ",
    "trunc nuw ",
    "trunc nsw ",
    "getelementptr inbounds nuw ",
    "getelementptr nuw ",
];

/// Whether modules are read as they are, so that remarks are those that files expect.
pub fn reads_all() -> bool {
    VERSION >= "19"
}

/// Whether this version compiles the original of a case to other results.
pub fn is_miscompiled(name: &str) -> bool {
    matches!(VERSION, "15" | "16") && MISCOMPILED.contains(&name)
}

/// A module without what this version does not read.
pub fn reworded(text: &str) -> String {
    if reads_all() {
        return text.to_owned();
    }
    // Records of variables for debuggers.
    let lines = text.lines().map(|line| match line.trim_start() {
        record if record.starts_with("#dbg_") => String::new(),
        _ => reworded_line(line),
    });
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

fn reworded_line(line: &str) -> String {
    let mut line = line.to_owned();
    for flag in FLAGS {
        if line.contains(flag) {
            let mut words: Vec<&str> = flag.split(' ').collect();
            words.retain(|word| !matches!(*word, "nneg" | "disjoint" | "nuw" | "nsw"));
            line = line.replace(flag, &words.join(" "));
        }
    }
    without(&mut line, " range(");
    if VERSION == "15" {
        line = line.replace("memory(none)", "readnone");
        line = line.replace("memory(read)", "readonly");
        without(&mut line, " memory(");
    }
    line
}

/// Removes an attribute with its value in parentheses, as often as it is there.
fn without(line: &mut String, start: &str) {
    while let Some(from) = line.find(start) {
        let Some(length) = line[from..].find(')') else {
            return;
        };
        line.replace_range(from..=from + length, "");
    }
}
