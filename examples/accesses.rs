//! The PTX front end by itself: `cargo run -p ptxasw-ptx --example accesses -- k.ptx` lists the loads and stores of each function.

use ptxasw_ir::opcode::Opcode;
use ptxasw_ptx::{decode, lower, parse};
use std::fmt::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("no file is named")?;
    print!("{}", listed(&std::fs::read(&path)?)?);
    Ok(())
}

/// The functions of a module with their accesses, one on each line.
fn listed(text: &[u8]) -> Result<String, Box<dyn std::error::Error>> {
    let module = parse(text)?;
    let mut lines = String::new();
    let headers = decode::headers(&module);
    let functions = headers.functions.iter().enumerate();
    for (index, header) in functions.filter(|(_, header)| header.defined) {
        let form = decode::body(&module, &headers, index)?;
        let lowered = lower::lower(&headers, &form)?;
        writeln!(lines, "{}", header.name)?;
        let item = module.function(header.item).ok_or("it is no function")?;
        let body = item.body.as_ref().ok_or("it has no body")?;
        for inst in &lowered.function.insts {
            let (what, access) = match &inst.opcode {
                Opcode::Load(access) => ("load", access),
                Opcode::Store(access) => ("store", access),
                _ => continue,
            };
            let line = module.line(body.statements[inst.origin as usize].span.start);
            let (bytes, space) = (access.bytes(), access.space);
            writeln!(lines, "  line {line}: {what} of {bytes} bytes, {space:?}")?;
        }
    }
    Ok(lines)
}

#[test]
fn loads_of_parameters_are_loads() {
    let text = b".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p)\n{\n\
        .reg .b64 %p;\nld.param.u64 %p, [p];\nst.global.u64 [%p], %p;\nret;\n}\n";
    assert_eq!(
        listed(text).unwrap(),
        "k\n  line 7: load of 8 bytes, ParamEntry\n  line 8: store of 8 bytes, Global\n"
    );
}
