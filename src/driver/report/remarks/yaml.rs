//! LLVM's optimization records (LLVM documentation, "Remarks", YAML format).

use super::collect::{Kind, Remark};
use std::io::Write as _;

/// The pass that remarks name; those of passes over the SSA IR append the pass's name.
const PASS: &str = "ptxasw";

/// Appends a remark.
pub fn write(out: &mut Vec<u8>, remark: &Remark) {
    let kind = match remark.kind {
        Kind::Passed => "Passed",
        Kind::Missed => "Missed",
        Kind::Analysis => "Analysis",
    };
    let pass = remark
        .pass
        .map_or_else(String::new, |pass| format!("-{pass}"));
    let mut text = format!("--- !{kind}\nPass: {PASS}{pass}\nName: {}\n", remark.name);
    if let Some(place) = &remark.source {
        text += &format!(
            "DebugLoc: {{ File: {}, Line: {}, Column: {} }}\n",
            quoted(&place.file),
            place.line,
            place.column
        );
    }
    text += &format!("Function: {}\nArgs:\n", quoted(&remark.function));
    text += &argument("String", &remark.message);
    // That of a load is named by the code of its reason.
    let related = remark.related_line.filter(|_| remark.pass.is_some());
    let numbers = [
        (" @", "OtherLine", related),
        (" at PTX line ", "PtxLine", remark.ptx_line),
        (" at IR line ", "IrLine", remark.ir_line),
        (", from PTX line ", "SourcePtxLine", remark.source_ptx_line),
        (", from IR line ", "SourceIrLine", remark.source_ir_line),
    ];
    for (before, name, number) in numbers {
        if let Some(number) = number {
            text += &argument("String", before);
            text += &argument(name, &number.to_string());
        }
    }
    for (before, name, value) in [
        (", condition ", "Condition", remark.condition),
        (", reason ", "Reason", remark.code),
        (", lanes ", "Lanes", remark.lanes.as_deref()),
        ("; lifted by: ", "Lift", remark.lift.as_deref()),
    ] {
        if let Some(value) = value {
            text += &argument("String", before);
            text += &argument(name, value);
        }
    }
    text += "...\n";
    // Memory takes all.
    let _ = out.write_all(text.as_bytes());
}

fn argument(name: &str, value: &str) -> String {
    format!("  - {name}: {}\n", quoted(value))
}

/// A JSON string is a YAML string in double quotes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
