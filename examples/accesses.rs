//! The PTX front end by itself: `cargo run -p ptxasw-ptx --example accesses -- k.ptx` lists the loads and stores of each function.

use ptxasw_ir::opcode::Opcode;
use ptxasw_ptx::{decode, lower, parse};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("no file is named")?;
    let text = std::fs::read(&path)?;
    let module = parse(&text)?;
    let headers = decode::headers(&module);
    let functions = headers.functions.iter().enumerate();
    for (index, header) in functions.filter(|(_, header)| header.defined) {
        let form = decode::body(&module, &headers, index)?;
        let lowered = lower::lower(&headers, &form)?;
        println!("{}", header.name);
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
            println!("  line {line}: {what} of {bytes} bytes, {space:?}");
        }
    }
    Ok(())
}
